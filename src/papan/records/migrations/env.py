"""Entry point of Alembic: runs the migrations in the transaction of the caller."""

from alembic import context

from papan.records.schema import VERSION_TABLE

context.configure(
    connection=context.config.attributes["connection"],
    version_table=VERSION_TABLE,
    transactional_ddl=True,
)
context.run_migrations()
