"""A game file that is wrong gets one line that names its own line, and never stops the program."""

import json
import re
from pathlib import Path

import pytest

from papan.cli import main
from papan.errors import PapanError
from papan.usercode import registry, sandbox, watchdog
from support import run_python
from usercode.test_loader import HEAP, TIC_TAC_TOE, line_of

#: In place of a rule's body: what is wrong, in which rule, and what is said of it.
BODIES = {
    "a list of moves": ("moves", "return [0, 1]", "'moves' violates .* found list, expected Bits"),
    "no moves at all": ("moves", "pass", "'moves' violates .* found NoneType, expected Bits"),
    "moves in a text": ("moves", "return 'a1 b1'", "'moves' violates .* found str, expected Bits"),
    "a fraction of moves": (
        "moves",
        "return 3.0",
        "'moves' violates .* found float, expected Bits",
    ),
    "a forgotten return": ("play", "State(0, 0, 0)", "'play' .* found NoneType, expected State"),
    "a bound below zero": (
        "max_plies_left",
        "return -1",
        "'max_plies_left' .* found -1, expected ≥ 0",
    ),
    "a bound that is passed": (
        "max_plies_left",
        "return 2",
        "'max_plies_left' .* longer than .* found 2, expected ≥ 3",
    ),
    "chance in a move": (
        "play",
        "import random; return State(state.theirs, np.uint64(random.getrandbits(60)), 1)",
        "'play' .* always returns the same",
    ),
    "chance in the moves": (
        "moves",
        "import random; return np.uint64(random.getrandbits(60))",
        "'moves' .* always returns the same",
    ),
    "a move off the board": (
        "moves",
        "return np.uint64(1 << 63)",
        "'moves' .* places of the board; found 63, expected a1 … c3",
    ),
    "a third side": (
        "play",
        "return State(state.theirs, state.mine | bit(move), state.side + 1)",
        "'play' .* a game has two sides; found 2, expected 0, 1",
    ),
    "no final value": ("final_value", "pass", "'final_value' .* found None, expected ±10000, 0"),
    "the end of the program": (
        "play",
        "raise SystemExit(0)",
        r"rule for 'play' fails: it exits the program \(SystemExit\)",
    ),
    "work without end": ("play", "while True: pass", "rule for 'play' fails: it ran for more than"),
    "a recursion without end": (
        "play",
        "return play(state, move)",
        "rule for 'play' fails: RecursionError",
    ),
    "memory without end": (
        "moves",
        "many = []\n    while True: many.append(b'x' * 10**6)",
        "rule for 'moves' fails: it used",
    ),
}

#: What is added below the rules, and what is said then.
ADDED = {
    "a name that is no text": (
        "def write_move(self, move): return move",
        "'write_move' .* found 0",
    ),
    "a name of two words": (
        "def write_move(self, move): return f'to {move}'",
        "'write_move' .* one printable word; found 'to 0'",
    ),
    "one name for two moves": (
        "def write_move(self, move): return 'a1'",
        "'write_move' .* a different text; found a1 = 0, 1",
    ),
    "a name that fails": (
        "def write_move(self, move): return self.no_such()",
        "the rule for 'write_move' fails: AttributeError",
    ),
    "a step off the board": (
        "def steps(self, move): return (move, 99)",
        "'steps' .* places of the board; found 99",
    ),
    "an own constructor": (
        "def __init__(self): pass",
        "TicTacToe defines __init__; declare options",
    ),
    "a constructor that fails": (
        "def __post_init__(self): self.no_such()",
        "AttributeError: .*no_such",
    ),
}

#: In place of a text of the file, another, and what is said of it.
CHANGED = {
    "a board without rows": ("Grid(3, 3)", "Grid(0, 3)", r"size 0 × 3; expected 1"),
    "a rule for numbers": ("@play.register(State)", "@play.register(int)", "registered for int"),
    "the end of the program": ("BOARD =", "raise SystemExit(3)\nBOARD =", "it exits the program"),
    "Ctrl-C": ("BOARD =", "raise KeyboardInterrupt\nBOARD =", "it exits the program"),
    "work without end": ("BOARD =", "while True: pass\nBOARD =", "it ran for more than"),
}


#: Kinds of pieces that are none, and what is said of them.
PIECES = {
    "no letter": ('Piece("")', "has the letter ''; expected one character"),
    "a digit": ('Piece("3")', "has the letter '3'; expected one character"),
    "a third side": ('Piece("x", "y")', "has the side 'y'; expected 'x', 'o'"),
    "a drawing that is none": (
        'Piece("x", picture="wall")',
        "unknown piece picture 'wall'; expected",
    ),
    "one letter for two": ('Piece("x"), Piece("x", "o")', "two kinds of pieces have the letter x"),
}


def complaint(tmp_path: Path, source: str) -> str:
    """The one line that is said of a file."""
    path = tmp_path / "mine.py"
    path.write_text(source)
    with pytest.raises(PapanError) as caught:
        registry.game(str(path))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def with_body(rule: str, body: str) -> str:
    """Tic-tac-toe with another body of a rule."""
    head = rf"(@{rule}\.register\(State\)\ndef [^\n]*\n).*?\n\n\n"
    source, count = re.subn(
        head, lambda found: f"{found[1]}    {body}\n\n\n", TIC_TAC_TOE, flags=re.DOTALL
    )
    assert count == 1
    return f"import numpy as np\n{source}"


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "inside", True)  # what the child does, done here
    monkeypatch.setattr(watchdog, "SECONDS", 0.3)
    monkeypatch.setattr(watchdog, "MEGABYTES", 32)


