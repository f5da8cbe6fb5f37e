"""Tablebases whose layers are split by key over workers: the same file byte for byte."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.errors import Unsolved, UsageError
from papan.tablebase import cluster
from papan.tablebase.build import build
from papan.tablebase.cluster import Order, find_piece
from support import thoroughly

GAME = "platforms:size=3,level=2"
CIRCULAR = f"{Path(__file__).parents[2]}/benchmarks/games/small_corners.py:size=3,row=2"


class Crowd(ThreadPoolExecutor):
    """Three workers of this process."""

    workers = 3


@pytest.mark.parametrize("piece", [1 << 12, *thoroughly(7)])
def test_the_file_is_the_same_however_layers_are_split(
    piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`piece` is the least number of positions of a slice."""
    monkeypatch.setattr(cluster, "_LEAST", piece)
    start = papan.game(GAME).start()
    alone = build(start, out=tmp_path / "alone.db")
    with Crowd(3) as executor:
        build(start, out=tmp_path / "split.db", executor=executor)
        in_memory = build(start, executor=executor)
    assert (tmp_path / "split.db").read_bytes() == (tmp_path / "alone.db").read_bytes()
    assert in_memory.counts == alone.counts


def test_a_game_that_goes_in_circles_is_not_split() -> None:
    with Crowd(1) as executor, pytest.raises(Unsolved, match="--cluster"):
        build(papan.game(CIRCULAR).start(), executor=executor)


def test_a_worker_with_other_rules_refuses_its_piece() -> None:
    order = Order(GAME, "other rules", "", (), 1 << 20)
    keys: Any = None  # never looked at
    with pytest.raises(UsageError, match="rules"):
        find_piece(order, keys)
