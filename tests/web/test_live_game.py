"""A live game, without the web around it."""

import pytest

from papan.errors import IllegalMove
from papan.play.clock import Clock
from papan.play.table import Cause, GameInPlay
from papan.usercode import registry
from papan.web.http.refusals import Refused
from papan.web.play.live_game import LiveGame, Seat, check_names, new_token

NOW = 1000.0


def live_game(
    kind: str, game: str, o: Seat, *, token: str = "", clock: Clock | None = None
) -> LiveGame:
    """A game that Ani begins."""
    table = GameInPlay(registry.game(game).start(), clock=clock or Clock())
    seats = {"x": Seat("Ani", session="a"), "o": o}
    return LiveGame("r", kind, game, "a", seats, table, token=token)


def shared(game: str = "adjacency:size=4", clock: Clock | None = None) -> LiveGame:
    """Two people at one screen."""
    return live_game("shared", game, Seat("Budi", session="a"), clock=clock)


def solo(game: str = "adjacency:size=4") -> LiveGame:
    """A person against a program."""
    return live_game("solo", game, Seat("Bot", player="random"))


def by_link() -> LiveGame:
    """Two people by a link, of whom one has come."""
    return live_game("link", "adjacency:size=4", Seat(""), token="t")


def test_a_move_is_made_for_the_side_to_move() -> None:
    live = shared()
    live.play("a", "b3", NOW)
    assert live.moves == ["b3"]
    assert live.turn == "o"


def test_an_illegal_move_changes_nothing() -> None:
    live = shared()
    with pytest.raises(IllegalMove):
        live.play("a", "a1", NOW)
    assert (live.moves, live.version) == ([], 0)


def test_whoever_does_not_play_can_do_nothing() -> None:
    live = shared()
    with pytest.raises(Refused):
        live.play("stranger", "b3", NOW)
    with pytest.raises(Refused):
        live.resign("stranger")
    with pytest.raises(Refused):
        live.undo("stranger", NOW)
    with pytest.raises(Refused):
        live.reset("stranger", NOW)
    with pytest.raises(Refused):
        live.offer_draw("")
    assert live.version == 0


def test_nobody_moves_for_the_other_side() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    with pytest.raises(Refused, match="not your turn"):
        live.play("b", "b3", NOW)


def test_undo_goes_back_to_the_own_last_move_against_a_program() -> None:
    live = solo()
    live.play("a", "b3", NOW)
    live.make("c2", NOW)
    live.undo("a", NOW)
    assert live.moves == []
    assert live.turn == "x"


def test_undo_takes_one_move_back_where_one_browser_plays_both_sides() -> None:
    live = shared()
    live.play("a", "b3", NOW)
    live.play("a", "c2", NOW)
    live.undo("a", NOW)
    assert live.moves == ["b3"]


def test_a_move_in_a_game_by_a_link_is_taken_back_if_the_other_person_agrees() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    live.play("a", "b3", NOW)
    live.undo("a", NOW)
    assert (live.moves, live.request, live.requested_by) == (["b3"], "undo", "x")
    with pytest.raises(Refused):
        live.answer_request("a", True, NOW)
    live.answer_request("b", False, NOW)
    assert (live.moves, live.request) == (["b3"], "")
    live.undo("a", NOW)
    live.answer_request("b", True, NOW)
    assert (live.moves, live.request) == ([], "")
    with pytest.raises(Refused):
        live.answer_request("b", True, NOW)


def test_a_move_withdraws_what_was_asked() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    live.play("a", "b3", NOW)
    live.undo("a", NOW)
    live.play("b", "c2", NOW)
    with pytest.raises(Refused):
        live.answer_request("b", True, NOW)


def test_hints_between_people_need_both_and_at_one_screen_one_word() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    live.want_hints("b")
    assert not live.has_hints()
    live.answer_request("a", True, NOW)
    assert live.has_hints()
    here = shared()
    assert not here.has_hints()
    here.want_hints("a")
    assert here.has_hints()


def test_a_finished_game_takes_no_moves_and_can_be_undone_against_oneself() -> None:
    live = shared("adjacency:size=4,rounds=2")
    for move in ("b3", "c2", "a4", "d1"):
        live.play("a", move, NOW)
    assert live.over
    assert live.table.termination == "rules"
    with pytest.raises(Refused, match="over"):
        live.play("a", "a3", NOW)
    live.undo("a", NOW)
    assert not live.over


