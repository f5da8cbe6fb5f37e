"""All positions of a game and their results, found slowly: looks at all of them again and again.

A position is anything with `moves()`, `play(move)`, `side` and, once no move is left, `result()`:
1, 0 or −1 for its side to move. The oracle beside `papan tablebase`.
"""

from collections.abc import Hashable
from typing import Any, NamedTuple


class Exact(NamedTuple):
    """The outcome for the side to move, and the plies to the end; None for an endless draw."""

    outcome: str
    plies: int | None


def reachable(root: Any, pruned: bool = False) -> dict[Hashable, list[Any]]:
    """All positions that can be reached, each with those that follow it; if `pruned`, by players
    who overlook no win at once."""
    followers: dict[Hashable, list[Any]] = {}
    waiting = [root]
    while waiting:
        position = waiting.pop()
        if position not in followers:
            after = [position.play(move) for move in position.moves()]
            won = [child for child in after if _is_won(position, child)]
            followers[position] = won if pruned and won else after
            waiting += followers[position]
    return followers


def _is_won(position: Any, child: Any) -> bool:
    """True if the side that moves in a position has won after the move."""
    if child.moves():
        return False
    return bool(child.result() == (1 if child.side == position.side else -1))


def results(root: Any) -> dict[Any, Exact]:
    """The result of every position that can be reached."""
    followers: Any = reachable(root)
    found: dict[Any, Exact] = {}
    for position, after in followers.items():
        if not after:
            found[position] = Exact({1: "win", 0: "draw", -1: "loss"}[position.result()], 0)
    for plies in range(1, len(followers) + 2):
        news = {}
        for position, after in followers.items():
            if position not in found:
                outcome = _decided([_seen(position, one, found) for one in after])
                if outcome:
                    news[position] = Exact(outcome, plies)
        if not news:  # nothing more will be decided
            break
        found |= news
    _add_draws(followers, found)
    return found


def _seen(position: Any, child: Any, found: dict[Any, Exact]) -> str:
    """What a move to a child is, as far as is known, for the side that makes it."""
    outcome = found[child].outcome if child in found else ""
    if position.side == child.side or outcome not in ("win", "loss"):
        return outcome
    return "loss" if outcome == "win" else "win"


def _decided(outcomes: list[str]) -> str:
    """`win` if a move wins, `loss` if all lose, else nothing."""
    if "win" in outcomes:
        return "win"
    return "loss" if all(outcome == "loss" for outcome in outcomes) else ""


def _add_draws(followers: dict[Any, list[Any]], found: dict[Any, Exact]) -> None:
    """The shortest way to a draw by rule, for all that is not decided; else there is no end."""
    for plies in range(1, len(followers) + 1):
        news = [
            position
            for position, after in followers.items()
            if position not in found and any(one in found and _is_draw(found[one]) for one in after)
        ]
        if not news:
            break
        found |= {position: Exact("draw", plies) for position in news}
    for position in followers:
        found.setdefault(position, Exact("endless", None))


def _is_draw(exact: Exact) -> bool:
    return exact.outcome == "draw"
