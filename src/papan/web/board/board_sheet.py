"""Style sheets that place the buttons of a board over its picture, one for each geometry.

The content security policy forbids inline styles, so positions are in a style sheet with its own
address. Lengths are percentages of the board, from the left and top, or from the right and bottom
of a flipped board. So one sheet serves all views of a board.

On phones in portrait, wide boards are turned by 90° clockwise, because their squares would be too
small for fingers. Pieces, numbers and labels stay upright.
"""

from __future__ import annotations

import functools
import hashlib
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core.board.geometry import Geometry, Place
from papan.core.game import Game
from papan.errors import PapanError
from papan.figures.board import Layout
from papan.figures.places import SQUARE
from papan.figures.svg import format_number
from papan.web.http import render
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import offered_game, service_of

#: Width and height of touch targets by the shape of places, in edges of a square. Thin shapes have
#: larger targets than they look.
_TOUCHED = {"store": (1.0, 1.9), "edge": (0.78, 0.5), "post": (0.5, 0.78), "box": (0.5, 0.5)}
_WHOLE = (1.0, 1.0)

#: Boards with at least this ratio of width to height, and with more squares in a row, are turned on
#: phones: a square would be smaller than 44 px on a screen of 390 px.
_WIDE, _MOST_SQUARES = 1.5, 8.5

#: Phones in portrait.
_PHONE = "@media (orientation:portrait) and (max-width:600px)"

#: Rules for a turned board. The surface keeps its layout and is turned as a whole. A square is at
#: most 63 px wide, so that the status below the board stays visible.
_TURNED = """
.table{width:100%}
.table .board{align-self:center}
.table .board,.bench .bench-board .board,.split .board{
min-width:0;width:min(100%,1.05px*var(--W),(100dvh - 182px)*var(--W)/var(--H))}
.board{aspect-ratio:var(--W)/var(--H)}
.surface{position:absolute;width:calc(100%*var(--H)/var(--W));transform:rotate(90deg);
left:calc(50% - 50%*var(--H)/var(--W));top:calc(50% - 50%*var(--W)/var(--H))}
.surface .square:not(.store)>:is(.piece,text),.surface .ghost .piece{
translate:0 60px;rotate:-90deg}
.surface :is(.label,.store>text,.layer text){
transform-box:fill-box;transform-origin:center;rotate:-90deg}
.surface .label.named{transform-origin:0 50%;translate:7px 43px}
.cell[data-worth]::after{
left:84%;top:50%;bottom:auto;transform:translate(-50%,-50%) rotate(-90deg)}
"""


#: Phones in landscape: wide boards have the players below, not beside.
_LYING = """
@media (orientation:landscape) and (max-height:560px){
.table{grid-template:auto auto/1fr 1fr}
.table .board{grid-area:1/1/2/3;width:min(100vw - 308px,(100dvh - 92px)*var(--W)/var(--H))}
.table.table .plate,.table.table .board~.plate{grid-area:2/auto;align-self:start}
}
"""


def address(connection: HTTPConnection, game: Game) -> str:
    """Returns the address of the style sheet of a board; it changes with the content."""
    name = service_of(connection, Allowed).public.text(game.spec)
    query = urlencode({"game": name, "v": _version(game.board)})
    return f"{render.path(connection, 'board-sheet')}?{query}"


@functools.lru_cache(maxsize=64)
def sheet(board: Geometry) -> str:
    """Returns the style sheet of a board."""
    labelled, plain = Layout(board), Layout(board, coordinates=False)
    return "\n".join(
        [
            f".table,.board{{--w:{_number(board.area.width)};{_extent(labelled)}}}",
            f".table.plain,.plain .board,.board.plain{{{_extent(plain)}}}",
            f".cells{{{_area(labelled)}}}",
            f".plain .cells{{{_area(plain)}}}",
            *(_place(board, place) for place in board.places),
            *(_turned(labelled, plain) if _is_wide(labelled) else ()),
        ]
    )


def _is_wide(layout: Layout) -> bool:
    return layout.width > max(_WIDE * layout.height, _MOST_SQUARES * SQUARE)


def _turned(labelled: Layout, plain: Layout) -> list[str]:
    """Returns the rules for phones; in portrait, width and height of the picture are swapped."""
    return [
        f"{_PHONE}{{",
        f".table,.board{{{_extent(labelled, is_turned=True)}}}",
        f".table.plain,.plain .board,.board.plain{{{_extent(plain, is_turned=True)}}}",
        _TURNED.strip(),
        "}",
        _LYING.strip(),
    ]


def _extent(layout: Layout, is_turned: bool = False) -> str:
    """Returns the width and height of the whole picture."""
    width, height = layout.width, layout.height
    if is_turned:
        width, height = height, width
    return f"--W:{_number(width)};--H:{_number(height)}"


def _area(layout: Layout) -> str:
    """Returns the area of the board in the picture, without the margin."""
    left, top = layout.point(0, 0)
    right, bottom = layout.point(*layout.board.area)
    sides = {
        "left": left / layout.width,
        "top": top / layout.height,
        "width": (right - left) / layout.width,
        "height": (bottom - top) / layout.height,
    }
    return ";".join(f"{side}:{_percent(share)}" for side, share in sides.items())


def _place(board: Geometry, place: Place) -> str:
    """Returns the button of a place within the area."""
    width, height = _TOUCHED.get(place.shape, _WHOLE)
    across, down = board.area
    shares = {
        "x": (place.x - width / 2) / across,
        "y": (place.y - height / 2) / down,
        "dx": width / across,
        "dy": height / down,
    }
    said = ";".join(f"--{name}:{_percent(share)}" for name, share in shares.items())
    return f'.cell[data-square="{_quoted(place.name)}"]{{{said}}}'


def _quoted(name: str) -> str:
    """Returns a name as a string of a style sheet."""
    return "".join(
        sign if sign.isalnum() and sign.isascii() else f"\\{ord(sign):x} " for sign in name
    )


def _percent(share: float) -> str:
    return f"{100 * share:.3f}".rstrip("0").rstrip(".") + "%"


def _number(value: float) -> str:
    return format_number(float(value))


@functools.lru_cache(maxsize=64)
def _version(board: Geometry) -> str:
    return hashlib.sha256(sheet(board).encode()).hexdigest()[:10]


async def show(request: Request) -> Response:
    """The style sheet of the board of an offered game."""
    try:
        game = offered_game(service_of(request, Allowed), request.query_params.get("game", ""))
    except PapanError:
        raise HTTPException(404) from None
    return Response(sheet(game.board), media_type="text/css", headers=render.KEPT)


ROUTES: list[BaseRoute] = [Route("/board.css", show, name="board-sheet")]
