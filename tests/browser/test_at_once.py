"""The board answers at once, whatever the line does: own moves, queued clicks, history, motion."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from slow_line import SlowLine
from web_browsers import Table, set_up

Visit = Callable[..., Any]

pytestmark = pytest.mark.thorough

FOUR = {"game": "adjacency", "size": "4", "rounds": "4"}
SPEC = "adjacency:size=4,rounds=4"

#: Half of the latency that a player far away has, in seconds.
ONE_WAY = 0.2


@pytest.fixture(scope="module")
def far(server: WebServer) -> Iterator[str]:
    """The address of the server for somebody far away: 400 ms to and fro."""
    with SlowLine(server.port, ONE_WAY) as line:
        yield line.address


@pytest.fixture
def address(request: pytest.FixtureRequest, server: WebServer, far: str) -> str:
    """The server's address, near or far."""
    return far if request.param == "far" else server.address


#: Counts the frames from a click until a piece stands on a square, and notes if the server has
#: spoken by then.
_FRAMES = """square => {
  const there = () => document.querySelector(`#board g[data-square="${square}"] > .piece`);
  const game = document.querySelector("#game");
  window.seen = new Promise(done => {
    const look = frames => {
      if (there()) done([frames, game.dataset.plies]);
      else requestAnimationFrame(() => look(frames + 1));
    };
    const clicked = () => setTimeout(() => look(0));
    document.addEventListener("click", clicked, { capture: true, once: true });
  });
}"""


@pytest.mark.parametrize("address", ["near", "far"], indirect=True)
def test_the_own_move_is_painted_in_the_frame_after_the_click(
    visit: Visit, address: str, far: str
) -> None:
    page = visit()
    set_up(page, address, "shared", **FOUR)
    table = Table(page, SPEC)
    for move in ("b3", "c2"):
        page.evaluate(_FRAMES, move)
        plies = str(table.plies)
        page.locator(f"#at-{move}").click()
        frames, then = page.evaluate("window.seen")
        assert frames <= 1
        assert address != far or then == plies
        page.locator(f"#game[data-plies='{int(plies) + 1}']").wait_for()
    assert table.listed() == ["b3", "c2"]


def test_clicks_that_come_before_the_answer_are_played_one_after_the_other(
    visit: Visit, far: str
) -> None:
    page = visit()
    set_up(page, far, "shared", game="corners")
    for square in ("f3", "f4", "c6", "d6", "g3", "g4"):
        page.locator(f"#at-{square}").click()
    page.locator("#moves a[data-ply='3']").wait_for(state="attached")
    assert Table(page, "corners").listed() == ["f3f4", "c6d6", "g3g4"]


def test_a_move_made_while_the_program_thinks_is_played_when_it_has_moved(
    visit: Visit, far: str
) -> None:
    page = visit()
    set_up(page, far, "solo", game="adjacency", size="4", opponent_spec="first")
    page.locator("#at-b3").click()
    page.locator("#at-d1").click()
    assert page.locator("#at-d1.queued").count() == 1
    page.locator("#moves a[data-ply='4']").wait_for(state="attached", timeout=120_000)
    assert Table(page, SPEC).listed()[::2] == ["b3", "d1"]
    assert page.locator(".cell.queued").count() == 0


def test_six_presses_of_a_key_are_six_plies_back_before_any_answer(visit: Visit, far: str) -> None:
    page = visit()
    set_up(page, far, "shared", **FOUR)
    table = Table(page, SPEC)
    boards = [_pieces(page)]
    for move in ("b3", "c2", "a4", "d1", "b4", "c1"):
        table.move(move)
        boards.append(_pieces(page))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))  # browsers ask for the icon
    for ply in range(5, -1, -1):
        page.keyboard.press("[")
        assert page.locator("#game").get_attribute("data-ply") == str(ply)
        assert _pieces(page) == boards[ply]
    page.keyboard.press("f")
    page.locator(".table.flipped").wait_for()
    assert _pieces(page) == boards[0]
    assert [url for url in asked if "icon.svg" not in url] == []


def _pieces(page: Any) -> dict[str, str]:
    """The pieces on the board by their squares, as they are drawn."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll("#board g[data-square]")]
          .map(square => [square.dataset.square, square.querySelector(":scope > .piece")])
          .filter(([, piece]) => piece)
          .map(([name, piece]) => [name, piece.classList[1]]))"""
    )
    return found


def test_what_the_server_refuses_is_taken_back(visit: Visit, server: WebServer) -> None:
    page = visit()
    set_up(page, server.address, "shared", **FOUR)
    before = _pieces(page)
    page.route("**/move", lambda route: route.fulfill(status=400, body="no such luck"))
    page.locator("#at-b3").click()
    page.locator("#notice:has-text('no such luck')").wait_for()
    assert _pieces(page) == before
    page.unroute("**/move")
    Table(page, SPEC).move("b3")
    assert "b3" in _pieces(page)


