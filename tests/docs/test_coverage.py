"""The pages leave out no game, no algorithm and no command."""

import re
from typing import Any

import pytest

from pages import ROOT
from papan.cli.app import application
from papan.search import registry as algorithms
from papan.usercode import registry as games

DOCS = ROOT / "docs"
ALGORITHMS = sorted((DOCS / "algorithms").glob("*.md"))


@pytest.mark.parametrize("name", games.names())
def test_each_game_has_a_page_that_shows_the_rules_of_the_package(name: str) -> None:
    page = (DOCS / "games" / f"{name}.md").read_text(encoding="utf-8")
    assert f'--8<-- "src/papan/games/{name}/rules.en.md"' in page
    assert f'--8<-- "solved-{name}.md"' in page


def test_each_algorithm_has_a_page() -> None:
    assert {f"{name}.md" for name in algorithms.names()} <= {page.name for page in ALGORITHMS}


@pytest.mark.parametrize("page", ALGORITHMS, ids=lambda page: page.stem)
def test_each_page_of_an_algorithm_shows_what_came_out_of_our_own_runs(page: Any) -> None:
    text = page.read_text(encoding="utf-8")
    assert re.search(r"\(([\w./-]+)\.svg\)|^--8<-- ", text, flags=re.MULTILINE)


def test_each_command_is_on_the_page_of_commands() -> None:
    page = (DOCS / "reference" / "commands.md").read_text(encoding="utf-8")
    assert set(application().places) <= set(re.findall(r"`papan ([a-z]+)", page))
