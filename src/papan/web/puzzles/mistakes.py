"""Mistakes of a game as exercises: find a better move than the one that was played.

The review of the game finds the mistakes (`GameJudgement`). The address has the whole state: the
game, `side` (whose mistakes; empty for both), `ply` (the moves before the exercise), `from` (steps
of an unfinished move) and `tried` (the last complete move). The page judges `tried` by the
engine's values of all moves, so an address cannot claim that a move is right.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.core.game import Position
from papan.core.moves import Partial
from papan.core.notation import SIDES
from papan.errors import PapanError, UsageError
from papan.figures.values import MoveValue
from papan.messages import Messages
from papan.report import name_side
from papan.web.board import board_sheet
from papan.web.board.judgement import GameJudgement
from papan.web.board.line import GameLine, read_line
from papan.web.board.move_values import value_moves
from papan.web.board.snapshot import snapshot_at
from papan.web.board.view import BoardView
from papan.web.engines.analysis_jobs import (
    MOST_VALUED,
    VALUING_SECONDS,
    AnalysisJobs,
    AnalysisQuestion,
    GameReview,
    best_result,
)
from papan.web.engines.engine_pool import EnginePool
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import read_form, service_of, state_of
from papan.web.http.subscriptions import push
from papan.web.puzzles.page import Link, read_click

#: Grades of moves that are accepted (`papan.web.board.move_values`).
ACCEPTED = ("best", "good")

#: Maximum number of positions with stored values.
MOST_KEPT = 500


class ExerciseValues:
    """The values of all moves of exercises; stored, so that a second try is judged in the same way.

    Args:
        pool: the engine pool.
    """

    def __init__(self, pool: EnginePool) -> None:
        self._pool = pool
        self._kept: OrderedDict[AnalysisQuestion, Mapping[str, Any]] = OrderedDict()

    async def of(self, question: AnalysisQuestion, side: str, session: str) -> Mapping[str, Any]:
        """Returns the result of a search of all moves with `side` to move.

        Raises:
            PapanError: The engine failed, or too many tasks wait.
        """
        if question not in self._kept:
            task = replace(question, lines=MOST_VALUED).task(VALUING_SECONDS)
            self._kept[question] = await best_result(self._pool, task, session, side)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[question]


@dataclass(frozen=True)
class MistakeAttempt(GameLine):
    """A mistake of a game, and the try of a better move; `ply` is the position before it.

    Attributes:
        side: whose mistakes; empty for those of both sides.
        chosen: the steps of an unfinished move.
        tried: the last complete move; empty for none.
    """

    side: str = ""
    chosen: tuple[str, ...] = ()
    tried: str = ""

    @classmethod
    def read(cls, allowed: Allowed, values: Mapping[str, str]) -> MistakeAttempt:
        """Returns the attempt of an address; without a ply, at the end of the game.

        Raises:
            PapanError: The game, the start, a move, the ply or the tried move is invalid.
        """
        line = read_line(allowed, values)
        side = values.get("side", "")
        chosen = tuple(filter(None, values.get("from", "").split(",")))
        attempt = cls(**vars(line), side=side if side in SIDES else "", chosen=chosen)
        tried = values.get("tried", "")
        if tried and tried not in attempt.here.moves():
            raise UsageError("web.analysis.no-move", text=tried[:10])
        return replace(attempt, tried=tried)

    @property
    def here(self) -> Position:
        """The position of the exercise."""
        return self.positions[self.ply]

    @property
    def played(self) -> str:
        """The move of the game."""
        return self.moves[self.ply]

    def fields(self) -> dict[str, str]:
        """The fields of the address that differ from their defaults."""
        fields = {"side": self.side, "from": ",".join(self.chosen), "tried": self.tried}
        return super().fields() | {key: value for key, value in fields.items() if value}


@dataclass(frozen=True)
class TriedMove:
    """The judgement of a tried move.

    Attributes:
        right: True if the move keeps the winning chance.
        reason: a sentence.
    """

    right: bool
    reason: str


def judge(
    attempt: MistakeAttempt, judgement: GameJudgement, values: Mapping[str, MoveValue]
) -> TriedMove:
    """Returns the judgement of the tried move of an attempt by the values of all moves.

    The move of the game is wrong, and the best move of the review is right, even if a new search
    prefers other moves.
    """
    say, move = judgement.say, attempt.tried
    if move == attempt.played:
        return TriedMove(False, say("web.mistakes.same", move=move))
    verdict, value = judgement.review.verdicts[attempt.ply], values.get(move)
    best = verdict.best if verdict else ""
    words = value.words if value else judgement.stood(attempt.ply)
    if move == best or (value is not None and value.grade in ACCEPTED):
        return TriedMove(True, say("web.mistakes.right", move=move, value=words))
    name = "web.mistakes.wrong" if value else "web.mistakes.unlisted"
    return TriedMove(False, say(name, move=move, value=words))


# --- pages ----------------------------------------------------------------------------------------


async def show(request: Request) -> Response:
    """The page of an exercise. A click leads to the address of the result."""
    values = dict(request.query_params)
    attempt = MistakeAttempt.read(service_of(request, Allowed), values)
    judgement = _judgement(request, attempt)
    if judgement is None or not _is_ready(judgement.review):
        return render.page(request, "puzzles/puzzles.html", **waiting_context(request, attempt))
    turns = judgement.turns(attempt.side)
    if turns and attempt.ply + 1 not in turns:
        attempt = replace(attempt, ply=turns[0] - 1, chosen=(), tried="")
    begun = Partial.of(attempt.here, attempt.chosen) if turns else None
    clicked = read_click(attempt.here, begun, values)
    if clicked is not None:
        whole = isinstance(clicked, str)
        query = attempt.query(chosen=() if whole else clicked, tried=clicked if whole else "")
        return render.see(request, "mistakes", query)
    tried = await _judge(request, attempt, judgement) if attempt.tried else None
    context = context_of(request, attempt, judgement, tried)
    return render.page(request, "puzzles/puzzles.html", **context)


async def begin(request: Request) -> Response:
    """Starts the review of the game."""
    form = await read_form(request, longest=request_params.LONGEST_RECORD)
    session, _ = state_of(request)
    attempt = MistakeAttempt.read(service_of(request, Allowed), form)
    sides = tuple(position.side for position in attempt.positions)
    service_of(request, AnalysisJobs).begin_review(session, attempt.whole_game, sides)
    attempt = replace(attempt, ply=len(attempt.moves), chosen=(), tried="")
    if render.is_fragment(request):
        return render.page(request, "puzzles/puzzles.html", **waiting_context(request, attempt))
    return render.see(request, "mistakes", attempt.query())


async def follow(socket: WebSocket) -> None:
    """Sends the page after each position of the review, and the first exercise at its end."""
    session, _ = state_of(socket)
    try:
        attempt = MistakeAttempt.read(service_of(socket, Allowed), dict(socket.query_params))
    except PapanError:
        attempt = None

    async def text() -> str:
        assert attempt is not None
        judgement = _judgement(socket, attempt)
        if judgement is None or not _is_ready(judgement.review):
            context = waiting_context(socket, attempt)
        else:
            turns = judgement.turns(attempt.side)
            first = replace(attempt, ply=turns[0] - 1) if turns else attempt
            context = context_of(socket, first, judgement, None)
        return render.html(socket, "puzzles/puzzles.html", fragment=True, **context)

    topic = service_of(socket, AnalysisJobs).topic(session)
    await push(socket, topic, text if attempt else None)


# --- parts ----------------------------------------------------------------------------------------


def _room(connection: HTTPConnection) -> str:
    return render.path(connection, "mistakes")


def _is_ready(review: GameReview) -> bool:
    """True if the values of all positions are known."""
    return None not in review.verdicts


def _judgement(connection: HTTPConnection, attempt: MistakeAttempt) -> GameJudgement | None:
    """Returns this browser's review of the game; None without one."""
    session, _ = state_of(connection)
    review = service_of(connection, AnalysisJobs).find_review(session, attempt.whole_game)
    if review is None:
        return None
    return GameJudgement(review, attempt.positions, render.messages(connection))


