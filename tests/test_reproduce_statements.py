"""What the sources state in words: measures and verdicts."""

import random

import pytest

import papan
from benchmarks.reproduce import report, verdicts
from benchmarks.reproduce.statements import (
    _leads,
    _trap,
    is_stuck,
    lead_by_round,
    move_costs,
    stuck_formations,
    trap_scores,
)
from papan.core.notation import SIDES
from papan.games.corners.evaluation import overfull_rows, transpose
from papan.records.model import Record
from papan.usercode.registry import game


@pytest.mark.parametrize("round", [1, 2])
def test_the_lead_after_each_round_is_the_first_player_s(round: int) -> None:
    start = game("adjacency:size=4,rounds=3").start()
    line = [(move, after) for move, after in start.random_walk(random.Random(1), 6)]
    record = Record(start.game.spec, "a", "b", tuple(move for move, _ in line), "x", round=round)
    boards = [str(after).split(" ")[0] for _, after in line[1::2]]
    sign = 1 if round == 1 else -1
    assert _leads(record) == [sign * (board.count("x") - board.count("o")) for board in boards]


def test_a_game_has_a_lead_for_each_round() -> None:
    found = lead_by_round(2, 2, 0)
    assert (found["rounds"], found["games"], len(found["leads"])) == (2, 4, 2)
    assert all(value is not None and ends == [None, None] for value, *ends in found["leads"])


def test_costs_are_ratios_of_genetic_search_to_minimax() -> None:
    found = move_costs("first", 2, 1, 0)
    for what in ("time", "space"):
        ratio = found[f"genetic_{what}"] / found[f"minimax_{what}"]
        assert found[what] == [pytest.approx(ratio), pytest.approx(0, abs=0), None]


def test_a_trap_is_never_worse_than_the_program_s_own_move() -> None:
    def program(position: papan.Position) -> str:
        return position.moves()[-1]

    def in_the_end(position: papan.Position) -> int:
        while position.outcome() is None:
            position = position.play(program(position))
        facts = position.facts()
        return facts["fact.x"] - facts["fact.o"]

    better = 0
    for seed in range(6):
        start = game("adjacency:size=4,rounds=4").start()
        *_, (_, position) = start.random_walk(random.Random(seed), 2)
        trapped, expected = (
            in_the_end(position.play(move))
            for move in (_trap(position, program), program(position))
        )
        assert trapped >= expected
        better += trapped > expected
    assert better > 2


@pytest.mark.parametrize("knows", ["depth", "program"])
def test_an_exploiting_player_has_each_side_once_in_a_pair(knows: str) -> None:
    found = trap_scores(knows, 1, 3, 1, 0)
    assert found["games"] == found["wins"] + found["draws"] + found["losses"] == 2
    assert found["low"] <= found["score"] <= found["high"]


def test_a_formation_is_stuck_where_the_evaluation_finds_an_overfull_row() -> None:
    seen = set()
    for seed in range(12):
        for _, position in game("corners").start().random_walk(random.Random(seed)):
            state = position.state
            bits = (state.mine, state.theirs) if state.side == 0 else (state.theirs, state.mine)
            for side, name in enumerate(SIDES):
                rows = overfull_rows(side, bits[side]) + overfull_rows(side, transpose(bits[side]))
                assert is_stuck(position, name) == (rows > 0)
                seen.add(rows > 0)
    assert seen == {True, False}


def test_stuck_sides_are_counted_for_each_evaluation() -> None:
    found = stuck_formations("corner", "stuck", 1, 1, 0)
    assert found["games"] == 2
    for stuck, unfinished in zip(found["stuck"], found["unfinished"], strict=True):
        assert 0 <= unfinished <= stuck <= 2


SCORE = {"games": 40, "wins": 30, "draws": 0, "losses": 10, "score": 0.75, "low": 0.6, "high": 0.9}
MEASURES = {
    "lead_by_round": [
        {"rounds": 8, "games": 4, "leads": [[0, 0, 0], [-2, -3, -1], *[[1, 0.5, 1.5]] * 6]}
    ],
    "move_costs": [
        {
            "report": "first",
            "rounds": 8,
            "positions": 4,
            "time": [2.0, 1.5, 2.5],
            "space": [0.5, 0.4, 0.6],
            **dict.fromkeys(
                ("minimax_time", "genetic_time", "minimax_space", "genetic_space"), 1.0
            ),
        }
    ],
    "trap_scores": [{"knows": "program", "depth": 4, "rounds": 8, **SCORE}],
    "stuck_formations": [
        {
            "evaluations": ["matched", "stuck"],
            "depth": 4,
            **SCORE,
            "stuck": [0, 3],
            "unfinished": [0, 1],
            "surplus": [0, 0, 0],
        },
        {
            "evaluations": ["corner", "stuck"],
            "depth": 4,
            **SCORE,
            "stuck": [9, 3],
            "unfinished": [5, 1],
            "surplus": [0.15, 0.05, 0.25],
        },
    ],
}


def test_each_statement_is_judged_by_the_side_of_the_interval() -> None:
    rows = verdicts.statements_of(MEASURES)
    assert [(row["statement"], row["verdict"]) for row in rows] == [
        ("leads-early", "holds"),
        ("leads-late", "holds"),
        ("cheaper-time", "contradicted"),
        ("cheaper-space", "holds"),
        ("trapped-by-program", "holds"),
        ("never-sticks", "not decided"),
        ("not-optimal", "contradicted"),
        ("sticks", "holds"),
    ]


@pytest.mark.parametrize(
    ("games", "stuck", "expected"),
    [(40, 0, "not decided"), (100, 0, "holds"), (100, 1, "contradicted")],
)
def test_never_is_contradicted_by_one_case_and_holds_after_many(
    games: int, stuck: int, expected: str
) -> None:
    row = {**MEASURES["stuck_formations"][0], "games": games, "stuck": [stuck, 0]}
    assert verdicts.statements_of({"stuck_formations": [row]})[0]["verdict"] == expected


def test_the_tables_have_numbers_with_sign_unit_and_interval() -> None:
    text = report.statements_table({"statements": verdicts.statements_of(MEASURES)})
    assert "| local search leads early | after 2 of 8 rounds | −2.00 | −3.00 … −1.00 |" in text
    assert "0.5× | 0.4× … 0.6×" in text and "75.0 % | 60.0 % … 90.0 %" in text
    leads = report.leads_table([MEASURES["lead_by_round"][0], {"rounds": 1, "leads": [[1, 1, 1]]}])
    assert "| 2 | −2.00 (−3.00 … −1.00) |  |" in leads
    assert "| corner – stuck | 4 | 40 | 30–0–10 | 9 | 5 | 3 | 1 |" in report.stuck_table(
        MEASURES["stuck_formations"]
    )
