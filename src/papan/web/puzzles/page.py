"""Puzzles: one move is right; each move is checked by proof, and the game is played to the end.

The address has the whole state: `game` and `number` of the puzzle, `moves` from its position,
`from` (steps of an unfinished move) and `wrong` (the rejected move). Without a number, it is the
puzzle of the day.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from importlib import resources
from itertools import chain
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core import spec
from papan.core.game import Position
from papan.core.moves import Partial
from papan.errors import UsageError
from papan.messages import Messages
from papan.report import name_side
from papan.solve.puzzle_files import read_puzzles
from papan.solve.puzzles import Puzzle
from papan.web.board import board_sheet
from papan.web.board.snapshot import snapshot_at
from papan.web.board.view import BoardView
from papan.web.engines.engine_pool import EnginePool
from papan.web.engines.engine_worker import EngineRequest
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import service_of, state_of
from papan.web.http.settings import ServerSettings

#: Time limit of a proof, in seconds.
SECONDS = 5.0

#: Maximum depths of plain search for easy and medium puzzles.
_EASY, _MEDIUM = 2, 5

#: Outcomes, best first.
_RANKS = ("win", "draw", "loss")


@functools.lru_cache(maxsize=8)
def shelf(own: tuple[str, ...]) -> dict[str, list[Puzzle]]:
    """Returns all puzzles by the specs of their games, shipped ones first.

    Raises:
        PapanError: A file cannot be read.
    """
    folder = resources.files("papan.web.puzzles")
    ours = sorted(str(file) for file in folder.iterdir() if file.name.endswith(".txt"))
    found: dict[str, list[Puzzle]] = {}
    for puzzle in chain.from_iterable(map(read_puzzles, (*ours, *own))):
        found.setdefault(puzzle.position.game.spec, []).append(puzzle)
    return found


@dataclass(frozen=True)
class Link:
    """A link below the task.

    Attributes:
        label: the words.
        address: the address.
        quiet: True for a less important link.
        stays: True if the address is of this room, so that a script need not load the whole page.
        id: its name in the page; empty for none.
    """

    label: str
    address: str
    quiet: bool = False
    stays: bool = True
    id: str = ""


@dataclass(frozen=True)
class PuzzleAttempt:
    """A puzzle with the moves so far.

    Attributes:
        name: the name of its game in addresses.
        number: the number of the puzzle within its game, from 1.
        puzzle: the puzzle.
        positions: the positions from the start on.
        moves: the moves of both sides.
        chosen: the steps of an unfinished move.
        wrong: the move that was just rejected.
    """

    name: str
    number: int
    puzzle: Puzzle
    positions: tuple[Position, ...]
    moves: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()
    wrong: str = ""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def solved(self) -> bool:
        """True once the game is over or the draw is reached."""
        drawn = self.puzzle.outcome == "draw" and bool(self.moves)
        return drawn or not self.position.moves()

    @property
    def begun(self) -> Partial | None:
        """The unfinished move; None if no move is possible."""
        return None if self.solved else Partial.of(self.position, self.chosen)

    @property
    def grade(self) -> str:
        """`easy`, `medium` or `hard`."""
        depth = self.puzzle.depth
        if depth is None or depth > _MEDIUM:
            return "hard"
        return "easy" if depth <= _EASY else "medium"

    def query(self, **changes: Any) -> str:
        """Returns the query of the address with some fields changed."""
        now = replace(self, **changes)
        return urlencode(now.fields() | ({"wrong": now.wrong} if now.wrong else {}))

    def fields(self) -> dict[str, str]:
        """The fields of the address without the rejected move."""
        fields = {
            "game": self.name,
            "number": str(self.number),
            "moves": " ".join(self.moves),
            "from": ",".join(self.chosen),
        }
        return {key: value for key, value in fields.items() if value}


def named_puzzles(allowed: Allowed, own: tuple[str, ...]) -> dict[str, list[Puzzle]]:
    """Returns all puzzles by the names of their games in addresses."""
    return {allowed.public.text(spec): each for spec, each in shelf(own).items()}


def name_in(known: Mapping[str, list[Puzzle]], text: str) -> str:
    """Returns the name of a game with puzzles: with the same options, else the first with any
    options; empty for a game without puzzles."""
    if text in known:
        return text
    return next((name for name in known if text and spec.split(name)[0] == text), "")


def read_attempt(
    allowed: Allowed, own: tuple[str, ...], values: Mapping[str, str], today: date
) -> PuzzleAttempt:
    """Returns the attempt of an address, or the puzzle of the day.

    Raises:
        PapanError: The puzzle does not exist, or a move is illegal.
    """
    known = named_puzzles(allowed, own)
    if not known:
        raise UsageError("web.puzzles.none")
    day, wanted = today.toordinal(), values.get("game", "")
    name = name_in(known, wanted) if wanted else list(known)[day % len(known)]
    if not name:
        raise UsageError("web.puzzles.unknown", text=wanted[:40])
    puzzles = known[name]
    number = request_params.whole(values, "number", 1, len(puzzles), 1 + day % len(puzzles))
    puzzle, moves = puzzles[number - 1], request_params.read_moves(values.get("moves", ""))
    positions = request_params.positions_of(puzzle.position.game, str(puzzle.position), moves)
    chosen = tuple(filter(None, values.get("from", "").split(",")))
    wrong = values.get("wrong", "")[:20]
    return PuzzleAttempt(name, number, puzzle, positions, moves, chosen, wrong)


async def show(request: Request) -> Response:
    """The page. A click leads to the address of the result."""
    values, today = dict(request.query_params), datetime.now(UTC).date()
    own, allowed = service_of(request, ServerSettings).puzzles, service_of(request, Allowed)
    known, wanted = named_puzzles(allowed, own), values.get("game", "")
    if wanted and not name_in(known, wanted):
        game = request_params.offered_game(allowed, wanted)
        return render.page(
            request, "puzzles/none.html", game=game, name=wanted, known=_titles(known)
        )
    attempt = read_attempt(allowed, own, values, today)
    clicked = read_click(attempt.position, attempt.begun, values)
    if clicked is not None:
        if isinstance(clicked, str):
            result = await _try_move(request, attempt, clicked)
        else:
            result = replace(attempt, chosen=clicked, wrong="")
        return render.see(request, "puzzles", result.query())
    return render.page(request, "puzzles/puzzles.html", **context_of(request, attempt))


def read_click(
    position: Position, begun: Partial | None, values: Mapping[str, str]
) -> tuple[str, ...] | str | None:
    """Returns the chosen steps after a click, or the completed move; None without a click."""
    move = values.get("move", "")
    if begun is None or not (move or "square" in values):
        return None
    if move in position.moves():
        return move
    after = begun.apply_touch(begun.step(values.get("square", move)))
    if after is None:
        return ()
    if after.chosen_move is None:
        return tuple(after.names)
    return position.game.write_move(after.chosen_move)


async def _try_move(request: Request, attempt: PuzzleAttempt, move: str) -> PuzzleAttempt:
    """Returns the attempt after a move: with the best reply if the move keeps the outcome, else
    unchanged.

    Raises:
        UsageError: The value of the move is not proven in time.
        PapanError: The solver failed.
    """
    if not await _keeps(request, attempt, move):
        return replace(attempt, chosen=(), wrong=move)
    return await _answer(request, _after(attempt, move))


async def _keeps(request: Request, attempt: PuzzleAttempt, move: str) -> bool:
    """True if a move keeps the outcome. The puzzle has the proof of the first move; later ones are
    proven now."""
    if not attempt.moves:
        return move == attempt.puzzle.move
    outcomes = {each["move"]: each["outcome"] for each in await _values(request, attempt)}
    outcome = outcomes.get(move)
    if outcome is None:
        raise UsageError("web.puzzles.not-proven", move=move)
    return _RANKS.index(outcome) <= _RANKS.index(attempt.puzzle.outcome)


async def _answer(request: Request, attempt: PuzzleAttempt) -> PuzzleAttempt:
    """Returns the attempt after the best moves of the other side."""
    while not attempt.solved and attempt.position.side != attempt.puzzle.position.side:
        known = [each for each in await _values(request, attempt) if each["value"] is not None]
        best = max(known, key=lambda each: each["value"], default=None)
        legal = attempt.position.moves()
        attempt = _after(attempt, best["move"] if best else legal[0])
    return attempt


async def _values(request: Request, attempt: PuzzleAttempt) -> list[Mapping[str, Any]]:
    """Returns the proven values of moves in the current position."""
    (session, _), puzzle = state_of(request), attempt.puzzle
    task = EngineRequest(
        "values",
        puzzle.position.game.spec,
        str(puzzle.position),
        attempt.moves,
        seconds=SECONDS,
        tablebases=service_of(request, ServerSettings).values,
    )
    proving = service_of(request, EnginePool).run(task, session)
    moves: list[Mapping[str, Any]] = (await request_params.unless_left(request, proving))["moves"]
    return moves


def _after(attempt: PuzzleAttempt, move: str) -> PuzzleAttempt:
    """Returns the attempt after one more move of either side."""
    positions = (*attempt.positions, attempt.position.play(move))
    moves = (*attempt.moves, move)
    return replace(attempt, positions=positions, moves=moves, chosen=(), wrong="")


def context_of(request: Request, attempt: PuzzleAttempt) -> dict[str, Any]:
    """Returns the values for the template."""
    say, (_, wanted) = render.messages(request), state_of(request)
    own, allowed = service_of(request, ServerSettings).puzzles, service_of(request, Allowed)
    known, game = named_puzzles(allowed, own), spec.split(attempt.name)[0]
    ply = len(attempt.moves)
    board = BoardView.of(
        attempt.positions, attempt.moves, ply, say=say, style=wanted.style, begun=attempt.begun
    )
    room, count = render.path(request, "puzzles"), len(known[attempt.name])
    variants = [name for name in known if spec.split(name)[0] == game]
    return {
        "room": room,
        "name": attempt.name,
        "game": attempt.position.game,
        "query": attempt.query(),
        "fields": attempt.fields(),
        "sheet": board_sheet.address(request, attempt.position.game),
        "tabs": [(name, urlencode({"game": name}), name == attempt.name) for name in variants],
        "title": say("web.puzzles.title", number=attempt.number, count=count),
        "board": board,
        "snapshot": snapshot_at(attempt.positions, attempt.moves, ply, board),
        "task": _task(attempt, say),
        "problem": say("web.puzzles.wrong", move=attempt.wrong) if attempt.wrong else "",
        "played": attempt.moves,
        "hint": _describe_grade(attempt, say),
        "links": _links(request, attempt, count),
        "progress": None,
        "begin": "",
    }


def _describe_grade(attempt: PuzzleAttempt, say: Messages) -> str:
    """Returns sentences about the difficulty of a puzzle."""
    depth = attempt.puzzle.depth
    found = say("web.puzzles.depth", depth=depth) if depth is not None else say("web.puzzles.deep")
    tempting = say("web.puzzles.tempting", count=attempt.puzzle.tempting)
    return f"{say(f'web.puzzles.{attempt.grade}')} {found} {tempting}"


def _links(request: Request, attempt: PuzzleAttempt, count: int) -> list[Link]:
    """Returns the links below the task."""
    room, say = render.path(request, "puzzles"), render.messages(request)
    afresh: dict[str, Any] = {"moves": (), "chosen": (), "wrong": ""}
    following = attempt.query(number=attempt.number % count + 1, **afresh)
    links = [
        Link(say("web.puzzles.next"), f"{room}?{following}", id="next"),
        Link(say("web.puzzles.day"), room, quiet=True),
    ]
    if attempt.moves:
        links.append(
            Link(say("web.puzzles.again"), f"{room}?{attempt.query(**afresh)}", quiet=True)
        )
    if attempt.solved or attempt.wrong:
        shown = urlencode({"game": attempt.name, "position": str(attempt.puzzle.position)})
        where = f"{render.path(request, 'analysis')}?{shown}"
        links.append(Link(say("web.menu.analysis"), where, quiet=True, stays=False))
    return links


def puzzle_of_the_day(request: Request) -> Mapping[str, Any] | None:
    """Returns the values for the part of the puzzle of the day; None without puzzles."""
    allowed, own = service_of(request, Allowed), service_of(request, ServerSettings).puzzles
    try:
        attempt = read_attempt(allowed, own, {}, datetime.now(UTC).date())
    except UsageError:
        return None
    return context_of(request, attempt)


def _titles(known: Mapping[str, list[Puzzle]]) -> dict[str, str]:
    """Returns the titles of games with puzzles by their names."""
    return {name: each[0].position.game.title for name, each in known.items()}


def _task(attempt: PuzzleAttempt, say: Messages) -> str:
    """Returns the sentence with the task, or with the success."""
    puzzle = attempt.puzzle
    side = name_side(puzzle.position.game, puzzle.position.side, say)
    if attempt.solved:
        return say("web.puzzles.solved", side=side)
    if puzzle.outcome == "draw":
        return say("web.puzzles.draw", side=side)
    if puzzle.plies is None:
        return say("web.puzzles.win", side=side)
    return say("web.puzzles.win-in", side=side, plies=max(1, puzzle.plies - len(attempt.moves)))


ROUTES: list[BaseRoute] = [Route("/puzzles", show, name="puzzles")]
