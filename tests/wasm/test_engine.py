"""The engine of a page against Python: the same games, values, nodes and moves."""

import functools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.browser.modules import module_for
from papan.build_modules import games
from papan.core.game import Game, Position
from papan.engine import Engine
from papan.errors import Unsolved
from papan.learn import choice
from papan.rules import operations as rules
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.perft import perft
from papan.solve.base import Work
from papan.solve.deepening import DeepeningSolver
from papan.solve.null_window import NullWindowSolver
from wasm.node import NODE, NodeEngine

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no Node")

MEGABYTES, NODES, SIMULATIONS = 4.0, 3000, 100

#: Games of the default sample: a small one, one with a trained evaluation, and one with wide sets,
#: passes and forbidden repetitions.
SAMPLED = {"tictactoe", "connect_four", "go"}
#: Games of a thorough run: long moves, chains of captures, numbers on places, promotions.
SAMPLED_THOROUGHLY = {"amazons", "checkers", "kalah", "chess"}


def cases(sampled: set[str], sampled_thoroughly: set[str]) -> list[Any]:
    """Returns all games; those in neither set are for a long run."""

    def marks(name: str) -> list[Any]:
        if name in sampled:
            return []
        return [pytest.mark.thorough if name in sampled_thoroughly else pytest.mark.long]

    return [pytest.param(game, id=game.name, marks=marks(game.name)) for game in games()]


@pytest.fixture(scope="module", params=cases(SAMPLED, SAMPLED_THOROUGHLY))
def game(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


@pytest.fixture(scope="module")
def node(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeEngine]:
    with NodeEngine(module_for(game), tmp_path_factory.mktemp("node")) as engine:
        yield engine


@functools.cache
def lines(game: Game, count: int = 20, longest: int = 16) -> list[tuple[list[str], Position]]:
    """Returns random games that are not over, with the position at their end."""
    chance = random.Random(7)
    found = []
    for _ in range(count):
        moves, position = list[str](), game.start()
        for move, after in game.start().random_walk(chance, chance.randrange(longest)):
            if after.outcome() is not None:
                break
            moves, position = [*moves, move], after
        found.append((moves, position))
    return found


def test_a_page_has_the_same_positions(game: Game, node: NodeEngine) -> None:
    for moves, position in lines(game)[:5]:
        shown = node.ask("position", moves=moves)
        assert [move["text"] for move in shown["moves"]] == position.moves()
        assert shown["side"] == position.side
        assert shown["facts"] == list(position.facts().values())
        contents = game.contents(position.state).values()
        kinds = [game.pieces.index(one.piece) + 1 if one.piece else 0 for one in contents]
        assert [kind for kind, _ in shown["contents"]] == kinds
        numbers = [-1 if one.number is None else one.number for one in contents]
        assert [number for _, number in shown["contents"]] == numbers


def test_a_page_writes_moves_as_python_does(game: Game, node: NodeEngine) -> None:
    for moves, position in lines(game)[:5]:
        shown = node.ask("position", moves=moves)["moves"]
        steps = [
            [step if isinstance(step, str) else game.board.name(step) for step in game.steps(code)]
            for code in position.codes()
        ]
        assert [move["steps"] for move in shown] == steps
        targets = [list(map(game.board.name, game.touches(code))) for code in position.codes()]
        assert [move["targets"] for move in shown] == targets


def test_games_end_in_the_same_way(game: Game, node: NodeEngine) -> None:
    chance = random.Random(3)
    for _ in range(3):
        walk = list(game.start().random_walk(chance, 400))
        outcome, shown = walk[-1][1].outcome(), node.ask("position", moves=[m for m, _ in walk])
        assert shown["over"] == (outcome is not None)
        assert shown["winner"] == (outcome.value if outcome else "")
        own = type(game).winning_line is Game.winning_line
        assert not own or sorted(shown["won"]) == sorted(walk[-1][1].winning_line())


def test_searches_visit_the_same_nodes(game: Game, node: NodeEngine) -> None:
    evaluation = choice.strongest(game)
    for moves, position in lines(game):
        engine, task = (
            Engine(hash=MEGABYTES),
            Task(position, evaluation, Limit(nodes=NODES), Stop()),
        )
        engine.begin(task)
        results = list(engine.steps(task))
        found = node.ask("search", moves=moves, hash=MEGABYTES, nodes=NODES)
        if not results:
            assert found is None
            continue
        last = results[-1]
        unit = (
            1 if rules.is_win_distance(position.state, int(last.value)) else rules.unit(evaluation)
        )
        assert [found["depth"], found["pv"], found["nodes"], found["value"] / unit] == [
            last.depth, list(last.pv), int(task.workspace.nodes), last.value,
        ]  # fmt: skip


def test_simulations_are_the_same(game: Game, node: NodeEngine) -> None:
    for moves, position in lines(game)[5:10]:
        mcts = Mcts(simulations=SIMULATIONS, seed=7, memory=8.0)
        task = Task(position, game.default_evaluation, Limit(), Stop())
        mcts.begin(task)
        *_, last = mcts.steps(task)
        found = node.ask("simulate", moves=moves, simulations=SIMULATIONS, seed=7, memory=8)
        assert [found["score"], found["pv"]] == [mcts.score_rate, list(last.pv)]


def test_leaves_are_counted_the_same(game: Game, node: NodeEngine) -> None:
    for moves, position in lines(game)[10:12]:
        assert node.ask("perft", moves=moves, depth=2)["nodes"] == perft(position, 2)


def test_solutions_are_the_same(game: Game, node: NodeEngine) -> None:
    solver = {"deepening": DeepeningSolver, "search": NullWindowSolver}
    name = module_for(game).data["solver"]
    for moves, position in lines(game)[12:]:
        found = node.ask("solve", moves=moves, nodes=20_000)
        if not name:
            assert found == {"solved": False, "why": "no-solver"}
            continue
        work = Work(position, 100.0, Limit(nodes=20_000))
        try:
            answer = solver[name]().solve(work)
        except Unsolved:
            assert not found["solved"]
            continue
        best = list(map(game.write_move, answer.best))
        assert [found["value"], found["plies"], found["moves"], found["nodes"]] == [
            answer.value, answer.plies, best, work.value_nodes,
        ]  # fmt: skip


def test_every_level_makes_a_legal_move(game: Game, node: NodeEngine) -> None:
    for number in range(1, min(6, module_for(game).levels) + 1):
        found = node.ask("choose", moves=[], player=f"level:{number}", seed=number)
        assert found["move"] in game.start().moves()
    assert node.ask("choose", moves=[], player="best", seconds=0.05)["move"] in game.start().moves()


def test_an_illegal_move_is_named(node: NodeEngine) -> None:
    assert node.ask("position", moves=["nowhere"]) == "illegal: 1: nowhere"


def test_a_finished_game_has_no_search(tmp_path: Path) -> None:
    game = papan.game("tictactoe")
    with NodeEngine(module_for(game), tmp_path) as node:
        moves = ["a1", "b1", "a2", "b2", "a3"]
        assert node.ask("choose", moves=moves, player="best") == "over: "
        assert node.ask("position", moves=moves)["won"] == ["a3", "a2", "a1"]


def test_times_are_kept(tmp_path: Path) -> None:
    with NodeEngine(module_for(papan.game("connect_four")), tmp_path) as node:
        found: Any = node.ask("analyse", moves=["d"], seconds=0.2, lines=2)
        assert found["depth"] >= 1 and len(found["lines"]) == 2
        assert node.ask("values", moves=["d"], seconds=0.2)["values"][0]["move"] in "abcdefg"
