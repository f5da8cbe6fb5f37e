"""A process of the pool: takes tasks from a pipe, thinks, and answers.

    to it      ("task", number, EngineRequest)      ("stop", number)
    from it    ("begin", number, None)     what had to be compiled is compiled
               ("progress", number, dict)  a better result, of a search
               ("done", number, dict)      the answer
               ("failed", number, PapanError)

It ends when the pipe is closed, whatever it is doing: so it never outlives the server.
"""

from __future__ import annotations

import logging
import os
import queue
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING, Any

from papan.arena.best import BestPlayer
from papan.core.game import Position
from papan.errors import PapanError
from papan.players import registry as players
from papan.players.base import Choice, Player
from papan.players.levels import Level
from papan.search.limits import Limit, Stop
from papan.usercode import registry as games
from papan.web.engines import chances
from papan.workers import become_worker

if TYPE_CHECKING:
    from papan.jit.interpreter import FirstAnswer
    from papan.rules.operations import Evaluation
    from papan.search.result import SearchResult
    from papan.tablebase.lookup import Tablebase

_LOG = logging.getLogger("papan.web")

#: Thinking gives way to serving pages: how much lower its priority is.
NICENESS = 5

#: What tables of the solver may take, in MB.
SOLVING_MB = 256

#: What certainly takes more nodes is not compiled: some seconds of the quickest solver.
MOST_SOLVED = 10**9

#: Who may think for less, in seconds, does not wait for a compiler.
COMPILING = 8.0

#: The longest that is thought in plain Python, in seconds.
PLAIN_SECONDS = 1.0

#: Players that are kept for their next move.
KEPT_PLAYERS = 8


