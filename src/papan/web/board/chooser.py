"""The chooser of games that all rooms share: pictures, a search field and a filter by kind.

Templates call its macros (`board/chooser.html`). `find` and `kind` in the address filter the games
without script; with script, the page filters as one types.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

import jinja2

from papan.core import spec
from papan.core.game import Game, Position
from papan.core.notation import SIDES
from papan.errors import PapanError
from papan.usercode import registry
from papan.web.board import pictures
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import service_of

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
        address = pictures.address(connection, {"game": name})
        cards.append(GameCard(name, title, kinds, address, shown))
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
