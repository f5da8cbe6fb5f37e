"""Puzzles: one move is right; what one plays is checked by proof, and played out to the end.

The address carries all of it: `game` and `number` (which puzzle), `moves` made from its position
on, `from` (the steps of the move that is being made) and `wrong` (a move that was refused).
Without a number it is the puzzle of the day.
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
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from papan.core.game import Position
from papan.core.moves import Partial
from papan.errors import UsageError
from papan.figures.board import Arrangement, Marks, board_picture
from papan.messages import Messages
from papan.solve.puzzle_files import read_puzzles
from papan.solve.puzzles import Puzzle
from papan.web.game import board_sheet
from papan.web.game.view import (
    Action,
    actions_of,
    dots_of,
    in_words,
    last_of,
    square_buttons,
    square_rows,
    words_of,
)
from papan.web.server import render, request_params
from papan.web.server.app_state import AppState
from papan.web.server.request_params import app_state, state_of
from papan.web.workers.engine_worker import EngineRequest

#: What proving a position may take, in seconds.
SECONDS = 5.0

#: Puzzles that plain search finds up to these depths are called easy, or of medium difficulty.
_EASY, _MEDIUM = 2, 5

#: The worth of outcomes, from the best on.
_RANKS = ("win", "draw", "loss")


@functools.lru_cache(maxsize=8)
def shelf(own: tuple[str, ...]) -> dict[str, list[Puzzle]]:
    """All puzzles, those of Papan first, by the specs of their games.

    Raises:
        PapanError: a file cannot be read.
    """
    folder = resources.files("papan.web.puzzles")
    ours = sorted(str(file) for file in folder.iterdir() if file.name.endswith(".txt"))
    found: dict[str, list[Puzzle]] = {}
    for puzzle in chain.from_iterable(map(read_puzzles, (*ours, *own))):
        found.setdefault(puzzle.position.game.spec, []).append(puzzle)
    return found


@dataclass(frozen=True)
class PuzzleTry:
    """A puzzle as far as somebody has got with it.

    Attributes:
        name: the name of its game in addresses.
        number: which one of the game, from 1.
        puzzle: the puzzle.
        positions: its own, and those after the moves.
        moves: that were made, by both sides.
        chosen: the steps of the move that is being made.
        wrong: the move that was refused just now.
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
        """The position at hand."""
        return self.positions[-1]

    @property
    def solved(self) -> bool:
        """True once the game is over, or the draw is saved."""
        drawn = self.puzzle.outcome == "draw" and bool(self.moves)
        return drawn or not self.position.moves()

    @property
    def begun(self) -> Partial | None:
        """The move that is being made; None where none can be."""
        return None if self.solved else Partial.of(self.position, self.chosen)

    @property
    def grade(self) -> str:
        """`easy`, `medium` or `hard`."""
        depth = self.puzzle.depth
        if depth is None or depth > _MEDIUM:
            return "hard"
        return "easy" if depth <= _EASY else "medium"

    def query(self, **changes: Any) -> str:
        """The query of its address, with some things otherwise."""
        now = replace(self, **changes)
        fields = {
            "game": now.name,
            "number": str(now.number),
            "moves": " ".join(now.moves),
            "from": ",".join(now.chosen),
            "wrong": now.wrong,
        }
        return urlencode({key: value for key, value in fields.items() if value})


def try_of(home: AppState, values: Mapping[str, str], today: date) -> PuzzleTry:
    """The puzzle that an address asks for, or that of the day.

    Raises:
        PapanError: there is none, or a move is not legal.
    """
    known = {home.allowed.public.text(spec): each for spec, each in shelf(_own(home)).items()}
    if not known:
        raise UsageError("web.puzzles.none")
    day = today.toordinal()
    name = values.get("game", "") or list(known)[day % len(known)]
    if name not in known:
        raise UsageError("web.puzzles.unknown", text=name[:40])
    puzzles = known[name]
    number = request_params.whole(values, "number", 1, len(puzzles), 1 + day % len(puzzles))
    puzzle, moves = puzzles[number - 1], request_params.read_moves(values.get("moves", ""))
    positions = request_params.positions_of(puzzle.position.game, str(puzzle.position), moves)
    chosen = tuple(filter(None, values.get("from", "").split(",")))
    wrong = values.get("wrong", "")[:20]
    return PuzzleTry(name, number, puzzle, positions, moves, chosen, wrong)


def _own(home: AppState) -> tuple[str, ...]:
    return home.settings.puzzles


async def show(request: Request) -> Response:
    """The page; a click leads to the address of what comes of it."""
    values, home = dict(request.query_params), app_state(request)
    subject = try_of(home, values, datetime.now(UTC).date())
    touched = _touched(subject, values)
    if isinstance(touched, str):
        touched = await _tried(request, subject, touched)
    if touched is not None:
        where = f"{render.path(request, 'puzzles')}?{touched.query()}"
        return RedirectResponse(where, status_code=303)
    return render.page(request, "puzzles/puzzles.html", **context_of(request, subject))


