"""Measures of what the sources state in words: leads, costs, traps, formations that get stuck.

Like those in `measures`, each is a function of plain numbers that returns what JSON can hold.
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

#: Shorter times are not told apart; a ratio needs more than 0.
_LEAST_MS = 0.001


def _finite(values: Iterable[float]) -> list[float | None]:
    """Numbers as JSON has them: null for an infinite one."""
    return [value if math.isfinite(value) else None for value in values]


# --- who leads when


def lead_by_round(rounds: int, pairs: int, seed: int) -> dict[str, Any]:
    """The lead of the first report's minimax over its local search after each round, in pieces.

    The two games of a pair, with exchanged sides, count as one value.
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
    """The records of each pair of a match."""
    for pair in match.pairs():
        yield tuple(pair.play())


def _leads(record: Record) -> list[int]:
    """The first player's lead after each round of a game of Adjacency."""
    sign = _sign(record)
    return [sign * _lead(position) for position in _positions(record)[2::2]]


def _lead(position: Position) -> int:
    """Pieces of `x` minus pieces of `o`."""
    facts = position.facts()
    return facts["fact.x"] - facts["fact.o"]


def _positions(record: Record) -> list[Position]:
    """All positions of a game, the first one included."""
    start = registry.game(record.game).start()
    return list(accumulate(record.moves, lambda here, move: here.play(move), initial=start))


# --- what a move costs


def move_costs(report: str, rounds: int, positions: int, seed: int) -> dict[str, Any]:
    """Processor time and memory of a move: genetic search divided by minimax, as a geometric mean.

    Memory is the peak of what a fresh player allocates for a game and one move: tables, trees and
    populations, not the compiled code.
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
    """Positions of random games, each at a random ply."""
    chance = random.Random(seed)
    positions = []
    for _ in range(count):
        line = [start, *(after for _, after in start.random_walk(chance))]
        positions.append(chance.choice(line[:-1]))
    return positions


def _cost(spec: str, position: Position, seed: int) -> tuple[float, float]:
    """Processor milliseconds of a move, and kilobytes at the peak."""
    thinker = _ready(spec, position, seed)
    thinker.choose(position, Limit())  # loads what is loaded once
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
    """A new player at the beginning of a game."""
    made = player(spec)
    made.new_game(position.game, seed)
    return made


# --- traps


#: Moves that the player who predicts replies tries out, best first by one ply.
CANDIDATES = 12

#: Plies that a player looks ahead beyond the depth of the one that it exploits.
DEEPER = 2


def trap_scores(knows: str, depth: int, rounds: int, pairs: int, seed: int) -> dict[str, Any]:
    """The score of a player that exploits minimax of a given depth, from random openings.

    With `knows="depth"` the exploiting player searches two plies deeper. With `knows="program"` it
    predicts each reply by the program itself: it tries out moves, lets the program play both
    sides to the end of the game, and takes the move with the best result.
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
    """The first player's lead at the end of a game."""
    return _sign(record) * _lead(_positions(record)[-1])


def _sign(record: Record) -> int:
    """1 where the first player has `x`, else −1."""
    return 1 if _players_sides(record)[0] == "x" else -1


Replies = Callable[[Position], str]


def _cache_replies(thinker: Player) -> Replies:
    """The moves of a player without chance, each asked for once."""
    known: dict[str, str] = {}

    def reply(position: Position) -> str:
        line = str(position)
        if line not in known:
            known[line] = thinker.choose(position, Limit()).move
        return known[line]

    return reply


def _play_with_traps(position: Position, side: str, replies: Replies) -> int:
    """The lead of the player who knows the program and plays `side`, at the end of a game."""
    while position.outcome() is None:
        if position.side == side:
            position = position.play(_trap(position, replies))
        else:
            position = position.play(replies(position))
    return (1 if side == "x" else -1) * _lead(position)


def _trap(position: Position, replies: Replies) -> str:
    """The move after which the program's own play leads to the best result for the side to move."""
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
    """A result with its score and the 95 % interval of it."""
    counts = Trinomial(wins, draws, losses)
    low, high = score_interval(counts)
    row = {"wins": wins, "draws": draws, "losses": losses, "score": counts.score}
    return {"games": wins + draws + losses, **row, "low": low, "high": high}


# --- formations that get stuck


def stuck_formations(first: str, second: str, depth: int, pairs: int, seed: int) -> dict[str, Any]:
    """Games of Corners between two evaluations, and how often a side of each got itself stuck.

    A formation is stuck once its goal's outer row or column has more than three pieces, or the
    outer two have more than six: no forward move repairs it. `unfinished` counts the stuck sides
    that did not win.
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
    """The sides of the first and the second player of a game of a pair."""
    return ("x", "o") if record.round % 2 == 1 else ("o", "x")


def _points(record: Record) -> float:
    """The first player's points in a game."""
    first, second = _players_sides(record)
    return {first: 1.0, second: 0.0}.get(record.result, 0.5)


def _stuck_players(record: Record) -> list[bool]:
    """For the first and the second player, whether their formation got stuck in a game."""
    positions = _positions(record)
    return [
        any(is_stuck(position, side) for position in positions if position.side != side)
        for side in _players_sides(record)
    ]


#: Pieces that have room in a row of a goal.
_ROOM = 3


def is_stuck(position: Position, side: str) -> bool:
    """True if the goal of a side of Corners cannot be filled by forward moves any more."""
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
