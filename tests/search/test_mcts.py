"""Monte Carlo tree search finds and proves what the oracle knows, and keeps to its limits."""

from typing import Any

import numpy as np
import pytest

import papan
from fakes.take_away import TakeAway
from papan.core.game import Outcome, Position
from papan.errors import InvalidLimit, InvalidSpec
from papan.games.corners.evaluation import CornerDistance
from papan.players.registry import player
from papan.rules.operations import evaluate
from papan.search.algorithm import Task, search
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import DEFAULT_SIMULATIONS, Mcts
from papan.search.mcts.guide import estimate
from papan.search.mcts.tree import DRAWN, NODE_BYTES, OPEN, ROOT, new_tree
from papan.search.registry import algorithm
from papan.search.result import SearchResult
from reference import search as oracle
from reference import truth
from reference.splitmix import random_moves, replay
from support import SPECS, middles, run_python, thoroughly

#: Games that the oracle solves in a moment, with the plies that are played at random first.
SOLVABLE = [
    ("adjacency:size=4", 1),
    ("adjacency:size=4,first=o", 2),
    ("adjacency:size=4x5,rounds=3", 1),
    ("platforms:size=3,level=1", 0),
    ("platforms:size=3,level=2", 4),
    ("platforms:size=4,level=1", 2),
]


def first_on_adjacency(cases: list[Any]) -> list[Any]:
    """Cases of which only those on Adjacency are for every run: each game is compiled anew."""
    first = [case for case in cases if "adjacency" in str(case)]
    return [*first, *thoroughly(*(case for case in cases if case not in first))]


#: Positions with one move that wins at once, for either side of each game; in all but those of
#: Corners there is a move that loses, too.
WON_AT_ONCE = [
    ("adjacency:size=4", "2oo/ooxx/oxxx/xxx1 o 1", "d1"),
    ("adjacency:size=4", "2xx/xxoo/xooo/ooo1 x 1", "d1"),
    ("platforms:size=4,level=1", "0011/0001/0000/1100 o c1 a2", "b1"),
    ("platforms:size=4,level=1", "0011/1011/0111/0000 x a2 a1", "b2"),
    ("corners", "xxx1oooo/xxx1oooo/xx1x3o/8/8/8/8/8 x", "d6c6"),
    ("corners", "8/8/8/8/8/x3o1oo/xxxx1ooo/xxxx1ooo o", "e3f3"),
]
#: Positions with a move after which the other side wins at once.
LOST_AT_ONCE = [
    ("platforms:size=4,level=1", "0010/0000/1101/1100 x c3 d4", "d2"),
    ("platforms:size=3,level=2", "110/000/010 o c3 a2", "b1"),
]
#: Positions with one move that draws; all others lose.
ONLY_DRAWN = [
    ("adjacency:size=4", "xoxo/oooo/xo2/xx2 x 4", "c2"),
    ("adjacency:size=4", "2oo/ooxx/oxxx/xxx1 o 3", "d1"),
    ("adjacency:size=4", "xxxo/1xxx/xxxx/xx2 o 3", "a3"),
    ("adjacency:size=4x5", "o1xxo/ooxoo/ox3/xx1x1 x 2", "b4"),
]
#: A random game of Corners with this seed ends by repetition.
REPEATED = 0


def found(position: Position, limit: Limit, **options: Any) -> SearchResult:
    """What a search with these options finds."""
    return search(position, limit, algorithm=Mcts(**options))


def solvable(spec: str, plies: int, seed: int) -> tuple[Position, dict[str, int]]:
    """A position of a random game, and the result of each of its moves: 1, 0 or −1."""
    root = truth.start(spec)
    moves = random_moves(root, seed, plies)
    results = oracle.solve_moves(replay(root, moves), {})
    signs = {move: int(np.sign(solved.value)) for move, solved in results.items()}
    return replay(papan.game(spec).start(), moves), signs


def visits(position: Position, searching: Mcts) -> dict[str, int]:
    """The root's moves, in the order of the tree, with their visits."""
    root = searching.tree.nodes[ROOT]
    children = searching.tree.nodes[root.first : root.first + root.count]
    write = position.game.write_move
    return {write(int(child.move)): int(child.visits) for child in children}


# --- what it proves


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(5))
def test_the_first_player_wins_the_smallest_platforms_from_the_centre(seed: int) -> None:
    result = found(papan.game("platforms:size=3,level=1").start(), Limit(nodes=10_000), seed=seed)
    assert (result.move, result.value, result.proven) == ("b2", 1000, True)
    assert result.extra["score_rate"] == 1.0
    assert result.nodes < 10_000


@pytest.mark.parametrize(("spec", "plies"), first_on_adjacency(SOLVABLE))
@pytest.mark.parametrize("seed", range(8))
def test_what_is_proven_is_what_the_oracle_solves(spec: str, plies: int, seed: int) -> None:
    position, results = solvable(spec, plies, seed)
    result = found(position, Limit(nodes=2_000_000), seed=seed)
    best = max(results.values())
    assert result.proven
    assert result.value == 1000 * best
    assert results[result.move or ""] == best


