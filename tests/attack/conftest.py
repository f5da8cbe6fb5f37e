"""The parts that attacks share: how much is to be tried."""

from collections.abc import Callable

import pytest

from attack.amounts import AMOUNTS

Wanted = Callable[[str], int]


@pytest.fixture(scope="session")
def wanted(request: pytest.FixtureRequest) -> Wanted:
    """How much of a kind of attack this run is to try."""
    flags = [name for name in ("long", "thorough") if request.config.getoption(name)]
    run = flags[0] if flags else "default"
    return lambda kind: int(getattr(AMOUNTS[kind], run))


@pytest.fixture(autouse=True)
def _english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAN_LANG", "en")
