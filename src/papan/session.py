"""The public functions of the package: analyse, solve, count, draw, train, play.

Games and players are objects or specs. If a function needs a position, a game means its start.
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
from papan.search import random_games as playing
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
    from papan.search.random_games import RandomGame
    from papan.solve.base import Solution
    from papan.solve.move_values import ProvenMove

#: Default number of games of a match.
GAMES = 20

#: Default duration of a training in seconds.
TRAINING_SECONDS = 60.0

#: Upper limits of games, worker processes and table memory; larger values are typing errors.
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
        position: the root, or a game for its start.
        limit: the limit as an object, instead of `depth`, `time` and `nodes`.
        depth: maximum depth in plies, 1 … 128.
        time: time limit in seconds; 1 if nothing is limited.
        nodes: maximum number of nodes, including the root.
        algorithm: spec of the algorithm, for example `pvs` or `mcts:simulations=1000`.
        lines: number of best moves to evaluate, for algorithms with such an option.
        evaluation: name of an evaluation of the game, `learned`, `none`, or a file of weights; by
            default the algorithm's choice.

    Raises:
        UsageError: an argument has a wrong type, is unknown or is out of range.

    Examples:
        >>> papan.analyse("platforms", depth=7).move
        'b2'
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
    """Solves a position: finds the proven value of best play and all best moves.

    Args:
        position: the position, or a game for its start.
        limit: the limit as an object, instead of `time` and `nodes`.
        time: time limit in seconds; by default unlimited.
        nodes: maximum number of positions, or of sets of empty squares.
        memory_mb: memory limit of tables in MB.
        threads: number of threads, if the method can use them. With `nodes` it is always 1, so that
            the result is repeatable.
        every: True values every legal move.

    Raises:
        Unsolved: a limit was reached, or no method can solve the position.
        UsageError: an argument has a wrong type or is out of range.

    Examples:
        >>> solution = papan.solve("platforms")
        >>> solution.outcome, solution.moves
        ('win', ('b2',))
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
        given: the file of a tablebase to open, or a game or position to build one for.
        out: the file to write; by default the tablebase is only in memory.
        memory_mb: memory limit of tables in MB.
        workers: number of threads.
        anyway: True continues even if the estimated size exceeds memory or disk.
        pruned: True omits positions after an overlooked win.

    Raises:
        Unsolved: the memory is insufficient, or no method can solve the game.
        UsageError: an argument has a wrong type or is out of range, or a file cannot be read or
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
    """Returns the proven value of each legal move, in the game's order.

    A value is a win, draw or loss for the mover with its number of plies, or unknown if the limit
    was reached.

    Args:
        position: the position, or a game for its start.
        limit: the limit as an object, instead of `time` and `nodes`.
        time: time limit in seconds; by default unlimited.
        nodes: maximum number of positions, or of sets of empty squares.
        memory_mb: memory limit of tables in MB.
        threads: number of threads, as for `solve`.

    Raises:
        UsageError: an argument has a wrong type or is out of range.

    Examples:
        >>> [(value.move, value.outcome) for value in papan.move_values("platforms")]
        [('b3', 'loss'), ('a2', 'loss'), ('b2', 'win')]
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
    """Looks up the value of each legal move in a tablebase, or proves it if there is none.

    Args:
        position: the position, or a game for its start.
        limit: the limit of proving as an object, instead of `time` and `nodes`.
        tablebase: the file of a tablebase; by default `GAME.db` next to the game's file.
        time: time limit of proving in seconds; by default unlimited.
        nodes: maximum number of positions, or of sets of empty squares.
        memory_mb: memory limit of tables in MB.
        threads: number of threads, as for `solve`.

    Raises:
        UsageError: an argument has a wrong type or is out of range, or the file is not a tablebase
            of the game.

    Examples:
        >>> [(value.move, value.outcome) for value in papan.values("platforms").moves]
        [('b3', 'loss'), ('a2', 'loss'), ('b2', 'win')]
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
    """Trains an evaluation by self-play and returns the strongest measured weights.

    Afterwards the evaluation `learned` and the player `engine` use the file of weights. An
    interrupted training continues from `out`.

    Args:
        game: a game or its spec.
        time: duration in seconds; one minute if neither `time` nor `games` is given.
        games: number of games of self-play.
        out: the file of weights; by default the place where the game's weights are loaded from.
        depth: search depth of self-play in plies.
        workers: number of threads.
        seed: seed of all random choices; results are repeatable with one worker and `games`.

    Raises:
        UsageError: an argument has a wrong type or is out of range, or the file cannot be written.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     weights = papan.train("tictactoe", games=100, out=f"{folder}/ttt.weights")
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
    """Tunes numbers of a player or of its evaluation by playing, and measures the gain in a match.

    Args:
        game: a game or its spec.
        player: the player whose options are tuned.
        evaluation: the evaluation whose fields are tuned; by default the game's.
        parameters: names of the numbers; by default all fields of the evaluation.
        games: number of games of the tuning.
        final: number of games of the final match of the tuned player against the original one.
        depth: depth of each search in plies.
        nodes: maximum nodes of each search; 1,000 if no depth is given.
        workers: number of processes.
        seed: seed of all random choices.

    Raises:
        UsageError: an argument has a wrong type or is out of range, or there is nothing to tune.

    Examples:
        >>> plan = {"games": 2, "final": 2, "depth": 1}
        >>> result = papan.tune("tictactoe", "minimax", parameters=["depth"], **plan)
        >>> result.before
        'minimax'
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
    """Returns the number of leaves of the complete game tree at `depth`.

    Raises:
        UsageError: the position is invalid, or the depth is not from 0 to 128.

    Examples:
        >>> papan.perft("corners", 3)
        2232
    """
    return counting.perft(_position(position), depth)


