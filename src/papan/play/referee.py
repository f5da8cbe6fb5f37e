"""The referee of one game: enforces the conditions on both players, which it does not trust.

The conditions are the clock, and when the referee ends a game before the rules do.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from papan.core.game import Displayed, Outcome, Position
from papan.play.clock import Clock, TimeControl
from papan.play.table import GameInPlay, Reply, Termination, ask, get_ready
from papan.players.base import Choice, Player
from papan.search.limits import MARGIN, Limit, Now

#: Limits of a proof. A proof that needs more nodes is not started if this can be predicted, so the
#: time limit matters only on a busy machine.
PROOF_NODES = 100_000
PROOF_SECONDS = 5.0


#: Value of `--clock` for processor time.
CPU = "cpu"


@dataclass(frozen=True)
class Conditions:
    """Conditions of a game in addition to its rules.

    Attributes:
        clock: time of each side for the whole game; None for no clock.
        margin: seconds after the time limit in which a move is still accepted, for delays of the
            machine. On a clock it can be used up only once in a game.
        most_plies: number of plies after which a game is a draw; 0 for no limit.
        adjudicate: True ends a game as soon as its result is proven by exact solving.
        processor: True if the time limit of each move is processor time. Papan's own players limit
            it themselves and do not lose on time; for programs it is real time.
    """

    clock: TimeControl | None = None
    margin: float = MARGIN
    most_plies: int = 0
    adjudicate: bool = False
    processor: bool = False

    def new_clock(self) -> Clock:
        """Returns the clock of a new game."""
        return Clock.of(self.clock, self.margin)

    def limit(self, limit: Limit, clock: Clock, position: Position) -> Limit:
        """Returns the limit of the next move, from the limit of each move and the clock.

        Args:
            limit: limit of each move.
            clock: the clock of the game.
            position: the position to move in.
        """
        if self.processor:
            limit = replace(limit, processor=True)
        is_plain = self.margin == MARGIN or limit.seconds is None
        if self.clock is None and is_plain:
            return limit
        return limit.on(clock.reading(limit.seconds), position)

    def time_control(self, limit: Limit) -> str:
        """Returns limit and clock in the format of records: `clock=60+0.6 depth=4`; empty for
        none."""
        parts = {
            "clock": self.clock,
            "time": limit.seconds,
            "depth": limit.depth,
            "nodes": limit.nodes,
            "margin": None if self.margin == MARGIN else self.margin,
            "processor": "yes" if self.processor else None,
        }
        return " ".join(
            f"{name}={_number(value)}" for name, value in parts.items() if value is not None
        )

    def identity(self) -> str:
        """Returns a text that identifies the conditions; empty for the default conditions.

        The names of stored events depend on this text, so it must never change, even if classes are
        renamed.
        """
        if self == Conditions():
            return ""
        clock = self.clock and f"Clock(total={self.clock.total}, increment={self.clock.increment})"
        return (
            f"Terms(clock={clock}, margin={self.margin}, most_plies={self.most_plies}, "
            f"adjudicate={self.adjudicate}{', processor=True' * self.processor})"
        )


def _number(value: TimeControl | float | str) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def adjudicate(
    position: Position, plies: int, conditions: Conditions
) -> tuple[Outcome, str] | None:
    """Returns the result of an unfinished game that the referee ends, and the reason; else None.

    Args:
        position: the current position.
        plies: number of plies played so far.
        conditions: the conditions of the game.
    """
    if conditions.adjudicate and (outcome := proven_outcome(position)) is not None:
        return outcome, "proven by exact solving"
    if conditions.most_plies and plies >= conditions.most_plies:
        return Outcome.DRAW, f"{plies} plies"
    return None


def proven_outcome(position: Position) -> Outcome | None:
    """Returns the outcome with best play by both sides; None if it cannot be proven cheaply."""
    # Imported here: the solvers load slowly, and most referees do not need them.
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
        start: the first position.
        players: side (`x` or `o`) → spec of the player.
        moves: moves in the game's notation.
        outcome: result of the game; None if a program refused a command.
        termination: how the game ended.
        detail: explanation of a fault, followed by the last lines that the player's program
            printed; empty without a fault.
        seconds: duration of each move.
        seed: seed of the players.
        given: an illegal move as the player gave it.
        exit_code: exit status of a program that crashed, −N for signal N; None if unknown.
        time_control: limits of the players in the format of records.
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
        players: side (`x` or `o`) → player.
        start: the first position.
        limit: limit of each move.
        conditions: clocks and early ends of games.
        seed: seed of the players.
        on_move: called after each move with the new position and the choice.
        now: clock that the referee uses.

    Raises:
        InvalidSpec: a player does not support the game.
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
        # Only the player's own time counts, not the referee's overhead.
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
    """Prepares both players; a failure of one ends the game."""
    # Even if the game is already over: a player of the wrong game must be reported.
    for number, side in enumerate("xo"):
        # Different seeds, so that a player against itself does not mirror its random choices.
        fault = get_ready(players[side], game.start.game, 2 * seed + number)
        if fault is not None:
            game.forfeit(side, fault)
            return


def _ask(game: GameInPlay, player: Player, limit: Limit, now: Now) -> Reply:
    """Lets the side to move choose, on its clock."""
    if not player.limits_processor_time:
        limit = replace(limit, processor=False)
    began = now()
    # Started again for each move: the referee's own time between moves must not count.
    game.clock.start(began)
    game.begin_turn(began)
    return ask(player, game.position, limit, most=limit.most_seconds(game.turn), now=now)
