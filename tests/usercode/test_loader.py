"""A game in a file is found by its path, and what is wrong with it is said in one line."""

import pickle
import re
import shutil
from pathlib import Path

import pytest

import papan
from papan.errors import InvalidGame, InvalidPosition, InvalidSpec, PapanError
from papan.usercode import loader, registry, sandbox
from support import run_python

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "games"
TIC_TAC_TOE = (EXAMPLES / "tictactoe.py").read_text(encoding="utf-8")

HEAP = '''
from typing import NamedTuple
import numpy as np
from papan.gamekit import WIN, Bits, Grid, Game, final_value, moves, option, play, max_plies_left

class Heap(NamedTuple):
    left: int
    side: int

@moves.register(Heap)
def _(state: Heap) -> Bits:
    return np.uint64((1 << min(3, state.left)) - 1)

@play.register(Heap)
def _(state: Heap, move: int) -> Heap:
    return Heap(state.left - move - 1, 1 - state.side)

@final_value.register(Heap)
def _(state: Heap) -> int:
    return -WIN

@max_plies_left.register(Heap)
def _(state: Heap) -> int:
    return state.left

class TakeThree(Game):
    """Take one, two or three; the last one wins."""

    board = Grid(1, 3)
    size: int = option(21, "counters", low=1, high=63)

    def start_state(self) -> Heap:
        return Heap(self.size, 0)
'''


@pytest.fixture
def heap(tmp_path: Path) -> str:
    """The path of a game with an option."""
    path = tmp_path / "heap.py"
    path.write_text(HEAP)
    return str(path)


def refusal(tmp_path: Path, source: str, old: str = "", new: str = "") -> str:
    """The error of a game after some text in its file was replaced."""
    assert old in source
    path = tmp_path / "mine.py"
    path.write_text(source.replace(old, new, 1))
    with pytest.raises(PapanError) as caught:
        registry.game(str(path))
    said = str(caught.value)
    assert "\n" not in said
    return said


def line_of(source: str, text: str) -> int:
    """The number of the first line with that text."""
    return next(n for n, line in enumerate(source.splitlines(), 1) if text in line)


# --- being found ---------------------------------------------------------------------------------


def test_a_path_names_the_game_in_the_file_with_its_options(heap: str) -> None:
    assert registry.game(heap).spec == heap
    smaller = registry.game(f"{heap}:size=5")
    assert smaller.spec == f"{heap}:size=5"
    assert smaller == papan.game(smaller.spec)
    assert str(smaller.start()) == "x 5"
    assert smaller.start().moves() == ["a1", "b1", "c1"]
    assert smaller.max_plies == 5


def test_a_class_names_its_game(heap: str) -> None:
    assert registry.game(heap).title == "Take three"


@pytest.mark.parametrize(
    ("options", "said"),
    [("size=99", "'99' is not allowed"), ("sise=9", r"no option 'sise' \(size\?\)"), ("9", "'9'")],
)
def test_options_of_a_file_are_checked_like_all_others(heap: str, options: str, said: str) -> None:
    with pytest.raises(InvalidSpec, match=said):
        registry.game(f"{heap}:{options}")


def test_the_same_contents_are_loaded_once_and_changed_ones_anew(heap: str, tmp_path: Path) -> None:
    first = loader.load(heap)
    assert loader.load(heap) is first
    Path(heap).write_text(HEAP.replace("min(3,", "min(2,"))
    assert loader.load(heap) is not first
    assert registry.game(heap).start().moves() == ["a1", "b1"]


