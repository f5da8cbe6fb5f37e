"""`papan solve GAME`."""

import signal

import pytest

PROMISED = {"game", "position", "outcome", "value", "plies", "moves", "nodes", "seconds"}


@pytest.mark.parametrize(
    ("words", "outcome", "value", "plies", "moves"),
    [
        ("platforms", "win", 993, 7, ["b2"]),
        ("platforms:level=2", "loss", -984, 16, ["b3", "a2", "b2"]),
        ("adjacency:size=4", "loss", -2, 8, None),
        ("platforms --moves b2", "loss", -994, 6, None),
    ],
)
def test_the_report_has_the_promised_keys_and_the_known_values(
    papan, words, outcome, value, plies, moves
):
    report = papan(f"solve {words} --json").report
    assert set(report) >= PROMISED
    assert (report["outcome"], report["value"], report["plies"]) == (outcome, value, plies)
    assert moves is None or report["moves"] == moves
    assert report["proven"] is True


def test_every_move_has_its_value_if_asked_for(papan):
    report = papan("solve platforms --values --json").report
    assert report["values"] == {"b3": -994, "a2": -994, "b2": 993}


def test_people_see_the_outcome_in_words(papan):
    assert "wins (proven)" in papan("solve platforms").out
    assert "menang (terbukti)" in papan("solve platforms --lang id").out


@pytest.mark.parametrize(
    ("words", "offender"),
    [
        ("solve backgammon", "backgammon"),
        ("solve platforms --position nonsense", "nonsense"),
        ("solve platforms --memory none", "none"),
        ("solve platforms --time -1", "-1"),
        ("solve adjacency", "2048 MB"),
        ("solve adjacency:size=6 --memory 1", "1"),
    ],
)
def test_what_cannot_be_solved_or_read_is_one_line_and_status_2(papan, words, offender):
    papan(words)  # whatever has to be compiled is, and says so
    assert offender in papan(words).complaint


@pytest.mark.parametrize("keep", [False, True])
def test_work_that_runs_out_of_time_tells_what_is_proven(papan, tmp_path, keep):
    """On a board of even size the second player answers each step with the one half a turn away:
    that much is known at once, the length of its win is not."""
    words = "solve platforms:size=6,level=3 --time 0.5 --memory 8 --json"
    ended = papan(words + f" --keep {tmp_path / 'proofs'}" * keep)
    report = ended.report
    assert ended.status == 2
    assert (report["outcome"], report["proven"]) == ("loss", False)
    assert report["value"] is report["moves"] is report["bounds"]["lower"] is None
    assert report["bounds"]["upper"] == -894
    assert report["known"] == "the side to move loses in at most 106 plies"
    assert "known so far: " + report["known"] in ended.err


def test_ctrl_c_tells_what_is_proven_too(papan, monkeypatch):
    def pressed(*_):
        signal.raise_signal(signal.SIGINT)
        return ""

    monkeypatch.setattr("papan.cli.solve.progress", pressed)
    ended = papan("solve platforms:size=6,level=3 --json")
    assert ended.status == 130
    assert ended.report["known"] == "the side to move loses in at most 106 plies"
    assert "was stopped" in ended.err
    assert "known so far: " + ended.report["known"] in ended.err
