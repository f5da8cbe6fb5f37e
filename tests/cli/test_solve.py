"""`papan solve GAME`."""

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
    assert offender in papan(words).complaint
