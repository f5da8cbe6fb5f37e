"""The oracles agree with the verified tables, and keep the rules that no table shows."""

import ast
import math
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from reference import adjacency, corners, platforms, search, truth
from reference.full_board import solve_full_board
from reference.splitmix import random_moves, replay, splitmix64
from support import Sample

MOST_LEAVES = 200_000  # what plain Python counts in a second or two
MOST_LINES = 20_000_000  # lines of play that alpha–beta still gets through
MOST_EMPTIES = 18  # 2^18 sets of empty squares
MOST_STATES = 110_000


def cases(chosen: Iterable[object], every: int = 1) -> pytest.MarkDecorator:
    """Run a test once for each case, under the case's own name; by default for every n-th."""
    parameters = [
        pytest.param(case, id=str(case), marks=pytest.mark.thorough if number % every else ())
        for number, case in enumerate(chosen)
    ]
    return pytest.mark.parametrize("case", parameters)


def lines_of_play(case: truth.Case) -> int:
    position = adjacency.parse(case.line)
    return math.perm(position.squares.count("."), position.plies_left)


def is_played_until_full(case: truth.Case) -> bool:
    position = adjacency.parse(case.line)
    return position.squares.count(".") == position.plies_left


def empties(case: truth.Case) -> int:
    return adjacency.parse(case.line).squares.count(".")


ADJACENCY_VALUES = list(truth.adjacency_values())
FULL_BOARDS = [c for c in ADJACENCY_VALUES if is_played_until_full(c)]
ROUNDS_LEFT = [c for c in ADJACENCY_VALUES if not is_played_until_full(c)]
PERFTS = [*truth.adjacency_perft(), *truth.platforms_perft(), *truth.corners_perft()]
CORNERS_LEAVES = {(c.line, c.depth): c.nodes for c in truth.corners_perft()}
SOLVED = [c for c in truth.platforms_solved() if (c.reachable_states or math.inf) <= MOST_STATES]
REPLAYS = [
    *truth.adjacency_replays(),
    *truth.platforms_replays(),
    *truth.corners_replays(),
]


# --- The oracles stand on their own


def test_the_oracles_import_only_the_standard_library_and_each_other() -> None:
    for file in (Path(__file__).parent / "reference").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [str(node.module)] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                top = name.partition(".")[0]
                assert top == "reference" or top in sys.stdlib_module_names, (file.name, name)


@pytest.mark.parametrize(
    ("position", "line"),
    [
        (adjacency.start(), "6oo/6oo/8/8/8/8/xx6/xx6 x 56"),
        (adjacency.start(rounds=8, first="o"), "6oo/6oo/8/8/8/8/xx6/xx6 o 16"),
        (adjacency.start(4, 5), "3oo/3oo/xx3/xx3 x 12"),
        (adjacency.start(5, 4), "2oo/2oo/4/xx2/xx2 x 12"),
        (adjacency.start(5, 5), "3oo/3oo/5/xx3/xx3 x 16"),
        (platforms.start(), "011/111/110 x a3 c1"),
        (platforms.start(4, 3, "o"), "2333/3333/3333/3332 o a4 d1"),
        (corners.start(), "ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xxx x"),
    ],
)
def test_the_start_positions_are_written_as_the_rules_say(position: Any, line: str) -> None:
    assert position.line() == line


def test_a_position_line_is_read_and_written_back_unchanged() -> None:
    every = [*PERFTS, *ADJACENCY_VALUES, *truth.platforms_solved(), *REPLAYS]
    assert [case for case in every if truth.parse(case).line() != case.line] == []


# --- Adjacency


def test_a_piece_turns_its_orthogonal_neighbours_and_nothing_beyond_them() -> None:
    after = adjacency.parse("2o1/1o1o/oxoo/2o1 x 6").play("c3")
    assert after.line() == "2x1/1xxx/oxxo/2o1 o 5"


