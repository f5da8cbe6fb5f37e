"""Making databases: which way, with which keys, and what is kept when it is done."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from papan.core.game import Position
from papan.errors import InvalidLimit, Unsolved, UsageError
from papan.rules import operations as rules
from papan.rules.solving import index_count
from papan.search.limits import DEFAULT_MB, LARGEST_MB, MOST_OF_MEMORY, Stop, memory_of_machine
from papan.tablebase import forward
from papan.tablebase.circles import build_circles
from papan.tablebase.database import Database, counted
from papan.tablebase.expand import expand, new_batch
from papan.tablebase.files import (
    CIRCLES,
    FORWARD,
    block_rows,
    read_file,
    rules_digest,
    write_file,
)
from papan.tablebase.forward import build_forward
from papan.tablebase.keys import codes_of
from papan.tablebase.numbered import numbered_circles, numbered_forward
from papan.tablebase.packing import (
    NUMBERED,
    Span,
    Words,
    packing_of,
    put_least_image,
    spans_of,
    widened,
)
from papan.tablebase.parts import Parts
from papan.tablebase.results import MOST_PLIES
from papan.tablebase.spread import Order, Spread
from papan.tablebase.work import Building, BuildProgress, Circles, Misfit

#: Random games from which the bits of positions are learnt, their plies, and the time for them.
_GAMES, _PLIES, _SECONDS = 200, 200, 1.0


def build(
    position: Position,
    *,
    out: Path | None = None,
    memory_mb: float = DEFAULT_MB,
    workers: int = 1,
    executor: Executor | None = None,
    anyway: bool = False,
    pruned: bool = False,
    stop: Stop | None = None,
    on_progress: Callable[[BuildProgress], None] | None = None,
) -> Database:
    """Makes the database of all positions that can be reached from one.

    Args:
        position: the root, the start of a game as a rule.
        out: the file to write; what is finished on the way is kept beside it in `OUT.parts`, from
            which the work goes on if it is begun again. None keeps all in memory.
        memory_mb: what tables may take, in MB.
        workers: threads; the file is the same for any number of them.
        executor: does the work on layers instead, on as many pieces at a time as its `workers` say;
            for games that only go forward.
        anyway: True to go on where it is foretold that memory or disk do not suffice; the limit of
            memory is kept all the same.
        pruned: True to leave out what only comes up when somebody overlooks a win at once: where a
            move wins at once, only moves that do are followed. No result changes by that.
        stop: a switch with which any thread can end the work.
        on_progress: called now and then from the thread that works.

    Raises:
        Unsolved: memory does not suffice, the work was stopped, or there is no way to solve it.
        UsageError: a number is out of range, or a file cannot be written.
    """
    if not 1 <= memory_mb <= LARGEST_MB:
        what, expected = "@limit.memory-size", f"1 … {LARGEST_MB} MB"
        raise InvalidLimit("limit.range", what=what, value=memory_mb, expected=expected)
    if rules.repetition_is_forbidden(position.state):
        why = "@solve.positions-forbidden"
        raise Unsolved("solve.no-way", text=position, game=position.game.name, why=why)
    if pruned and rules.win_value(position.state) == 0:
        raise UsageError("database.pruned-margins", game=position.game.name)
    budget = min(int(memory_mb * 2**20), int(MOST_OF_MEMORY * memory_of_machine()))
    try:
        return _Maker(
            position, out, budget, workers, executor, anyway, pruned, stop or Stop(), on_progress
        ).make()
    except OSError as error:
        reason = error.strerror or str(error)
        raise UsageError("database.disk", text=out, reason=reason) from None


def prepare(position: Position) -> None:
    """Compiles what a database of this game takes, or loads its machine code from the cache."""
    packing = packing_of(spans_of(position.state))
    batch = new_batch(position.state, packing.width, 1)
    expand(position.state, packing, batch, batch.keys, 0, 0, True)


@dataclass
class _Maker:
    """One call of `build`: see there; `budget` is in bytes."""

    position: Position
    out: Path | None
    budget: int
    workers: int
    executor: Executor | None
    anyway: bool
    pruned: bool
    stop: Stop
    on_progress: Callable[[BuildProgress], None] | None

    def __post_init__(self) -> None:
        self.spans = sampled_spans(self.position)
        bound = int(rules.max_plies_left(self.position.state))
        self.method = FORWARD if bound <= MOST_PLIES else CIRCLES
        folder = None if self.out is None else self.out.with_name(self.out.name + ".parts")
        self.rules = rules_digest(self.position.game)
        self.parts = Parts(folder, self._identity())
        self._take_up()

    def make(self) -> Database:
        """The database, from the first key on or from what is kept."""
        while True:
            packing = NUMBERED if self.numbered else packing_of(self.spans)
            work = Building(
                self.position, packing, self.budget, self.workers, self.parts, self.stop,
                self.on_progress, self._spread(), self.anyway, self.pruned,
            )  # fmt: skip
            try:
                self._refuse_circles()
                ranks = self._way()(work)
            except Misfit as misfit:
                self.spans = widened(self.spans, misfit.words)
            except Circles:
                self.method = CIRCLES
            else:
                return self._finished(work, ranks)
            finally:
                work.close()
            self.parts.begin(self._identity())
            self._keep_choices()

    @property
    def numbered(self) -> bool:
        """True if the game's own numbers are the keys; pieces for other machines have keys."""
        return self.executor is None and index_count(self.position.state) > 0

    def _way(self) -> Callable[[Building], list[int]]:
        """The way to make the blocks."""
        if self.numbered:
            return numbered_forward if self.method == FORWARD else numbered_circles
        return build_forward if self.method == FORWARD else build_circles

    def _spread(self) -> Spread | None:
        """The workers of the executor, if there is one."""
        if self.executor is None:
            return None
        facts = (self.position.game.spec, self.rules, str(self.position))
        order = Order(*facts, tuple(self.spans), self.budget, self.pruned)
        return Spread(self.executor, order)

    def _refuse_circles(self) -> None:
        """Goes on, unless other machines are asked for and the game goes in circles.

        Raises:
            Unsolved: they are, and it does.
        """
        if self.executor is not None and self.method == CIRCLES:
            raise Unsolved("database.cluster-circles", game=self.position.game.spec)

    def _identity(self) -> dict[str, Any]:
        """The facts that parts belong to."""
        game = self.position.game.spec
        facts = {"game": game, "rules": self.rules, "root": str(self.position)}
        return {**facts, "pruned": True} if self.pruned else facts

    def _take_up(self) -> None:
        """Goes on with the keys and the method of parts that are kept."""
        if "spans" in self.parts.notes:
            self.spans = [Span(*span) for span in self.parts.notes["spans"]]
            self.method = self.parts.notes["method"]
        else:
            self._keep_choices()

    def _keep_choices(self) -> None:
        self.parts.note(spans=self.spans, method=self.method)

    def _finished(self, work: Building, ranks: list[int]) -> Database:
        blocks = [forward.kept_block(work, rank) for rank in ranks]
        header = {
            **self._identity(),
            "method": self.method,
            "positions": work.found,
            "images": work.images,
            "counts": counted([codes_of(block) for block in blocks], work.step),
            "spans": [span.rounded for span in self.spans],
            "numbered": self.numbered,
            "blocks": block_rows(ranks, blocks),
        }
        return self._written(header, blocks)

    def _written(self, header: dict[str, Any], blocks: list[Words]) -> Database:
        game = self.position.game
        if self.out is None:
            return Database(game, header, np.concatenate(blocks))
        write_file(self.out, header, blocks)
        self.parts.remove()
        return Database(game, *read_file(self.out))


def sampled_spans(position: Position) -> list[Span]:
    """The spans of the words of states that random games come by."""
    spans = spans_of(position.state)
    raw = np.zeros(2 * len(spans), np.uint64)
    ends = time.perf_counter() + _SECONDS
    for seed in range(_GAMES):
        for _, after in position.random_walk(Random(seed), _PLIES):
            put_least_image(after.state, raw)
            spans = widened(spans, raw[: len(spans)].tolist())
            if time.perf_counter() > ends:
                return spans
    return spans
