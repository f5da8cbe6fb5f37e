"""Details of how games ended: the illegal move, the exit status; and the time control."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Adds the columns; of games that are there already, nothing more is known."""
    for name in ("given", "time_control"):
        column = sa.Column(name, _TEXT, nullable=False, server_default="")
        op.add_column("papan_games", column)
    op.add_column("papan_games", sa.Column("exit_code", sa.BigInteger()))
