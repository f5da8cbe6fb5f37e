"""What requests have to pass."""

import socket
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.datastructures import Headers
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from papan.web.app import create_app
from papan.web.http.security import (
    LARGEST_BODY,
    OwnNames,
    RateLimit,
    Sessions,
    same_origin,
    secret_key,
)
from papan.web.http.settings import ServerSettings
from support import PATIENCE
from web_visitors import ADDRESS, Visitor, plies_of


@pytest.mark.parametrize(
    ("host", "listening", "expected"),
    [
        ("127.0.0.1:8000", "127.0.0.1", True),
        ("localhost", "127.0.0.1", True),
        ("[::1]:80", "127.0.0.1", True),
        ("evil.example", "127.0.0.1", False),
        ("192.168.1.7:8000", "127.0.0.1", False),
        ("192.168.1.7:8000", "0.0.0.0", True),
        ("evil.example:8000", "0.0.0.0", False),
        ("papan.example", "0.0.0.0", True),
        ("", "0.0.0.0", False),
        ("[::1", "0.0.0.0", False),
    ],
)
def test_only_our_own_names_are_believed(host: str, listening: str, expected: bool) -> None:
    settings = ServerSettings(host=listening, hosts=("papan.example",))
    assert OwnNames(settings).has(host) is expected


def test_requests_do_not_wait_for_the_name_service(
    settings: ServerSettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = [], threading.Event()

    def slow() -> str:
        asked.append(threading.current_thread())
        answered.wait(PATIENCE)
        return "Board.Example"

    monkeypatch.setattr(socket, "getfqdn", slow)
    elsewhere = replace(settings, host="0.0.0.0", folder=tmp_path, database=str(tmp_path / "db"))
    with TestClient(create_app(elsewhere), base_url=ADDRESS) as client:
        for host in ("evil.example", "192.168.1.7", "evil.example", "board.example"):
            status = 200 if host[0] == "1" else 400
            assert client.get("/about", headers={"host": host}).status_code == status
        assert not answered.is_set()
        answered.set()
        asked[0].join(PATIENCE)
        assert client.get("/about", headers={"host": "board.example"}).status_code == 200
    assert len(asked) == 1


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"origin": ADDRESS}, True),
        ({"origin": "https://127.0.0.1:8000"}, False),
        ({"origin": f"{ADDRESS}/"}, False),
        ({"origin": f"{ADDRESS}/page?query#part"}, False),
        ({"origin": "http://user@127.0.0.1:8000"}, False),
        ({"origin": "http://127.0.0.1"}, False),
        ({"origin": "ftp://127.0.0.1:8000"}, False),
        ({"origin": ""}, False),
        ({"origin": "http://", "host": ""}, False),
        ({"origin": "http://evil.example"}, False),
        ({"origin": "null"}, False),
        ({"origin": "http://[::1"}, False),
        ({}, False),
        ({"sec-fetch-site": "same-origin"}, True),
        ({"sec-fetch-site": "cross-site"}, False),
    ],
)
def test_changes_come_from_our_own_pages(headers: dict[str, str], expected: bool) -> None:
    assert same_origin(Headers({"host": "127.0.0.1:8000", **headers}), "http") is expected


@pytest.mark.parametrize("scheme", ["https", "wss"])
def test_a_page_without_encryption_changes_nothing_on_a_server_with_it(scheme: str) -> None:
    headers = {"host": "papan.example"}
    assert same_origin(Headers({**headers, "origin": "https://papan.example"}), scheme)
    assert not same_origin(Headers({**headers, "origin": "http://papan.example"}), scheme)


def test_a_foreign_host_is_refused_with_a_sentence(ani: Visitor) -> None:
    answer = ani.get("/", host="evil.example")
    assert (answer.status_code, answer.text) == (400, "This server does not have that name.")


def test_a_foreign_page_changes_nothing(ani: Visitor) -> None:
    path = ani.begin("shared")
    for headers in ({}, {"origin": "http://evil.example"}):
        answer = ani.client.post(f"{path}/move", data={"move": "c4"}, headers=headers)
        assert answer.status_code == 403
    assert plies_of(ani.get(path).text) == 0


