"""Schema 5: totals, standings, events and a narrow index of the games, kept in step by triggers.

Triggers count games of all writers, also of older programs that still have the store open.
"""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_BIG = sa.BigInteger()
_NUMBER = _BIG.with_variant(sa.Integer(), "sqlite")
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")

#: Table → columns with texts and with integers, after `number`.
_TABLES = {
    "papan_totals": (("game", "x", "o", "result"), ("games", "x_standing", "o_standing")),
    "papan_standings": (("game", "player", "side", "result"), ("games",)),
    "papan_events": (("name",), ("games", "finished")),
    "papan_entries": (("played",), ("total", "event")),
}

#: Index → table and columns, of which the first `INDEXED` characters are in the index.
_INDEXES_OF_STARTS = {
    "papan_totals_x": ("papan_totals", ("x", "o", "game")),
    "papan_totals_o": ("papan_totals", ("o",)),
    "papan_totals_game": ("papan_totals", ("game",)),
    "papan_standings_player": ("papan_standings", ("player", "game")),
}


def _same(given: dict[str, str]) -> str:
    """Returns the condition that columns of `t` have the given values, in a form for an index of
    starts.

    SQLite would replace a column that equals a constant also in the start, and then miss the index:
    hence `|| ''`.
    """
    starts = {name: value for name, value in given.items() if name not in ("side", "result")}
    return " AND ".join(
        [
            *(
                f"substr(t.{name}, 1, 100) = substr({value}, 1, 100)"
                for name, value in starts.items()
            ),
            *(f"t.{name} || '' = {value}" for name, value in given.items()),
        ]
    )


def _total_of(game: str) -> str:
    """Returns the query for the total of a game."""
    names = {name: f"{game}.{name}" for name in ("x", "o", "game", "result")}
    return f"SELECT t.number FROM papan_totals AS t WHERE {_same(names)}"


def _standing_of(game: str, side: str) -> str:
    """Returns the query for the standing of a side of a game."""
    names = {"player": f"{game}.{side}", "game": f"{game}.game", "side": f"'{side}'"}
    same = _same({**names, "result": f"{game}.result"})
    return f"SELECT t.number FROM papan_standings AS t WHERE {same}"


def _event_of(game: str) -> str:
    return f"SELECT e.number FROM papan_events AS e WHERE e.name = {game}.event"


def _create_totals(rows: str) -> list[str]:
    """Returns the statements that create missing totals and standings of rows `g`."""
    return [
        *(
            f"""INSERT INTO papan_standings (game, player, side, result, games)
            SELECT DISTINCT g.game, g.{side}, '{side}', g.result, 0 FROM {rows}
            AND NOT EXISTS ({_standing_of("g", side)})"""
            for side in ("x", "o")
        ),
        f"""INSERT INTO papan_totals (game, x, o, result, games, x_standing, o_standing)
        SELECT g.game, g.x, g.o, g.result, 0,
        ({_standing_of("g", "x")}), ({_standing_of("g", "o")}) FROM
        (SELECT DISTINCT g.game, g.x, g.o, g.result FROM {rows}) AS g
        WHERE NOT EXISTS ({_total_of("g")})""",
    ]


_FINISHED = "CASE WHEN {0}.result = '*' THEN 0 ELSE 1 END"


def _add_events(rows: str) -> str:
    """Returns the statement that counts rows `g` by event."""
    return f"""INSERT INTO papan_events (name, games, finished)
    SELECT g.event, count(*), sum({_FINISHED.format("g")}) FROM {rows}
    GROUP BY g.event ORDER BY min(g.number) ON CONFLICT (name) DO UPDATE
    SET games = papan_events.games + excluded.games,
    finished = papan_events.finished + excluded.finished"""


def _add_entries(rows: str) -> str:
    """Returns the statement that creates the entries of rows `g`."""
    return f"""INSERT INTO papan_entries (number, total, event, played)
    SELECT g.number, ({_total_of("g")}), ({_event_of("g")}), substr(g.played, 1, 32) FROM {rows}"""


