"""A technique in a file of one's own is compiled into the search, like those of Papan."""

from pathlib import Path

import pytest

import papan
from papan.errors import InvalidGame, InvalidSpec
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from support import SMALL_SPECS, find, middles, thoroughly

REPLIES = '''
from typing import NamedTuple
from papan.rules.operations import count_moves, play
from papan.search.alphabeta.algorithms import Pvs
from papan.search.alphabeta.order import move_score

class FewestReplies(NamedTuple):
    """Moves that leave the opponent few replies come first."""

@move_score.register(FewestReplies)
def _(order, state, move, ply, workspace):
    return -count_moves(play(state, move))

class Cramping(Pvs):
    """Principal variation search with that order."""

    def techniques(self):
        return super().techniques()._replace(order=FewestReplies())
'''

SHALLOW = '''
from typing import NamedTuple
from papan.search.alphabeta.algorithms import Memory
from papan.search.alphabeta.techniques import reduction_of

class Half(NamedTuple):
    after: int

@reduction_of.register(Half)
def _(kind, depth, tried):
    return depth // 2 if tried > kind.after else 0

class Careless(Memory):
    """Alpha–beta with memory, late moves at half the depth."""

    def techniques(self):
        return super().techniques()._replace(reduction=Half(2))
'''


@pytest.fixture
def own(tmp_path: Path) -> str:
    """The path of a file with an order."""
    path = tmp_path / "replies.py"
    path.write_text(REPLIES)
    return str(path)


@pytest.mark.parametrize("spec", [SMALL_SPECS[0], *thoroughly(*SMALL_SPECS[1:])])
def test_an_order_of_ones_own_changes_nodes_but_no_value(own: str, spec: str) -> None:
    for position, _ in middles(spec, 3):
        assert find(own, position, 4).value == find("minimax", position, 4).value


@pytest.mark.thorough
def test_a_good_order_saves_nodes(own: str) -> None:
    start = papan.game("platforms:size=4,level=2").start()
    assert find(own, start, 12).nodes < find("pvs", start, 12).nodes


def test_options_of_the_algorithm_below_stay(own: str) -> None:
    assert algorithm(f"{own}:slots=16").spec == f"{own}:slots=16"
    with pytest.raises(InvalidSpec):
        algorithm(f"{own}:nonsense=16")


@pytest.mark.thorough
def test_its_tree_can_be_drawn(own: str) -> None:
    start = papan.game("platforms").start()
    assert "replies.py" in papan.tree(start, 3, own).title


@pytest.mark.thorough
def test_a_reduction_of_ones_own_saves_nodes(tmp_path: Path) -> None:
    path = tmp_path / "careless.py"
    path.write_text(SHALLOW)
    start = papan.game("platforms:size=4,level=2").start()
    assert find(str(path), start, 10).nodes < find("memory", start, 10).nodes


@pytest.mark.thorough
def test_a_technique_that_cannot_be_compiled_is_explained_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "broken.py"
    path.write_text(REPLIES.replace("-count_moves(play(state, move))", "move / 2"))
    with pytest.raises(InvalidGame) as caught:
        search(papan.game("platforms").start(), Limit(depth=3), algorithm=algorithm(str(path)))
    assert "'move_score' cannot be compiled: it returns float" in str(caught.value)
    assert "broken.py" in str(caught.value)


def test_a_file_without_an_algorithm_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.py"
    path.write_text("number = 3\n")
    with pytest.raises(InvalidSpec) as caught:
        algorithm(str(path))
    assert "empty.py" in str(caught.value)
