"""Puzzles: just one right move, proven again by a search without a trick."""

from itertools import islice
from random import Random

import pytest

import papan
from papan.core.game import Position
from papan.solve.move_values import ProvenMove
from papan.solve.puzzles import (
    Puzzle,
    depth_of,
    only_move,
    own_positions,
    puzzle_at,
    puzzles,
)
from reference import platforms
from reference import search as oracle
from support import find

SMALL = "platforms:size=3,level=2"


def found(count: int, seed: int = 1, plies: tuple[int, int] = (3, 15)) -> list[Puzzle]:
    """The first puzzles of a small game."""
    return list(islice(puzzles(papan.game(SMALL), seed=seed, plies=plies), count))


def test_every_puzzle_has_just_one_move_that_wins_as_soon_as_it_says() -> None:
    memo: dict[platforms.Platforms, oracle.Solved] = {}
    for puzzle in found(6):
        moves = oracle.solve_moves(platforms.parse(str(puzzle.position)), memo)
        assert [move for move in moves if moves[move].value > 0] == [puzzle.move]
        assert (puzzle.outcome, puzzle.plies) == ("win", moves[puzzle.move].plies)
        assert 3 <= moves[puzzle.move].plies <= 15


def test_no_two_are_mirror_images_and_the_same_seed_makes_the_same_ones() -> None:
    first = found(6)
    assert len(first) == 6
    images = [turned(puzzle.position) for puzzle in first]
    assert all(len(one) > 1 for one in images)
    assert all(not a & b for i, a in enumerate(images) for b in images[:i])
    assert [puzzle.as_dict() for puzzle in first] == [puzzle.as_dict() for puzzle in found(6)]


def turned(position: Position) -> set[str]:
    """The lines of a position turned and reflected, without the side's name."""
    board, _, mine, theirs = str(position).split()
    rows, places = board.split("/"), [(3 - int(at[1]), "abc".index(at[0])) for at in (mine, theirs)]
    lines = set()
    for _ in range(2):
        for _ in range(4):
            rows = ["".join(row[c] for row in rows[::-1]) for c in range(3)]
            places = [(c, 2 - r) for r, c in places]
            lines.add(f"{rows} {places}")
        rows, places = [row[::-1] for row in rows], [(r, 2 - c) for r, c in places]
    return lines


def test_the_length_of_the_win_is_what_was_asked_for() -> None:
    assert {puzzle.plies for puzzle in found(3, plies=(5, 7))} <= {5, 7}


def test_the_depth_is_the_first_from_which_plain_search_finds_the_move_and_stays() -> None:
    for puzzle in found(2):
        played = [find("alphabeta", puzzle.position, depth).move for depth in range(1, 9)]
        right = [move == puzzle.move for move in played]
        last_wrong = max(
            (depth for depth, is_right in enumerate(right, 1) if not is_right), default=0
        )
        assert puzzle.depth == (last_wrong + 1 if last_wrong < 8 else None)
        assert depth_of(puzzle.position, "nowhere") is None


def test_one_move_is_right_only_if_all_are_known_and_no_other_is_as_good() -> None:
    win, draw, loss, unknown = (
        ProvenMove(move, outcome, None, None)
        for move, outcome in zip("abcd", ("win", "draw", "loss", None), strict=True)
    )
    assert only_move([loss, win, draw]) == win
    assert only_move([loss, draw]) == draw
    for none in ([win, win], [draw, draw, loss], [loss, loss], [win, unknown], [win], []):
        assert only_move(none) is None


def test_positions_that_are_given_are_looked_through_once() -> None:
    game = papan.game(SMALL)
    given = [puzzle.position for puzzle in found(2)]
    again = list(puzzles(game, positions=[game.start(), *given, *given]))
    assert [puzzle.position for puzzle in again] == given


@pytest.mark.parametrize("spec", ["adjacency:size=4", "platforms:size=6,level=3"])
def test_a_position_that_takes_too_long_or_has_many_best_moves_is_no_puzzle(spec: str) -> None:
    assert puzzle_at(papan.game(spec).start(), (3, 15)) is None


def test_games_that_can_go_in_circles_are_played_without_chance_once_they_are_under_way() -> None:
    """By chance all along, Corners ends in repetitions, and none of its positions is a puzzle."""
    last = next(own_positions(papan.game("corners"), Random(1)))
    outcomes = {last.play(move).outcome() for move in last.moves()}
    assert outcomes & {papan.Outcome.X_WINS, papan.Outcome.O_WINS}
