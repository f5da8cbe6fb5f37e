"""What is proven of a position's value before work is cut short, and the words for it."""

import pickle

import pytest

import papan
from papan.errors import Unsolved
from papan.messages import Messages
from papan.rules.operations import INFINITY, WIN
from papan.search.limits import Limit
from papan.solve.bounds import ProvenBounds
from papan.solve.solve import solve

UNKNOWN = INFINITY


def said(win: int, lower: int, upper: int, language: str = "en") -> str | None:
    known = ProvenBounds(win, lower, upper).describe()
    return None if known is None else Messages(language).explain(known)


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (-UNKNOWN, UNKNOWN, None),
        (1 - WIN, WIN - 1, None),
        (6 - WIN, WIN - 6, "neither side has a forced win within 5 plies"),
        (-UNKNOWN, WIN - 6, "the side to move has no forced win within 5 plies"),
        (6 - WIN, UNKNOWN, "the other side has no forced win within 5 plies"),
        (0, UNKNOWN, "at least a draw for the side to move"),
        (-UNKNOWN, 0, "at most a draw for the side to move"),
        (0, 0, "a draw"),
        (WIN - 9, WIN - 9, "the side to move wins in 9 plies"),
        (WIN - 9, UNKNOWN, "the side to move wins in at most 9 plies"),
        (6 - WIN, 8 - WIN, "the side to move loses in 6 to 8 plies"),
        (-UNKNOWN, 8 - WIN, "the side to move loses in at most 8 plies"),
    ],
)
def test_bounds_of_a_wins_length_are_said_in_plies(
    lower: int, upper: int, words: str | None
) -> None:
    assert said(WIN, lower, upper) == words


@pytest.mark.parametrize(
    ("lower", "upper", "words"),
    [
        (-UNKNOWN, UNKNOWN, None),
        (-2, 5, "a margin between -2 and 5 for the side to move"),
        (-2, UNKNOWN, "a margin of at least -2 for the side to move"),
        (-UNKNOWN, 5, "a margin of at most 5 for the side to move"),
        (0, UNKNOWN, "at least a draw for the side to move"),
        (3, UNKNOWN, "the side to move wins by at least 3"),
        (3, 5, "the side to move wins by 3 to 5"),
        (-5, -3, "the side to move loses by 3 to 5"),
        (-UNKNOWN, -3, "the side to move loses by at least 3"),
        (-4, -4, "the side to move loses by 4"),
    ],
)
def test_bounds_of_margins_are_said_as_margins(lower: int, upper: int, words: str | None) -> None:
    assert said(0, lower, upper) == words


def test_two_clauses_are_joined_and_every_clause_is_translated() -> None:
    assert said(WIN, 0, WIN - 6) == (
        "at least a draw for the side to move, the side to move has no forced win within 5 plies"
    )
    assert said(WIN, 0, UNKNOWN, "id") == "paling buruk seri bagi pihak yang melangkah"


def test_answers_only_ever_close_the_bounds_in() -> None:
    bounds = ProvenBounds(0)
    for bound, beta in ((-3, -5), (-4, -6), (7, 8), (9, 12)):
        bounds.learn(bound, beta)
    assert (bounds.lower, bounds.upper) == (-3, 7)


def test_what_is_proven_in_a_run_holds_of_the_value_and_comes_with_the_error() -> None:
    position = papan.game("platforms:size=4,level=1").start()
    value, cut_short = solve(position).value, 0
    for nodes in (10, 100, 1000):
        try:
            solve(position, limit=Limit(nodes=nodes))
        except Unsolved as error:
            partial = pickle.loads(pickle.dumps(error)).partial
            bounds = partial["bounds"]
            assert bounds["lower"] is None or bounds["lower"] <= value
            assert bounds["upper"] is None or bounds["upper"] >= value
            assert (partial["value"], partial["proven"]) in ((None, False), (value, True))
            cut_short += 1
    assert cut_short >= 2


def test_a_value_is_told_though_not_all_best_moves_are_known() -> None:
    position = papan.game("platforms:size=4,level=1").start()
    found = solve(position)
    assert found.value_nodes < found.nodes
    with pytest.raises(Unsolved) as caught:
        solve(position, limit=Limit(nodes=found.value_nodes + 1))
    partial = caught.value.partial
    assert partial is not None
    assert (partial["value"], partial["plies"], partial["outcome"], partial["moves"]) == (
        found.value,
        found.plies,
        found.outcome,
        None,
    )
