"""Moves as people make them: a sequence of steps, each a place that is touched or a word.

To a search a move is a number. To a person it is `e2-e4`: the places e2 and e4, one after the
other; or a1-a4/a6, or a word like `pass`. A game says the steps of a move (`Game.steps`); how a
move is written, read, clicked and completed comes from them.
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


def read(game: Game, text: str, state: State) -> int:
    """The number of the legal move that is written so, with or without what joins its steps; −1
    if the text is written like a move and none of the legal ones is.

    Raises:
        InvalidMove: the text is no move of this game, legal or not.
    """
    for ways in (_by_text, _by_other_text):
        if text in (codes := ways(game, state)):
            return codes[text]
    if _form(game.board, game.words).fullmatch(text):
        return -1
    example = _example(game, state)
    if game.board.find(example) is None:
        raise InvalidMove("move.unreadable", text=text, example=example)
    raise InvalidMove("move.no-square", text=text, extent=game.board.extent)


def _codes(game: Game, state: State) -> list[int]:
    """The legal moves of a state; repetition aside, which only a game under way knows of."""
    from papan.core.game import Position

    return Position.unchecked(game, state).codes()


@lru_cache(maxsize=64)
def _by_text(game: Game, state: State) -> dict[str, int]:
    """The legal moves of a state by the way in which they are written."""
    return {game.write_move(code): code for code in reversed(_codes(game, state))}


@lru_cache(maxsize=64)
def _by_other_text(game: Game, state: State) -> dict[str, int]:
    """Returns the same moves in other notations: steps joined by nothing, or all by dashes."""
    codes: dict[str, int] = {}
    for code in _codes(game, state):
        steps = game.steps(code)
        for joint in ("-", ""):
            codes.setdefault(game.board.written(steps, (joint,)), code)
    return codes


@lru_cache(maxsize=64)
def _form(board: Geometry, words: Sequence[str]) -> re.Pattern[str]:
    """The form of a written move: names of places, words, and what joins them."""
    names = (place.name for place in board.places)
    tokens = f"(?:{any_of([*words, *names])}|{JOINTS})"
    return re.compile(f"(?!{JOINTS}){tokens}+", re.ASCII)


def _example(game: Game, state: State) -> str:
    """A move to show how they are written; nothing where there is none."""
    codes = _codes(game, state) or _codes(game, game.start_state())
    return game.write_move(codes[0]) if codes else ""


# --- moves that are being made --------------------------------------------------------------------


@lru_cache(maxsize=256)
def _moves_with_steps(position: Position) -> dict[int, tuple[Step, ...]]:
    """The legal moves with their steps; a position is asked again with every click."""
    return {code: position.game.steps(code) for code in position.codes()}


@dataclass(frozen=True)
class Partial:
    """A move that is being made: the steps so far, and the legal moves that begin so.

    Attributes:
        position: where it is made.
        steps: those that were taken.
        codes: the numbers of the moves, ascending.
    """

    position: Position
    steps: tuple[Step, ...]
    codes: tuple[int, ...]

    @classmethod
    def begin(cls, position: Position) -> Partial:
        """A move of which nothing is known yet."""
        return cls(position, (), tuple(_moves_with_steps(position)))

    @classmethod
    def of(cls, position: Position, names: Iterable[str]) -> Partial:
        """The move with the steps of these names; none of them if no legal move begins so."""
        begun = cls.begin(position)
        for name in filter(None, names):
            step = begun.step(name)
            if step not in begun.following:
                return cls.begin(position)
            begun = begun.after(step)
        return begun

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the steps."""
        return tuple(map(self.name, self.steps))

    def name(self, step: Step) -> str:
        """A place's name, or the word that a step is."""
        return step if isinstance(step, str) else self.position.game.board.name(step)

    def step(self, name: str) -> Step:
        """The step of a name: a word where one of these can come next, else a place."""
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
        """Moves that have no further step."""
        return [code for code in self.codes if not self._rest(code)]

    @property
    def chosen_move(self) -> int | None:
        """The move that the steps decide; None while several moves are left.

        A first step decides only if no place has to be touched after it: to touch a piece is not
        to move it.
        """
        if not self.steps or len(self.codes) != 1:
            return None
        words_only = all(isinstance(step, str) for step in self._rest(self.codes[0]))
        return self.codes[0] if len(self.steps) > 1 or words_only else None

    def after(self, step: Step) -> Partial:
        """The move with one more step, one that can come next."""
        return Partial(self.position, (*self.steps, step), self.following[step])

    def apply_touch(self, step: Step) -> Partial | None:
        """Returns the partial move after a person touches a place or a word.

        A possible step is added. A step of this move goes back to before it. A possible first step
        starts another move. None if the touch means nothing.
        """
        if step in self.following:
            return self.after(step)
        begun = Partial.begin(self.position)
        if step in self.steps:
            for earlier in self.steps[: self.steps.index(step)]:
                begun = begun.after(earlier)
            return begun
        afresh = begun.after(step) if self.steps and step in begun.following else None
        return afresh if afresh and afresh.chosen_move is None else None

    def _rest(self, code: int) -> tuple[Step, ...]:
        """The steps of a move that are still to come."""
        return _moves_with_steps(self.position)[code][len(self.steps) :]


def beginning(position: Position, text: str) -> list[str]:
    """The legal moves whose written form begins with a text, with or without what joins steps."""
    bare = re.sub(JOINTS, "", text)
    return [
        written
        for written in position.moves()
        if written.startswith(text) or (bare and re.sub(JOINTS, "", written).startswith(bare))
    ]
