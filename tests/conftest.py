"""Settings for all tests.

Compiled code is kept where `PAPAN_CACHE_DIR` says, or in the user's cache folder, as for everybody
else: a second run of the tests does not compile again.
"""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

from papan.core import readiness
from support import Sample

pytest_plugins = ["costs"]

# The same examples in every run: a failure is seen again by anybody who looks for it.
settings.register_profile("thorough", deadline=None, derandomize=True, database=None)
settings.register_profile("quick", settings.get_profile("thorough"), max_examples=20)

# Positions run in plain Python, however many moves a test lists; tests of compiled ones say so.
readiness.stay_plain()

# A shell that starts the tests in the background has them ignore Ctrl-C, which some of them test.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--thorough", action="store_true", help="run all cases of what is tested by a sample"
    )
    parser.addoption("--long", action="store_true", help="also run the tests that take minutes")


def pytest_configure(config: pytest.Config) -> None:
    settings.load_profile("thorough" if config.getoption("--thorough") else "quick")


def pytest_report_header(config: pytest.Config) -> str:
    cases = "all cases" if config.getoption("--thorough") else "a sample of the cases (--thorough)"
    return f"{cases}, tests that take minutes {'too' if config.getoption('--long') else '(--long)'}"


#: Rooms whose tests wait most for other programs: with these first, no process ends long before
#: the others.
WAITING = {"attack", "web", "browser", "protocol", "arena"}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out the tests that were not asked for, and begins with those that wait."""
    items.sort(key=lambda item: WAITING.isdisjoint(item.path.parts))
    left_out = [name for name in ("thorough", "long") if not config.getoption(name)]
    dropped = [item for item in items if any(map(item.get_closest_marker, left_out))]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        kept = set(items) - set(dropped)
        items[:] = [item for item in items if item in kept]
    for item in items:
        attacks = config.getoption("--long") and "wanted" in getattr(item, "fixturenames", ())
        if attacks or item.get_closest_marker("long"):
            item.add_marker(pytest.mark.timeout(0))


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    """True if all cases are to be run, not a sample of them."""
    return bool(request.config.getoption("--thorough"))


@pytest.fixture(scope="session")
def sample(thorough: bool) -> Sample:
    """Takes every n-th of some cases; all of them where tests are to be thorough."""
    return lambda cases, every: list(cases)[:: 1 if thorough else every]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    """A browser with a fresh profile, for one file of tests: while it is there, Playwright has an
    event loop of its own running, and other tests cannot have theirs."""
    from web_browsers import CHROMIUM, FLAGS

    if CHROMIUM is None:
        pytest.skip("there is no Chromium: apt install chromium, or name it in PAPAN_CHROMIUM")
    playwright = pytest.importorskip("playwright.sync_api", reason="there is no Playwright")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()
