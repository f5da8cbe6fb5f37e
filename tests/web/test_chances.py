"""An evaluation in any unit gives sensible chances: quiet openings are even."""

import pytest

import papan
from papan.core.game import Position
from papan.learn import choice
from papan.rules import operations as rules
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.web.board.judgement import sign_of
from papan.web.engines import chances

#: Good moves from the start, by game: main lines of chess, Othello and small-board Go, and the
#: centre or an advance where no theory is known.
OPENINGS = {
    "chess": [
        "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
        "e2e4 c7c5 g1f3 d7d6 d2d4 c5d4",
        "e2e4 e7e6 d2d4 d7d5",
        "e2e4 c7c6 d2d4 d7d5",
        "d2d4 d7d5 c2c4 e7e6 b1c3 g8f6",
        "d2d4 g8f6 c2c4 g7g6",
        "c2c4 e7e5",
        "g1f3 d7d5",
    ],
    "othello": ["f5 d6 c3 d3 c4", "f5 f6 e6 f4", "c4 c3 d3 c5"],
    "go:size=9": ["e5 e3", "e5 c5", "d5 f5"],
    "breakthrough": ["c2-c3 f7-f6", "b2-b3 g7-g6"],
    "corners": ["f3f4", "g3e3"],
    "adjacency": ["d5", "e4"],
}
CASES = [(spec, line) for spec, lines in OPENINGS.items() for line in lines]


def walk(spec: str, line: str) -> list[Position]:
    """The positions of an opening, the start included."""
    positions = [papan.game(spec).start()]
    for move in line.split():
        positions.append(positions[-1].play(move))
    return positions


def chance(position: Position, value: float) -> float:
    """The side to move's chance by a static value of the game's own evaluation."""
    game = position.game
    scale = chances._points_per_unit(game, game.default_evaluation)
    return chances.chance(position, value * scale)


@pytest.mark.parametrize("spec", [spec for spec in OPENINGS if spec != "go:size=9"])
def test_quiet_positions_are_even_by_any_evaluation(spec: str) -> None:
    for line in OPENINGS[spec]:
        for position in walk(spec, line):
            value = rules.evaluate(position.game.default_evaluation, position.state)
            assert 0.3 <= chance(position, value) <= 0.7


def test_a_square_of_the_centre_is_little_and_a_queen_is_much() -> None:
    start = papan.game("chess").start()
    assert chance(start, 4) < 0.51
    assert 0.7 < chance(start, 900) < 0.95


@pytest.mark.long
@pytest.mark.parametrize(("spec", "line"), CASES)
def test_no_good_opening_move_is_marked_as_a_mistake(spec: str, line: str) -> None:
    positions = walk(spec, line)
    evaluation = choice.strongest(positions[0].game)
    values = []
    for position in positions:
        found = search(
            position, Limit(nodes=100_000), algorithm=algorithm("engine"), evaluation=evaluation
        )
        score = chances.in_points(position.game, evaluation)(found)["score"]
        values.append(chances.chance(position, chances.sign(position) * score))
    for position, before, after in zip(positions, values, values[1:], strict=False):
        assert 0.3 <= before <= 0.7
        lost = before - after if position.side == "x" else after - before
        assert sign_of(max(0.0, lost)) in ("", "?!")
