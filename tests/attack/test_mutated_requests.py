"""Requests and frames with anything changed in them get a page or a refusal: never a failure of the
server, and nobody's game but the visitor's own is touched."""

import json
import random
import string
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from attack.conftest import Wanted
from web.conftest import server, settings  # noqa: F401  # fixtures
from web_visitors import ADDRESS, Visitor

#: Requests that mean something: method, path, and the fields of its form or query.
BASE: list[tuple[str, str, dict[str, str]]] = [
    ("GET", "/", {}),
    ("GET", "/games", {}),
    ("GET", "/about", {}),
    ("GET", "/instructions", {}),
    ("GET", "/rules/corners", {}),
    ("GET", "/warmup", {}),
    ("GET", "/options", {"back": "/"}),
    ("POST", "/options", {"language": "id", "theme": "dark", "back": "/games"}),
    ("GET", "/records", {"game": "corners", "player": "a", "page": "1"}),
    ("GET", "/records.txt", {"game": "corners"}),
    ("GET", "/records/{own}.txt", {}),
    ("GET", "/records/{own}", {"ply": "1"}),
    ("GET", "/new/solo", {"game": "corners"}),
    ("POST", "/new/shared", {"game": "adjacency", "name": "Ani", "other": "B", "side": "x"}),
    ("GET", "/game/{own}", {}),
    ("POST", "/game/{own}/move", {"move": "a1"}),
    ("POST", "/game/{own}/undo", {}),
    ("POST", "/game/{own}/resign", {}),
    ("POST", "/game/{own}/again", {}),
    ("POST", "/game/{foreign}/move", {"move": "a1"}),
    ("POST", "/game/{foreign}/undo", {}),
    ("POST", "/game/{foreign}/resign", {}),
    ("GET", "/join/{foreign}/token", {}),
    ("POST", "/join/{foreign}/token", {"name": "X"}),
    ("GET", "/board.css", {"game": "corners", "position": "x", "size": "4"}),
    ("GET", "/analysis", {"game": "corners", "moves": "c4 b3", "ply": "1"}),
    ("GET", "/analysis/board", {"game": "adjacency", "position": "8/8/8/8/8/8/8/8 x 1"}),
    ("GET", "/analysis/export", {"game": "corners", "moves": "c4", "form": "txt"}),
    ("POST", "/analysis/paste", {"text": '[Game "corners"]\n\nc4 *'}),
    ("GET", "/tournament", {}),
    ("POST", "/tournament", {"game": "corners", "players": "nobody:x", "rounds": "1"}),
    ("GET", "/tournament/{own}", {}),
    ("GET", "/teach", {"game": "corners", "depth": "1", "algorithm": "minimax"}),
    ("GET", "/api/games", {}),
    ("GET", "/api/games/corners", {}),
    ("GET", "/api/positions", {"game": "corners", "moves": "c4"}),
    ("GET", "/api/records", {"page": "1", "after": "a"}),
    ("POST", "/api/live", {"game": "corners", "x": "human", "o": "human"}),
    ("GET", "/api/live/{own}", {}),
    ("GET", "/api/live/{foreign}/turns", {}),
    ("POST", "/api/live/{foreign}/moves", {"move": "a1"}),
    ("GET", "/static/papan.js", {}),
]

JUNK = [
    *(
        "",
        "0",
        "-1",
        "1e999",
        "nan",
        "9" * 400,
        "\0",
        "é€𝔵",
        "\u202e",
        "%",
        "%ff",
        "%00",
        "../..",
        "//[",
    ),
    *("<script>alert(1)</script>", "' or 1=1 --", "{moves}", "${x}", "x" * 9000, "/nowhere/bot.py"),
    *(
        "python:/nowhere/bot.py",
        "./evil.py",
        "~nosuchuser/x.py",
        "corners:x=1",
        "null",
        "true",
        "[]",
    ),
]
HEADERS = (
    "accept-language",
    "cookie",
    "papan-fragment",
    "range",
    "if-none-match",
    "content-type",
    "accept",
)


def odd(chance: random.Random) -> str:
    """Junk, of a list or made up."""
    if chance.random() < 0.7:
        return chance.choice(JUNK)
    return "".join(
        chr(chance.choice([*range(1, 128), 0x20AC, 0x1F600])) for _ in range(chance.randint(1, 20))
    )


