"""A slow, simple count of the games in a store, to check its aggregate tables against."""

from collections import Counter
from datetime import UTC
from typing import Any

import sqlalchemy as sa

from papan.records.model import Record
from papan.records.queries import Filters
from papan.records.store import Event, Standing, Store

#: Filters with and without games in the samples of `test_totals`.
FILTERS: list[Filters] = [
    {},
    {"game": "hex"},
    {"game": "hex:size=5"},
    {"player": "mcts"},
    {"player": "mcts:visits=9"},
    {"player": "nobody"},
    {"event": ""},
    {"event": "cup"},
    {"event": "nowhere"},
    {"result": "draw"},
    {"result": "*"},
    {"game": "hex", "player": "mcts", "result": "x"},
    {"event": "cup", "player": "ada"},
    {"event": "", "game": "hex"},
]


def is_selected(record: Record, filters: Filters) -> bool:
    """Returns True if a game meets filters other than a session."""
    since = filters.get("since")
    players = filters.get("player")
    checks = {
        "game": _has_name(record.game, filters.get("game")),
        "player": _has_name(record.x, players) or _has_name(record.o, players),
        "event": record.event == filters.get("event"),
        "result": record.result == filters.get("result"),
        "since": since is not None
        and record.played >= since.astimezone(UTC).isoformat(timespec="seconds"),
    }
    return all(checks[name] for name, value in filters.items() if value is not None)


def _has_name(spec: str, name: str | None) -> bool:
    return spec == name or spec.startswith(f"{name}:")


def standings_of(records: list[Record]) -> list[Standing]:
    """Returns the statistics of games."""
    counts: dict[tuple[str, str], Counter[str]] = {}
    for record in records:
        if record.result != "*":
            for side, other, player in (("x", "o", record.x), ("o", "x", record.o)):
                ends = {side: "won", other: "lost", "draw": "drawn"}
                counts.setdefault((record.game, player), Counter())[ends[record.result]] += 1
    found = [
        Standing(game, player, ends.total(), ends["won"], ends["drawn"], ends["lost"])
        for (game, player), ends in counts.items()
    ]
    return sorted(found, key=lambda one: (one.game, -one.won, one.lost, one.player))


def events_of(records: list[Record]) -> list[Event]:
    """Returns the events of games, sorted by name."""
    by_name: dict[str, list[Record]] = {}
    for record in records:
        by_name.setdefault(record.event, []).append(record)
    by_name.pop("", None)
    return [
        Event(
            name,
            len(games),
            sum(game.result != "*" for game in games),
            min(game.played for game in games),
            max(game.played for game in games),
        )
        for name, games in sorted(by_name.items())
    ]


def check_in_step(store: Store, *more: Filters) -> None:
    """Checks counts, statistics, lists and events of a store against its games."""
    with store._engine.connect() as connection:
        ids = list(connection.scalars(sa.text("SELECT id FROM papan_games ORDER BY number")))
    records: list[Any] = list(map(store.get, ids))
    for filters in (*FILTERS, *more):
        selected = [record for record in records if is_selected(record, filters)]
        found = [record.id for record in store.find(**filters)]
        assert found == [record.id for record in selected], filters
        newest = store.find(**filters, newest_first=True, limit=3, offset=1)
        assert [one.id for one in newest] == found[::-1][1:4], filters
        assert store.count(**filters) == len(selected), filters
        assert store.stats(**filters) == standings_of(selected), filters
    assert sorted(store.events(), key=lambda event: event.name) == events_of(records)
    assert store.games() == sorted({record.game for record in records})
    for event in ("cup", "league"):
        ended = [one for one in records if one.event == event and one.round and one.result != "*"]
        assert store.rounds(event) == {one.round for one in ended}
