"""Small boards as pictures of their own, and the chooser of games that shows them.

Browsers load such a picture when it comes into view, and cache it. A picture cannot use the style
sheet of its page, so its address names the looks.

The chooser has pictures, a search field and a filter by kind. Templates call its macros
(`board/chooser.html`). `find` and `kind` in the address filter the games without script; with
script, the page filters as one types.
"""

from __future__ import annotations

import asyncio
import functools
import random
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import jinja2
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from papan.core import spec
from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.errors import PapanError
from papan.figures.board import Layout, Marks, small_board
from papan.figures.highlights import last_marks
from papan.figures.palette import look_class, look_colours
from papan.figures.svg import Markup, drawing
from papan.figures.theme import THEMES, board_rules
from papan.usercode import registry
from papan.web.board.line import read_line
from papan.web.http import render
from papan.web.http.allowed import Allowed
from papan.web.http.preferences import Preferences, preferences_of
from papan.web.http.request_params import service_of, state_of

#: Kinds of games, in the order of the filter.
KINDS = (
    *("placing", "moving", "rows", "connection", "sowing", "race"),
    *("army", "lines", "hexagons", "cards"),
)

#: Maximum characters of a search.
LONGEST_SEARCH = 60


@dataclass(frozen=True)
class GameCard:
    """A game to choose.

    Attributes:
        name: the game, as written in addresses.
        title: its title.
        kinds: its kinds, of `KINDS`.
        picture: the address of its picture; empty without one.
        shown: False if the filter hides it.
    """

    name: str
    title: str
    kinds: tuple[str, ...] = ()
    picture: str = ""
    shown: bool = True

    @property
    def words(self) -> str:
        """The text that a search looks through."""
        return f"{self.title} {self.name.replace('_', ' ')}".casefold()


@dataclass(frozen=True)
class GameChoice:
    """All games, the chosen one and the filter.

    Attributes:
        cards: the games, in the order of the menu.
        current: the chosen game; None without one.
        kinds: the kinds that occur.
        find: the search.
        kind: the kind; empty for all.
    """

    cards: list[GameCard]
    current: GameCard | None
    kinds: list[str]
    find: str
    kind: str


@jinja2.pass_context
def choice_of_games(
    context: jinja2.runtime.Context, current: str, more: Sequence[tuple[str, str]] = ()
) -> GameChoice:
    """Returns the games for a template.

    Args:
        context: the context of the template.
        current: the chosen game, with or without options.
        more: further entries without pictures: name and title.
    """
    connection = context["connection"]
    query = connection.query_params
    find = " ".join(query.get("find", "")[:LONGEST_SEARCH].split())
    kind = query.get("kind", "") if query.get("kind", "") in KINDS else ""
    cards = [GameCard(name, title) for name, title in more]
    for name, title, kinds in _games(tuple(service_of(connection, Allowed).all_games().items())):
        words = GameCard(name, title).words
        shown = find.casefold() in words and (not kind or kind in kinds)
        picture = address(connection, {"game": name})
        cards.append(GameCard(name, title, kinds, picture, shown))
    names = (current, spec.split(current)[0])
    chosen = next((card for card in cards if card.name in names), None)
    occurring = {kind for card in cards for kind in card.kinds}
    return GameChoice(cards, chosen, [each for each in KINDS if each in occurring], find, kind)


@functools.lru_cache(maxsize=16)
def _games(offered: tuple[tuple[str, str], ...]) -> list[tuple[str, str, tuple[str, ...]]]:
    """Returns name, title and kinds of each game."""
    games = [(name, registry.game(known)) for name, known in offered]
    return [(name, game.title, kinds_of(game)) for name, game in games]


def kinds_of(game: Game) -> tuple[str, ...]:
    """Returns the kinds of a game, from its board, its pieces and its first move."""
    shapes = {place.shape for place in game.board.places}
    facts = {
        "rows": game.winning_row > 0,
        "connection": any(game.board.own_edges()),
        "sowing": "pit" in shapes,
        "race": bool(game.homes()),
        "army": len({piece.name for piece in game.pieces if piece.owner == "x"}) > 1,
        "lines": not shapes.isdisjoint(("point", "edge")),
        "hexagons": "hexagon" in shapes,
        "cards": "card" in shapes,
    }
    moves = "" if facts["sowing"] else _kind_of_move(game.start())
    return tuple(kind for kind in KINDS if kind == moves or facts.get(kind))


def _kind_of_move(start: Position) -> str:
    """Returns `placing` if the first move adds a piece of a side, else `moving`; empty for games
    without pieces of sides, and if the rules fail."""
    try:
        before, after = (
            sum(content.owner in SIDES for content in start.game.contents(position.state).values())
            for position in (start, start.after(start.codes()[0]))
        )
    except (PapanError, IndexError):
        return ""
    if after > before:
        return "placing"
    return "moving" if before else ""


# --- pictures ------------------------------------------------------------------------------------

#: The looks in an address.
_LOOKS = ("theme", "x_colour", "o_colour", "x_shape", "o_shape")

