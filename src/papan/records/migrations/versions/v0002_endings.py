"""Schema 2: illegal move, exit status and time control of games."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_TEXT = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    """Adds the columns, which are empty for existing games."""
    for name in ("given", "time_control"):
        column = sa.Column(name, _TEXT, nullable=False, server_default="")
        op.add_column("papan_games", column)
    op.add_column("papan_games", sa.Column("exit_code", sa.BigInteger()))
