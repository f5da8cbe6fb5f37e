"""The engine of a page in Chromium against Python: the same values, nodes and moves."""

import base64
from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.browser import LOAD, STATIC
from papan.browser.modules import module_for
from papan.core.game import Game
from papan.engine import Engine
from papan.learn import choice
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.perft import perft
from wasm.test_engine import MEGABYTES, NODES, SIMULATIONS, cases, lines

Visit = Callable[..., Any]


@pytest.mark.parametrize("game", cases({"connect_four", "go"}, {"amazons"}))
def test_chromium_finds_what_python_finds(visit: Visit, game: Game) -> None:
    page, module = visit(), module_for(game)
    parts = [base64.b64encode(part).decode() for part in (module.wasm, module.weights)]
    script = (STATIC / "engine.js").read_text(encoding="utf-8")
    page.evaluate(LOAD, [script, module.data, *parts])

    def ask(command: str, **request: Any) -> Any:
        return page.evaluate(
            "([command, request]) => window.ask(command, request)", [command, request]
        )

    for moves, position in lines(game)[:5]:
        engine = Engine(hash=MEGABYTES)
        task = Task(position, choice.strongest(game), Limit(nodes=NODES), Stop())
        engine.begin(task)
        results = list(engine.steps(task))
        found = ask("search", moves=moves, hash=MEGABYTES, nodes=NODES)
        if results:
            assert [found["depth"], found["pv"]] == [results[-1].depth, list(results[-1].pv)]
            assert found["nodes"] == int(task.workspace.nodes)
        mcts = Mcts(simulations=SIMULATIONS, seed=7, memory=8.0)
        task = Task(position, game.default_evaluation, Limit(), Stop())
        mcts.begin(task)
        list(mcts.steps(task))
        found = ask("simulate", moves=moves, simulations=SIMULATIONS, seed=7, memory=8)
        assert found["score"] == mcts.score_rate
        assert ask("perft", moves=moves, depth=2)["nodes"] == perft(position, 2)
