"""A game under way: each way in which it can end, for both sides, and what can happen before."""

from collections.abc import Callable
from typing import Any

import pytest

import papan
from papan.core.game import Outcome, Position
from papan.errors import (
    GameOver,
    IllegalMove,
    InvalidSpec,
    PlayerCrash,
    PlayerFlood,
    PlayerRefusal,
    PlayerTimeout,
    Resigned,
)
from papan.play.clock import Clock
from papan.play.table import Cause, GameInPlay, Reply, Termination, ask, get_ready
from papan.players.base import Choice
from papan.players.simple import FirstMove, HumanPlayer
from papan.search.limits import Limit

START = papan.game("platforms:size=4").start()
SIDES = ("x", "o")
WON_BY = {"x": Outcome.X_WINS, "o": Outcome.O_WINS}
OTHER = {"x": "o", "o": "x"}


def at_turn(side: str, clock: Clock | None = None) -> GameInPlay:
    """A game in which that side is to move, and has moved before."""
    game = GameInPlay(START, clock=clock or Clock())
    for ply in range(2 if side == "x" else 3):
        game.make(game.position.moves()[0], 100.0 + ply)
    return game


class Failing(FirstMove):
    """Raises what it is given instead of a move."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def choose(self, position: Position, limit: Limit) -> Choice:
        raise self.error


class Stating(FirstMove):
    """Gives the same move always."""

    def __init__(self, move: Any) -> None:
        super().__init__()
        self.move = move

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(self.move)


def reply_of(error: Exception) -> Callable[[GameInPlay], None]:
    return lambda game: game.take(ask(Failing(error), game.position, Limit()), 200.0)


def give(move: Any) -> Callable[[GameInPlay], None]:
    return lambda game: game.take(ask(Stating(move), game.position, Limit()), 200.0)


def come_late(game: GameInPlay) -> None:
    game.take(ask(FirstMove(), game.position, Limit(), most=-1.0), 200.0)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("happens", "termination"),
    [
        (give("a9"), Termination.ILLEGAL_MOVE),
        (give(""), Termination.ILLEGAL_MOVE),
        (give(None), Termination.ILLEGAL_MOVE),
        (come_late, Termination.TIME),
        (reply_of(PlayerTimeout("late")), Termination.TIME),
        (reply_of(PlayerCrash("gone", code=-9)), Termination.CRASH),
        (reply_of(PlayerFlood("wet")), Termination.FLOOD),
        (reply_of(ZeroDivisionError("no idea")), Termination.CRASH),
        (reply_of(IllegalMove("move.illegal")), Termination.CRASH),
        (reply_of(Resigned()), Termination.RESIGNATION),
        (lambda game: game.resign(game.turn), Termination.RESIGNATION),
    ],
)
def test_the_side_to_move_can_lose_in_each_of_these_ways(
    happens: Callable[[GameInPlay], None], termination: Termination, side: str
) -> None:
    game = at_turn(side)
    before = game.position
    happens(game)
    assert game.is_over
    assert (game.outcome, game.termination) == (WON_BY[OTHER[side]], termination)
    assert game.result == OTHER[side]
    assert (game.position, game.turn) == (before, side)


def test_a_game_is_over_without_a_result_after_a_refusal() -> None:
    game = at_turn("x")
    reply_of(PlayerRefusal("rejected"))(game)
    assert game.is_over
    assert (game.outcome, game.result, game.termination) == (None, "", Termination.REFUSAL)


@pytest.mark.parametrize("side", SIDES)
def test_a_side_can_resign_in_the_other_sides_turn(side: str) -> None:
    game = at_turn(OTHER[side])
    game.resign(side)
    assert (game.outcome, game.termination) == (WON_BY[OTHER[side]], Termination.RESIGNATION)


@pytest.mark.parametrize(("seed", "side"), [(3, "x"), (0, "o")])
def test_the_rules_can_end_the_game_for_either_side(seed: int, side: str) -> None:
    game = GameInPlay(papan.game(f"platforms:size=3,level={1 + (side == 'o')}").start())
    while not game.is_over:
        game.make(_winning(game.position, side), 0.0)
    assert (game.outcome, game.termination) == (WON_BY[side], Termination.RULES)


def _winning(position: Position, side: str) -> str:
    """A move after which that side wins with best play; any where there is none."""
    moves = position.moves()
    return next((move for move in moves if _wins(position.play(move), side)), moves[0])


def _wins(position: Position, side: str) -> bool:
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner == side
    found = any if position.side == side else all
    return found(_wins(position.play(move), side) for move in position.moves())


@pytest.mark.parametrize("outcome", list(Outcome))
def test_a_referee_can_end_the_game_with_any_result(outcome: Outcome) -> None:
    game = at_turn("x")
    game.adjudicate(outcome, "7 plies")
    assert (game.outcome, game.termination) == (outcome, Termination.ADJUDICATION)
    assert game.cause is not None
    assert game.cause.detail == "7 plies"


@pytest.mark.parametrize("side", SIDES)
def test_a_draw_is_offered_and_accepted(side: str) -> None:
    game = at_turn("x")
    game.offer_draw(side)
    assert game.offer == side
    game.settle_draw(accept=True)
    assert (game.outcome, game.termination) == (Outcome.DRAW, Termination.AGREEMENT)
    assert game.offer == ""


def test_an_offer_that_is_declined_leaves_the_game_going_on_until_the_next_move() -> None:
    game = at_turn("x")
    game.offer_draw("x")
    game.settle_draw(accept=False)
    assert (game.is_over, game.offer, game.declined) == (False, "", True)
    game.make(game.position.moves()[0], 200.0)
    assert not game.declined


def test_a_move_withdraws_an_offer() -> None:
    game = at_turn("x")
    game.offer_draw("o")
    game.make(game.position.moves()[0], 200.0)
    assert game.offer == ""


@pytest.mark.parametrize("side", SIDES)
def test_the_flag_ends_the_game_whoever_notices(side: str) -> None:
    for notices in (
        lambda game: game.fall_flag(1000.0),
        lambda game: game.make(game.position.moves()[0], 1000.0),
    ):
        game = at_turn(side, Clock(10.0, 1.0))
        made = list(game.moves)
        notices(game)
        assert (game.outcome, game.termination) == (WON_BY[OTHER[side]], Termination.TIME)
        assert game.moves == made
        assert game.clock.left[side] == 0.0
        assert game.clock.since is None


def test_a_game_that_has_ended_takes_no_move_and_no_reply() -> None:
    game = at_turn("x")
    game.resign("x")
    with pytest.raises(GameOver):
        game.make(game.position.moves()[0], 200.0)
    with pytest.raises(GameOver):
        game.take(ask(FirstMove(), game.position, Limit()), 200.0)
    assert not game.fall_flag(10.0**6)
    assert game.termination is Termination.RESIGNATION


def test_an_illegal_move_by_hand_changes_nothing() -> None:
    game = at_turn("x", Clock(10.0))
    before = (list(game.moves), dict(game.clock.left), game.clock.since, game.position)
    with pytest.raises(IllegalMove):
        game.make("a1", 103.0)
    assert (game.moves, game.clock.left, game.clock.since, game.position) == before


def test_taking_back_goes_to_the_last_move_of_the_side_and_undoes_the_ending() -> None:
    game = at_turn("x")
    game.resign("x")
    assert game.can_take_back("o")
    game.take_back("o", 300.0)
    assert (game.turn, len(game.moves), len(game.seconds), game.is_over) == ("o", 1, 1, False)
    game.take_back("xo", 301.0)
    assert (game.turn, game.moves, game.began) == ("x", [], 301.0)
    assert not game.can_take_back("xo")
    with pytest.raises(IndexError):
        game.take_back("x", 302.0)


def test_a_game_can_be_taken_back_from_the_end_that_the_rules_made() -> None:
    game = GameInPlay(papan.game("platforms:size=3").start())
    while not game.is_over:
        game.make(game.position.moves()[0], 0.0)
    last = game.positions[-2].side
    game.take_back(last, 0.0)
    assert (game.is_over, game.turn, game.termination) == (False, last, Termination.UNTERMINATED)


def test_starting_anew_gives_back_moves_and_time() -> None:
    game = at_turn("o", Clock(10.0, 0.5))
    game.reset(400.0)
    assert (game.moves, game.seconds, game.position) == ([], [], START)
    assert (game.clock.left, game.clock.since) == ({"x": 10.0, "o": 10.0}, None)


def test_a_game_is_restored_from_what_was_kept_of_it() -> None:
    game = at_turn("o", Clock(10.0))
    game.resign("o")
    assert game.cause is not None
    kept = GameInPlay(
        START,
        list(game.moves),
        list(game.seconds),
        game.clock,
        Outcome(game.result),
        Cause(Termination(str(game.termination))),
        began=game.began,
    )
    assert kept == game
    assert kept.positions == game.positions


def test_a_game_that_starts_in_a_finished_position_is_over() -> None:
    finished = papan.game("platforms").position("000/000/000 x a3 c1")
    assert GameInPlay(finished).termination is Termination.RULES


def test_moves_know_how_long_they_took() -> None:
    game = at_turn("o")
    assert game.seconds == [0.0, 1.0, 1.0]
    game.take(Reply(0.25, fault=Cause(Termination.CRASH)), 104.0)
    assert game.seconds[-1] == 0.25


def test_a_crash_has_the_exit_status_and_what_was_said() -> None:
    error = PlayerCrash("player.ended", text="bot", code=-9, words="")
    cause = Cause.of(error)
    assert (cause.termination, cause.exit_code, cause.error) == (Termination.CRASH, -9, error)
    assert cause.detail == str(error)
    assert Cause.of(ZeroDivisionError("no idea")).detail == "ZeroDivisionError: no idea"


@pytest.mark.parametrize("interrupt", [KeyboardInterrupt, SystemExit])
def test_what_ends_papan_is_no_fault_of_a_player(interrupt: type[BaseException]) -> None:
    class Interrupted(FirstMove):
        def choose(self, position: Position, limit: Limit) -> Choice:
            raise interrupt

    with pytest.raises(interrupt):
        ask(Interrupted(), START, Limit())


def test_getting_ready_gives_the_reason_if_a_program_cannot() -> None:
    class Lame(FirstMove):
        def new_game(self, game: object, seed: int) -> None:
            raise PlayerCrash("gone")

    fault = get_ready(Lame(), START.game, 1)
    assert fault is not None
    assert fault.termination is Termination.CRASH
    assert get_ready(FirstMove(), START.game, 1) is None


def test_a_person_with_nobody_to_ask_is_an_error_and_no_crash() -> None:
    with pytest.raises(InvalidSpec):
        get_ready(HumanPlayer(), START.game, 1)


def test_terminations_are_the_words_of_records() -> None:
    assert [str(termination) for termination in Termination] == [
        "rules",
        "illegal move",
        "time",
        "crash",
        "output flood",
        "refusal",
        "resignation",
        "agreement",
        "adjudication",
        "unterminated",
    ]