@pytest.mark.parametrize(("spec", "plies"), first_on_adjacency(SOLVABLE))
def test_a_move_found_without_the_solver_is_as_good_but_not_proven(spec: str, plies: int) -> None:
    for seed in range(3):
        position, results = solvable(spec, plies, seed)
        result = found(position, Limit(nodes=30_000), solver=False)
        assert not result.proven
        assert results[result.move or ""] == max(results.values())


@pytest.mark.parametrize("solver", [True, False])
@pytest.mark.parametrize(("spec", "line", "win"), first_on_adjacency(WON_AT_ONCE))
def test_the_end_of_a_game_is_seen_from_the_right_side(
    spec: str, line: str, win: str, solver: bool
) -> None:
    result = found(papan.game(spec).position(line), Limit(nodes=3_000), solver=solver)
    assert result.move == win
    assert result.value > 900
    assert result.proven == solver


@pytest.mark.parametrize(("spec", "line", "blunder"), first_on_adjacency(LOST_AT_ONCE))
def test_a_move_that_lets_the_other_side_win_at_once_is_left_alone(
    spec: str, line: str, blunder: str
) -> None:
    position = papan.game(spec).position(line)
    searching = Mcts(solver=False)
    search(position, Limit(nodes=3_000), algorithm=searching)
    most = max(visits(position, searching).values())
    assert visits(position, searching)[blunder] < most / 10


# --- draws


@pytest.mark.parametrize(("spec", "line", "draw"), ONLY_DRAWN)
def test_a_draw_counts_half_and_is_taken_where_all_else_loses(
    spec: str, line: str, draw: str
) -> None:
    position = papan.game(spec).position(line)
    explored = found(position, Limit(nodes=50_000), solver=False)
    assert explored.move == draw
    assert explored.extra["score_rate"] == pytest.approx(0.5, abs=0.03)
    proof = found(position, Limit(nodes=50_000))
    assert (proof.move, proof.value, proof.proven) == (draw, 0, True)
    assert proof.extra["score_rate"] == 0.5


@pytest.mark.thorough
def test_a_third_occurrence_is_a_proven_draw_below_a_game_that_had_two() -> None:
    moves = random_moves(truth.start("corners"), REPEATED)
    before = replay(papan.game("corners").start(), moves[:-1])
    repeating = before.game.read_move(moves[-1], before.state)
    assert before.after(repeating).outcome() is Outcome.DRAW
    assert status_of(before, repeating) == DRAWN
    assert status_of(before.game.position(str(before)), repeating) == OPEN


def status_of(position: Position, code: int) -> int:
    """What is known of a root move as soon as the root has children."""
    searching = Mcts()
    search(position, Limit(nodes=1), algorithm=searching)
    tree = searching.tree
    (status,) = (
        int(node.status) for node in tree.nodes[1 : 1 + tree.nodes[ROOT].count] if node.move == code
    )
    return status


@pytest.mark.thorough
def test_playouts_that_end_in_repetition_are_draws_and_leave_no_trace() -> None:
    position = papan.game("corners").start()
    searching = Mcts(exploration=0.0)
    task = Task(position, position.game.default_evaluation, Limit(nodes=500), Stop())
    searching.begin(task)
    assert list(searching.steps(task))[-1].extra["score_rate"] == pytest.approx(0.5, abs=0.1)
    assert not task.workspace.seen.any()


# --- the same again


COURSE = """
import papan
from papan.search.algorithm import Task, search
from papan.search.limits import Limit
from papan.search.mcts.algorithm import Mcts
for spec in SPECS:
    searching = Mcts(seed=7)
    result = search(papan.game(spec).start(), Limit(nodes=1_500), algorithm=searching)
    root = searching.tree.nodes[0]
    children = searching.tree.nodes[root.first : root.first + root.count]
    print(result.pv, result.value, result.nodes, result.extra["tree_nodes"], result.depth)
    print(children.move.tolist(), children.visits.tolist(), children.total.tolist())
"""


@pytest.fixture
def course(thorough: bool) -> str:
    """Code that shows how searches go; of all games where tests are to be thorough."""
    specs = ("adjacency:rounds=8", "platforms:size=5,level=2", "corners")[: 3 if thorough else 1]
    return f"SPECS = {specs}\n{COURSE}"


@pytest.mark.thorough
def test_the_same_seed_takes_the_same_course_in_one_process_and_in_two(
    course: str, capsys: pytest.CaptureFixture[str], thorough: bool
) -> None:
    courses = []
    for _ in range(2):
        exec(course, {})
        courses.append(capsys.readouterr().out)
    other = run_python(course)
    assert other.stderr == ""
    assert courses[0].count("\n") == (6 if thorough else 2)
    assert courses[0] == courses[1] == other.stdout


@pytest.mark.thorough
def test_interpreted_code_takes_the_course_of_compiled_code(course: str, thorough: bool) -> None:
    short = course.replace("Limit(nodes=1_500)", "Limit(nodes=60)")
    compiled, interpreted = run_python(short), run_python(short, NUMBA_DISABLE_JIT="1")
    assert compiled.returncode == interpreted.returncode == 0
    assert compiled.stdout == interpreted.stdout
    assert compiled.stdout.count("\n") == (6 if thorough else 2)


