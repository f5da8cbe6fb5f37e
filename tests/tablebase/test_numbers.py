"""Tablebases of games that number their positions themselves: the same results, without keys."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import papan
from fakes.graphs import NUMBERED, graph, node
from fakes.walkers import Walker, agrees, walkers
from papan.core.game import Position
from papan.errors import InvalidGame, Unsolved, UsageError
from papan.rules.bits import of_squares
from papan.rules.subsets import subset_at, subset_count, subset_number
from papan.tablebase import build as building
from papan.tablebase import codec, retrograde
from papan.tablebase.build import build
from papan.tablebase.lookup import verify
from reference import tablebase as oracle

SMALL_CORNERS = f"{Path(__file__).parents[2]}/benchmarks/games/small_corners.py:size=3,row=2"


@given(walkers())
def test_each_result_on_a_graph_with_circles_is_the_oracles(walker: Walker) -> None:
    tablebase = build(walker.position(numbered=True))
    assert (tablebase.header["method"], tablebase.header["numbered"]) == ("circles", True)
    agrees(tablebase, oracle.results(walker))


@given(walkers(forward=True))
def test_each_result_on_a_graph_without_circles_is_the_oracles(walker: Walker) -> None:
    tablebase = build(walker.position(ranked=True, numbered=True), workers=2)
    assert (tablebase.header["method"], tablebase.header["numbered"]) == ("forward", True)
    agrees(tablebase, oracle.results(walker))


def without_numbers(monkeypatch: pytest.MonkeyPatch, start: Position) -> Any:
    """The tablebase of a game as if it did not number its positions."""
    with monkeypatch.context() as patch:
        patch.setattr(building, "index_count", lambda state: 0)
        return build(start)


@pytest.mark.thorough
def test_numbers_and_keys_give_the_same_tablebase(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = papan.game(SMALL_CORNERS).start()
    numbered, keyed = build(start, out=tmp_path / "corners.db"), without_numbers(monkeypatch, start)
    assert numbered.counts == keyed.counts
    assert (numbered.positions, numbered.images) == (keyed.positions, keyed.images)
    assert verify(numbered) == keyed.positions
    for seed in range(20):
        for _, after in start.random_walk(Random(seed), 20):
            assert numbered.value(after) == keyed.value(after)
    assert 4 * numbered.words.nbytes < keyed.words.nbytes


@pytest.mark.thorough
def test_work_that_was_stopped_goes_on_with_the_positions_that_were_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = papan.game(SMALL_CORNERS).start()
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    build(start, out=whole)
    with monkeypatch.context() as patch:
        patch.setattr(retrograde, "solve_backwards", full)
        with pytest.raises(UsageError, match="No space left on device"):
            build(start, out=cut)
    assert (tmp_path / "cut.db.parts" / "keys-0").exists()
    build(start, out=cut, workers=2)
    assert cut.read_bytes() == whole.read_bytes()


def full(*words: object) -> None:
    raise OSError(28, "No space left on device")


def test_a_bound_that_does_not_fall_makes_it_a_game_with_circles() -> None:
    nodes = (node(0b10, 0, 0, 5), node(0b100, 0, 0, 5), node(0, 0, -1, 1))
    tablebase = build(graph(*nodes, *[0] * 8, NUMBERED))
    assert (tablebase.header["method"], str(tablebase.value(tablebase.root))) == (
        "circles",
        "loss 2",
    )


@pytest.mark.thorough
def test_memory_for_all_numbers_has_to_suffice() -> None:
    start = papan.game(SMALL_CORNERS.replace("size=3", "size=4")).start()
    with pytest.raises(Unsolved, match="more than 1 MB"):
        build(start, memory_mb=1)


def test_numbers_that_do_not_lead_back_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    start = graph(node(0b10, 0, 0, 0), *[0] * 10, NUMBERED)
    monkeypatch.setattr(codec, "index", lambda state: 5)
    with pytest.raises(InvalidGame, match="index and position_of disagree"):
        build(start)


def test_a_position_that_cannot_be_reached_is_not_in_the_tablebase() -> None:
    tablebase = build(graph(node(0b10, 0, 0, 0), *[0] * 10, NUMBERED))
    assert str(tablebase.value(tablebase.root)) == "win 1"
    with pytest.raises(UsageError, match="is not in the tablebase"):
        tablebase.value(Position.unchecked(tablebase.game, tablebase.root.state._replace(side=1)))


@given(st.sets(st.integers(0, 63), min_size=1), st.data())
def test_sets_of_squares_have_numbers_that_lead_back(
    squares: set[int], data: st.DataObject
) -> None:
    within = of_squares(sorted(squares))
    chosen = data.draw(st.sets(st.sampled_from(sorted(squares))))
    found = subset_number(of_squares(sorted(chosen)), within)
    assert 0 <= found < subset_count(within, len(chosen))
    assert subset_at(found, len(chosen), within) == of_squares(sorted(chosen))


def test_all_sets_of_a_size_have_different_numbers() -> None:
    within = np.uint64(0b1011_0111)
    count = subset_count(within, 3)
    assert len({int(subset_at(number, 3, within)) for number in range(count)}) == count == 20
