"""How much the first page weighs, and how soon it can be used."""

from collections.abc import Callable
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer

Visit = Callable[..., Any]

pytestmark = pytest.mark.thorough

#: All bytes of a first visit, and how long it takes until everything answers to clicks, in ms.
MOST_BYTES = 100_000
MOST_MS = 300

#: The best of so many visits counts: the machine does other things, too.
VISITS = 6

#: The page's script is a module: it has run when the document's content counts as loaded.
_MEASURES = """() => {
  const [page] = performance.getEntriesByType("navigation");
  const files = performance.getEntriesByType("resource");
  const bytes = [page, ...files].reduce((sum, entry) => sum + entry.transferSize, 0);
  return { bytes, ready: page.domContentLoadedEventEnd, files: files.length };
}"""


def test_the_first_page_is_light_and_can_be_used_at_once(visit: Visit, server: WebServer) -> None:
    found = []
    for _ in range(VISITS):
        page = visit()
        page.goto(f"{server.address}/", wait_until="load")
        found.append(page.evaluate(_MEASURES))
        page.close()
    assert max(measure["bytes"] for measure in found) < MOST_BYTES
    assert min(measure["files"] for measure in found) >= 2
    assert min(measure["ready"] for measure in found) < MOST_MS
