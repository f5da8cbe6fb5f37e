"""Places for stores: a file, and a schema of a PostgreSQL server if there is one."""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import make_url

from papan.records.store import Store

POSTGRES = os.environ.get("PAPAN_TEST_POSTGRES")


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Where a store can be made that nobody else sees."""
    if request.param == "sqlite":
        yield str(tmp_path / "records.sqlite")
        return
    if not POSTGRES:
        pytest.skip("PAPAN_TEST_POSTGRES is not the URL of a server; .ci/postgres starts one")
    schema = f"test_{secrets.token_hex(8)}"
    with psycopg.connect(POSTGRES, autocommit=True) as server:
        server.execute(f"CREATE SCHEMA {schema}".encode())
        url = make_url(POSTGRES).update_query_dict({"options": f"-csearch_path={schema}"})
        yield url.render_as_string(hide_password=False)
        server.execute(f"DROP SCHEMA {schema} CASCADE".encode())


@pytest.fixture
def store(place: str) -> Iterator[Store]:
    """An empty store."""
    with Store(place) as made:
        yield made
