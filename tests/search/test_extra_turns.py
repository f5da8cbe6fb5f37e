"""Games in which a side may move again: every search agrees with one that turns nothing round."""

import sys
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

import papan
from papan.core.game import Position
from papan.errors import InvalidSpec
from papan.play.clock import Clock, TimeControl
from papan.play.table import GameInPlay
from papan.players.external import UgiPlayer
from papan.protocol.guards import Guards
from papan.rules.operations import WIN
from papan.search.limits import seconds_for_move
from papan.search.trace import trace
from papan.search.trace.record import Node
from papan.solve.solve import solve
from papan.testing import check_game
from papan.tree_figure import figure_of
from reference import extra_turns as oracle
from support import GALLERY, at_length, find, thoroughly

ANY_BOXES, KALAH = f"{GALLERY}/dots_and_boxes.py", f"{GALLERY}/kalah.py"
BOXES = f"{ANY_BOXES}:rows=2,columns=2"
OTHERS = ("engine", "alphabeta", "memory", "pvs", "mtdf", "engine:threads=2")
SIGN = {"x": 1, "o": -1}


class Both(NamedTuple):
    """A position and the oracle's."""

    position: Position
    plain: oracle.Boxes | oracle.Mancala

    def value(self, plain: oracle.Boxes | oracle.Mancala, ply: int) -> int:
        """A leaf's value to `x` as the search has it."""
        if isinstance(plain, oracle.Boxes):
            return plain.result()
        return plain.result() * (WIN - ply) if plain.over() else plain.lead()

    def best(self, depth: int) -> tuple[int, list[str]]:
        """The value of a search to its side to move, and the best moves."""
        value = oracle.minimax(self.plain, depth, self.value)
        moves = oracle.best_moves(self.plain, depth, self.value)
        return SIGN[self.position.side] * value, moves


def walk(spec: str, seed: int) -> list[Both]:
    """All positions of a random game that are not over."""
    chance, found = Random(seed), []
    position = papan.game(spec).start()
    plain = oracle.Boxes(2, 2) if spec == BOXES else oracle.Mancala()
    while not plain.over():
        found.append(Both(position, plain))
        move = chance.choice(plain.moves())
        position, plain = position.play(plain.name(move)), plain.play(move)
    assert position.outcome() is not None
    return found


def late(spec: str, games: int, before: int) -> list[Both]:
    """Positions some moves before the end of random games."""
    return [walk(spec, seed)[-before] for seed in range(games)]


def middles(spec: str) -> list[Both]:
    """A few positions in which turns and extra turns alternate, with both sides to move."""
    return [each for seed in range(3) for each in walk(spec, seed)[2::4]][:8]


@pytest.mark.long
@pytest.mark.parametrize("spec", [BOXES, f"{ANY_BOXES}:rows=1,columns=3", KALAH])
def test_such_a_game_keeps_the_promises_of_every_game(spec: str) -> None:
    check_game(spec, games=3)


@pytest.mark.thorough
def test_perft_counts_an_extra_turn_as_a_move_and_no_passes() -> None:
    kalah, boxes = papan.game(KALAH).start(), papan.game(BOXES).start()
    assert [papan.perft(kalah, depth) for depth in (1, 2, 3, 4, 5)] == [6, 35, 185, 942, 4690]
    assert [papan.perft(boxes, depth) for depth in (1, 2, 3, 4)] == [12, 132, 1320, 11880]
    assert [oracle.perft(oracle.Mancala(), depth) for depth in (1, 2, 3, 4)] == [6, 35, 185, 942]


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (BOXES, "minimax"),
        *thoroughly((BOXES, "engine"), (KALAH, "engine")),
        *at_length(*((BOXES, name) for name in OTHERS if name != "engine"), (KALAH, "minimax")),
    ],
)
def test_every_algorithm_finds_the_value_of_a_search_that_turns_nothing_round(
    spec: str, name: str
) -> None:
    for both in middles(spec):
        for depth in (1, 2, 4):
            value, moves = both.best(depth)
            found = find(name, both.position, depth)
            assert (found.value, found.move in moves) == (value, True), (both.position, depth)


@pytest.mark.parametrize("name", ["minimax", *thoroughly("engine", "alphabeta")])
def test_searches_to_the_end_of_the_game_are_right(name: str) -> None:
    for both in late(BOXES, 4, 6):
        value, moves = both.best(6)
        found = find(name, both.position, 6)
        assert (found.value, found.move in moves, found.proven) == (value, True, True)


@pytest.mark.thorough
@pytest.mark.parametrize(("spec", "before"), [(BOXES, 5), *thoroughly((KALAH, 3))])
def test_mcts_proves_what_exhaustive_search_finds(spec: str, before: int) -> None:
    for both in late(spec, 4, before):
        value, moves = both.best(100)
        found = find("mcts:simulations=20000", both.position, 100)
        assert found.proven
        assert (found.value > 0) - (found.value < 0) == (value > 0) - (value < 0)
        # A proven win need not be the nearest or the largest one.
        after = [both.plain.play(m) for m in both.plain.moves() if both.plain.name(m) == found.move]
        reached = SIGN[both.position.side] * oracle.minimax(after[0], 100, both.value, 1)
        assert (reached > 0) - (reached < 0) == (value > 0) - (value < 0), moves


