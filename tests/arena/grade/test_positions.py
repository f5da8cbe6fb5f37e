"""The positions that bots are asked about: of every kind, unfinished, and the same every time."""

from collections import Counter

import pytest

import papan
from papan.arena.grade.move_checks import FEW, KINDS, LAST, cases, kind_of

SPECS = ["adjacency", "adjacency:rounds=8", "corners", "platforms:size=4,level=2"]


@pytest.mark.parametrize("spec", SPECS)
def test_there_are_as_many_as_are_asked_for_and_all_can_be_moved_in(spec: str) -> None:
    found = cases(papan.game(spec), 150, seed=1)
    assert len(found) == 150
    for case in found:
        assert case.kind in KINDS
        assert case.position.outcome() is None
        assert case.position.moves()


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [
        ("adjacency", {"start", "quiet", "forced", "ending", "middle"}),
        ("corners", {"start", "forced", "repeated", "ending", "few", "middle"}),
        ("platforms:size=4,level=2", {"start", "forced", "ending", "few", "middle"}),
    ],
)
def test_awkward_positions_are_among_them(spec: str, kinds: set[str]) -> None:
    counts = Counter(case.kind for case in cases(papan.game(spec), 300, seed=1))
    assert kinds <= set(counts)
    assert counts["start"] == 1


def test_one_to_six_empty_squares_are_among_them() -> None:
    found = cases(papan.game("adjacency"), 300, seed=1)
    empties = {len(case.position.moves()) for case in found if case.kind in ("ending", "forced")}
    assert set(range(1, LAST + 1)) <= empties


def test_they_come_in_no_order_and_the_same_seed_gives_the_same() -> None:
    game = papan.game("platforms:size=4")
    first = cases(game, 100, seed=1)
    assert cases(game, 100, seed=1) == first
    assert cases(game, 100, seed=2) != first
    plies = [len(case.position.moves()) for case in first]
    assert plies != sorted(plies) and plies != sorted(plies, reverse=True)


def test_a_small_game_has_some_of_them_twice() -> None:
    found = cases(papan.game("platforms:size=3,level=1"), 1000, seed=1)
    different = {str(case.position) for case in found}
    assert len(found) == 1000 > len(different) > 20


def test_a_position_is_of_the_first_kind_that_fits() -> None:
    start = papan.game("adjacency").start()
    assert kind_of(start, is_start=True, left=56) == "start"
    assert kind_of(start, is_start=False, left=56) == "middle"
    assert kind_of(start, is_start=False, left=LAST) == "ending"
    few = papan.game("platforms:size=4").start()
    while len(few.moves()) > FEW:
        few = few.play(few.moves()[0])
    assert kind_of(few, is_start=False, left=20) in ("few", "forced")


def test_a_position_that_comes_back_once_more_ends_the_game_is_told_apart() -> None:
    for case in cases(papan.game("corners"), 200, seed=3):
        if case.kind == "repeated":
            assert case.position.past.count(case.position.key) == 1
            return
    raise AssertionError("none")
