"""The pages as browsers meet them, with engines that are not warmed up."""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest
from starlette.testclient import TestClient

from papan.web.app import create_app
from papan.web.engines import engine_pool, engine_worker
from papan.web.http.settings import ServerSettings
from papan.web.tournaments import tournament_worker
from papan.web.training import training_worker
from support import PATIENCE
from web_visitors import ADDRESS, Visitor

GOMOKU = Path(__file__).parent.parent.parent / "examples" / "games" / "gomoku.py"


@pytest.fixture(scope="session", autouse=True)
def _patience() -> Iterator[None]:
    """No engine is taken for dead because the machine is busy."""
    with mock.patch.object(engine_pool, "GRACE", PATIENCE):
        yield


@pytest.fixture(scope="session", autouse=True)
def _priority() -> Iterator[None]:
    """No process waits until the rest of a busy machine is idle."""
    with contextlib.ExitStack() as stack:
        for worker in (engine_worker, training_worker, tournament_worker):
            stack.enter_context(mock.patch.object(worker, "NICENESS", 0))
        yield


@pytest.fixture(scope="session")
def settings(tmp_path_factory: pytest.TempPathFactory) -> ServerSettings:
    folder: Path = tmp_path_factory.mktemp("web")
    return ServerSettings(
        processes=1,
        database=str(folder / "games.sqlite"),
        folder=folder,
        games={"Gomoku": str(GOMOKU)},
        players={"the house's": "python:/nowhere/bot.py"},
        language="en",
        actions_a_second=1000,
        actions_at_once=1000,
        warm=False,
    )


@pytest.fixture(scope="session")
def server(settings: ServerSettings) -> Iterator[TestClient]:
    """A running server; nobody in particular visits it."""
    with TestClient(create_app(settings), base_url=ADDRESS) as client:
        yield client


@pytest.fixture
def ani(server: TestClient) -> Visitor:
    """A browser."""
    return Visitor(server)


@pytest.fixture
def budi(server: TestClient) -> Visitor:
    """Another browser."""
    return Visitor(server)
