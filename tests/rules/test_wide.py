"""Wide sets behave as sets of squares, compiled as in plain Python, whatever their width."""

import operator
import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from papan.jit.compiler import kernel
from papan.rules import bits
from papan.rules.keys import combined, mixed, zobrist_keys
from papan.rules.operations import count_moves, head, moves, nth_move
from papan.rules.wide import WideBits, wide_bits, wide_class, wide_frame
from support import run_python, thoroughly

#: Boards whose sets have 128, 192, 256, 512 and 1,024 bits or a little less.
SHAPES = [(9, 9), (11, 11), (15, 15), (19, 19), (26, 26)]
shapes = pytest.mark.parametrize(
    ("height", "width"),
    [(11, 11), *thoroughly(*(shape for shape in SHAPES if shape != (11, 11)))],
)
Cells = set[tuple[int, int]]


class Stones(NamedTuple):
    """A state with wide fields: any square without a stone may be played."""

    mine: Any
    theirs: Any
    side: int


@moves.register(Stones)
def _(state: Stones) -> Any:
    return state.theirs & ~state.mine


def random_sets(height: int, width: int, count: int = 4) -> list[Any]:
    """Sets of squares of a board, always the same: the empty one, the full one, and others."""
    chance, kind = random.Random(height), wide_frame(height, width)
    places = [kind.row * row + column for row in range(height) for column in range(width)]
    chosen = [[], places, *(chance.sample(places, len(places) // 2) for _ in range(count))]
    return [kind(sum(1 << place for place in some)) for some in chosen]


def cells(board: Any) -> Cells:
    """The squares of a set as rows and columns from the top left."""
    return {divmod(square, board.row) for square in bits.squares(board)}


def shifted(board: Any, rows: int, columns: int, shape: tuple[int, int]) -> Cells:
    moved = {(row + rows, column + columns) for row, column in cells(board)}
    return {(row, column) for row, column in moved if row >= 0 and 0 <= column < shape[1]}


@kernel
def combine(a: Any, b: Any, by: int) -> Any:
    return (
        a & b,
        a | b,
        a ^ b,
        ~a,
        a << by,
        a >> by,
        a + b,
        a - b,
        a == b,
        a != b,
        a & bits.NONE,
        bits.ONE | a,
        bits.popcount(a),
        bool(a),
    )


@shapes
@pytest.mark.parametrize("by", [0, 1, 63, 64, 100, 5_000])
def test_operators_give_compiled_what_whole_numbers_give(height: int, width: int, by: int) -> None:
    for a, b in zip(random_sets(height, width), random_sets(height, width)[::-1], strict=True):
        x, y, full = int(a), int(b), type(a).full
        expected = (
            *(x & y, x | y, x ^ y, full - x, (x << by) & full, x >> by),
            *((x + y) & full, (x - y) & full, x == y, x != y, 0, x | 1, x.bit_count(), x > 0),
        )
        assert combine.py_func(a, b, by) == expected  # type: ignore[attr-defined]
        assert combine(a, b, by) == expected


@kernel
def stepped(board: Any, index: int, height: int, width: int) -> Any:
    return (
        bits.up(board),
        bits.down(board),
        bits.left(board),
        bits.right(board),
        bits.surrounding(board),
        bits.transformed(board, index, height, width),
    )


@shapes
def test_steps_move_every_square_and_drop_those_at_the_sides(height: int, width: int) -> None:
    for board in random_sets(height, width):
        up, down, left, right, around, same = stepped(board, 0, height, width)
        shape = (height, width)
        assert cells(up) == shifted(board, -1, 0, shape)
        assert {cell for cell in cells(down) if cell[0] < height} == {
            cell for cell in shifted(board, 1, 0, shape) if cell[0] < height
        }
        assert cells(left) == shifted(board, 0, -1, shape)
        assert cells(right) == shifted(board, 0, 1, shape)
        assert same == board
        assert (up, down, left, right, around, same) == stepped.py_func(  # type: ignore[attr-defined]
            board, 0, height, width
        )


@shapes
def test_symmetries_are_mirrors_and_exchanges(height: int, width: int) -> None:
    for board in random_sets(height, width):
        for index in range(8):
            expected = cells(board)
            if index & 1:
                expected = {(height - 1 - row, column) for row, column in expected}
            if index & 2:
                expected = {(row, width - 1 - column) for row, column in expected}
            if index & 4:
                expected = {(column, row) for row, column in expected}
            assert cells(stepped(board, index, height, width)[-1]) == expected
            assert cells(bits.transformed(board, index, height, width)) == expected


@kernel
def walked(state: Any, keys: Any) -> Any:
    count = count_moves(state)
    last = nth_move(state, count - 1)
    return count, head(state, moves(state)), last, mixed(state), combined(keys, state.mine)


@shapes
def test_moves_are_walked_and_keys_are_made_of_all_words(height: int, width: int) -> None:
    keys = zobrist_keys("wide", 1024)
    empty, full, one, other, *_ = random_sets(height, width)
    seen = set()
    for state in (Stones(empty, full, 0), Stones(one, full, 1), Stones(one, full & ~other, 1)):
        found = walked(state, keys)
        assert found == walked.py_func(state, keys)  # type: ignore[attr-defined]
        assert found[0] == len(bits.squares(moves(state)))
        seen.add(found[3])
    assert len(seen) == 3


@kernel
def played(state: Any, move: int) -> Any:
    return Stones(state.theirs, state.mine | bits.bit_like(state.mine, move), 1 - state.side)


def test_sets_keep_their_class_through_compiled_code() -> None:
    for height, width in SHAPES:
        board = random_sets(height, width)[2]
        after = played(Stones(board, board, 0), 7)
        assert after == played.py_func(Stones(board, board, 0), 7)  # type: ignore[attr-defined]
        assert {type(after.mine), type(after.theirs)} == {wide_frame(height, width)}


def test_sets_are_values_in_python() -> None:
    board = wide_bits(128, 10, 2**100 + 5)
    assert pickle.loads(pickle.dumps(board)) == board
    assert type(pickle.loads(pickle.dumps(board))) is wide_class(128, 10)
    assert len({board, wide_bits(128, 10, 2**100 + 5)}) == 1
    assert (board == 2**100 + 5, board == "x", board != 5) == (True, False, True)
    assert repr(wide_bits(128, 10, 255)) == "Bits128x10(0xff)"


@pytest.mark.parametrize("name", ["and_", "or_", "xor"])
def test_numbers_of_numpy_can_stand_on_either_side(name: str) -> None:
    board, combine_two = wide_bits(128, 10, 2**100 + 5), getattr(operator, name)
    assert type(combine_two(np.uint64(4), board)) is type(board)
    assert combine_two(np.uint64(4), board) == combine_two(4, 2**100 + 5)


def test_sets_of_two_kinds_cannot_be_combined_when_compiled() -> None:
    import numba

    with pytest.raises(numba.TypingError):
        combine(wide_bits(128, 10, 1), wide_bits(192, 12, 1), 1)


def test_threads_walk_at_the_same_time() -> None:
    keys = zobrist_keys("wide", 1024)
    states = [Stones(board, ~board, 0) for board in random_sets(15, 15)[2:]]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda state: walked(state, keys), states * 50))
    assert found == [walked(state, keys) for state in states] * 50


CACHED = """
import sys
sys.path.insert(0, {tests!r})
from test_wide import Stones, played, walked, random_sets
from papan.rules.keys import zobrist_keys
board = random_sets(15, 15)[2]
after = played(Stones(board, board, 0), 7)
print(int(after.theirs), *walked(Stones(board, ~board, 0), zobrist_keys("wide", 1024)))
print(*(sum(kernel.stats.cache_hits.values()) for kernel in (played, walked)))
"""


@pytest.mark.thorough
def test_a_second_process_loads_compiled_sets_from_the_cache(tmp_path: Path) -> None:
    code = CACHED.format(tests=str(Path(__file__).parent))
    outputs = [run_python(code, PAPAN_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    assert [done.stderr for done in outputs] == ["", ""]
    (first, before), (second, after) = (done.stdout.splitlines() for done in outputs)
    assert first == second
    assert (before, after) == ("0 0", "1 1")


def test_a_board_has_a_spare_column_and_as_many_words_as_it_needs() -> None:
    found = [(wide_frame(*shape).size, wide_frame(*shape).row) for shape in SHAPES]
    assert found == [(128, 10), (192, 12), (256, 16), (384, 20), (704, 27)]
    assert issubclass(wide_frame(9, 9), WideBits)
