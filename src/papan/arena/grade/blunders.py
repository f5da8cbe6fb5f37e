"""Moves that throw away what was won, or drawn: found where exact solving knows better."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from papan.arena.grade.move_checks import CheckedMove
from papan.core.game import Position
from papan.errors import Unsolved
from papan.search.limits import Limit

#: A proof may look at so many nodes; what takes more is left out.
PROOF_NODES = 100_000

#: So many positions are tried to be solved, and so many in which there is something to lose are
#: enough.
MOST_TRIED = 600
ENOUGH = 200

#: So many blunders are shown in a report.
SHOWN = 10


@dataclass(frozen=True)
class Blunder:
    """A move that made less of a position than could be had: `win` or `draw` → `draw` or `loss`."""

    position: str
    kind: str
    move: str
    had: str
    left: str
    best: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """The blunder for reports."""
        return {**vars(self), "best": list(self.best)}


@dataclass
class Blunders:
    """What came of the positions in which there was something to lose.

    Attributes:
        wins: positions that were won, and had a move that does not win.
        draws: positions that were drawn, and had a move that loses.
        found: the blunders.
    """

    wins: int = 0
    draws: int = 0
    found: list[Blunder] = field(default_factory=list)

    @property
    def critical(self) -> int:
        """How many positions had something to lose."""
        return self.wins + self.draws

    def thrown(self, had: str) -> int:
        """How many wins, or draws, were thrown away."""
        return sum(blunder.had == had for blunder in self.found)

    def as_dict(self) -> dict[str, Any]:
        """Counts and the first blunders."""
        return {
            "critical": self.critical,
            "wins": self.wins,
            "wins_thrown": self.thrown("win"),
            "draws": self.draws,
            "draws_thrown": self.thrown("draw"),
            "examples": [blunder.as_dict() for blunder in self.found[:SHOWN]],
        }


def judge(answers: Sequence[CheckedMove], blunders: Blunders) -> None:
    """Holds the legal answers against proven values, and adds what comes of it to `blunders`."""
    tried = [answer for answer in answers if answer.move][:MOST_TRIED]
    for answer in tried:
        if blunders.critical >= ENOUGH:
            return
        values = proven(answer.case.position)
        if len({_sign(value) for value in values.values()}) < 2:
            continue  # nothing is known, or nothing can be lost
        had = max(values.values())
        if had > 0:
            blunders.wins += 1
        else:
            blunders.draws += 1
        if _sign(values[answer.move]) < _sign(had):
            best = tuple(move for move, value in values.items() if value == had)
            blunders.found.append(_blunder(answer, had, values[answer.move], best))


def _blunder(answer: CheckedMove, had: int, left: int, best: tuple[str, ...]) -> Blunder:
    position, kind = str(answer.case.position), answer.case.kind
    return Blunder(position, kind, answer.move, _WORDS[_sign(had)], _WORDS[_sign(left)], best)


_WORDS = {1: "win", 0: "draw", -1: "loss"}


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


@functools.lru_cache(maxsize=4096)
def proven(position: Position) -> dict[str, int]:
    """The proven value of each legal move, in the mover's view; nothing where that is too dear.

    It is remembered: all bots of a folder are asked about the same positions.
    """
    # Imported here, since it means loading the solvers.
    from papan.search.solver.solve import can_begin, solve

    if not can_begin(position, PROOF_NODES):
        return {}
    try:
        solution = solve(position, limit=Limit(nodes=PROOF_NODES), every=True)
    except Unsolved:
        return {}
    return {move: int(value) for move, value in solution.values.items()}
