"""A live game, without the web around it."""

import pytest

from papan.errors import IllegalMove
from papan.web.rooms import Clock, Refused, Room, Seat, check_names, new_token

NOW = 1000.0


def shared(game: str = "adjacency:size=4", **changes: object) -> Room:
    """Two people at one screen."""
    seats = {"x": Seat("Ani", session="a"), "o": Seat("Budi", session="a")}
    return Room(id="r", kind="shared", game=game, owner="a", seats=seats, **changes)  # type: ignore[arg-type]  # fields by name


def solo(game: str = "adjacency:size=4") -> Room:
    """A person against a program."""
    seats = {"x": Seat("Ani", session="a"), "o": Seat("Bot", player="random")}
    return Room(id="r", kind="solo", game=game, owner="a", seats=seats)


def by_link(**changes: object) -> Room:
    """Two people by a link, of whom one has come."""
    seats = {"x": Seat("Ani", session="a"), "o": Seat("")}
    return Room(
        id="r", kind="link", game="adjacency:size=4", owner="a", seats=seats, token="t", **changes
    )  # type: ignore[arg-type]  # fields by name


def test_a_move_is_made_for_the_side_to_move() -> None:
    room = shared()
    room.play("a", "b3", NOW)
    assert room.moves == ["b3"]
    assert room.turn == "o"


def test_an_illegal_move_changes_nothing() -> None:
    room = shared()
    with pytest.raises(IllegalMove):
        room.play("a", "a1", NOW)
    assert (room.moves, room.version) == ([], 0)


def test_whoever_does_not_play_can_do_nothing() -> None:
    room = shared()
    with pytest.raises(Refused):
        room.play("stranger", "b3", NOW)
    with pytest.raises(Refused):
        room.resign("stranger")
    with pytest.raises(Refused):
        room.undo("stranger", NOW)
    with pytest.raises(Refused):
        room.reset("stranger", NOW)
    with pytest.raises(Refused):
        room.offer_draw("")
    assert room.version == 0


def test_nobody_moves_for_the_other_side() -> None:
    room = by_link()
    room.sit("b", "Budi", "t", NOW)
    with pytest.raises(Refused, match="not your turn"):
        room.play("b", "b3", NOW)


def test_undo_goes_back_to_the_own_last_move_against_a_program() -> None:
    room = solo()
    room.play("a", "b3", NOW)
    room.make("c2", NOW)
    room.undo("a", NOW)
    assert room.moves == []
    assert room.turn == "x"


def test_undo_takes_one_move_back_where_one_browser_plays_both_sides() -> None:
    room = shared()
    room.play("a", "b3", NOW)
    room.play("a", "c2", NOW)
    room.undo("a", NOW)
    assert room.moves == ["b3"]


def test_moves_between_people_who_play_by_a_link_are_not_taken_back() -> None:
    room = by_link()
    room.sit("b", "Budi", "t", NOW)
    room.play("a", "b3", NOW)
    with pytest.raises(Refused):
        room.undo("a", NOW)


def test_a_finished_game_takes_no_moves_and_can_be_undone_against_oneself() -> None:
    room = shared("adjacency:size=4,rounds=2")
    for move in ("b3", "c2", "a4", "d1"):
        room.play("a", move, NOW)
    assert room.over
    assert room.termination == "rules"
    with pytest.raises(Refused, match="over"):
        room.play("a", "a3", NOW)
    room.undo("a", NOW)
    assert not room.over


def test_resigning_gives_the_game_to_the_other_side() -> None:
    room = by_link()
    room.sit("b", "Budi", "t", NOW)
    room.resign("b")
    assert (room.result, room.termination) == ("x", "resignation")


def test_a_draw_needs_both() -> None:
    room = by_link()
    room.sit("b", "Budi", "t", NOW)
    room.offer_draw("a")
    with pytest.raises(Refused):
        room.answer_draw("a", True)
    room.answer_draw("b", False)
    assert (room.result, room.declined) == ("", True)
    room.offer_draw("b")
    room.answer_draw("a", True)
    assert (room.result, room.termination) == ("draw", "agreement")


def test_a_move_takes_the_offer_of_a_draw_off_the_table() -> None:
    room = by_link()
    room.sit("b", "Budi", "t", NOW)
    room.offer_draw("a")
    room.play("a", "b3", NOW)
    assert room.offer == ""


def test_nothing_is_played_before_the_other_player_has_come() -> None:
    with pytest.raises(Refused, match="not come"):
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
    room = by_link()
    with pytest.raises(Refused):
        room.sit(session, name, token, NOW)
    assert room.waiting


def test_an_invitation_is_good_once() -> None:
    room = by_link()
    room.sit("b", "Budi", "t", NOW)
    with pytest.raises(Refused, match="taken"):
        room.sit("c", "Citra", "t", NOW)


def test_the_clock_runs_from_the_first_move_on_and_pays_for_each_move() -> None:
    room = shared(clock=Clock(60, 2))
    room.play("a", "b3", NOW)
    assert room.clock.left == {"x": 60, "o": 60}
    room.play("a", "c2", NOW + 10)
    assert room.clock.left["o"] == 52
    assert room.clock.now_left("x", room.turn, NOW + 15) == 55


def test_whose_time_is_up_has_lost_whatever_they_do_then() -> None:
    room = shared(clock=Clock(60, 0))
    room.play("a", "b3", NOW)
    assert room.flag_falls() == NOW + 60
    room.play("a", "c2", NOW + 61)
    assert (room.result, room.termination, room.moves) == ("x", "time", ["b3"])
    assert room.clock.left["o"] == 0


def test_a_game_without_clock_lasts_for_ever() -> None:
    room = shared()
    room.play("a", "b3", NOW)
    assert room.flag_falls() is None
    assert not room.tell_time(NOW + 1e9)


def test_a_reset_starts_anew_with_full_clocks() -> None:
    room = shared(clock=Clock(60, 0))
    for ply, move in enumerate(("b3", "c2")):
        room.play("a", move, NOW + ply)
    room.reset("a", NOW + 5)
    assert (room.moves, room.clock.left["o"], room.clock.since) == ([], 60, None)
    assert str(room.position) == str(room.positions[0])


def test_the_record_of_a_game_replays() -> None:
    room = shared("adjacency:size=4,rounds=2")
    for move in ("b3", "c2", "a4", "d1"):
        room.play("a", move, NOW)
    record = room.record()
    assert (record.x, record.o, record.result) == ("Ani", "Budi", room.result)
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