#: Counts what begins to move on the page, what has come to its end, and what was cut.
_COUNT = """window.counts = { animationstart: 0, animationend: 0, animationcancel: 0 };
for (const name of Object.keys(window.counts)) {
  document.addEventListener(name, event => event.target.matches(".mover") && window.counts[name]++);
}"""

#: The same by the manner in which it moves.
_COUNT_MANNERS = """window.manners = {};
for (const name of ["animationstart", "animationend", "animationcancel"]) {
  document.addEventListener(name, event => {
    const seen = `${event.animationName} ${name}`;
    if (event.target.matches(".mover")) window.manners[seen] = (window.manners[seen] ?? 0) + 1;
  });
}"""

#: All that moves has come to its end.
_STILL = "html:not(.moving)"


def test_what_moves_comes_to_its_end_once(visit: Visit, far: str) -> None:
    """A move moves its piece and what it turns, when it is made; not when the answer comes."""
    page = visit(reduced_motion="no-preference")
    set_up(page, far, "shared", **FOUR)
    page.evaluate(_COUNT)
    table, expected = Table(page, SPEC), 0
    for move in ("b3", "c2", "a4", "d1"):
        before = _pieces(page)
        table.move(move)
        after = _pieces(page)
        expected += sum(before.get(square) != after[square] for square in after)
    page.locator(_STILL).wait_for()
    counts = page.evaluate("window.counts")
    assert counts == {"animationstart": expected, "animationend": expected, "animationcancel": 0}
    for _ in range(4):
        page.keyboard.press("[")
    page.locator(_STILL).wait_for()
    counts = page.evaluate("window.counts")
    assert counts["animationstart"] == counts["animationend"] > expected
    assert counts["animationcancel"] == 0
    assert page.locator(".ghost, .away").count() == 0


#: Games whose pieces move in every manner: moves, and how often each manner is seen.
MANNERS = {
    "corners": ("f3f4 c6d6", {"slide": 2}),
    "connect_four": ("d d e", {"drop": 3}),
    "breakthrough:rows=5,columns=4": ("a2b3 a4b3 b2a3", {"slide": 3, "go": 1}),
    "checkers": ("c3d4 b6a5 d4c5 d6b4", {"slide": 4, "go": 1}),
    "othello": ("d3 c3", {"arrive": 2, "turn": 2}),
    "kalah:pits=3,seeds=2": ("b c", {"slide": 1, "arrive": 4, "go": 1}),
}


@pytest.mark.parametrize("spec", MANNERS)
def test_pieces_slide_drop_turn_come_and_go_each_once(
    visit: Visit, far: str, server: WebServer, spec: str
) -> None:
    """Whether the server's answer comes at once or late, and at each step through the history."""
    moves, manners = MANNERS[spec]
    name, _, options = spec.partition(":")
    fields = dict(part.split("=") for part in options.split(",") if part)
    for address in (server.address, far):
        page = visit(reduced_motion="no-preference")
        set_up(page, address, "shared", game=name, **fields)
        page.evaluate(_COUNT_MANNERS)
        table = Table(page, spec)
        for move in moves.split():
            table.move(move)
            page.locator(_STILL).wait_for()
        assert page.evaluate("window.manners") == {
            f"{manner} {event}": times
            for manner, times in manners.items()
            for event in ("animationstart", "animationend")
        }


def test_nothing_moves_for_those_who_want_none_of_it(visit: Visit, server: WebServer) -> None:
    page = visit(reduced_motion="reduce")
    set_up(page, server.address, "shared", **FOUR)
    page.evaluate(_COUNT)
    page.locator("#at-b3").click()
    assert page.locator(".ghost").count() == 0
    page.locator("#game[data-plies='1']").wait_for()
    assert page.evaluate("window.counts.animationstart") == 0


def test_a_line_that_is_cut_is_told_and_what_was_clicked_is_sent_once_it_is_back(
    visit: Visit, server: WebServer
) -> None:
    page = visit()
    with SlowLine(server.port, 0) as line:
        set_up(page, line.address, "shared", **FOUR)
        table = Table(page, SPEC)
        table.move("b3")
        line.cut()
        page.locator("#lost:not([hidden])").wait_for()
        page.locator("#at-c2").click()
        assert "c2" in _pieces(page)
        line.mend()
        page.locator("#lost[hidden]").wait_for(state="attached")
        page.locator("#moves a[data-ply='2']").wait_for(state="attached")
        assert table.listed() == ["b3", "c2"]
        page.goto("about:blank")