def test_the_opponents_moves_do_not_turn_their_own_pieces() -> None:
    assert adjacency.start(4, 4).play("b3").line() == "2oo/1xxo/xx2/xx2 o 7"


def test_adjacency_ends_after_its_rounds_and_the_side_with_more_pieces_wins() -> None:
    position = adjacency.parse("2oo/1xxo/xx2/xx2 o 0")
    assert position.over()
    assert position.moves() == []
    assert position.winner() == "x"
    assert position.difference() == position.result() == -3
    assert adjacency.parse("2oo/2oo/xx2/xx2 x 0").winner() is None
    assert adjacency.parse("2oo/1xxo/xx2/xx2 o 2").winner() is None


@cases([c for c in truth.adjacency_perft() if c.nodes <= MOST_LEAVES], every=3)
def test_the_leaves_of_adjacency_add_up_as_verified(case: truth.LeavesCase) -> None:
    leaves = search.leaves(adjacency.parse(case.line), case.depth)
    differences = [leaf.squares.count("x") - leaf.squares.count("o") for leaf in leaves]
    assert len(leaves) == case.nodes
    assert sum(differences) == case.sum_difference
    assert sum(d * d for d in differences) == case.sum_difference_squared
    assert len(set(leaves)) == case.distinct


@cases([c for c in FULL_BOARDS if empties(c) <= MOST_EMPTIES], every=3)
def test_full_boards_are_solved_over_sets_of_empty_squares(case: truth.ValueCase) -> None:
    assert solve_full_board(adjacency.parse(case.line)) == (case.value, case.best_moves)


@cases(c for c in FULL_BOARDS if empties(c) <= 9)
def test_colours_do_not_matter_to_what_is_to_come_on_a_full_board(case: truth.ValueCase) -> None:
    memo: dict[adjacency.Adjacency, search.Solved] = {}
    position = adjacency.parse(case.line)
    results = search.solve_moves(position, memo)
    assert search.solve(position, memo) == (case.value, empties(case))
    assert search.best_solved_moves(results) == case.best_moves


@cases([c for c in ROUNDS_LEFT if lines_of_play(c) <= MOST_LINES], every=5)
def test_games_of_few_rounds_have_their_verified_values(case: truth.ValueCase) -> None:
    position = adjacency.parse(case.line)
    values = search.move_values(position, position.plies_left, adjacency.evaluate, pruned=True)
    assert max(values.values()) == case.value
    assert search.best_moves(values) == case.best_moves


@cases([c for c in ROUNDS_LEFT if lines_of_play(c) <= 20_000], every=2)
def test_plain_minimax_gives_the_same_values_of_short_games(case: truth.ValueCase) -> None:
    position = adjacency.parse(case.line)
    found = search.minimax(position, position.plies_left, adjacency.evaluate)
    assert found.value == case.value


@cases([c for c in truth.adjacency_alpha_beta() if c.nodes <= 300_000], every=2)
def test_plain_alpha_beta_visits_as_many_nodes_as_measured(case: truth.AlphaBetaCase) -> None:
    found = search.alphabeta(adjacency.parse(case.line), case.depth, adjacency.evaluate)
    assert found == (case.value, case.nodes)


# --- Platforms


def test_a_step_wears_its_square_and_a_square_can_be_entered_again_while_it_lasts() -> None:
    position = replay(platforms.start(3, 2), ["b2", "c2", "a3", "c1"])
    assert position.line() == "022/211/220 x a3 c1"
    assert position.moves() == ["b3", "a2", "b2"]
    assert "a3" not in replay(position, ["b2", "b1"]).moves()


def test_the_pawns_cannot_share_a_square() -> None:
    moves = platforms.parse("111/111/111 x b2 b3").moves()
    assert moves == ["a3", "c3", "a2", "c2", "a1", "b1", "c1"]