@dataclass(frozen=True)
class EngineRequest:
    """A request to a process of the pool.

    Attributes:
        kind: one of `KINDS`.
        game: the spec of the game.
        start: the position line that the game started from; empty for the game's start.
        moves: what was played since.
        player: the spec of the player that moves, or of the algorithm that searches.
        seed: what the player is seeded with.
        seconds: the longest it may think.
        depth: the deepest it may search; 0 for no limit.
        lines: how many ways to go on are asked for, of a search.
        nodes: a recorded search that visits more is refused.
        language: that of the words in a picture.
        tablebases: files of tablebases, of which those of the game know the values of its moves.
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
        """The limit of the thinking."""
        return Limit(depth=self.depth or None, seconds=self.seconds)

    def position(self) -> Position:
        """The position, with its past.

        Raises:
            PapanError: the game, the start or a move is wrong.
        """
        position = games.game(self.game).position(self.start)
        for move in self.moves:
            position = position.play(move)
        return position


Tell = Callable[[str, Any], None]


class EngineWorker:
    """The worker of a process: does requests, one after the other."""

    def __init__(self) -> None:
        self.players: OrderedDict[str, Player] = OrderedDict()
        self.stop = Stop()

    def move(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Lets a player choose its move.

        Where its machine code is not there yet, a level, or who thinks for a short time, chooses in
        plain Python (`plain` in the answer); who thinks for longer is made ready in that time.
        """
        position, player, began = task.position(), self._player(task.player), time.monotonic()
        seconds = min(task.seconds, getattr(player, "time", 0.0) or task.seconds)
        is_brief = isinstance(player, Level) or seconds < COMPILING
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
        """The choice of a player without machine code; None where it is there, or where plain
        Python would take longer than compiling."""
        if isinstance(player, BestPlayer):  # it would measure players who are not compiled
            player = self._player("engine")
        with _first_answer(position) as first:
            player.new_game(position.game, task.seed)
            if not first.is_plain:
                return None
            tell("begin", None)
            seconds = min(task.seconds, PLAIN_SECONDS)
            return player.choose(position, replace(task.limit, seconds=seconds))

    def search(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Searches a position, as `papan search` does, and tells of each better result."""
        position = task.position()
        evaluation = position.game.strongest_evaluation
        return self._search(task, tell, position, evaluation, lambda result: result.as_dict())

    def assess(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Searches a position by the best that is known of the game, what was learnt included, and
        tells of each better result; values are points, as `papan.web.engines.chances` has them."""
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
        """The result of a search as it is format_result; so is each better result on the way."""
        from papan.search.algorithm import search
        from papan.search.registry import algorithm

        searching, reached = algorithm(task.player or "engine"), 0
        if position.outcome() is None:
            with _first_answer(position) as first:
                searching.prepare(position, evaluation)
                if first.is_plain:  # something to be shown while it is compiled
                    few = Limit(seconds=PLAIN_SECONDS, nodes=searching.few_nodes)
                    soon = search(position, few, algorithm=searching, evaluation=evaluation)
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

    def tree(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Records a small search and makes the figure of its tree."""
        from papan.messages import Messages
        from papan.tree_figure import figure_of, record_trace

        # Compiles as needed, and ends by itself: its nodes are limited, not its time.
        made = record_trace(task.position(), task.depth, task.player, most=task.nodes)
        tell("begin", None)
        return {"figure": figure_of(made, say=Messages(task.language))}

    def values(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Values each move of a position, by a tablebase or as far as the solver gets in time."""
        from papan.solve.known_values import known_values

        position, tablebase = self._prepare(task)
        tell("begin", None)
        result = known_values(
            position, tablebase, memory_mb=SOLVING_MB, limit=task.limit, stop=self.stop
        )
        return result.as_dict()

    def history(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Finds who stood how at each position of a game; tells of each that is known."""
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
        """The position, and the tablebase that knows it; without one, the solver is made ready."""
        from papan.solve.known_values import tablebase_of, values_in
        from papan.solve.solve import can_begin, prepare

        position = task.position()
        tablebase = tablebase_of(position.game, task.tablebases)
        if values_in(tablebase, position) is None and can_begin(position, MOST_SOLVED):
            prepare(position)
        return position, tablebase

    def warm(self, task: EngineRequest, tell: Tell) -> Mapping[str, Any]:
        """Compiles what a player needs for a game, or loads it from the cache."""
        self._player(task.player).new_game(games.game(task.game), 0)
        tell("begin", None)
        return {}

    def _player(self, text: str) -> Player:
        """The player of that spec; those not used for longest are let go."""
        player = self.players.pop(text, None) or players.player(text)
        self.players[text] = player
        while len(self.players) > KEPT_PLAYERS:
            self.players.popitem(last=False)[1].close()
        return player


@contextmanager
def _first_answer(position: Position) -> Iterator[FirstAnswer]:
    """While inside, nothing is compiled, where that is sooner."""
    from papan.jit.interpreter import FEW_MOVES, FirstAnswer, without_compiling

    is_sooner = len(position.codes()) <= FEW_MOVES
    with without_compiling() if is_sooner else nullcontext(FirstAnswer()) as first:
        yield first


def _choice_as_json(choice: Choice) -> dict[str, Any]:
    return {"move": choice.move, "value": choice.value, "depth": choice.depth}


#: What a process can do.
KINDS: Mapping[str, Callable[[EngineWorker, EngineRequest, Tell], Mapping[str, Any]]] = {
    "move": EngineWorker.move,
    "search": EngineWorker.search,
    "assess": EngineWorker.assess,
    "tree": EngineWorker.tree,
    "values": EngineWorker.values,
    "history": EngineWorker.history,
    "warm": EngineWorker.warm,
}


def main(pipe: Connection) -> None:
    """Does tasks until the pipe is closed."""
    become_worker(niceness=NICENESS)
    worker = EngineWorker()
    tasks: queue.SimpleQueue[tuple[int, EngineRequest]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(pipe, worker, tasks), daemon=True).start()
    while True:
        number, task = tasks.get()
        _do(pipe, worker, number, task)


def _listen(
    pipe: Connection, worker: EngineWorker, tasks: queue.SimpleQueue[tuple[int, EngineRequest]]
) -> None:
    """Reads what the server says, also while the process thinks."""
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
    """Does one task and tells the server what came of it."""

    def tell(what: str, content: Any) -> None:
        pipe.send((what, number, content))

    try:
        tell("done", KINDS[task.kind](worker, task, tell))
    except PapanError as error:
        tell("failed", error)
    except (BrokenPipeError, ConnectionError):
        os._exit(0)
    except Exception as error:  # a player of anybody's may raise anything
        _LOG.warning("thinking failed: %s", f"{type(error).__name__}: {error}")
        tell("failed", PapanError("web.thinking.failed"))