async def _judge(request: Request, attempt: MistakeAttempt, judgement: GameJudgement) -> TriedMove:
    session, _ = state_of(request)
    asking = service_of(request, ExerciseValues).of(attempt.question, attempt.here.side, session)
    result = await request_params.unless_left(request, asking)
    return judge(attempt, judgement, value_moves(attempt.here, result, judgement.say))


def waiting_context(connection: HTTPConnection, attempt: MistakeAttempt) -> dict[str, Any]:
    """Returns the values for the template before the end of the review."""
    say, judgement = render.messages(connection), _judgement(connection, attempt)
    running = judgement is not None and judgement.review.running
    known = judgement.count if judgement else 0
    count = len(attempt.positions)
    live = f"{render.path(connection, 'mistakes-live')}?{attempt.query()}"
    task = say("web.mistakes.looking", known=known, all=count) if running else ""
    return {
        **_context(connection, attempt, ply=attempt.ply),
        "title": say("web.mistakes.title"),
        "task": task or say("web.mistakes.lead"),
        "progress": {"live": live, "known": known, "all": count} if running else None,
        "begin": "" if running else say("web.mistakes.begin"),
        "links": [_analysis(connection, attempt, say)],
    }


def context_of(
    connection: HTTPConnection,
    attempt: MistakeAttempt,
    judgement: GameJudgement,
    tried: TriedMove | None,
) -> dict[str, Any]:
    """Returns the values for the template of an exercise, or of a game without mistakes."""
    say, turns = judgement.say, judgement.turns(attempt.side)
    if not turns:
        return {
            **_context(connection, attempt, ply=len(attempt.moves)),
            "title": say("web.mistakes.title"),
            "task": say("web.mistakes.none"),
            "links": [_analysis(connection, attempt, say)],
        }
    number = turns.index(attempt.ply + 1)
    right = tried is not None and tried.right
    lost = round(100 * (judgement.lost(attempt.ply + 1) or 0.0))
    facts = {"move": attempt.played, "share": lost}
    side = name_side(attempt.game, attempt.here.side, say)
    task = (
        say("web.mistakes.you", **facts)
        if attempt.side
        else say("web.mistakes.task", side=side, **facts)
    )
    return {
        **_context(connection, attempt, ply=attempt.ply, right=right),
        "title": say("web.mistakes.number", number=number + 1, count=len(turns)),
        "task": tried.reason if tried and right else task,
        "problem": tried.reason if tried and not right else "",
        "hint": judgement.turn_in_words(attempt.ply + 1) if right else "",
        "links": _links(connection, attempt, turns, right, say),
    }