def test_a_pawn_that_cannot_move_has_lost() -> None:
    position = platforms.parse("001/000/111 x a3 c1")
    assert position.over()
    assert position.winner() == "o"
    assert platforms.evaluate(position, 5) == -995
    assert platforms.evaluate(position._replace(side="o"), 5) == 0


@cases(
    [c for c in truth.platforms_solved() if (c.reachable_states or math.inf) <= MOST_STATES],
    every=3,
)
def test_platforms_is_solved_in_outcome_length_and_moves(case: truth.SolvedCase) -> None:
    memo: dict[platforms.Platforms, search.Solved] = {}
    position = platforms.parse(case.line)
    results = search.solve_moves(position, memo)
    assert search.solve(position, memo) == (1 if case.mover_wins else -1, case.plies)
    assert tuple((m, r.value == 1, r.plies) for m, r in results.items()) == case.moves
    assert search.best_solved_moves(results) == case.best_moves


@cases(
    [c for c in truth.platforms_solved() if (c.reachable_states or math.inf) <= MOST_STATES],
    every=3,
)
def test_platforms_has_as_many_games_and_positions_as_verified(case: truth.SolvedCase) -> None:
    position = platforms.parse(case.line)
    assert search.complete_games(position, {}) == case.complete_games
    assert len(search.reachable(position)) == case.reachable_states


@cases(c for c in truth.platforms_solved() if (c.complete_games or math.inf) <= 10_000)
def test_a_search_to_the_end_prefers_near_wins_and_far_losses(case: truth.SolvedCase) -> None:
    found = search.minimax(platforms.parse(case.line), 99, platforms.evaluate)
    assert found.value == case.value


# --- Corners


@cases(truth.corners_moves())
def test_corners_has_the_verified_steps_chains_and_routes(case: truth.MovesCase) -> None:
    position = corners.parse(case.line)
    forward = list(position.forward_moves())
    chains = [c for s in position.pieces(position.side) for c in position.jump_chains(s)]
    several = {move for move in forward if forward.count(move) > 1}
    assert len(set(forward)) == case.forward_moves
    assert len(position.moves()) == case.legal_moves
    assert max(map(len, chains), default=0) == case.longest_chain
    assert len(several) == case.moves_with_several_routes


@cases([c for c in truth.corners_values() if c.depth is not None and c.depth <= 3], every=5)
def test_corners_minimax_has_the_verified_values_and_moves(case: truth.ValueCase) -> None:
    assert case.depth is not None
    position = corners.parse(case.line)
    values = search.move_values(position, case.depth, corners.evaluate)
    if not values:
        assert search.minimax(position, case.depth, corners.evaluate) == (case.value, 1)
    assert max(values.values(), default=case.value) == case.value
    assert case.best_moves is None or search.best_moves(values) == case.best_moves


@cases(
    [
        c
        for c in truth.corners_values()
        if c.depth in (4, 5) and CORNERS_LEAVES.get((c.line, c.depth), 0) <= MOST_LEAVES
    ],
    every=5,
)
def test_corners_alpha_beta_has_the_verified_values_deeper(case: truth.ValueCase) -> None:
    assert case.depth is not None
    position = corners.parse(case.line)
    assert search.alphabeta(position, case.depth, corners.evaluate).value == case.value


def test_a_filled_goal_wins_and_ends_the_game() -> None:
    position = corners.parse("xxx5/xxx5/xxx5/3o4/8/6oo/5ooo/5ooo o")
    assert position.over()
    assert position.winner() == "x"
    assert position.moves() == []
    assert corners.evaluate(position, 3) == -9_997


def test_the_third_occurrence_of_a_position_is_a_draw_and_the_start_is_an_occurrence() -> None:
    start = corners.start()
    assert corners.Game(start, (start,)).ending() is None
    assert corners.Game(start, (start, start)).ending() == ("draw", None)


def test_the_other_side_to_move_makes_it_another_position() -> None:
    start = corners.start()
    turned = start._replace(side="o")
    assert corners.Game(start, (turned, turned, start)).ending() is None


