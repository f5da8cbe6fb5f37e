"""Tablebases: the result of every position of a game, looked up by position."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from papan.core.game import Game, Position
from papan.errors import PapanError, UsageError
from papan.rules import operations as rules
from papan.rules.bits import words_of
from papan.rules.solving import index_count
from papan.search.limits import Stop
from papan.tablebase.building import Building, BuildProgress, CyclicGame, Misfit
from papan.tablebase.codec import (
    ABSENT,
    DRAWN,
    ENDLESS,
    LOST,
    NUMBERED,
    OUTCOMES,
    WON,
    Codec,
    ValueRange,
    Words,
    code_of_score,
    codec_of,
    outcome_of,
    plies_of,
    score_above,
)
from papan.tablebase.expand import Expansion, look_up
from papan.tablebase.forward import child_depths, solve_expansion
from papan.tablebase.keys import codes_of, is_block, sections
from papan.tablebase.store import Parts, checksum, read_file, rules_digest
from papan.usercode.loader import split
from papan.usercode.registry import known_game

#: Files that agree with changed sources: path, time of the last change, digest of the
#: rules. A server opens a file for each request, and comparing a large file takes up to a second.
_agreeing: set[tuple[str, int, str]] = set()


@dataclass(frozen=True)
class ExactValue:
    """The proven result of a position, for its side to move.

    Attributes:
        outcome: `win`, `loss`, `draw` (by rule), or `endless`: a draw in which no drawing line
            ends.
        plies: plies to the end, with the shortest win and the longest defence. For a draw by rule,
            the length of the shortest drawing line. None for `endless` and margins.
        margin: the final difference in games with margins, else None.
    """

    outcome: str
    plies: int | None
    margin: int | None

    def as_dict(self) -> dict[str, Any]:
        """Returns the value for JSON."""
        return {"outcome": self.outcome, "plies": self.plies, "margin": self.margin}

    def __str__(self) -> str:
        number = self.margin if self.plies is None else self.plies
        return self.outcome if number is None else f"{self.outcome} {number}"


def exact_value(code: int, step: int) -> ExactValue:
    """Returns the value of a 16-bit result; `step` is 0 if results are margins."""
    outcome, number = int(outcome_of(code)), int(plies_of(code))
    if step == 0:
        return ExactValue(OUTCOMES[outcome], None, -number if outcome == LOST else number)
    return ExactValue(OUTCOMES[outcome], None if outcome == ENDLESS else number, None)


class Tablebase:
    """The results of all positions that are reachable from a root.

    Args:
        game: the rules.
        header: see `papan.tablebase.store`.
        words: the blocks, concatenated.

    Attributes:
        positions: number of positions; mirror images count once.
        images: number of positions, including all mirror images.
    """

    def __init__(self, game: Game, header: dict[str, Any], words: Words) -> None:
        self.game, self.header, self.words = game, header, words
        self.positions: int = header["positions"]
        self.images: int = header["images"]
        self._numbers = {row["rank"]: number for number, row in enumerate(header["blocks"])}
        self._sound: dict[int, bool] = {}  # number of a checked block → whether it is valid

    @classmethod
    def open(cls, path: str | Path, game: Game | None = None) -> Tablebase:
        """Opens a file.

        If the source code of the rules has changed since the file was built, a sample of its
        positions is compared with the current rules.

        Args:
            path: the file.
            game: the game to use instead of the one in the header. Required for a game file that is
                not loaded yet (see `known_game`).

        Raises:
            UsageError: the file is not a tablebase of that game, it is damaged, or the rules of the
                game have changed.
        """
        # A game file that only the header names is not loaded: opening a tablebase must not run
        # code.
        header, words = read_file(path)
        own = known_game(header["game"]) if game is None else game
        if not is_same_game(own.spec, header["game"]):
            raise UsageError("tablebase.other-game", text=path, game=own.spec)
        opened = cls(own, header, words)
        # `_tables` allocates arrays by the spans; with fewer spans than words of a state, compiled
        # code would write beyond them.
        try:
            is_damaged = len(header["spans"]) != len(words_of(tuple(opened.root.state)))
        except PapanError:
            is_damaged = True
        digest = rules_digest(own)
        if digest == header["rules"]:
            if is_damaged:
                raise UsageError("tablebase.damaged", text=path)
            return opened
        # Damage and changed rules look alike here, so the message names the rules.
        stamp = (str(path), Path(path).stat().st_mtime_ns, digest)
        if stamp not in _agreeing:
            if is_damaged or not agrees_with_rules(opened):
                raise UsageError("tablebase.other-rules", text=path, game=own.spec)
            _agreeing.add(stamp)
        return opened

    @property
    def root(self) -> Position:
        """The position from which all others are reachable."""
        return self.game.position(self.header["root"])

    @property
    def has_margins(self) -> bool:
        """True if results are margins, not distances."""
        return self._step == 0

    @property
    def is_pruned(self) -> bool:
        """True if positions after a missed win are left out."""
        return bool(self.header.get("pruned", False))

    @property
    def counts(self) -> Mapping[str, Mapping[int, int]]:
        """Number of positions by outcome and plies (or margin); mirror images count once.

        Endless positions have 0 plies.
        """
        return {
            outcome: {int(plies): count for plies, count in counts.items()}
            for outcome, counts in self.header["counts"].items()
        }

    def value(self, position: Position | str) -> ExactValue:
        """Returns the result of a position, or of the position that a text describes.

        Ignores the history of the position, even if the rules depend on it.

        Raises:
            UsageError: the position is not in the tablebase.
        """
        return exact_value(self._code(self._position(position)), self._step)

    def moves(self, position: Position | str) -> dict[str, ExactValue]:
        """Returns the result of each legal move for the side that makes it: move → value.

        Moves are in the game's order. `plies` includes the move.

        Raises:
            UsageError: the position after a move is not in the tablebase.
        """
        parent = self._position(position)
        values = {}
        for move in parent.codes():
            child = Position.unchecked(self.game, rules.play(parent.state, move))
            values[self.game.write_move(move)] = self._value_of_move(parent, child)
        return values

    def _position(self, position: Position | str) -> Position:
        return self.game.position(position) if isinstance(position, str) else position

    def _value_of_move(self, parent: Position, child: Position) -> ExactValue:
        score = score_above(self._code(child), parent.side == child.side, self._step)
        return exact_value(code_of_score(score, self._step), self._step)

    def _code(self, position: Position) -> int:
        if position.game is not self.game and position.game != self.game:
            raise UsageError("tablebase.other-game", text=position, game=self.game.spec)
        self._require_sound(self._block_of(position))
        code = look_up(position.state, *self._tables)
        if code < 0:
            raise UsageError("tablebase.not-in", text=position, game=self.game.spec)
        return int(code)

    @cached_property
    def _step(self) -> int:
        return 1 if rules.win_value(self.root.state) > 0 else 0

    @cached_property
    def codec(self) -> Codec:
        """The conversion of states into keys."""
        if self.header.get("numbered"):
            return NUMBERED
        return codec_of([ValueRange(*each) for each in self.header["spans"]])

    @cached_property
    def _tables(self) -> tuple[Any, ...]:
        """The arguments of `look_up` after the position."""
        rows = [(each["rank"], each["at"]) for each in self.header["blocks"]]
        layers = np.array(rows, np.int64).reshape(-1)
        raw = np.zeros(2 * len(self.header["spans"]), np.uint64)
        key = np.zeros(self.codec.width, np.uint64)
        # Plain arrays are passed to compiled code faster than mapped ones.
        return self.codec, np.asarray(self.words).view(np.ndarray), layers, raw, key

    def blocks(self) -> list[Words]:
        """Returns the blocks of the layers, sorted by depth.

        Raises:
            UsageError: a block is damaged.
        """
        return [self._require_sound(number) for number in range(len(self.header["blocks"]))]

    def _block_of(self, position: Position) -> int:
        """Returns the number of the block that contains a position."""
        if len(self._numbers) == 1:  # a cyclic game has no depths
            return 0
        # For a depth without a block any block will do, since `look_up` finds no layer either.
        return self._numbers.get(int(rules.max_plies_left(position.state)), 0)

    def _require_sound(self, number: int) -> Words:
        """Returns the block with that number; checks its checksum and layout on first use.

        Raises:
            UsageError: the block is damaged.
        """
        row = self.header["blocks"][number]
        block = self.words[row["at"] : row["at"] + row["words"]]
        # A checksum reads the whole block, so a block is checked once, and only if it is used.
        if number not in self._sound:
            width = 0 if self.header.get("numbered") else self.codec.width
            is_right = is_block(block, row["rank"], width) and checksum(block) == row["checksum"]
            self._sound[number] = is_right
        # Compiled code does not check bounds: a damaged block must not reach it.
        if not self._sound[number]:
            path = getattr(self.words, "filename", None) or self.game.spec
            raise UsageError("tablebase.damaged", text=path)
        return block

    def as_dict(self) -> dict[str, Any]:
        """Returns the facts about the tablebase for JSON."""
        names = ("game", "root", "method", "positions", "images", "counts")
        facts = {**{name: self.header[name] for name in names}, "pruned": self.is_pruned}
        return {**facts, "value": self.value(self.root).as_dict()}

    def __repr__(self) -> str:
        return f"<tablebase of {self.game.spec}: {self.positions} positions>"


def is_same_game(one: str, other: str) -> bool:
    """True if two specs name the same game; the folder of a game file is ignored."""
    first, second = split(one), split(other)
    if first is None or second is None:
        return one == other
    return (Path(first[0]).name, first[1]) == (Path(second[0]).name, second[1])


def count_results(blocks: list[Any], step: int) -> dict[str, dict[int, int]]:
    """Returns the number of results by outcome and plies (or margin)."""
    total = np.zeros(1 << 16, np.int64)
    for codes in blocks:
        total += np.bincount(codes, minlength=1 << 16)
    total[ABSENT] = 0
    counts: dict[str, dict[int, int]] = {OUTCOMES[each]: {} for each in (WON, LOST, DRAWN, ENDLESS)}
    for code in np.flatnonzero(total).tolist():
        value = exact_value(code, step)
        number = value.margin if step == 0 else value.plies
        counts[value.outcome][number or 0] = int(total[code])
    return counts


# --- verification --------------------------------------------------------------------------------
#
# Results are compared with the results of their children. If each result follows from those, all
# results are right: a missed win in n plies would show at a position with correct children nearer
# to the end.

#: Size of a sample: an error in one of 200 positions is found 99 times in 100.
_SAMPLE = 1000


def verify(
    tablebase: Tablebase,
    *,
    workers: int = 1,
    stop: Stop | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> int:
    """Compares the result of each position with those of its children, and all checksums.

    Returns:
        The number of compared positions: all of them.

    Raises:
        UsageError: a block is damaged, or results are wrong; the message says how many.
        Unsolved: the work was stopped.
    """
    work = Building(
        # Only batches are allocated, so there is no memory limit.
        tablebase.root, tablebase.codec, 1 << 62, workers, Parts(None, {}), stop or Stop(),
        on_progress, pruned=tablebase.is_pruned,
    )  # fmt: skip
    wrong = _count_wrong(tablebase, work, 1)
    if wrong > 0:
        raise UsageError("tablebase.wrong", text=tablebase.game.spec, count=wrong)
    return tablebase.positions


def agrees_with_rules(tablebase: Tablebase) -> bool:
    """True if a sample of results, spread over all layers, follows from the rules.

    Raises:
        UsageError: a block is damaged.
    """
    # With another count of numbers, `position_of` would be called with numbers outside its range.
    places = int(tablebase.blocks()[0][0])
    if tablebase.header.get("numbered") and places != index_count(tablebase.root.state):
        return False
    work = Building(
        tablebase.root, tablebase.codec, 1 << 62, 1, Parts(None, {}), pruned=tablebase.is_pruned
    )
    try:
        return _count_wrong(tablebase, work, max(tablebase.positions // _SAMPLE, 1)) == 0
    except PapanError:
        return False


def _count_wrong(tablebase: Tablebase, work: Building, step: int) -> int:
    """Returns the number of wrong results plus the number of children that are in no block.

    Only every `step`-th position of each section is compared.
    """
    depths = [row["rank"] for row in tablebase.header["blocks"]]
    blocks = dict(zip(depths, tablebase.blocks(), strict=True))
    work.positions = tablebase.positions
    work.begin_stage("verifying", tablebase.positions)
    try:
        return sum(
            _compare(work, blocks, keys, codes)
            for block in blocks.values()
            for keys, codes in _every(block, step, work.width)
        )
    except (Misfit, CyclicGame):  # the rules have other states or moves than those of the file
        return tablebase.positions
    finally:
        work.close()


def _every(block: Words, step: int, width: int) -> Iterator[tuple[Words, Any]]:
    """Yields keys and results of every `step`-th position of each section of a block."""
    for places, keys in sections(block):
        yield keys.reshape(-1, width)[::step].reshape(-1), codes_of(block)[places[::step]]


def _compare(work: Building, blocks: dict[int, Words], keys: Words, codes: Any) -> int:
    """Returns the number of wrong results of some positions plus that of children in no block."""
    wrong = list[int]()  # filled by all threads; `append` is atomic

    def compare(expansion: Expansion) -> None:
        # A child of a depth without a block: the whole expansion counts as wrong.
        if not blocks.keys() >= set(child_depths(expansion)):
            wrong.append(expansion.size)
            return
        expected = np.zeros(expansion.size, np.uint16)
        wrong.append(solve_expansion(expansion, blocks.__getitem__, expected, work.step))
        stored = codes[expansion.first : expansion.first + expansion.size]
        wrong.append(int(np.count_nonzero(expected != stored)))

    for _ in work.expand_keys(keys, layered=len(blocks) > 1, act=compare):
        pass
    return sum(wrong)
