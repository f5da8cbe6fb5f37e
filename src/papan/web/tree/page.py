"""Teaching: the tree of a small search, step by step.

The engine pool draws the trees, a few at a time, and the results are cached.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core.game import Position
from papan.errors import InvalidLimit, PapanError
from papan.figures.board import board_picture
from papan.figures.theme import TREE_RULES
from papan.figures.tree.model import TreeFigure
from papan.figures.tree.page import SCRIPT, STEP_RULES, steps, tree_section
from papan.messages import Messages
from papan.search import registry
from papan.web.engines.engine_pool import EnginePool
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.refusals import Refused, TooBusy
from papan.web.http.request_params import service_of, state_of

if TYPE_CHECKING:
    from papan.search.trace.number_tree import Numbers

#: Number of cached figures, and of figures in progress or queued.
MOST_KEPT = 64
MOST_MADE = 12


@dataclass
class TreeCache:
    """The most recently requested figures.

    Attributes:
        pool: the engine pool.
        making: number of figures in progress.
    """

    pool: EnginePool
    making: int = 0
    _figures: OrderedDict[EngineRequest, TreeFigure] = field(default_factory=OrderedDict)

    async def figure(self, task: EngineRequest, session: str) -> TreeFigure:
        """Returns the figure of a task of the kind `tree`.

        Raises:
            TooBusy: Too many figures are in progress.
            PapanError: The task is invalid, or its tree is too large.
        """
        figure = self._figures.pop(task, None) or await self._make(task, session)
        self._figures[task] = figure
        while len(self._figures) > MOST_KEPT:
            self._figures.popitem(last=False)
        return figure

    async def _make(self, task: EngineRequest, session: str) -> TreeFigure:
        if self.making >= MOST_MADE:
            raise TooBusy("web.thinking.busy")
        self.making += 1
        try:
            answer = await self.pool.run(task, session)
        finally:
            self.making -= 1
        made: TreeFigure = answer["figure"]
        return made


ALGORITHMS = (*registry.names(), "genetic")
#: Algorithms that also search trees of numbers.
PLAIN = ("minimax", "alphabeta")

DEEPEST = 6
MOST_SIMULATIONS = 300
#: Maximum nodes of a shown tree; of larger trees, a lower depth is shown.
MOST_NODES = 6_000
SECONDS = 10.0

#: Limits of trees of numbers: characters, numbers, plies.
LONGEST_NUMBERS = 400
MOST_NUMBERS = 60
DEEPEST_NUMBERS = 6

#: The example: a tree from a textbook.
EXAMPLE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"

#: The default position, small enough for every algorithm.
_FIRST = {"game": "platforms", "depth": "3", "algorithm": "alphabeta"}


@dataclass(frozen=True)
class TreeRequest:
    """A search to draw.

    Attributes:
        name: the game, as written in addresses.
        line: the first position line; empty for the start of the game.
        moves: the moves since then.
        depth: depth in plies.
        algorithm: one of `ALGORITHMS`.
        simulations: number of simulations of Monte Carlo tree search.
        position: the root.
    """

    name: str
    line: str
    moves: tuple[str, ...]
    depth: int
    algorithm: str
    simulations: int
    position: Position

    @classmethod
    def read(cls, allowed: Allowed, values: Mapping[str, str]) -> TreeRequest:
        """Returns the request of an address.

        Raises:
            PapanError: A parameter is invalid.
        """
        game = request_params.offered_game(allowed, values.get("game", "") or _FIRST["game"])
        moves = request_params.read_moves(values.get("moves", ""))
        line = " ".join(values.get("position", "").split())
        algorithm = values.get("algorithm", "") or _FIRST["algorithm"]
        if algorithm not in ALGORITHMS:
            raise Refused("web.teach.algorithm", known=", ".join(ALGORITHMS))
        return cls(
            allowed.public.text(game.spec),
            line,
            moves,
            request_params.whole(values, "depth", 1, DEEPEST, int(_FIRST["depth"])),
            algorithm,
            request_params.whole(values, "simulations", 1, MOST_SIMULATIONS, 30),
            request_params.positions_of(game, line, moves)[-1],
        )

    def task(self, language: str) -> EngineRequest:
        """The task for the engine pool."""
        options = f":simulations={self.simulations}" if self.algorithm == "mcts" else ""
        return EngineRequest(
            "tree",
            self.position.game.spec,
            self.line,
            self.moves,
            player=self.algorithm + options,
            seconds=SECONDS,
            depth=self.depth,
            nodes=MOST_NODES,
            language=language,
        )

    def analysis(self) -> str:
        """The query of the analysis of the position."""
        fields = {"game": self.name, "position": self.line, "moves": " ".join(self.moves)}
        return urlencode({key: value for key, value in fields.items() if value})


async def show(request: Request) -> Response:
    """The page: a form and the requested tree.

    Raises:
        InvalidSpec: The game is not offered.
    """
    values = {key: value.strip() for key, value in request.query_params.items()}
    say, asked, figure, problem, note = render.messages(request), None, None, "", ""
    request_params.offered_game(service_of(request, Allowed), values.get("game", ""))
    try:
        if values.get("numbers"):
            figure = read_number_tree(values, say)
        else:
            wanted = asked = TreeRequest.read(service_of(request, Allowed), values)
            figure, asked = await _deepest(request, asked)
            note = _shallower(say, wanted, asked)
            values["depth"] = str(asked.depth)
    except PapanError as error:
        problem = render.explain(request, error)
    return render.page(
        request,
        "tree/tree.html",
        status=400 if problem else 200,
        problem=problem,
        note=note,
        **_context(request, values, asked, figure),
    )


async def _deepest(request: Request, asked: TreeRequest) -> tuple[TreeFigure, TreeRequest]:
    """Returns the requested tree, or if that is too large, the tree of the next lower depth that
    fits, and its request."""
    while True:
        try:
            return await _figure(request, asked), asked
        except InvalidLimit as error:
            if error.message != "tree.too-large" or asked.depth == 1:
                raise
            asked = replace(asked, depth=asked.depth - 1)


def _shallower(say: Messages, wanted: TreeRequest, shown: TreeRequest) -> str:
    """Returns a sentence about a reduced depth; empty otherwise."""
    if wanted.depth == shown.depth:
        return ""
    return say("web.teach.shallower", wanted=wanted.depth, most=MOST_NODES, depth=shown.depth)


async def _figure(request: Request, asked: TreeRequest) -> TreeFigure:
    """Returns the requested tree."""
    session, wanted = state_of(request)
    making = service_of(request, TreeCache).figure(asked.task(wanted.language), session)
    figure = await request_params.unless_left(request, making)
    public = service_of(request, Allowed).public
    return replace(figure, facts=[public.text(fact) for fact in figure.facts])


def _context(
    request: Request,
    values: Mapping[str, str],
    asked: TreeRequest | None,
    figure: TreeFigure | None,
) -> dict[str, Any]:
    _, wanted = state_of(request)
    board = ""
    if asked is not None:
        title = asked.position.game.title
        board = board_picture(asked.position, style=wanted.style, title=title)
    return {
        "asked": asked,
        "figure": figure,
        "tree": tree_section(figure) if figure else "",
        "steps": steps(figure) if figure else [],
        "values": _FIRST | {key: value for key, value in values.items() if value},
        "algorithms": ALGORITHMS,
        "plain": PLAIN,
        "deepest": DEEPEST,
        "most_simulations": MOST_SIMULATIONS,
        "longest_numbers": LONGEST_NUMBERS,
        "example": EXAMPLE,
        "board": board,
    }


# --- trees of given numbers -----------------------------------------------------------------------


def read_number_tree(values: Mapping[str, str], say: Messages) -> TreeFigure:
    """Returns the tree of typed numbers.

    Raises:
        UsageError: The text is not a tree, or it is too large.
    """
    # Imported here, since recording imports the compiler, which the server does not need otherwise.
    from papan.tree_figure import number_tree

    numbers = read_numbers(values["numbers"])
    algorithm = values.get("algorithm", PLAIN[0])
    return number_tree(numbers, algorithm, title=say("web.teach.given"), say=say)


def read_numbers(text: str) -> Numbers:
    """Returns the tree in nested lists of integers.

    Raises:
        Refused: The text is not such a list, or it is too large or too deep.
    """
    if len(text) > LONGEST_NUMBERS:
        raise Refused("web.teach.many", most=MOST_NUMBERS)
    try:
        tree = json.loads(text)
    except (ValueError, RecursionError):
        raise Refused("web.teach.no-numbers", example=EXAMPLE) from None
    if not isinstance(tree, list) or not _is_tree(tree, DEEPEST_NUMBERS):
        raise Refused("web.teach.no-numbers", example=EXAMPLE)
    if _leaves(tree) > MOST_NUMBERS:
        raise Refused("web.teach.many", most=MOST_NUMBERS)
    numbers: Numbers = tree
    return numbers


#: Largest number of a tree, so that values fit into their shapes.
_LARGEST = 9999


def _is_tree(node: Any, deepest: int) -> bool:
    """True for a tree of numbers with at most this many plies."""
    if isinstance(node, list):
        return bool(node) and deepest > 0 and all(_is_tree(each, deepest - 1) for each in node)
    return isinstance(node, int) and not isinstance(node, bool) and abs(node) <= _LARGEST


def _leaves(node: Any) -> int:
    return sum(map(_leaves, node)) if isinstance(node, list) else 1


# --- what the steps need --------------------------------------------------------------------------

_KEPT = {"Cache-Control": "public, max-age=86400"}


async def script(request: Request) -> Response:
    """The script of the steps, the same as in separate tree pages."""
    return Response(SCRIPT, media_type="text/javascript", headers=_KEPT)


async def style(request: Request) -> Response:
    """The style sheet of trees and their steps."""
    return Response(f"{TREE_RULES}\n{STEP_RULES}", media_type="text/css", headers=_KEPT)


ROUTES: list[BaseRoute] = [
    Route("/teach", show, name="teach"),
    Route("/teach/steps.js", script, name="teach-script"),
    Route("/teach/steps.css", style, name="teach-style"),
]
