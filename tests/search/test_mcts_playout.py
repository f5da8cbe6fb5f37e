"""The moves of random games in Monte Carlo tree search."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from fakes.take_away import TakeAway
from papan.gamekit import Bits, moves, play, playout_filter
from papan.search.mcts.policy import Filtered, random_move
from papan.search.mcts.tree import clear, new_tree
from papan.search.workspace import new_workspace
from support import gallery


class Numbers(NamedTuple):
    """A set of moves, of which random games play those of another set."""

    left: Bits
    playable: Bits


@moves.register(Numbers)
def _(state: Numbers) -> Bits:
    return state.left


@play.register(Numbers)
def _(state: Numbers, move: int) -> Numbers:
    return state


@playout_filter.register(Numbers)
def _(state: Numbers, move: int) -> bool:
    return bool((state.playable >> np.uint64(move)) & np.uint64(1))


def drawn(state: Numbers, count: int = 600) -> Counter[int]:
    """Counts the moves of random games in a state."""
    tree, workspace = new_tree(0.01), new_workspace(TakeAway().start())
    clear(tree, 5)
    with np.errstate(over="ignore"):  # the generator wraps around
        return Counter(
            int(random_move(Filtered(), state, np.uint64(0), 0, tree, workspace))
            for _ in range(count)
        )


@pytest.mark.parametrize("playable", [0b1010_1010, 1 << 40])
def test_random_games_play_what_the_filter_lets_through(playable: int) -> None:
    left = (1 << 63) - 1  # so many that a playable one is rarely among the first draws
    counts = drawn(Numbers(np.uint64(left), np.uint64(playable)))
    wanted = [move for move in range(63) if playable >> move & 1]
    assert sorted(counts) == wanted
    assert min(counts.values()) > 600 / len(wanted) / 2


def test_random_games_play_any_move_if_the_filter_lets_none_through() -> None:
    assert sorted(drawn(Numbers(np.uint64(0b1011), np.uint64(0)))) == [0, 1, 3]
    assert drawn(Numbers(np.uint64(0), np.uint64(0)), 1) == {-1: 1}


def test_random_games_of_go_fill_no_eye() -> None:
    game = gallery("go.py:size=5")
    position = game.position("1x1xx/xxxxx/5/ooooo/o1o1o x 0")
    kept = {code for code in position.codes() if playout_filter(position.state, code)}
    assert {game.write_move(code) for code in set(position.codes()) - kept} == {"a5", "c5"}
