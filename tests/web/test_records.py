"""The records page: games found, replayed and downloaded."""

import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.records.model import Record
from papan.records.store import Store
from papan.records.text import read
from papan.web.app import create_app
from papan.web.http.settings import ServerSettings
from web_visitors import ADDRESS, Visitor, text_of

GAME = Record(
    game="adjacency:size=4,rounds=2",
    x="Ani",
    o="beginner",
    moves=("b3", "c2", "a4", "d1"),
    result="o",
    event="friday",
    round=1,
    played="2026-07-31T10:00:00+00:00",
    id="first",
)


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """A browser at a server that keeps a few games, to which nobody adds any."""
    with serve(tmp_path_factory.mktemp("records")) as visitor:
        yield visitor


@pytest.fixture
def own_shelf(tmp_path: Path) -> Iterator[Visitor]:
    """A browser at a server that keeps the same games, for one test."""
    with serve(tmp_path) as visitor:
        yield visitor


@contextmanager
def serve(folder: Path) -> Iterator[Visitor]:
    """Starts a server that keeps a few games."""
    place = str(folder / "games.sqlite")
    others = [replace(GAME, id=f"id{n}", round=n + 10, x="random") for n in range(30)]
    strange = replace(
        GAME, id="strange", round=2, game="/tmp/evil.py", x="\ud800<b>", detail="\ud800"
    )
    forfeit = replace(
        GAME,
        id="forfeit",
        round=3,
        moves=("b3",),
        result="x",
        termination="illegal move",
        given="zz",
    )
    with Store(place) as store:
        store.add_all([*others, GAME, strange, forfeit])
    settings = ServerSettings(
        processes=1,
        database=place,
        folder=folder,
        warm=False,
        language="en",
        players={"the house's": "python:/nowhere/bot.py"},
        actions_a_second=1000,
        actions_at_once=1000,
    )
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        yield Visitor(client)


def test_the_newest_games_come_first_a_page_at_a_time(shelf: Visitor) -> None:
    page = shelf.get("/records").text
    assert "Games: 33" in page
    assert page.index("/records/forfeit") < page.index("/records/first")
    assert "Page 1 of 2" in page
    assert shelf.get("/records?page=2").text.count('<li><a href="/records/') == 8


def listed(page: str) -> list[str]:
    """The ids of the games on a page of the list."""
    return re.findall(r'<li><a href="/records/([^"]*)"', page)


def follow_link(visitor: Visitor, page: str, words: str) -> str:
    """The page behind the link with these words."""
    (address,) = re.findall(rf'href="([^"]*)">{words}</a>', page)
    return visitor.get(html.unescape(address)).text


def test_pages_next_to_each_other_have_each_game_once_although_games_are_added(
    own_shelf: Visitor,
) -> None:
    store = own_shelf.service(Store)
    for number in range(30):
        store.add(replace(GAME, id=f"late {number}", event="", round=0))
    everything = [record.id for record in store.find(newest_first=True)]
    pages = [own_shelf.get("/records").text]
    for number in range(2):
        store.add(replace(GAME, id=f"new {number}", event="", round=0))
        pages.append(follow_link(own_shelf, pages[-1], "Older"))
    assert [id for page in pages for id in listed(page)] == everything
    assert "Page 3 of 3" in pages[2] and "Older</a>" not in pages[2]
    back = follow_link(own_shelf, pages[2], "Newer")
    assert listed(back) == listed(pages[1])
    assert listed(follow_link(own_shelf, back, "Newer"))[:2] == ["new 1", "new 0"]


def test_a_page_next_to_a_game_that_is_not_there_does_not_exist(shelf: Visitor) -> None:
    for query in ("after=nobody", "before=nobody", "after=%00", "after=" + "x" * 5000):
        answer = shelf.get(f"/records?{query}")
        assert answer.status_code == 404
        assert "records.sqlite" not in answer.text


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("player=Ani", 2),
        ("player=random", 30),
        ("result=x", 1),
        ("game=adjacency", 32),
        ("event=friday&result=o", 32),
        ("since=2026-08-01", 0),
        ("player=%22%3E%3Cscript%3E", 0),
    ],
)
def test_games_are_filtered(shelf: Visitor, query: str, count: int) -> None:
    page = shelf.get(f"/records?{query}")
    assert page.status_code == 200
    assert f"Games: {count}<" in page.text
    assert "><script>" not in page.text


@pytest.mark.parametrize(
    "query", ["result=q", "since=tomorrow", "page=0", "page=x", "player=" + "x" * 500]
)
def test_a_filter_that_makes_no_sense_is_explained(shelf: Visitor, query: str) -> None:
    answer = shelf.get(f"/records?{query}")
    assert answer.status_code == 400
    assert text_of(answer.text, "problem").strip()


def test_a_game_is_replayed_at_any_ply(shelf: Visitor) -> None:
    page = shelf.get("/records/first?ply=1").text
    assert "Ani – " in page
    assert "X: b3, c3, a2, b2, a1, b1." in page
    assert 'aria-current="step">b3<' in page
    assert "X: a4, b3" in shelf.get("/records/first").text


