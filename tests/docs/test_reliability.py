"""The page on reliability states what the attacks try, and which tests hold down what was found."""

from attack.amounts import AMOUNTS
from attack.hostile_bots import TABLE as BOTS
from attack.wrong_files import TABLE as FILES
from pages import ROOT, assert_tests_are_there

PAGE = (ROOT / "docs" / "reliability.md").read_text(encoding="utf-8")


def _rows(heading: str) -> list[str]:
    """The rows of the table in a section, its head aside."""
    section = PAGE.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [line for line in section.splitlines() if line.startswith("| ")][1:]


def test_the_page_has_the_numbers_of_the_tests() -> None:
    assert _rows("Tests") == [
        f"| {kind} | {each.default:,} | {each.thorough:,} | {each.long:,} |"
        for kind, each in AMOUNTS.items()
    ]


def test_the_tables_are_as_long_as_the_page_says() -> None:
    assert len(FILES) == AMOUNTS["wrong game files"].thorough
    assert len(BOTS) == AMOUNTS["hostile bots"].thorough


def test_each_finding_has_a_test_that_is_there() -> None:
    rows = _rows("Errors found by the first attack") + _rows("Errors found by the second attack")
    assert len(rows) > 45
    for row in rows:
        assert_tests_are_there(row)
