"""Processor time as the limit of a move: what a busy machine takes away does not count."""

import threading
import time
from dataclasses import dataclass, field

import pytest

import papan
from papan.core.game import Position
from papan.play.referee import Conditions, play_game
from papan.play.table import Termination
from papan.players.base import Choice, Player
from papan.players.simple import FirstMove
from papan.search.limits import MARGIN, Limit, Stop, run_stoppable, thread_clock

START = papan.game("tictactoe").start()
CPU = Conditions(processor=True)


@dataclass
class Sleeper(FirstMove):
    """A player that takes real time, but nearly no processor time."""

    seen: list[Limit] = field(default_factory=list)

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.seen.append(limit)
        time.sleep(MARGIN + 0.1)
        return super().choose(position, limit)


class Program(Sleeper):
    """A player in another process, of which only the real time is known."""

    limits_processor_time = False


def termination(player: Player, conditions: Conditions) -> Termination:
    players = {"x": player, "o": FirstMove()}
    return play_game(players, START, Limit(seconds=0.01), conditions=conditions).termination


def test_waiting_costs_papans_own_players_nothing() -> None:
    sleeper = Sleeper()
    assert termination(sleeper, CPU) is Termination.RULES
    assert all(limit.processor for limit in sleeper.seen)
    assert termination(Sleeper(), Conditions()) is Termination.TIME


def test_programs_have_real_time() -> None:
    program = Program()
    assert termination(program, CPU) is Termination.TIME
    assert not program.seen[-1].processor


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="needs a thread's clock")
def test_a_search_is_stopped_by_the_time_of_its_own_thread() -> None:
    stop, used = Stop(), list[float]()

    def work() -> None:
        clock = thread_clock()
        time.sleep(0.1)  # takes no processor time
        assert not stop.is_set()
        while not stop.is_set():
            pass
        used.append(clock())

    run_stoppable(work, stop, 0.05, processor=True)
    assert used[0] >= 0.05


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="needs a thread's clock")
def test_other_threads_can_read_the_clock_of_a_thread() -> None:
    clock, found = thread_clock(), list[float]()
    reader = threading.Thread(target=lambda: found.append(clock()))
    reader.start()
    reader.join()
    assert found[0] <= clock()


def test_records_and_names_of_events_say_so() -> None:
    assert CPU.time_control(Limit(seconds=0.1)) == "time=0.1 processor=yes"
    assert CPU.identity() != Conditions(most_plies=1).identity()
    assert "processor" in CPU.identity()
    assert "processor" not in Conditions(most_plies=1).identity()
