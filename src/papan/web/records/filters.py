"""The filters of the list of recorded games, and its pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import urlencode

from starlette.exceptions import HTTPException

from papan.records.model import RESULTS, Record
from papan.records.queries import Filters
from papan.records.store import Store
from papan.web.http import request_params
from papan.web.http.allowed import Allowed
from papan.web.http.refusals import Refused

#: Games on a page of the list, and the last page.
PAGE = 25
LAST_PAGE = 1_000_000

#: Filter value for the games of this browser.
MINE = "mine"

#: Maximum characters of a filter.
LONGEST_FILTER = 400


@dataclass(frozen=True)
class RecordFilters:
    """The filters of the list.

    Attributes:
        fields: the filters as typed, without empty ones.
        page: the page, from 1.
        after: id of the last game of the page before; empty for a page found by its number.
        before: id of the first game of the page after; empty for a page found otherwise.
    """

    fields: dict[str, str] = field(default_factory=dict)
    page: int = 1
    after: str = ""
    before: str = ""

    @classmethod
    def read(cls, values: Mapping[str, str]) -> RecordFilters:
        """Returns the filters of an address.

        Raises:
            UsageError: A filter is invalid.
        """
        names = ("game", "player", "event", "result", "since", "whose")
        fields = {name: values[name].strip() for name in names if values.get(name, "").strip()}
        if any(len(value) > LONGEST_FILTER for value in fields.values()):
            raise Refused("web.records.long", most=LONGEST_FILTER)
        if fields.get("result", "x") not in RESULTS:
            raise Refused("web.records.result", known=", ".join(RESULTS))
        page = request_params.whole(values, "page", 1, LAST_PAGE, 1)
        wanted = cls(fields, page, values.get("after", ""), values.get("before", ""))
        wanted.filters()
        return wanted

    def filters(self) -> Filters:
        """Returns the filters for the store.

        Raises:
            UsageError: The date is invalid.
        """
        since = self.fields.get("since")
        return Filters(
            game=self.fields.get("game"),
            player=self.fields.get("player"),
            event=self.fields.get("event"),
            result=self.fields.get("result"),
            since=_date(since) if since else None,
        )

    @property
    def mine(self) -> bool:
        """True if only games of this browser are listed."""
        return self.fields.get("whose") == MINE

    def as_kept(self, allowed: Allowed, store: Store, session: str = "") -> Filters:
        """Returns the filters with the stored specs in place of public names.

        Args:
            allowed: the offered games and players.
            store: the games.
            session: the browser.

        Raises:
            UsageError: The date is invalid.
        """
        filters, public = self.filters(), allowed.public
        if game := filters["game"]:
            filters["game"] = allowed.all_games().get(game, game)
        if player := filters["player"]:
            filters["player"] = allowed.settings.players.get(player, player)
        if event := filters["event"]:
            names = (known.name for known in store.events())
            filters["event"] = next((name for name in names if public.text(name) == event), event)
        if self.mine:
            filters["session"] = session
        return filters

    def of(self, whose: str) -> str:
        """Returns the query of the first page of a player's games."""
        fields = {name: value for name, value in self.fields.items() if name != "whose"}
        return urlencode(fields | ({"whose": whose} if whose else {}))

    def without_game(self) -> str:
        """Returns the start of the query of the first page of another game."""
        fields = {name: value for name, value in self.fields.items() if name != "game"}
        return urlencode({**fields, "game": ""})

    def query(self) -> str:
        """Returns the query of the address."""
        page = {"page": str(self.page)} if self.page > 1 else {}
        ends = {"after": self.after, "before": self.before}
        return urlencode({**self.fields, **page, **{name: id for name, id in ends.items() if id}})

    def at(self, page: int = 1, after: str = "", before: str = "") -> RecordFilters:
        """Returns the same filters with another page."""
        return RecordFilters(self.fields, page, after, before)


def _date(text: str) -> datetime:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        raise Refused("web.records.date", text=text[:20]) from None


@dataclass(frozen=True)
class RecordsPage:
    """A page of the list, newest games first.

    Attributes:
        records: the games.
        has_more: True if there are older games.
    """

    records: list[Record]
    has_more: bool


def find_page(store: Store, wanted: RecordFilters, filters: Filters) -> RecordsPage:
    """Returns a page of the list: next to a game, or by its number.

    A page next to a game is found fast anywhere in the list, and games that were added in between
    do not shift it.

    Raises:
        HTTPException: The store does not have the game.
    """
    if (key := wanted.before or wanted.after) and store.get(key) is None:
        raise HTTPException(404)
    if wanted.before:
        newer = list(store.find(limit=PAGE, after=wanted.before, **filters))
        return RecordsPage(newer[::-1], has_more=True)
    offset = 0 if key else PAGE * (wanted.page - 1)
    older = store.find(
        limit=PAGE + 1, offset=offset, after=key or None, newest_first=True, **filters
    )
    found = list(older)
    return RecordsPage(found[:PAGE], has_more=len(found) > PAGE)
