"""JSON over HTTP: what programs get, and what they are told when they ask for nonsense."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from papan.records.model import Record
from papan.records.store import Store
from papan.search.algorithm import search
from papan.search.alphabeta.algorithms import AlphaBeta
from papan.search.limits import Limit
from papan.solve.known_values import known_values
from papan.usercode import registry
from web_visitors import ADDRESS, Visitor

SMALL = "adjacency:size=4,rounds=2"


def get(visitor: Visitor, path: str) -> Any:
    """The JSON behind an address that is fine."""
    answer = visitor.get(f"/api{path}")
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(visitor: Visitor, path: str, body: Any, **headers: str) -> Any:
    """The answer to JSON that is sent."""
    sent = {"origin": ADDRESS, "content-type": "application/json", **headers}
    text = body if isinstance(body, str) else json.dumps(body)
    return visitor.client.post(f"/api{path}", content=text, headers=sent)


def test_games_are_listed_with_their_options(ani: Visitor) -> None:
    games = {game["name"]: game for game in get(ani, "/games")["games"]}
    assert {"adjacency", "platforms", "corners"} <= set(games)
    assert games["platforms"]["options"]["level"] == {"default": 1, "now": 1, "expected": "1 … 3"}


def test_a_game_comes_with_its_rules_in_the_language_of_the_request(ani: Visitor) -> None:
    english = get(ani, "/games/corners")
    indonesian = ani.get("/api/games/corners", **{"accept-language": "id"}).json()
    assert english["start"] == "ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xxx x"
    assert english["rules"] != indonesian["rules"]


def test_a_position_has_its_legal_moves_and_its_outcome(ani: Visitor) -> None:
    found = get(ani, f"/positions?game={SMALL}&moves=b3+c2+a4")
    assert found["side"] == "o"
    assert found["outcome"] is None
    position = registry.game(SMALL).position(found["position"])
    assert found["moves"] == position.moves()
    over = get(ani, f"/positions?game={SMALL}&moves=b3+c2+a4+d1")
    assert (over["moves"], over["outcome"]) == ([], "o")


def test_a_search_answers_with_the_keys_of_the_command_line(ani: Visitor) -> None:
    answer = post(ani, "/search", {"game": SMALL, "algorithm": "alphabeta", "depth": 4})
    assert answer.status_code == 200, answer.text
    found = answer.json()
    result = search(registry.game(SMALL).start(), Limit(depth=4), algorithm=AlphaBeta())
    assert set(found) == set(result.as_dict())
    assert (found["score"], found["proven"]) == (result.value, True)


def test_a_search_shows_several_lines(ani: Visitor) -> None:
    body = {"game": SMALL, "lines": 3, "depth": 4, "seconds": 5}
    lines = post(ani, "/search", body).json()["lines"]
    assert len({line["pv"][0] for line in lines}) == 3


def test_values_of_moves_are_those_of_the_command_line(ani: Visitor) -> None:
    found = get(ani, "/values?game=platforms&moves=b2&seconds=5")
    position = registry.game("platforms").start().play("b2")
    assert found == known_values(position).as_dict()
    assert found["source"] == "solver"
    assert {move["outcome"] for move in found["moves"]} == {"loss"}


def test_values_are_refused_for_more_time_than_a_guest_gets(ani: Visitor) -> None:
    answer = ani.get("/api/values?game=platforms&seconds=99")
    assert answer.status_code == 400
    assert "seconds" in answer.json()["error"]


def test_records_are_listed_and_got(ani: Visitor) -> None:
    path = ani.begin("shared", size="4", rounds="2")
    ani.play(path, "b3", "c2", "a4", "d1")
    id = path.rpartition("/")[2]
    record = get(ani, f"/records/{id}")
    assert record["moves"] == ["b3", "c2", "a4", "d1"]
    listed = get(ani, "/records?player=Ani&result=o")
    assert id in [game["id"] for game in listed["games"]]
    assert (listed["page"], listed["count"] >= 1) == (1, True)


def test_records_are_listed_a_page_at_a_time_after_the_page_before(ani: Visitor) -> None:
    store = ani.service(Store)
    store.add_all(replace(_RECORD, id=f"cup {n}", event="cup", round=n) for n in range(1, 61))
    pages = [get(ani, "/records?event=cup")]
    while next := pages[-1]["next"]:
        pages.append(get(ani, f"/records?event=cup&page={len(pages) + 1}&after={next}"))
    assert [page["page"] for page in pages] == [1, 2, 3]
    assert [page["pages"] for page in pages] == [3, 3, 3]
    assert [game["round"] for page in pages for game in page["games"]] == list(range(60, 0, -1))
    assert ani.get("/api/records?after=nobody").status_code == 404


def test_a_record_of_broken_text_is_still_json(ani: Visitor) -> None:
    store = ani.service(Store)
    store.save("torn", replace(_RECORD, x="\ud800\x00<i>"))
    assert get(ani, "/records/torn")["x"] == "?\x00<i>"
    assert ani.get("/records/torn").status_code == 200


_RECORD = Record(game=SMALL, x="a", o="b", moves=("b3",), result="x", termination="resignation")


def test_a_live_game_is_played_by_its_player_only(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared", size="4", rounds="2").replace("/game/", "/live/")
    budi.get("/")
    assert get(ani, path)["yours"] == ["x", "o"]
    assert get(budi, path)["yours"] == []
    assert post(budi, f"{path}/moves", {"move": "b3"}).status_code == 400
    assert post(ani, f"{path}/moves", {"move": "b3"}).json()["played"] == ["b3"]
    refused = post(ani, f"{path}/moves", {"move": "b3"})
    assert refused.status_code == 400
    assert "b3" in refused.json()["error"]
    assert get(budi, path)["played"] == ["b3"]


def test_a_live_game_is_set_up_and_played_without_a_page(ani: Visitor, budi: Visitor) -> None:
    wanted = {"kind": "shared", "game": "adjacency", "options": {"size": "4", "rounds": "2"}}
    begun = post(ani, "/live", {**wanted, "name": "Ani", "other": "Budi"})
    assert begun.status_code == 201
    assert begun.json()["game"] == "adjacency:size=4,rounds=2"
    path = f"/live/{begun.json()['id']}"
    assert get(ani, f"{path}/turns")["ply"] == 0
    assert set(get(ani, f"{path}/turns")["moves"]) == set(begun.json()["moves"])
    budi.get("/")
    assert get(budi, f"{path}/turns")["moves"] == {}
    for move in ("b3", "b4", "c2", "d2"):
        assert post(ani, f"{path}/moves", {"move": move}).status_code == 200
    assert get(ani, path)["result"] in ("x", "o", "draw")


def test_values_of_a_live_game_are_for_the_player_to_move_where_hints_are_given(
    ani: Visitor, budi: Visitor
) -> None:
    path = ani.begin("shared", game="platforms")
    asked = path.replace("/game/", "/live/") + "/values"
    assert "agreement of both" in ani.get(f"/api{asked}").json()["error"]
    ani.post(f"{path}/hints")
    found = get(ani, asked)
    assert found["source"] == "solver"
    assert [(each["move"], each["plies"]) for each in found["moves"]] == [
        ("b3", 6),
        ("a2", 6),
        ("b2", 7),
    ]
    assert budi.get(f"/api{asked}").status_code == 400


@pytest.mark.parametrize(
    "wrong",
    [
        {"kind": "alone"},
        {"game": "backgammon"},
        {"options": {"size": "99"}},
        {"name": ""},
        {"name": "Budi"},
        {"clock": "7+7"},
        {"kind": "solo", "opponent": "ugi:./bot"},
        {"kind": "solo", "opponent": "python:bot.py"},
        {"surprise": 1},
    ],
    ids=str,
)
def test_a_game_that_cannot_be_set_up_says_why(ani: Visitor, wrong: dict[str, Any]) -> None:
    wanted = {"kind": "shared", "game": "adjacency", "name": "Ani", "other": "Budi"}
    refused = post(ani, "/live", {**wanted, **wrong})
    assert refused.status_code == 400
    assert refused.json()["error"]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/nothing", 404),
        ("/live/none/turns", 404),
        ("/games/etc", 404),
        ("/records/none", 404),
        ("/live/none", 404),
        ("/search", 405),
        ("/positions", 400),
        ("/positions?game=/etc/passwd", 400),
        ("/positions?game=x.py:G", 400),
        ("/positions?game=adjacency&moves=zz", 400),
        ("/positions?game=adjacency&position=%ff%00", 400),
        ("/positions?game=adjacency&moves=" + "c4+" * 2000, 400),
        ("/records?page=0", 400),
        ("/records?page=99999999999999999999", 400),
        ("/records?after=" + "x" * 65, 400),
        ("/records?since=today", 400),
        ("/records?result=z", 400),
    ],
)
def test_nonsense_is_answered_with_one_sentence(ani: Visitor, path: str, status: int) -> None:
    answer = ani.get(f"/api{path}")
    assert answer.status_code == status
    assert "\n" not in answer.json()["error"].strip()


@pytest.mark.parametrize(
    "body",
    [
        "",
        "{",
        "[]",
        "null",
        '"\\ud800"',
        {},
        {"game": "adjacency", "depth": 0},
        {"game": "adjacency", "depth": 65},
        {"game": "adjacency", "depth": "deep"},
        {"game": "adjacency", "seconds": 3600},
        '{"game": "adjacency", "seconds": NaN}',
        '{"game": "adjacency", "seconds": 1e999}',
        {"game": "adjacency", "lines": 11},
        {"game": "adjacency", "surprise": 1},
        {"game": "adjacency", "moves": ["\ud800"]},
        {"game": "adjacency", "moves": ["c4"] * 700},
        {"game": "adjacency", "position": "x" * 301},
        {"game": "adjacency", "algorithm": "ugi:rm -rf"},
        {"game": "adjacency", "algorithm": "engine:threads=8"},
        {"game": "adjacency", "algorithm": "engine:hash=4096"},
        {"game": "adjacency", "algorithm": "mcts:memory=4096"},
        {"game": "adjacency", "algorithm": "minimax", "lines": 2},
        {"game": "/tmp/game.py:Game"},
    ],
)
def test_a_search_that_makes_no_sense_is_refused_in_one_sentence(ani: Visitor, body: Any) -> None:
    answer = post(ani, "/search", body)
    assert answer.status_code == 400, answer.text
    assert answer.json()["error"].strip()


def test_a_number_out_of_range_is_told_what_is_expected(ani: Visitor) -> None:
    answer = post(ani, "/search", {"game": "adjacency", "depth": 65})
    assert answer.json() == {"error": "'depth' is out of range: expected ≤ 64"}
    indonesian = post(
        ani, "/search", {"game": "adjacency", "depth": 65}, **{"accept-language": "id"}
    )
    assert "di luar batas" in indonesian.json()["error"]


def test_a_search_from_another_origin_is_refused(ani: Visitor) -> None:
    for origin in ("http://evil.example", ""):
        headers = {"origin": origin} if origin else {}
        answer = ani.client.post("/api/search", json={"game": SMALL}, headers=headers)
        assert answer.status_code == 403


def test_the_document_describes_every_operation_and_the_page_shows_it(ani: Visitor) -> None:
    document = get(ani, "/openapi.json")
    assert document["openapi"].startswith("3.")
    operations = [
        (method.upper(), path) for path, methods in document["paths"].items() for method in methods
    ]
    assert len(operations) == 12
    for language in ("en", "id"):
        page = ani.get("/api", **{"accept-language": language}).text
        assert "web.api." not in page
        assert "http://127.0.0.1:8000/api/search" in page
        assert all(f"<code>/api{path}</code>" in page for _, path in operations)


@pytest.mark.parametrize("options", ["", ":depth=3", ":x.py"])
def test_no_file_is_run_because_a_visitor_names_it(
    ani: Visitor, tmp_path: Path, options: str
) -> None:
    trap, sprung = tmp_path / "trap.py", tmp_path / "sprung"
    trap.write_text(f"open({str(sprung)!r}, 'w').close()", encoding="utf-8")
    for path, values in (
        ("/api/search", {"game": "adjacency", "algorithm": f"{trap}{options}"}),
        ("/api/search", {"game": f"{trap}{options}"}),
        ("/api/live", {"game": "adjacency", "name": "Ani", "opponent": f"{trap}{options}"}),
        ("/api/live", {"game": f"{trap}{options}", "name": "Ani"}),
    ):
        answer = ani.client.post(path, json=values, headers={"origin": ADDRESS})
        assert 400 <= answer.status_code < 500
    assert not sprung.exists()
