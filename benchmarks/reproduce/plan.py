"""The plan: which matches are played, and how many games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from papan.arena.measure import Match
from papan.arena.openings import Opening, random_openings
from papan.players.registry import player
from papan.usercode import registry

from .claims import CAST, REPORTS, ROUNDS, Claim

#: Depths of the measurement of the horizon effect.
HORIZON_DEPTHS = (1, 2, 3, 4, 5, 6, 7)

#: Piece difference, and the evaluation that takes future changes of pieces into account.
EVALUATIONS = ("pieces", "exposure")

#: From this depth on minimax takes some 10 ms per move, with `exposure` some 100 ms.
DEEP = 6

#: Length of the reports' longest games in rounds.
HORIZON_ROUNDS = 28

#: Opponent of minimax in the horizon matches: one ply, same objective.
ONE_PLY = "hill-climbing:variant=steepest"

#: Number of random opening moves if both players would otherwise repeat one game.
OPENING_PLIES = 4

#: Boards of Platforms: size and level.
BOARDS = tuple((size, level) for size in (3, 4) for level in (1, 2, 3))

PLATFORMS_PLAYER = "platforms-minimax:depth=4"

#: Player of Platforms that makes no errors if its nodes suffice to reach the end of the game.
PERFECT = "engine:nodes=300000"


@dataclass(frozen=True)
class Effort:
    """Numbers of games, positions and nodes of a run.

    Attributes:
        pairs: game pairs of a cell with players that take a few milliseconds per move.
        deep_pairs: game pairs if a player takes some 10 ms per move.
        slow_pairs: game pairs if a player takes 100 ms or more per move.
        horizon_pairs: game pairs of minimax at small depths in the horizon matches.
        rounds: lengths of the reports' games.
        depths: minimax depths of the horizon matches.
        corners_depths: depths of the Corners program.
        corners_positions: positions for measuring times and nodes.
        corners_pairs: game pairs of a Corners cell.
        lead_pairs: game pairs for measuring the lead by round.
        cost_positions: positions for measuring time and memory per move.
        trap_depths: depths of the exploited minimax player.
        trap_pairs: game pairs against the exploited player.
        sticking_pairs: game pairs of Corners in which stuck formations are counted.
        sticking_depth: search depth of these games.
        boards: boards of Platforms.
        platforms_positions: maximum number of solved positions for each board.
        platforms_starts: won positions from which games against perfect play start.
        proof_nodes: node limit of a proof.
    """

    pairs: int = 100
    deep_pairs: int = 50
    slow_pairs: int = 5
    horizon_pairs: int = 50
    rounds: tuple[int, ...] = ROUNDS
    depths: tuple[int, ...] = HORIZON_DEPTHS
    corners_depths: tuple[int, ...] = (4, 5, 6)
    corners_positions: int = 40
    corners_pairs: int = 20
    lead_pairs: int = 100
    cost_positions: int = 40
    trap_depths: tuple[int, ...] = (2, 4, 6)
    trap_pairs: int = 20
    sticking_pairs: int = 50
    sticking_depth: int = 4
    boards: tuple[tuple[int, int], ...] = BOARDS
    platforms_positions: int = 200
    platforms_starts: int = 30
    proof_nodes: int = 1_000_000


FULL = Effort()
QUICK = Effort(
    pairs=2,
    deep_pairs=1,
    slow_pairs=1,
    horizon_pairs=2,
    depths=HORIZON_DEPTHS[:-1],  # the last one alone takes half a minute with `exposure`
    corners_positions=4,
    corners_pairs=1,
    lead_pairs=2,
    cost_positions=2,
    trap_depths=(2,),
    trap_pairs=1,
    sticking_pairs=1,
    platforms_positions=20,
    platforms_starts=2,
    proof_nodes=100_000,
)


@dataclass(frozen=True)
class PlannedMatch:
    """A match of the plan, and the claim that it tests.

    Attributes:
        section: one of `papan.cli.reproduce.SECTIONS`.
        labels: values that distinguish the cell from others of its section, for tables.
        match: the match.
        claim: the source's claim about the pairing.
        better: the stronger player in this cell according to the source; None if it does not say.
    """

    section: str
    labels: dict[str, Any]
    match: Match
    claim: Claim | None = None
    better: str | None = None


def report_cells(sizes: Effort, seed: int) -> Iterator[PlannedMatch]:
    """Yields the pairings between machines of both reports, at all lengths.

    In each pairing one player chooses at random, so no openings are needed.
    """
    for report, pairings in REPORTS.items():
        for pairing, claim in pairings.items():
            names = pairing.split(" – ")
            if "human" in names:
                continue
            first, second = (CAST[report][name] for name in names)
            deep = report == "second" and "minimax" in names
            for rounds in sizes.rounds:
                games = 2 * (sizes.deep_pairs if deep else sizes.pairs)
                match = Match(f"adjacency:rounds={rounds}", first, second, games, seed=seed)
                labels = {"report": report, "pairing": pairing, "rounds": rounds}
                yield PlannedMatch("reports", labels, _canonical(match), claim, claim.at(rounds))


def horizon_cells(sizes: Effort, seed: int) -> Iterator[PlannedMatch]:
    """Yields matches of minimax with increasing depth against a one-ply player, for two
    evaluations."""
    for evaluation in EVALUATIONS:
        for depth in sizes.depths:
            pairs = _horizon_pairs(sizes, evaluation, depth)
            searcher = f"minimax:depth={depth},evaluation={evaluation}"
            game = f"adjacency:rounds={HORIZON_ROUNDS}"
            match = Match(game, searcher, ONE_PLY, 2 * pairs, seed=seed)
            yield PlannedMatch(
                "horizon", {"evaluation": evaluation, "depth": depth}, _canonical(match)
            )


def _horizon_pairs(sizes: Effort, evaluation: str, depth: int) -> int:
    if depth < DEEP:
        return sizes.horizon_pairs
    return sizes.deep_pairs if evaluation == EVALUATIONS[0] else sizes.slow_pairs


def corners_cells(sizes: Effort, seed: int) -> Iterator[PlannedMatch]:
    """Yields the two heuristics against each other, and the blocker against both."""
    matched, corner = (
        f"corners-minimax:heuristic={name},depth=4" for name in ("matched", "corner")
    )
    openings = random_openings(registry.game("corners"), OPENING_PLIES, sizes.corners_pairs, seed)
    for first, second in (
        (matched, corner),
        ("blocker", matched),
        ("blocker", corner),
        ("blocker", "random"),
    ):
        match = Match(
            "corners", first, second, 2 * sizes.corners_pairs, seed=seed, openings=openings
        )
        yield PlannedMatch("corners", {"pairing": f"{first} – {second}"}, _canonical(match))


def platforms_cells(
    starts: dict[tuple[int, int], tuple[Opening, ...]], seed: int
) -> Iterator[PlannedMatch]:
    """Yields depth 4 against perfect play. In the first game of a pair depth 4 has the won side of
    the opening, in the second game the lost side."""
    for (size, level), openings in starts.items():
        if openings:
            match = Match(
                f"platforms:size={size},level={level}",
                PLATFORMS_PLAYER,
                PERFECT,
                2 * len(openings),
                seed=seed,
                openings=openings,
            )
            yield PlannedMatch("platforms", {"size": size, "level": level}, _canonical(match))


def _canonical(match: Match) -> Match:
    """Returns the match with canonical specs of its players and game."""
    return replace(
        match,
        game=registry.game(match.game).spec,
        first=player(match.first).spec,
        second=player(match.second).spec,
    )