_COUNT_ON_STANDINGS = """UPDATE papan_standings SET games = games + NEW.games - OLD.games
    WHERE number IN (NEW.x_standing, NEW.o_standing)"""


# --- SQLite: triggers for each row

_ADD = [
    f"""INSERT INTO papan_events (name, games, finished)
    VALUES (NEW.event, 1, {_FINISHED.format("NEW")}) ON CONFLICT (name) DO UPDATE
    SET games = papan_events.games + 1, finished = papan_events.finished + excluded.finished""",
    # Total 0 makes the trigger of `papan_entries` create the total.
    f"""INSERT INTO papan_entries (number, total, event, played) VALUES
    (NEW.number, coalesce(({_total_of("NEW")}), 0), ({_event_of("NEW")}),
    substr(NEW.played, 1, 32))""",
    """UPDATE papan_totals SET games = games + 1
    WHERE number = (SELECT total FROM papan_entries AS e WHERE e.number = NEW.number)""",
]

_REMOVE = [
    """UPDATE papan_totals SET games = games - 1
    WHERE number = (SELECT total FROM papan_entries AS e WHERE e.number = OLD.number)""",
    f"""UPDATE papan_events SET games = games - 1, finished = finished - {_FINISHED.format("OLD")}
    WHERE number = (SELECT event FROM papan_entries AS e WHERE e.number = OLD.number)""",
    "DELETE FROM papan_entries WHERE number = OLD.number",
]

_ADD_TOTAL = [
    *_create_totals("papan_games AS g WHERE g.number = NEW.number"),
    f"""UPDATE papan_entries SET total =
    (SELECT ({_total_of("g")}) FROM papan_games AS g WHERE g.number = NEW.number)
    WHERE number = NEW.number""",
]

#: Event → statements.
_SQLITE = {
    "INSERT ON papan_games": _ADD,
    "DELETE ON papan_games": _REMOVE,
    "UPDATE ON papan_games": [*_REMOVE, *_ADD],
    "INSERT ON papan_entries WHEN NEW.total = 0": _ADD_TOTAL,
    "UPDATE ON papan_totals": [_COUNT_ON_STANDINGS],
}


# --- PostgreSQL: faster triggers for all rows of a statement, `added` and `removed`

#: Settings of the functions. PostgreSQL plans their statements once for any number of rows, and
#: would read whole tables.
_BY_INDEX = " ".join(f"SET enable_{way} = off" for way in ("seqscan", "hashjoin", "mergejoin"))

_ADDED = "added AS g WHERE TRUE"


def _count(rows: str, sign: str) -> str:
    """Returns the statement that adds the number of rows to their totals, or subtracts it."""
    return f"""UPDATE papan_totals SET games = papan_totals.games {sign} c.games FROM
    (SELECT e.total, count(*) AS games FROM {rows} AS g JOIN papan_entries AS e USING (number)
    GROUP BY e.total) AS c WHERE papan_totals.number = c.total"""


_ADD_ALL = [
    _add_events(_ADDED),
    f"""IF EXISTS (SELECT FROM {_ADDED} AND NOT EXISTS ({_total_of("g")}))
    THEN {"; ".join(_create_totals(_ADDED))}; END IF""",
    _add_entries(_ADDED),
    _count("added", "+"),
]

_REMOVE_ALL = [
    _count("removed", "-"),
    f"""UPDATE papan_events SET games = papan_events.games - c.games,
    finished = papan_events.finished - c.finished FROM
    (SELECT e.event, count(*) AS games, sum({_FINISHED.format("g")}) AS finished
    FROM removed AS g JOIN papan_entries AS e USING (number) GROUP BY e.event) AS c
    WHERE papan_events.number = c.event""",
    "DELETE FROM papan_entries WHERE number IN (SELECT number FROM removed)",
]

_NEW, _OLD = "NEW TABLE AS added", "OLD TABLE AS removed"

