"""The transposition table: what is put in comes out, what is torn does not, and who must leave."""

import numpy as np
import pytest

import papan
from papan.errors import InvalidLimit
from papan.rules.operations import INFINITY, MAX_PLY, win_value
from papan.search.limits import LARGEST_MB
from papan.search.table import (
    REPLACEMENTS,
    SLOT_BYTES,
    Entry,
    Table,
    from_table,
    hashfull,
    new_table,
    next_generation,
    probe,
    store,
    to_table,
)
from papan.search.workspace import new_workspace
from reference.splitmix import splitmix64

POSITION = papan.game("adjacency").start()
WINNING = papan.game("platforms").start()


def put(table: Table, key: int, depth: int = 3, nodes: int = 100, value: int = 5) -> None:
    """Stores an exact value with move 7."""
    entry = Entry(1, depth, value, value, 7)
    store(table, POSITION.state, np.uint64(key), 0, entry, nodes, new_workspace(POSITION))


def get(table: Table, key: int) -> Entry:
    """What the table knows of a key."""
    found: Entry = probe(table, POSITION.state, np.uint64(key), 0, new_workspace(POSITION))
    return found


def known(table: Table, *keys: int) -> list[bool]:
    """Of each key, whether the table knows it."""
    return [bool(get(table, key).hit) for key in keys]


@pytest.mark.parametrize("replacement", REPLACEMENTS)
def test_an_entry_comes_out_as_it_was_put_in(replacement: str) -> None:
    chance = splitmix64(4)
    for _ in range(200):
        table = new_table(slots=64, replacement=replacement)
        key, facts = next(chance), next(chance)
        lower, upper = -((facts >> 8) % 1000), (facts >> 20) % 1000
        entry = Entry(1, facts % (MAX_PLY + 1), lower, upper, facts % 4095 - 1)
        workspace = new_workspace(POSITION)
        store(table, POSITION.state, np.uint64(key), 0, entry, facts % 10**6, workspace)
        assert tuple(map(int, get(table, key))) == tuple(entry)


def test_values_without_bound_stay_beyond_every_value() -> None:
    table = new_table(1)
    entry = Entry(1, 1, -INFINITY, INFINITY, -1)
    store(table, POSITION.state, np.uint64(9), 0, entry, 1, new_workspace(POSITION))
    found = get(table, 9)
    assert found.lower <= -(1 << 23)
    assert found.upper >= (1 << 23) - 1
    assert found.move == -1


@pytest.mark.parametrize("word", [0, 1, 2])
@pytest.mark.parametrize("bit", [0, 17, 40, 63])
def test_a_torn_entry_is_not_believed(word: int, bit: int) -> None:
    table = new_table(slots=2, replacement="new")
    put(table, 0xABCDEF)
    assert known(table, 0xABCDEF) == [True]
    [place] = np.flatnonzero(table.slots[2::3]) * 3
    table.slots[place + word] ^= np.uint64(1) << np.uint64(bit)
    assert known(table, 0xABCDEF) == [False]


def test_an_entry_of_which_two_writers_wrote_half_each_is_not_believed() -> None:
    one, other = (new_table(slots=2, replacement="new") for _ in range(2))
    put(one, 4, value=1)
    put(other, 4, value=2, depth=9)
    for split in (1, 2):
        mixed = new_table(slots=2, replacement="new")
        for begin in (0, 3):
            mixed.slots[begin : begin + split] = one.slots[begin : begin + split]
            mixed.slots[begin + split : begin + 3] = other.slots[begin + split : begin + 3]
        assert known(mixed, 4) == [False]


def test_a_slot_that_was_never_written_is_no_entry_for_key_0() -> None:
    assert known(new_table(1), 0) == [False]


def test_wins_are_stored_as_distances_from_the_position() -> None:
    state = WINNING.state
    win = int(win_value(state))
    for ply in (0, 3, 20):
        for value in (win - 30, 30 - win, 5, 0, -5):
            assert from_table(state, to_table(state, value, ply), ply) == value
    assert to_table(state, win - 30, 10) == win - 20
    assert from_table(state, to_table(state, win - 30, 10), 4) == win - 24