def _context(
    connection: HTTPConnection, attempt: MistakeAttempt, *, ply: int, right: bool = False
) -> dict[str, Any]:
    """Returns the board of a ply, or of the tried move if it is right, and the defaults."""
    say, (_, wanted) = render.messages(connection), state_of(connection)
    positions, moves = attempt.positions[: ply + 1], attempt.moves[:ply]
    begun = None
    if right:
        positions, moves = (*positions, positions[-1].play(attempt.tried)), (*moves, attempt.tried)
    elif ply < len(attempt.moves):
        begun = Partial.of(positions[-1], attempt.chosen)
    last = len(moves)
    board = BoardView.of(positions, moves, last, say=say, style=wanted.style, begun=begun)
    names = {"": say("web.mistakes.both")} | {
        side: name_side(attempt.game, side, say) for side in SIDES
    }
    afresh: dict[str, Any] = {"ply": len(attempt.moves), "chosen": (), "tried": ""}
    return {
        "room": _room(connection),
        "name": "",
        "game": attempt.game,
        "query": attempt.query(),
        "fields": {key: text for key, text in attempt.fields().items() if key != "tried"},
        "sheet": board_sheet.address(connection, attempt.game),
        "tabs": [
            (label, attempt.query(side=side, **afresh), side == attempt.side)
            for side, label in names.items()
        ],
        "board": board,
        "snapshot": snapshot_at(positions, moves, last, board),
        "problem": "",
        "played": (),
        "hint": "",
        "progress": None,
        "begin": "",
    }


def _links(
    connection: HTTPConnection,
    attempt: MistakeAttempt,
    turns: list[int],
    right: bool,
    say: Messages,
) -> list[Link]:
    """Returns the links of an exercise: the next one, or the first one after the last."""
    room, number = _room(connection), turns.index(attempt.ply + 1) + 1
    links = []
    if len(turns) > 1:
        last = number == len(turns)
        ply = turns[number % len(turns)] - 1
        query = attempt.query(ply=ply, chosen=(), tried="")
        label = say("web.mistakes.first" if last else "web.mistakes.next")
        links.append(Link(label, f"{room}?{query}", quiet=last or not right, id="next"))
    if right:
        query = attempt.query(chosen=(), tried="")
        links.append(Link(say("web.puzzles.again"), f"{room}?{query}", quiet=True))
    return [*links, _analysis(connection, attempt, say)]


def _analysis(connection: HTTPConnection, attempt: MistakeAttempt, say: Messages) -> Link:
    """Returns the link to the analysis of the game at the same ply."""
    query = urlencode(GameLine.fields(attempt))
    where = f"{render.path(connection, 'analysis')}?{query}"
    return Link(say("web.menu.analysis"), where, quiet=True, stays=False)


ROUTES: list[BaseRoute] = [
    Route("/puzzles/mistakes", show, name="mistakes", methods=["GET"]),
    Route("/puzzles/mistakes", begin, name="mistakes-begin", methods=["POST"]),
    WebSocketRoute("/puzzles/mistakes/live", follow, name="mistakes-live"),
]
