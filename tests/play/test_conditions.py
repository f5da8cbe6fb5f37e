"""Games that the referee ends before the rules do, where that was agreed on."""

import pytest

import papan
from papan.arena.pairs import record_of
from papan.core.game import Outcome
from papan.play import referee
from papan.play.referee import Conditions, PlayedGame, play_game
from papan.play.table import Termination
from papan.players.simple import FirstMove, RandomPlayer
from papan.records.text import read, write
from papan.solve.solve import solve


def play(spec: str, conditions: Conditions | None = None, line: str = "") -> PlayedGame:
    table = {"x": FirstMove(), "o": RandomPlayer()}
    return play_game(table, papan.game(spec).position(line), conditions=conditions, seed=3)


def test_a_game_that_is_too_long_is_a_draw() -> None:
    played = play("corners", Conditions(most_plies=7))
    assert (played.termination, played.outcome) == (Termination.ADJUDICATION, Outcome.DRAW)
    assert (len(played.moves), played.detail) == (7, "7 plies")


def test_a_game_that_the_rules_end_in_time_is_not_touched() -> None:
    spec = "adjacency:size=4,rounds=2"
    assert play(spec, Conditions(most_plies=4)).termination is Termination.RULES
    assert play(spec, Conditions(most_plies=3)).termination is Termination.ADJUDICATION


@pytest.mark.parametrize(("level", "outcome"), [(1, Outcome.X_WINS), (2, Outcome.O_WINS)])
def test_a_game_ends_with_the_result_that_is_proven(level: int, outcome: Outcome) -> None:
    played = play(f"platforms:size=3,level={level}", Conditions(adjudicate=True))
    assert (played.termination, played.outcome) == (Termination.ADJUDICATION, outcome)
    assert played.moves == ()


def test_what_is_not_proven_goes_on_until_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "PROOF_NODES", 500)
    played = play("adjacency:size=6", Conditions(adjudicate=True))
    assert played.termination is Termination.ADJUDICATION
    assert 0 < len(played.moves) < 28
    position = played.start
    for move in played.moves:
        position = position.play(move)
    solved = solve(position)
    winner = {"win": position.side, "loss": "xo".replace(position.side, ""), "draw": None}
    assert played.outcome is not None
    assert played.outcome.winner == winner[solved.outcome]


def test_nobody_adjudicates_unless_it_was_agreed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee, "proven_outcome", lambda position: Outcome.DRAW)
    assert play("platforms").termination is Termination.RULES
    assert play("platforms", Conditions(adjudicate=True)).outcome is Outcome.DRAW


def test_the_record_of_an_adjudicated_game_is_sound() -> None:
    record = record_of(play("corners", Conditions(most_plies=5)))
    assert (record.result, record.termination) == ("draw", "adjudication")
    assert list(read(write(record))) == [record]
