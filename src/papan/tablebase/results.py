"""Results of positions as 16 bits: who wins, and in how many plies.

    bits 14, 15   0 endless: neither side can win, and no line that keeps the draw ends by rule
                  1 won, 2 lost, for the side to move   3 drawn by rule
    bits 0 … 13   plies to the end, the winner hurrying and the loser delaying; of a draw the fewest
                  plies of a line that keeps it; in games of a margin, the margin instead

While a game is being worked out, 0 also stands for what is not known yet.
"""

from __future__ import annotations

import numpy as np

from papan.rules.dispatch import helper
from papan.rules.operations import State, final_value, win_value

#: The outcomes by their numbers.
ENDLESS, WON, LOST, DRAWN = 0, 1, 2, 3
OUTCOMES = ("endless", "win", "loss", "draw")

PLIES_BITS = 14
#: No game of which a database is made goes on for longer, and no margin is larger.
MOST_PLIES = (1 << PLIES_BITS) - 1

#: Stands where there is no position, in blocks with a place for every number.
ABSENT = MOST_PLIES

#: The score of a win at once; scores order results from one side's point of view.
_FAR = 1 << 20
#: The score of a draw that has no end: less than one by rule in any number of plies.
_ENDLESS_SCORE = -(1 << 15)
#: Less than every score.
NO_SCORE = -(1 << 24)


@helper
def made(outcome: int, plies: int) -> int:
    """A result as 16 bits."""
    return (outcome << PLIES_BITS) | min(plies, MOST_PLIES)


@helper
def outcome_of(code: int) -> int:
    """`ENDLESS`, `WON`, `LOST` or `DRAWN`."""
    return code >> PLIES_BITS


@helper
def plies_of(code: int) -> int:
    """Plies to the end, or the margin."""
    return code & MOST_PLIES


@helper
def final_code(state: State) -> int:
    """The result of a game that is over."""
    value = final_value(state)
    plies = abs(value) if win_value(state) == 0 else 0
    return made(WON if value > 0 else LOST if value < 0 else DRAWN, plies)


@helper
def score_above(code: int, again: bool, step: int) -> int:
    """A score of the position before one that has this result: the greater, the better for the side
    that moves there. `again` is true if the same side moves in both; `step` is 1, or 0 where
    results are margins."""
    outcome, plies = code >> PLIES_BITS, (code & MOST_PLIES) + step
    if outcome == DRAWN:
        return -plies
    if outcome == ENDLESS:
        return _ENDLESS_SCORE
    if step == 0:
        return plies if (outcome == WON) == again else -plies
    return _FAR - plies if (outcome == WON) == again else plies - _FAR


@helper
def code_of_score(score: int, step: int) -> int:
    """The result that has this score."""
    if step == 0:
        return made(DRAWN if score == 0 else WON if score > 0 else LOST, abs(score))
    if score > 0:
        return made(WON, _FAR - score)
    if score < -(_FAR >> 1):
        return made(LOST, score + _FAR)
    return made(ENDLESS, 0) if score == _ENDLESS_SCORE else made(DRAWN, -score)


Codes = np.ndarray[tuple[int], np.dtype[np.uint16]]
