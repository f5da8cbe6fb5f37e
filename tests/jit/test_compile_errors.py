"""A rule that works in plain Python but cannot be compiled is explained by its line and reason."""

from pathlib import Path

import pytest

import papan
from papan.errors import InvalidGame
from papan.messages import Messages
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.perft import perft
from papan.search.registry import algorithm
from papan.usercode import loader
from support import run_python, thoroughly

EXAMPLES = Path(__file__).parent.parent.parent / "examples" / "games"
TIC_TAC_TOE = (EXAMPLES / "tictactoe.py").read_text(encoding="utf-8")

CHILD = "return State(state.theirs, state.mine | bit(move), 1 - state.side)"
FREE = "return SQUARES & ~(state.mine | state.theirs)"
HELPER = "@helper\ndef threes"

#: What is typed instead of what → the operation and what is said of it.
MISTAKES = {
    "a plain function": (HELPER, "def threes", "moves", "'threes' is a plain Python function"),
    "a board among the globals": (FREE, FREE.replace("SQ", "BOARD.mask & SQ"), "moves", "Grid;"),
    "a dictionary": (CHILD, f"by = {{1: 2, 'a': 3}}\n    {CHILD}", "play", "does not support"),
    "_replace": (
        CHILD,
        "swapped = state._replace(mine=state.theirs, theirs=state.mine | bit(move))\n"
        "    return swapped._replace(side=1 - state.side)",
        "play",
        "write State(…) with all its fields",
    ),
    "a generator": (
        FREE,
        f"n = sum(i for i in range(3))\n    {FREE}",
        "moves",
        "unsupported Python feature",
    ),
    "a file": (
        FREE,
        f"with open(__file__) as f: pass\n    {FREE}",
        "moves",
        "unsupported Python feature",
    ),
    "an attribute": (FREE, f"n = state.mine.nbytes\n    {FREE}", "moves", "no field 'nbytes'"),
}

#: By default a mistake in what a rule calls, and one in what it writes.
FIRST = ("a plain function", "_replace")


def explained(path: Path, source: str) -> InvalidGame:
    """The error of compiling the rules in a file."""
    path.write_text(source)
    position = papan.game(str(path)).start()
    with pytest.raises(InvalidGame) as caught:
        perft(position, 2)
    return caught.value


@pytest.mark.thorough
def test_a_fraction_where_whole_numbers_belong_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TIC_TAC_TOE.replace("return -WIN if", "return -WIN / 1 if"))
    game = loader.load(str(path))()  # not tried out in plain Python, where this shows too
    with pytest.raises(InvalidGame) as caught:
        search(game.start(), Limit(depth=2), algorithm=algorithm("alphabeta"))
    assert "'final_value' cannot be compiled: it returns float; return an integer" in str(
        caught.value
    )


@pytest.mark.parametrize(
    "mistake", [*FIRST, *thoroughly(*(mistake for mistake in MISTAKES if mistake not in FIRST))]
)
def test_a_rule_that_cannot_be_compiled_is_explained(mistake: str, tmp_path: Path) -> None:
    old, new, operation, reason = MISTAKES[mistake]
    assert old in TIC_TAC_TOE
    error = explained(tmp_path / "mine.py", TIC_TAC_TOE.replace(old, new, 1))
    said = str(error)
    assert said.startswith("mine.py, line ")
    assert f"the rule for '{operation}' cannot be compiled: " in said
    assert reason in said
    assert "numba" not in said
    assert "\n" not in said


def test_the_line_is_the_one_that_is_shown(tmp_path: Path) -> None:
    source = TIC_TAC_TOE.replace(FREE, f"x = 3\n    y = state.mine.nbytes\n    {FREE}")
    error = explained(tmp_path / "mine.py", source)
    line = source.splitlines()[int(str(error.values["line"])) - 1]
    assert line.strip() == error.values["code"] == "y = state.mine.nbytes"


def test_the_line_may_stand_in_a_helper(tmp_path: Path) -> None:
    shift = "return pieces & (pieces >> step)"
    source = TIC_TAC_TOE.replace(shift, f"n = pieces.nbytes\n    {shift}")
    error = explained(tmp_path / "mine.py", source)
    assert error.values["code"] == "n = pieces.nbytes"


def test_a_file_that_was_changed_is_explained_by_its_new_lines(tmp_path: Path) -> None:
    first = TIC_TAC_TOE.replace(HELPER, "def threes")
    explained(tmp_path / "mine.py", first)
    error = explained(tmp_path / "mine.py", f"\n\n{first}")
    assert str(error.values["code"]).startswith("lines = threes(pieces, 1)")


def test_the_explanation_is_given_in_each_language(tmp_path: Path) -> None:
    error = explained(tmp_path / "mine.py", TIC_TAC_TOE.replace(HELPER, "def threes"))
    said = Messages("id").explain(error)
    assert "tidak dapat dikompilasi: 'threes' adalah fungsi Python biasa" in said


def test_the_command_line_says_it_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(TIC_TAC_TOE.replace(HELPER, "def threes"))
    code = f"import sys, papan.cli.app as app; sys.exit(app.run(['perft', {str(path)!r}, \
'--depth', '2']))"
    done = run_python(code, PAPAN_LANG="en")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith("papan: mine.py, line ")
    assert "Traceback" not in done.stderr


def test_whole_numbers_that_are_mixed_with_bits_become_bits_again(tmp_path: Path) -> None:
    """`Bits | int` is an int in compiled code; the state's fields keep their types all the same."""
    path = tmp_path / "mine.py"
    path.write_text(TIC_TAC_TOE.replace("bit(move), 1", "(1 << move), 1"))
    assert perft(papan.game(str(path)).start(), 6) == 54720


AT_A_PROMPT = """
import linecache
from papan.search.perft import perft
source = {source!r}
namespace = {{"__name__": "__main__"}}
exec(compile(source, {file!r}, "exec"), namespace)
print(perft(namespace["TicTacToe"]().start(), 4))
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    "file",
    [
        "<stdin>",
        pytest.param("<ipython-input-3-abc>", marks=pytest.mark.thorough),
        pytest.param("/tmp/ipykernel_1/2.py", marks=pytest.mark.thorough),
    ],
)
def test_a_game_typed_at_a_prompt_is_compiled(file: str, tmp_path: Path) -> None:
    code = AT_A_PROMPT.format(source=TIC_TAC_TOE, file=file)
    done = run_python(code, PAPAN_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "3024\n", "")


@pytest.mark.thorough
def test_a_kernel_typed_at_a_prompt_is_compiled(tmp_path: Path) -> None:
    code = """
from papan.jit.compiler import kernel
@kernel
def twice(number):
    return 2 * number
print(twice(21))
"""
    done = run_python(code, PAPAN_CACHE_DIR=str(tmp_path))
    assert (done.returncode, done.stdout, done.stderr) == (0, "42\n", "")
