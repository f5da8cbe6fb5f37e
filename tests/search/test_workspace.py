"""The workspace knows the game's history, so that a search sees draws by repetition."""

import numpy as np
import pytest

import papan
from papan.core.game import Outcome, Position
from papan.search.workspace import (
    HISTORY,
    SEEN_SLOTS,
    enter,
    history_hash_of,
    layout,
    leave,
    new_workspace,
    principal_variation,
    repeats,
    should_stop,
)
from reference import corners, truth
from reference import search as oracle
from reference.splitmix import random_moves, replay
from support import find, reached, thoroughly

DRAWN = [case for case in truth.corners_games() if case.ending == "draw"]


def cornered(
    case: truth.GameCase, plies_before_the_end: int
) -> tuple[papan.Position, corners.Game]:
    """A position shortly before a draw by repetition, and the same for the oracle."""
    moves = random_moves(truth.start("corners"), case.seed)
    moves = moves[: len(moves) - plies_before_the_end]
    return replay(papan.game("corners").start(), moves), replay(truth.start("corners"), moves)


def value_of(game: corners.Game, ply: int) -> int:
    if game.over() and game.winner() is None:
        return 0
    return corners.evaluate(game.position, ply)


@pytest.mark.parametrize("case", DRAWN[:12], ids=str)
@pytest.mark.parametrize("name", ["alphabeta", *thoroughly("minimax")])
@pytest.mark.parametrize("depth", [1, 2, 3])
def test_a_search_scores_the_third_occurrence_as_the_oracle_does(
    case: truth.GameCase, name: str, depth: int
) -> None:
    for plies in (1, 2, 3):
        position, game = cornered(case, plies)
        exact = oracle.minimax(game, depth, value_of)
        pruned = oracle.alphabeta(game, depth, value_of)
        result = find(name, position, depth)
        assert (result.value, result.nodes) == (exact if name == "minimax" else pruned)


def test_repetition_changes_values_so_that_the_comparison_means_something() -> None:
    changed = 0
    for case in DRAWN[:12]:
        position, _ = cornered(case, 1)
        forgetful = papan.game("corners").position(str(position))
        changed += find("minimax", position, 2).value != find("minimax", forgetful, 2).value
    assert changed > 0


@pytest.mark.parametrize("case", DRAWN[:12], ids=str)
def test_the_move_to_the_third_occurrence_ends_the_game_in_a_draw(case: truth.GameCase) -> None:
    position, _ = cornered(case, 1)
    (last,) = random_moves(truth.start("corners"), case.seed)[-1:]
    assert position.outcome() is None
    end = position.play(last)
    assert end.outcome() is Outcome.DRAW
    assert end.moves() == []
    result = find("alphabeta", end, 3)
    assert (result.move, result.value, result.proven) == (None, 0, True)


def test_a_position_read_from_a_line_has_no_history() -> None:
    end = reached("corners", DRAWN[0].seed)
    assert end.outcome() is Outcome.DRAW
    assert papan.game("corners").position(str(end)).outcome() is None


def test_the_history_is_in_place_when_a_search_starts() -> None:
    position = reached("corners", 1, 40)
    workspace = new_workspace(position)
    assert workspace.root == len(position.past) == 40
    assert tuple(map(int, workspace.path[:40])) == position.past
    assert workspace.seen.sum() == 40
    assert all(workspace.seen[key % SEEN_SLOTS] > 0 for key in position.past)


def test_games_without_repetition_keep_no_history() -> None:
    assert reached("adjacency", 1, 20).past == ()
    assert new_workspace(reached("adjacency", 1, 20)).root == 0


def test_only_the_latest_positions_of_a_very_long_history_are_kept() -> None:
    start = papan.game("corners").start()
    keys = tuple(range(HISTORY + 10))
    workspace = new_workspace(papan.Position(start.game, start.state, keys))
    assert workspace.root == HISTORY
    assert int(workspace.path[0]) == 10


def test_a_node_entered_and_left_leaves_no_trace() -> None:
    position = reached("corners", 2, 30)
    workspace, before = new_workspace(position), new_workspace(position)
    key = np.uint64(position.key)
    enter(position.state, key, 0, workspace)
    assert workspace.seen.sum() == before.seen.sum() + 1
    leave(position.state, 0, workspace)
    assert (workspace.seen == before.seen).all()


def test_two_earlier_occurrences_are_needed_and_a_shared_slot_is_not_enough() -> None:
    start = papan.game("corners").start()
    key, stranger, other_turn = start.key, (start.key + SEEN_SLOTS) % 2**64, 1
    for past, expected in [
        ((key, other_turn, key, other_turn), True),
        ((key, other_turn, stranger, other_turn), False),
        ((stranger, other_turn, stranger, other_turn), False),
        ((other_turn, key, other_turn, key), False),
    ]:
        workspace = new_workspace(papan.Position(start.game, start.state, past))
        assert repeats(start.state, np.uint64(key), 0, workspace) is expected


def test_a_node_limit_or_a_flag_tells_a_search_to_stop() -> None:
    workspace = new_workspace(papan.game("platforms").start(), 10)
    workspace.nodes = 9
    assert not should_stop(workspace)
    workspace.nodes = 10
    assert should_stop(workspace)
    workspace = new_workspace(papan.game("platforms").start())
    assert not should_stop(workspace)
    workspace.stop = 1
    assert should_stop(workspace)


def test_a_fresh_workspace_has_no_principal_variation() -> None:
    assert principal_variation(new_workspace(papan.game("platforms").start())) == []


def test_fields_are_aligned_as_compiled_code_expects() -> None:
    assert layout(256).isalignedstruct
    assert layout(256).itemsize % 8 == 0


def test_a_critical_position_is_not_mistaken_for_another_one_under_another_history() -> None:
    first = papan.game("corners").start()
    second = first.play("f3f4")
    slot_key = set()
    for position in (first, second):
        twice = Position(position.game, position.state, (position.key, position.key))
        slot_key.add(position.key ^ int(history_hash_of(twice)))
    assert len(slot_key) == 2
    assert 0 not in slot_key
