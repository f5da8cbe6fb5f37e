"""Moves as people make them: a sequence of steps, each a touched place or a word.

A search sees a move as a number. A person writes `e2-e4`: the places e2 and e4, one after the
other. Other moves are `a1-a4/a6`, or a word such as `pass`. `Game.steps` defines the steps of a
move. How a move is written, read, clicked and completed follows from its steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from papan.core.board.geometry import JOINTS, Geometry, Step, any_of
from papan.errors import InvalidMove
from papan.rules.operations import State

if TYPE_CHECKING:
    from papan.core.game import Game, Position


#: Largest number of written moves that are kept for a game.
_MOST_TEXTS = 1 << 16


class Texts(dict[int, str]):
    """The notation of a game's moves by their numbers, written when it is first needed."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self._game = game

    def __missing__(self, code: int) -> str:
        if len(self) >= _MOST_TEXTS:
            self.clear()
        text = self[code] = self._game.write_move(code)
        return text


@lru_cache(maxsize=256)
def texts_of(game: Game) -> Texts:
    """Returns the notation of a game's moves."""
    return Texts(game)


def read(game: Game, text: str, state: State) -> int:
    """Returns the number of the legal move with the given notation, with or without separators,
    or as books write it.

    Returns −1 for a text that is written like a move but is not legal.

    Raises:
        InvalidMove: the text cannot be a move of this game.
    """
    for ways in (_by_text, _by_other_text):
        if text in (codes := ways(game, state)):
            return codes[text]
    if game.has_book_notation and (bare := _without_signs(text)) in (
        codes := _by_book_text(game, state)
    ):
        return codes[bare]
    if _form(game.board, game.words).fullmatch(text):
        return -1
    example = _example(game, state)
    if game.board.find(example) is None:
        raise InvalidMove("move.unreadable", text=text, example=example)
    raise InvalidMove("move.no-square", text=text, extent=game.board.extent)


def _codes(game: Game, state: State) -> list[int]:
    """Returns the legal moves of a state, including forbidden repetitions.

    Repetitions depend on the history of the game, which a state does not have.
    """
    from papan.core.game import Position

    return Position.unchecked(game, state).codes()


@lru_cache(maxsize=64)
def _by_text(game: Game, state: State) -> dict[str, int]:
    """Returns the legal moves of a state: notation → number."""
    return {game.write_move(code): code for code in reversed(_codes(game, state))}


@lru_cache(maxsize=64)
def _by_other_text(game: Game, state: State) -> dict[str, int]:
    """Returns the same moves in two other notations: steps without separators, or joined by
    dashes.
    """
    codes: dict[str, int] = {}
    for code in _codes(game, state):
        steps = game.steps(code)
        for joint in ("-", ""):
            codes.setdefault(game.board.written(steps, (joint,)), code)
    return codes


#: Signs after a move in books: check, mate, and comments.
_SIGNS = "+#!?"


def _without_signs(text: str) -> str:
    """Returns a move in book notation without signs; castling may be written with zeros."""
    text = text.rstrip(_SIGNS)
    return text.replace("0", "O") if text.startswith("0-0") else text


@lru_cache(maxsize=64)
def _by_book_text(game: Game, state: State) -> dict[str, int]:
    """Returns the same moves in the notation of books, without signs."""
    return {_without_signs(game.book_move(code, state)): code for code in _codes(game, state)}


@lru_cache(maxsize=64)
def _form(board: Geometry, words: Sequence[str]) -> re.Pattern[str]:
    """Returns the pattern of a written move: names of places, words, and separators."""
    names = (place.name for place in board.places)
    tokens = f"(?:{any_of([*words, *names])}|{JOINTS})"
    return re.compile(f"(?!{JOINTS}){tokens}+", re.ASCII)


def _example(game: Game, state: State) -> str:
    """Returns a move that shows the notation; an empty text if the game has no moves."""
    codes = _codes(game, state) or _codes(game, game.start_state())
    return game.write_move(codes[0]) if codes else ""


# --- moves that are being made --------------------------------------------------------------------


