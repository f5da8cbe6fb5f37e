"""What is found from the coordinates of places: symmetries and straight rows."""

import pytest

from papan.core.board.geometry import Geometry, Grid
from papan.core.board.kinds import Edges, Hex, Hexagon, Pits, Points, beside
from papan.core.board.symmetry import straight_rows, symmetries

#: The number of symmetries of each board.
COUNTS: dict[Geometry, int] = {
    Grid(3, 3): 8,
    Grid(19, 19): 8,
    Grid(4, 6): 4,
    Grid(1, 5): 2,
    Hex(5, 5): 4,
    Hexagon(3): 12,
    Edges(2, 2): 8,
    Edges(2, 3): 4,
    Pits(6): 4,
    Points({"a1": (0, 0), "b1": (1, 0), "a2": (0, 1)}): 2,
    beside(Grid(4, 3), x=("C",), o=("c",)): 4,
}


@pytest.mark.parametrize("board", COUNTS, ids=str)
def test_a_board_has_as_many_symmetries_as_geometry_says(board: Geometry) -> None:
    found = symmetries(board)
    squares = set(board.main.squares)
    assert len(found) == COUNTS[board]
    assert found[0] == {square: square for square in squares}
    assert all(set(image) == set(image.values()) == squares for image in found)


@pytest.mark.parametrize("board", [Grid(5, 5), Hexagon(3), Edges(2, 2)], ids=str)
def test_a_symmetry_keeps_neighbours_neighbours(board: Geometry) -> None:
    for image in symmetries(board):
        for square in board.squares:
            around = {image[other] for other in board.neighbours(square)}
            assert around == set(board.neighbours(image[square]))


def test_straight_rows_are_those_that_one_counts() -> None:
    assert len(straight_rows(Grid(3, 3), 3)) == 8
    assert len(straight_rows(Grid(6, 7), 4)) == 69
    assert len(straight_rows(Grid(15, 15), 5)) == 572
    assert len(straight_rows(Hexagon(2), 3)) == 3
    assert (0, 8, 16) in straight_rows(Grid(3, 3), 3)
