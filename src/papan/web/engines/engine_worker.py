"""A process of the pool: reads tasks from a pipe, runs them, and writes results.

    to it      ("task", number, EngineRequest)      ("stop", number)
    from it    ("compiled", number, int)   number of parts that were compiled so far
               ("begin", number, None)     compiled and ready
               ("progress", number, dict)  a better result of a search
               ("done", number, dict)      the result
               ("failed", number, PapanError)

The process ends when the pipe is closed, so it never outlives the server.
"""

from __future__ import annotations

import itertools
import logging
import os
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from random import Random
from typing import TYPE_CHECKING, Any

from papan.arena.best import BestPlayer, known_comparisons
from papan.core.game import Position
from papan.errors import PapanError
from papan.jit.inlining import each_part
from papan.players import registry as players
from papan.players.base import Choice, Player
from papan.players.levels import Level
from papan.players.local_search import value_after
from papan.players.search import choice_of
from papan.rules.operations import Evaluation, order_hint
from papan.search import board_changes
from papan.search.limits import Limit, Stop
from papan.search.result import Bound, Line, SearchResult
from papan.usercode import registry as games
from papan.web.engines import chances
from papan.workers import become_worker

if TYPE_CHECKING:
    from papan.jit.interpreter import FirstAnswer
    from papan.search.algorithm import Algorithm
    from papan.tablebase.lookup import Tablebase

_LOG = logging.getLogger("papan.web")

#: Niceness of engine processes, so that pages are served first.
NICENESS = 5

#: Memory of the solver's tables, in MB.
SOLVING_MB = 256

#: Nodes beyond which a proof is not tried, about some seconds of the fastest solver.
MOST_SOLVED = 10**9

#: Players with less time than this, in seconds, play in plain Python first.
COMPILING = 8.0

#: Number of players that are kept for their next moves.
KEPT_PLAYERS = 8


@dataclass(frozen=True)
class EngineRequest:
    """A request to a process of the pool.

    Attributes:
        kind: one of `KINDS`.
        game: the spec of the game.
        start: the first position line; empty for the start of the game.
        moves: the moves since then.
        player: the spec of the player or of the search algorithm.
        seed: the seed of the player.
        seconds: maximum time.
        depth: maximum depth; 0 for no limit.
        lines: number of lines of a search.
        nodes: maximum number of nodes of a recorded search.
        language: language of the words in a picture.
        tablebases: files of tablebases for proven values.
    """

    kind: str
    game: str
    start: str = ""
    moves: tuple[str, ...] = ()
    player: str = ""
    seed: int = 0
    seconds: float = 1.0
    depth: int = 0
    lines: int = 1
    nodes: int = 0
    language: str = "en"
    tablebases: tuple[str, ...] = ()

    @property
    def limit(self) -> Limit:
        """The limit of the search."""
        return Limit(depth=self.depth or None, seconds=self.seconds)

    def position(self) -> Position:
        """Returns the position with its history.

        Raises:
            PapanError: The game, the start or a move is invalid.
        """
        position = games.game(self.game).position(self.start)
        for move in self.moves:
            position = position.play(move)
        return position


Tell = Callable[[str, Any], None]


