"""A disk that is full: one line that names the file, and what was finished is still told."""

import json
from pathlib import Path

import pytest

needs_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")

MATCH = "match platforms:size=4 first random --games 2 --json"


#: The end of the line.
SAID = "'/dev/full' cannot be written: No space left on device\n"


@needs_full
def test_a_file_on_a_full_disk_is_named(papan):
    done = papan("tree platforms:size=4 --depth 1 --out /dev/full")
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith(f"papan: {SAID}")


@needs_full
def test_games_that_cannot_be_written_down_end_a_match_with_what_was_played(papan):
    done = papan(f"{MATCH} --records /dev/full")
    assert done.status == 2
    assert done.err.endswith(f"papan: {SAID}")
    report = json.loads(done.out)
    assert report["games"] == 1 and report["interrupted"]


@needs_full
def test_a_page_of_grades_on_a_full_disk_is_named(papan):
    words = "grade platforms:size=4 first --positions 2 --pairs 1 --time 0.01 --html /dev/full"
    done = papan(words)
    assert done.status == 2
    assert done.err.endswith(f"papan: {SAID}")
