"""Games that can go in circles, solved slowly: a look at all reachable positions again and again,
until nothing changes. The oracle beside retrograde analysis."""

from typing import NamedTuple

from reference.corners import Corners


class Result(NamedTuple):
    """1, 0 or −1 for the side to move, and the plies to the end (0 for a draw)."""

    outcome: int
    plies: int


def reachable(root: Corners, most: int) -> dict[Corners, list[Corners]] | None:
    """All positions that can be reached and those that follow each; None if beyond `most`."""
    followers: dict[Corners, list[Corners]] = {}
    waiting = [root]
    while waiting:
        position = waiting.pop()
        if position in followers:
            continue
        if len(followers) >= most:
            return None
        followers[position] = [position.play(move) for move in position.moves()]
        waiting += followers[position]
    return followers


def solve(followers: dict[Corners, list[Corners]]) -> dict[Corners, Result]:
    """The result of each position; those without one at the end are draws."""
    results = {
        position: Result(1 if position.winner() == position.side else -1, 0)
        for position in followers
        if position.over()
    }
    changed = True
    plies = 0
    while changed or plies < 2:
        plies += 1
        found = {}
        for position, after in followers.items():
            if position in results:
                continue
            known = [results[one] for one in after if one in results]
            if any(result.outcome < 0 for result in known):
                found[position] = Result(1, plies)
            elif len(known) == len(after):
                found[position] = Result(-1, plies)
        results |= found
        changed = bool(found)
    return {position: results.get(position, Result(0, 0)) for position in followers}