class EngineWorker:
    """The worker of a process, which runs requests one by one."""

    def __init__(self) -> None:
        self.players: OrderedDict[str, Player] = OrderedDict()
        self.stop = Stop()

    def move(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Chooses a move of a player.

        Without compiled code, levels, `best` and players with little time choose in plain Python
        (`plain` in the result); players with more time are compiled within it.
        """
        position, player, began = task.position(), self._player(task.player), time.monotonic()
        seconds = min(task.seconds, getattr(player, "time", 0.0) or task.seconds)
        # A level is weak without much time; `best` may have to play a match first.
        is_brief = isinstance(player, Level | BestPlayer) or seconds < COMPILING
        choice = self._plain_choice(task, tell, position, player) if is_brief else None
        if choice is not None:
            return {**_choice_as_json(choice), "plain": True}
        player.new_game(position.game, task.seed)
        tell("begin", None)
        limit = task.limit
        if seconds >= COMPILING:
            left = task.seconds - (time.monotonic() - began)
            limit = replace(limit, seconds=max(left, PLAIN_SECONDS))
        return {**_choice_as_json(player.choose(position, limit)), "plain": False}

    def _plain_choice(
        self, task: EngineRequest, tell: Tell, position: Position, player: Player
    ) -> Choice | None:
        """Returns the choice of a player without its compiled code; None if the code exists.

        The engine stands in for `best` until it is compiled and the match of `best` is played.
        """
        from papan.learn import choice

        is_best = isinstance(player, BestPlayer)
        if is_best:
            player = self._player("engine")
        with first_answer(position) as first:
            player.new_game(position.game, task.seed)
            if not first.is_plain and (not is_best or known_comparisons(position.game)):
                return None
            if first.runs or not first.is_plain:
                tell("begin", None)
                seconds = min(task.seconds, PLAIN_SECONDS)
                return player.choose(position, replace(task.limit, seconds=seconds))
        tell("begin", None)
        evaluation = choice.strongest(position.game)
        return choice_of(evaluate_moves(position, evaluation, seed=task.seed))

    def search(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Searches a position like `papan search` and reports each better result."""
        position = task.position()
        evaluation = position.game.strongest_evaluation
        return self._search(task, tell, position, evaluation, lambda result: result.as_dict())

    def assess(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Searches a position with the strongest evaluation and reports each better result; values
        are in points (`papan.web.engines.chances`)."""
        from papan.learn import choice

        position = task.position()
        evaluation = choice.strongest(position.game)
        format_result = chances.in_points(position.game, evaluation)
        return self._search(task, tell, position, evaluation, format_result)

    def _search(
        self,
        task: EngineRequest,
        tell: Tell,
        position: Position,
        evaluation: Evaluation,
        format_result: Callable[[SearchResult], Mapping[str, Any]],
    ) -> Mapping[str, Any]:
        """Returns the formatted result of a search, and reports each better one."""
        from papan.search.algorithm import search
        from papan.search.registry import algorithm

        searching, reached = algorithm(task.player or "engine"), 0
        if position.outcome() is None:
            soon = self._first_result(position, searching, evaluation, task.seed)
            if soon is not None:  # shown during the compilation
                reached = soon.depth
                tell("progress", format_result(soon))
            searching.prepare(position, evaluation)
        tell("begin", None)

        def on_result(found: SearchResult) -> None:
            if found.depth > reached:
                tell("progress", format_result(found))

        result = search(
            position,
            task.limit,
            algorithm=searching,
            evaluation=evaluation,
            on_result=on_result,
            stop=self.stop,
        )
        return format_result(result)

    def _first_result(
        self, position: Position, searching: Algorithm, evaluation: Evaluation, seed: int
    ) -> SearchResult | None:
        """Returns the result of a search without its compiled code; None if the code exists."""
        from papan.search.algorithm import search

        with first_answer(position) as first:
            searching.prepare(position, evaluation)
            if not first.is_plain:
                return None
            if first.runs:
                few = Limit(seconds=PLAIN_SECONDS, nodes=searching.few_nodes)
                return search(position, few, algorithm=searching, evaluation=evaluation)
        lines = getattr(searching, "lines", 1)
        return evaluate_moves(position, evaluation, seed=seed, lines=lines)

    def tree(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Records a small search and draws its tree."""
        from papan.messages import Messages
        from papan.tree_figure import figure_of, record_trace

        # Limited by nodes instead of time, since compilation may take long.
        made = record_trace(task.position(), task.depth, task.player, most=task.nodes)
        tell("begin", None)
        return {"figure": figure_of(made, say=Messages(task.language))}

    def values(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Finds the value of each move with a tablebase, or with the solver as far as time
        allows."""
        from papan.solve.known_values import known_values

        position, tablebase = self._prepare(task)
        tell("begin", None)
        result = known_values(
            position, tablebase, memory_mb=SOLVING_MB, limit=task.limit, stop=self.stop
        )
        return result.as_dict()

    def history(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Finds the proven result of each position of a game and reports each one."""
        from papan.solve.known_values import value_history

        game, positions = games.game(task.game), list[Position]()
        for ply in range(len(task.moves) + 1):
            last = positions[-1].play(task.moves[ply - 1]) if ply else game.position(task.start)
            positions.append(last)
        _, tablebase = self._prepare(task)
        tell("begin", None)
        result = value_history(
            positions,
            tablebase,
            limit=Limit(seconds=task.seconds / len(positions)),
            memory_mb=SOLVING_MB,
            stop=self.stop,
            on_known=lambda ply, standing: tell("progress", {"ply": ply, "standing": standing}),
        )
        return {"standings": result}

    def _prepare(self, task: EngineRequest) -> tuple[Position, Tablebase | None]:
        """Returns the position and its tablebase; without a tablebase, prepares the solver."""
        from papan.solve.known_values import tablebase_of, values_in
        from papan.solve.solve import can_begin, prepare

        position = task.position()
        tablebase = tablebase_of(position.game, task.tablebases)
        if values_in(tablebase, position) is None and can_begin(position, MOST_SOLVED):
            prepare(position)
        return position, tablebase

    def warm(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Compiles the code of a player for a game, or loads it from the cache."""
        self._player(task.player).new_game(games.game(task.game), 0)
        tell("begin", None)
        return {}

    def board(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Compiles the changes of a game's board, which the server loads from the cache."""
        board_changes.changes_of(task.position())
        return {}

    def _player(self, text: str) -> Player:
        """Returns the player of a spec; the least recently used players are dropped."""
        player = self.players.pop(text, None) or players.player(text)
        self.players[text] = player
        while len(self.players) > KEPT_PLAYERS:
            self.players.popitem(last=False)[1].close()
        return player


def _choice_as_json(choice: Choice) -> dict[str, Any]:
    return {"move": choice.move, "value": choice.value, "depth": choice.depth}


#: Kinds of requests.
KINDS: Mapping[str, Callable[[EngineWorker, EngineRequest, Tell], Mapping[str, Any]]] = {
    "move": EngineWorker.move,
    "search": EngineWorker.search,
    "assess": EngineWorker.assess,
    "tree": EngineWorker.tree,
    "values": EngineWorker.values,
    "history": EngineWorker.history,
    "warm": EngineWorker.warm,
    "board": EngineWorker.board,
}


def main(pipe: Connection, niceness: int) -> None:
    """Runs tasks until the pipe is closed."""
    become_worker(niceness=niceness)
    worker = EngineWorker()
    tasks: queue.SimpleQueue[tuple[int, EngineRequest]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, worker, tasks), daemon=True).start()
    while True:
        number, task = tasks.get()
        _do(pipe, worker, number, task)


def _listen(
    pipe: Connection, worker: EngineWorker, tasks: queue.SimpleQueue[tuple[int, EngineRequest]]
) -> None:
    """Reads messages of the server, also during a task."""
    current = 0
    while True:
        try:
            what, number, task = pipe.recv()
        except (EOFError, OSError):
            os._exit(0)
        if what == "task":
            current, worker.stop = number, Stop()
            tasks.put((number, task))
        elif number == current:
            worker.stop.set()


def _do(pipe: Connection, worker: EngineWorker, number: int, task: EngineRequest) -> None:
    """Runs a task and sends the result to the server."""

    sending, compiled = threading.Lock(), itertools.count(1)

    def tell(what: str, content: Any) -> None:
        with sending:  # searches report, and compile, in their own threads
            pipe.send((what, number, content))

    try:
        with each_part(lambda: tell("compiled", next(compiled))):
            result = KINDS[task.kind](worker, task, tell)
        tell("done", result)
    except PapanError as error:
        tell("failed", error)
    except (BrokenPipeError, ConnectionError):
        os._exit(0)
    except Exception as error:  # user code may raise any exception
        _LOG.warning("thinking failed: %s", f"{type(error).__name__}: {error}")
        tell("failed", PapanError("web.thinking.failed"))


# --- first answers -------------------------------------------------------------------------------
#
# No visitor waits for the compiler: in most games a small search in plain Python is fast enough. In
# games with many moves, its kernels would take minutes, so each move is evaluated once instead.

#: Maximum time in plain Python, in seconds.
PLAIN_SECONDS = 1.0

#: Maximum number of moves that are evaluated; Amazons has 2176, and a move takes half a
#: millisecond.
MOST_EVALUATED = 300


@contextmanager
def first_answer(position: Position) -> Iterator[FirstAnswer]:
    """Compiles nothing inside. In games with many moves, the block ends at the first kernel without
    machine code."""
    from papan.jit.interpreter import FEW_MOVES, without_compiling

    # Players are prepared at the start of the game.
    most = max(len(position.codes()), len(position.game.start().codes()))
    with without_compiling(runs=most <= FEW_MOVES) as first:
        yield first


def evaluate_moves(
    position: Position, evaluation: Evaluation, *, seed: int, lines: int = 1
) -> SearchResult:
    """Returns the move with the best evaluation one ply ahead, in plain Python.

    Of many moves, only a random sample is evaluated.

    Args:
        position: an unfinished position.
        evaluation: the evaluation of unfinished games.
        seed: seed of the sample and of the choice among equal moves with equal hints.
        lines: number of moves in the result's lines.
    """
    began, until = time.perf_counter(), time.process_time() + PLAIN_SECONDS
    codes, values = position.codes(), dict[int, float]()
    for code in Random(seed).sample(codes, min(len(codes), MOST_EVALUATED)):
        values[code] = value_after(position, evaluation, code)
        if time.process_time() > until:  # slow rules
            break
    best = sorted(values, key=lambda code: (-values[code], -order_hint(position.state, code)))
    write = position.game.write_move
    found = tuple(Line(values[code], (write(code),)) for code in best[:lines])
    return SearchResult(
        position=position,
        algorithm="",
        move=found[0].moves[0],
        value=found[0].value,
        bound=Bound.EXACT,
        depth=1,
        nodes=len(values),
        seconds=time.perf_counter() - began,
        pv=found[0].moves,
        proven=False,
        lines=found if lines > 1 else (),
    )
