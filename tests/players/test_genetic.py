"""The genetic players: the tree of the second report, legality, repair, limits."""

from random import Random

import numpy as np
import pytest

import papan
from papan.core.game import Position
from papan.players.genetic import GeneticPlayer
from papan.players.genetic.local_search import ILLEGAL, OFFSET, fitness
from papan.players.genetic.reservation_tree import (
    OPEN,
    ROOT,
    levels_kept,
    new_tree,
    reserve,
)
from papan.players.registry import player
from papan.rules.bits import popcount
from papan.search.limits import Limit
from papan.usercode.registry import game
from reference.splitmix import random_moves, replay
from support import reached, thoroughly

MODELS = ["local-search", "reservation-tree"]
QUICK = "population=10,generations=4"


def judged(lines: list[list[int]], values: list[int]) -> tuple[int, list[int]]:
    """The root's value in the reservation tree of the lines, and the fitness of each."""
    genes = max(map(len, lines))
    table = np.array([line + [OPEN] * (genes - len(line)) for line in lines])
    tree, leaves = new_tree(*table.shape), np.empty(len(lines), dtype=np.int64)
    reserve(table, np.array(values), tree, leaves)
    return int(tree.value[ROOT]), [levels_kept(tree, leaf, genes) for leaf in leaves]


def test_fitness_is_2_where_the_leaf_value_is_kept_twice_and_4_where_it_reaches_the_root() -> None:
    """The report's example, four moves deep: MAX moves first, so the nodes above leaves are MIN."""
    lines = {
        (1, 2, 3, 4): (8, 2),  # 8 is the least of {8, 9} and the greatest of {8, 6}; then 3 is less
        (1, 2, 3, 5): (9, 0),
        (1, 2, 6, 4): (6, 1),
        (1, 7, 2, 3): (3, 4),  # alone up to the second move, less than 8, greater than 1
        (8, 1, 2, 3): (1, 3),
    }
    root, found = judged([list(line) for line in lines], [value for value, _ in lines.values()])
    assert root == 3
    assert found == [expected for _, expected in lines.values()]


def plain_value(lines: dict[tuple[int, ...], int], prefix: tuple[int, ...]) -> int:
    """Minimax over the prefix tree of the lines, written out plainly."""
    if prefix in lines:
        return lines[prefix]
    level = len(prefix)
    children = {line[: level + 1] for line in lines if line[:level] == prefix}
    best = max if level % 2 == 0 else min
    return best(plain_value(lines, child) for child in children)


def plain_fitness(lines: dict[tuple[int, ...], int], line: tuple[int, ...]) -> int:
    """How many of the prefixes, the longest first, have the value of the whole line in a row; the
    most levels there are if all of them do."""
    for kept, length in enumerate(range(len(line) - 1, -1, -1)):
        if plain_value(lines, line[:length]) != lines[line]:
            return kept
    return max(map(len, lines))


@pytest.mark.parametrize("seed", range(20))
def test_the_reservation_tree_agrees_with_plain_minimax_over_prefixes(seed: int) -> None:
    """Lines that end earlier than others included."""
    random = Random(seed)
    drawn = [tuple(random.sample(range(6), 4)) for _ in range(30)]
    lines = {line[: 2 + line[1] % 3 if line[0] < 3 else 4]: 0 for line in drawn}
    starts = {line[:length] for line in lines for length in range(1, len(line))}
    lines = {line: random.randrange(5) for line in lines if line not in starts}
    root, found = judged([list(line) for line in lines], list(lines.values()))
    assert root == plain_value(lines, ())
    assert found == [plain_fitness(lines, line) for line in lines]


def test_fitness_is_the_objective_made_positive_and_0_for_an_illegal_chromosome() -> None:
    assert fitness(-64, 1) == 1
    assert fitness(3, 1) == 3 + OFFSET
    assert fitness(64, 32) == 2 + OFFSET
    assert fitness(10_000, 1) == 64 + OFFSET
    assert fitness(ILLEGAL, 1) == 0


