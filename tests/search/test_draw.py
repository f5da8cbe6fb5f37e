"""The moves that playouts draw are those of the walk, whatever form moves have."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
import pytest

from fakes.take_away import TakeAway
from papan.gamekit import (
    Bits,
    count_moves,
    draw_move,
    from_to,
    head,
    lowest,
    moves,
    next_move,
    scan,
    squares,
    surrounding,
    targets,
)
from papan.rules.bits import bit_like
from papan.rules.dispatch import helper
from papan.rules.splitmix import numbers as numbers_of_seed
from papan.rules.wide import wide_frame
from papan.search.mcts.draw import count_and_note, draw_noted
from papan.search.workspace import new_workspace
from support import gallery


class Steppers(NamedTuple):
    """Pieces that step to squares beside them."""

    mine: Any
    empty: Any


class CountedSteppers(NamedTuple):
    """The same in a game that counts by itself."""

    mine: Any
    empty: Any


class Threes(NamedTuple):
    """Moves with the numbers 0, 3, 6, … below a bound."""

    bound: int
    side: int


class Mirrored(NamedTuple):
    """A set of squares that are taken for others."""

    mine: Bits
    side: int


@targets.register(Steppers)
@targets.register(CountedSteppers)
@helper
def around(state: Any, source: int) -> Any:
    return state.empty & surrounding(bit_like(state.mine, source))


@moves.register(Steppers)
@moves.register(CountedSteppers)
@helper
def stepping(state: Any) -> Any:
    return from_to(state, state.mine)


@count_moves.register(CountedSteppers)
def _(state: Any) -> int:
    return len(numbers(state))


@moves.register(Threes)
def _(state: Any) -> Any:
    return scan(state)


@next_move.register(Threes)
def _(state: Any, after: int) -> int:
    following = 0 if after < 0 else after + 3
    return following if following < state.bound else -1


@moves.register(Mirrored)
def _(state: Any) -> Bits:
    return state.mine


@head.register(Mirrored)
def _(state: Any, rest: Any) -> int:
    return 63 - lowest(rest)


def numbers(state: Any) -> list[int]:
    """The numbers of a state's moves, by their description."""
    if isinstance(state, Threes):
        return list(range(0, state.bound, 3))
    if isinstance(state, Mirrored):
        return [63 - square for square in squares(state.mine)]
    size = 6 if isinstance(state.mine, np.uint64) else 10
    pieces = squares(state.mine)
    return [
        source << size | target for source in pieces for target in squares(around(state, source))
    ]


WIDE = wide_frame(19, 19)
# More pieces than the notes have room for, and fewer.
FULL, HALF = WIDE((1 << 370) - 1), WIDE(0x3_0001_0F00 << 200)

STATES: list[Any] = [
    *(kind(np.uint64(0x81), np.uint64(0x4300)) for kind in (Steppers, CountedSteppers)),
    *(
        kind(WIDE(1 << 90 | 9), WIDE(1 << 29 | 1 << 91 | 1 << 110))
        for kind in (Steppers, CountedSteppers)
    ),
    Steppers(HALF, FULL & ~HALF),
    Steppers(FULL & ~HALF, HALF),
    Threes(30, 0),
    Threes(0, 0),
    Mirrored(np.uint64(0x8001), 0),
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: type(state).__qualname__)
def test_each_move_is_drawn_by_its_number(state: Any) -> None:
    every, workspace = moves(state), new_workspace(TakeAway().start())
    expected = numbers(state)
    assert count_and_note(state, every, workspace) == len(expected)
    found = [draw_noted(state, every, index, workspace) for index in range(len(expected))]
    assert found == expected


def test_the_states_have_moves_and_more_pieces_than_notes() -> None:
    assert [len(numbers(state)) > 0 for state in STATES] == [*[True] * 7, False, True]
    assert [len(squares(STATES[index].mine)) > 256 for index in (4, 5)] == [False, True]


@pytest.mark.parametrize(
    ("spec", "line"),
    [
        ("minichess.py", "1k3/3P1/5/5/K4 x"),  # one may promote
        ("morris.py", ""),
        ("amazons.py:size=6", ""),
        ("pentago.py", ""),
    ],
)
def test_moves_of_several_ways_or_places_are_drawn_by_their_numbers(spec: str, line: str) -> None:
    game = gallery(spec)
    position = game.position(line) if line else game.start()
    every, workspace = moves(position.state), new_workspace(position)
    assert count_and_note(position.state, every, workspace) == len(position.codes())
    found = [
        draw_noted(position.state, every, index, workspace)
        for index in range(len(position.codes()))
    ]
    assert found == position.codes()


def draws(state: Any, count: int) -> Counter[int]:
    """Counts the moves that `draw_move` returns for random numbers."""
    with np.errstate(over="ignore"):  # the generator wraps around
        return Counter(int(draw_move(state, number)) for number in numbers_of_seed(1, count))


@pytest.mark.parametrize(
    ("game", "line"),
    [
        ("amazons.py:size=6", "x5/*1*3/1*4/***3/5o/4oo x"),
        ("pentago.py", "xoxoxo/oxoxox/xxoxo1/oxoxoo/xoxoxx/ooxxo1 x"),
        ("quoridor.py:size=5", None),
    ],
)
def test_each_move_is_drawn_with_the_same_probability(game: str, line: str | None) -> None:
    start = gallery(game).start() if line is None else gallery(game).position(line)
    codes, number = start.codes(), 4000
    drawn = draws(start.state, number)
    failed = drawn.pop(-1, 0)
    assert sorted(drawn) == codes
    expected = (number - failed) / len(codes)
    assert sum((times - expected) ** 2 / expected for times in drawn.values()) < 2 * len(codes) + 20
