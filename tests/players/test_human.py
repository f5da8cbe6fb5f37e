"""A person among the players: asked until the move is legal, and never where nobody is there."""

from collections.abc import Iterator

import pytest

import papan
from papan.core.game import Outcome, Position
from papan.errors import InvalidSpec, PapanError, Resigned
from papan.play.referee import play_game
from papan.play.table import Termination
from papan.players.registry import player
from papan.players.simple import FirstMove, HumanPlayer
from papan.search.limits import Limit

GAME = "platforms:size=4"


def test_a_person_plays_a_game_under_the_referee_like_anybody_else() -> None:
    seen: list[Position] = []

    def last(position: Position, wrong: PapanError | None) -> str:
        seen.append(position)
        assert wrong is None
        return f" {position.moves()[-1]} "

    person = HumanPlayer(last)
    played = play_game({"x": person, "o": FirstMove()}, papan.game(GAME).start())
    assert played.termination is Termination.RULES
    assert played.players["x"] == "human"
    assert len(seen) == len(played.moves[::2])


def test_a_person_is_asked_again_and_told_what_was_wrong() -> None:
    start = papan.game(GAME).start()
    legal = start.moves()[0]
    answers: Iterator[str] = iter(["", "zz", "a1a1", legal])
    told: list[str] = []

    def ask(position: Position, wrong: PapanError | None) -> str:
        told.append("" if wrong is None else str(wrong))
        return next(answers)

    assert HumanPlayer(ask).choose(start, Limit()).move == legal
    assert told[0] == ""
    assert all(told[1:])
    assert "zz" in told[2]


def test_a_person_can_resign() -> None:
    def resign(position: Position, wrong: PapanError | None) -> str:
        raise Resigned

    played = play_game({"x": FirstMove(), "o": HumanPlayer(resign)}, papan.game(GAME).start())
    assert (played.termination, played.outcome) == (Termination.RESIGNATION, Outcome.X_WINS)


def test_the_spec_is_known_and_refused_in_one_line_where_nobody_can_be_asked() -> None:
    person = player("human")
    assert isinstance(person, HumanPlayer)
    assert person.spec == "human"
    with pytest.raises(
        InvalidSpec, match=r"is a person and needs an interactive game; .* papan play"
    ):
        person.new_game(papan.game(GAME), 1)
    with pytest.raises(InvalidSpec, match="is a person"):
        person.choose(papan.game(GAME).start(), Limit())
    with pytest.raises(InvalidSpec, match="mood"):
        player("human:mood=good")
