"""The page on the pages in the browser names a test for each number that they keep to."""

from pages import ROOT, assert_tests_are_there


def test_whatever_the_pages_keep_to_has_a_test() -> None:
    page = (ROOT / "docs" / "how-to" / "web.md").read_text(encoding="utf-8")
    table = page.partition("## Tested limits")[2]
    rows = [line for line in table.splitlines() if line.startswith("| ")][2:]
    assert len(rows) > 15
    for row in rows:
        assert_tests_are_there(row)
