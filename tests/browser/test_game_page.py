"""What can be done at a game's page, alone, with a program, by a link, and without script."""

from collections.abc import Callable
from typing import Any

from benchmarks.tools.webserver import WebServer
from papan.usercode import registry
from web_browsers import PHONE, Table, by_chance, set_up

Visit = Callable[..., Any]

FOUR = {"game": "adjacency", "size": "4", "rounds": "4"}
SPEC = "adjacency:size=4,rounds=4"


def at_table(visit: Visit, server: WebServer, kind: str = "shared", **fields: str) -> Table:
    """A new game on a small board."""
    page = visit()
    set_up(page, server.address, kind, **{**FOUR, **fields})
    return Table(page, SPEC)


def in_words(table: Table) -> list[str]:
    """What stands on the squares, as a screen reader says it."""
    cells = table.page.locator(".cell")
    found: list[str] = cells.evaluate_all("cells => cells.map(cell => cell.ariaLabel)")
    return found


def test_an_illegal_click_explains_itself_and_changes_nothing(
    visit: Visit, server: WebServer
) -> None:
    table = at_table(visit, server)
    table.move("b3")
    board = in_words(table)
    table.press(table.page, "#at-b3")
    table.page.locator("#notice:not(:empty)").wait_for()
    assert "b3" in table.page.locator("#notice").inner_text()
    assert table.listed() == ["b3"]
    assert in_words(table) == board


def test_a_click_out_of_turn_explains_itself(visit: Visit, server: WebServer) -> None:
    host, guest = two_by_link(visit, server)
    guest.press(guest.page, "#at-b3")
    guest.page.locator("#notice:not(:empty)").wait_for()
    assert host.listed() == guest.listed() == []


def test_undo_takes_back_the_own_move_and_the_program_s(visit: Visit, server: WebServer) -> None:
    table = at_table(visit, server, "solo", opponent_spec="first")
    table.move("b3")
    table.wait_for_reply()
    table.page.locator("[data-action=undo]").click()
    table.page.locator("#game[data-plies='0']").wait_for()
    assert table.listed() == []


def test_a_hint_marks_a_legal_move_and_plays_nothing(visit: Visit, server: WebServer) -> None:
    table = at_table(visit, server)
    table.page.locator("details:has([data-action=hints]) > summary").click()
    table.page.locator("[data-action=hints]").click()  # both people want them
    table.page.locator("[data-action=hint]").click()
    marked = table.page.locator("#board .hint")
    marked.first.wait_for(state="attached", timeout=120_000)
    assert table.listed() == []


def test_who_resigns_has_lost_after_a_question(visit: Visit, server: WebServer) -> None:
    table = at_table(visit, server)
    table.page.locator("summary", has_text="Resign").click()
    assert table.page.locator("#game").get_attribute("data-over") == ""
    table.page.locator("[data-action=resign]").click()
    table.page.locator("#result").wait_for()
    assert table.page.locator("#game").get_attribute("data-over") == "o"


def test_the_winner_is_named_in_a_dialog_when_the_last_piece_has_arrived(
    visit: Visit, server: WebServer
) -> None:
    page = visit(reduced_motion=None)
    set_up(page, server.address, "shared", game="platforms")
    table = Table(page, "platforms", "keyboard")
    page.evaluate(_MOVING_WHEN_NAMED)
    table.play_to_the_end(by_chance(3), alone=True)
    page.locator("#winner[open]").wait_for()
    assert page.evaluate("window.movingWhenNamed") == [0]
    assert page.locator("#winner h2").inner_text() == page.locator("#result h2").inner_text()
    page.keyboard.press("Escape")
    page.locator("#winner:not([open])").wait_for(state="attached")
    assert page.locator(".cell:focus").get_attribute("data-square") == table.moves[-1]
    page.evaluate("document.querySelector('#winner').showModal()")
    page.mouse.click(5, 5)
    page.locator("#winner:not([open])").wait_for(state="attached")
    page.reload()
    assert page.locator("#result").is_visible()
    assert not page.locator("#winner").is_visible()


#: Counts the pieces that still move when a dialog opens.
_MOVING_WHEN_NAMED = """() => {
  window.movingWhenNamed = [];
  const watch = new MutationObserver(() => {
    if (document.querySelector("#winner").open)
      window.movingWhenNamed.push(document.querySelectorAll(".mover").length);
  });
  watch.observe(document.querySelector("#winner"), { attributes: true });
}"""


