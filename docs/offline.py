"""A hook of mkdocs: warns of pages that load anything from a network, which is an error in CI."""

from __future__ import annotations

import logging
import re

#: Links that a reader may follow are not meant, only what a browser loads by itself.
LOADED = re.compile(
    r"""<(?:script|img|iframe|link|source)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//"""
)

#: Read by search engines, never loaded.
_TOLD = re.compile(r"""\brel=["']?canonical""")

_log = logging.getLogger("mkdocs.plugins.offline")


def loaded(html: str) -> list[str]:
    """The elements of a page that make a browser ask a network."""
    found = [
        html[match.start() : html.find(">", match.start()) + 1] for match in LOADED.finditer(html)
    ]
    return [element for element in found if not _TOLD.search(element)]


def on_post_page(output: str, **_event: object) -> str:
    """Leaves a page as it is, once it has been looked at."""
    for element in loaded(output):
        _log.warning("a page loads something from the network: %s", element)
    return output