def endings(count: int) -> list[Position]:
    """Positions of Adjacency with 1 to 6 empty squares, and as many plies left or fewer."""
    found = []
    for seed in range(count):
        random = Random(seed)
        position = papan.game(random.choice(["adjacency", "adjacency:size=6"])).start()
        while len(position.codes()) > 1 + seed % 6:
            position = position.after(random.choice(position.codes()))
        board, side, plies = str(position).split(" ")
        left = random.randint(1, int(plies))
        found.append(position.game.position(f"{board} {side} {left}"))
    return found


@pytest.mark.parametrize(
    "options", ["model=local-search", "model=local-search,repair=no", "model=reservation-tree"]
)
def test_endings_with_1_to_6_empty_squares_bring_no_illegal_move(
    options: str, thorough: bool
) -> None:
    """The reports' players looped for ever at 4, and crashed or played illegal moves below."""
    found = player(f"genetic:{options},{QUICK}")
    found.new_game(game("adjacency"), 1)
    for number, position in enumerate(endings(500 if thorough else 60)):
        assert len(position.moves()) == 1 + number % 6
        assert found.choose(position, Limit()).move in position.moves()


@pytest.mark.parametrize("model", MODELS)
def test_a_move_that_wins_at_once_is_found(model: str) -> None:
    """In Platforms: a step that leaves the other pawn no way on, where others do not."""
    tried = 0
    for seed in range(60):
        last = random_moves(papan.game("platforms:size=4").start(), seed)[:-1]
        position = replay(papan.game("platforms:size=4").start(), last)
        wins = {move for move in position.moves() if position.play(move).outcome() is not None}
        if len(wins) == len(position.moves()):
            continue
        tried += 1
        found = player(f"genetic:model={model}")
        found.new_game(position.game, seed)
        assert found.choose(position, Limit()).move in wins
    assert tried > 5


@pytest.mark.parametrize("spec", ["adjacency", *thoroughly("platforms:size=4,level=2", "corners")])
@pytest.mark.parametrize("model", MODELS)
def test_the_seed_decides_the_game(model: str, spec: str) -> None:
    def line(seed: int) -> list[str]:
        found, position, moves = player(f"genetic:model={model},{QUICK}"), game(spec).start(), []
        found.new_game(position.game, seed)
        while len(moves) < 8 and position.outcome() is None:
            moves.append(found.choose(position, Limit()).move)
            position = position.play(moves[-1])
        return moves

    assert line(1) == line(1)
    assert len({tuple(line(seed)) for seed in range(4)}) > 1


@pytest.mark.parametrize("model", MODELS)
def test_a_limit_of_nodes_bounds_the_chromosomes_that_are_tried(model: str) -> None:
    position = reached("adjacency", 1, 20)
    found = GeneticPlayer(model=model, population=40, generations=100)
    found.new_game(position.game, 1)
    assert found.choose(position, Limit(nodes=130)).nodes == 120
    assert found.choose(position, Limit(nodes=7)).nodes == 7
    assert found.choose(position, Limit()).nodes == 40 * 101


@pytest.mark.parametrize("model", MODELS)
def test_no_generation_is_bred_when_time_is_up(model: str) -> None:
    found = GeneticPlayer(model=model, population=10, generations=1_000_000, time=0.02)
    position = papan.game("adjacency").start()
    found.new_game(position.game, 1)
    assert found.choose(position, Limit()).nodes < 10_000_001


def test_with_one_ply_left_every_model_takes_the_best_square() -> None:
    """A line is then a single move, so that the fittest is the best."""
    for seed in range(5):
        position = reached("adjacency:size=4", seed, 7)
        after = {move: position.play(move).state for move in position.moves()}
        lead = {move: popcount(s.theirs) - popcount(s.mine) for move, s in after.items()}
        for model in MODELS:
            found = player(f"genetic:model={model}")
            found.new_game(position.game, seed)
            choice = found.choose(position, Limit())
            assert lead[choice.move] == max(lead.values()) == choice.value
