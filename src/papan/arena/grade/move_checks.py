"""Moves of a bot in many positions: legal, in time, and in how much of it."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from statistics import median
from typing import Any

from papan.core.game import Game, Position
from papan.play.table import Cause, Termination, ask, get_ready
from papan.players.base import Player
from papan.records.model import LONGEST_SAYING
from papan.rules import operations as rules
from papan.search.limits import Limit

#: Kinds of positions, the most particular first; a position is of the first kind that fits.
#:   start     no move has been made
#:   quiet     no move changes anything but its own square (no piece is turned, say)
#:   forced    there is one legal move
#:   repeated  one more occurrence and the rules end the game
#:   ending    at most `LAST` moves before the end of its game
#:   few       at most `FEW` legal moves
#:   middle    all others
KINDS = ("start", "quiet", "forced", "repeated", "ending", "few", "middle")

LAST = 6
FEW = 6

#: Legal moves up to which a position is looked at for being quiet: where there are more it takes
#: long to find out, and hardly ever holds.
QUIET_MOVES = 12

#: Random games are played until there are `SPARE` times as many different positions as are wanted,
#: or after `MOST_GAMES` games: small games do not have more positions.
SPARE = 3
MOST_GAMES = 300


@dataclass(frozen=True)
class Case:
    """A position to be asked about, and what is particular about it."""

    kind: str
    position: Position


def cases(game: Game, count: int, seed: int) -> list[Case]:
    """A number of unfinished positions in random order, of each kind as many as of any other as
    far as there are any.

    A game with fewer positions has some of them twice.
    """
    chance = Random(seed)
    heaps = _collect_positions(game, count, chance)
    chosen: list[Case] = []
    while len(chosen) < count and any(heaps.values()):
        for heap in heaps.values():
            if heap and len(chosen) < count:
                chosen.append(heap.pop())
    wanted = list(islice(cycle(chosen), count))
    chance.shuffle(wanted)
    return wanted


def _collect_positions(game: Game, count: int, chance: Random) -> dict[str, list[Case]]:
    """Different positions of random games by kind, in random order."""
    heaps: dict[str, list[Case]] = {kind: [] for kind in KINDS}
    seen: set[tuple[int, int]] = set()
    for _ in range(MOST_GAMES):
        for case in _random_game(game, chance):
            position = case.position
            name = position.key, position.stood
            if name not in seen:
                seen.add(name)
                heaps[case.kind].append(case)
        if len(seen) >= SPARE * count:
            break
    for heap in heaps.values():
        chance.shuffle(heap)
    return heaps


def _random_game(game: Game, chance: Random) -> Iterator[Case]:
    """The unfinished positions of a random game."""
    start = game.start()
    visited = [start, *(position for _, position in start.random_walk(chance))]
    for left, position in enumerate(reversed(visited[:-1]), start=1):
        yield Case(kind_of(position, is_start=left == len(visited) - 1, left=left), position)


def kind_of(position: Position, *, is_start: bool, left: int) -> str:
    """Kind of a position that was `left` plies away from the end of its game."""
    codes = position.codes()
    limit = int(rules.repetition_limit(position.state))
    fits = {
        "start": is_start,
        "forced": len(codes) == 1,
        "repeated": limit > 1 and position.stood >= limit - 2 > 0,
        "quiet": len(codes) <= QUIET_MOVES and _is_quiet(position, codes),
        "ending": left <= LAST,
        "few": len(codes) <= FEW,
        "middle": True,
    }
    return next(kind for kind in KINDS if fits[kind])


def _is_quiet(position: Position, codes: list[int]) -> bool:
    """True if no move changes more than one square."""
    before = position.game.contents(position.state)
    for code in codes:
        after = position.game.contents(position.after(code).state)
        if sum(before[square] != after[square] for square in before) > 1:
            return False
    return True


#: Failures to give any move after which a bot is not asked any more: each time costs the whole
#: time for a move. Illegal moves cost nothing, and are counted to the end.
MOST_FAILURES = 10

#: Faults that are shown in a report.
SHOWN = 10


@dataclass(frozen=True)
class CheckedMove:
    """The reply of a bot to a position.

    Attributes:
        case: the position.
        move: a legal move as the game writes it; empty if there was none.
        seconds: how long it took.
        fault: what was wrong; None for a legal move in time.
    """

    case: Case
    move: str
    seconds: float
    fault: Cause | None = None

    def as_dict(self) -> dict[str, Any]:
        """A fault for reports."""
        assert self.fault is not None
        return {
            "position": str(self.case.position),
            "kind": self.case.kind,
            "termination": self.fault.termination.value,
            "given": self.fault.given[:LONGEST_SAYING],
            "detail": self.fault.detail[:LONGEST_SAYING],
            "printed": self.fault.printed,
            "exit_code": self.fault.exit_code,
        }


def check_move(player: Player, case: Case, limit: Limit) -> CheckedMove:
    """The reply of a player that is ready for the game; raises nothing that the player raises."""
    position = case.position
    reply = ask(player, position, limit, most=limit.most_seconds(position.side))
    if reply.after is None:
        return CheckedMove(case, "", reply.seconds, reply.fault)
    # As the game writes it: bots may write a move in several ways.
    move = position.game.write_move(position.game.read_move(reply.given, position.state))
    return CheckedMove(case, move, reply.seconds)


@dataclass
class Answers:
    """All that a bot has answered.

    Attributes:
        given: in the order of asking.
        start: why the bot could not begin at all; None if it could.
        given_up: whether it was not asked to the end because it has failed too often.
        ready: seconds from the bot's start until it was ready, its warm-up call included; None if
            it never was. No move pays for them.
    """

    given: list[CheckedMove] = field(default_factory=list)
    start: Cause | None = None
    given_up: bool = False
    ready: float | None = None

    @property
    def legal(self) -> int:
        """Number of legal moves that came in time."""
        return sum(answer.fault is None for answer in self.given)

    @property
    def faults(self) -> Counter[str]:
        """Termination → how often."""
        return Counter(a.fault.termination.value for a in self.given if a.fault is not None)

    def as_dict(self) -> dict[str, Any]:
        """Counts, by kind of position too, and the first faults."""
        kinds: dict[str, dict[str, int]] = {}
        for answer in self.given:
            counts = kinds.setdefault(answer.case.kind, {"asked": 0, "legal": 0})
            counts["asked"] += 1
            counts["legal"] += answer.fault is None
        faulty = [answer for answer in self.given if answer.fault is not None]
        return {
            "asked": len(self.given),
            "legal": self.legal,
            "faults": dict(self.faults),
            "kinds": kinds,
            "given_up": self.given_up,
            "start": None if self.start is None else self.start.detail[:LONGEST_SAYING],
            "examples": [answer.as_dict() for answer in faulty[:SHOWN]],
        }

    def times(self) -> dict[str, Any]:
        """Time per move in seconds, of all moves that came, and how often it was too much."""
        late = self.faults[Termination.TIME.value]
        kinds = (None, Termination.ILLEGAL_MOVE, Termination.TIME)
        taken = sorted(a.seconds for a in self.given if (a.fault and a.fault.termination) in kinds)
        return {
            "median": median(taken) if taken else None,
            "p95": percentile(taken, 0.95) if taken else None,
            "max": taken[-1] if taken else None,
            "overruns": late,
            "ready": self.ready,
        }


def percentile(values: Sequence[float], share: float) -> float:
    """The least of sorted values below which, or at which, such a share of them lies."""
    return values[max(0, math.ceil(share * len(values)) - 1)]


def ask_all(
    player: Player,
    game: Game,
    wanted: Iterable[Case],
    limit: Limit,
    *,
    answers: Answers,
    seed: int,
    on_answer: Callable[[int], None],
) -> None:
    """Asks about all positions, in their order, and adds what comes to `answers`."""
    failures, is_ready = 0, False
    for case in wanted:
        if not is_ready:
            began = time.perf_counter()
            answers.start = get_ready(player, game, seed)
            is_ready = answers.start is None
            if is_ready and answers.ready is None:
                answers.ready = time.perf_counter() - began
        if not is_ready:
            return
        answer = check_move(player, case, limit)
        answers.given.append(answer)
        on_answer(len(answers.given))
        if answer.fault is not None and answer.fault.termination is not Termination.ILLEGAL_MOVE:
            failures, is_ready = failures + 1, False
        if failures == MOST_FAILURES:
            answers.given_up = True
            return
