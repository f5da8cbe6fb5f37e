"""Exported pages in a real browser: single files from a disk, and a site without its server."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

import papan
from browser.test_looks import axe
from papan.solve import puzzles as making
from papan.solve.puzzle_files import text_of
from support import thoroughly
from web_browsers import PHONE, Table, by_chance, tab_to

Visit = Callable[..., Any]

#: One game of each shape of board, besides tic-tac-toe.
SHAPES = ("adjacency", "corners", "platforms", "hex", "kalah", "morris", "chess", "go")
#: Games by chance that last longer are stopped.
_MOST_PLIES = 60


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """Exports a game as a single file; each game once."""
    folder = tmp_path_factory.mktemp("files")

    @functools.cache
    def export(spec: str, puzzles: Path | None = None) -> Path:
        given = [puzzles] if puzzles else []
        return papan.export(spec, folder, single_file=True, puzzles=given)[0]

    return export


def at_home(page: Any, file: Path, spec: str, fragment: str = "", hand: str = "mouse") -> Table:
    """Opens a file with the network off."""
    page.set_default_timeout(30_000)
    page.context.set_offline(True)
    page.goto(f"{file.as_uri()}{fragment}")
    page.locator("html.ready").wait_for(state="attached")
    return Table(page, spec, hand)


def choose(page: Any, opponent: str, side: str = "x") -> None:
    page.select_option("[name=opponent]", opponent)
    page.select_option("[name=side]", side)


def play(table: Table, side: str = "x") -> None:
    """Plays a game by chance against the program of the page, to its end or for a while."""
    chosen = by_chance(1)
    while table.position.outcome() is None and len(table.moves) < _MOST_PLIES:
        if table.position.side == side:
            table.move(chosen(table.position))
        else:
            table.wait_for_reply()
    outcome = table.position.outcome()
    shown = table.page.locator("#game").get_attribute("data-over")
    assert shown == (outcome.value if outcome else "")


def dismiss(page: Any) -> None:
    """Closes the dialog that names the winner."""
    page.locator("#winner[open] form button").click()


# --- single files ---------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["tictactoe", *thoroughly(*SHAPES)])
def test_a_file_plays_a_whole_game_without_a_network(
    visit: Visit, files: Callable[..., Path], spec: str
) -> None:
    page = visit()
    table = at_home(page, files(spec), spec)
    choose(page, "level:1")
    play(table)


@pytest.mark.thorough
def test_a_file_plays_against_every_opponent(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    at_home(page, files("connect_four"), "connect_four")
    values = page.locator("[name=opponent] option").evaluate_all("all => all.map(one => one.value)")
    assert values[:9] == [*(f"level:{number}" for number in range(1, 9)), "best"]
    for value in values[:9]:
        table = at_home(page, files("connect_four"), "connect_four")
        choose(page, value)
        table.move("d")
        table.wait_for_reply()


def test_a_program_moves_first_if_the_person_plays_second(
    visit: Visit, files: Callable[..., Path]
) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe")
    choose(page, "level:1", "o")
    play(table, "o")
    assert page.locator("#plate-o .you").is_visible()


def test_two_people_play_at_one_screen_and_go_back(
    visit: Visit, files: Callable[..., Path]
) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe")
    choose(page, "two")
    for move in ("b2", "a1", "c3"):
        table.move(move)
    page.keyboard.press("[")
    assert page.locator("#game").get_attribute("data-ply") == "2"
    page.keyboard.press("]")
    page.keyboard.press("u")
    page.locator("#game[data-plies='2']").wait_for()
    assert table.listed() == ["b2", "a1"]
    page.locator("[data-action=reset]").click()
    page.locator("#game[data-plies='0']").wait_for()
    assert table.listed() == []


def test_who_resigns_has_lost(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    at_home(page, files("tictactoe"), "tictactoe")
    page.locator("summary", has_text="Resign").click()
    page.locator("[data-action=resign]").click()
    dismiss(page)
    assert page.locator("#game").get_attribute("data-over") == "o"
    assert page.locator("#result p").inner_text().startswith("Player 1")
    page.locator("[data-action=reset]").click()
    page.locator("#game[data-over='']").wait_for()


def test_two_programs_are_watched(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe")
    choose(page, "watch")
    page.locator("#game[data-over]:not([data-over=''])").wait_for()
    moves = table.listed()
    assert len(moves) >= 5
    for move in moves:
        table.position = table.position.play(move)
    assert table.position.outcome() is not None


def test_an_illegal_click_explains_itself(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe")
    choose(page, "two")
    table.move("b2")
    table.press(page, "#at-b2")
    page.locator("#notice:not(:empty)").wait_for()
    assert "b2" in page.locator("#notice").inner_text()
    assert table.listed() == ["b2"]


def test_hints_values_analysis_and_solutions(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe", "#moves=a1,b1,b2,c1")
    table.position = papan.game("tictactoe").start().play("a1").play("b1").play("b2").play("c1")
    choose(page, "two")
    page.locator("[data-action=hint]").click()
    page.locator("#board .hint").first.wait_for(state="attached")
    assert "c3" in page.locator("#status").inner_text()
    page.locator("[data-action=values]").click()
    page.locator("#board .worth").first.wait_for(state="attached")
    page.locator("#analyse").check()
    page.locator("#lines li").first.wait_for()
    assert page.locator("#lines .pv").first.inner_text().split()[0] == "c3"
    page.locator("#layer").wait_for(state="attached")
    page.locator("[data-solve]").click()
    page.locator("#solution", has_text="c3").wait_for()


def test_a_position_is_in_the_address(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe", "#moves=b2,a1")
    assert table.listed() == ["b2", "a1"]
    table.position = table.position.play("b2").play("a1")
    table.moves = ["b2", "a1"]
    table.move("a3")
    table.wait_for_reply()
    assert page.url.endswith("#moves=" + quote(",".join(table.moves), safe=","))
    page.reload()
    page.locator("html.ready").wait_for(state="attached")
    assert table.listed() == table.moves


def test_an_address_names_players_and_ply(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    at_home(page, files("tictactoe"), "tictactoe", "#moves=b2,a1&x=level:1&o=&ply=1")
    assert page.locator("#game").get_attribute("data-ply") == "1"
    assert page.locator("[name=opponent]").input_value() == "level:1"
    assert page.locator("[name=side]").input_value() == "o"
    page.locator("#moves a[data-ply='3']").wait_for(state="attached")
    page.evaluate("location.hash = 'moves=c3&o='")
    page.locator("#game[data-plies='1']").wait_for()
    assert page.locator("[name=opponent]").input_value() == "two"


def test_an_address_with_an_illegal_move_opens_the_start(
    visit: Visit, files: Callable[..., Path]
) -> None:
    page = visit()
    assert at_home(page, files("tictactoe"), "tictactoe", "#moves=b2,b2").listed() == []
    assert "b2" in page.locator("#notice").inner_text()


def test_marks_of_the_analysis_follow_a_flipped_board(
    visit: Visit, files: Callable[..., Path]
) -> None:
    page = visit()
    at_home(page, files("tictactoe"), "tictactoe", "#moves=a1,b1,b2,c1&o=")
    page.locator("#analyse").check()
    page.locator("#layer .choice-1").wait_for(state="attached")
    page.keyboard.press("Escape")
    for _ in range(2):
        apart = page.evaluate(_APART)
        assert max(apart) < 3
        page.locator("[data-flip]").click()


#: Distance of the ring of the best move from the middle of the square c3, across and down.
_APART = """() => {
  const [ring, square] = ["#layer .choice-1", "#at-c3"].map(selector => {
    const box = document.querySelector(selector).getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  });
  return [Math.abs(ring[0] - square[0]), Math.abs(ring[1] - square[1])];
}"""


def test_language_and_looks_are_kept(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    at_home(page, files("tictactoe"), "tictactoe")
    page.locator("[data-language=id]").click()
    page.locator("html.ready[lang=id]").wait_for(state="attached")
    assert "giliran" in page.locator("#status").inner_text().lower()
    page.locator("summary:has-text('Pilihan'), header summary").first.click()
    page.select_option("#looks [name=theme]", "dark")
    page.reload()
    page.locator("html[lang=id][data-theme=dark]").wait_for(state="attached")


def test_puzzles_are_played(visit: Visit, files: Callable[..., Path], tmp_path: Path) -> None:
    made = making.puzzles(papan.game("tictactoe"), plies=(3, 5), seed=1)
    puzzles = list(islice(made, 2))
    path = tmp_path / "puzzles.txt"
    path.write_text(text_of("tictactoe", puzzles), encoding="utf-8")
    page = visit()
    table = at_home(page, files("tictactoe", path), "tictactoe")
    page.locator("[data-action=puzzle]").click()
    page.locator("#notice", has_text="1").wait_for()
    table.position = puzzles[0].position
    table.move(puzzles[0].move)
    page.locator("#notice", has_text="Solved").wait_for()


def test_a_game_is_played_by_keyboard_only(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    table = at_home(page, files("tictactoe"), "tictactoe", hand="keyboard")
    tab_to(page, "[name=opponent]")
    page.keyboard.press("Home")  # level 1
    play(table)


def test_a_phone_shows_the_whole_board(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit(**PHONE)
    table = at_home(page, files("tictactoe"), "tictactoe", hand="touch")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator("#board").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    choose(page, "level:1")
    play(table)


@pytest.mark.parametrize("theme", ["light", *thoroughly("dark")])
def test_axe_finds_nothing(visit: Visit, files: Callable[..., Path], theme: str) -> None:
    page = visit(bypass_csp=True, color_scheme=theme)
    at_home(page, files("connect_four"), "connect_four", "#moves=d,c")
    page.locator("#analyse").check()
    page.locator("#lines li").first.wait_for()
    page.evaluate(axe())
    result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    found = {one["id"]: [node["target"] for node in one["nodes"]] for one in result["violations"]}
    assert found == {}


def test_a_browser_without_webassembly_says_so(visit: Visit, files: Callable[..., Path]) -> None:
    page = visit()
    page.add_init_script("delete globalThis.WebAssembly")
    page.goto(files("tictactoe").as_uri())
    page.locator("#status", has_text="WebAssembly").wait_for()


# --- sites ----------------------------------------------------------------------------------------


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder; yields its address."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Writes nothing."""


def test_a_site_works_when_its_server_is_gone(visit: Visit, tmp_path: Path) -> None:
    papan.export(["tictactoe", "kalah"], tmp_path)
    page = visit()
    with served(tmp_path) as address:
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        page.locator("a", has_text="toe").click()
        page.locator("html.ready").wait_for(state="attached")
    for name, spec in (("tictactoe", "tictactoe"), ("kalah", "kalah")):
        page.goto(f"{address}/{name}.html")
        page.locator("html.ready").wait_for(state="attached")
        table = Table(page, spec)
        choose(page, "level:1")
        play(table)
    page.goto(f"{address}/")
    assert page.locator(".game-card").count() == 2