def test_pointing_at_a_square_shows_what_a_move_there_would_turn(
    visit: Visit, server: WebServer
) -> None:
    table = at_table(visit, server)
    position = registry.game(SPEC).start()
    table.page.locator("#at-b3").hover()
    turned = table.page.locator(".cell.turns")
    expected = _turned(position, "b3")
    if expected:
        turned.first.wait_for(state="attached")
    names = turned.evaluate_all("cells => cells.map(cell => cell.dataset.square)")
    assert set(names) == expected
    assert table.listed() == []


def _turned(position: Any, move: str) -> set[str]:
    """The squares whose pieces change sides by a move, told by the boards before and after."""
    board = position.game.board
    before, after = (p.game.contents(p.state) for p in (position, position.play(move)))
    sides = {
        board.name(square): (before[square].owner, after[square].owner) for square in board.squares
    }
    return {name for name, (then, now) in sides.items() if then and then != now}


def test_arrows_go_through_history_and_a_reload_stays_there(
    visit: Visit, server: WebServer
) -> None:
    table = at_table(visit, server)
    for move in ("b3", "c2", "a4"):
        table.move(move)
    page = table.page
    page.locator("#moves").focus()
    page.keyboard.press("ArrowLeft")
    page.locator("#game[data-ply='2']").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator("#game[data-ply='1']").wait_for()
    page.reload()
    page.locator("#game[data-ply='1']").wait_for()
    page.keyboard.press("ArrowRight")
    page.locator("#game[data-ply='2']").wait_for()
    page.locator("[data-step=last]").click()
    page.locator("#game[data-ply='3']").wait_for()
    assert table.listed() == ["b3", "c2", "a4"]


def two_by_link(visit: Visit, server: WebServer, **guest: Any) -> tuple[Table, Table]:
    """Somebody who invites, and somebody who comes in a browser of their own."""
    host = at_table(visit, server, "link", name="Ani")
    link = host.page.locator("[data-copy]").input_value()
    other = visit(**guest)
    other.goto(link)
    other.locator("#name").fill("Budi")
    other.locator(".actions button").click()
    other.locator("#game").wait_for()
    other.wait_for_load_state()
    host.page.locator(".cell.target").first.wait_for(state="attached")
    return host, Table(other, SPEC, "touch" if guest else "mouse")


def test_two_browsers_play_a_whole_game_by_a_link_one_of_them_a_phone(
    visit: Visit, server: WebServer
) -> None:
    host, guest = two_by_link(visit, server, **PHONE)
    for table, other in ((host, guest), (guest, host)) * 4:
        table.move(table.position.moves()[0])
        other.wait_for_reply()
    assert host.moves == guest.moves == host.listed()
    for table in (host, guest):
        table.page.locator("#result").wait_for()
        assert table.page.locator("#result").inner_text()


def test_a_draw_is_offered_seen_by_the_other_browser_and_accepted(
    visit: Visit, server: WebServer
) -> None:
    host, guest = two_by_link(visit, server)
    host.page.locator("summary", has_text="draw").click()
    host.page.locator("[data-action=draw]").click()
    guest.page.locator("[data-action=accept]").click()
    for table in (host, guest):
        table.page.locator("#game[data-over='draw']").wait_for()


def test_somebody_else_s_browser_looks_on_and_cannot_move(visit: Visit, server: WebServer) -> None:
    table = at_table(visit, server)
    stranger = visit()
    stranger.goto(table.page.url)
    stranger.locator("#at-b3").click()
    stranger.locator("#notice:not(:empty)").wait_for()
    assert table.listed() == []
    table.move("b3")
    stranger.locator("#game[data-plies='1']").wait_for()


def test_a_whole_game_is_played_with_script_switched_off(visit: Visit, server: WebServer) -> None:
    page = visit(java_script_enabled=False)
    set_up(page, server.address, "shared", **FOUR)
    position = registry.game(SPEC).start()
    number = 0
    while position.outcome() is None:
        move = position.moves()[-1]
        page.locator(f"#at-{move}").click()
        position, number = position.play(move), number + 1
        page.locator(f"#game[data-plies='{number}']").wait_for()
    assert page.locator("#moves a[data-ply]").count() == 8
    assert page.locator("#result").is_visible()


def test_keys_turn_the_board_take_back_and_list_themselves(visit: Visit, server: WebServer) -> None:
    table = at_table(visit, server)
    page = table.page
    table.move("b3")
    assert page.title().startswith("Player 2 to move.")
    page.keyboard.press("f")
    page.locator(".table.flipped").wait_for()
    page.keyboard.press("?")
    page.locator("#keys[open]").wait_for()
    assert page.locator("#keys kbd").count() == 9
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    page.locator("#game[data-plies='0']").wait_for()
    assert table.listed() == []
