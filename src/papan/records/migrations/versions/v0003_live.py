"""Schema 3: games in progress on the web page."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Creates the table."""
    op.create_table(
        "papan_live",
        sa.Column("id", _TEXT, primary_key=True),
        sa.Column("state", _TEXT, nullable=False),
        sa.Column("changed", sa.BigInteger(), nullable=False),
    )
    op.create_index("ix_papan_live_changed", "papan_live", ["changed"])
