"""Positions set up by hand: a line that may not be valid yet, and its board.

A draft is the text of a position line. Each click changes the content of a square and creates the
next line; the game reports what is still wrong with it. Two kinds of lines can be edited: boards
written with letters of pieces, and boards of platforms with two pawns. Other lines can be pasted.
"""

from __future__ import annotations

from dataclasses import dataclass

from papan.core.board.geometry import Grid
from papan.core.board.pieces import NOTHING, Content, letters_of, piece_of
from papan.core.game import Game, Position
from papan.core.notation import read_kinds, write_kinds
from papan.errors import InvalidPosition, PapanError
from papan.figures.board import Arrangement

#: Name of the tool that clears a square.
EMPTY = "empty"


@dataclass(frozen=True)
class Draft:
    """A position line being edited.

    Attributes:
        game: the game.
        line: the current text.
    """

    game: Game
    line: str

    @property
    def position(self) -> Position | None:
        """The position; None if the line is invalid."""
        try:
            return self.game.position(self.line)
        except PapanError:
            return None

    def problem(self) -> PapanError | None:
        """The error in the line; None if it is valid."""
        try:
            self.game.position(self.line)
        except PapanError as error:
            return error
        return None

    @property
    def palette(self) -> list[str]:
        """Contents to put on a square: letters of pieces, `empty`, steps left; empty if the board
        cannot be edited."""
        if _has_steps(self.game):
            return ["x", "o", *map(str, range(_most_steps(self.game) + 1))]
        by_letter = letters_of(self.game.pieces)
        return [*by_letter, EMPTY] if _read(self.game, str(self.game.start())) else []

    def put(self, square: str, piece: str) -> Draft:
        """Returns the draft with a new content on a square.

        Raises:
            InvalidPosition: The square or content does not exist, or the board cannot be read.
        """
        place = self.game.board.find(square)
        if place is None or piece not in self.palette:
            raise InvalidPosition("web.ask.put", text=square[:10], known=" ".join(self.palette))
        if _has_steps(self.game):
            return self._put_step(place, piece)
        return self._put_piece(place, piece)._fit_plies()

    def with_side(self, side: str) -> Draft:
        """Returns the draft with another side to move."""
        words = self.line.split()
        if side in ("x", "o") and len(words) > 1 and words[1] in ("x", "o"):
            words[1] = side
        return Draft(self.game, " ".join(words))

    @property
    def side(self) -> str:
        """The side to move, if known."""
        words = self.line.split()
        return words[1] if len(words) > 1 and words[1] in ("x", "o") else "x"

    @property
    def plies(self) -> str:
        """The number of plies left at the end of the line, if the game has one."""
        example = str(self.game.start()).split()
        words = self.line.split()
        counts = len(example) == 3 and example[2].isdigit() and len(words) == 3
        return words[2] if counts else ""

    def with_plies(self, plies: str) -> Draft:
        """Returns the draft with another number of plies left."""
        if not self.plies or not plies.isascii() or not plies.isdigit() or len(plies) > 4:
            return self
        return Draft(self.game, " ".join([*self.line.split()[:2], plies]))

    def arrangement(self) -> Arrangement:
        """The board for a picture, even if the position is invalid.

        Raises:
            InvalidPosition: The board cannot be read.
        """
        game = self.game
        return Arrangement.of_game(game, self._contents(), self.side)

    # --- parts

    def _contents(self) -> dict[int, Content]:
        """The content of each square in the line."""
        board = self.game.board
        if _has_steps(self.game):
            steps, pawns = self._steps()
            owners = {square: side for side, square in pawns.items()}
            return {
                square: self._content(owners.get(square, ""), steps[square])
                for square in board.squares
            }
        kinds = _read(self.game, self.line)
        if kinds is None:
            raise InvalidPosition("web.ask.board", text=self.line[:80])
        shown = [NOTHING, *(Content(piece, None, piece.owner) for piece in self.game.pieces)]
        return {square: shown[kinds.get(square, 0)] for square in board.squares}

    def _content(self, owner: str, number: int) -> Content:
        """A platform with the pawn of a side, or without one."""
        return Content(piece_of(self.game.pieces, owner) if owner else None, number, owner)

    def _put_piece(self, place: int, piece: str) -> Draft:
        kinds = _read(self.game, self.line)
        if kinds is None or place not in kinds:
            raise InvalidPosition("web.ask.board", text=self.line[:80])
        put = {**kinds, place: letters_of(self.game.pieces).get(piece, 0)}
        board = write_kinds(self.game.board.main, put, self.game.pieces)
        return Draft(self.game, " ".join([board, *self.line.split()[1:]]))

    def _fit_plies(self) -> Draft:
        """Returns the draft with one ply less if there is no room for the current number."""
        if self.position is None and self.plies.isdigit() and int(self.plies) > 0:
            fewer = self.with_plies(str(int(self.plies) - 1))
            if fewer.position is not None:
                return fewer
        return self

    def _steps(self) -> tuple[dict[int, int], dict[str, int]]:
        """The steps left of each square, and the squares of the pawns."""
        board, words = self.game.board, self.line.split()
        digits = words[0].replace("/", "") if words else ""
        if len(words) != 4 or len(digits) != len(board.squares) or not digits.isdigit():
            raise InvalidPosition("web.ask.board", text=self.line[:80])
        pawns = {
            side: place
            for side, name in zip("xo", words[2:], strict=True)
            if (place := board.find(name)) is not None
        }
        return dict(zip(board.squares, map(int, digits), strict=True)), pawns

    def _put_step(self, place: int, piece: str) -> Draft:
        steps, pawns = self._steps()
        if piece in ("x", "o"):
            pawns[piece] = place
            # The square of a pawn has lost a step.
            steps[place] = min(steps[place], _most_steps(self.game) - 1)
        else:
            steps[place] = int(piece)
        board = self.game.board
        digits = "".join(str(steps[square]) for square in board.squares)
        assert isinstance(board, Grid)
        rows = [digits[i : i + board.columns] for i in range(0, len(digits), board.columns)]
        names = [board.name(pawns[side]) if side in pawns else "-" for side in "xo"]
        return Draft(self.game, " ".join(["/".join(rows), self.side, *names]))


def _has_steps(game: Game) -> bool:
    return isinstance(game.board, Grid) and game.board.shape == "stack"


def _most_steps(game: Game) -> int:
    contents = game.contents(game.start_state())
    return max(content.number or 0 for content in contents.values())


def _read(game: Game, line: str) -> dict[int, int] | None:
    """Returns the kind of piece on each square, 0 for none; None if the line does not start with
    such a board."""
    board, word = game.board.main, (line.split() or [""])[0]
    try:
        kinds = {**dict.fromkeys(board.squares, 0), **read_kinds(word, board, game.pieces)}
    except InvalidPosition:
        return None
    return kinds
