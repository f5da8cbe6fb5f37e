"""Measures for statements of the sources in words: leads, costs, traps, stuck formations.

As in `measures`, each measure is a function of plain numbers with a result for JSON.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from typing import Any

from papan.arena.measure import Match
from papan.arena.openings import random_openings
from papan.core.game import Position
from papan.core.notation import SIDES
from papan.players.base import Player
from papan.players.registry import player
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.counts import Trinomial
from papan.stats.elo import mean_interval, score_interval
from papan.usercode import registry

from .claims import CAST
from .plan import OPENING_PLIES

_KILOBYTE = 1024

#: Minimum time in milliseconds, because ratios need values above 0.
_LEAST_MS = 0.001


def _finite(values: Iterable[float]) -> list[float | None]:
    """Returns numbers for JSON: None for an infinite one."""
    return [value if math.isfinite(value) else None for value in values]


# --- the lead after each round


def lead_by_round(rounds: int, pairs: int, seed: int) -> dict[str, Any]:
    """Returns the lead in pieces of the first report's minimax over its local search, by round.

    The mean of the two games of a pair counts as one value.
    """
    cast = CAST["first"]
    match = Match(
        f"adjacency:rounds={rounds}", cast["minimax"], cast["local search"], 2 * pairs, seed=seed
    )
    leads = [
        [statistics.fmean(both) for both in zip(*map(_leads, records), strict=True)]
        for records in _play_pairs(match)
    ]
    rows = [_finite(mean_interval([each[number] for each in leads])) for number in range(rounds)]
    return {"rounds": rounds, "games": 2 * len(leads), "leads": rows}


def _play_pairs(match: Match) -> Iterator[tuple[Record, ...]]:
    """Plays a match; yields the records of each pair."""
    for pair in match.pairs():
        yield tuple(pair.play())


def _leads(record: Record) -> list[int]:
    """Returns the first player's lead after each round of a game of Adjacency."""
    sign = _sign(record)
    return [sign * _lead(position) for position in _positions(record)[2::2]]


def _lead(position: Position) -> int:
    """Returns the pieces of `x` minus the pieces of `o`."""
    facts = position.facts()
    return facts["fact.x"] - facts["fact.o"]


def _positions(record: Record) -> list[Position]:
    """Returns all positions of a game, including the start."""
    start = registry.game(record.game).start()
    return list(accumulate(record.moves, lambda here, move: here.play(move), initial=start))


# --- what a move costs


def move_costs(report: str, rounds: int, positions: int, seed: int) -> dict[str, Any]:
    """Returns the costs of a move of genetic search divided by those of minimax (geometric mean).

    `time` is processor time. `space` is the peak memory that a new player allocates for a game and
    one move: tables, trees and populations, but not the compiled code.
    """
    start = registry.game(f"adjacency:rounds={rounds}").start()
    places = _random_positions(start, positions, seed)
    costs_of = {
        name: [_cost(CAST[report][name], place, seed) for place in places]
        for name in ("minimax", "genetic")
    }
    row: dict[str, Any] = {"report": report, "rounds": rounds, "positions": positions}
    for index, what in enumerate(("time", "space")):
        pairs = zip(costs_of["genetic"], costs_of["minimax"], strict=True)
        logs = [math.log(one[index] / other[index]) for one, other in pairs]
        row[what] = _finite(map(_exp, mean_interval(logs)))
        for name, costs in costs_of.items():
            row[f"{name}_{what}"] = statistics.fmean(cost[index] for cost in costs)
    return row


def _exp(value: float) -> float:
    return math.exp(value) if value < math.inf else math.inf


def _random_positions(start: Position, count: int, seed: int) -> list[Position]:
    """Returns positions of random games, one from each game at a random ply."""
    chance = random.Random(seed)
    positions = []
    for _ in range(count):
        line = [start, *(after for _, after in start.random_walk(chance))]
        positions.append(chance.choice(line[:-1]))
    return positions


def _cost(spec: str, position: Position, seed: int) -> tuple[float, float]:
    """Returns the processor milliseconds and the peak kilobytes of a move."""
    thinker = _ready(spec, position, seed)
    thinker.choose(position, Limit())  # warm-up: compiles and loads
    began = time.process_time()
    thinker.choose(position, Limit())
    spent = max(_LEAST_MS, 1000 * (time.process_time() - began))
    gc.collect()
    tracemalloc.start()
    try:
        _ready(spec, position, seed).choose(position, Limit())
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    return spent, peak / _KILOBYTE


def _ready(spec: str, position: Position, seed: int) -> Player:
    """Returns a new player at the start of a game."""
    made = player(spec)
    made.new_game(position.game, seed)
    return made


# --- traps


#: Number of moves that the player with `knows="program"` tests: the best ones by one ply.
CANDIDATES = 12

#: Additional plies of the exploiting player with `knows="depth"`.
DEEPER = 2