# Keys whose numbers agree in the low bits share a slot, or a pair of slots, of a small table.
A, B, C = 0x1000, 0x2000, 0x3000


@pytest.mark.parametrize(
    ("replacement", "first", "second", "stays"),
    [
        ("new", {"depth": 9}, {"depth": 1}, [False, True]),
        ("old", {"depth": 1}, {"depth": 9}, [True, False]),
        ("deep", {"depth": 5}, {"depth": 4}, [True, False]),
        ("deep", {"depth": 5}, {"depth": 5}, [False, True]),
        ("big", {"nodes": 500}, {"nodes": 499}, [True, False]),
        ("big", {"nodes": 500}, {"nodes": 501}, [False, True]),
        ("age", {"depth": 5}, {"depth": 4}, [True, False]),
        ("two-deep", {"depth": 5}, {"depth": 4}, [True, True]),
        ("two-big", {"nodes": 5}, {"nodes": 4}, [True, True]),
    ],
)
def test_the_strategy_says_which_of_two_positions_stays(
    replacement: str, first: dict[str, int], second: dict[str, int], stays: list[bool]
) -> None:
    table = new_table(slots=2, replacement=replacement)
    put(table, A, **first)
    put(table, B, **second)
    assert known(table, A, B) == stays


@pytest.mark.parametrize(("replacement", "fact"), [("two-deep", "depth"), ("two-big", "nodes")])
def test_of_a_pair_the_best_one_stays_and_the_newest_other_one(replacement: str, fact: str) -> None:
    table = new_table(slots=2, replacement=replacement)
    put(table, A, **{fact: 50})
    put(table, B, **{fact: 5})
    put(table, C, **{fact: 1})
    assert known(table, A, B, C) == [True, False, True]
    put(table, B, **{fact: 60})  # moves in; what was best moves on
    assert known(table, A, B, C) == [True, True, False]


def test_use_keeps_an_entry_in_a_table_by_frequency() -> None:
    table = new_table(slots=2, replacement="frequency")
    put(table, A)
    assert known(table, A) == [True]  # and that is a use
    put(table, B)
    assert known(table, A, B) == [True, False]


@pytest.mark.parametrize("replacement", ["age", "old", "frequency"])
def test_an_entry_of_an_older_search_has_expired(replacement: str) -> None:
    table = new_table(slots=2, replacement=replacement)
    put(table, A, depth=60)
    known(table, A)
    put(next_generation(table), B, depth=1)
    assert known(table, A, B) == [False, True]


def test_after_256_generations_counting_begins_again() -> None:
    table = new_table(slots=2)
    for _ in range(256):
        table = next_generation(table)
    assert table.generation == 0


def test_hashfull_counts_the_slots_of_the_present_search() -> None:
    table = new_table(slots=1024, replacement="new")
    assert hashfull(table) == 0
    for key in range(512):
        put(table, key)
    assert hashfull(table) == 0.5
    assert hashfull(next_generation(table)) == 0


@pytest.mark.parametrize("megabytes", [0.001, 1, 3, 16])
def test_a_table_takes_at_most_the_memory_it_is_given_and_more_than_half_of_it(
    megabytes: float,
) -> None:
    taken = new_table(megabytes).slots.nbytes
    assert megabytes * 2**20 / 2 < taken + SLOT_BYTES
    assert taken <= megabytes * 2**20


@pytest.mark.parametrize("megabytes", [0, -1, float("nan"), float("inf"), LARGEST_MB + 1, 10**30])
def test_memory_out_of_range_is_refused(megabytes: float) -> None:
    with pytest.raises(InvalidLimit):
        new_table(megabytes)


@pytest.mark.parametrize("slots", [-1, 10**18])
def test_a_number_of_slots_out_of_range_is_refused(slots: int) -> None:
    with pytest.raises(InvalidLimit):
        new_table(slots=slots)