#: An own game may change, so browsers ask again after an hour.
_HEADERS = {"Cache-Control": "public, max-age=3600"}

#: Seed of the random moves on boards that are empty at the start.
_SEED = 5


def address(connection: HTTPConnection, fields: Mapping[str, str]) -> str:
    """Returns the address of a picture: fields of the analysis; only `game` for a typical
    position."""
    return f"{render.path(connection, 'board-picture')}?{urlencode(fields)}{looks(connection)}"


def looks(connection: HTTPConnection) -> str:
    """Returns the end of an address of a picture: the looks that differ from the defaults."""
    _, wanted = state_of(connection)
    chosen = {name: getattr(wanted, name) for name in _LOOKS}
    different = {k: v for k, v in chosen.items() if v != getattr(Preferences(), k)}
    return f"&{urlencode({**different, 'v': render.version_of('papan.css')})}"


async def show(request: Request) -> Response:
    """The picture of a position; of the game alone, of a typical position."""
    line = read_line(service_of(request, Allowed), request.query_params)
    if line.moves or request.query_params.get("position"):
        position = line.positions[line.ply]
        marks = last_marks(line.positions, line.moves, line.ply)
    else:
        position, marks = await asyncio.to_thread(typical, line.game), Marks()
    return response(request, position, marks)


@functools.lru_cache(maxsize=128)
def typical(game: Game) -> Position:
    """Returns the start of a game, or a later position if the start is empty."""
    position = game.start()
    contents = game.contents(position.state).values()
    if not any(content.piece or content.number for content in contents):
        *_, (_, position) = position.random_walk(random.Random(_SEED), max(1, len(contents) // 4))
    return position


def response(request: Request, position: Position, marks: Marks) -> Response:
    """Returns a picture with the looks in the address of a request."""
    drawn = small_picture(position, marks, preferences_of(request.query_params, "en"))
    return Response(drawn, media_type="image/svg+xml", headers=_HEADERS)


def small_picture(position: Position, marks: Marks, wanted: Preferences) -> str:
    """Returns a board as SVG with few elements and only the style rules that it needs."""
    layout = Layout.of(position.game, coordinates=False)
    inside = _NAMES.sub("", small_board(position, marks, wanted.style))
    return str(
        drawing(
            f"papan-board{look_class(layout.look)}",
            (layout.width, layout.height),
            Markup(inside),
            title=position.game.title,
            rules=_rules({*_CLASSES.findall(inside)}, layout.look, wanted),
        )
    )


_NAMES = re.compile(r' data-square="[^"]*"')
_CLASSES = re.compile(r'class="([^"]*)"')
_SELECTED = re.compile(r"\.([\w-]+)")
_COLOUR = re.compile(r"var\(--papan-([\w-]+), [^)]*\)")


def _rules(names: Collection[str], look: str, wanted: Preferences) -> str:
    """Returns the style rules of elements with these class names."""
    known = {"papan-board", f"look-{look}", *" ".join(names).split()}
    needed = [rule for rule in board_rules().splitlines() if _applies(rule, known)]
    rules = _COLOUR.sub(r"var(--\1)", "\n".join(needed))
    used = sorted({found for rule in needed for found in _COLOUR.findall(rule)})
    theme = {"system": "light"}.get(wanted.theme, wanted.theme)
    dark = _colours("dark", used, look, wanted) if wanted.theme == "system" else ""
    return (
        _colours(theme, used, look, wanted)
        + (f"@media (prefers-color-scheme:dark){{{dark}}}" if dark else "")
        + rules
    )


def _applies(rule: str, known: Collection[str]) -> bool:
    """True if a part of the selector has only known class names."""
    selectors = rule.partition("{")[0].split(",")
    return any(set(_SELECTED.findall(selector)) <= set(known) for selector in selectors)


def _colours(theme: str, used: Collection[str], look: str, wanted: Preferences) -> str:
    """Returns the rule that sets the used colours of a theme, of the chosen pieces and of the
    look."""
    values = dict(THEMES[theme])
    for side, name in (("x", wanted.x_colour), ("o", wanted.o_colour)):
        for part, shade, light in zip(("", "-edge"), _piece_colours()[name], (28, 62), strict=True):
            mixed = f"color-mix(in oklab,{shade},white {light}%)"
            values[side + part] = mixed if theme == "dark" else shade
    values |= look_colours(look, list(THEMES).index(theme))
    return f".papan-board{{{''.join(f'--{name}:{values[name]};' for name in used)}}}"


@functools.cache
def _piece_colours() -> dict[str, tuple[str, str]]:
    """Returns body and edge of each colour of pieces, from the style sheet of the pages."""
    sheet = (render.STATIC / "papan.css").read_text(encoding="utf-8")
    found = re.findall(r'\[data-x="(\w+)"\].*--px: (#\w+); --px-edge: (#\w+);', sheet)
    return {name: (body, edge) for name, body, edge in found}


ROUTES: list[BaseRoute] = [Route("/board.svg", show, name="board-picture")]
