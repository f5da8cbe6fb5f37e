"""The players of the homework on Corners: minimax, and a blocking player, called "abuser" there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from papan.core.game import Game, Position
from papan.core.spec import option
from papan.games.corners.evaluation import progress
from papan.games.corners.rules import CornersState, forward_movers, goal
from papan.players.base import Choice, Player
from papan.players.search import SearchPlayer
from papan.rules.bits import NONE, bit
from papan.rules.operations import MAX_PLY, Evaluation, count_moves, is_over, play
from papan.search.limits import Limit

Rank = tuple[Any, ...]  # of two moves, the one that ranks lower is played


def is_stuck(state: CornersState) -> bool:
    """True if the side that is not to move has no useful move: none forward outside its goal."""
    side = 1 - state.side
    turned = CornersState(state.theirs, state.mine, side)
    return bool(forward_movers(turned) & ~goal(side) == NONE)


def hold(state: CornersState, move: int) -> Rank:
    """Ranks moves while blocking: stay in the opponent's goal, go as little as can be, and leave
    the opponent as few moves as can be."""
    blocked = goal(1 - state.side)
    leaves = bool(bit(move >> 6) & blocked) and not bool(bit(move & 63) & blocked)
    return leaves, progress(state.side, move), count_moves(play(state, move))


def walk_home(state: CornersState, move: int) -> Rank:
    """Ranks moves when there is nothing left to block: as far as can be."""
    return (-progress(state.side, move),)


@dataclass
class BlockerPlayer(Player):
    """Keeps its pieces in the opponent's goal until the opponent is stuck, then walks home.

    A side that has neither a forward move nor a piece to step back with loses at once, so that
    blocking can win outright; such a move is always made.
    """

    name = "blocker"
    games = ("corners",)

    def choose(self, position: Position, limit: Limit) -> Choice:
        state, codes = position.state, position.codes()
        winning = [code for code in codes if is_over(play(state, code))]
        ranking: Callable[[CornersState, int], Rank] = walk_home if is_stuck(state) else hold
        ranks = {code: ranking(state, code) for code in winning or codes}
        least = min(ranks.values())
        code = self.random.choice([code for code, rank in ranks.items() if rank == least])
        return Choice(position.game.write_move(code), depth=1, nodes=len(codes))


@dataclass
class CornersMinimaxPlayer(SearchPlayer):
    """The program of the homework on Corners: minimax with pruning and one of two heuristics.

    Attributes:
        heuristic: `matched` sums steps to matched destinations (the evaluation `matched`);
            `corner` sums steps to the far corner, with penalties (the evaluation `stuck`).
    """

    name = "corners-minimax"
    algorithm = "alphabeta"
    games = ("corners",)

    #: The names that the evaluations of the game have.
    evaluations: ClassVar[dict[str, str]] = {"matched": "matched", "corner": "stuck"}

    depth: int = option(4, "option.depth", low=1, high=MAX_PLY)
    heuristic: str = option("matched", "option.heuristic", choices=tuple(evaluations))

    def evaluation_for(self, game: Game) -> Evaluation:
        return game.evaluations[self.evaluations[self.heuristic]]
