"""Settings for all tests.

Compiled code is kept where `PAPAN_CACHE_DIR` says, or in the user's cache folder, as for everybody
else: a second run of the tests does not compile again.
"""

import signal
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

# The same examples in every run: a failure is seen again by whoever looks for it.
settings.register_profile("papan", deadline=None, derandomize=True, database=None)
settings.load_profile("papan")

# A shell that starts the tests in the background has them ignore Ctrl-C, which some of them test.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGQUIT, signal.SIG_DFL)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="also run the tests that take minutes")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="takes minutes: run with --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


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