def test_other_seeds_take_other_courses() -> None:
    position = papan.game("adjacency:rounds=8").start()
    courses = set()
    for seed in range(4):
        searching = Mcts(seed=seed)
        search(position, Limit(nodes=2_000), algorithm=searching)
        courses.add(tuple(visits(position, searching).values()))
    assert len(courses) == 4


# --- limits


def test_a_simulation_is_a_node_and_no_more_are_run_than_allowed() -> None:
    position = papan.game("adjacency").start()
    for result in (found(position, Limit(nodes=777)), found(position, Limit(), simulations=777)):
        assert result.nodes == result.extra["simulations"] == 777


def test_a_depth_bounds_the_tree_and_alone_still_ends() -> None:
    result = found(papan.game("adjacency:rounds=8").start(), Limit(depth=2))
    assert result.depth == 2
    assert result.nodes == DEFAULT_SIMULATIONS


def test_a_full_tree_grows_no_more_but_simulations_go_on() -> None:
    searching = Mcts(memory=0.01)
    position = papan.game("adjacency").start()
    result = search(position, Limit(nodes=5_000), algorithm=searching)
    room = 10_000 // NODE_BYTES
    assert searching.tree.nodes.size == room
    assert room - 56 < result.extra["tree_nodes"] <= room
    assert sum(visits(position, searching).values()) == result.nodes == 5_000


def test_memory_that_no_machine_has_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*shape: object) -> None:
        raise MemoryError

    monkeypatch.setattr(np, "zeros", refuse)
    with pytest.raises(InvalidLimit, match="256"):
        new_tree(256.0)


# --- any position


@pytest.mark.parametrize("spec", first_on_adjacency(SPECS))
def test_moves_and_variations_are_legal_wherever_a_game_has_got_to(spec: str) -> None:
    for position, _ in middles(spec, 10):
        for limit in (Limit(nodes=1), Limit(nodes=300)):
            result = found(position, limit)
            assert result.move == result.pv[0]
            assert -1000 <= result.value <= 1000
            replay(position, result.pv)


def test_a_finished_game_has_no_move() -> None:
    over = papan.game("platforms").position("001/000/110 x a3 c1")
    result = found(over, Limit(nodes=10))
    assert (result.move, result.pv, result.proven) == (None, (), True)


@pytest.mark.thorough
def test_a_game_that_leaves_all_it_can_to_defaults_is_solved() -> None:
    for heap in range(1, 12):
        result = found(TakeAway(heap).start(), Limit(nodes=100_000))
        assert result.proven
        assert result.value == (-1000 if heap % 4 == 0 else 1000)
        assert heap % 4 == 0 or result.move == str(heap % 4)


# --- playouts cut off


def test_an_evaluations_lead_is_an_expected_score() -> None:
    state = papan.game("corners").position("xx6/xx6/xx6/xxx5/8/8/6oo/ooooooo1 x").state
    lead = evaluate(CornerDistance(), state)
    assert lead > 0
    assert estimate(CornerDistance(), state, float(lead)) == 0.75
    turned = state._replace(mine=state.theirs, theirs=state.mine, side=1)
    assert estimate(CornerDistance(), turned, float(lead)) == 0.25


@pytest.mark.thorough
@pytest.mark.parametrize("cutoff", [0, 1, 2])
def test_playouts_that_are_cut_off_count_for_the_side_that_leads(cutoff: int) -> None:
    leading = papan.game("corners").position("xx6/xx6/xx6/xxx5/8/8/6oo/ooooooo1 x")
    ahead = found(leading, Limit(nodes=500), cutoff=cutoff)
    behind = found(leading.play(leading.moves()[0]), Limit(nodes=500), cutoff=cutoff)
    assert ahead.extra["score_rate"] > 0.6
    assert behind.extra["score_rate"] < 0.4


# --- the player


def test_the_player_hands_its_options_on_and_plays_the_same_game_again() -> None:
    chosen = player("mcts:simulations=200,exploration=0.7,solver=no,memory=1")
    game = papan.game("adjacency:size=4")
    games = []
    for seed in (5, 5, 6):
        chosen.new_game(game, seed)
        position, moves = game.start(), []
        while position.outcome() is None:
            choice = chosen.choose(position, Limit())
            assert choice.nodes == 200
            moves.append(choice.move)
            position = position.play(choice.move)
        games.append(moves)
    assert games[0] == games[1]
    assert len(games[2]) == len(games[0])


@pytest.mark.parametrize("option", ["exploration=-1", "memory=0", "cutoff=-2", "expand=-2"])
def test_an_option_out_of_range_is_refused_by_name(option: str) -> None:
    with pytest.raises(InvalidSpec, match=option.partition("=")[0]):
        player(f"mcts:{option}")
    with pytest.raises(InvalidSpec, match=option.partition("=")[0]):
        algorithm(f"mcts:{option}")
