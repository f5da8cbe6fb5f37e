"""Every algorithm is a player: those of Papan, and those in files of users."""

from pathlib import Path

import pytest

import papan
from papan.core.spec import options_of
from papan.errors import InvalidSpec
from papan.players import registry
from papan.players.search import SearchPlayer
from papan.search import registry as algorithms
from papan.search.limits import Limit

SMALL = "platforms:size=4"

CRAMPING = '''
from typing import NamedTuple
from papan.rules.operations import count_moves, play
from papan.search.alphabeta import order
from papan.search.alphabeta.algorithms import Pvs

class FewestReplies(NamedTuple):
    """Moves that leave the opponent few replies come first."""

@order.move_score.register(FewestReplies)
def _(order, state, move, ply, workspace):
    return -count_moves(play(state, move))

class Cramping(Pvs):
    def techniques(self):
        return super().techniques()._replace(order=FewestReplies())
'''


@pytest.mark.parametrize("name", algorithms.names())
def test_a_player_has_the_options_of_its_algorithm(name: str) -> None:
    cls = algorithms.algorithm_class(name)
    player = registry.player_class(name)
    if name == "minimax":  # the program of the course reports
        assert issubclass(player, SearchPlayer) and player.algorithm == "alphabeta"
        return
    managed = {"seed"} if name == "mcts" else set()
    assert set(options_of(player)) >= set(options_of(cls)) - managed


def test_options_reach_the_algorithm() -> None:
    player = registry.player("engine:lmr=4,killers=no,hash=2")
    assert isinstance(player, SearchPlayer)
    assert player.searching.spec == "engine:hash=2,killers=no,lmr=4"
    assert registry.player(player.spec) == player


def test_algorithms_that_prune_choose_what_minimax_chooses() -> None:
    position = papan.game(SMALL).start()
    values = {
        spec: registry.player(f"{spec}:depth=4").choose(position, Limit()).value
        for spec in ("minimax", "alphabeta", "pvs", "mtdf")
    }
    assert len(set(values.values())) == 1


def test_an_algorithm_in_a_file_is_a_player(tmp_path: Path) -> None:
    path = tmp_path / "cramping.py"
    path.write_text(CRAMPING)
    result = papan.play_match(SMALL, f"{path}:depth=2", "random", games=2)
    assert result.games == 2
    with pytest.raises(InvalidSpec, match="no option 'dept'"):
        registry.player(f"{path}:dept=2")


def test_a_file_without_an_algorithm_is_a_bot(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text("def choose(position, limit):\n    return position.moves()[0]\n")
    assert registry.player(str(path)).spec == f"python:{path}"
