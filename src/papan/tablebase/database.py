"""A database: the result of every position of a game, asked by position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from papan.core.game import Game, Position
from papan.errors import PapanError, UsageError
from papan.rules import operations as rules
from papan.rules.bits import words_of
from papan.tablebase.expand import look_up
from papan.tablebase.files import read_file, rules_digest
from papan.tablebase.keys import is_block
from papan.tablebase.packing import NUMBERED, Packing, Span, Words, packing_of
from papan.tablebase.parts import checksum
from papan.tablebase.results import (
    ABSENT,
    DRAWN,
    ENDLESS,
    LOST,
    OUTCOMES,
    WON,
    code_of_score,
    outcome_of,
    plies_of,
    score_above,
)
from papan.usercode.loader import split
from papan.usercode.registry import known_game


@dataclass(frozen=True)
class ExactValue:
    """The proven result of a position, for its side to move.

    Attributes:
        outcome: `win`, `loss`, `draw` (by rule), or `endless`: a draw because the game never ends
            on lines that keep it.
        plies: to the end of the game, the winner hurrying and the loser delaying; of a draw by rule
            the fewest on lines that keep it; None for `endless`, and where results are margins.
        margin: the final difference where results are margins, else None.
    """

    outcome: str
    plies: int | None
    margin: int | None

    def as_dict(self) -> dict[str, Any]:
        """The value as JSON has it."""
        return {"outcome": self.outcome, "plies": self.plies, "margin": self.margin}

    def __str__(self) -> str:
        number = self.margin if self.plies is None else self.plies
        return self.outcome if number is None else f"{self.outcome} {number}"


def exact_value(code: int, step: int) -> ExactValue:
    """The value that a result of 16 bits means; `step` is 0 where results are margins."""
    outcome, number = int(outcome_of(code)), int(plies_of(code))
    if step == 0:
        return ExactValue(OUTCOMES[outcome], None, -number if outcome == LOST else number)
    return ExactValue(OUTCOMES[outcome], None if outcome == ENDLESS else number, None)


class Database:
    """The results of all positions that can be reached from one.

    Args:
        game: the rules.
        header: the facts about it; see `papan.tablebase.files`.
        words: its blocks, one after the other.

    Attributes:
        positions: number of positions, of mirror images one.
        images: the same with all mirror images.
    """

    def __init__(self, game: Game, header: dict[str, Any], words: Words) -> None:
        self.game, self.header, self.words = game, header, words
        self.positions: int = header["positions"]
        self.images: int = header["images"]
        self._ranks = {row["rank"]: number for number, row in enumerate(header["blocks"])}
        self._sound: dict[int, bool] = {}  # by number of a block, once it was verified

    @classmethod
    def open(cls, path: str | Path, game: Game | None = None) -> Database:
        """Opens the database in a file.

        Args:
            path: of the file.
            game: used instead of the game that the header names. Needed for the game of a file
                that was not loaded before (see `known_game`).

        Raises:
            UsageError: it is no database of that game, it is damaged, or the rules of the game
                have changed.
        """
        header, words = read_file(path)
        own = known_game(header["game"]) if game is None else game
        same = is_same_game(own.spec, header["game"])
        if rules_digest(own) != header["rules"] or not same:
            reason = "rules" if same else "game"
            raise UsageError(f"database.other-{reason}", text=path, game=own.spec)
        try:
            root = own.position(header["root"])
        except PapanError:
            raise UsageError("database.damaged", text=path) from None
        if len(header["spans"]) != len(words_of(tuple(root.state))):
            raise UsageError("database.damaged", text=path)
        return cls(own, header, words)

    @property
    def root(self) -> Position:
        """The position from which all others are reached."""
        return self.game.position(self.header["root"])

    @property
    def has_margins(self) -> bool:
        """True if results are margins, not distances."""
        return self._step == 0

    @property
    def is_pruned(self) -> bool:
        """True if it has no positions that only come up when a win at once is overlooked."""
        return bool(self.header.get("pruned", False))

    @property
    def counts(self) -> Mapping[str, Mapping[int, int]]:
        """Number of positions by outcome and plies (or margin), of mirror images one; those that
        are endless have 0 plies."""
        return {
            outcome: {int(plies): count for plies, count in found.items()}
            for outcome, found in self.header["counts"].items()
        }

    def value(self, position: Position | str) -> ExactValue:
        """The result of a position, which may be given as its line.

        What stood before it does not matter, even if the rules ask for it.

        Raises:
            UsageError: it is not in the database.
        """
        asked = self.game.position(position) if isinstance(position, str) else position
        return exact_value(self._code(asked), self._step)

    def moves(self, position: Position | str) -> dict[str, ExactValue]:
        """The result of each legal move of a position for the side that makes it: move → value, in
        the game's order of moves. `plies` counts the move too.

        Raises:
            UsageError: a position after a move is not in the database.
        """
        asked = self.game.position(position) if isinstance(position, str) else position
        found = {}
        for move in asked.codes():
            child = Position.unchecked(self.game, rules.play(asked.state, move))
            found[self.game.write_move(move)] = self._above(asked, child)
        return found

    def _above(self, parent: Position, child: Position) -> ExactValue:
        """The value of a move that leads to `child`."""
        score = score_above(self._code(child), parent.side == child.side, self._step)
        return exact_value(code_of_score(score, self._step), self._step)

    def _code(self, position: Position) -> int:
        if position.game is not self.game and position.game != self.game:
            raise UsageError("database.other-game", text=position, game=self.game.spec)
        self._require_sound(self._block_of(position))
        code = look_up(position.state, *self._tables)
        if code < 0:
            raise UsageError("database.not-in", text=position, game=self.game.spec)
        return int(code)

    @cached_property
    def _step(self) -> int:
        return 1 if rules.win_value(self.root.state) > 0 else 0

    @cached_property
    def packing(self) -> Packing:
        """The way from states to keys."""
        if self.header.get("numbered"):
            return NUMBERED
        return packing_of([Span(*span) for span in self.header["spans"]])

    @cached_property
    def _tables(self) -> tuple[Any, ...]:
        """All that a look-up needs beside the position."""
        rows = [(each["rank"], each["at"]) for each in self.header["blocks"]]
        layers = np.array(rows, np.int64).reshape(-1)
        raw = np.zeros(2 * len(self.header["spans"]), np.uint64)
        key = np.zeros(self.packing.width, np.uint64)
        # Plain arrays are handed to compiled code faster than those that are mapped.
        return self.packing, np.asarray(self.words).view(np.ndarray), layers, raw, key

    def blocks(self) -> list[Words]:
        """The blocks of the layers, by rank.

        Raises:
            UsageError: one of them is damaged.
        """
        return [self._require_sound(number) for number in range(len(self.header["blocks"]))]

    def _block_of(self, position: Position) -> int:
        """The number of the block that a look-up of a position reads."""
        if len(self._ranks) == 1:
            return 0
        return self._ranks.get(int(rules.max_plies_left(position.state)), 0)

    def _require_sound(self, number: int) -> Words:
        """The block of that number, whose checksum and layout are verified the first time.

        Raises:
            UsageError: it is damaged.
        """
        row = self.header["blocks"][number]
        block = self.words[row["at"] : row["at"] + row["words"]]
        if number not in self._sound:
            width = 0 if self.header.get("numbered") else self.packing.width
            fine = is_block(block, row["rank"], width) and checksum(block) == row["checksum"]
            self._sound[number] = fine
        if not self._sound[number]:
            path = getattr(self.words, "filename", None) or self.game.spec
            raise UsageError("database.damaged", text=path)
        return block

    def as_dict(self) -> dict[str, Any]:
        """The facts about it as JSON has them."""
        names = ("game", "root", "method", "positions", "images", "counts")
        found = {**{name: self.header[name] for name in names}, "pruned": self.is_pruned}
        return {**found, "value": self.value(self.root).as_dict()}

    def __repr__(self) -> str:
        return f"<database of {self.game.spec}: {self.positions} positions>"


def is_same_game(one: str, other: str) -> bool:
    """True if two specs name one game: of a file, wherever it lies, with the same options."""
    files = [split(text) for text in (one, other)]
    if files[0] is None or files[1] is None:
        return one == other
    return _named(*files[0]) == _named(*files[1])


def _named(path: str, options: str) -> tuple[str, str]:
    """A file's name without its folder, and the options."""
    return Path(path).name, options


def counted(blocks: list[Any], step: int) -> dict[str, dict[int, int]]:
    """Number of results by outcome and plies, or margin: arrays of results → counts."""
    total = np.zeros(1 << 16, np.int64)
    for codes in blocks:
        total += np.bincount(codes, minlength=1 << 16)
    total[ABSENT] = 0
    found: dict[str, dict[int, int]] = {OUTCOMES[each]: {} for each in (WON, LOST, DRAWN, ENDLESS)}
    for code in np.flatnonzero(total).tolist():
        value = exact_value(code, step)
        number = value.margin if step == 0 else value.plies
        found[value.outcome][number or 0] = int(total[code])
    return found