def test_resigning_gives_the_game_to_the_other_side() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    live.resign("b")
    assert (live.table.result, live.table.termination) == ("x", "resignation")


def test_a_draw_needs_both() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    live.offer_draw("a")
    with pytest.raises(Refused):
        live.answer_draw("a", True)
    live.answer_draw("b", False)
    assert (live.table.result, live.table.declined) == ("", True)
    live.offer_draw("b")
    live.answer_draw("a", True)
    assert (live.table.result, live.table.termination) == ("draw", "agreement")


def test_a_move_takes_the_offer_of_a_draw_off_the_table() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    live.offer_draw("a")
    live.play("a", "b3", NOW)
    assert live.table.offer == ""


def test_nothing_is_played_before_the_other_player_has_come() -> None:
    with pytest.raises(Refused, match="not joined"):
        by_link().play("a", "b3", NOW)


@pytest.mark.parametrize(
    ("session", "name", "token"),
    [
        ("b", "Budi", "wrong"),
        ("b", "Budi", "é"),
        ("b", " ", "t"),
        ("b", "ani", "t"),
        ("a", "B", "t"),
    ],
)
def test_an_invitation_is_for_somebody_else_with_a_name_of_their_own(
    session: str, name: str, token: str
) -> None:
    live = by_link()
    with pytest.raises(Refused):
        live.sit(session, name, token, NOW)
    assert live.waiting


def test_an_invitation_is_good_once() -> None:
    live = by_link()
    live.sit("b", "Budi", "t", NOW)
    with pytest.raises(Refused, match="taken"):
        live.sit("c", "Citra", "t", NOW)


def test_the_clock_runs_from_the_first_move_on_and_pays_for_each_move() -> None:
    live = shared(clock=Clock(60, 2))
    live.play("a", "b3", NOW)
    assert live.table.clock.left == {"x": 60, "o": 60}
    live.play("a", "c2", NOW + 10)
    assert live.table.clock.left["o"] == 52
    assert live.table.clock.now_left("x", live.turn, NOW + 15) == 55


def test_whose_time_is_up_has_lost_whatever_they_do_then() -> None:
    live = shared(clock=Clock(60, 0))
    live.play("a", "b3", NOW)
    assert live.flag_falls() == NOW + 60
    live.play("a", "c2", NOW + 61)
    assert (live.table.result, live.table.termination, live.moves) == ("x", "time", ["b3"])
    assert live.table.clock.left["o"] == 0


def test_a_game_without_clock_lasts_for_ever() -> None:
    live = shared()
    live.play("a", "b3", NOW)
    assert live.flag_falls() is None
    assert not live.fall_flag(NOW + 1e9)


def test_a_reset_starts_anew_with_full_clocks() -> None:
    live = shared(clock=Clock(60, 0))
    for ply, move in enumerate(("b3", "c2")):
        live.play("a", move, NOW + ply)
    live.reset("a", NOW + 5)
    assert (live.moves, live.table.clock.left["o"], live.table.clock.since) == ([], 60, None)
    assert str(live.position) == str(live.table.positions[0])


def test_the_record_of_a_game_replays() -> None:
    live = shared("adjacency:size=4,rounds=2")
    for move in ("b3", "c2", "a4", "d1"):
        live.play("a", move, NOW)
    record = live.record()
    assert (record.x, record.o, record.result) == ("Ani", "Budi", live.table.result)
    assert len(record.replay()) == 5


@pytest.mark.parametrize("name", ["", "  ", "x" * 25, "a\x00b", "ani", " ANI "])
def test_a_name_is_not_blank_not_long_and_not_taken(name: str) -> None:
    with pytest.raises(Refused):
        check_names(["Ani"], name)


def test_spaces_around_and_within_names_are_put_right() -> None:
    assert check_names([], "  Budi   Santoso ") == "Budi Santoso"


def test_invitations_cannot_be_guessed() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 16


def test_a_program_that_gives_an_illegal_move_loses_for_that() -> None:
    live = solo()
    live.play("a", "b3", NOW)
    with pytest.raises(IllegalMove) as raised:
        live.make("b3", NOW)
    live.forfeit(Cause.illegal("b3", raised.value))
    record = live.record()
    assert (record.result, record.termination, record.given) == ("x", "illegal move", "b3")
    assert len(record.replay()) == 2
