"""The referee of one game: holds both players to the conditions, and trusts neither.

The conditions are those besides the rules: the clock, and when the referee ends the game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from papan.core.game import Displayed, Outcome, Position
from papan.play.clock import Clock, TimeControl
from papan.play.table import GameInPlay, Reply, Termination, ask, get_ready
from papan.players.base import Choice, Player
from papan.search.limits import MARGIN, Limit, Now

#: Limits of a proof. Where it is known beforehand that it takes more nodes it is not begun, so
#: the seconds are used up on a busy machine only.
PROOF_NODES = 100_000
PROOF_SECONDS = 5.0


@dataclass(frozen=True)
class Conditions:
    """Conditions that both sides keep to, and when the referee ends a game before the rules do.

    Attributes:
        clock: the time of each side for the whole game; None for no such clock.
        margin: how long after its time a move is still taken, in seconds: what the machine, not
            the player, may take. On a clock it can be used up once in a game.
        most_plies: a game that has lasted for this many plies is a draw; 0 lets it go on.
        adjudicate: True if a game ends as soon as its result is proven by exact solving.
    """

    clock: TimeControl | None = None
    margin: float = MARGIN
    most_plies: int = 0
    adjudicate: bool = False

    def new_clock(self) -> Clock:
        """The clock of a game that begins."""
        return Clock.of(self.clock, self.margin)

    def limit(self, limit: Limit, clock: Clock, position: Position) -> Limit:
        """The limit of the next move: what each move may take, and what the clock shows.

        Args:
            limit: what each move may take.
            clock: the clock of the game.
            position: the position to move in.
        """
        is_plain = self.margin == MARGIN or limit.seconds is None
        if self.clock is None and is_plain:
            return limit
        return limit.on(clock.reading(limit.seconds), position)

    def time_control(self, limit: Limit) -> str:
        """Limit and clock as a record keeps them: `clock=60+0.6 depth=4`; empty without any."""
        parts = {
            "clock": self.clock,
            "time": limit.seconds,
            "depth": limit.depth,
            "nodes": limit.nodes,
            "margin": None if self.margin == MARGIN else self.margin,
        }
        return " ".join(
            f"{name}={_number(value)}" for name, value in parts.items() if value is not None
        )

    def identity(self) -> str:
        """Text that tells events apart; empty for the usual conditions.

        Stored games are found by names made from it, so it stays as it was first written, whatever
        the classes are called now.
        """
        if self == Conditions():
            return ""
        clock = self.clock and f"Clock(total={self.clock.total}, increment={self.clock.increment})"
        return (
            f"Terms(clock={clock}, margin={self.margin}, most_plies={self.most_plies}, "
            f"adjudicate={self.adjudicate})"
        )


def _number(value: TimeControl | float) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def adjudicate(
    position: Position, plies: int, conditions: Conditions
) -> tuple[Outcome, str] | None:
    """The result of an unfinished game that the referee ends, and why; None if it goes on.

    Args:
        position: the position at hand.
        plies: how long the game has lasted.
        conditions: the conditions that were agreed on.
    """
    if conditions.adjudicate and (outcome := proven_outcome(position)) is not None:
        return outcome, "proven by exact solving"
    if conditions.most_plies and plies >= conditions.most_plies:
        return Outcome.DRAW, f"{plies} plies"
    return None


def proven_outcome(position: Position) -> Outcome | None:
    """The outcome with best play by both sides, if that can be proven cheaply; else None."""
    # Imported here, since most referees never need it and it means loading the solvers.
    from papan.solve.solve import cheap_solution

    solution = cheap_solution(position, seconds=PROOF_SECONDS, nodes=PROOF_NODES)
    if solution is None:
        return None
    if solution.value == 0:
        return Outcome.DRAW
    mover = "xo".index(position.side)
    return Outcome.of_winner(mover if solution.value > 0 else 1 - mover)


@dataclass(frozen=True)
class PlayedGame(Displayed):
    """A game that was played.

    Attributes:
        start: the position it started from.
        players: the specs of the players by side, `x` and `o`.
        moves: in the game's notation.
        outcome: who won; None if the game was broken off.
        termination: how it ended.
        detail: what exactly went wrong, for people, and below it the last lines that the player's
            program has printed; nothing where nothing did.
        seconds: the time each move took.
        seed: what the players were seeded with.
        given: an illegal move as the player gave it.
        exit_code: the exit status of a program that crashed, −N for signal N; None if unknown.
        time_control: what the players had to keep to, as a record has it.
    """

    start: Position
    players: Mapping[str, str]
    moves: tuple[str, ...]
    outcome: Outcome | None
    termination: Termination
    detail: str = ""
    seconds: tuple[float, ...] = ()
    seed: int = 0
    given: str = ""
    exit_code: int | None = None
    time_control: str = ""


def play_game(
    players: Mapping[str, Player],
    start: Position,
    limit: Limit | None = None,
    *,
    conditions: Conditions | None = None,
    seed: int = 0,
    on_move: Callable[[Position, Choice], None] | None = None,
    now: Now = time.perf_counter,
) -> PlayedGame:
    """Plays one game to its end.

    Args:
        players: who plays `x` and who plays `o`.
        start: the position to start from.
        limit: what each move may take.
        conditions: clocks, and when the game ends before the rules end it.
        seed: makes chance repeatable.
        on_move: called after each move with the new position and the choice.
        now: the clock that the referee reads.

    Raises:
        InvalidSpec: a player does not play this game.
    """
    limit, conditions = limit or Limit(), conditions or Conditions()
    game = GameInPlay(start, clock=conditions.new_clock())
    _get_ready(game, players, seed)
    while not game.is_over:
        verdict = adjudicate(game.position, len(game.moves), conditions)
        if verdict is not None:
            game.adjudicate(*verdict)
            break
        most = conditions.limit(limit, game.clock, game.position)
        reply = _ask(game, players[game.turn], most, now)
        # The time on the clock is the player's own, without that of asking and of looking.
        game.take(reply, game.began + reply.seconds)
        if on_move is not None and reply.after is not None and reply.choice is not None:
            on_move(reply.after, reply.choice)
    assert game.cause is not None
    return PlayedGame(
        start=start,
        players={side: player.spec for side, player in players.items()},
        moves=tuple(game.moves),
        outcome=game.outcome,
        termination=game.cause.termination,
        detail=game.cause.story,
        seconds=tuple(game.seconds),
        seed=seed,
        given=game.cause.given,
        exit_code=game.cause.exit_code,
        time_control=conditions.time_control(limit),
    )


def _get_ready(game: GameInPlay, players: Mapping[str, Player], seed: int) -> None:
    """Has both players begin the game; one that cannot loses it."""
    # Even in a finished position: to choose a player of other games is an error.
    for number, side in enumerate("xo"):
        # Seeded apart, so that a player that meets itself does not mirror its own chance.
        fault = get_ready(players[side], game.start.game, 2 * seed + number)
        if fault is not None:
            game.forfeit(side, fault)
            return


def _ask(game: GameInPlay, player: Player, limit: Limit, now: Now) -> Reply:
    """Has the side to move choose, on its clock."""
    began = now()
    # Begun anew for each move: what the referee itself takes between two is on no side's clock.
    game.clock.start(began)
    game.begin_turn(began)
    return ask(player, game.position, limit, most=limit.most_seconds(game.turn), now=now)
