"""Whatever code the pages show is run, and does what they show."""

import re
from pathlib import Path

import pytest

from pages import ROOT, Block, Runner, blocks, missing, run_page
from support import thoroughly

DOCS = ROOT / "docs"
PAGES = sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "made")

#: Pages whose code takes longest: they compile games of their own, or play many.
SLOW = {
    *("own-game", "own-technique", "own-bot", "benchmarks", "class", "bots", "solving", "engine"),
    *("tour", "learning", "commands", "notebook", "cluster", "adjacency", "corners"),
    *("algorithms/index", "mcts", "memory", "pvs", "mtdf", "minimax", "genetic", "python", "trees"),
    *("alphabeta", "tablebase", "levels", "id/index"),
}


def is_slow(page: Path) -> bool:
    """True if a page is for a thorough run only, by its name or that of its folder too."""
    return not SLOW.isdisjoint({page.stem, f"{page.parent.name}/{page.stem}"})


#: Its commands are run by `test_json_page`.
JSON = DOCS / "how-to" / "json.md"
RUN = [page for page in PAGES if page != JSON]


@pytest.mark.parametrize(
    "page",
    [page for page in RUN if not is_slow(page)] + thoroughly(*filter(is_slow, RUN)),
    ids=lambda page: str(page.relative_to(DOCS)),
)
def test_the_code_on_each_page_does_what_the_page_shows(
    page: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run_page(page, tmp_path, capsys, monkeypatch)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_code_stands_between_fences_that_name_its_language(page: Path) -> None:
    assert [block.place for block in blocks(page) if not block.language] == []
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    assert re.findall(r"^[^ :*|-][^\n]*\n\n    [^\n]*", prose, flags=re.MULTILINE) == []


def test_a_line_that_is_not_printed_is_missed_and_so_is_one_that_comes_too_early() -> None:
    assert missing(["b", "a"], "a\nb\n") == ["a"]
    assert missing(["c"], "a\nb\n") == ["c"]
    assert missing(["a", "…", "nodes  …7"], "a\nx\nnodes  147\n") == []


@pytest.mark.parametrize(
    "block",
    [
        Block("json", "", "{", "here:1"),
        Block("toml", "", "a = ", "here:1"),
        Block("python", "", "1 / 0", "here:1"),
        Block("python", "", ">>> 1 + 1\n3\n", "here:1"),
        Block("python", "bot.py", "def :", "here:1"),
        Block("cobol", "", "", "here:1"),
    ],
    ids=lambda block: f"{block.language} {block.text}",
)
def test_a_block_that_does_not_do_what_it_shows_fails(block: Block, tmp_path: Path) -> None:
    with pytest.raises(Exception):  # noqa: B017, PT011 - of whatever kind the block raises
        Runner(tmp_path, lambda: ("", "")).run(block)
