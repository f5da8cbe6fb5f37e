"""What commands print with, and Ctrl-C."""

import io
import os
import signal
import sys
import threading

import pytest

from papan.cli import terminal as module
from papan.cli.terminal import Terminal, stopping
from papan.report import format_score
from support import wait_until


@pytest.fixture
def patience(monkeypatch):
    """A terminal without patience."""
    monkeypatch.setattr(module, "PREPARATION_PATIENCE", 0.0)
    monkeypatch.setattr(module, "PROGRESS_PATIENCE", -1.0)
    return Terminal()


def test_preparation_that_takes_long_is_mentioned_once(patience, capsys):
    with patience.patience("tree.recording"):
        said = wait_until(lambda: capsys.readouterr().err)
    assert said.endswith("…\n")


def test_compiling_is_mentioned_only_while_something_is_compiled(patience, monkeypatch, capsys):
    asked = []
    answers = iter([False, False, True])
    monkeypatch.setattr(module, "_is_compiling", lambda: asked.append(1) or next(answers))
    with patience.compiling("search.compiling", algorithm="pvs", game="corners"):
        said = wait_until(lambda: capsys.readouterr().err)
    assert said == "compiling pvs for corners (once) …\n"
    assert len(asked) == 3


def test_preparation_that_is_quick_is_not_mentioned(capsys):
    before = threading.active_count()
    with Terminal().patience("perft.compiling"):
        pass
    wait_until(lambda: threading.active_count() == before)
    assert capsys.readouterr().err == ""


class Screen(io.StringIO):
    """A terminal of 20 columns."""

    def isatty(self):
        return True

    def fileno(self):
        return 2


def watched(monkeypatch):
    """Somebody looks at stderr on such a terminal from now on."""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(os, "get_terminal_size", lambda *file: os.terminal_size((20, 5)))
    return screen


def test_progress_is_one_line_that_gives_way_to_what_is_said(patience, monkeypatch):
    screen = watched(monkeypatch)
    patience.progress("depth 8 and much more than fits")
    patience.note("done")
    assert screen.getvalue() == "\r\x1b[Kdepth 8 and much mo\r\x1b[Kdone\n"


def test_progress_is_not_shown_before_somebody_has_waited(monkeypatch):
    screen = watched(monkeypatch)
    monkeypatch.setattr(module, "PROGRESS_PATIENCE", 3600.0)
    Terminal().progress("depth 1")
    assert screen.getvalue() == ""


def test_progress_is_not_shown_where_there_is_no_terminal(patience, capsys):
    patience.progress("depth 8")
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("score", "text"), [(3, "+3"), (-2, "-2"), (0, "0"), (0.25, "+0.25"), (9998, "+9998")]
)
def test_scores_have_a_sign(score, text):
    assert format_score(score) == text


def test_the_first_ctrl_c_asks_to_stop_and_the_second_one_interrupts():
    asked = []
    with stopping(lambda: asked.append(True)) as interruption:
        assert not interruption.happened
        signal.raise_signal(signal.SIGINT)
        assert interruption.happened
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert asked == [True]


def test_afterwards_ctrl_c_does_what_it_did_before():
    before = signal.getsignal(signal.SIGINT)
    with stopping(lambda: None):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before


def test_in_another_thread_than_the_first_signals_are_left_alone():
    seen = []

    def work():
        with stopping(lambda: None) as interruption:
            seen.append(interruption.happened)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [False]
