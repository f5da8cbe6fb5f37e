"""What the README shows is what happens."""

from pathlib import Path

import pytest

from pages import ROOT, blocks, commands, run_page

README = ROOT / "README.md"


def test_each_command_and_each_answer_of_the_readme_is_as_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run_page(README, tmp_path, capsys, monkeypatch)


def test_the_tour_shows_every_command_that_it_names() -> None:
    consoles = [block for block in blocks(README) if block.language == "console"]
    shown = {command.words.split()[1] for block in consoles for command in commands(block)}
    assert shown >= {"games", "rules", "play", "search", "perft", "match", "tree", "grade"}


def test_the_pages_that_the_readme_links_to_are_there() -> None:
    import re

    text = README.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)#]+)", text)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
