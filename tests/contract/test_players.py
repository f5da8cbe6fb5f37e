"""Every player keeps the contract, and a player that breaks it is caught."""

import random
from dataclasses import dataclass

import pytest

import papan
from fakes.clock import FakeTime
from papan.core.game import Game, Position
from papan.errors import BrokenContract, InvalidSpec
from papan.messages import catalogue
from papan.players import registry
from papan.players.base import Choice
from papan.players.local_search import HillClimbingPlayer
from papan.players.simple import FirstMove, RandomPlayer
from papan.search.limits import Limit
from papan.testing import check_player
from support import thoroughly

#: Each installed player, with options at which it is quick and counts what it does.
SPECS = [
    "random",
    "first",
    "hill-climbing",
    "hill-climbing:variant=steepest",
    "hill-climbing:variant=stochastic",
    "hill-climbing:variant=restarts",
    "annealing",
    "annealing:temperature=1,cooling=0.5",
    "genetic:population=20,generations=5",
    "genetic:population=20,generations=5,repair=no,depth=3,crossover=2",
    "genetic:model=reservation-tree,population=20,generations=5",
    "genetic:model=reservation-tree,population=1,generations=0,depth=1",
    "minimax:depth=3",
    "alphabeta:depth=2",
    "memory:depth=2",
    "pvs:depth=2,slots=64",
    "mtdf:depth=2",
    "platforms-minimax",
    "corners-minimax:depth=2",
    "corners-minimax:heuristic=corner,depth=2",
    "blocker",
    "mcts:simulations=50,memory=1",
    "engine:depth=3,hash=1",
    "beginner",
    "easy",
    "medium",
    "hard",
    "level:2",
    "fallible:search=engine,nodes=100,noise=0.1",
]

#: Those whose searches take longest to be compiled, or to be checked; others stand for them.
SLOW = {
    "genetic:population=20,generations=5",
    "genetic:population=20,generations=5,repair=no,depth=3,crossover=2",
    "genetic:model=reservation-tree,population=20,generations=5",
    "corners-minimax:depth=2",
    *("easy", "medium", "hard", "level:2"),
    *("memory:depth=2", "mtdf:depth=2"),
}

#: Those that compile most for each game, and so are tried in one by default.
COMPILED = {"engine", "fallible", "genetic", "mcts"}

#: Programs and bots of other authors, people, and levels that think as long as they may.
NOT_HERE = {"ugi", "uci", "gtp", "python", "openspiel", "human", "expert", "best"}


@pytest.mark.parametrize(
    "spec", [*(spec for spec in SPECS if spec not in SLOW), *thoroughly(*sorted(SLOW))]
)
def test_every_player_keeps_its_promises_in_all_its_games(spec: str, thorough: bool) -> None:
    everywhere = thorough or spec.partition(":")[0] not in COMPILED
    check_player(spec, None if everywhere else "adjacency:size=4", now=FakeTime())


@pytest.mark.parametrize(
    "game", ["adjacency:size=4,first=o", "adjacency:rounds=2", "platforms:size=4,level=3"]
)
@pytest.mark.parametrize("spec", ["hill-climbing", "annealing", *SPECS[8:11]])
def test_general_players_keep_their_promises_whatever_the_options_of_the_game(
    spec: str, game: str
) -> None:
    check_player(spec, game, now=FakeTime())


def test_no_player_that_is_installed_escapes_the_check() -> None:
    assert {spec.partition(":")[0] for spec in SPECS} == set(registry.names()) - NOT_HERE


@pytest.mark.parametrize(
    "spec",
    [
        "genetic:generations=1000000",
        "genetic:model=reservation-tree,generations=1000000,population=2000,depth=40",
        "mcts:memory=1",
        "engine:hash=1",
        "expert",
    ],
)
def test_players_that_could_go_on_for_long_end_with_their_time(spec: str) -> None:
    player, position = registry.player(spec), papan.game("adjacency").start()
    player.new_game(position.game, 1)
    choice = player.choose(position, Limit(seconds=0.05))
    player.close()
    assert choice.move in position.moves()


@pytest.mark.long
@pytest.mark.parametrize("spec", [*SPECS, "genetic", "genetic:model=reservation-tree", "expert"])
def test_every_player_keeps_its_promises_over_many_games(spec: str) -> None:
    check_player(spec, positions=200, seed=2)


# --- players that break a promise


@dataclass
class Illegal(RandomPlayer):
    """Plays a corner, whatever stands there."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice("a1")


#: The time of the players that break a promise.
TIME = FakeTime()


@dataclass
class Slow(RandomPlayer):
    """Thinks longer than it may."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        TIME.sleep(0.3)
        return super().choose(position, limit)


@dataclass
class Careless(RandomPlayer):
    """Draws from everybody's chance instead of its own."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(random.choice(position.moves()))


@dataclass
class Late(FirstMove):
    """Cannot play the last moves of a game."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        _ = position.codes()[3]
        return super().choose(position, limit)


@dataclass
class Meddling(FirstMove):
    """Writes on the board it is shown."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        choice = super().choose(position, limit)
        object.__setattr__(position, "past", (1,))
        return choice


@dataclass
class Tacit(FirstMove):
    """Gives a number instead of a move."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        return Choice(position.codes()[0])  # type: ignore[arg-type]  # that is its fault


@dataclass
class Dreamer(FirstMove):
    """Expects its own move to be played twice."""

    def choose(self, position: Position, limit: Limit) -> Choice:
        move = super().choose(position, limit).move
        return Choice(move, pv=(move, move))


def forgetful() -> HillClimbingPlayer:
    """A player whose spec leaves out that it is not as usual."""
    player = HillClimbingPlayer()
    player.variant = "no such thing"
    return player


@dataclass
class Overeager(FirstMove):
    """Says that it plays one game, and plays all."""

    games = ("adjacency",)

    def new_game(self, game: Game, seed: int) -> None:
        self.random.seed(seed)


BROKEN = {
    "legal": Illegal(),
    "time": Slow(),
    "repeats": Careless(),
    "raises": Late(),
    "unchanged": Meddling(),
    "choice": Tacit(),
    "pv": Dreamer(),
    "spec": forgetful(),
    "refuses-game": Overeager(),
}


@pytest.mark.parametrize("promise", BROKEN)
def test_a_promise_that_a_player_breaks_is_named(promise: str) -> None:
    with pytest.raises(BrokenContract) as caught:
        check_player(BROKEN[promise], "adjacency:size=4", seconds=0.01, now=TIME)
    assert caught.value.values["promise"] == f"@player-contract.{promise}"
    assert catalogue()[f"player-contract.{promise}"]["en"] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_promise_of_a_player_has_one_that_breaks_it() -> None:
    promises = {name for name in catalogue() if name.startswith("player-contract.")}
    assert {f"player-contract.{promise}" for promise in BROKEN} == promises


def test_the_message_names_player_game_position_and_move() -> None:
    with pytest.raises(BrokenContract, match="legal") as caught:
        check_player(Illegal(), "adjacency:size=4")
    names, line, _ = caught.value.values["where"].split("'")
    assert names == "random, adjacency:size=4 "
    assert "a1" not in papan.game("adjacency:size=4").position(line).moves()
    assert caught.value.values["found"] == "a1"


def test_a_spec_that_names_no_player_is_a_usage_error() -> None:
    with pytest.raises(InvalidSpec, match="stockfish"):
        check_player("stockfish")
