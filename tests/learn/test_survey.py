"""A look at random games finds what stands on a board, and which symmetries the rules keep."""

import pytest

from papan.learn.own_value import MOVES
from papan.learn.survey import Survey, contents, exchange_sides, survey, turn_contents
from papan.usercode.registry import game


@pytest.mark.parametrize(
    ("spec", "turns"),
    [
        ("tictactoe", 8),
        ("connect_four", 2),
        ("breakthrough", 2),
        ("minichess", 1),
        ("hex:size=4", 2),
    ],
)
def test_the_symmetries_of_the_rules_are_found_by_playing(spec: str, turns: int) -> None:
    assert len(survey(game(spec)).turns) == turns


def test_a_game_with_a_direction_is_exchanged_upside_down() -> None:
    rules = game("breakthrough")
    facts = survey(rules)
    assert facts.exchange is not None
    index = {place: number for number, place in enumerate(facts.places)}
    a1, a8 = (index[rules.board.square(name)] for name in ("a1", "a8"))
    assert rules.board.name(facts.places[facts.exchange[a1]])[1] == "8"
    assert rules.board.name(facts.places[facts.exchange[a8]])[1] == "1"


def test_an_exchange_keeps_the_wings_where_the_sides_start_face_to_face() -> None:
    rules = game("minichess")
    facts = survey(rules)
    assert facts.exchange is not None
    queen = facts.places.index(rules.board.square("d1"))
    assert rules.board.name(facts.places[facts.exchange[queen]]) == "d5"


def test_sides_with_different_goals_are_exchanged_with_the_board_turned() -> None:
    rules = game("hex:size=4")  # one side connects the rows, the other one the columns
    facts = survey(rules)
    assert facts.exchange is not None
    a2, b1 = (facts.places.index(rules.board.square(name)) for name in ("a2", "b1"))
    assert facts.exchange[a2] == b1


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("corners", "stuck"),  # its strongest evaluation
        ("tictactoe", MOVES),  # it has no evaluation
        ("nim", "nim-sum"),
    ],
)
def test_the_value_that_can_be_a_feature_is_found(spec: str, name: str) -> None:
    assert survey(game(spec)).own_value == name


def test_a_game_whose_sides_differ_has_no_exchange() -> None:
    assert survey(game("kalah")).exchange is None  # seeds are packed numbers, not sets of places


def test_an_exchanged_position_has_the_exchanged_contents() -> None:
    rules = game("breakthrough")
    facts = survey(rules)
    assert facts.exchange is not None
    state = rules.start().play("b2-b3").state
    swapped = {code: facts.codes[facts.partner[at]] for at, code in enumerate(facts.codes)}
    row = tuple(swapped[code] for code in contents(state, facts.places))
    image = exchange_sides(state, facts.places, facts.exchange)
    assert contents(image, facts.places) == turn_contents(row, facts.exchange)


def test_facts_survive_being_written_and_read() -> None:
    facts = survey(game("tictactoe"))
    assert Survey.from_dict(facts.as_dict()) == facts


def test_a_game_for_a_margin_has_its_spread() -> None:
    assert survey(game("dots_and_boxes:rows=2,columns=2")).margin > 0
    assert survey(game("tictactoe")).margin == 0


@pytest.mark.parametrize(
    ("spec", "way"),
    [
        ("connect_four", "play"),  # a move is a column
        ("othello", "moves"),  # a move is a square
        ("breakthrough", "moves"),  # a move is a square and another one
        ("isolation", "moves"),
        ("tictactoe", ""),  # every empty square can be filled
    ],
)
def test_the_places_that_a_move_can_fill_are_found(spec: str, way: str) -> None:
    assert survey(game(spec)).fillable == way


def test_a_place_that_a_move_can_fill_has_a_symbol_of_its_own() -> None:
    facts = survey(game("connect_four"))
    assert facts.symbols == 4
    assert survey(game("tictactoe")).symbols == 3