@check_arguments
def random_games(position: Position | Game | str, games: int, *, seed: int = 0) -> list[RandomGame]:
    """Returns random games from a position, played in compiled code.

    All legal moves of a position have the same probability.

    Args:
        position: the position that each game starts from.
        games: number of games.
        seed: seed of the moves; the same seed gives the same games.

    Raises:
        UsageError: the position or the number of games is invalid.

    Examples:
        >>> games = papan.random_games("tictactoe", 1000, seed=1)
        >>> sum(game.outcome is papan.Outcome.DRAW for game in games)
        119
    """
    within("games", games, 0, MOST_GAMES)
    return playing.random_games(_position(position), games, int(seed) % (1 << 64))


@check_arguments
def divide(position: Position | Game | str, depth: int) -> dict[str, int]:
    """Returns the number of leaves at `depth` below each legal move: move → count.

    Raises:
        UsageError: the position is invalid, or the depth is not from 1 to 128.

    Examples:
        >>> papan.divide("platforms", 2)
        {'b3': 3, 'a2': 3, 'b2': 2}
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
    """Returns the tree of a search as a picture.

    Args:
        position: the root, or a game for its start.
        depth: depth in plies.
        algorithm: spec of the algorithm.
        evaluation: name of an evaluation of the game; by default the game's default evaluation.
        most: approximate number of nodes to draw; the others are summarised. 0 draws all.
        view: the side that is MAX, `x` or `o`; by default the side to move.

    Raises:
        UsageError: the algorithm or the depth is invalid, or the tree is too large to record.

    Examples:
        >>> papan.tree("platforms", depth=2, algorithm="minimax").title
        'Platforms: minimax, depth 2'
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
    """Plays one game between two players from a position.

    Args:
        position: the first position, or a game for its start.
        x: the player of the first side.
        o: the player of the second side.
        limit: the limit of each move as an object, instead of `time`.
        time: seconds per move.
        seed: seed of the players.

    Raises:
        UsageError: an argument has a wrong type, or a player does not support the game.

    Examples:
        >>> papan.play_game("platforms", "random", "random", seed=1).moves
        ('b3', 'b2', 'c3', 'c2')
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
    """Plays a match in game pairs with sides exchanged; returns the result from the view of `one`.

    Args:
        game: a game or its spec.
        one: the player with `x` in the odd games (1, 3, 5, …).
        two: the other player.
        games: number of games.
        limit: the limit of each move as an object, instead of `time`.
        time: seconds per move.
        seed: seed of all random choices; both games of a pair use the same seed.
        openings: openings of the pairs, used in turn and repeated if necessary; by default the
            start position.
        workers: number of processes; 1 is this process, 0 starts one per processor.
        store: store to continue from; finished games are added to it.
        on_game: called with each finished game and the result so far.

    Raises:
        UsageError: an argument has a wrong type, or a player does not support the game.

    Examples:
        >>> papan.play_match("platforms", "minimax:depth=2", "random", games=2).games
        2
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


# --- conversion of arguments


def _game(source: Game | str) -> Game:
    return game(source) if isinstance(source, str) else source


def _position(source: Position | Game | str) -> Position:
    return source if isinstance(source, Position) else _game(source).start()


def _player(source: Player | str) -> Player:
    return player(source) if isinstance(source, str) else source


def _registered_spec(source: Player | str) -> str:
    """Returns the spec from which each process of a match can recreate a player."""
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