@pytest.mark.thorough
def test_mcts_without_proofs_prefers_the_box_that_is_offered() -> None:
    position = papan.game(BOXES).start().play("b5", "a4", "b3", "d3")
    assert position.side == "x"
    assert find("mcts:simulations=4000,solver=no", position, 100).move == "c4"
    assert position.play("c4").side == "x"


def test_solving_gives_value_and_all_best_moves() -> None:
    for both in late(BOXES, 4, 6):
        value, moves = both.best(6)
        solution = solve(both.position, every=True)
        assert (solution.value, list(solution.moves)) == (value, moves)
        for move in both.plain.moves():
            after = oracle.minimax(both.plain.play(move), 6, both.value, 1)
            assert solution.values[both.plain.name(move)] == SIGN[both.position.side] * after
        assert solve(both.position).moves == solution.moves


@pytest.mark.parametrize("name", ["minimax", *thoroughly("engine")])
def test_a_recorded_tree_has_each_value_in_the_view_of_the_nodes_own_side(name: str) -> None:
    for both in middles(BOXES)[:3]:
        made = trace(both.position, 3, name)
        assert made.result is not None
        for node in made.last[-1].root.walk():
            if node.children and name == "minimax":
                own = [
                    child.value if child.position.side == node.position.side else -child.value
                    for child in node.children
                ]
                assert node.value == max(own)
        assert made.last[-1].root.value == both.best(3)[0]


@pytest.mark.thorough
def test_a_recorded_monte_carlo_tree_has_scores_of_the_nodes_own_side() -> None:
    (both,) = late(BOXES, 1, 4)
    made = trace(both.position, 4, "mcts:simulations=200")
    for node in made.last[-1].root.walk():
        if node.proven and node.position is not None and not node.position.outcome():
            plain = both.plain
            for move in find_line(made.last[-1].root, node):
                plain = plain.play(next(m for m in plain.moves() if plain.name(m) == move))
            value = SIGN[node.position.side] * oracle.minimax(plain, 100, both.value)
            assert node.proven == ("won" if value > 0 else "lost" if value < 0 else "drawn")


def find_line(root: Node, node: Node) -> list[str]:
    """The moves from the root to a node below it."""
    for child in root.children:
        if any(each is node for each in child.walk()):
            return [child.move, *find_line(child, node)]
    return []


# --- games, clocks, figures ----------------------------------------------------------------------


def test_the_clock_of_a_side_that_moves_again_goes_on() -> None:
    clock = Clock.of(TimeControl(60.0, 1.0))
    clock.start(0.0)
    game = GameInPlay(papan.game(BOXES).start().play("b5", "a4", "b3", "d3"), clock=clock)
    game.make("c4", 10.0)
    assert (game.turn, game.clock.left) == ("x", {"x": 51.0, "o": 60.0})
    game.make("d1", 25.0)
    assert (game.turn, game.clock.left) == ("o", {"x": 37.0, "o": 60.0})
    game.take_back("x", 26.0)
    assert (game.turn, game.moves) == ("x", ["c4"])


def test_a_match_is_played_and_recorded_to_the_end() -> None:
    made = papan.play_game(BOXES, "engine:depth=3", "random", seed=3)
    position, sides = made.start, []
    for move in made.moves:
        sides.append(position.side)
        position = position.play(move)
    assert made.termination.value == "rules"
    assert position.outcome() is made.outcome
    assert any(first == second for first, second in pairwise(sides))


def test_time_is_shared_out_among_all_moves_that_may_be_ones_own() -> None:
    position = papan.game(BOXES).start()
    assert seconds_for_move(position, 12.05) == pytest.approx(1.0, abs=0.02)


def test_a_player_that_needs_alternating_turns_refuses_the_game() -> None:
    with pytest.raises(InvalidSpec, match="sides alternate"):
        papan.player("genetic").new_game(papan.game(BOXES), 1)


@pytest.mark.thorough
def test_a_program_is_asked_for_both_moves_of_a_turn() -> None:
    compiling = Guards(ready_seconds=120.0)
    program = UgiPlayer(f"{sys.executable} -m papan ugi {BOXES}", compiling)
    made = papan.play_game(f"{ANY_BOXES}:rows=1,columns=3", program, "random", seed=1)
    program.close()
    assert made.termination.value == "rules"


def test_papan_tree_draws_max_and_min_by_the_side_to_move() -> None:
    position = papan.game(f"{ANY_BOXES}:rows=1,columns=1").start().play("b3", "a2")
    drawn = figure_of(trace(position, 2, "minimax"))
    ((_, root),) = drawn.trees
    rows = {(node.row, node.position.side) for node in root.walk() if node.position is not None}
    assert rows == {("max", "x"), ("min", "o")}
