"""Tournaments: the form for a new one, and the live standings of each."""

from __future__ import annotations

import copy
import secrets
from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket

from papan.errors import PapanError, UsageError
from papan.figures.board import Style
from papan.figures.chart import Look, RatingRow, ratings_chart
from papan.messages import Messages
from papan.records.model import Record
from papan.usercode import registry
from papan.web.board import board_sheet
from papan.web.board.view import BoardView
from papan.web.board.words import LEVELS, RecordRow, name_player, side_choices
from papan.web.http import render, request_params
from papan.web.http.allowed import Allowed
from papan.web.http.refusals import Refused
from papan.web.http.request_params import read_form, service_of, state_of
from papan.web.http.subscriptions import push
from papan.web.tournaments.tournament_worker import BoardUpdate
from papan.web.tournaments.tournaments import (
    FORMATS,
    MOST_LISTED,
    MOST_PAIRS,
    MOST_PLAYERS,
    MOVE_SECONDS,
    HostedTournament,
    Tournaments,
    plan_of,
)

#: Players with checkboxes in addition to the levels.
_OFFERED = ("random", "hill-climbing", "genetic", "minimax:depth=3", "mcts", "engine")

_CHOSEN = LEVELS[:5:2]


async def show(request: Request) -> Response:
    """The form and all tournaments; a submitted form starts one."""
    if request.method == "POST":
        form = await read_form(request)
        try:
            hosted = await _start_tournament(request, form)
        except UsageError as error:
            problem = render.explain(request, error)
            return _page(request, form, problem, status=400)
        return render.see(request, "standings", id=hosted.id)
    return _page(request, dict(request.query_params), "", status=200)


def _page(request: Request, form: Mapping[str, str], problem: str, *, status: int) -> Response:
    say, allowed = render.messages(request), service_of(request, Allowed)
    game = form.get("game") or next(iter(allowed.games()))
    choices = side_choices(allowed.game(game, {}), state_of(request)[1], say)
    boxes = [*LEVELS, *_OFFERED, *(f"named:{name}" for name in allowed.settings.players)]
    return render.page(
        request,
        "tournaments/tournament.html",
        status=status,
        form=form,
        problem=problem,
        game=game,
        options=allowed.options(game),
        side_choices=choices,
        boxes=[(name, _box_name(name, say)) for name in boxes],
        ticked=[n for n in boxes if form.get(f"player-{n}")] or ([] if problem else _CHOSEN),
        formats=FORMATS,
        seconds=MOVE_SECONDS,
        most_pairs=MOST_PAIRS,
        most_players=MOST_PLAYERS,
        tournaments=[
            (each, _names(each, allowed, say), allowed.public.text(each.tournament.game))
            for each in service_of(request, Tournaments).all()
        ],
    )


def _box_name(name: str, say: Messages) -> str:
    return name.partition(":")[2] if name.startswith("named:") else name_player(name, say)


async def _start_tournament(request: Request, form: Mapping[str, str]) -> HostedTournament:
    """Returns the queued tournament of a form.

    Raises:
        UsageError: A field is invalid; the message names it.
    """
    session, _ = state_of(request)
    game = service_of(request, Allowed).game(form.get("game", ""), request_params.options_in(form))
    if form.get("seconds", MOVE_SECONDS[1]) not in MOVE_SECONDS:
        raise Refused("web.tournament.no-seconds", known=", ".join(MOVE_SECONDS))
    seconds = float(form.get("seconds", MOVE_SECONDS[1]))
    plan = plan_of(
        game.spec,
        _players(service_of(request, Allowed), form, game),
        format=form.get("format", FORMATS[0]),
        pairs=request_params.whole(form, "pairs", 1, MOST_PAIRS, 2),
        seconds=seconds,
        seed=secrets.randbelow(2**31),
    )
    return await service_of(request, Tournaments).ask(session, plan, seconds)


def _players(allowed: Allowed, form: Mapping[str, str], game: Any) -> tuple[str, ...]:
    """Returns the selected players, and the typed ones: one spec per line."""
    ticked = [
        name.removeprefix("player-") for name, on in form.items() if name[:7] == "player-" and on
    ]
    typed = [line.strip() for line in form.get("specs", "").splitlines() if line.strip()]
    if len(ticked) + len(typed) > MOST_PLAYERS:
        raise Refused("web.tournament.players", most=MOST_PLAYERS)
    return tuple(dict.fromkeys(allowed.player(name, game) for name in [*ticked, *typed]))


def _names(hosted: HostedTournament, allowed: Allowed, say: Messages) -> list[str]:
    return [name_player(allowed.public.text(name), say) for name in hosted.tournament.players]


# --- one tournament -------------------------------------------------------------------------------


async def standings(request: Request) -> Response:
    """The page of a tournament with its current standings."""
    hosted = _find(request)
    return render.page(request, "tournaments/standings.html", **await context_of(request, hosted))


def _find(connection: HTTPConnection) -> HostedTournament:
    """Returns the tournament of an address.

    Raises:
        HTTPException: The tournament does not exist.
    """
    hosted = service_of(connection, Tournaments).get(connection.path_params["id"])
    if hosted is None:
        raise HTTPException(404)
    return hosted


