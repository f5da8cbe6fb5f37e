"""Corners in plain Python: the oracle beside the compiled game."""

from collections.abc import Iterator
from typing import NamedTuple

from reference.notation import board_rows, board_text, other, square_index, square_name

SIZE = 8
WIN = 10_000  # the value of a win at the root; each ply further away costs one
UP, DOWN, LEFT, RIGHT = (-1, 0), (1, 0), (0, -1), (0, 1)
FORWARD = {"x": (UP, LEFT), "o": (DOWN, RIGHT)}
BACKWARD = {"x": (DOWN, RIGHT), "o": (UP, LEFT)}
TOP_LEFT = frozenset(row * SIZE + column for row in (0, 1, 2) for column in (0, 1, 2))
BOTTOM_RIGHT = frozenset(row * SIZE + column for row in (5, 6, 7) for column in (5, 6, 7))
GOAL = {"x": TOP_LEFT, "o": BOTTOM_RIGHT}


class Corners(NamedTuple):
    """A position without its history: 64 characters `x`, `o`, `.` and the side to move.

    `play` trusts its caller: the move must be one of `moves()`.
    """

    squares: str
    side: str

    def line(self) -> str:
        """The position line: board and side to move."""
        return f"{board_text(self.squares, SIZE)} {self.side}"

    def moves(self) -> list[str]:
        """The legal moves, sorted by source, then target; none when a goal is filled."""
        if self.goal_filled():
            return []
        pairs = set(self.forward_moves()) or set(self.backward_moves())
        return [_move_text(source, target) for source, target in sorted(pairs)]

    def forward_moves(self) -> Iterator[tuple[int, int]]:
        """The steps and jumps of every piece; twice where two routes lead to a square."""
        for source in self.pieces(self.side):
            for direction in FORWARD[self.side]:
                target = _shifted(source, direction)
                if target is not None and self.squares[target] == ".":
                    yield source, target
            for chain in self.jump_chains(source):
                yield source, chain[-1]

    def jump_chains(self, source: int) -> Iterator[tuple[int, ...]]:
        """Each way to jump once or more often from `source`: the squares landed on."""
        for direction in FORWARD[self.side]:
            over = _shifted(source, direction)
            target = None if over is None else _shifted(over, direction)
            if over is None or target is None:
                continue
            if self.squares[over] != "." and self.squares[target] == ".":
                yield (target,)
                for rest in self.jump_chains(target):
                    yield (target, *rest)

    def backward_moves(self) -> Iterator[tuple[int, int]]:
        """The steps back of the pieces that stand in their own goal."""
        for source in self.pieces(self.side):
            if source not in GOAL[self.side]:
                continue
            for direction in BACKWARD[self.side]:
                target = _shifted(source, direction)
                if target is not None and self.squares[target] == ".":
                    yield source, target

    def play(self, move: str) -> "Corners":
        """The position after the piece on the first square has gone to the second."""
        source = square_index(move[:2], SIZE, SIZE)
        target = square_index(move[2:], SIZE, SIZE)
        squares = list(self.squares)
        squares[source], squares[target] = ".", self.side
        return Corners("".join(squares), other(self.side))

    def pieces(self, side: str) -> list[int]:
        """The squares on which `side` has a piece."""
        return [i for i, square in enumerate(self.squares) if square == side]

    def goal_filled(self) -> str | None:
        """The side whose pieces all stand in its goal; the side that just moved comes first."""
        for side in (other(self.side), self.side):
            if all(self.squares[i] == side for i in GOAL[side]):
                return side
        return None

    def stuck(self) -> bool:
        """True if the side to move has neither a forward nor a backward move."""
        return not any(self.forward_moves()) and not any(self.backward_moves())

    def over(self) -> bool:
        """True if a goal is filled or the side to move is stuck (history aside)."""
        return self.winner() is not None

    def winner(self) -> str | None:
        """The side that fills its goal, else the side whose opponent is stuck, else None."""
        filled = self.goal_filled()
        if filled is None and self.stuck():
            return other(self.side)
        return filled

    def difference(self) -> int:
        """The opponent's steps still to go to its corner less one's own."""
        return self.distance(other(self.side)) - self.distance(self.side)

    def distance(self, side: str) -> int:
        """The steps from all pieces of `side` to the corner square of its goal."""
        to_top_left = [sum(divmod(square, SIZE)) for square in self.pieces(side)]
        if side == "x":
            return sum(to_top_left)
        return sum(2 * (SIZE - 1) - distance for distance in to_top_left)

    def result(self) -> int:
        """1 for a win of the side to move, −1 for a loss, when the game is over."""
        return 1 if self.winner() == self.side else -1


class Ending(NamedTuple):
    """The end of a game: kind `win`, `draw` or `stuck`, and the winner (None for a draw)."""

    kind: str
    winner: str | None


class Game(NamedTuple):
    """A position and all positions before it, the start included: knows repetition."""

    position: Corners
    earlier: tuple[Corners, ...] = ()

    def moves(self) -> list[str]:
        """The legal moves; none when the game is over, by repetition too."""
        return [] if self.ending() else self.position.moves()

    def play(self, move: str) -> "Game":
        """The game one ply on."""
        return Game(self.position.play(move), (*self.earlier, self.position))

    def over(self) -> bool:
        """True if the game has ended, by repetition too."""
        return self.ending() is not None

    def winner(self) -> str | None:
        """The winner; None for a draw and while the game goes on."""
        ending = self.ending()
        return ending.winner if ending else None

    def ending(self) -> Ending | None:
        """The end of the game: a filled goal, then the third repetition, then a stuck side."""
        filled = self.position.goal_filled()
        if filled:
            return Ending("win", filled)
        if self.earlier.count(self.position) >= 2:
            return Ending("draw", None)
        if self.position.stuck():
            return Ending("stuck", other(self.position.side))
        return None


def _shifted(square: int, direction: tuple[int, int]) -> int | None:
    """The square next to `square` in a direction; None beyond the edge."""
    row, column = square // SIZE + direction[0], square % SIZE + direction[1]
    inside = 0 <= row < SIZE and 0 <= column < SIZE
    return row * SIZE + column if inside else None


def _move_text(source: int, target: int) -> str:
    return square_name(source, SIZE, SIZE) + square_name(target, SIZE, SIZE)


def start() -> Corners:
    """The start position: each side on the block that is the other side's goal."""
    return parse("ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xxx x")


def parse(line: str) -> Corners:
    """The position that a well-formed position line describes."""
    board, side = line.split(" ")
    return Corners("".join(board_rows(board)), side)


def evaluate(position: Corners, ply: int) -> int:
    """The value of a leaf or of a finished game: the heuristic, or a win or loss at `ply`."""
    winner = position.winner()
    if winner is None:
        return position.difference()
    return WIN - ply if winner == position.side else -(WIN - ply)