def request(
    client: TestClient, chance: random.Random, names: dict[str, str]
) -> tuple[int, tuple[str, str, Any]]:
    """The status of one changed request, and the request."""
    method, path, fields = chance.choice(BASE)
    path, fields = path.format(**names), dict(fields)
    headers = {"origin": ADDRESS}
    for _ in range(chance.randint(1, 3)):
        match chance.randrange(6):
            case 0 if fields:
                fields[chance.choice(list(fields))] = odd(chance)
            case 1:
                fields[chance.choice([*string.ascii_lowercase, "game", "moves", "position"])] = odd(
                    chance
                )
            case 2 if fields:
                del fields[chance.choice(list(fields))]
            case 3:
                parts = path.split("/")
                parts[chance.randrange(len(parts))] = odd(chance)
                path = "/".join(parts)
            case 4:
                method = chance.choice(["GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH"])
            case 5:
                plain = odd(chance).encode("ascii", "ignore").decode()
                headers[chance.choice(HEADERS)] = "".join(filter(str.isprintable, plain))[:4000]
    body: bytes = urlencode(fields).encode("ascii", "ignore")
    address = (
        "/"
        + quote(path.lstrip("/"), safe="/%[]:@!$&'()*+,;=~")
        + ("" if method == "POST" else f"?{body.decode()}")
    )
    if method != "POST":
        body = b""
    elif path.startswith("/api") or chance.random() < 0.1:
        body = json.dumps(fields).encode() if chance.random() < 0.9 else chance.randbytes(50)
        headers.setdefault("content-type", "application/json")
    else:
        headers.setdefault("content-type", "application/x-www-form-urlencoded")
    answer = client.request(
        method,
        f"{ADDRESS}{address[:20_000]}",
        headers=headers,
        content=body,
        follow_redirects=False,
    )
    return answer.status_code, (method, address, body)


@pytest.fixture
def names(ani: Visitor, budi: Visitor) -> dict[str, str]:
    """The games of the attacker and of somebody else."""
    own, foreign = budi.begin("shared"), ani.begin("shared")
    ani.play(foreign, "c4")
    return {"own": own.rsplit("/", 1)[1], "foreign": foreign.rsplit("/", 1)[1]}


@pytest.fixture
def ani(server: TestClient) -> Visitor:  # noqa: F811  # the fixture
    """Somebody who plays."""
    return Visitor(server)


@pytest.fixture
def budi(server: TestClient) -> Visitor:  # noqa: F811  # the fixture
    """The attacker."""
    return Visitor(server)


@pytest.mark.thorough
def test_no_request_makes_the_server_fail_or_touches_a_foreign_game(
    ani: Visitor, budi: Visitor, names: dict[str, str], wanted: Wanted
) -> None:
    count, chance, statuses = wanted("mutated requests"), random.Random(5), dict[int, int]()
    before = ani.get(f"/api/live/{names['foreign']}").json()
    for _ in range(count):
        status, sent = request(budi.client, chance, names)
        assert status < 500, (status, sent)
        statuses[status] = statuses.get(status, 0) + 1
    assert sum(statuses.values()) == count
    assert statuses[200] > count / 10, statuses
    assert ani.get(f"/api/live/{names['foreign']}").json() == before
    assert "c4" in str(before)


def test_no_frame_makes_the_server_fail_or_touches_a_foreign_game(
    ani: Visitor, budi: Visitor, names: dict[str, str], wanted: Wanted
) -> None:
    count, chance, sent = wanted("mutated frames"), random.Random(6), 0
    before = ani.get(f"/api/live/{names['foreign']}").json()
    places = [
        f"/game/{names['own']}/live",
        f"/game/{names['foreign']}/live",
        "/analysis/live",
        "/game/x/live",
    ]
    while sent < count:
        address = f"{ADDRESS.replace('http', 'ws')}{chance.choice(places)}"
        try:
            with budi.client.websocket_connect(address, headers={"origin": ADDRESS}) as live:
                for _ in range(10):
                    text = chance.choice(
                        [odd(chance), json.dumps({odd(chance): odd(chance)}), "[" * 3000]
                    )
                    sent += 1
                    if chance.random() < 0.3:
                        live.send_bytes(text.encode("utf-8", "surrogatepass"))
                    else:
                        live.send_text(text)
        except WebSocketDisconnect:
            sent += 1
    assert sent >= count
    assert budi.get("/").status_code == 200
    assert ani.get(f"/api/live/{names['foreign']}").json() == before
