"""Proofs in a file: work that was stopped goes on, and other games do not take it for theirs."""

import json
from pathlib import Path

import pytest

import papan
from papan.errors import Unsolved, UsageError
from papan.search.limits import Limit
from papan.solve.solve import solve

SIZE = 2.0  # MB for the file


def test_work_that_ran_out_of_nodes_goes_on_with_what_it_has_proven(tmp_path: Path) -> None:
    start, file = papan.game("platforms:size=4,level=1").start(), tmp_path / "proofs"
    whole = solve(start)
    portion, tries = whole.nodes // 3, 1
    while True:
        try:
            found = solve(start, memory_mb=SIZE, limit=Limit(nodes=portion), keep=file)
        except Unsolved:
            tries += 1
        else:
            break
    assert 2 < tries < 10
    assert (found.value, found.plies, found.moves) == (whole.value, whole.plies, whole.moves)
    again = solve(start, memory_mb=SIZE, keep=file)
    assert again.moves == whole.moves
    assert again.nodes < whole.nodes // 10


def test_a_file_of_another_game_and_one_of_something_else_are_refused(tmp_path: Path) -> None:
    file, other = tmp_path / "proofs", tmp_path / "text"
    solve(papan.game("platforms:size=3").start(), memory_mb=SIZE, keep=file)
    with pytest.raises(UsageError, match="another game"):
        solve(papan.game("platforms:size=4,level=1").start(), memory_mb=SIZE, keep=file)
    other.write_text("no proofs", encoding="utf-8")
    with pytest.raises(UsageError, match="text"):
        solve(papan.game("platforms:size=3").start(), memory_mb=SIZE, keep=other)


def test_games_that_are_solved_without_a_table_keep_nothing(tmp_path: Path) -> None:
    start = papan.game("adjacency:size=4").start()
    with pytest.raises(Unsolved, match="no table of proofs"):
        solve(start, keep=tmp_path / "proofs")


@pytest.mark.parametrize("slots", [0, -4, 3, 2**32, 1.5, "8", None])
def test_a_file_with_a_wrong_number_of_slots_is_refused_and_not_made_longer(
    slots: object, tmp_path: Path
) -> None:
    start, file = papan.game("platforms:size=3").start(), tmp_path / "proofs"
    solve(start, memory_mb=SIZE, keep=file)
    content = file.read_bytes()
    head = {**json.loads(content[:4096]), "slots": slots}
    file.write_bytes(json.dumps(head).encode().ljust(4096) + content[4096:])
    with pytest.raises(UsageError, match="not a valid file of proofs"):
        solve(start, memory_mb=SIZE, keep=file)
    assert file.stat().st_size == len(content)
