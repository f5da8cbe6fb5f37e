"""Schema 4: the browser sessions that played a game, so that users find their own games."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "papan_seats",
        sa.Column("session", _TEXT, primary_key=True),
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("side", _TEXT, primary_key=True),
    )
    op.create_index("ix_papan_seats_id", "papan_seats", ["id"])