def test_a_win_comes_before_repetition() -> None:
    won = corners.parse("xxx5/xxx5/xxx5/3o4/8/6oo/5ooo/5ooo o")
    assert corners.Game(won, (won, won)).ending() == ("win", "x")


def test_a_side_without_any_move_loses() -> None:
    (stuck,) = (c for c in truth.corners_moves() if c.kind == "stuck")
    game = corners.Game(corners.parse(stuck.line))
    assert game.ending() == ("stuck", "x")
    assert game.over()
    assert game.moves() == []


def test_a_drawn_game_ends_at_the_first_third_occurrence() -> None:
    game = corners.Game(corners.start())
    end = replay(game, random_moves(game, 5_000_000))
    everything = [*end.earlier, end.position]
    assert everything.count(end.position) == 3
    assert max(map(end.earlier.count, end.earlier)) == 2


def test_random_corners_games_end_as_verified(sample: Sample) -> None:
    for case in sample(truth.corners_games(), 5):
        game = truth.start(case.spec)
        moves = random_moves(game, case.seed)
        assert replay(game, moves).ending() == (case.ending, case.winner), str(case)
        assert len(moves) == case.plies


# --- Every game


def test_perft_counts_as_many_move_sequences_as_verified(sample: Sample) -> None:
    chosen = sample([case for case in PERFTS if case.nodes <= MOST_LEAVES], 7)
    found = {case: search.perft(truth.parse(case), case.depth) for case in chosen}
    assert found == {case: case.nodes for case in chosen}


def test_divide_splits_perft_over_the_root_moves(sample: Sample) -> None:
    for case in sample([case for case in PERFTS if case.nodes <= 1_000], 3):
        position = truth.parse(case)
        shares = search.divide(position, case.depth)
        assert list(shares) == position.moves(), str(case)
        assert sum(shares.values()) == case.nodes


def test_random_games_reach_the_positions_of_the_tables(sample: Sample) -> None:
    for case in sample(REPLAYS, 3):
        start = truth.start(case.spec)
        moves = random_moves(start, case.seed, case.plies)
        end = replay(start, moves)
        assert len(moves) == case.plies, str(case)
        assert getattr(end, "position", end).line() == case.line


def test_splitmix64_gives_the_published_numbers() -> None:
    assert next(splitmix64(0)) == 0xE220A8397B1DCDAF
    expected = [6457827717110365317, 3203168211198807973, 9817491932198370423]
    assert list(islice(splitmix64(1234567), 3)) == expected


MIDDLES = [
    *((adjacency, replay(s := adjacency.start(4, 5), random_moves(s, n, 4))) for n in range(4)),
    *((platforms, replay(p := platforms.start(4), random_moves(p, n, 4))) for n in range(4)),
    *((corners, replay(c := corners.start(), random_moves(c, n, 90))) for n in range(4)),
]


@pytest.mark.parametrize(("game", "position"), MIDDLES)
@pytest.mark.parametrize("depth", range(4))
def test_alpha_beta_finds_what_minimax_finds_in_no_more_nodes(
    game: Any, position: Any, depth: int
) -> None:
    exact = search.minimax(position, depth, game.evaluate)
    found = search.alphabeta(position, depth, game.evaluate)
    assert found.value == exact.value
    assert found.nodes <= exact.nodes


@pytest.mark.parametrize(("game", "position"), MIDDLES)
@pytest.mark.parametrize("distance", [-2, -1, 0, 1, 2])
def test_alpha_beta_outside_its_window_returns_a_bound(
    game: Any, position: Any, distance: int
) -> None:
    exact = search.minimax(position, 3, game.evaluate).value
    beta = exact + distance
    found = search.alphabeta(position, 3, game.evaluate, beta - 1, beta).value
    assert beta <= found <= exact if exact >= beta else exact <= found < beta
