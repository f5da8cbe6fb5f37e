"""OpenSpiel's bots as players."""

import subprocess
import sys

import pytest

import papan
from fakes.clock import FakeTime
from papan.adapters import bots
from papan.errors import InvalidSpec, UsageError
from papan.players.registry import player
from papan.search.limits import Limit
from papan.testing import check_player
from support import environment

WITHOUT_OPENSPIEL = """
import sys
sys.modules["pyspiel"] = None  # as if it were not installed
from papan.cli import main
sys.exit(main())
"""


def run_without_openspiel(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_OPENSPIEL, *words],
        capture_output=True,
        text=True,
        check=False,
        env=environment(PAPAN_LANG="en"),
    )


def test_without_openspiel_one_line_says_what_to_install() -> None:
    done = run_without_openspiel("match", "platforms", "openspiel:mcts", "random", "--games", "2")
    assert done.returncode == 2
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert "openspiel:mcts" in line
    assert "pip install 'papan[openspiel]'" in line


@pytest.mark.parametrize("text", ["stockfish", "simulations=20", "mcts:simulations=20"])
def test_a_bot_that_is_not_there_is_refused_with_those_there_are(text: str) -> None:
    with pytest.raises(InvalidSpec, match="mcts, random"):
        player(f"openspiel:{text}")


def test_options_are_checked_and_read_back() -> None:
    pytest.importorskip("pyspiel", reason="needs papan[openspiel]")
    for spec in ("openspiel:mcts", "openspiel:random", "openspiel:mcts,simulations=7,time=2"):
        assert player(spec).spec == spec
        assert player(player(spec).spec) == player(spec)
    assert player("openspiel") == player("openspiel:mcts")
    with pytest.raises(InvalidSpec, match="simulations"):
        player("openspiel:mcts,simulations=0")
    with pytest.raises(InvalidSpec, match="depth"):
        player("openspiel:mcts,depth=4")


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("openspiel:random", "corners"),
        ("openspiel:random", "adjacency"),
        ("openspiel:mcts,simulations=10", "adjacency:size=4"),
        ("openspiel:mcts,simulations=10", "platforms:size=4,level=2"),
        ("openspiel:mcts,simulations=2", "corners"),
    ],
)
def test_openspiels_bots_keep_the_promises_of_players(spec: str, game: str) -> None:
    pytest.importorskip("pyspiel", reason="needs papan[openspiel]")
    check_player(spec, game, positions=8, seconds=60, now=FakeTime())


def test_the_search_ends_when_its_time_is_up() -> None:
    pytest.importorskip("pyspiel", reason="needs papan[openspiel]")
    chooser, game = player("openspiel:mcts,simulations=1000000"), papan.game("platforms:size=4")
    chooser.new_game(game, 1)
    choice = chooser.choose(game.start(), Limit(seconds=0.3))
    assert choice.move in game.start().moves()
    assert choice.nodes is not None
    assert 1 <= choice.nodes < 1_000_000


def test_a_limit_of_nodes_counts_simulations() -> None:
    pytest.importorskip("pyspiel", reason="needs papan[openspiel]")
    chooser, game = player("openspiel:mcts"), papan.game("adjacency:size=4")
    chooser.new_game(game, 1)
    assert chooser.choose(game.start(), Limit(nodes=12)).nodes == 12
    assert chooser.choose(game.start(), Limit()).nodes == 100


def test_enough_simulations_find_the_only_winning_move() -> None:
    pytest.importorskip("pyspiel", reason="needs papan[openspiel]")
    chooser, game = player("openspiel:mcts,simulations=2000"), papan.game("platforms")
    chooser.new_game(game, 1)
    assert chooser.choose(game.start(), Limit()).move == "b2"


def test_a_player_that_is_made_in_python_also_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bots, "find_spec", lambda name: None)
    with pytest.raises(UsageError, match="papan\\[openspiel\\]"):
        bots.OpenSpielPlayer().new_game(papan.game("platforms"), 1)
