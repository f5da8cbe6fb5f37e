"""Adjacency: what the oracle and the tables say about states, ends and values."""

import pytest

import papan
from papan.errors import UsageError
from papan.games.adjacency import Adjacency
from papan.games.adjacency.evaluation import PieceDifference
from papan.rules import operations as rules
from reference import adjacency
from support import middles, reached

ADJACENCY = ["adjacency", "adjacency:rounds=8,first=o", "adjacency:size=4", "adjacency:size=4x7"]


@pytest.mark.parametrize("height", range(4, 9))
@pytest.mark.parametrize("width", range(4, 9))
@pytest.mark.parametrize("first", ["x", "o"])
def test_every_board_starts_as_the_rules_say(height: int, width: int, first: str) -> None:
    start = Adjacency(size=f"{height}x{width}", first=first).start()
    assert str(start) == adjacency.start(height, width, first=first).line()
    assert len(start.moves()) == height * width - 8


@pytest.mark.parametrize("spec", ADJACENCY)
def test_the_evaluation_is_the_piece_difference(spec: str) -> None:
    for position, root in middles(spec, 6):
        assert rules.evaluate(PieceDifference(), position.state) == root.difference()


@pytest.mark.parametrize("spec", ADJACENCY)
def test_a_game_lasts_its_rounds_and_the_score_decides(spec: str) -> None:
    game = papan.game(spec)
    end = reached(spec, 5)
    root = adjacency.parse(str(end))
    assert end.state.plies_left == 0
    assert rules.final_value(end.state) == root.difference()
    assert game.max_plies == rules.max_plies_left(game.start().state)


def test_the_facts_are_pieces_and_rounds() -> None:
    position = papan.game("adjacency:rounds=8").start().play("c4")
    assert position.facts() == {"fact.x": 5, "fact.o": 4, "fact.rounds-left": 8}
    assert position.play("d4").facts() == {"fact.x": 4, "fact.o": 6, "fact.rounds-left": 7}


def test_sizes_are_written_in_one_way() -> None:
    assert papan.game("adjacency:size=5x5") == papan.game("adjacency:size=5")
    assert papan.game("adjacency:size=8x8").spec == "adjacency"
    assert papan.game("adjacency:size=4x5").spec == "adjacency:size=4x5"


@pytest.mark.parametrize(("size", "most"), [("4", 4), ("4x5", 6), ("5", 8), ("8", 28)])
def test_rounds_are_limited_by_the_room_on_the_board(size: str, most: int) -> None:
    assert papan.game(f"adjacency:size={size},rounds={most}").max_plies == 2 * most
    with pytest.raises(UsageError, match=f"2 … {most}"):
        papan.game(f"adjacency:size={size},rounds={most + 1}")
