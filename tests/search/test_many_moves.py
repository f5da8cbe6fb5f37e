"""Games with more than 256 moves, and with numbers up to 2³¹ − 1, in every algorithm."""

from pathlib import Path

import numpy as np
import pytest

import papan
from fakes.take_away import TakeAway
from papan.errors import InvalidGame
from papan.kernel.operations import LARGEST_MOVE, WIN
from papan.search.solver.solve import solve
from papan.search.table import Entry, new_table, probe, store
from papan.search.workspace import new_workspace
from papan.testing import check_game
from support import find, run_python, thoroughly

FAKE = Path(__file__).parents[1] / "fakes" / "many_moves.py"
COLOURS, STEP = 130, 5_506_532
OTHERS = ("minimax", "alphabeta", "memory", "pvs", "mtdf", "engine:threads=2")


def test_such_a_game_keeps_the_promises_of_every_game() -> None:
    check_game(str(FAKE), games=1)


def test_perft_counts_all_its_moves() -> None:
    start = papan.game(f"{FAKE}:count=5").start()
    assert max(start.codes()) == 389 * STEP > 2**30
    assert [papan.perft(start, depth) for depth in (1, 2)] == [390, 130 * (390 + 390 + 260)]


@pytest.mark.parametrize("name", ["engine", *thoroughly(*OTHERS)])
def test_every_algorithm_takes_the_one_winning_number_of_counters(name: str) -> None:
    start = papan.game(f"{FAKE}:count=5").start()
    found = find(name, start, 3)
    assert found.value == WIN - 3
    assert found.move is not None
    assert int(found.move) // STEP // COLOURS == 0  # one counter: four are left
    position = start
    for move in found.pv:
        position = position.play(move)


@pytest.mark.thorough
def test_mcts_and_solving_find_it_too() -> None:
    start = papan.game(f"{FAKE}:count=5").start()
    solution = solve(start)
    assert (solution.value, len(solution.moves)) == (WIN - 3, COLOURS)
    found = find("mcts:simulations=20000", papan.game(f"{FAKE}:count=3").start(), 100)
    assert found.proven
    assert found.value > 0


@pytest.mark.parametrize("move", [-1, 0, 4095, 65534, 65535, 65536, 2**24 + 7, LARGEST_MOVE])
def test_a_table_keeps_a_large_move_whole(move: int) -> None:
    position = papan.game(str(FAKE)).start()
    workspace, table = new_workspace(position), new_table(0.01)
    entry = Entry(1, 7, -3, 12, move)
    store(table, position.state, np.uint64(9), 0, entry, 1 << 30, workspace)
    assert tuple(probe(table, position.state, np.uint64(9), 0, workspace)) == tuple(entry)


def test_a_game_that_states_no_bounds_has_the_workspace_of_small_games() -> None:
    small = new_workspace(TakeAway().start())
    assert small.ordered.shape[1] == 256
    assert small.dtype == new_workspace(papan.game("corners").start()).dtype
    assert new_workspace(papan.game(str(FAKE)).start()).ordered.shape[1] == 390


@pytest.mark.parametrize("bound", ["most_moves", "largest_move"])
def test_a_file_that_does_not_state_its_bounds_is_refused_in_one_line(
    bound: str, tmp_path: Path
) -> None:
    text = FAKE.read_text(encoding="utf-8")
    first, _, rest = text.partition(f"@{bound}.register(State)")
    rest = rest.partition("\n\n\n")[2]
    (tmp_path / "unbounded.py").write_text(first + rest, encoding="utf-8")
    with pytest.raises(InvalidGame, match=bound):
        papan.game(str(tmp_path / "unbounded.py"))


@pytest.mark.thorough
def test_no_search_reads_or_writes_beyond_its_memory() -> None:
    code = f"""
import papan
from support import find
start = papan.game("{FAKE}:count=4").start()
for name in ("alphabeta", "engine", "mcts:simulations=300"):
    print(find(name, start, 2).nodes)
"""
    done = run_python(code, NUMBA_BOUNDSCHECK="1")
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == 3
