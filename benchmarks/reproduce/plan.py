"""Which games are played, and how many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from papan.arena.measure import Match
from papan.arena.openings import Opening, random_openings
from papan.players.registry import player
from papan.usercode import registry

from .claims import CAST, REPORTS, ROUNDS, Claim

#: Depths at which the horizon is looked at.
HORIZON_DEPTHS = (1, 2, 3, 4, 5, 6, 7)

#: Piece difference, and what values a piece by what can still happen to it.
EVALUATIONS = ("pieces", "exposure")

#: From this depth on minimax takes some ten milliseconds a move, with `exposure` some hundred.
DEEP = 6

#: The longest of the reports' games, in rounds.
HORIZON_ROUNDS = 28

#: What minimax is held against there: one ply, the same objective.
ONE_PLY = "hill-climbing:variant=steepest"

#: Random moves at the start, where both players would otherwise repeat one game.
OPENING_PLIES = 4

#: Boards of Platforms: size and level.
BOARDS = tuple((size, level) for size in (3, 4) for level in (1, 2, 3))

PLATFORMS_PLAYER = "platforms-minimax:depth=4"

#: Plays Platforms without an error wherever its nodes reach the end of the game.
PERFECT = "engine:nodes=300000"


@dataclass(frozen=True)
class Effort:
    """Numbers of games, positions and nodes of a run.

    Attributes:
        pairs: game pairs in a cell of players that take a few milliseconds a move.
        deep_pairs: those where a player takes some ten milliseconds a move.
        slow_pairs: those where it takes a tenth of a second or more.
        horizon_pairs: those of minimax at small depths, at the horizon.
        rounds: lengths of the reports' games.
        depths: of minimax, at the horizon.
        corners_depths: of the Corners program.
        corners_positions: positions at which times and nodes are taken.
        corners_pairs: game pairs in a cell of Corners.
        lead_pairs: game pairs from which the lead by round is taken.
        cost_positions: positions at which time and memory of a move are taken.
        trap_depths: of the minimax that is exploited.
        trap_pairs: game pairs against it.
        sticking_pairs: game pairs of Corners in which stuck formations are counted.
        sticking_depth: of the searches there.
        boards: of Platforms.
        platforms_positions: positions solved for each board, at most.
        platforms_starts: won positions that games against perfect play start from.
        proof_nodes: nodes that proving a position may take.
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
    """A match of the plan, and what it is an answer to.

    Attributes:
        section: one of `papan.cli.reproduce.SECTIONS`.
        labels: what sets it apart from the other cells of its section, for tables.
        match: what is played.
        claim: what the source says of the pairing.
        better: who is the stronger one here according to the source; None if it says nothing.
    """

    section: str
    labels: dict[str, Any]
    match: Match
    claim: Claim | None = None
    better: str | None = None


def report_cells(sizes: Effort, seed: int) -> Iterator[PlannedMatch]:
    """The machine pairings of both reports, at all lengths.

    One of the players chooses by chance in each pairing, so that no openings are needed.
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
    """Minimax of growing depth against a look one ply ahead, with two evaluations."""
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
    """The two heuristics against each other and the blocker against them, from random openings."""
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
    """Depth 4 against perfect play: the first game of a pair from a won position, the second from
    the other side of it, a lost one."""
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
    """The match with the specs of its players and game in canonical form."""
    return replace(
        match,
        game=registry.game(match.game).spec,
        first=player(match.first).spec,
        second=player(match.second).spec,
    )
