"""Clocks in the arena: total and increment, margins, and whose flag falls when."""

import shlex
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import papan
from papan.arena.event import Match, Tournament, play_match
from papan.arena.pairs import Pair, play_pair
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
from papan.search.limits import MARGIN, Limit

GAME = "adjacency:size=4,rounds=4"
FAKE = Path(__file__).parents[1] / "fakes" / "engines" / "misbehaving.py"


@dataclass
class Sleeper(FirstMove):
    """Takes so long for each move, and notes what it was told."""

    nap: float = 0.0
    told: list[Limit] = field(default_factory=list)

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.told.append(limit)
        time.sleep(self.nap)
        return super().choose(position, limit)


def play(x: Player, o: Player, clock: str, limit: Limit | None = None, **more: float) -> PlayedGame:
    conditions = Conditions(read_time_control(clock), **more)  # type: ignore[arg-type]  # margin alone
    return play_game({"x": x, "o": o}, papan.game(GAME).start(), limit, conditions=conditions)


def test_each_clock_runs_down_by_its_own_sides_time_and_gains_the_increment() -> None:
    slow, fast = Sleeper(nap=0.05), Sleeper()
    played = play(slow, fast, "10+0.01")
    assert played.termination is Termination.RULES
    left = 10.0
    for seconds, told in zip(played.seconds[::2], slow.told, strict=True):
        assert told.clocks is not None
        assert told.clocks.left["x"] == pytest.approx(left)
        left += 0.01 - seconds
    assert left < 10.0 - 0.1
    last = fast.told[-1]
    assert last.clocks is not None
    assert last.clocks.left["o"] > 10.0
    assert last.clocks.increment == {"x": 0.01, "o": 0.01}


def test_whoever_uses_up_clock_and_margin_loses_on_time_in_the_middle_of_the_game() -> None:
    played = play(Sleeper(), Sleeper(nap=0.1), "0.15", margin=0.1)
    assert (played.termination, played.outcome) == (Termination.TIME, Outcome.X_WINS)
    assert len(played.moves) == 5
    assert sum(played.seconds[1::2]) > 0.25


def test_the_increment_keeps_a_player_in_the_game() -> None:
    assert play(Sleeper(nap=0.06), Sleeper(), "0.15", margin=0.05).termination is Termination.TIME
    kept = play(Sleeper(nap=0.06), Sleeper(), "0.15+0.1", margin=0.05)
    assert kept.termination is Termination.RULES


def test_a_limit_for_each_move_holds_beside_the_clock() -> None:
    played = play(Sleeper(nap=0.2), Sleeper(), "60", Limit(seconds=0.05), margin=0.05)
    assert (played.termination, played.outcome) == (Termination.TIME, Outcome.O_WINS)
    assert len(played.moves) == 0


def test_the_margin_of_a_fixed_time_can_be_set() -> None:
    def termination(margin: float) -> Termination:
        table = {"x": Sleeper(nap=0.1), "o": FirstMove()}
        conditions = Conditions(margin=margin)
        start = papan.game("adjacency:size=4,rounds=2").start()
        return play_game(table, start, Limit(seconds=0.01), conditions=conditions).termination

    assert termination(0.02) is Termination.TIME
    assert termination(5.0) is Termination.RULES


@pytest.mark.parametrize("mode", ["hangs", "trickles", "hangs-ignoring-sigterm"])
def test_the_flag_of_an_engine_that_hangs_falls_at_the_end_of_its_clock(mode: str) -> None:
    command = shlex.join([sys.executable, "-I", "-S", str(FAKE), mode])
    engine = UgiPlayer(command)
    start = papan.game("adjacency:size=4,rounds=2").start()
    conditions = Conditions(TimeControl(0.3, 0.1), margin=0.1)
    try:
        played = play_game({"x": FirstMove(), "o": engine}, start, conditions=conditions)
    finally:
        engine.close()
    assert (played.termination, played.outcome) == (Termination.TIME, Outcome.X_WINS)
    assert 0.4 <= played.seconds[-1] < 0.4 + 2.0


@pytest.mark.parametrize("spec", ["minimax:depth=2", "engine", "mcts", "genetic", "easy"])
def test_players_of_papan_keep_to_the_clock(spec: str) -> None:
    participant = player(spec)
    try:
        played = play(participant, FirstMove(), "2+0.05")
    finally:
        participant.close()
    assert played.termination is Termination.RULES
    assert sum(played.seconds[::2]) < 2.0 + len(played.seconds) * 0.05 + MARGIN


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
    assert len(rows) == 4
    assert rows[0][1:] == [pytest.approx(20.5, abs=0.01), 20.0, 0.5]
    assert all(0.5 < share <= 22.0 for share, *_ in rows)


def test_papans_own_server_plays_by_the_clock() -> None:
    compiling = Guards(ready_seconds=120.0)
    engine = UgiPlayer(shlex.join([sys.executable, "-m", "papan", "ugi"]), compiling)
    try:
        played = play(FirstMove(), engine, "1.5+0.02")
    finally:
        engine.close()
    assert (played.termination, played.detail) == (Termination.RULES, "")
    assert sum(played.seconds[1::2]) < 1.5 + 4 * 0.02


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
    (game,) = play_pair(
        Pair(
            "cup",
            0,
            "platforms",
            "first",
            "random",
            games=(0,),
            conditions=conditions,
            limit=Limit(depth=2),
        )
    )
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
    assert play_match(timed).games == 2


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
