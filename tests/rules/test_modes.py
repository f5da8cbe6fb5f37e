"""Kernels find the same compiled, loaded from the cache, bounds-checked and as plain Python."""

import json
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

from papan.jit.code_store import cache_root
from papan.search.registry import names
from small_searches import findings
from support import SMALL_SPECS, TESTS, environment

BASIC = ["minimax", "alphabeta"]
ONE_GAME = ["adjacency:size=4"]
DEPTH = 3


def elsewhere(specs: list[str], algorithms: list[str], **variables: str) -> list[Any]:
    """The findings of a process of its own; whatever it says on stderr is a failure."""
    task = json.dumps([DEPTH, specs, algorithms])
    done = subprocess.run(
        [sys.executable, TESTS / "small_searches.py", task],
        env=environment(**variables),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    found: list[Any] = json.loads(done.stdout)
    return found


@cache
def plain_python(specs: tuple[str, ...], algorithms: tuple[str, ...]) -> list[Any]:
    """The findings of the same sources, not compiled."""
    return elsewhere(list(specs), list(algorithms), NUMBA_DISABLE_JIT="1")


def in_lists(found: list[Any]) -> list[Any]:
    """Findings as they come out of JSON."""
    again: list[Any] = json.loads(json.dumps(found))
    return again


def test_compiled_searches_find_what_the_same_code_finds_as_plain_python() -> None:
    compiled = in_lists(findings(DEPTH, SMALL_SPECS, BASIC))
    assert compiled == plain_python(tuple(SMALL_SPECS), tuple(BASIC))


@pytest.mark.long
def test_no_search_reads_or_writes_beyond_the_end_of_an_array() -> None:
    # Kept apart, since numba would take either code for the other; kept, to compile once only.
    checked = str(cache_root() / "bounds-checked")
    found = elsewhere(SMALL_SPECS, names(), NUMBA_BOUNDSCHECK="1", PAPAN_CACHE_DIR=checked)
    assert found == in_lists(findings(DEPTH, SMALL_SPECS, names()))


@pytest.mark.thorough
def test_every_algorithm_finds_the_same_when_it_is_loaded_from_the_cache() -> None:
    # Machine code of recursive kernels that calls a kernel for other types has crashed this way.
    first, second = (elsewhere(ONE_GAME, names()) for _ in range(2))
    assert first == second


@pytest.mark.thorough
def test_every_algorithm_without_chance_finds_the_same_as_plain_python() -> None:
    # Random numbers of 64 bits that wrap around are left to compiled code.
    certain = [name for name in names() if name != "mcts"]
    assert elsewhere(ONE_GAME, certain) == plain_python(tuple(ONE_GAME), tuple(certain))
