"""Iterative deepening gives, at each depth, what a direct search to that depth gives."""

import pytest

import papan
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.search.result import SearchResult
from support import SMALL_SPECS, find, middles, reached

NEVER = 10**15  # nodes that no test visits: the limit makes the search deepen


def deepened(spec: str, seed: int, depth: int) -> tuple[SearchResult, list[SearchResult]]:
    """The result of a search through all depths, and those on the way."""
    seen: list[SearchResult] = []
    position = middles(spec, 5)[seed].position
    limit = Limit(depth=depth, nodes=NEVER)
    return search(position, limit, algorithm=algorithm("alphabeta"), on_result=seen.append), seen


@pytest.mark.parametrize("spec", SMALL_SPECS)
@pytest.mark.parametrize("seed", range(5))
def test_each_depth_finds_what_a_direct_search_finds(spec: str, seed: int) -> None:
    last, seen = deepened(spec, seed, 5)
    assert [result.depth for result in seen] == list(range(1, len(seen) + 1))
    assert len(seen) == 5 or last.proven
    for result in seen:
        direct = find("alphabeta", result.position, result.depth)
        assert (result.value, result.pv) == (direct.value, direct.pv)


@pytest.mark.parametrize("spec", SMALL_SPECS)
def test_the_nodes_of_all_depths_are_added_up(spec: str) -> None:
    last, seen = deepened(spec, 1, 4)
    direct = [find("alphabeta", last.position, result.depth).nodes for result in seen]
    assert [result.nodes for result in seen] == [sum(direct[: i + 1]) for i in range(len(seen))]
    assert last.nodes == seen[-1].nodes


def test_the_last_result_is_returned_as_it_was_reported() -> None:
    last, seen = deepened("adjacency:size=4", 2, 3)
    assert (last.value, last.pv, last.depth) == (seen[-1].value, seen[-1].pv, seen[-1].depth)


def test_a_depth_alone_is_searched_directly_by_algorithms_that_need_no_deepening() -> None:
    seen: list[SearchResult] = []
    start = papan.game("corners").start()
    limit = Limit(depth=3)
    search(start, limit, algorithm=algorithm("minimax"), on_result=seen.append)
    assert [result.depth for result in seen] == [3]


def test_deepening_ends_when_the_game_is_searched_to_its_end() -> None:
    position = reached("adjacency:size=4", 3, 3)
    result = search(position, Limit(seconds=60), algorithm=algorithm("alphabeta"))
    assert result.depth == position.state.plies_left == 5
    assert result.proven
    assert result.seconds < 30


def test_deepening_ends_when_a_win_is_found() -> None:
    start = papan.game("platforms").start()
    result = search(start, Limit(seconds=60, depth=128), algorithm=algorithm("alphabeta"))
    assert (result.value, result.depth) == (993, 7)
    assert result.proven
