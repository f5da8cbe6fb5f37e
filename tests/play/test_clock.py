"""Clocks in the arena: total and increment, margins, and whose flag falls when."""

import shlex
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import papan
from fakes.clock import FakeTime
from papan.arena.event import Tournament
from papan.arena.measure import Match, measure
from papan.arena.pairs import Pair
from papan.core.game import Outcome, Position
from papan.errors import UsageError
from papan.play.clock import Clock, TimeControl, read_time_control
from papan.play.referee import Conditions, PlayedGame, play_game
from papan.play.table import Termination
from papan.players.base import Choice, Player
from papan.players.external import PythonPlayer, UgiPlayer
from papan.players.registry import player
from papan.players.simple import FirstMove
from papan.protocol.guards import Guards
from papan.search.limits import Limit

GAME = "adjacency:size=4,rounds=4"
FAKE = Path(__file__).parents[1] / "fakes" / "engines" / "misbehaving.py"


#: A margin that no machine is busy enough to use up, in seconds.
AMPLE = 600.0


@dataclass
class Sleeper(FirstMove):
    """Takes so long for each move by the clock of its game, and notes what it was told."""

    nap: float = 0.0
    told: list[Limit] = field(default_factory=list)
    time: FakeTime = field(default_factory=FakeTime)

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.told.append(limit)
        self.time.sleep(self.nap)
        return super().choose(position, limit)


def play(
    x: Player, o: Player, clock: str, limit: Limit | None = None, margin: float = AMPLE
) -> PlayedGame:
    """A game in which nothing but a `Sleeper` takes time."""
    time = FakeTime()
    for each in (x, o):
        if isinstance(each, Sleeper):
            each.time = time
    conditions = Conditions(read_time_control(clock) if clock else None, margin)
    start = papan.game(GAME).start()
    return play_game({"x": x, "o": o}, start, limit, conditions=conditions, now=time)


def test_each_clock_runs_down_by_its_own_sides_time_and_gains_the_increment() -> None:
    slow, fast = Sleeper(nap=2.5), Sleeper()
    played = play(slow, fast, "10+0.5", margin=0)
    assert played.termination is Termination.RULES
    assert played.seconds == (2.5, 0.0) * 4
    read = [told.clocks.left for told in slow.told if told.clocks is not None]
    assert [left["x"] for left in read] == [10.0, 8.0, 6.0, 4.0]
    last = fast.told[-1]
    assert last.clocks is not None
    assert last.clocks.left["o"] == 11.5
    assert last.clocks.increment == {"x": 0.5, "o": 0.5}


def test_whoever_uses_up_clock_and_margin_loses_on_time_in_the_middle_of_the_game() -> None:
    played = play(Sleeper(), Sleeper(nap=1.0), "1.5", margin=1.0)
    assert (played.termination, played.outcome) == (Termination.TIME, Outcome.X_WINS)
    assert len(played.moves) == 5
    assert played.seconds[1::2] == (1.0, 1.0, 1.0)


def test_the_increment_keeps_a_player_in_the_game() -> None:
    assert play(Sleeper(nap=6.0), Sleeper(), "15", margin=5).termination is Termination.TIME
    assert play(Sleeper(nap=6.0), Sleeper(), "15+10", margin=5).termination is Termination.RULES


@pytest.mark.parametrize("clock", ["60", ""])
def test_a_limit_for_each_move_holds_with_its_margin_beside_a_clock_or_without(clock: str) -> None:
    late = play(Sleeper(nap=2.0), Sleeper(), clock, Limit(seconds=1.0), margin=0.5)
    assert (late.termination, late.outcome) == (Termination.TIME, Outcome.O_WINS)
    assert len(late.moves) == 0
    in_time = play(Sleeper(nap=2.0), Sleeper(), clock, Limit(seconds=1.0), margin=1.5)
    assert in_time.termination is Termination.RULES


@pytest.mark.parametrize("mode", ["hangs", "trickles", "hangs-ignoring-sigterm"])
def test_the_flag_of_an_engine_that_hangs_falls_at_the_end_of_its_clock(mode: str) -> None:
    command = shlex.join([sys.executable, "-I", "-S", str(FAKE), mode])
    engine = UgiPlayer(command)
    try:
        played = play(FirstMove(), engine, "0.3+0.1", margin=0.1)
    finally:
        engine.close()
    assert (played.termination, played.outcome) == (Termination.TIME, Outcome.X_WINS)
    assert len(played.moves) == 1


@pytest.mark.parametrize("spec", ["minimax:depth=2", "engine", "mcts", "genetic", "easy"])
def test_players_of_papan_keep_to_the_clock(spec: str) -> None:
    participant = player(spec)
    try:
        played = play(participant, FirstMove(), "0.5+0.05")
    finally:
        participant.close()
    assert played.termination is Termination.RULES