@pytest.mark.parametrize("mistake", BODIES)
def test_a_wrong_rule_is_said_with_its_line(mistake: str, tmp_path: Path) -> None:
    rule, body, said = BODIES[mistake]
    source = with_body(rule, body)
    found = complaint(tmp_path, source)
    assert re.search(said, found), found
    line = int(re.match(r"mine\.py, line (\d+): ", found)[1])  # type: ignore[index]
    first = line_of(source, f"@{rule}")
    assert first <= line <= first + 5 or "write_move" in found


@pytest.mark.parametrize("mistake", ADDED)
def test_a_wrong_method_is_said_with_its_line(mistake: str, tmp_path: Path) -> None:
    method, said = ADDED[mistake]
    found = complaint(tmp_path, f"{TIC_TAC_TOE}\n    {method}\n")
    assert re.search(said, found), found
    assert re.match(r"mine\.py, line \d+: ", found)


@pytest.mark.parametrize("mistake", CHANGED)
def test_what_is_wrong_with_the_file_itself_is_said_with_its_line(
    mistake: str, tmp_path: Path
) -> None:
    old, new, said = CHANGED[mistake]
    source = TIC_TAC_TOE.replace(old, new, 1)
    assert source != TIC_TAC_TOE
    found = complaint(tmp_path, source)
    assert re.search(said, found), found
    assert found.startswith(f"mine.py, line {line_of(source, new.splitlines()[0])}: ")


@pytest.mark.parametrize("mistake", PIECES)
def test_wrong_kinds_of_pieces_are_said_with_a_line(mistake: str, tmp_path: Path) -> None:
    pieces, said = PIECES[mistake]
    source = f"from papan.gamekit import Piece\n{TIC_TAC_TOE}\n    pieces = ({pieces},)\n"
    found = complaint(tmp_path, source)
    line = line_of(source, "class TicT" if mistake == "one letter for two" else "    pieces")
    assert said in found
    assert found.startswith(f"mine.py, line {line}: ")


def test_an_unknown_look_is_said_with_the_line_of_the_class(tmp_path: Path) -> None:
    source = f"{TIC_TAC_TOE}\n    look = 'marble'\n"
    found = complaint(tmp_path, source.replace('    look = "paper"\n', ""))
    assert re.match(r"mine\.py, line \d+: unknown look 'marble'; expected plain, wood, ", found), (
        found
    )


@pytest.mark.parametrize("name", ["name", "title", "board"])
def test_an_option_does_not_take_the_name_of_what_every_game_has(name: str, tmp_path: Path) -> None:
    source = f"{HEAP}\n    {name}: int = option(4, 'about', low=1, high=9)\n"
    found = complaint(
        tmp_path,
        source.replace("class TakeThree", "@dataclass(frozen=True)\nclass TakeThree").replace(
            "import numpy", "from dataclasses import dataclass\nimport numpy"
        ),
    )
    assert f"an option cannot be called '{name}'" in found, found
    assert re.match(r"mine\.py, line \d+: ", found)


def test_a_walk_that_never_ends_is_said_of_the_rule_that_walks(tmp_path: Path) -> None:
    rule = (
        "\nfrom papan.gamekit import tail\n@tail.register(Heap)\ndef _(state, rest): return rest\n"
    )
    found = complaint(tmp_path, HEAP.replace("\nclass TakeThree", f"{rule}\nclass TakeThree"))
    assert "'tail' violates an invariant: a walk over the moves ends" in found
    assert len(found) < 400


def test_an_evaluation_beyond_the_range_of_values_is_refused(tmp_path: Path) -> None:
    source = HEAP.replace(
        "class TakeThree(Game):",
        "class Much(NamedTuple):\n    pass\n\nfrom papan.gamekit import evaluate\n"
        "@evaluate.register(Much)\ndef _(evaluation, state): return 9999\n\n"
        "class TakeThree(Game):\n    evaluations = {'much': Much()}",
    )
    assert "'evaluate' violates an invariant: heuristic values are below" in complaint(
        tmp_path, source
    )


def test_a_real_ctrl_c_is_none_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "mine.py"
    path.write_text(
        "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nfor _ in range(9): ()\n"
    )
    with pytest.raises(KeyboardInterrupt):
        registry.game(str(path))


PRINTING = HEAP.replace("    return -WIN", "    print('here', state.left)\n    return -WIN")


def test_what_a_rule_prints_goes_to_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "mine.py"
    path.write_text(PRINTING)
    assert main(["rules", str(path), "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["game"] == str(path)
    assert "here 0\n" in err


@pytest.mark.thorough
def test_a_compiled_rule_prints_nothing(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(PRINTING)
    done = run_python(
        "import sys\nfrom papan.cli import main\n"
        f"sys.exit(main(['perft', {str(path)!r}, '--depth', '10', '--json']))"
    )
    assert json.loads(done.stdout)["nodes"] > 1000
    assert done.stderr.count("here") < 100


def test_the_watchdog_raises_nothing_once_it_has_stopped() -> None:
    with watchdog.watched() as dog:
        dog._deadline = 0.0
    dog.look()
    for _ in range(1000):
        pass  # what was raised in a thread comes a few steps later
