"""Moves are walked in order, each once, and found by number, whatever form they have."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from papan.gamekit import (
    NONE,
    Bits,
    bit_like,
    choices,
    count_left,
    count_moves,
    from_to,
    from_to_choice,
    from_to_move,
    from_to_then,
    head,
    helper,
    lowest,
    more,
    moves,
    next_move,
    nth_left,
    scan,
    source_of,
    source_target_choice,
    source_target_third,
    squares,
    surrounding,
    tail,
    target_of,
    targets,
    thirds,
)
from papan.jit.compiler import kernel
from papan.rules.bits import nth_square
from papan.rules.wide import wide_bits, wide_frame
from support import thoroughly

WIDE = wide_frame(9, 11)
SOURCES = [3, 17, 40, 41, 63]


class Kings(NamedTuple):
    """Pieces that step to any empty square beside them."""

    mine: Any
    empty: Any


class Pawns(NamedTuple):
    """The same, where each step can be made in one to seven ways."""

    mine: Any
    empty: Any


class Archers(NamedTuple):
    """The same, where a piece then shoots at an empty square beside it: there may be none."""

    mine: Any
    empty: Any


class Odd(NamedTuple):
    """Moves with the odd numbers from 3 on, below a bound."""

    bound: int
    side: int


class Backwards(NamedTuple):
    """A set whose bits are taken for numbers counted down from 63."""

    mine: Bits
    side: int


@targets.register(Kings)
@targets.register(Pawns)
@targets.register(Archers)
@helper
def reach(state: Any, source: int) -> Any:
    return state.empty & surrounding(bit_like(state.mine, source))


@moves.register(Kings)
def _(state: Any) -> Any:
    return from_to(state, NONE) if state.empty == NONE else from_to(state, state.mine)


@moves.register(Pawns)
def _(state: Any) -> Any:
    return from_to_choice(state, state.mine)


@choices.register(Pawns)
def _(state: Any, source: int, target: int) -> int:
    return 1 + (source + target) % 7


@moves.register(Archers)
def _(state: Any) -> Any:
    return from_to_then(state, state.mine)


@thirds.register(Archers)
@helper
def shots(state: Any, source: int, target: int) -> Any:
    return state.empty & surrounding(bit_like(state.mine, target))


@moves.register(Odd)
def _(state: Any) -> Any:
    return scan(state)


@next_move.register(Odd)
def _(state: Any, after: int) -> int:
    found = max(3, after + 1) | 1
    return found if found < state.bound else -1


@moves.register(Backwards)
def _(state: Any) -> Bits:
    return state.mine


@head.register(Backwards)
def _(state: Any, rest: Any) -> int:
    return 63 - lowest(rest)


def narrow(numbers: list[int]) -> Any:
    return np.uint64(sum(1 << number for number in numbers))


def wide(numbers: list[int]) -> Any:
    return WIDE(sum(1 << number for number in numbers))


#: States and the moves that they have, by hand or by the words of their rules.
STATES: list[Any] = []
for of_numbers in (narrow, wide):
    board = of_numbers([9, 18, 28, 33, 48, 53, 62])
    mine = of_numbers(SOURCES)
    STATES += [Kings(mine, board), Kings(mine, board & NONE), Pawns(mine, board)]
    STATES += [Archers(mine, board | of_numbers([16, 10, 26]))]
STATES += [Odd(20, 0), Odd(3, 0), Backwards(narrow([0, 5, 63]), 0), Backwards(NONE, 0)]


def expected(state: Any) -> list[int]:
    """The numbers of the moves of a state, in their order."""
    if isinstance(state, Odd):
        return list(range(3, state.bound, 2))
    if isinstance(state, Backwards):
        return [63 - square for square in squares(state.mine)]
    size = 6 if isinstance(state.mine, np.uint64) else 10
    steps = [(s, t) for s in squares(state.mine) for t in squares(reach(state, s))]
    if isinstance(state, Archers):
        return [(s << size | t) << size | u for s, t in steps for u in squares(shots(state, s, t))]
    numbers = [source << size | target for source, target in steps]
    if isinstance(state, Kings):
        return numbers
    ways = [1 + (source + target) % 7 for source, target in steps]
    named = [range(1, count + 1) if count > 1 else [0] for count in ways]
    return [n * 8 + way for n, choices in zip(numbers, named, strict=True) for way in choices]


@kernel
def survey(state: Any, found: Any) -> tuple[int, int]:
    """Notes each move as it is walked, as it is found by number, and how many are left there."""
    count = 0
    rest = every = moves(state)
    while more(state, rest):
        found[count, 0] = head(state, rest)
        found[count, 1] = nth_left(state, every, count)
        found[count, 2] = count_left(state, rest)
        rest = tail(state, rest)
        count += 1
    return count, count_moves(state)


def plainly(state: Any, found: Any) -> Any:
    """`survey` as the Python that it is."""
    return survey.py_func(state, found)  # type: ignore[attr-defined]


#: Every form in plain Python; compiled those that have the others in them.
CASES = [
    *((state, plainly) for state in STATES),
    *((STATES[index], survey) for index in (0, 1, 7, 9)),
    *thoroughly(*((STATES[index], survey) for index in (2, 3, 4, 5, 6, 8, 10, 11))),
]


@pytest.mark.parametrize(("state", "run"), CASES)
def test_moves_are_walked_counted_and_found_by_number(state: Any, run: Any) -> None:
    noted = np.zeros((200, 3), dtype=np.int64)
    listed = expected(state)
    assert run(state, noted) == (len(listed), len(listed))
    assert noted[: len(listed), 0].tolist() == listed
    assert noted[: len(listed), 1].tolist() == listed
    assert noted[: len(listed), 2].tolist() == list(range(len(listed), 0, -1))


def test_the_states_have_moves_and_pieces_without_any() -> None:
    assert [len(expected(state)) for state in STATES] == [7, 0, 34, 16, 7, 0, 32, 5, 9, 0, 3, 0]
    assert {move >> 6 for move in expected(STATES[0])} == {17, 40, 41, 63}


@pytest.mark.parametrize("board", [narrow([]), wide([])], ids=["64", "wide"])
def test_a_number_is_taken_apart_as_it_was_made(board: Any) -> None:
    last = 63 if isinstance(board, np.uint64) else 1023
    for source, target in ((0, last), (last, 0), (17, 40)):
        move = from_to_move(board, source, target)
        assert (source_of(board, move), target_of(board, move)) == (source, target)
        assert source_target_choice(board, move * 8 + 5) == (source, target, 5)
        then = from_to_move(board, move, 9)
        assert source_target_third(board, then) == (source, target, 9)


@kernel
def compiled_nth_square(bits: Any, index: int) -> int:
    return nth_square(bits, index)


@pytest.mark.parametrize("find", [nth_square, compiled_nth_square])
@pytest.mark.parametrize("board", [narrow([0, 7, 63]), wide_bits(256, 16, 1 << 255 | 1 << 64 | 9)])
def test_squares_are_found_by_number_in_every_word(board: Any, find: Any) -> None:
    every = squares(board)
    assert [find(board, index) for index in range(len(every))] == every
    assert find(board, len(every)) == -1