def test_a_foreign_page_gets_no_live_connection(ani: Visitor) -> None:
    path = ani.begin("shared")
    address = f"ws://127.0.0.1:8000{path}/live"
    for headers in ({}, {"origin": "http://evil.example"}):
        with (
            pytest.raises(WebSocketDisconnect),
            ani.client.websocket_connect(address, headers=headers),
        ):
            pass


def test_every_answer_forbids_foreign_and_inline_script(ani: Visitor) -> None:
    for path in ("/", "/options", "/nothing", "/static/papan.js"):
        policy = ani.get(path).headers["content-security-policy"]
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")


@pytest.mark.parametrize("path", ["/", "/new/solo", "/options", "/instructions", "/rules/corners"])
def test_pages_have_no_inline_script_or_style(ani: Visitor, path: str) -> None:
    text = ani.get(path).text
    assert " style=" not in text
    assert "<style" not in text
    assert "<script>" not in text
    assert " onclick" not in text


def test_a_browser_is_known_by_a_signed_cookie_that_scripts_cannot_read(ani: Visitor) -> None:
    cookie = ani.get("/").headers["set-cookie"]
    assert cookie.startswith("papan_session=")
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "set-cookie" not in ani.get("/").headers


def test_a_forged_cookie_is_nobody_s(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared")
    session = ani.client.cookies["papan_session"]
    budi.client.cookies["papan_session"] = session[:-2] + "xx"
    assert budi.play(path, "c4").status_code == 400
    assert plies_of(ani.get(path).text) == 0


def test_a_cookie_expires() -> None:
    sessions = Sessions.of("key", -1)
    assert sessions.read(sessions.write("abc")) == ("", 0.0)


@pytest.mark.parametrize("cookie", ["", "x", "a.b.c", "é", "." * 5000])
def test_nonsense_in_a_cookie_is_nobody(cookie: str) -> None:
    assert Sessions.of("key", 100).read(cookie) == ("", 0.0)


def test_the_secret_key_is_made_once_and_is_its_owner_s_alone(settings: ServerSettings) -> None:
    key = secret_key(settings.folder)
    assert key == secret_key(settings.folder)
    assert len(key) == 64
    assert (settings.folder / "web-secret").stat().st_mode & 0o077 == 0


def test_a_large_body_is_refused(ani: Visitor) -> None:
    answer = ani.post("/new/solo", name="x" * LARGEST_BODY)
    assert answer.status_code == 413


def test_a_large_body_that_hides_its_length_is_refused(ani: Visitor) -> None:
    def chunks() -> object:
        for _ in range(LARGEST_BODY // 1024 + 1):
            yield b"x" * 1024

    answer = ani.client.post("/new/solo", content=chunks(), headers={"origin": ADDRESS})  # type: ignore[arg-type]  # a generator is fine
    assert answer.status_code == 413


def test_tokens_come_back_at_a_steady_pace() -> None:
    time = [0.0]
    rate = RateLimit(2, 3, clock=lambda: time[0])
    assert [rate.allows("a") for _ in range(4)] == [True, True, True, False]
    assert rate.allows("b")
    time[0] = 0.5
    assert [rate.allows("a"), rate.allows("a")] == [True, False]


def test_whoever_is_too_fast_is_told_so(settings: ServerSettings, tmp_path: object) -> None:
    slow = replace(settings, actions_a_second=0.001, actions_at_once=2)
    with TestClient(create_app(slow), base_url=ADDRESS) as client:
        client.get("/about")
        answers = [client.post("/options", data={}, headers={"origin": ADDRESS}) for _ in range(3)]
        assert [answer.status_code for answer in answers][-1] == 429
        assert client.get("/about").status_code == 200


@pytest.mark.parametrize(
    "path",
    [
        "/game/nothing",
        "/game/..%2f..%2fetc",
        "/rules/nothing",
        "/rules/ugi:x",
        "/new/nothing",
        "/static/..%2fapp.py",
        "/static/nothing.js",
        "/join/a/b",
    ],
)
def test_what_is_not_there_is_404_with_a_page(ani: Visitor, path: str) -> None:
    answer = ani.get(path)
    assert answer.status_code == 404
    assert "<h1>That did not work</h1>" in answer.text
