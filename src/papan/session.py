"""One call for each thing that a session does: analyse, solve, count, draw, play.

Games and players are given as objects or as specs. Where a position is needed, a game stands for
its start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import papan.notebook  # noqa: F401 - from now on results show themselves
from papan import tree_figure
from papan.arena import measure as matches
from papan.arena import tune as tuning
from papan.arena.score import Tally
from papan.campaign import Campaign
from papan.core import spec
from papan.core.arguments import check_arguments, within
from papan.core.game import Game, Position
from papan.errors import UsageError
from papan.learn.choice import evaluation_named
from papan.learn.training import Training, TrainingPlan
from papan.learn.weights import Weights, place_for
from papan.play import referee
from papan.players.base import Player
from papan.players.registry import player
from papan.rules.operations import MAX_PLY
from papan.search import algorithm as searching
from papan.search import perft as counting
from papan.search import registry
from papan.search.limits import DEFAULT_MB, Limit
from papan.search.result import SearchResult
from papan.solve import move_values as valuing
from papan.solve import solve as solving
from papan.solve.base import DEFAULT_THREADS, MOST_THREADS
from papan.solve.known_values import MoveValues, known_values, tablebase_of
from papan.tablebase.build import build
from papan.tablebase.lookup import Tablebase
from papan.tablebase.store import is_tablebase
from papan.usercode.registry import game

if TYPE_CHECKING:
    from papan.figures.tree.model import TreeFigure
    from papan.records.model import Record
    from papan.records.store import Store
    from papan.rules.operations import Evaluation
    from papan.solve.base import Solution
    from papan.solve.move_values import ProvenMove

#: A match that is asked for without a number of games has this many.
GAMES = 20

#: Seconds of a training without a limit.
TRAINING_SECONDS = 60.0

#: Most games and worker processes of a match, and MB of tables: more is a slip of the pen.
MOST_GAMES = 10**9
MOST_WORKERS = 1024
LARGEST_MB = 2**20


@check_arguments
def analyse(
    position: Position | Game | str,
    limit: Limit | None = None,
    *,
    depth: int | None = None,
    time: float | None = None,
    nodes: int | None = None,
    algorithm: str = "engine",
    lines: int = 1,
    evaluation: str = "",
) -> SearchResult:
    """Searches for the best move of a position.

    Args:
        position: the root; the start of a game that is given instead.
        limit: when to end, for those who have it as an object.
        depth: plies, 1 … 128.
        time: wall-clock seconds; one if nothing is limited.
        nodes: positions visited, the root included.
        algorithm: the spec of what searches, `pvs` or `mcts:simulations=1000` say.
        lines: the number of best moves to value, for algorithms with such an option.
        evaluation: the name of one of the game's evaluations, `learned`, `none` or a file of
            weights; by default the algorithm's choice.

    Raises:
        UsageError: an argument is of the wrong kind, unknown or out of range.
    """
    root = _position(position)
    name, options = spec.split(algorithm)
    texts = [options, f"lines={lines}"] if lines != 1 else [options]
    return searching.search(
        root,
        _limit(limit, depth, time, nodes),
        algorithm=registry.algorithm(f"{name}:{','.join(filter(None, texts))}"),
        evaluation=_evaluation(root.game, evaluation),
    )


@check_arguments
def solve(
    position: Position | Game | str,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    memory_mb: float = DEFAULT_MB,
    threads: int = DEFAULT_THREADS,
    every: bool = False,
) -> Solution:
    """Solves a position: the value of best play by both sides, and all best moves, proven.

    Args:
        position: the position to solve; the start of a game that is given instead.
        limit: when to give up, for those who have it as an object.
        time: wall-clock seconds; without a limit it goes on until it is done.
        nodes: positions, or sets of empty squares, looked at.
        memory_mb: the memory of tables, in MB.
        threads: how many search together, where that helps. With `nodes` it is always one, so that
            the same nodes are looked at each time.
        every: True values every legal move.

    Raises:
        Unsolved: memory, time or nodes do not suffice, or there is no way to solve it.
        UsageError: an argument is of the wrong kind or out of range.
    """
    within("memory_mb", memory_mb, 1, LARGEST_MB)
    within("threads", threads, 1, MOST_THREADS)
    bounds = _limit(limit, None, time, nodes)
    return solving.solve(
        _position(position), memory_mb=memory_mb, limit=bounds, every=every, threads=threads
    )


@check_arguments
def tablebase(
    given: Position | Game | str,
    *,
    out: str | Path | None = None,
    memory_mb: float = DEFAULT_MB,
    workers: int = 1,
    anyway: bool = False,
    pruned: bool = False,
) -> Tablebase:
    """Builds or opens a tablebase: the result of every position that can be reached.

    Args:
        given: the file of a tablebase to open; or a game or a position to build one for.
        out: the file to write; by default the tablebase is in memory only.
        memory_mb: memory limit of tables, in MB.
        workers: threads.
        anyway: True to go on even if the estimated size exceeds memory or disk.
        pruned: True to leave out positions after an overlooked win.

    Raises:
        Unsolved: memory does not suffice, or no method can solve the game.
        UsageError: an argument is of the wrong kind or out of range, or a file cannot be read or
            written, or was built with other rules.

    >>> start = papan.game("platforms").start()
    >>> papan.tablebase("platforms").value(start).as_dict()
    {'outcome': 'win', 'plies': 7, 'margin': None}
    """
    within("memory_mb", memory_mb, 1, LARGEST_MB)
    within("workers", workers, 0, MOST_WORKERS)
    if isinstance(given, str) and is_tablebase(given):
        return Tablebase.open(given)
    root, file = _position(given), None if out is None else Path(out)
    return build(root, out=file, memory_mb=memory_mb, workers=workers, anyway=anyway, pruned=pruned)


@check_arguments
def move_values(
    position: Position | Game | str,
    limit: Limit | None = None,
    *,
    time: float | None = None,
    nodes: int | None = None,
    memory_mb: float = DEFAULT_MB,
    threads: int = DEFAULT_THREADS,
) -> tuple[ProvenMove, ...]:
    """The proven value of each legal move, in the game's order: won, drawn or lost for the side
    that makes it, in how many plies, or not known where the limit does not suffice.

    Args:
        position: the position; the start of a game that is given instead.
        limit: when to give up, for those who have it as an object.
        time: wall-clock seconds; without a limit it goes on until all is proven.
        nodes: positions, or sets of empty squares, looked at.
        memory_mb: the memory of tables, in MB.
        threads: how many search together, as for `solve`.

    Raises:
        UsageError: an argument is of the wrong kind or out of range.
    """
    within("memory_mb", memory_mb, 1, LARGEST_MB)
    within("threads", threads, 1, MOST_THREADS)
    bounds = _limit(limit, None, time, nodes)
    return valuing.move_values(
        _position(position), memory_mb=memory_mb, limit=bounds, threads=threads
    )


@check_arguments
def values(
    position: Position | Game | str,
    limit: Limit | None = None,
    *,
    tablebase: str | Path | None = None,
    time: float | None = None,
    nodes: int | None = None,
    memory_mb: float = DEFAULT_MB,
    threads: int = DEFAULT_THREADS,
) -> MoveValues:
    """Looks the value of each legal move up in a tablebase, or proves it if there is none.

    Args:
        position: The position; the start of a game that is given instead.
        limit: When to give up proving, for those who have it as an object.
        tablebase: The file of a tablebase; by default `GAME.db` next to the game's file.
        time: Seconds for proving; without a limit it goes on until all is proven.
        nodes: Positions, or sets of empty squares, looked at.
        memory_mb: The memory of tables, in MB.
        threads: How many search together, as for `solve`.

    Raises:
        UsageError: An argument is of the wrong kind or out of range, or the file is not a tablebase
            of the game.
    """
    within("memory_mb", memory_mb, 1, LARGEST_MB)
    within("threads", threads, 1, MOST_THREADS)
    root = _position(position)
    table = tablebase_of(root.game) if tablebase is None else Tablebase.open(tablebase, root.game)
    bounds = _limit(limit, None, time, nodes)
    return known_values(root, table, memory_mb=memory_mb, limit=bounds, threads=threads)


@check_arguments
def train(
    game: Game | str,
    *,
    time: float | None = None,
    games: int | None = None,
    out: str | Path | None = None,
    depth: int = 1,
    workers: int = 1,
    seed: int = 0,
) -> Weights:
    """Trains an evaluation by self-play and keeps the strongest weights that were measured.

    The evaluation `learned` and the player `engine` use the file of the weights from then on. The
    training in `out` goes on if it was interrupted.

    Args:
        game: The rules.
        time: Seconds; one minute if neither time nor games are given.
        games: Number of games of self-play.
        out: The file of the weights; by default the place where they are looked for.
        depth: Plies that self-play searches.
        workers: Processes that play.
        seed: Makes chance repeatable, with one worker and a number of games.

    Raises:
        UsageError: An argument is of the wrong kind or out of range, or the file cannot be written.
    """
    within("depth", depth, 1, MAX_PLY)
    within("workers", workers, 1, MOST_WORKERS)
    if games is not None:
        within("games", games, 1, MOST_GAMES)
    rules = _game(game)
    seconds = TRAINING_SECONDS if time is None and games is None else time
    plan = TrainingPlan(seconds, games, workers, seed, depth=depth)
    training = Training(rules, plan, place_for(rules) if out is None else Path(out))
    training.prepare()
    for _ in training.run():
        pass
    return training.best


@check_arguments
def tune(
    game: Game | str,
    player: Player | str,
    *,
    evaluation: str = "",
    parameters: Sequence[str] = (),
    games: int = tuning.DEFAULT_GAMES,
    final: int = tuning.FINAL_GAMES,
    depth: int | None = None,
    nodes: int | None = None,
    workers: int = 1,
    seed: int = 0,
) -> tuning.TuningResult:
    """Tunes numbers of a player or of its evaluation by games, and measures the gain in a match.

    Args:
        game: The rules.
        player: The player whose options are tuned.
        evaluation: The evaluation whose fields are tuned; by default the game's.
        parameters: The names of the numbers; by default all fields of the evaluation.
        games: Number of games of the tuning.
        final: Most games of the match of the tuned player against the one before.
        depth: Plies of each search.
        nodes: Nodes of each search; 1,000 if no depth is given.
        workers: Processes that play.
        seed: Makes chance repeatable.

    Raises:
        UsageError: An argument is of the wrong kind or out of range, or names nothing to tune.
    """
    within("games", games, 2, MOST_GAMES)
    within("final", final, 2, MOST_GAMES)
    within("workers", workers, 1, MOST_WORKERS)
    limit = Limit(
        depth=depth, nodes=tuning.DEFAULT_NODES if depth is None and nodes is None else nodes
    )
    plan = tuning.TuningPlan(
        _game(game).spec,
        _registered_spec(player),
        evaluation,
        tuple(parameters),
        games,
        final=final,
        limit=limit,
        seed=seed,
        workers=workers,
    )
    run = tuning.Tuning(plan)
    for _ in run.run():
        pass
    return run.result(*run.confirm())


@check_arguments
def perft(position: Position | Game | str, depth: int) -> int:
    """Number of leaves of the complete tree at `depth`.

    Raises:
        UsageError: there is no such position, or the depth is not from 0 to 128.
    """
    return counting.perft(_position(position), depth)


@check_arguments
def divide(position: Position | Game | str, depth: int) -> dict[str, int]:
    """Number of leaves at `depth` below each legal move: move → count.

    Raises:
        UsageError: there is no such position, or the depth is not from 1 to 128.
    """
    return counting.divide(_position(position), depth)


@check_arguments
def tree(
    position: Position | Game | str,
    depth: int = 3,
    algorithm: str = "alphabeta",
    *,
    evaluation: str = "",
    most: int = tree_figure.MOST_DRAWN,
    view: str = "",
) -> TreeFigure:
    """The tree of a search as a picture.

    Args:
        position: the root; the start of a game that is given instead.
        depth: plies.
        algorithm: the spec of what searches.
        evaluation: the name of one of the game's evaluations; by default its plain one.
        most: about the number of nodes to draw, the rest is summarised; 0 for all.
        view: the side that is MAX, `x` or `o`; by default the one to move.

    Raises:
        UsageError: algorithm or depth are wrong, or the tree is too large to be recorded.
    """
    root = _position(position)
    leaves = _evaluation(root.game, evaluation)
    return tree_figure.tree(root, depth, algorithm, evaluation=leaves, most=most, view=view)


@check_arguments
def play_game(
    position: Position | Game | str,
    x: Player | str,
    o: Player | str,
    *,
    limit: Limit | None = None,
    time: float | None = None,
    seed: int = 0,
) -> referee.PlayedGame:
    """Plays one game between two players, from a position on.

    Args:
        position: where it begins; the start of a game that is given instead.
        x: the player of the first side.
        o: the player of the second side.
        limit: the limit of each move, for those who have it as an object.
        time: seconds for each move.
        seed: makes chance repeatable.

    Raises:
        UsageError: an argument is of the wrong kind, or a player does not play this game.
    """
    seats = {"x": _player(x), "o": _player(o)}
    bounds = _limit(limit, None, time, None)
    try:
        return referee.play_game(seats, _position(position), bounds, seed=seed)
    finally:
        for seat, seated in zip((x, o), seats.values(), strict=True):
            if seat is not seated:
                seated.close()


@check_arguments
def play_match(
    game: Game | str,
    one: Player | str,
    two: Player | str,
    *,
    games: int = GAMES,
    limit: Limit | None = None,
    time: float | None = None,
    seed: int = 0,
    openings: Sequence[Sequence[str]] = (),
    workers: int = 1,
    store: Store | None = None,
    on_game: Callable[[Record, Tally], None] | None = None,
) -> Tally:
    """Plays a match in pairs of games with the sides exchanged; the result is that of `one`.

    Args:
        game: the rules.
        one: the player that has `x` in games 1, 3, 5, …
        two: the other one.
        games: number of games.
        limit: the limit of each move, for those who have it as an object.
        time: seconds for each move.
        seed: makes chance repeatable; both games of a pair are seeded alike.
        openings: moves that pairs begin with, one after the other and from the front again.
        workers: processes; 1 plays in this process, 0 takes one a processor.
        store: where games are kept; those that it has of this match are not played again.
        on_game: called with each finished game and the result until then.

    Raises:
        UsageError: an argument is of the wrong kind, or a player does not play this game.
    """
    within("games", games, 1, MOST_GAMES)
    within("workers", workers, 0, MOST_WORKERS)
    match = matches.Match(
        _game(game).spec,
        _registered_spec(one),
        _registered_spec(two),
        games,
        limit=_limit(limit, None, time, None),
        seed=seed,
        openings=tuple(tuple(opening) for opening in openings),
    )
    return matches.measure(match, on_game, store=store, campaign=Campaign(workers))


# --- arguments in the form that is at hand


def _game(source: Game | str) -> Game:
    return game(source) if isinstance(source, str) else source


def _position(source: Position | Game | str) -> Position:
    return source if isinstance(source, Position) else _game(source).start()


def _player(source: Player | str) -> Player:
    return player(source) if isinstance(source, str) else source


def _registered_spec(source: Player | str) -> str:
    """The spec of a player from which each process of a match can make it again."""
    instance = _player(source)
    if type(player(instance.spec)) is not type(instance):
        raise UsageError("session.unregistered", text=type(instance).__name__, name=instance.name)
    return instance.spec


def _limit(limit: Limit | None, depth: int | None, time: float | None, nodes: int | None) -> Limit:
    parts = Limit(depth=depth, seconds=time, nodes=nodes)
    if limit is None:
        return parts
    if parts != Limit():
        raise UsageError("session.two-limits")
    return limit


def _evaluation(game: Game, name: str) -> Evaluation | None:
    return evaluation_named(game, name) if name else None