#: Name of the function → when and for what it is called, and its statements. Writers of games wait
#: for each other: before their first game, so that they cannot deadlock.
_POSTGRESQL = {
    "papan_games_wait": (
        "BEFORE INSERT OR UPDATE OR DELETE ON papan_games FOR EACH STATEMENT",
        ["PERFORM pg_advisory_xact_lock(TG_RELID::bigint)"],
    ),
    "papan_games_insert": (
        f"AFTER INSERT ON papan_games REFERENCING {_NEW} FOR EACH STATEMENT",
        _ADD_ALL,
    ),
    "papan_games_delete": (
        f"AFTER DELETE ON papan_games REFERENCING {_OLD} FOR EACH STATEMENT",
        _REMOVE_ALL,
    ),
    "papan_games_update": (
        f"AFTER UPDATE ON papan_games REFERENCING {_OLD} {_NEW} FOR EACH STATEMENT",
        [*_REMOVE_ALL, *_ADD_ALL],
    ),
    "papan_totals_update": ("AFTER UPDATE ON papan_totals FOR EACH ROW", [_COUNT_ON_STANDINGS]),
}


# --- games that exist

#: Least number of a row.
_LEAST = -(2**63)

#: The next games to copy. Ctrl-C stops the migration between statements, so they are few.
_NEXT = sa.text(
    """SELECT min(number) AS first, max(number) AS last FROM
    (SELECT number FROM papan_games WHERE number >= :first ORDER BY number LIMIT 20000) AS g"""
)

_CHUNK = "papan_games AS g WHERE g.number BETWEEN :first AND :last"

_COPY = [_add_events(_CHUNK), *_create_totals(_CHUNK), _add_entries(_CHUNK)]

_COUNT = """UPDATE papan_totals SET games =
    (SELECT count(*) FROM papan_entries AS e WHERE e.total = papan_totals.number)"""


def upgrade() -> None:
    """Creates the tables and triggers, and counts the games that exist."""
    _create_tables()
    # Before the count: on PostgreSQL a new trigger locks out other writers.
    if op.get_bind().dialect.name == "postgresql":
        _create_functions()
    else:
        _create_triggers()
    _copy_games()
    for name, columns in {
        "total": ["total", "played"],
        "event": ["event", "played", "total"],
    }.items():
        op.create_index(
            f"papan_entries_{name}", "papan_entries", columns, postgresql_include=["number"]
        )
    op.execute(_COUNT)


def _create_tables() -> None:
    for table, (texts, integers) in _TABLES.items():
        op.create_table(
            table,
            sa.Column("number", _NUMBER, primary_key=True, autoincrement=table != "papan_entries"),
            *(sa.Column(name, _TEXT, nullable=False) for name in texts),
            *(sa.Column(name, _BIG, nullable=False) for name in integers),
        )
    for name, (table, columns) in _INDEXES_OF_STARTS.items():
        op.create_index(name, table, [sa.text(f"substr({one}, 1, 100)") for one in columns])
    op.create_index("papan_events_name", "papan_events", ["name"], unique=True)


def _create_triggers() -> None:
    for number, (event, statements) in enumerate(_SQLITE.items(), start=1):
        op.execute(
            f"CREATE TRIGGER papan_{number} AFTER {event} BEGIN {'; '.join(statements)}; END"
        )


def _create_functions() -> None:
    for name, (when, statements) in _POSTGRESQL.items():
        op.execute(
            f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql {_BY_INDEX} AS "
            f"$$ BEGIN {'; '.join(statements)}; RETURN NULL; END $$"
        )
        op.execute(f"CREATE TRIGGER {name} {when} EXECUTE FUNCTION {name}()")


def _copy_games() -> None:
    connection = op.get_bind()
    bounds = connection.execute(_NEXT, {"first": _LEAST}).one()
    while bounds.last is not None:
        for statement in _COPY:
            connection.execute(sa.text(statement), bounds._asdict())
        bounds = connection.execute(_NEXT, {"first": bounds.last + 1}).one()
