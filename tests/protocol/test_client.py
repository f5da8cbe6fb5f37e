"""The client tells a program which game is played, as far as the program can be told."""

import math
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import papan
from papan.errors import PlayerTimeout
from papan.protocol.client import Client
from papan.protocol.guards import Guards
from papan.protocol.messages import Go, PositionCommand
from support import PATIENCE

PROGRAM = """
import sys
options = {options!r}
for line in sys.stdin:
    print(line, end="", file=open({notes!r}, "a"), flush=True)
    if line == "ugi\\n":
        print("\\n".join([*(f"option {{option}}" for option in options), "ugiok"]), flush=True)
    if line == "isready\\n":
        print("readyok", flush=True)
"""

Told = Callable[..., tuple[list[str], bool]]


@pytest.fixture
def told(tmp_path: Path) -> Iterator[Told]:
    """What a program with these options is told of some games, and whether it knows the last."""
    clients: list[Client] = []

    def tell(options: list[str], *specs: str) -> tuple[list[str], bool]:
        notes = tmp_path / "notes"
        code = PROGRAM.format(options=options, notes=str(notes))
        clients.append(Client([sys.executable, "-I", "-S", "-c", code], Guards()))
        clients[-1].greet()
        for spec in specs:
            clients[-1].new_game(papan.game(spec), 7)
        known = clients[-1].startpos_game == papan.game(specs[-1])
        lines = notes.read_text().splitlines()
        return [line for line in lines if line.startswith("setoption")], known

    yield tell
    for client in clients:
        client.close()


def test_a_program_with_the_option_game_gets_the_whole_spec(told: Told) -> None:
    options = ["name Game type string default chess", "name rounds type spin default 28"]
    assert told(options, "adjacency:rounds=8") == (
        ["setoption name Game value adjacency:rounds=8"],
        True,
    )


def test_options_of_the_game_are_set_by_name_and_set_back_to_the_programs_own_default(
    told: Told,
) -> None:
    options = ["name rounds type spin default 28", "name Size type string default 8"]
    lines, known = told(options, "adjacency:rounds=8", "adjacency")
    assert known
    assert lines == [
        "setoption name Size value 8",
        "setoption name rounds value 8",
        "setoption name Size value 8",
        "setoption name rounds value 28",
    ]


def test_a_program_that_cannot_be_told_does_not_know_the_start(told: Told) -> None:
    assert told([], "adjacency:rounds=8") == ([], False)
    assert told([], "adjacency") == ([], True)


def test_a_seed_is_told_where_there_is_such_an_option(told: Told) -> None:
    lines, _ = told(["name Seed type spin default 0"], "corners")
    assert lines == ["setoption name Seed value 7"]


HASTY = """
import sys
print("bestmove a1", flush=True)
answers = {"ugi": "ugiok\\nbestmove a1", "isready": "bestmove a1\\nreadyok", "go": "bestmove b2"}
for line in sys.stdin:
    if line.split()[0] in answers:
        print(answers[line.split()[0]], flush=True)
"""


def test_a_move_that_comes_before_the_question_is_no_answer() -> None:
    client = Client([sys.executable, "-I", "-S", "-c", HASTY], Guards())
    client.greet()
    answer = client.go(PositionCommand(), Go(), time.monotonic() + PATIENCE)
    client.close()
    assert answer.move == "b2"


TALKATIVE = """
import sys, time
more = "bestmove b2\\nreadyok\\nbestmove c3"
answers = {"ugi": "ugiok", "isready": "readyok\\nbestmove a1", "go": more}
for line in sys.stdin:
    if line.split()[0] in answers:
        print(answers[line.split()[0]], flush=True)
"""


def test_what_is_said_after_a_move_is_no_answer_to_the_next_question() -> None:
    client = Client([sys.executable, "-I", "-S", "-c", TALKATIVE], Guards())
    client.greet()
    for _ in range(5):
        answer = client.go(PositionCommand(), Go(), time.monotonic() + PATIENCE)
        assert answer.move == "b2"
    client.close()


def test_a_program_that_is_not_ready_before_a_move_has_a_limit_of_its_own() -> None:
    code = TALKATIVE.replace("if line", "if 'isready' not in line and line")
    client = Client([sys.executable, "-I", "-S", "-c", code], Guards(answer_seconds=0.2))
    client.greet()
    with pytest.raises(PlayerTimeout):
        client.go(PositionCommand(), Go(), math.inf)
    client.kill()
