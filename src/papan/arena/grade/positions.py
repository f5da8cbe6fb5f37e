"""The positions that a bot is asked about: from random games, the awkward ones above all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from random import Random

from papan.core.game import Game, Position
from papan.kernel import operations as rules

#: Kinds of positions, the most particular first; a position is of the first kind that fits.
#:   start     no move has been made
#:   quiet     no move changes anything but its own square (no piece is turned, say)
#:   forced    there is one legal move
#:   repeated  one more occurrence and the rules end the game
#:   ending    at most `LAST` moves before the end of its game
#:   few       at most `FEW` legal moves
#:   middle    all others
KINDS = ("start", "quiet", "forced", "repeated", "ending", "few", "middle")

LAST = 6
FEW = 6

#: Whether a position is quiet is looked at only where there are so few moves: elsewhere it is
#: dear to know, and hardly ever so.
QUIET_MOVES = 12

#: Random games are played until there are so many times as many different positions as are
#: wanted, or until there were so many games: small games do not have more.
SPARE = 3
MOST_GAMES = 300


@dataclass(frozen=True)
class Case:
    """A position to be asked about, and what is particular about it."""

    kind: str
    position: Position


def cases(game: Game, count: int, seed: int) -> list[Case]:
    """So many unfinished positions in no order at all, of each kind as many as of any other as
    far as there are any.

    A game with fewer positions has some of them twice.
    """
    chance = Random(seed)
    heaps = _collected(game, count, chance)
    chosen: list[Case] = []
    while len(chosen) < count and any(heaps.values()):
        for heap in heaps.values():
            if heap and len(chosen) < count:
                chosen.append(heap.pop())
    wanted = list(islice(cycle(chosen), count))
    chance.shuffle(wanted)
    return wanted


def _collected(game: Game, count: int, chance: Random) -> dict[str, list[Case]]:
    """Different positions of random games by kind, in random order."""
    heaps: dict[str, list[Case]] = {kind: [] for kind in KINDS}
    seen: set[tuple[int, int]] = set()
    for _ in range(MOST_GAMES):
        for case in _random_game(game, chance):
            position = case.position
            name = position.key, position.past.count(position.key)
            if name not in seen:
                seen.add(name)
                heaps[case.kind].append(case)
        if len(seen) >= SPARE * count:
            break
    for heap in heaps.values():
        chance.shuffle(heap)
    return heaps


def _random_game(game: Game, chance: Random) -> Iterator[Case]:
    """The unfinished positions of a random game."""
    start = game.start()
    visited = [start, *(position for _, position in start.random_walk(chance))]
    for left, position in enumerate(reversed(visited[:-1]), start=1):
        yield Case(kind_of(position, is_start=left == len(visited) - 1, left=left), position)


def kind_of(position: Position, *, is_start: bool, left: int) -> str:
    """What is particular about a position that was `left` plies away from the end of its game."""
    codes = position.codes()
    limit = int(rules.repetition_limit(position.state))
    fits = {
        "start": is_start,
        "forced": len(codes) == 1,
        "repeated": limit > 1 and position.past.count(position.key) >= limit - 2 > 0,
        "quiet": len(codes) <= QUIET_MOVES and _is_quiet(position, codes),
        "ending": left <= LAST,
        "few": len(codes) <= FEW,
        "middle": True,
    }
    return next(kind for kind in KINDS if fits[kind])


def _is_quiet(position: Position, codes: list[int]) -> bool:
    """Whether no move changes more than one square."""
    before = position.game.cells(position.state)
    for code in codes:
        after = position.game.cells(position.after(code).state)
        if sum(before[square] != after[square] for square in before) > 1:
            return False
    return True
