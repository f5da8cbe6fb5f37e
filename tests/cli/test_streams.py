"""Streams that are closed, and game files that do something to them or to Python."""

import sys

import pytest

from papan.cli import main
from papan.learn import weights
from papan.usercode import sandbox
from usercode.test_loader import TIC_TAC_TOE
from usercode.test_wrong_games import with_body


@pytest.mark.parametrize("words", ["games", "perft nim --depth 1 --json", "play nim first first"])
def test_closed_stdout_is_said_in_one_line(words, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert main(words.split()) == 2
    assert capsys.readouterr().err == ("papan: 'stdout' cannot be written: Bad file descriptor\n")


def test_closed_stdin_is_an_empty_one(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["ugi", "nim"]) == 0
    assert "Traceback" not in capsys.readouterr().err


#: What a file does first, or a rule of it, and what is said; empty where nothing is.
FIRST = {
    "import sys; sys.stdout.write('{')": "",
    "import sys; sys.stdout = None": "",
    "import sys; sys.stdout = open(0, closefd=False)": "",
    "import os; os.close(1)": "",
    "import sys; sys.setrecursionlimit(10**5)": "",
    "import sys; sys.stdout.close()": "PermissionError",
    "import sys; sys.setrecursionlimit(50)": "recursion limit",
}


@pytest.mark.parametrize("does", FIRST)
@pytest.mark.parametrize("in_rule", [False, True])
def test_a_file_cannot_spoil_the_json_or_python(does, in_rule, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sandbox, "inside", True)  # no process of its own for it
    limit, path = sys.getrecursionlimit(), tmp_path / "mine.py"
    rule = f"{does}; return (state.mine | state.theirs) ^ BOARD.mask"
    path.write_text(with_body("moves", rule) if in_rule else f"{does}\n{TIC_TAC_TOE}")
    status = main(["rules", str(path), "--json"])
    out, err = capsys.readouterr()
    assert sys.getrecursionlimit() == limit
    said = "OSError" if in_rule and "os.close" in does else FIRST[does]  # it closes it again
    if said:
        assert (status, out) == (2, "")
        assert err.count("\n") == 1 and err.startswith("papan: mine.py, line ")
        assert said in err
    else:
        assert status == 0, err
        assert out.startswith('{"game"') and out.count("\n") == 1


def test_memory_that_runs_out_is_one_line_and_damages_no_file(monkeypatch, capsys, tmp_path):
    path = tmp_path / "a.weights"
    path.write_bytes(b"anything")

    def fail(path, most):
        raise MemoryError

    monkeypatch.setattr(weights, "read_limited", fail)
    words = f"search tictactoe --depth 1 --evaluation {path}"
    assert main(words.split()) == 2
    assert capsys.readouterr().err.startswith("papan: out of memory; ")
    assert path.read_bytes() == b"anything"