async def context_of(connection: HTTPConnection, hosted: HostedTournament) -> dict[str, Any]:
    """Returns the values for the template."""
    say, allowed = render.messages(connection), service_of(connection, Allowed)
    hosting = service_of(connection, Tournaments)
    session, wanted = state_of(connection)
    # A copy: a tournament that ends meanwhile must not appear as over with the earlier games.
    seen = copy.copy(hosted)
    report = await hosting.report(hosted)
    newest = await hosting.newest(hosted)
    names = {n: name_player(allowed.public.text(n), say) for n in hosted.tournament.players}
    return {
        "hosted": seen,
        "game": allowed.public.text(hosted.tournament.game),
        "event": allowed.public.text(hosted.tournament.event),
        "names": names,
        "standings": report["standings"],
        "crosstable": _crosstable(report),
        "played": report["games"],
        "all": max(hosted.tournament.games, report["games"]),
        "chart": _chart(report, names, say),
        "games": [RecordRow.of(allowed.public.record(record), say) for record in newest],
        "problem": render.explain(connection, seen.problem),
        "mine": hosted.owner == session,
        "unsaved": hosting.in_memory_only,
        "to_come": 0 if seen.over else min(MOST_LISTED, hosted.tournament.games) - len(newest),
        **_board(connection, _choose_board(seen, newest), wanted.style, say),
    }


def _crosstable(report: Mapping[str, Any]) -> dict[str, list[str | None]]:
    """Returns the points of each player against each other, in the order of the standings; None
    on the diagonal, and `–` without games."""
    order = [entry["player"] for entry in report["standings"]]
    return {
        name: [
            None if other == name else _points(report["crosstable"][name][other]) for other in order
        ]
        for name in order
    }


def _points(counts: list[int]) -> str:
    wins, draws, losses = counts
    return f"{wins + draws / 2:g}/{wins + draws + losses}" if any(counts) else "–"


def _chart(report: Mapping[str, Any], names: Mapping[str, str], say: Messages) -> str:
    """Returns the ratings with error bars; empty without ratings."""
    rated = [entry for entry in report["standings"] if entry["elo"] is not None]
    if not rated:
        return ""
    ratings = [RatingRow(names[entry["player"]], entry["elo"], entry["error"]) for entry in rated]
    return ratings_chart(say("web.tournament.ratings"), "Elo", ratings, look=Look(standalone=False))


_NO_BOARD: dict[str, Any] = {"board": None, "live": None, "plies": 0, "sheet": ""}


def _choose_board(hosted: HostedTournament, newest: list[Record]) -> BoardUpdate:
    """Returns the current game, else the last finished one, or the start of the first game, so
    that the board keeps its place."""
    if hosted.board is not None:
        return hosted.board
    if newest:
        last = newest[0]
        return BoardUpdate(last.game, last.x, last.o, last.moves, last.round)
    return BoardUpdate(hosted.tournament.game, "", "", (), 0)


def _board(
    connection: HTTPConnection, board: BoardUpdate, style: Style, say: Messages
) -> dict[str, Any]:
    """Returns the board of a game of the tournament."""
    try:
        game = registry.known_game(board.game)
        positions = request_params.positions_of(game, "", board.moves)
    except PapanError:
        return _NO_BOARD
    allowed = service_of(connection, Allowed)
    names = tuple(name_player(allowed.public.text(name), say) for name in (board.x, board.o))
    return {
        "sheet": board_sheet.address(connection, game),
        "live": names if board.x else None,
        "plies": len(board.moves),
        "board": BoardView.of(positions, board.moves, len(board.moves), say=say, style=style),
    }


async def stop(request: Request) -> Response:
    """Stops a tournament."""
    await read_form(request)
    session, _ = state_of(request)
    id = request.path_params["id"]
    await service_of(request, Tournaments).stop(id, session)
    if render.is_fragment(request):
        return await standings(request)
    return render.see(request, "standings", id=id)


async def follow(socket: WebSocket) -> None:
    """Sends the page after each new game."""
    tournaments = service_of(socket, Tournaments)
    hosted = tournaments.get(socket.path_params["id"])

    async def text() -> str:
        assert hosted is not None
        session, wanted = state_of(socket)
        looks, pages = (wanted, hosted.owner == session), hosted.pages
        if looks not in pages:
            context = await context_of(socket, hosted)
            pages[looks] = render.html(
                socket, "tournaments/standings.html", fragment=True, **context
            )
        return pages[looks]

    topic = tournaments.topic(socket.path_params["id"])
    await push(socket, topic, None if hosted is None else text)


ROUTES: list[BaseRoute] = [
    Route("/tournament", show, name="tournament", methods=["GET", "POST"]),
    Route("/tournament/{id}", standings, name="standings"),
    Route("/tournament/{id}/stop", stop, name="tournament-stop", methods=["POST"]),
    WebSocketRoute("/tournament/{id}/live", follow, name="tournament-live"),
]
