"""The page on reliability states what the attacks try."""

from attack.amounts import AMOUNTS
from attack.hostile_bots import TABLE as BOTS
from attack.wrong_files import TABLE as FILES
from pages import ROOT


def test_the_page_has_the_numbers_of_the_tests() -> None:
    text = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
    assert rows == [
        f"| {kind} | {each.default:,} | {each.thorough:,} | {each.long:,} |"
        for kind, each in AMOUNTS.items()
    ]


def test_the_tables_are_as_long_as_the_page_says() -> None:
    assert len(FILES) == AMOUNTS["wrong game files"].thorough
    assert len(BOTS) == AMOUNTS["hostile bots"].thorough
