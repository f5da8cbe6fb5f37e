"""Programs that speak UCI, as players."""

import shlex
import sys
from pathlib import Path

import pytest

from papan.errors import InvalidSpec
from papan.players.external import UciPlayer
from papan.search.limits import Clocks, Limit
from papan.usercode.registry import game

#: Plays the first free square of tic-tac-toe, and notes every command.
PROGRAM = """
import sys
notes = open(sys.argv[1], "w", buffering=1)
free = []
for line in sys.stdin:
    notes.write(line)
    words = line.split()
    if words == ["uci"]:
        print("option name Skill Level type spin default 20", "uciok", sep="\\n", flush=True)
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        free = [c + r for r in "123" for c in "abc" if c + r not in words]
    elif words[:1] == ["go"]:
        print("info depth 1 score cp 12 pv " + free[0])
        print("bestmove " + free[0], flush=True)
    elif words == ["quit"]:
        break
"""


@pytest.fixture
def command(tmp_path: Path) -> str:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    return shlex.join([sys.executable, str(program), str(tmp_path / "notes")])


def test_a_program_gets_its_options_positions_and_clocks(command: str, tmp_path: Path) -> None:
    player = UciPlayer(f"{command} 'option.Skill Level=3'")
    rules = game("tictactoe")
    player.new_game(rules, 1)
    clocks = Clocks(left={"x": 2.0, "o": 3.0}, increment={"x": 0.5})
    choice = player.choose(rules.start().play("a1"), Limit(clocks=clocks))
    player.close()
    assert (choice.move, choice.value) == ("b1", 0.12)
    notes = (tmp_path / "notes").read_text().splitlines()
    assert notes[:3] == ["uci", "setoption name Skill Level value 3", "ucinewgame"]
    assert "position startpos moves a1" in notes
    assert "go wtime 2000 btime 3000 winc 500" in notes


def test_an_option_that_a_program_does_not_have_is_refused(command: str) -> None:
    player = UciPlayer(f"{command} option.Skill=3")
    with pytest.raises(InvalidSpec, match="no option 'Skill'; it has: Skill Level"):
        player.new_game(game("tictactoe"), 1)
    player.close()
