"""Creates two tables of the page on the supply chain: `python -m docs.supply`.

    made/licences.md   the installed libraries of constraints.txt, with their licences
    made/shipped.md    the static files for browsers, with their SHA-256

The second table is not stored in the repository: `make docs` creates it from the sources.
"""

from __future__ import annotations

import hashlib
import re
from importlib import metadata
from pathlib import Path

from docs.measures import MADE
from docs.tables import table

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "src" / "papan" / "web" / "static"
LICENCES, SHIPPED = MADE / "licences.md", MADE / "shipped.md"

#: Maximum length of a licence's name; longer fields contain its text.
_LONGEST_NAME = 60
_CLASSIFIER = "License :: OSI Approved :: "


def pinned() -> dict[str, str]:
    """Returns the libraries in constraints.txt: name → version."""
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if line)


def licence(name: str) -> str:
    """Returns the licence in the metadata of a library: expression, classifiers or short text."""
    facts = metadata.metadata(name)
    classified = [
        line.removeprefix(_CLASSIFIER)
        for line in facts.get_all("Classifier", [])
        if line.startswith(_CLASSIFIER)
    ]
    [expression, *_] = [*(facts.get_all("License-Expression") or []), ""]
    [words, *_] = [*(facts.get_all("License") or []), ""]
    first = (expression or " and ".join(classified) or words).strip().partition("\n")[0]
    return first if 0 < len(first) <= _LONGEST_NAME else "see its files"


def licences() -> str:
    """Returns the table of all libraries: required, optional, and for development."""
    rows, kept = [], _kept()
    for name, version in pinned().items():
        try:
            found = licence(name)
        except metadata.PackageNotFoundError:  # for other systems, or not installed here
            found = kept.get((name, version), "")
        if found:
            rows.append([name, version, found])
    return table(["library", "version", "licence"], rows)


def _kept() -> dict[tuple[str, str], str]:
    """Returns the licences in the stored table: (name, version) → licence."""
    if not LICENCES.exists():
        return {}
    lines = LICENCES.read_text(encoding="utf-8").splitlines()[2:]
    cells = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return {(name, version): found for name, version, found in cells}


def required(name: str = "papan", seen: set[str] | None = None) -> set[str]:
    """Returns the names, in lower case, of the libraries of an installation without extras."""
    found = set() if seen is None else seen
    for line in metadata.requires(name) or []:
        word = re.split(r"[^\w.-]", line, maxsplit=1)[0].lower().replace("_", "-")
        if "extra ==" not in line and word not in found:
            try:
                metadata.metadata(word)
            except metadata.PackageNotFoundError:
                continue
            found.add(word)
            required(word, found)
    return found


def shipped() -> str:
    """Returns the table of static files for browsers."""
    rows = [
        [f"`{path.name}`", f"{path.stat().st_size:,}", f"`{_digest(path)}`"]
        for path in sorted(STATIC.iterdir())
        if path.is_file()
    ]
    return table(["file", "bytes", "SHA-256"], rows)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


if __name__ == "__main__":
    LICENCES.write_text(licences(), encoding="utf-8")
    SHIPPED.write_text(shipped(), encoding="utf-8")
