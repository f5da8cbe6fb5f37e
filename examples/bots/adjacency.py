"""An Adjacency bot in plain Python that speaks UGI; it does not need Papan.

It plays the first of the moves that turn most pieces, counted from the top left.

    papan match adjacency "ugi:python3 examples/bots/adjacency.py" random --games 10

The same bot in C++ and in JavaScript is next to this file.
"""

import sys

START = "6oo/6oo/8/8/8/8/xx6/xx6 x 56"


class Board:
    """A position: rows from the top, each a list of `x`, `o` and `.`."""

    def __init__(self, line: str) -> None:
        board, self.side, _plies_left = line.split()
        for digit in "12345678":
            board = board.replace(digit, "." * int(digit))
        self.rows = [list(row) for row in board.split("/")]

    def neighbours(self, row: int, column: int) -> list[tuple[int, int]]:
        """Returns the squares above, below, left and right."""
        around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        return [(r, c) for r, c in around if 0 <= r < len(self.rows) and 0 <= c < len(self.rows[0])]

    def turned(self, row: int, column: int) -> list[tuple[int, int]]:
        """Returns the opposing pieces that a move turns."""
        other = "o" if self.side == "x" else "x"
        return [(r, c) for r, c in self.neighbours(row, column) if self.rows[r][c] == other]

    def play(self, move: str) -> None:
        """Makes a move."""
        row, column = len(self.rows) - int(move[1]), ord(move[0]) - ord("a")
        for r, c in [(row, column), *self.turned(row, column)]:
            self.rows[r][c] = self.side
        self.side = "o" if self.side == "x" else "x"

    def best_move(self) -> str:
        """Returns the move that turns most pieces."""
        empty = [
            (row, column)
            for row in range(len(self.rows))
            for column in range(len(self.rows[0]))
            if self.rows[row][column] == "."
        ]
        row, column = max(empty, key=lambda square: len(self.turned(*square)))
        return f"{chr(ord('a') + column)}{len(self.rows) - row}"


def read_position(words: list[str]) -> Board:
    """Returns the board of `position startpos|fen <line> [moves …]`."""
    moves = words[words.index("moves") + 1 :] if "moves" in words else []
    board = Board(START if words[1] == "startpos" else " ".join(words[2:5]))
    for move in moves:
        board.play(move)
    return board


def main() -> None:
    """Answers each line of the arbiter."""
    board = Board(START)
    for line in sys.stdin:
        words = line.split()
        if words[:1] == ["ugi"]:
            print("id name Turner in Python\nid author Papan\nugiok", flush=True)
        elif words[:1] == ["isready"]:
            print("readyok", flush=True)
        elif words[:1] == ["position"]:
            board = read_position(words)
        elif words[:1] == ["go"]:
            print("bestmove", board.best_move(), flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