@lru_cache(maxsize=256)
def _moves_with_steps(position: Position) -> dict[int, tuple[Step, ...]]:
    """Returns the legal moves with their steps; cached because every click needs them again."""
    return {code: position.game.steps(code) for code in position.codes()}


@dataclass(frozen=True)
class Partial:
    """A move in progress: the steps so far, and the legal moves that start with them.

    Attributes:
        position: the position in which the move is made.
        steps: the steps taken so far.
        codes: numbers of the moves that are still possible, ascending.
    """

    position: Position
    steps: tuple[Step, ...]
    codes: tuple[int, ...]

    @classmethod
    def begin(cls, position: Position) -> Partial:
        """Returns the partial move without any steps."""
        return cls(position, (), tuple(_moves_with_steps(position)))

    @classmethod
    def of(cls, position: Position, names: Iterable[str]) -> Partial:
        """Returns the partial move with the steps of the given names.

        If no legal move starts with them, the partial move has no steps.
        """
        partial = cls.begin(position)
        for name in filter(None, names):
            step = partial.step(name)
            if step not in partial.following:
                return cls.begin(position)
            partial = partial.after(step)
        return partial

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the steps."""
        return tuple(map(self.name, self.steps))

    def name(self, step: Step) -> str:
        """Returns the name of a step: a place's name, or the word itself."""
        return step if isinstance(step, str) else self.position.game.board.name(step)

    def step(self, name: str) -> Step:
        """Returns the step with a name: a word if that word can come next, otherwise a place."""
        place = self.position.game.board.find(name)
        return name if place is None or name in self.following else place

    @cached_property
    def following(self) -> dict[Step, tuple[int, ...]]:
        """The steps that can come next, each with the moves that contain it."""
        codes_by_step: dict[Step, list[int]] = {}
        count, touches = len(self.steps), self.position.game.touches
        for code in self.codes:
            steps = _moves_with_steps(self.position)[code][count : count + 1]
            for step in dict.fromkeys((*steps, *(() if count else touches(code)))):
                codes_by_step.setdefault(step, []).append(code)
        return {step: tuple(codes) for step, codes in codes_by_step.items()}

    @property
    def ended_moves(self) -> list[int]:
        """Numbers of the moves that have no further step."""
        return [code for code in self.codes if not self._rest(code)]

    @property
    def chosen_move(self) -> int | None:
        """The move that the steps so far determine; None while several moves are possible.

        A first step determines a move only if no place follows: touching a piece does not move it.
        """
        if not self.steps or len(self.codes) != 1:
            return None
        words_only = all(isinstance(step, str) for step in self._rest(self.codes[0]))
        return self.codes[0] if len(self.steps) > 1 or words_only else None

    def after(self, step: Step) -> Partial:
        """Returns the partial move with one more step; the step must be in `following`."""
        return Partial(self.position, (*self.steps, step), self.following[step])

    def apply_touch(self, step: Step) -> Partial | None:
        """Returns the partial move after a player touches a place or a word; None if it has no
        meaning.

        - A step that can come next is added.
        - A step that was already taken is undone, with all steps after it.
        - Another possible first step starts a new move.
        """
        if step in self.following:
            return self.after(step)
        partial = Partial.begin(self.position)
        if step in self.steps:
            for earlier in self.steps[: self.steps.index(step)]:
                partial = partial.after(earlier)
            return partial
        restarted = partial.after(step) if self.steps and step in partial.following else None
        return restarted if restarted and restarted.chosen_move is None else None

    def _rest(self, code: int) -> tuple[Step, ...]:
        """Returns the steps of a move that are still to come."""
        return _moves_with_steps(self.position)[code][len(self.steps) :]


def beginning(position: Position, text: str) -> list[str]:
    """Returns the legal moves that start with a text; separators between steps may be left out."""
    bare = re.sub(JOINTS, "", text)
    return [
        written
        for written in position.moves()
        if written.startswith(text) or (bare and re.sub(JOINTS, "", written).startswith(bare))
    ]