def trap_scores(knows: str, depth: int, rounds: int, pairs: int, seed: int) -> dict[str, Any]:
    """Returns the score of a player that exploits minimax of a known depth, from random openings.

    With `knows="depth"`, the exploiting player searches two plies deeper. With `knows="program"`,
    it runs minimax itself: after each tested move, minimax plays both sides to the end of the game,
    and the move with the best result is played.
    """
    game = f"adjacency:rounds={rounds}"
    victim = f"minimax:depth={depth}"
    openings = random_openings(registry.game(game), OPENING_PLIES, pairs, seed)
    if knows == "depth":
        deeper = f"minimax:depth={depth + DEEPER}"
        match = Match(game, deeper, victim, 2 * pairs, seed=seed, openings=openings)
        results = [_lead_at_end(record) for records in _play_pairs(match) for record in records]
    else:
        thinker = player(victim)
        thinker.new_game(registry.game(game), seed)
        replies = _cache_replies(thinker)
        results = []
        for opening in openings:
            start = registry.game(game).start()
            for move in opening:
                start = start.play(move)
            results += [_play_with_traps(start, side, replies) for side in SIDES]
    wins, losses = (sum(sign * lead > 0 for lead in results) for sign in (1, -1))
    return {
        "knows": knows,
        "depth": depth,
        "rounds": rounds,
        **_score(wins, len(results) - wins - losses, losses),
    }


def _lead_at_end(record: Record) -> int:
    """Returns the first player's lead at the end of a game."""
    return _sign(record) * _lead(_positions(record)[-1])


def _sign(record: Record) -> int:
    """Returns 1 if the first player has `x`, else −1."""
    return 1 if _players_sides(record)[0] == "x" else -1


Replies = Callable[[Position], str]


def _cache_replies(thinker: Player) -> Replies:
    """Returns a function that caches the moves of a deterministic player."""
    known: dict[str, str] = {}

    def reply(position: Position) -> str:
        line = str(position)
        if line not in known:
            known[line] = thinker.choose(position, Limit()).move
        return known[line]

    return reply


def _play_with_traps(position: Position, side: str, replies: Replies) -> int:
    """Plays a game; returns the final lead of `side`, whose player knows the program."""
    while position.outcome() is None:
        if position.side == side:
            position = position.play(_trap(position, replies))
        else:
            position = position.play(replies(position))
    return (1 if side == "x" else -1) * _lead(position)


def _trap(position: Position, replies: Replies) -> str:
    """Returns the move with the best result if the program plays both sides to the end."""
    sign = 1 if position.side == "x" else -1

    def at_once(move: str) -> int:
        return sign * _lead(position.play(move))

    def in_the_end(move: str) -> int:
        after = position.play(move)
        while after.outcome() is None:
            after = after.play(replies(after))
        return sign * _lead(after)

    expected = replies(position)
    best = sorted(position.moves(), key=at_once, reverse=True)[:CANDIDATES]
    return max([expected, *best], key=in_the_end)


def _score(wins: int, draws: int, losses: int) -> dict[str, Any]:
    """Returns a result with its score and the 95 % interval of the score."""
    counts = Trinomial(wins, draws, losses)
    low, high = score_interval(counts)
    row = {"wins": wins, "draws": draws, "losses": losses, "score": counts.score}
    return {"games": wins + draws + losses, **row, "low": low, "high": high}


# --- formations that get stuck


def stuck_formations(first: str, second: str, depth: int, pairs: int, seed: int) -> dict[str, Any]:
    """Returns results of Corners between two evaluations, and how often each got stuck.

    A formation is stuck if the outer row or column of its goal has more than three pieces, or the
    outer two have more than six. Forward moves cannot repair it. `unfinished` counts the stuck
    sides that did not win.
    """
    one, other = (f"minimax:depth={depth},evaluation={name}" for name in (first, second))
    openings = random_openings(registry.game("corners"), OPENING_PLIES, pairs, seed)
    match = Match("corners", one, other, 2 * pairs, seed=seed, openings=openings)
    played = list(_play_pairs(match))
    records = [record for pair in played for record in pair]
    stuck = {record.round: _stuck_players(record) for record in records}
    points = {record.round: _points(record) for record in records}
    wins, losses = (sum(each == result for each in points.values()) for result in (1.0, 0.0))
    surplus = [
        statistics.fmean(stuck[record.round][0] - stuck[record.round][1] for record in pair)
        for pair in played
    ]
    return {
        "evaluations": [first, second],
        "depth": depth,
        **_score(wins, len(records) - wins - losses, losses),
        "stuck": [sum(each[index] for each in stuck.values()) for index in (0, 1)],
        "unfinished": [
            sum(each[index] and points[number] != won for number, each in stuck.items())
            for index, won in ((0, 1.0), (1, 0.0))
        ],
        "surplus": _finite(mean_interval(surplus)),
    }


def _players_sides(record: Record) -> tuple[str, str]:
    """Returns the sides of the first and the second player in a game of a pair."""
    return ("x", "o") if record.round % 2 == 1 else ("o", "x")


def _points(record: Record) -> float:
    """Returns the first player's points in a game."""
    first, second = _players_sides(record)
    return {first: 1.0, second: 0.0}.get(record.result, 0.5)


def _stuck_players(record: Record) -> list[bool]:
    """Returns whether the formations of the first and the second player got stuck in a game."""
    positions = _positions(record)
    return [
        any(is_stuck(position, side) for position in positions if position.side != side)
        for side in _players_sides(record)
    ]


#: Maximum number of pieces in a row or column of a goal.
_ROOM = 3


def is_stuck(position: Position, side: str) -> bool:
    """Returns whether forward moves can no longer fill the goal of a side of Corners."""
    board = str(position).split(" ")[0]
    for digit in "12345678":
        board = board.replace(digit, "." * int(digit))
    rows = board.split("/")
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    outer = (0, 1) if side == "x" else (-1, -2)
    for lines in (rows, columns):
        first, second = (lines[index].count(side) for index in outer)
        if first > _ROOM or min(first, _ROOM) + second > 2 * _ROOM:
            return True
    return False
