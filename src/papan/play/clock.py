"""Clocks of a game: the time that was agreed on, and the time that is left.

A clock has no time of its own. Each call is given the time as `now`, in seconds on any scale that
only goes forward: `time.perf_counter` where a game begins and ends in one process, seconds since
the epoch where it has to outlive the server.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from papan.core.notation import SIDES
from papan.errors import UsageError
from papan.search.limits import Clocks

#: The longest clock and increment, in seconds: eleven days. More is a slip of the pen.
LONGEST = 1e6

#: The shortest clock, in seconds: less would not be enough for a single move.
SHORTEST = 0.01


@dataclass(frozen=True)
class TimeControl:
    """The time that each side has for the whole game.

    Attributes:
        total: at the beginning, in seconds.
        increment: gained by each move, in seconds.
    """

    total: float
    increment: float = 0.0

    def __str__(self) -> str:
        """The time control as it is typed: `60+0.6`."""
        return f"{self.total:g}" + (f"+{self.increment:g}" if self.increment else "")


def read_time_control(text: str) -> TimeControl:
    """The time control that is written as `60` or `60+0.6`.

    Raises:
        UsageError: it is none, or out of range.
    """
    total, plus, increment = text.partition("+")
    try:
        control = TimeControl(float(total), float(increment) if plus else 0.0)
    except ValueError:
        control = TimeControl(math.nan)
    # Written so that NaN, which is in no range, is refused too.
    if SHORTEST <= control.total <= LONGEST and 0 <= control.increment <= LONGEST:
        return control
    raise UsageError("spec.bad-value", option="--clock", text=text, expected="@word.clock")


@dataclass
class Clock:
    """The time that each side has left.

    Attributes:
        initial: what each side begins with, in seconds; 0 for a game without clock.
        increment: gained by each move, in seconds.
        left: for `x` and `o`, in seconds, without the turn under way. Below zero once a side has
            used some of the margin.
        since: when the turn under way began; None while no clock runs.
        margin: how long after its end the flag falls, in seconds. It is not given back, so it can
            be used up once in a game.
        held: True while the turn under way waits for something that is on nobody's clock.
    """

    initial: float = 0.0
    increment: float = 0.0
    left: dict[str, float] = field(default_factory=dict)
    since: float | None = None
    margin: float = 0.0
    held: bool = False

    def __post_init__(self) -> None:
        if not self.left:
            self.left = dict.fromkeys(SIDES, self.initial)

    @classmethod
    def of(cls, control: TimeControl | None, margin: float = 0.0) -> Clock:
        """The clock for a time control; one that never runs for None."""
        if control is None:
            return cls(margin=margin)
        return cls(control.total, control.increment, margin=margin)

    def start(self, now: float) -> None:
        """Begins a turn now, whatever the clock did before; a game without clock has none to
        start."""
        self.since, self.held = now if self.initial else None, False

    def hold(self) -> None:
        """Stops the clock until the turn begins anew; what it has taken so far is not counted."""
        if self.since is not None:
            self.since, self.held = None, True

    def restart(self, now: float) -> None:
        """Begins the turn under way anew, if a clock runs or is held."""
        if self.since is not None or self.held:
            self.start(now)

    def stop(self) -> None:
        """Stops the clock; the turn under way is not counted."""
        self.since, self.held = None, False

    def press(self, side: str, now: float) -> None:
        """Ends a side's turn; from the first move on, the other side's clock runs."""
        if self.since is not None:
            self.left[side] += self.increment - self._seconds_used(now)
        self.start(now)

    def now_left(self, side: str, turn: str, now: float) -> float:
        """Time that a side has left, in seconds; 0 when it is up.

        Args:
            side: `x` or `o`.
            turn: the side to move.
            now: the time.
        """
        return max(0.0, self.left[side] - (self._seconds_used(now) if side == turn else 0.0))

    def flag_falls(self, turn: str) -> float | None:
        """When the time of the side to move is up, margin included; None while no clock runs."""
        if self.since is None:
            return None
        return self.since + (self.left[turn] + self.margin)

    def reset(self) -> None:
        """Gives both sides the whole time again."""
        self.left = dict.fromkeys(SIDES, self.initial)
        self.stop()

    def reading(self, move_seconds: float | None = None) -> Clocks:
        """The clocks for the limit of a move; nothing left or gained in a game without clock.

        Args:
            move_seconds: the longest time for any one move; None for no such limit.
        """
        if not self.initial:
            return Clocks({}, {}, move_seconds, self.margin)
        gains = dict.fromkeys(SIDES, self.increment)
        return Clocks(dict(self.left), gains, move_seconds, self.margin)

    def _seconds_used(self, now: float) -> float:
        # The time of day may be set back, which must not give anybody time.
        return 0.0 if self.since is None else max(0.0, now - self.since)
