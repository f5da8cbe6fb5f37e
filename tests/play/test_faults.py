"""The referee trusts nobody: whatever a player does, the game ends against it."""

from dataclasses import dataclass, field
from typing import Any

import pytest

import papan
from fakes.clock import FakeTime
from papan.core.game import Game, Outcome, Position
from papan.errors import (
    PlayerCrash,
    PlayerFailure,
    PlayerFlood,
    PlayerRefusal,
    PlayerTimeout,
    Resigned,
)
from papan.play.referee import play_game
from papan.play.table import Cause, Termination
from papan.players.base import Choice, Player
from papan.players.simple import FirstMove
from papan.search.limits import MARGIN, Limit

GAME = "adjacency:size=4,rounds=2"


@dataclass
class Scripted(Player):
    """Returns or raises what it is given, at its second move."""

    name = "scripted"

    does: Any = None
    at_start: PlayerFailure | None = None
    asked: int = field(default=0, init=False)

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        if self.at_start is not None:
            raise self.at_start

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.asked += 1
        if self.asked == 1:
            return Choice(position.moves()[0])
        if isinstance(self.does, Exception):
            raise self.does
        return self.does  # type: ignore[no-any-return]  # whatever it may be


@pytest.mark.parametrize(
    ("does", "ending"),
    [
        (Choice("a1"), (Termination.ILLEGAL_MOVE, "a1", None)),
        (Choice(""), (Termination.ILLEGAL_MOVE, "", None)),
        (Choice((-1, -1)), (Termination.ILLEGAL_MOVE, "(-1, -1)", None)),  # type: ignore[arg-type]  # on purpose
        (Choice(None), (Termination.ILLEGAL_MOVE, "", None)),  # type: ignore[arg-type]  # on purpose
        (None, (Termination.CRASH, "", None)),
        ("a3", (Termination.CRASH, "", None)),
        (ValueError("no idea"), (Termination.CRASH, "", None)),
        (Resigned(), (Termination.RESIGNATION, "", None)),
        (PlayerTimeout("late"), (Termination.TIME, "", None)),
        (PlayerFlood("wet"), (Termination.FLOOD, "", None)),
        (PlayerCrash("gone", code=-9), (Termination.CRASH, "", -9)),
        (PlayerFailure("lost"), (Termination.CRASH, "", None)),
    ],
)
@pytest.mark.parametrize("side", ["x", "o"])
def test_what_a_player_does_wrong_ends_the_game_against_it(
    does: Any, ending: tuple[Termination, str, int | None], side: str
) -> None:
    players: dict[str, Player] = {"x": FirstMove(), "o": FirstMove(), side: Scripted(does)}
    played = play_game(players, papan.game(GAME).start())
    assert (played.termination, played.given, played.exit_code) == ending
    assert played.outcome is (Outcome.O_WINS if side == "x" else Outcome.X_WINS)
    assert len(played.moves) == (2 if side == "x" else 3)
    assert len(played.seconds) == len(played.moves) + 1


@pytest.mark.parametrize("side", ["x", "o"])
def test_a_player_that_does_not_get_ready_loses_before_the_first_move(side: str) -> None:
    lame = Scripted(at_start=PlayerCrash("player.ended", text="bot", code=1, words=""))
    players: dict[str, Player] = {"x": FirstMove(), "o": FirstMove(), side: lame}
    played = play_game(players, papan.game(GAME).start())
    assert (played.termination, played.exit_code, played.moves) == (Termination.CRASH, 1, ())
    assert played.outcome is not None
    assert played.outcome.winner != side
    assert played.detail == "'bot' ended with exit status 1"


def test_a_move_that_comes_too_late_is_not_looked_at() -> None:
    time = FakeTime()

    class Slow(FirstMove):
        """Answers too late, and with a move that is not legal either."""

        def choose(self, position: Position, limit: Limit) -> Choice:
            time.sleep(MARGIN + 0.1)
            return Choice("a1")

    players = {"x": Slow(), "o": FirstMove()}
    played = play_game(players, papan.game(GAME).start(), Limit(seconds=0.01), now=time)
    assert (played.termination, played.given) == (Termination.TIME, "")


def test_every_failure_of_a_player_has_its_termination() -> None:
    found = {kind: Cause.of(kind("x")).termination for kind in PlayerFailure.__subclasses__()}
    assert found == {
        PlayerTimeout: Termination.TIME,
        PlayerCrash: Termination.CRASH,
        PlayerFlood: Termination.FLOOD,
        PlayerRefusal: Termination.REFUSAL,
        Resigned: Termination.RESIGNATION,
    }
