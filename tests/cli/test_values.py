"""`papan values GAME` and `papan puzzles GAME`."""

import pytest

from papan.records.store import Store


def test_each_move_has_a_sign_and_words(papan):
    lines = papan("values platforms").out.splitlines()
    assert lines[-3:] == ["+ b2  won in 7", "− b3  lost in 6", "− a2  lost in 6"]
    assert "menang dalam 7" in papan("values platforms --lang id").out


def test_the_report_has_them_in_the_games_order(papan):
    report = papan("values platforms --json").report
    assert report["game"] == "platforms"
    assert report["moves"][2] == {"move": "b2", "outcome": "win", "plies": 7, "value": 993}


def test_what_is_not_proven_in_time_is_said_to_be_unknown(papan):
    ran = papan("values platforms:size=6,level=3 --time 0.1")
    assert "? " in ran.out
    assert "not proven yet" in ran.out


def test_a_margin_is_said_where_length_does_not_count(papan):
    assert "lost by -2" in papan("values adjacency:size=4").out


def test_values_come_from_a_tablebase_that_is_named(papan, tmp_path):
    path = tmp_path / "small.db"
    papan(f"tablebase platforms:size=3 --out {path}")
    found = papan(f"values platforms:size=3 --tablebase {path} --json").report
    assert found["source"] == "database"
    assert found["moves"] == papan("values platforms:size=3 --json").report["moves"]
    assert (
        papan(f"values platforms:size=3 --database={path} --json").report == found
    )  # its old name


def test_the_board_is_drawn_with_the_values_on_it(papan, tmp_path):
    path = tmp_path / "board.svg"
    ran = papan(f"values platforms --theme dark --out {path}")
    assert f"the picture is in {path}" in ran.err
    assert "✓7" in path.read_text(encoding="utf-8")
    assert "nowhere" in papan(f"values platforms --out {tmp_path}/nowhere/board.svg").err


def test_a_tablebase_of_another_game_is_refused_in_one_line(papan, tmp_path):
    path = tmp_path / "small.db"
    papan(f"tablebase platforms:size=3 --out {path}")
    assert "another game" in papan(f"values platforms:size=4 --tablebase {path}").complaint


def test_puzzles_are_lines_json_and_a_file(papan, tmp_path):
    words = "puzzles platforms:size=3,level=2 --count 2 --plies 3..9"
    lines = papan(words).out.splitlines()
    report = papan(f"{words} --json --output {tmp_path / 'puzzles.txt'}").report
    assert len(lines) == len(report["puzzles"]) == 2
    for line, puzzle in zip(lines, report["puzzles"], strict=True):
        assert line.startswith(f"{puzzle['position']}; {puzzle['move']}; win {puzzle['plies']}; ")
    text = (tmp_path / "puzzles.txt").read_text(encoding="utf-8").splitlines()
    assert text == [f"# {report['game']}", *lines]


def test_puzzles_are_found_in_recorded_games(papan, tmp_path):
    store = tmp_path / "games.db"
    match = f"match platforms:size=3,level=2 random random --games 6 --seed 1 --store {store}"
    assert papan(match).status == 0
    report = papan(f"puzzles platforms:size=3,level=2 --count 2 --store {store} --json").report
    with Store(str(store)) as kept:
        seen = {str(position) for record in kept.find() for position in record.replay()}
    assert report["puzzles"]
    assert {puzzle["position"] for puzzle in report["puzzles"]} <= seen


@pytest.mark.parametrize(
    ("words", "offender"),
    [
        ("values platforms --time soon", "soon"),
        ("puzzles platforms --plies 5..3", "5..3"),
        ("puzzles platforms --plies few", "few"),
        ("puzzles platforms --count 0", "0"),
        ("puzzles platforms --store nowhere.db", "nowhere.db"),
    ],
)
def test_what_cannot_be_read_is_one_line_and_status_2(papan, words, offender):
    assert offender in papan(words).complaint