NOTING = """
from pathlib import Path

def choose(position, limit):
    with open(Path(__file__).with_name("told"), "a") as file:
        clocks = limit.clocks
        print(limit.seconds, clocks.left["x"], clocks.left["o"], clocks.increment["o"], file=file)
    return position.moves()[0]
"""


def test_a_function_in_a_file_sees_both_clocks(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(NOTING, encoding="utf-8")
    function = PythonPlayer(str(bot))
    try:
        played = play(FirstMove(), function, "20+0.5")
    finally:
        function.close()
    assert (played.termination, played.detail) == (Termination.RULES, "")
    rows = [list(map(float, line.split())) for line in (tmp_path / "told").read_text().splitlines()]
    assert [row[1:] for row in rows] == [[20.5 + n / 2, 20.0 + n / 2, 0.5] for n in range(4)]
    assert all(0.5 < share <= 22.0 for share, *_ in rows)


def test_papans_own_server_plays_by_the_clock() -> None:
    compiling = Guards(ready_seconds=120.0)
    engine = UgiPlayer(shlex.join([sys.executable, "-m", "papan", "ugi"]), compiling)
    try:
        played = play(FirstMove(), engine, "1.5+0.02")
    finally:
        engine.close()
    assert (played.termination, played.detail) == (Termination.RULES, "")


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("60", TimeControl(60.0)),
        ("60+0.6", TimeControl(60.0, 0.6)),
        ("0.5+0", TimeControl(0.5)),
        (" 1 + 2 ", TimeControl(1.0, 2.0)),
    ],
)
def test_a_clock_is_read_and_written_in_one_word(text: str, clock: TimeControl) -> None:
    assert read_time_control(text) == clock
    assert read_time_control(str(clock)) == clock


@pytest.mark.parametrize(
    "text", ["", "+", "x", "60+", "+1", "-1", "60+-1", "0", "1e9", "nan", "inf", "1+nan", "1+2+3"]
)
def test_what_is_no_clock_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(UsageError, match=r"like 60\+0\.6") as refused:
        read_time_control(text)
    assert f"'{text}'" in str(refused.value)


@pytest.mark.parametrize(
    ("limit", "conditions", "text"),
    [
        (Limit(), Conditions(), ""),
        (Limit(seconds=1.0), Conditions(), "time=1"),
        (Limit(depth=4, nodes=10**6), Conditions(), "depth=4 nodes=1000000"),
        (Limit(), Conditions(TimeControl(60, 0.6), margin=0.5), "clock=60+0.6 margin=0.5"),
    ],
)
def test_the_time_control_is_kept_in_words(limit: Limit, conditions: Conditions, text: str) -> None:
    assert conditions.time_control(limit) == text


def test_records_of_a_match_have_its_time_control() -> None:
    conditions = Conditions(TimeControl(30.0, 1.0))
    pair = Pair(
        "cup",
        0,
        "platforms",
        "first",
        "random",
        games=(0,),
        conditions=conditions,
        limit=Limit(depth=2),
    )
    (game,) = pair.play()
    assert game.time_control == "clock=30+1 depth=2"


@pytest.mark.parametrize(
    ("conditions", "match", "cup"),
    [
        (Conditions(), "b7afe0ae124b", "8d7c537fcf7e"),
        (Conditions(TimeControl(60)), "aa210aa427fb", "2feb86dbdcd3"),
        (Conditions(TimeControl(60.0, 0.6), 0.5, 80, True), "7f035e1eb0cf", "3b33d9a1dfce"),
        (Conditions(most_plies=9), "7582acb352b9", "61483b2ac6ae"),
    ],
)
def test_other_conditions_are_another_event_which_is_the_same_as_ever(
    conditions: Conditions, match: str, cup: str
) -> None:
    two = Match("platforms", "first", "random", 2, conditions=conditions)
    assert two.event == f"match first – random {match}"
    many = Tournament("platforms", ("first", "random"), conditions=conditions)
    assert many.event == f"round-robin platforms {cup}"


def test_a_match_is_played_by_the_clock() -> None:
    timed = Match("platforms", "first", "random", 2, conditions=Conditions(TimeControl(60)))
    assert measure(timed).games == 2


def test_what_a_turn_waits_for_is_on_nobody_s_clock() -> None:
    clock = Clock.of(TimeControl(10))
    clock.start(0)
    clock.hold()
    assert clock.flag_falls("x") is None
    assert clock.now_left("x", "x", 100) == 10
    clock.restart(100)
    assert clock.flag_falls("x") == 110
    assert not clock.held


def test_a_clock_that_does_not_run_is_not_held() -> None:
    clock = Clock.of(TimeControl(10))
    clock.hold()
    clock.restart(100)
    assert clock.flag_falls("x") is None
