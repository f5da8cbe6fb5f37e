"""Plays and measures everything that is missing, and stores each result at once.

Games are in a store, measures in a file next to it. The same run in the same folder continues after
an interruption.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from papan.arena.measure import play_and_keep
from papan.arena.pairs import Pair
from papan.arena.score import Tally
from papan.campaign import Campaign, CampaignProgress, OnProgress, ignore
from papan.errors import naming
from papan.players.registry import player
from papan.records.model import Record
from papan.records.store import Store
from papan.whole_files import write_whole

from . import measures, statements
from .claims import MINIMAX_GENETIC, MINIMAX_LOCAL, REPORTS
from .plan import (
    Effort,
    PlannedMatch,
    corners_cells,
    horizon_cells,
    platforms_cells,
    report_cells,
)

GAMES_FILE = "games.sqlite"
MEASURES_FILE = "measures.json"

#: A measure of the plan: name of its function, and the arguments.
Measure = tuple[str, dict[str, Any]]


@dataclass
class Result:
    """The result of a planned match.

    Attributes:
        tally: result from the first player's view.
        seconds: for the first and the second player, total time in seconds and number of moves.
    """

    tally: Tally = field(default_factory=Tally)
    seconds: list[list[float]] = field(default_factory=lambda: [[0.0, 0], [0.0, 0]])

    def add(self, record: Record) -> None:
        """Counts a game, unless it was already counted."""
        before = self.tally.games
        self.tally.add(record)
        if self.tally.games == before:
            return
        opening = max(0, len(record.moves) - len(record.seconds))
        for ply, spent in enumerate(record.seconds, start=opening):
            of_first = (ply + record.round) % 2 == 1  # `x` moves at even plies
            total = self.seconds[0 if of_first else 1]
            total[0] += spent
            total[1] += 1

    def mean_ms(self, index: int) -> float | None:
        """Returns the milliseconds per move of the first (0) or second player (1)."""
        spent, moves = self.seconds[index]
        return 1000 * spent / moves if moves else None


@dataclass
class Findings:
    """The results of all matches and measures so far.

    Attributes:
        cells: each cell of the plan with its result.
        measures: name of the function → results, in the plan's order.
    """

    cells: list[tuple[PlannedMatch, Result]] = field(default_factory=list)
    measures: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


@dataclass
class Reproduction:
    """A run of the plan, or of a section of it.

    Attributes:
        sizes: numbers of games, positions and nodes.
        folder: folder of the results.
        seed: seed of all random choices.
        only: the section to run; empty for all.
        workers: number of processes; 0 starts one per processor.
        on_progress: called after each step.
    """

    sizes: Effort
    folder: Path
    seed: int = 0
    only: str = ""
    workers: int = 0
    on_progress: OnProgress = ignore
    findings: Findings = field(default_factory=Findings)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def wants(self, section: str) -> bool:
        """Returns True if a section is selected."""
        return self.only in ("", section)

    def run(self) -> Findings:
        """Runs everything; after an interruption `findings` has the finished results."""
        self._measure()
        cells = list(self._cells())
        results = {cell.match.event: Result() for cell in cells}
        self.findings.cells = [(cell, results[cell.match.event]) for cell in cells]
        with closing(Store(self.folder / GAMES_FILE)) as store:
            self._play(store, results)
        return self.findings

    # --- measures

    def _plan_measures(self) -> Iterator[Measure]:
        sizes, seed = self.sizes, self.seed
        yield from self._statements()
        if self.wants("corners"):
            for depth in sizes.corners_depths:
                for heuristic in ("matched", "corner"):
                    wanted = {"heuristic": heuristic, "depth": depth}
                    yield (
                        "corners_times",
                        {**wanted, "positions": sizes.corners_positions, "seed": seed},
                    )
        if self.wants("platforms"):
            for size, level in sizes.boards:
                yield (
                    "thrown_wins",
                    {
                        "size": size,
                        "level": level,
                        "positions": sizes.platforms_positions,
                        "starts": sizes.platforms_starts,
                        "nodes": sizes.proof_nodes,
                        "seed": seed,
                    },
                )

    def _statements(self) -> Iterator[Measure]:
        """Yields the measures that test the sources' statements."""
        sizes, seed = self.sizes, {"seed": self.seed}
        if self.wants("lead"):
            for rounds in _rounds(MINIMAX_LOCAL, sizes):
                yield "lead_by_round", {"rounds": rounds, "pairs": sizes.lead_pairs, **seed}
        if self.wants("cost"):
            for rounds in _rounds(MINIMAX_GENETIC, sizes):
                place = {"report": "first", "rounds": rounds}
                yield "move_costs", {**place, "positions": sizes.cost_positions, **seed}
        if self.wants("traps"):
            for depth in sizes.trap_depths:
                for knows in ("depth", "program"):
                    trap = {"knows": knows, "depth": depth, "rounds": sizes.rounds[0]}
                    yield "trap_scores", {**trap, "pairs": sizes.trap_pairs, **seed}
        if self.wants("corners"):
            for first, second in (("matched", "stuck"), ("corner", "stuck"), ("matched", "corner")):
                match = {"first": first, "second": second, "depth": sizes.sticking_depth}
                yield "stuck_formations", {**match, "pairs": sizes.sticking_pairs, **seed}

    def _measure(self) -> None:
        planned = list(self._plan_measures())
        known = self._known_measures()
        self._collect(planned, known)
        missing = [measure for measure in planned if _name(measure) not in known]
        workers = self.workers if len(missing) > 1 else 1
        with closing(Campaign(workers).run(take, missing)) as taken:
            for done, (measure, result) in enumerate(taken, start=1):
                known[_name(measure)] = result
                text = json.dumps(known, indent=1, ensure_ascii=False)
                with naming(self.folder / MEASURES_FILE):
                    write_whole(self.folder / MEASURES_FILE, text)
                self._collect(planned, known)
                self.on_progress(CampaignProgress("measures", done, len(missing)))

    def _known_measures(self) -> dict[str, Any]:
        file = self.folder / MEASURES_FILE
        known: dict[str, Any] = json.loads(file.read_text("utf-8")) if file.exists() else {}
        return known

    def _collect(self, planned: list[Measure], known: dict[str, Any]) -> None:
        results: dict[str, list[dict[str, Any]]] = {}
        for measure in planned:
            if _name(measure) in known:
                results.setdefault(measure[0], []).append(known[_name(measure)])
        self.findings.measures = results

    # --- games

    def _cells(self) -> Iterator[PlannedMatch]:
        if self.wants("reports"):
            yield from report_cells(self.sizes, self.seed)
        if self.wants("horizon"):
            yield from horizon_cells(self.sizes, self.seed)
        if self.wants("corners"):
            yield from corners_cells(self.sizes, self.seed)
        if self.wants("platforms"):
            starts = {
                (row["size"], row["level"]): tuple(tuple(moves) for moves in row["starts"])
                for row in self.findings.measures.get("thrown_wins", ())
            }
            yield from platforms_cells(starts, self.seed)

    def _play(self, store: Store, results: dict[str, Result]) -> None:
        """Plays the games that the store lacks, of all cells together."""
        pairs: list[Pair] = []
        for cell, result in self.findings.cells:
            for record in store.find(event=cell.match.event):
                if record.round <= cell.match.games:
                    result.add(record)
            pairs += cell.match.pairs(result.tally.points)
        total = sum(cell.match.games for cell, _ in self.findings.cells)
        self._compile(pairs)
        numbered = sorted(pairs, key=lambda pair: pair.number)  # so each cell gets games early
        with closing(play_and_keep(numbered, store, Campaign(self.workers))) as played:
            for pair, record in played:
                results[pair.event].add(record)
                done = sum(result.tally.games for result in results.values())
                self.on_progress(CampaignProgress("games", done, total))

    def _compile(self, pairs: list[Pair]) -> None:
        """Compiles the players here, so that the workers load the code from the cache."""
        from papan.usercode import registry

        specs = {
            (pair.game.partition(":")[0], spec)
            for pair in pairs
            for spec in (pair.first, pair.second)
        }
        for done, (game, spec) in enumerate(sorted(specs), start=1):
            with closing(player(spec)) as participant:
                participant.new_game(registry.game(game), 0)
            self.on_progress(CampaignProgress("players", done, len(specs)))


def _rounds(pairing: str, sizes: Effort) -> list[int]:
    """Returns the planned lengths at which the first report played a pairing."""
    return [rounds for rounds in REPORTS["first"][pairing].rounds if rounds in sizes.rounds]


def take(measure: Measure) -> Iterator[dict[str, Any]]:
    """Yields the result of a measure."""
    name, arguments = measure
    module = measures if hasattr(measures, name) else statements
    yield getattr(module, name)(**arguments)


def _name(measure: Measure) -> str:
    name, arguments = measure
    return f"{name} {json.dumps(arguments, sort_keys=True)}"
