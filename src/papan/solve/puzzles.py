"""Puzzles: positions in which just one move wins, or just one saves the draw, proven.

They come from games that a shallow search plays against itself, with moves by chance now and then,
or from positions that are given. Of positions that are mirror images of one another, one is taken.
How hard a puzzle is, is measured: see `Puzzle`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from papan.core.game import Displayed, Game, Position
from papan.rules.operations import (
    Evaluation,
    State,
    evaluate_after,
    repetition_limit,
    symmetry_count,
    transform,
)
from papan.rules.solving import exact_key
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.solve.move_values import ProvenMove, move_values

#: Wins that are nearer are no puzzles: anybody sees a move that ends the game.
LEAST_PLIES = 3
MOST_PLIES = 15

#: Nodes for all moves of a position; one that takes more is no puzzle for a person either.
NODES = 300_000

#: Positions looked at in a row without a new puzzle before the search for more ends.
PATIENCE = 3000

#: The deepest plain search that a puzzle is graded with.
DEEPEST = 8

#: The games: a search of this depth, one move in so many by chance, and so many plies at most.
_PLAYED_DEPTH = 2
_ONE_IN = 3
_LONGEST = 300
#: Where positions may come again, chance would undo again and again what the sides have built, and
#: games end in repetitions: there it has a part in the first plies only.
_BY_CHANCE = 30


@dataclass(frozen=True)
class Puzzle(Displayed):
    """A position with one right move, proven.

    Attributes:
        position: the side to move is to find the move.
        move: the one that reaches the outcome; all others fall short of it.
        outcome: `win`, or `draw` where no move wins.
        plies: to the end of the game with best play; None for a draw.
        depth: plain alpha–beta finds the move at this depth and at all greater ones up to
            `DEEPEST`; None if at none.
        tempting: number of wrong moves that look as good or better to the game's evaluation.
    """

    position: Position
    move: str
    outcome: str
    plies: int | None
    depth: int | None
    tempting: int

    def as_dict(self) -> dict[str, Any]:
        """The puzzle as JSON has it."""
        return {
            "game": self.position.game.spec,
            "position": str(self.position),
            "side": self.position.side,
            "move": self.move,
            "outcome": self.outcome,
            "plies": self.plies,
            "depth": self.depth,
            "tempting": self.tempting,
        }


def puzzles(
    game: Game,
    *,
    plies: tuple[int, int] = (LEAST_PLIES, MOST_PLIES),
    seed: int = 0,
    positions: Iterable[Position] | None = None,
) -> Iterator[Puzzle]:
    """Yields puzzles, no two of them mirror images of one another.

    It ends when `PATIENCE` positions in a row were none, or with the positions that are given.

    Args:
        game: what is played.
        plies: the least and the greatest length of a win; draws have none.
        seed: of the games; the same seed makes the same puzzles.
        positions: where puzzles are looked for, instead of games of its own.
    """
    met, vain = set[Any](), 0
    for position in own_positions(game, Random(seed)) if positions is None else positions:
        vain += 1
        look = _look(position.state)
        if look not in met and position.outcome() is None:
            met.add(look)
            puzzle = puzzle_at(position, plies)
            if puzzle is not None:
                vain = 0
                yield puzzle
        if positions is None and vain >= PATIENCE:
            return


def puzzle_at(position: Position, plies: tuple[int, int]) -> Puzzle | None:
    """The puzzle that a position is; None if it is none, or that takes too long to prove.

    It begins here: what stood before does not count.
    """
    position = Position.unchecked(position.game, position.state)
    values = move_values(position, limit=Limit(nodes=NODES))
    right = only_move(values)
    if right is None or right.outcome is None:
        return None
    if right.plies is not None and not plies[0] <= right.plies <= plies[1]:
        return None
    depth = depth_of(position, right.move)
    tempting = _tempting(position, right.move)
    return Puzzle(position, right.move, right.outcome, right.plies, depth, tempting)


def only_move(values: Iterable[ProvenMove]) -> ProvenMove | None:
    """The one move that wins, or that draws where none wins; None if it is not the only one."""
    known = list(values)
    outcomes = [value.outcome for value in known]
    for outcome in ("win", "draw"):
        if None in outcomes or len(known) < 2:
            return None
        if outcome in outcomes:
            return known[outcomes.index(outcome)] if outcomes.count(outcome) == 1 else None
    return None


def depth_of(position: Position, move: str) -> int | None:
    """Returns the least depth from which on alpha–beta plays the move; None if there is none."""
    least: int | None = None
    for depth in range(1, DEEPEST + 1):
        result = search(position, Limit(depth=depth), algorithm=algorithm("alphabeta"))
        if result.move != move:
            least = None
        elif least is None:
            least = depth
    return least


def own_positions(game: Game, chance: Random) -> Iterator[Position]:
    """Yields the positions of games without end, the last ones of each game first."""
    while True:
        line = [game.start()]
        may_return = repetition_limit(line[0].state) > 0
        while line[-1].outcome() is None and len(line) <= _LONGEST:
            if may_return and len(line) > _BY_CHANCE:
                move = _choose_move(line[-1], game.strongest_evaluation)
            else:
                move = _play_shallow(line[-1], chance)
            line.append(line[-1].play(move))
        yield from line[-2::-1]


def _play_shallow(position: Position, chance: Random) -> str:
    """The move of a shallow search, now and then one by chance."""
    if chance.randrange(_ONE_IN) == 0:
        return chance.choice(position.moves())
    return _choose_move(position, position.game.default_evaluation)


def _choose_move(position: Position, evaluation: Evaluation) -> str:
    """Returns the move of a shallow search."""
    limit, plain = Limit(depth=_PLAYED_DEPTH), algorithm("alphabeta")
    result = search(position, limit, algorithm=plain, evaluation=evaluation)
    return result.move or position.moves()[0]


def _tempting(position: Position, right: str) -> int:
    """Number of moves that look at least as good as the right one, to the game's evaluation."""
    evaluation = position.game.default_evaluation
    looks = {
        position.game.write_move(code): int(evaluate_after(evaluation, position.state, code, 0))
        for code in position.codes()
    }
    return sum(looks[move] >= looks[right] for move in looks) - 1


def _look(state: State) -> tuple[int, ...]:
    """The same words for all mirror images of a position."""
    images = (transform(state, index) for index in range(symmetry_count(state)))
    return min(tuple(int(word) for word in exact_key(image)) for image in images)
