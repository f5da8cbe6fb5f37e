"""Clocks of a game: the time control, and the remaining time of each side.

A clock does not read the time itself. Each call gets the time as `now`, in seconds on any scale
that only increases: `time.perf_counter` within one process, seconds since the epoch if the game
must survive a restart of the server.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from papan.core.notation import SIDES
from papan.errors import UsageError
from papan.search.limits import Clocks

#: Maximum clock and increment in seconds: eleven days. Larger values are probably typing errors.
LONGEST = 1e6

#: Minimum clock in seconds: less is not enough for a single move.
SHORTEST = 0.01


@dataclass(frozen=True)
class TimeControl:
    """The time of each side for the whole game.

    Attributes:
        total: initial time in seconds.
        increment: seconds gained with each move.
    """

    total: float
    increment: float = 0.0

    def __str__(self) -> str:
        """Returns the time control as the user writes it, for example `60+0.6`."""
        return f"{self.total:g}" + (f"+{self.increment:g}" if self.increment else "")


def read_time_control(text: str) -> TimeControl:
    """Returns the time control in a text such as `60` or `60+0.6`.

    Raises:
        UsageError: the text is malformed or out of range.
    """
    total, plus, increment = text.partition("+")
    try:
        control = TimeControl(float(total), float(increment) if plus else 0.0)
    except ValueError:
        control = TimeControl(math.nan)
    # Written in this form so that NaN is rejected, too.
    if SHORTEST <= control.total <= LONGEST and 0 <= control.increment <= LONGEST:
        return control
    raise UsageError("spec.bad-value", option="--clock", text=text, expected="@word.clock")


@dataclass
class Clock:
    """The remaining time of each side.

    Attributes:
        initial: initial time of each side in seconds; 0 for a game without clock.
        increment: seconds gained with each move.
        left: remaining seconds of `x` and `o`, without the current turn. Negative after a side has
            used some of the margin.
        since: start of the current turn; None while no clock runs.
        margin: seconds between the end of the time and the fall of the flag. Used margin is not
            restored, so it can be used up only once in a game.
        held: True while the current turn is paused.
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
        """Returns the clock for a time control; for None, a clock that never runs."""
        if control is None:
            return cls(margin=margin)
        return cls(control.total, control.increment, margin=margin)

    def start(self, now: float) -> None:
        """Starts a turn; does nothing in a game without clock."""
        self.since, self.held = now if self.initial else None, False

    def hold(self) -> None:
        """Pauses the turn until it starts again; the time used so far does not count."""
        if self.since is not None:
            self.since, self.held = None, True

    def restart(self, now: float) -> None:
        """Starts the current turn again, if the clock runs or is paused."""
        if self.since is not None or self.held:
            self.start(now)

    def stop(self) -> None:
        """Stops the clock; the time of the current turn does not count."""
        self.since, self.held = None, False

    def press(self, side: str, now: float) -> None:
        """Ends a side's turn and starts the other side's clock; the first move starts the
        clocks."""
        if self.since is not None:
            self.left[side] += self.increment - self._seconds_used(now)
        self.start(now)

    def now_left(self, side: str, turn: str, now: float) -> float:
        """Returns the remaining time of a side in seconds, at least 0.

        Args:
            side: `x` or `o`.
            turn: the side to move.
            now: the current time.
        """
        return max(0.0, self.left[side] - (self._seconds_used(now) if side == turn else 0.0))

    def flag_falls(self, turn: str) -> float | None:
        """Returns when the side to move loses on time, including the margin; None if no clock
        runs."""
        if self.since is None:
            return None
        return self.since + (self.left[turn] + self.margin)

    def reset(self) -> None:
        """Resets both sides to the full time."""
        self.left = dict.fromkeys(SIDES, self.initial)
        self.stop()

    def reading(self, move_seconds: float | None = None) -> Clocks:
        """Returns the clocks for the limit of a move; without times in a game without clock.

        Args:
            move_seconds: time limit of each move; None without a limit.
        """
        if not self.initial:
            return Clocks({}, {}, move_seconds, self.margin)
        gains = dict.fromkeys(SIDES, self.increment)
        return Clocks(dict(self.left), gains, move_seconds, self.margin)

    def _seconds_used(self, now: float) -> float:
        # The system time may be set back, which must not give a side extra time.
        return 0.0 if self.since is None else max(0.0, now - self.since)