def _touched(subject: PuzzleTry, values: Mapping[str, str]) -> PuzzleTry | str | None:
    """The try after a click, or the move that it makes; None where nothing was clicked."""
    begun, move = subject.begun, values.get("move", "")
    if begun is None or not (move or "square" in values):
        return None
    if move in subject.position.moves():
        return move
    after = begun.touched(begun.step(values.get("square", move)))
    if after is None:
        return replace(subject, chosen=(), wrong="")
    if after.settled is None:
        return replace(subject, chosen=after.names, wrong="")
    return subject.position.game.write_move(after.settled)


async def _tried(request: Request, subject: PuzzleTry, move: str) -> PuzzleTry:
    """The try after a move: with the best answer if it keeps the outcome, else as it was.

    Raises:
        UsageError: what the move is worth is not proven in time.
        PapanError: the solver failed.
    """
    if not await _keeps(request, subject, move):
        return replace(subject, chosen=(), wrong=move)
    return await _answered(request, _after(subject, move))


async def _keeps(request: Request, subject: PuzzleTry, move: str) -> bool:
    """True if a move keeps the outcome: the first one is proven with the puzzle, others now."""
    if not subject.moves:
        return move == subject.puzzle.move
    outcomes = {each["move"]: each["outcome"] for each in await _values(request, subject)}
    outcome = outcomes.get(move)
    if outcome is None:
        raise UsageError("web.puzzles.not-proven", move=move)
    return _RANKS.index(outcome) <= _RANKS.index(subject.puzzle.outcome)


async def _answered(request: Request, subject: PuzzleTry) -> PuzzleTry:
    """The try after the best moves of the other side, as long as it is its turn."""
    while not subject.solved and subject.position.side != subject.puzzle.position.side:
        known = [each for each in await _values(request, subject) if each["value"] is not None]
        best = max(known, key=lambda each: each["value"], default=None)
        legal = subject.position.moves()
        subject = _after(subject, best["move"] if best else legal[0])
    return subject


async def _values(request: Request, subject: PuzzleTry) -> list[Mapping[str, Any]]:
    """The proven values of the moves of the position at hand."""
    (session, _), home, puzzle = state_of(request), app_state(request), subject.puzzle
    task = EngineRequest(
        "values",
        puzzle.position.game.spec,
        str(puzzle.position),
        subject.moves,
        seconds=SECONDS,
        databases=home.settings.values,
    )
    found = await request_params.unless_left(request, home.pool.run(task, session))
    moves: list[Mapping[str, Any]] = found["moves"]
    return moves


def _after(subject: PuzzleTry, move: str) -> PuzzleTry:
    """The try after one more move, by whichever side."""
    positions = (*subject.positions, subject.position.play(move))
    moves = (*subject.moves, move)
    return replace(subject, positions=positions, moves=moves, chosen=(), wrong="")


def context_of(request: Request, subject: PuzzleTry) -> dict[str, Any]:
    """Values for the template."""
    say, (_, wanted), home = render.messages(request), state_of(request), app_state(request)
    known = shelf(_own(home))
    names = {home.allowed.public.text(spec): each for spec, each in known.items()}
    position, begun = subject.position, subject.begun
    does = actions_of(begun) if begun else {}
    marks = Marks(
        last=last_of(subject.positions, subject.moves, len(subject.moves)),
        targets=dots_of(begun, does) if begun else (),
        selected=subject.chosen,
    )
    title = say("web.game.board", game=position.game.title)
    shown = Arrangement.of(position)
    rows = [
        [
            replace(square, action=Action(square.action.state, "square", square.name))
            for square in row
        ]
        for row in square_rows(shown, say, does, marks=marks)
    ]
    return {
        "subject": subject,
        "sheet": board_sheet.address(request, position.game),
        "games": {name: each[0].position.game.title for name, each in names.items()},
        "count": len(names[subject.name]),
        "board": board_picture(position, marks=marks, style=wanted.style, title=title),
        "cells": square_buttons(rows),
        "said": words_of(begun) if begun else (),
        "words": in_words(shown, say),
        "task": _task(subject, say),
    }


def _task(subject: PuzzleTry, say: Messages) -> str:
    """The sentence that says what is to be done, or that it is done."""
    puzzle = subject.puzzle
    side = say(f"web.side-name.{puzzle.position.side}")
    if subject.solved:
        return say("web.puzzles.solved", side=side)
    if puzzle.outcome == "draw":
        return say("web.puzzles.draw", side=side)
    if puzzle.plies is None:
        return say("web.puzzles.win", side=side)
    return say("web.puzzles.win-in", side=side, plies=max(1, puzzle.plies - len(subject.moves)))


ROUTES: list[BaseRoute] = [Route("/puzzles", show, name="puzzles")]
