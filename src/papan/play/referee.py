"""The referee of one game: owns rules, board, clock and result, and trusts no player."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from papan.core.game import Displayed, Outcome, Position
from papan.play.conditions import Conditions, adjudicated
from papan.play.table import GameInPlay, Reply, Termination, ask, get_ready
from papan.players.base import Choice, Player
from papan.search.limits import Limit


@dataclass(frozen=True)
class PlayedGame(Displayed):
    """A game that was played.

    Attributes:
        start: the position it started from.
        players: the specs of the players by side, `x` and `o`.
        moves: in the game's notation.
        outcome: who won; None if the game was broken off.
        termination: how it ended.
        detail: what exactly went wrong, for people; nothing where nothing did.
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
) -> PlayedGame:
    """Plays one game to its end.

    Args:
        players: who plays `x` and who plays `o`.
        start: the position to start from.
        limit: what each move may take.
        conditions: clocks, and when the game ends before the rules end it.
        seed: makes chance repeatable.
        on_move: called after each move with the new position and the choice.

    Raises:
        InvalidSpec: a player does not play this game.
    """
    limit, conditions = limit or Limit(), conditions or Conditions()
    game = GameInPlay(start, clock=conditions.new_clock())
    _get_ready(game, players, seed)
    while not game.is_over:
        verdict = adjudicated(game.position, len(game.moves), conditions)
        if verdict is not None:
            game.adjudicate(*verdict)
            break
        reply = _ask(game, players[game.turn], limit, conditions)
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
        detail=game.cause.detail,
        seconds=tuple(game.seconds),
        seed=seed,
        given=game.cause.given,
        exit_code=game.cause.exit_code,
        time_control=conditions.time_control(limit),
    )


def _get_ready(game: GameInPlay, players: Mapping[str, Player], seed: int) -> None:
    """Has both players begin the game; one that cannot loses it."""
    # Even in a finished position: a player of other games is an error of whoever has chosen it.
    for number, side in enumerate("xo"):
        # Seeded apart, so that a player that meets itself does not mirror its own chance.
        fault = get_ready(players[side], game.start.game, 2 * seed + number)
        if fault is not None:
            game.forfeit(side, fault)
            return


def _ask(game: GameInPlay, player: Player, limit: Limit, conditions: Conditions) -> Reply:
    """Has the side to move choose, on its clock."""
    limit = conditions.limit(limit, game.clock, game.position)
    now = time.perf_counter()
    game.clock.start(now)
    game.begin_turn(now)
    return ask(player, game.position, limit, most=limit.most_seconds(game.turn))
