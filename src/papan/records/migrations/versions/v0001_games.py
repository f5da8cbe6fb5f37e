"""Schema 1: one table of games."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

_BIG = sa.BigInteger()
_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_TEXTS_BEFORE_ROUND = [
    "id",
    "game",
    "x",
    "o",
    "moves",
    "result",
    "termination",
    "start",
    "detail",
    "seconds",
    "seed",
    "event",
]


def upgrade() -> None:
    """Creates the table and its unique indices."""
    op.create_table(
        "papan_games",
        sa.Column("number", _BIG.with_variant(sa.Integer(), "sqlite"), primary_key=True),
        *(sa.Column(name, _TEXT, nullable=False) for name in _TEXTS_BEFORE_ROUND),
        sa.Column("round", _BIG, nullable=False),
        sa.Column("played", _TEXT, nullable=False),
    )
    op.create_index("papan_games_id", "papan_games", ["id"], unique=True)
    numbered = sa.text("event != '' AND round > 0")
    op.create_index(
        "papan_games_round",
        "papan_games",
        ["event", "round"],
        unique=True,
        sqlite_where=numbered,
        postgresql_where=numbered,
    )