def test_a_spec_names_the_path_by_which_the_game_was_loaded_last(heap: str, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere"
    copy.mkdir()
    second = shutil.copy(heap, copy)
    assert papan.game(heap).spec == heap
    assert papan.game(second).spec == second


def test_drives_and_colons_in_paths_are_no_options() -> None:
    assert loader.split("mygame.py") == ("mygame.py", "")
    assert loader.split("mygame.py:size=4,first=o") == ("mygame.py", "size=4,first=o")
    assert loader.split(r"C:\games\mine.py:size=4") == (r"C:\games\mine.py", "size=4")
    assert loader.split("adjacency:size=4") is None
    assert loader.split("mygame.pyx") is None


def test_a_file_may_import_what_stands_beside_it(tmp_path: Path) -> None:
    (tmp_path / "limits_of_mine.py").write_text("MOST = 2\n")
    path = tmp_path / "heap.py"
    path.write_text(f"from limits_of_mine import MOST\n{HEAP.replace('min(3,', 'min(MOST,')}")
    assert registry.game(str(path)).start().moves() == ["a1", "b1"]


@pytest.mark.parametrize("changed", ["beside.py", "numbers.txt"])
def test_a_file_is_tried_apart_again_when_what_it_reads_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setenv("PAPAN_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "beside.py").write_text("MOST = 3\n")
    (tmp_path / "numbers.txt").write_text("21\n")
    path = tmp_path / "reading.py"
    reading = "from pathlib import Path\nimport beside\n"
    reading += "assert Path(__file__).with_name('numbers.txt').read_text() != 'none'\n"
    path.write_text(reading + HEAP)
    assert sandbox.require_harmless(path, "")
    monkeypatch.setattr(sandbox, "_found", {})
    assert not sandbox.require_harmless(path, "")  # it is remembered
    monkeypatch.setattr(sandbox, "_found", {})
    endings = {"beside.py": "import os; os._exit(7)", "numbers.txt": "none"}
    (tmp_path / changed).write_text(endings[changed])
    with pytest.raises(InvalidGame):
        sandbox.require_harmless(path, "")


def test_another_process_finds_the_game_by_its_spec(heap: str) -> None:
    code = f"import papan; print(papan.game({heap + ':size=7'!r}).start())"
    assert run_python(code).stdout == "x 7\n"


@pytest.mark.thorough
def test_compiled_rules_of_a_file_are_kept_wherever_it_lies(heap: str, tmp_path: Path) -> None:
    cache, moved = tmp_path / "cache", tmp_path / "elsewhere" / "heap.py"
    moved.parent.mkdir()
    shutil.copy(heap, moved)
    hits = []
    for path in (heap, heap, str(moved)):
        code = (
            "import papan; from papan.search.perft import count_leaves, perft; "
            f"print(perft(papan.game({path!r}).start(), 3), "
            "sum(count_leaves.stats.cache_hits.values()))"
        )
        done = run_python(code, PAPAN_CACHE_DIR=str(cache))
        assert done.stderr == ""
        hits.append(done.stdout.split())
    assert hits == [["27", "0"], ["27", "1"], ["27", "1"]]


@pytest.mark.thorough
def test_rules_of_a_file_may_make_arrays(tmp_path: Path) -> None:
    source = HEAP.replace(
        "    return np.uint64((1 << min(3, state.left)) - 1)",
        "    powers = np.ones(4, dtype=np.uint64)\n"
        "    for i in range(1, 4):\n"
        "        powers[i] = powers[i - 1] << np.uint64(1)\n"
        "    return powers[min(3, state.left)] - np.uint64(1)",
    )
    assert source != HEAP
    path = tmp_path / "arrays.py"
    path.write_text(source)
    found = papan.analyse(papan.game(f"{path}:size=9").start(), depth=9, algorithm="memory")
    assert (found.move, found.proven) == ("a1", True)


# --- files that cannot be used -------------------------------------------------------------------


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InvalidGame, match=r"'no/such\.py' cannot be read: No such file"):
        registry.game("no/such.py:size=4")


def test_a_file_without_a_game_is_refused(tmp_path: Path) -> None:
    assert "has no game" in refusal(tmp_path, "from papan.gamekit import Game\n")


def test_a_file_with_two_games_is_refused_with_their_names(tmp_path: Path) -> None:
    source = f"{TIC_TAC_TOE}\n\nclass Second(TicTacToe):\n    pass\n"
    assert "(Second, TicTacToe)" in refusal(tmp_path, source)


def test_a_game_that_lacks_a_method_is_told_which(tmp_path: Path) -> None:
    said = refusal(tmp_path, TIC_TAC_TOE, "    board = BOARD\n", "")
    line = line_of(TIC_TAC_TOE, "class TicT")
    assert said == f"mine.py, line {line}: the game TicTacToe does not define board"


def test_a_syntax_error_has_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, TIC_TAC_TOE, "class State(NamedTuple):", "class State(NamedTuple:")
    assert said.startswith(f"mine.py, line {line_of(TIC_TAC_TOE, 'class State')}: invalid Pyt")


def test_an_error_while_the_file_runs_has_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, TIC_TAC_TOE, "Grid(3, 3)", "Grid(3, 3)[0]")
    assert f"mine.py, line {line_of(TIC_TAC_TOE, 'BOARD =')}: TypeError: " in said


def test_an_import_that_fails_has_its_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, f"import no_such_module\n{TIC_TAC_TOE}")
    assert said == "mine.py, line 1: ModuleNotFoundError: No module named 'no_such_module'"


# --- rules that break a promise ------------------------------------------------------------------

CHILD = "State(state.theirs, state.mine | bit(move), 1 - state.side)"
START = "State(NONE, NONE, 0)"
OPEN = "SQUARES & ~(state.mine | state.theirs)"
KEY = """
from papan.gamekit import key, next_key
@key.register(State)
def _(state):
    return state.mine ^ (state.theirs << np.uint64(32))
@next_key.register(State)
def _(state, old, move):
    return old ^ bit(move)
import numpy as np
class TicTacToe(Game):"""
DOWNWARDS = """
from papan.gamekit import head, squares, tail
@head.register(State)
def _(state, rest):
    return squares(rest)[-1]
@tail.register(State)
def _(state, rest):
    return rest & ~bit(squares(rest)[-1])
class TicTacToe(Game):"""

