"""Every algorithm of the family returns minimax's values, whatever its table and its threads."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

import papan
from papan.core.game import Position
from papan.rules import operations as rules
from papan.search.algorithm import Algorithm, search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.search.result import SearchResult
from reference import truth
from reference.splitmix import random_moves
from support import at_length, thoroughly

TINY = "slots=16"
LARGE = "hash=16"

#: The algorithms with tables that hold hardly anything and tables that hold all.
FAMILY = [
    *(f"{name}:{table}" for name in ("memory", "mtdf", "pvs", "engine") for table in (TINY, LARGE)),
    *(f"engine:threads={threads},{TINY}" for threads in (2, 4)),
    *(f"engine:threads={threads},{LARGE}" for threads in (2, 4)),
]

#: What is tried on all games by default; the others on Adjacency alone.
FIRST = f"engine:{TINY}"
OTHERS = [spec for spec in FAMILY if spec != FIRST]

#: Leaves of the whole tree that minimax is given: to each position the depth that suits it.
LEAVES = 1_500
LONG_LEAVES = 300_000
DEEPEST = 8
#: From here on helping threads join in (`HELPERS_DEPTH`); positions with few moves get there.
CREW_LEAVES = 40_000

#: Positions of random games that each algorithm searches, game by game; and a sample of them.
RANDOM_POSITIONS = 300
SAMPLE = 60
#: Each random game gives so many of them.
OF_EACH_GAME = 20

#: The shapes that random games are played on.
SHAPES = {
    "adjacency": [
        "adjacency",
        "adjacency:size=4",
        "adjacency:size=5,rounds=4,first=o",
        "adjacency:size=6x4",
    ],
    "platforms": [
        "platforms:size=3,level=3",
        "platforms:size=4,level=2",
        "platforms:size=5,level=1,first=o",
        "platforms:size=6,level=1",
    ],
    "corners": ["corners"],
}


class ProbeResult(NamedTuple):
    """A position with minimax's values at depth 1, 2, …; by the strongest evaluation if so."""

    position: Position
    strongest: bool
    values: tuple[float, ...]


def depth_for(position: Position, leaves: int, deepest: int = DEEPEST) -> int:
    """How deep minimax can look within so many leaves; at least 2."""
    width = max(2, len(position.moves()))
    depth = 2
    while depth < deepest and width ** (depth + 1) <= leaves:
        depth += 1
    return min(depth, int(rules.max_plies_left(position.state)) + 1)


def known(position: Position, depth: int, strongest: bool) -> ProbeResult:
    """Asks minimax for every depth; an evaluation of its own kind each."""
    game = position.game
    evaluation = game.strongest_evaluation if strongest else game.default_evaluation
    values = [
        search(
            position, Limit(depth=d), algorithm=algorithm("minimax"), evaluation=evaluation
        ).value
        for d in range(1, depth + 1)
    ]
    return ProbeResult(position, strongest, tuple(values))


def walk(spec: str, seed: int, count: int, history: bool) -> Iterator[Position]:
    """Unfinished positions evenly spread over a random game, with its history or without."""
    game = papan.game(spec)
    moves = random_moves(game.start(), seed)
    wanted = {len(moves) * number // count for number in range(count)}
    position = game.start()
    for ply, move in enumerate(moves):
        if ply in wanted:
            yield position if history else game.position(str(position))
        position = position.play(move)


@cache
def random_positions(
    game: str, leaves: int, count: int, both: bool = True
) -> tuple[ProbeResult, ...]:
    """Positions of a game: of each shape, with a history and without, by both evaluations or by
    the default one."""
    found: list[ProbeResult] = []
    seed = 0
    while len(found) < count:
        spec = SHAPES[game][seed % len(SHAPES[game])]
        for position in walk(spec, seed, OF_EACH_GAME, history=seed % 3 > 0):
            strongest = both and len(found) % 2 == 1
            found.append(known(position, depth_for(position, leaves), strongest))
        seed += 1
    return tuple(found[:count])


@cache
def public_positions(leaves: int, every: int = 1) -> tuple[ProbeResult, ...]:
    """All positions of the verified tables, or every n-th."""
    tables = (truth.adjacency_values(), truth.platforms_solved(), truth.corners_values())
    cases = dict.fromkeys((case.spec, case.line) for table in tables for case in table)
    positions = [papan.game(spec).position(line) for spec, line in cases][::every]
    return tuple(
        known(position, depth_for(position, leaves), strongest=False)
        for position in positions
        if position.outcome() is None
    )


def values(chosen: Algorithm, case: ProbeResult) -> dict[int, float]:
    """Depth → value, as an algorithm finds them one after the other."""
    results: list[SearchResult] = []
    game = case.position.game
    search(
        case.position,
        Limit(depth=len(case.values)),
        algorithm=chosen,
        evaluation=game.strongest_evaluation if case.strongest else game.default_evaluation,
        on_result=results.append,
    )
    return {result.depth: result.value for result in results}


def disagreements(spec: str, cases: tuple[ProbeResult, ...]) -> list[tuple[str, int, float, float]]:
    """Where an algorithm, its table kept from search to search, finds other values than minimax:
    position, depth, its value, minimax's."""
    chosen = algorithm(spec)
    return [
        (str(case.position), depth, value, case.values[depth - 1])
        for case in cases
        for depth, value in values(chosen, case).items()
        if value != case.values[depth - 1]
    ]


@pytest.mark.parametrize("spec", [FIRST, *thoroughly(*OTHERS)])
def test_public_positions_have_minimaxs_values_at_each_depth(spec: str, thorough: bool) -> None:
    positions = public_positions(LEAVES, 1 if thorough else 5)
    assert len(positions) > (100 if thorough else 20)
    assert disagreements(spec, positions) == []


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        *((FIRST, game) for game in SHAPES),
        *((spec, "adjacency") for spec in OTHERS),
        *thoroughly(*((spec, "corners") for spec in OTHERS)),
        *at_length(*((spec, "platforms") for spec in OTHERS)),
    ],
)
def test_random_positions_have_minimaxs_values(spec: str, game: str, thorough: bool) -> None:
    # Searches are compiled once more for another evaluation: by default, of one kind.
    both = thorough or (spec, game) == (FIRST, "adjacency")
    positions = random_positions(game, LEAVES, RANDOM_POSITIONS if thorough else SAMPLE, both)
    assert disagreements(spec, positions) == []


@pytest.mark.long
@pytest.mark.parametrize("spec", FAMILY)
def test_public_positions_have_minimaxs_values_at_greater_depths(spec: str) -> None:
    assert disagreements(spec, public_positions(LONG_LEAVES)) == []


@pytest.mark.long
@pytest.mark.parametrize("game", SHAPES)
@pytest.mark.parametrize("spec", FAMILY)
def test_random_positions_have_minimaxs_values_at_greater_depths(spec: str, game: str) -> None:
    assert disagreements(spec, random_positions(game, LONG_LEAVES, RANDOM_POSITIONS)) == []
