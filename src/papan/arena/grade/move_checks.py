"""Checks of a bot's moves in many positions: legality and time."""

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

#: Kinds of positions, the most special first. A position has the first kind that applies:
#:   start     the start position
#:   quiet     each move changes only one square (for example, no piece is turned)
#:   forced    exactly one legal move
#:   repeated  the next repetition ends the game
#:   ending    at most `LAST` moves before the end of the game
#:   few       at most `FEW` legal moves
#:   middle    all others
KINDS = ("start", "quiet", "forced", "repeated", "ending", "few", "middle")

LAST = 6
FEW = 6

#: Maximum number of legal moves of a quiet position: with more moves the test is slow and rarely
#: succeeds.
QUIET_MOVES = 12

#: Random games are played until there are `SPARE` times the requested number of different
#: positions, or `MOST_GAMES` games were played: small games have fewer positions.
SPARE = 3
MOST_GAMES = 300


@dataclass(frozen=True)
class Case:
    """A position in which the bot has to move, and its kind."""

    kind: str
    position: Position


def cases(game: Game, count: int, seed: int) -> list[Case]:
    """Returns unfinished positions in random order, the same number of each kind if possible.

    If the game has fewer positions, some are repeated.
    """
    chance = Random(seed)
    heaps = _collect_positions(game, count, chance)
    chosen: list[Case] = []
    while len(chosen) < count and any(heaps.values()):
        for heap in heaps.values():
            if heap and len(chosen) < count:
                chosen.append(heap.pop())
    repeated = list(islice(cycle(chosen), count))
    chance.shuffle(repeated)
    return repeated


def _collect_positions(game: Game, count: int, chance: Random) -> dict[str, list[Case]]:
    """Returns different positions of random games by kind, in random order."""
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
    """Yields the unfinished positions of a random game."""
    start = game.start()
    visited = [start, *(position for _, position in start.random_walk(chance))]
    for left, position in enumerate(reversed(visited[:-1]), start=1):
        yield Case(kind_of(position, is_start=left == len(visited) - 1, left=left), position)


def kind_of(position: Position, *, is_start: bool, left: int) -> str:
    """Returns the kind of a position `left` plies before the end of its game."""
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
    """Returns True if each move changes at most one square."""
    before = position.game.contents(position.state)
    for code in codes:
        after = position.game.contents(position.after(code).state)
        if sum(before[square] != after[square] for square in before) > 1:
            return False
    return True


#: Number of failures (crash, timeout) that end the test, because each may cost the full time of a
#: move. Illegal moves cost no time, so they do not end it.
MOST_FAILURES = 10

#: Number of faults in a report.
SHOWN = 10


@dataclass(frozen=True)
class CheckedMove:
    """A bot's reply to a position, checked.

    Attributes:
        case: the position.
        move: the legal move in the game's notation; empty if the reply was not a legal move.
        seconds: duration in seconds.
        fault: the fault; None for a legal move in time.
    """

    case: Case
    move: str
    seconds: float
    fault: Cause | None = None

    def as_dict(self) -> dict[str, Any]:
        """Returns the fault for reports."""
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
    """Asks a ready player for a move and checks it; exceptions of the player become faults."""
    position = case.position
    reply = ask(player, position, limit, most=limit.most_seconds(position.side))
    if reply.after is None:
        return CheckedMove(case, "", reply.seconds, reply.fault)
    # Normalise the notation: bots may write a move in several ways.
    move = position.game.write_move(position.game.read_move(reply.given, position.state))
    return CheckedMove(case, move, reply.seconds)


@dataclass
class Answers:
    """All replies of a bot.

    Attributes:
        moves: the checked moves, in the order of the positions.
        start: the reason why the bot did not start; None if it started.
        given_up: True if the test ended early after `MOST_FAILURES` failures.
        ready: seconds from the bot's start until it was ready, including its warm-up call; None if
            it was never ready. This time does not count for any move.
    """

    moves: list[CheckedMove] = field(default_factory=list)
    start: Cause | None = None
    given_up: bool = False
    ready: float | None = None

    @property
    def legal(self) -> int:
        """Number of legal moves that were in time."""
        return sum(answer.fault is None for answer in self.moves)

    @property
    def faults(self) -> Counter[str]:
        """Termination → number of faults."""
        return Counter(a.fault.termination.value for a in self.moves if a.fault is not None)

    def as_dict(self) -> dict[str, Any]:
        """Returns the counts, in total and by kind of position, and the first faults."""
        kinds: dict[str, dict[str, int]] = {}
        for answer in self.moves:
            counts = kinds.setdefault(answer.case.kind, {"asked": 0, "legal": 0})
            counts["asked"] += 1
            counts["legal"] += answer.fault is None
        faulty = [answer for answer in self.moves if answer.fault is not None]
        return {
            "asked": len(self.moves),
            "legal": self.legal,
            "faults": dict(self.faults),
            "kinds": kinds,
            "given_up": self.given_up,
            "start": None if self.start is None else self.start.detail[:LONGEST_SAYING],
            "examples": [answer.as_dict() for answer in faulty[:SHOWN]],
        }

    def times(self) -> dict[str, Any]:
        """Returns median, 95th percentile and maximum time per move in seconds, and the timeouts.

        Moves without a reply (crashes) do not count.
        """
        late = self.faults[Termination.TIME.value]
        kinds = (None, Termination.ILLEGAL_MOVE, Termination.TIME)
        seconds = sorted(
            a.seconds for a in self.moves if (a.fault and a.fault.termination) in kinds
        )
        return {
            "median": median(seconds) if seconds else None,
            "p95": percentile(seconds, 0.95) if seconds else None,
            "max": seconds[-1] if seconds else None,
            "overruns": late,
            "ready": self.ready,
        }


def percentile(values: Sequence[float], share: float) -> float:
    """Returns a percentile of sorted values by the nearest rank; `share` is from 0 to 1."""
    return values[max(0, math.ceil(share * len(values)) - 1)]


def ask_all(
    player: Player,
    game: Game,
    positions: Iterable[Case],
    limit: Limit,
    *,
    answers: Answers,
    seed: int,
    on_answer: Callable[[int], None],
) -> None:
    """Asks for a move in each position, in order, and adds the replies to `answers`."""
    failures, is_ready = 0, False
    for case in positions:
        if not is_ready:
            began = time.perf_counter()
            answers.start = get_ready(player, game, seed)
            is_ready = answers.start is None
            if is_ready and answers.ready is None:
                answers.ready = time.perf_counter() - began
        if not is_ready:
            return
        answer = check_move(player, case, limit)
        answers.moves.append(answer)
        on_answer(len(answers.moves))
        if answer.fault is not None and answer.fault.termination is not Termination.ILLEGAL_MOVE:
            failures, is_ready = failures + 1, False
        if failures == MOST_FAILURES:
            answers.given_up = True
            return
