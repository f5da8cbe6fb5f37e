"""The search of the solvers: values of whole games and of published positions, looking ahead or
not."""

from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

import pytest

import papan
from papan.core.game import Position
from papan.rules.operations import WIN, max_plies_left
from papan.solve.base import Solution
from papan.solve.solve import solve
from reference import search as oracle
from reference.truth import table
from support import GALLERY, Sample, gallery, thoroughly

FOUR = GALLERY / "connect_four.py"
SIGN = {"win": 1, "draw": 0, "loss": -1}
TRUTH: dict[str, Any] = table("connect_four")

#: Games of the gallery, and how many plies before their last possible one they are taken up.
ENDINGS = [("tictactoe.py", 6), ("connect_four.py", 6)]
MORE = [("chomp.py", 6), ("hex.py:size=3", 5), ("quarto.py", 4)]


class Plain(NamedTuple):
    """A position as the oracle wants it: rules in plain Python, nothing compiled."""

    position: Position

    def moves(self) -> list[str]:
        return self.position.moves()

    def play(self, move: str) -> Self:
        return self._replace(position=self.position.play(move))

    def over(self) -> bool:
        return self.position.outcome() is not None

    def result(self) -> int:
        outcome = self.position.outcome()
        assert outcome is not None
        return int(2 * outcome.points(self.position.side)) - 1


def worth(solved: oracle.Solved, plies: int = 0) -> int:
    """The result of the oracle as a solver's value, `plies` later."""
    return solved.value * (WIN - solved.plies - plies)


def at(moves: str, path: Path = FOUR) -> Position:
    """The position after moves from the start."""
    return papan.game(str(path)).start().play(*moves.split())


def known(solution: Solution, case: dict[str, Any]) -> None:
    """Compares a solution with a published one."""
    assert (solution.outcome, solution.plies) == (case["outcome"], case["plies"]), case
    assert solution.value == SIGN[case["outcome"]] * (WIN - (case["plies"] or 0))


def ending(spec: str, plies: int, seed: int) -> Position:
    """An unfinished position of a random game that goes on for a few plies at most."""
    start, chance = gallery(spec).start(), Random(seed)
    while True:
        for _, position in start.random_walk(chance):
            if max_plies_left(position.state) <= plies and position.outcome() is None:
                return position


@pytest.mark.parametrize(("spec", "plies"), [*ENDINGS, *thoroughly(*MORE)])
def test_every_move_has_the_value_that_playing_all_games_out_gives(spec: str, plies: int) -> None:
    for seed in range(3):
        position = ending(spec, plies, seed)
        solution = solve(position, every=True)
        found = oracle.solve_moves(Plain(position), {})
        expected = {move: worth(found[move]) for move in found}
        assert solution.values == expected, position
        assert solution.value == max(expected.values())
        best = tuple(move for move in found if expected[move] == solution.value)
        assert solve(position).moves == best


@pytest.mark.parametrize("name", ["end-easy", "middle-easy", *thoroughly("middle-medium")])
def test_published_positions_of_connect_four_have_their_outcomes_and_lengths(
    name: str, sample: Sample
) -> None:
    for case in sample(TRUTH["sets"][name][::4], 3):
        known(solve(at(case["moves"])), case)


@pytest.mark.long
@pytest.mark.parametrize("name", ["begin-easy", "begin-medium"])
def test_published_positions_of_its_beginning_have_them_too(name: str) -> None:
    for case in TRUTH["sets"][name][:50]:
        known(solve(at(case["moves"])), case)


@pytest.mark.parametrize("name", ["end-easy", "middle-easy"])
def test_the_value_takes_no_more_positions_than_promised(name: str) -> None:
    """At most twice as many as the published solver."""
    solutions = [solve(at(case["moves"])) for case in TRUTH["sets"][name][::5]]
    mean = sum(solution.value_nodes for solution in solutions) / len(solutions)
    assert mean <= 2 * TRUTH["published_mean_nodes_of_a_strong_solver_without_book"][name]
    assert all(solution.value_nodes <= solution.nodes for solution in solutions)
    assert sum(solution.nodes for solution in solutions) / len(solutions) <= 6 * mean


@pytest.mark.thorough
def test_a_game_that_tells_nothing_of_the_next_move_has_the_same_values(tmp_path: Path) -> None:
    text = FOUR.read_text(encoding="utf-8")
    before, _, rest = text.partition("# --- faster solving")
    path = tmp_path / "plain_four.py"
    path.write_text(before + rest[rest.index("class OpenFours") :], encoding="utf-8")
    for case in TRUTH["sets"]["end-easy"][:3]:
        told, plain = (solve(at(case["moves"], file), every=True) for file in (FOUR, path))
        assert told.values == plain.values
        assert told.value_nodes < plain.value_nodes
