"""Complete random games per second of Papan and OpenSpiel, measured alternately.

Papan plays the rollouts of its Monte Carlo tree search with all rules, including draws by
repetition and forbidden positions. OpenSpiel plays in C++ (`workers/random_games.py`). The table
also has the published figures of Regular Games, which its author measured on another machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

import papan
from benchmarks.peers.environment import ROOT, answer_of
from benchmarks.peers.tables import three_figures
from benchmarks.tools.report import Table
from benchmarks.tools.timing import cpu_seconds, in_turns
from papan.core.game import Position
from papan.jit.compiler import kernel
from papan.rules.operations import Evaluation, State
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.mcts.playout import playout
from papan.search.mcts.settings import Settings
from papan.search.mcts.tree import Tree
from papan.search.workspace import Workspace, enter, leave

#: Goal: this many times as many random games as OpenSpiel.
PROMISED_RATIO = 10
#: Measurements of each library; the fastest one counts.
TURNS = 3
#: Random games per second of Regular Games (arXiv 2511.10593, one thread).
REGULAR = {
    "connect_four": 1_297_000,
    "breakthrough": 82_000,
    "othello": 28_400,
    "chess": 1_600,
}


class Pair(NamedTuple):
    """The specs of a game in Papan and in OpenSpiel."""

    papan: str
    openspiel: str


PAIRS = (
    Pair("tictactoe", "tic_tac_toe"),
    Pair("connect_four", "connect_four"),
    Pair("othello", "othello"),
    Pair("breakthrough", "breakthrough"),
    Pair("checkers", "checkers"),
    Pair("chess", "chess"),
    Pair("go", "go(board_size=9,komi=7.5,max_game_length=2000)"),
    Pair("hex", "hex"),
    Pair("gomoku", "gomoku"),
    Pair("amazons", "amazons(board_size=10)"),
    Pair("clobber", "clobber"),
    Pair("lines_of_action", "lines_of_action"),
    Pair("morris", "nine_mens_morris"),
    Pair("pentago", "pentago"),
    Pair("quoridor:size=5", "quoridor(board_size=5)"),
    Pair("ultimate_tic_tac_toe", "ultimate_tic_tac_toe"),
    Pair("kalah", "mancala"),
    Pair("dots_and_boxes:rows=3,columns=4", "dots_and_boxes(num_rows=3,num_cols=4)"),
    Pair("nim:misere=yes", "nim"),
)


def table(budget: float) -> Table:
    """Returns the table of all games; each game takes about `budget` seconds."""
    columns = (
        "game",
        "Papan, games/s",
        "OpenSpiel, games/s",
        "Papan's ÷ OpenSpiel's",
        f"{PROMISED_RATIO} times",
        "Regular Games, published",
    )
    found = Table("Whole random games", columns)
    for pair in PAIRS:
        ours, theirs = _rates(pair, budget / (2 * TURNS))
        ratio, published = ours / theirs, REGULAR.get(pair.papan)
        kept = "yes" if ratio >= PROMISED_RATIO else "no"
        cells = map(three_figures, (ours, theirs, ratio))
        found.add(f"`{pair.papan}`", *cells, kept, f"{published:,}" if published else "")
    return found


def _rates(pair: Pair, seconds: float) -> tuple[float, float]:
    """Returns the best rates of Papan and OpenSpiel, which run alternately."""
    ours, theirs = in_turns(
        TURNS, partial(_rate, player(pair.papan), seconds), partial(_their_rate, pair, seconds)
    )
    return max(ours), max(theirs)


def _their_rate(pair: Pair, seconds: float) -> float:
    said: dict[str, Any] = json.loads(answer_of("random_games", pair.openspiel, str(seconds)))
    return float(said["rate"])


def player(spec: str) -> Callable[[int], float]:
    """Returns a compiled function that plays a number of random games of a gallery game."""
    position = papan.game(str(ROOT / "examples" / "games" / _with_file(spec))).start()
    search = Mcts()
    task = Task(position, position.game.default_evaluation, Limit(nodes=1), Stop())
    search.begin(task)
    settings = Settings(0.0, 1, 1, 1_000_000, 1.0, 0)
    play = partial(_play, position, search.tree, settings, task)
    play(1)
    return play


def _with_file(spec: str) -> str:
    name, colon, options = spec.partition(":")
    return f"{name}.py{colon}{options}"


def _play(position: Position, tree: Tree, settings: Settings, task: Task, games: int) -> float:
    key, evaluation = np.uint64(position.key), position.game.default_evaluation
    state = position.state
    return float(sum_of_scores(state, key, games, tree, evaluation, settings, task.workspace))


@kernel
def sum_of_scores(
    start: State,
    key: np.uint64,
    games: int,
    tree: Tree,
    evaluation: Evaluation,
    settings: Settings,
    workspace: Workspace,
) -> float:
    """Returns the sum of the first player's scores in random games."""
    total = 0.0
    enter(start, key, 0, workspace)
    for _ in range(games):
        total += playout(start, key, 0, tree, evaluation, settings, workspace)
    leave(start, 0, workspace)
    return total


def _rate(play: Callable[[int], object], seconds: float) -> float:
    """Returns games per second; trials determine how many games fit into `seconds`."""
    count, taken, rate = 1, 0.0, 0.0
    while taken < seconds / 2:
        _, taken = cpu_seconds(partial(play, count))
        rate = count / max(taken, 1e-6)
        count = max(2 * count, int(rate * seconds))
    return rate
