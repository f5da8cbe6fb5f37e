"""The players of the homework on Corners: minimax, and a blocking player (there "abuser")."""

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

Rank = tuple[Any, ...]  # of two moves, the one with the lower rank is played


def is_stuck(state: CornersState) -> bool:
    """Returns True if the side not to move has no forward move outside its goal."""
    side = 1 - state.side
    turned = CornersState(state.theirs, state.mine, side)
    return bool(forward_movers(turned) & ~goal(side) == NONE)


def hold(state: CornersState, move: int) -> Rank:
    """Ranks moves while blocking: stay in the opponent's goal, move forward as little as possible,
    and leave the opponent few moves."""
    blocked = goal(1 - state.side)
    leaves = bool(bit(move >> 6) & blocked) and not bool(bit(move & 63) & blocked)
    return leaves, progress(state.side, move), count_moves(play(state, move))


def walk_home(state: CornersState, move: int) -> Rank:
    """Ranks moves when there is nothing to block: move forward as far as possible."""
    return (-progress(state.side, move),)


@dataclass
class BlockerPlayer(Player):
    """Keeps its pieces in the opponent's goal until the opponent is stuck, then moves to its own
    goal.

    A side loses immediately if it has neither a forward move nor a piece that can step back. So a
    blocking move can win at once; such a move is always played.
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
        heuristic: `matched` sums steps to matched destinations (the evaluation `matched`); `corner`
            sums steps to the far corner with penalties (the evaluation `stuck`).
    """

    name = "corners-minimax"
    algorithm = "alphabeta"
    games = ("corners",)

    #: Heuristic → name of the game's evaluation.
    evaluations: ClassVar[dict[str, str]] = {"matched": "matched", "corner": "stuck"}

    depth: int = option(4, "option.depth", low=1, high=MAX_PLY)
    heuristic: str = option("matched", "option.heuristic", choices=tuple(evaluations))

    def evaluation_for(self, game: Game) -> Evaluation:
        return game.evaluations[self.evaluations[self.heuristic]]
