"""Opening suites are balanced, different from each other, and read with care."""

from itertools import islice
from pathlib import Path
from random import Random

import pytest

import papan
from papan.arena.openings import balanced_openings, load, random_opening, random_openings
from papan.errors import UsageError
from papan.search.limits import Limit

GAME = papan.game("adjacency:size=6")


def test_random_openings_are_short_and_never_over() -> None:
    game = papan.game("tictactoe")
    openings = {random_opening(game, 4, Random(seed)) for seed in range(50)}
    assert len(openings) > 30
    for moves in openings:
        assert len(moves) == 4
        assert game.start().play(*moves).outcome() is None
    longest = random_opening(game, 9, Random(1))
    assert 5 <= len(longest) < 9 and game.start().play(*longest).outcome() is None


def test_random_openings_are_different_and_as_many_as_there_are() -> None:
    game = papan.game("tictactoe")
    assert len(random_openings(game, 2, 40, 1)) == 40
    assert sorted(random_openings(game, 1, 40, 1)) == sorted(
        (move,) for move in game.start().moves()
    )


def suite(seed: int, count: int = 6) -> list[tuple[tuple[str, ...], float]]:
    found = balanced_openings(GAME, plies=4, within=1.0, limit=Limit(depth=3), seed=seed)
    return [(opening.moves, opening.value) for opening in islice(found, count)]


def test_openings_are_legal_even_and_repeatable() -> None:
    found = suite(1)
    assert found == suite(1)
    assert found != suite(2)
    for moves, value in found:
        position = GAME.start()
        for move in moves:
            position = position.play(move)
        assert abs(value) <= 1.0
        assert len(moves) == 4


def test_no_two_openings_are_mirror_images() -> None:
    game = papan.game("platforms:size=4")
    found = list(balanced_openings(game, plies=1, within=1000, limit=Limit(depth=1)))
    assert len(found) == 2  # a3 and b4 are one; b3


def test_a_suite_is_read_with_its_comments(tmp_path: Path) -> None:
    path = tmp_path / "suite.txt"
    path.write_text("# mine\nc4 d4  # +1\n\nb3\n")
    assert load(GAME, str(path)) == (("c4", "d4"), ("b3",))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("c4\nc4 z9\n", "line 2: no square 'z9'"),
        ("c4 c4", "line 1: move 'c4'"),
        ("#", "one line of moves"),
    ],
)
def test_a_bad_suite_is_refused_with_its_line(tmp_path: Path, text: str, reason: str) -> None:
    path = tmp_path / "suite.txt"
    path.write_text(text)
    with pytest.raises(UsageError, match=reason):
        load(GAME, str(path))


def test_a_suite_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match="nowhere"):
        load(GAME, "/nowhere/suite.txt")