def test_a_replay_leads_to_the_analysis_of_the_game(shelf: Visitor) -> None:
    page = shelf.get("/records/first?ply=2").text
    link = "/analysis?game=adjacency%3Asize%3D4%2Crounds%3D2&amp;moves=b3+c2+a4+d1&amp;ply=2"
    assert link in page
    assert shelf.get(link.replace("&amp;", "&")).status_code == 200


def test_a_record_of_a_game_that_is_not_offered_loads_nothing_and_says_so(shelf: Visitor) -> None:
    answer = shelf.get("/records/strange")
    assert answer.status_code == 200
    assert "cannot be replayed here" in answer.text
    assert "b3 c2 a4 d1" in answer.text
    assert "?&lt;b&gt;" in answer.text


def test_commands_and_paths_of_programs_are_nobodys_business(ani: Visitor) -> None:
    store = ani.service(Store)
    programs = replace(
        GAME, id="", event="programs", x="python:/nowhere/bot.py", o="ugi:./secret --key"
    )
    store.save("programs", replace(programs, detail="ugi:./secret died"))
    paths = ("?event=programs", "/programs", "/programs.txt", "/programs.json")
    pages = [ani.get(f"/records{path}").text for path in paths]
    pages.append(ani.get("/api/records/programs").text)
    assert all("house" in page and "secret" not in page and "nowhere" not in page for page in pages)


def test_an_illegal_move_is_shown_as_it_was_given(shelf: Visitor) -> None:
    page = shelf.get("/records/forfeit").text
    assert "Illegal move: zz" in page


def test_a_kept_game_says_who_stood_how_as_soon_as_that_is_proven(shelf: Visitor) -> None:
    assert 'id="proof-history"' not in shelf.get("/records/first").text
    answer = shelf.post("/records/first/values?ply=2")
    assert answer.headers["location"].endswith("/records/first?ply=2")
    with shelf.live("/records/first") as socket:
        page = socket.receive_text()
        while 'id="proof-history"' not in page or "Proving the values" in page:
            page = socket.receive_text()
    assert "5 of 5 positions are proven" in page
    assert page.count('class="proved" title="kept the win"') == 2


def test_only_games_that_can_be_analysed_are_proven(shelf: Visitor) -> None:
    assert shelf.post("/records/strange/values").status_code == 404
    assert shelf.post("/records/none/values").status_code == 404
    assert "Prove the results" not in shelf.get("/records/strange").text


@pytest.mark.parametrize("path", ["/records/none", "/records/none.txt", "/records/first.exe"])
def test_what_is_not_there_is_not_found(shelf: Visitor, path: str) -> None:
    assert shelf.get(path).status_code == 404


def test_a_game_is_downloaded_as_text_that_can_be_read_again(shelf: Visitor) -> None:
    answer = shelf.get("/records/first.txt")
    assert answer.headers["content-disposition"] == 'attachment; filename="papan-first.txt"'
    assert list(read(answer.text)) == [GAME]


def test_a_list_is_downloaded_as_json(shelf: Visitor) -> None:
    games = json.loads(shelf.get("/records.json?player=Ani").text)["games"]
    assert [game["id"] for game in games] == ["forfeit", "first"]
    assert games[1]["moves"] == ["b3", "c2", "a4", "d1"]
    assert shelf.get("/records.txt").status_code == 200


def test_a_game_that_was_played_in_the_browser_is_kept(ani: Visitor) -> None:
    path = ani.begin("shared", size="4", rounds="2")
    ani.play(path, "b3", "c2", "a4", "d1")
    assert ani.get(path.replace("/game/", "/records/")).status_code == 200


def test_somebody_finds_their_own_games_and_nobody_elses(ani: Visitor, budi: Visitor) -> None:
    fields = {"size": "4", "rounds": "2"}
    ani.play(ani.begin("shared", **fields), "b3", "c2", "a4", "d1")
    ani.post(f"{ani.begin('shared', **fields)}/resign")  # without a move: nothing is kept of it
    mine = ani.get("/records?whose=mine").text
    assert "Games: 1<" in mine
    assert 'name="whose" value="mine"' in mine
    assert "Games: 0<" in ani.get("/records?whose=mine&player=random").text
    assert "None of your games" in budi.get("/records?whose=mine").text
    assert json.loads(budi.get("/records.json?whose=mine").text)["games"] == []


def test_the_form_tells_ones_own_results_against_each_level(ani: Visitor) -> None:
    assert "Your results" not in ani.get("/new/solo?game=adjacency").text
    path = ani.begin("solo", size="4", rounds="2", opponent_spec="level:1")
    ani.play(path, "b3")
    ani.post(f"{path}/resign")
    page = ani.get("/new/solo?game=adjacency").text
    assert "<b>Level 1</b>: 0 won, 0 drawn, 1 lost." in page
    assert "Your results" not in ani.get("/new/solo?game=corners").text


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ("time=0.1 margin=5", "0.1 s per move, tolerance 5 s"),
        ("clock=60+0.6 depth=4", "60 s for the game plus 0.6 s for each move, at most depth 4"),
        ("clock=60", "60 s for the game"),
        ("else=1 plain", "else=1, plain"),
    ],
)
def test_conditions_are_told_in_words(ani: Visitor, conditions: str, words: str) -> None:
    store = ani.service(Store)
    store.save("conditions", replace(GAME, id="", event="", time_control=conditions))
    assert words in ani.get("/records/conditions").text
