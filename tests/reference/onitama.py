"""Onitama, slowly: lists of rows, and cards as they are printed, for x who moves up the board."""

from __future__ import annotations

from typing import NamedTuple

CARDS = {
    "tiger": ("..#..", ".....", "..o..", "..#..", "....."),
    "dragon": (".....", "#...#", "..o..", ".#.#.", "....."),
    "frog": (".....", ".#...", "#.o..", "...#.", "....."),
    "rabbit": (".....", "...#.", "..o.#", ".#...", "....."),
    "crab": (".....", "..#..", "#.o.#", ".....", "....."),
    "elephant": (".....", ".#.#.", ".#o#.", ".....", "....."),
    "goose": (".....", ".#...", ".#o#.", "...#.", "....."),
    "rooster": (".....", "...#.", ".#o#.", ".#...", "....."),
    "monkey": (".....", ".#.#.", "..o..", ".#.#.", "....."),
    "mantis": (".....", ".#.#.", "..o..", "..#..", "....."),
    "horse": (".....", "..#..", ".#o..", "..#..", "....."),
    "ox": (".....", "..#..", "..o#.", "..#..", "....."),
    "crane": (".....", "..#..", "..o..", ".#.#.", "....."),
    "boar": (".....", "..#..", ".#o#.", ".....", "....."),
    "eel": (".....", ".#...", "..o#.", ".#...", "....."),
    "cobra": (".....", "...#.", ".#o..", "...#.", "....."),
}
ROWS, COLUMNS = "54321", "abcde"


class Situation(NamedTuple):
    """The board from the top, whose turn it is, and the cards of x and of o, and the fifth one."""

    rows: list[str]
    side: str
    hands: dict[str, tuple[str, str]]
    spare: str


def start(cards: list[str]) -> Situation:
    """The beginning of a game with these five cards."""
    rows = ["ooOoo", ".....", ".....", ".....", "xxXxx"]
    return Situation(rows, "x", {"x": (cards[0], cards[1]), "o": (cards[2], cards[3])}, cards[4])


def winner(at: Situation) -> str | None:
    """The side that has won: its master is where the other one began, or has captured it."""
    for side, other, goal in (("x", "o", at.rows[0][2]), ("o", "x", at.rows[4][2])):
        if goal == side.upper() or other.upper() not in "".join(at.rows):
            return side
    return None


def moves(at: Situation) -> list[str]:
    """The legal moves: `c1-c2-A`, or the card alone if there is none with a piece."""
    if winner(at):
        return []
    places = "AB" if at.side == "x" else "ab"
    found = []
    for row in range(5):
        for column in range(5):
            if at.rows[row][column].lower() == at.side:
                for place, card in zip(places, at.hands[at.side], strict=True):
                    for y, x in _targets(at, CARDS[card], row, column):
                        found.append(f"{_name(row, column)}-{_name(y, x)}-{place}")
    return sorted(found or places)


def _targets(at: Situation, card: tuple[str, ...], row: int, column: int) -> list[tuple[int, int]]:
    """Where a card leads from a square; for o it is turned round."""
    if at.side == "o":
        card = tuple(line[::-1] for line in reversed(card))
    found = []
    for down in range(5):
        for right in range(5):
            y, x = row + down - 2, column + right - 2
            inside = 0 <= y < 5 and 0 <= x < 5
            if card[down][right] == "#" and inside and at.rows[y][x].lower() != at.side:
                found.append((y, x))
    return found


def _name(row: int, column: int) -> str:
    return COLUMNS[column] + ROWS[row]


def play(at: Situation, move: str) -> Situation:
    """The situation after a move."""
    *squares, place = move.split("-")
    rows = [list(row) for row in at.rows]
    if squares:
        (y, x), (to_y, to_x) = ((ROWS.index(n[1]), COLUMNS.index(n[0])) for n in squares)
        rows[to_y][to_x], rows[y][x] = rows[y][x], "."
    first, second = at.hands[at.side]
    used = place in "Aa"
    hand = (at.spare, second) if used else (first, at.spare)
    hands, spare = {**at.hands, at.side: hand}, first if used else second
    return Situation(["".join(row) for row in rows], "o" if at.side == "x" else "x", hands, spare)


def perft(at: Situation, depth: int) -> int:
    """Number of sequences of so many moves."""
    return 1 if depth == 0 else sum(perft(play(at, move), depth - 1) for move in moves(at))