MISTAKES = {
    "a name that does not exist": (CHILD, CHILD.replace("bit", "bits"), CHILD, "NameError"),
    "a field that does not exist": (CHILD, CHILD.replace("theirs", "thiers"), CHILD, "'thiers'"),
    "a bare tuple": (CHILD, CHILD.replace("State", ""), "@play", "found tuple, expected State"),
    "a fraction": (CHILD, CHILD.replace("1 -", "1.0 -"), "@play", "'side': 'float'"),
    "a side that stays": (CHILD, CHILD.replace("1 - ", ""), "@play", "the sides take turns"),
    "a list in the state": (START, "State([0], NONE, 0)", "def start_state", "'mine': 'list'"),
    "no NamedTuple": (START, "[NONE, NONE, 0]", "def start_state", "found list, expected Named"),
    "a rule that fails": (OPEN, f"{OPEN} + 1 // 0", OPEN, "ZeroDivisionError"),
    "a win of another worth": ("-WIN if", "-1 if", "@final_value", "found -1, expected ±10000, 0"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_typical_mistake_is_said_with_its_line_and_operation(
    mistake: str, tmp_path: Path
) -> None:
    old, new, where, what = MISTAKES[mistake]
    said = refusal(tmp_path, TIC_TAC_TOE, old, new)
    assert re.match(rf"mine\.py, line {line_of(TIC_TAC_TOE, where)}: .*'\w+' ", said), said
    assert what in said


@pytest.mark.parametrize(
    ("rules", "promise"),
    [(KEY, "next_key returns the key"), (DOWNWARDS, "legal moves are ascending")],
    ids=["a key that does not follow the state", "moves out of order"],
)
def test_rules_that_contradict_each_other_are_found(
    rules: str, promise: str, tmp_path: Path
) -> None:
    said = refusal(tmp_path, TIC_TAC_TOE, "\nclass TicTacToe(Game):", rules)
    assert "violates an invariant" in said
    assert promise in said


def test_an_evaluation_that_gives_fractions_is_refused(tmp_path: Path) -> None:
    source = (EXAMPLES / "connect_four.py").read_text(encoding="utf-8")
    said = refusal(tmp_path, source, "return count_open(SQ", "return 0.5 * count_open(SQ")
    assert f"line {line_of(source, '@evaluate')}: 'evaluate' violates an invariant" in said


def test_a_missing_operation_is_named(tmp_path: Path) -> None:
    said = refusal(tmp_path, TIC_TAC_TOE, "@final_value.register(State)\n", "")
    assert "State has no rule for 'final_value'" in said


def test_parameters_of_other_names_are_refused_with_their_line(tmp_path: Path) -> None:
    said = refusal(tmp_path, TIC_TAC_TOE, "def _(state: State, move: int)", "def _(s, m)")
    assert "'play' has the parameters (s, m); expected (state, move)" in said


# --- the notation that games have by default -----------------------------------------------------


@pytest.mark.parametrize("line", ["xo1/1x1/3 o", "3/3/3 x", "xxx/1oo/3 o"])
def test_a_board_is_written_and_read_by_default(line: str) -> None:
    assert str(papan.game(str(EXAMPLES / "tictactoe.py")).position(line)) == line


def test_numbers_are_written_and_read_by_default(heap: str) -> None:
    assert str(papan.game(heap).position("o 12")) == "o 12"
    for line in ("o", "o 12 3", "o -1", "o x", "z 3", f"o {2**63}"):
        with pytest.raises(InvalidPosition):
            papan.game(heap).position(line)


def test_a_game_may_refuse_positions_that_cannot_come_about() -> None:
    with pytest.raises(InvalidPosition, match="is impossible in Connect four"):
        papan.game(str(EXAMPLES / "connect_four.py")).position("x6/7/7/7/7/7 o")


def test_eight_threads_load_a_file_at_once() -> None:
    """In a process of its own, where nothing is loaded."""
    done = run_python(
        "import threading, papan\n"
        "found, barrier = [], threading.Barrier(8)\n"
        "def load():\n"
        "    barrier.wait()\n"
        "    found.append(papan.game('hex:size=4').start().moves())\n"
        "threads = [threading.Thread(target=load) for _ in range(8)]\n"
        "for thread in threads: thread.start()\n"
        "for thread in threads: thread.join()\n"
        "assert len(found) == 8 and len(found[0]) == 16\n"
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("spec", ["hex:size=4", "FILE:size=9"])
def test_a_position_of_a_file_is_unpickled_in_another_process(spec: str, heap: str) -> None:
    position = papan.game(spec.replace("FILE", heap)).start()
    position = position.play(position.moves()[0])
    frozen = pickle.dumps((position, position.game))
    assert pickle.loads(frozen) == (position, position.game)
    done = run_python(
        f"import pickle\nposition, game = pickle.loads({frozen!r})\n"
        "assert position.game == game\nprint(game.spec, position)\n"
    )
    assert done.stdout == f"{position.game.spec} {position}\n", done.stderr


@pytest.mark.parametrize("at", [0, 3])
def test_bytes_that_are_no_text_are_said_with_their_line(at: int, tmp_path: Path) -> None:
    path, lines = tmp_path / "bytes.py", TIC_TAC_TOE.encode().splitlines(keepends=True)
    lines[at:at] = [b"# caf\xe9 \xff\n"]
    path.write_bytes(b"".join(lines))
    with pytest.raises(InvalidGame, match=rf"bytes\.py, line {at + 1}: invalid Python"):
        papan.game(str(path))
