"""`papan openings GAME`."""

import pytest

import papan as package

SMALL = "openings adjacency:size=6 --depth 2 --within 2"


def test_a_suite_has_as_many_openings_of_as_many_moves_as_asked_for(papan):
    lines = papan(f"{SMALL} --plies 3 --count 5").out.splitlines()
    assert len(lines) == 5
    for line in lines:
        moves, _, value = line.partition("#")
        position = package.game("adjacency:size=6").start()
        for move in moves.split():
            position = position.play(move)
        assert len(moves.split()) == 3
        assert abs(float(value)) <= 2


def test_the_same_seed_gives_the_same_suite(papan):
    words = f"{SMALL} --count 4 --json --seed"
    assert papan(f"{words} 5").report == papan(f"{words} 5").report
    assert papan(f"{words} 5").report != papan(f"{words} 6").report


def test_a_match_begins_with_the_openings_of_the_file_that_was_written(papan, tmp_path):
    suite, games = tmp_path / "suite.txt", tmp_path / "games.txt"
    assert papan(f"{SMALL} --count 2 -o {suite}").out == ""
    first = suite.read_text().splitlines()[1].partition("#")[0].split()
    papan(
        f"match adjacency:size=6 first random --games 2 --openings {suite} --records {games} --json"
    )
    assert f"1. {first[0]} {first[1]} 2. {first[2]} {first[3]}" in games.read_text()


def test_a_suite_that_cannot_be_completed_says_so(papan):
    ran = papan("openings platforms:size=4 --plies 1 --depth 1 --within 1000 --count 9")
    assert ran.status == 0
    assert len(ran.out.splitlines()) == 2
    assert "found 2 openings of 9" in ran.err


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("--within far", "--within: 'far'"),
        ("--within -1", "--within: '-1'"),
        ("--within nan", "--within: 'nan'"),
        ("--count 0", "--count: '0'"),
        ("--plies none", "--plies: 'none'"),
        ("--seed x", "--seed: 'x'"),
        ("-o /nowhere/suite.txt --count 1 --depth 1", "/nowhere/suite.txt"),
    ],
)
def test_bad_words_are_named(papan, words, named):
    assert named in papan(f"openings platforms:size=4 {words}").complaint
