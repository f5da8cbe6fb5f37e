"""Finds pages of the built site that load something from the network.

`make docs` runs `python -m docs.offline build/site`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

#: Elements that a browser loads automatically, not links for readers.
LOADED = re.compile(
    r"""<(?:script|img|iframe|link|source)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//"""
)

#: Read by search engines, never loaded.
_TOLD = re.compile(r"""\brel=["']?canonical""")


def loaded(html: str) -> list[str]:
    """Returns the elements of a page that a browser loads from the network."""
    found = [
        html[match.start() : html.find(">", match.start()) + 1] for match in LOADED.finditer(html)
    ]
    return [element for element in found if not _TOLD.search(element)]


def main(site: str) -> int:
    """Reports all such elements of a site; returns the exit status."""
    pages = sorted(Path(site).rglob("*.html"))
    found = [(page, element) for page in pages for element in loaded(page.read_text("utf-8"))]
    for page, element in found:
        print(f"{page} loads something from the network: {element}", file=sys.stderr)
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
