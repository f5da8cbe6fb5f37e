"""Alembic's entry: brings a store up to date, in the transaction that it is given."""

from alembic import context

from papan.records.schema import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
