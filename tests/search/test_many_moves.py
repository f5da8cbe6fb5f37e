"""Games with more than 256 moves, and with numbers up to 2³¹ − 1, in every algorithm."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import papan
from fakes.take_away import TakeAway
from papan.errors import InvalidGame
from papan.gamekit import Game, Grid, final_value, moves, next_move, play, scan
from papan.rules.operations import LARGEST_MOVE, WIN
from papan.search.alphabeta.order import BestFirst, write_moves
from papan.search.limits import Stop, run_stoppable
from papan.search.mcts.draw import count_and_note
from papan.search.table import Entry, new_table, probe, store
from papan.search.workspace import new_workspace
from papan.solve.proof_table import proofs_in
from papan.solve.prove import write_hints
from papan.solve.solve import solve
from papan.testing import check_game
from support import at_length, find, run_python, thoroughly

FAKE = Path(__file__).parents[1] / "fakes" / "many_moves.py"
COLOURS, STEP = 130, 5_506_532
OTHERS = ("minimax", "memory", "pvs", "mtdf", "engine", "engine:threads=2")


@pytest.mark.thorough
def test_such_a_game_keeps_the_promises_of_every_game() -> None:
    check_game(str(FAKE), games=1)


def test_perft_counts_all_its_moves() -> None:
    start = papan.game(f"{FAKE}:count=5").start()
    assert max(start.codes()) == 389 * STEP > 2**30
    assert [papan.perft(start, depth) for depth in (1, 2)] == [390, 130 * (390 + 390 + 260)]


@pytest.mark.parametrize(
    "name",
    [
        "alphabeta",
        *thoroughly("engine"),
        *at_length(*(name for name in OTHERS if name != "engine")),
    ],
)
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


class Growing(NamedTuple):
    """Moves that become more, or larger, than they are said to be, once the game goes on."""

    plies: int
    step: int
    side: int


@moves.register(Growing)
def _(state: Growing) -> Any:
    return scan(state)


@next_move.register(Growing)
def _(state: Growing, after: int) -> int:
    if state.plies == 0:
        return 0 if after < 0 else -1
    following = 0 if after < 0 else after + state.step
    return following if following < 1000 * state.step else -1


@play.register(Growing)
def _(state: Growing, move: int) -> Growing:
    return Growing(state.plies + 1, state.step, 1 - state.side)


@final_value.register(Growing)
def _(state: Growing) -> int:
    return 0


class GrowingGame(Game):
    """A game that breaks its bounds from its second ply on."""

    board = Grid(1, 1)
    step = 1

    def start_state(self) -> Growing:
        return Growing(0, self.step, 0)


class LeapingGame(GrowingGame):
    """The same by the numbers of its moves."""

    step = 2**40


GAMES = (GrowingGame, LeapingGame)
PROOFS = proofs_in(np.zeros(3, np.uint64), 1, grows=False)
LISTERS: list[Any] = [
    lambda state, workspace: write_moves(BestFirst(), state, 0, workspace),
    lambda state, workspace: write_hints(state, moves(state), 0, (-1, 0), PROOFS, workspace),
    lambda state, workspace: count_and_note(state, moves(state), workspace),
]


@pytest.mark.parametrize("write", LISTERS)
@pytest.mark.parametrize(("game", "written"), [(GrowingGame, 256), (LeapingGame, 1)])
def test_moves_without_room_are_not_written(game: type[Game], written: int, write: Any) -> None:
    position = game().start()
    workspace = new_workspace(position)
    assert write(position.state, workspace) == 1
    assert not workspace.misfit
    assert write(position.after(0).state, workspace) == written
    assert workspace.misfit and workspace.stop


def test_a_search_that_had_no_room_for_a_move_fails() -> None:
    position = GrowingGame().start()
    workspace = new_workspace(position)
    stop = Stop.over(workspace, position)
    run_stoppable(lambda: None, stop)
    workspace.misfit = 1
    with pytest.raises(InvalidGame, match=r"256.*most_moves and largest_move"):
        run_stoppable(lambda: None, stop)


CASES = [("alphabeta", LeapingGame), *(("mcts", game) for game in GAMES)]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "game"), CASES)
def test_a_move_beyond_its_bounds_is_an_error(name: str, game: type[Game]) -> None:
    with pytest.raises(InvalidGame, match=r"256.*most_moves and largest_move"):
        find(name, game().start(), 3)


@pytest.mark.thorough
@pytest.mark.parametrize("game", GAMES)
def test_solving_has_no_room_for_it_either(game: type[Game]) -> None:
    with pytest.raises(InvalidGame, match=r"256.*most_moves and largest_move"):
        solve(game().start())


@pytest.mark.long
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
