"""The comparison with other libraries: the same work for all, and honest tables of it."""

import ast
import copy
from pathlib import Path
from typing import Any

import pytest

import papan
from benchmarks.peers import __main__ as peers
from benchmarks.peers import ours, random_games, tables
from benchmarks.peers.workers import board
from benchmarks.peers.workers.tasks import COUNTED_DEPTH, KNOWN, Peer, measured, visited
from benchmarks.tools.report import CannotMeasure, Table
from papan.search.perft import perft
from support import SOURCES

OTHERS = {"easyAI", "aima3", "pyspiel", "open_spiel", "pettingzoo", "gymnasium"}

ANSWERS: list[dict[str, Any]] = [
    {
        "version": "Papan 1",
        "searches": {
            "Papan, last ply in the parent": [[3, 0.00001, 3], [4, 0.00002, 0]],
            "Papan, every leaf visited": [[3, 0.00002, 3], [4, 0.00004, 0]],
        },
        "nodes": {"Papan, every leaf visited": KNOWN[COUNTED_DEPTH][1]},
        "simulations": [["Papan", "Adjacency", 500_000.0]],
        "moves": [["Papan, compiled", "Adjacency", 20e6], ["Papan, Position", "Adjacency", 2e4]],
    },
    {
        "version": "Other 2",
        "searches": {"Other": [[3, 0.01, None], [4, 0.04, None]]},
        "nodes": {"Other": KNOWN[COUNTED_DEPTH][1]},
        "simulations": [["Other", "Adjacency", 1000.0]],
        "moves": [["Other", "Adjacency", 2e5]],
    },
]


def play(state: tuple[int, int, int], move: int) -> tuple[int, int, int]:
    """A move by the rules that the other libraries are given."""
    mine, theirs, empty = state
    flipped = board.NEIGHBOURS[move] & theirs
    return theirs ^ flipped, mine | move | flipped, empty ^ move


def test_the_others_play_by_the_same_rules() -> None:
    position, state = papan.game("adjacency").start(), (board.FIRST, board.SECOND, board.EMPTY)
    for ply in range(board.PLIES):
        moves = board.moves(state[2])
        assert [move.bit_length() - 1 for move in moves] == position.codes()
        chosen = (7 * ply) % len(moves)
        state, position = play(state, moves[chosen]), position.after(position.codes()[chosen])
        assert state[:2] == (int(position.state.mine), int(position.state.theirs))
    assert position.outcome() is not None


@pytest.mark.thorough
def test_papan_searches_the_tree_that_is_known() -> None:
    for mode in ours.MODES:
        value, nodes, seconds = ours.search(mode, 4)
        assert (value, nodes) == KNOWN[4]
        assert seconds > 0


def test_random_games_make_as_many_moves_as_the_game_lasts() -> None:
    start = papan.game("adjacency:rounds=3").start()
    made, total = ours.random_games(start.state, 50, 1)
    assert made == 50 * 6
    assert abs(total) < 50 * 20
    assert perft(start, 1) == 56


@pytest.mark.thorough
def test_random_games_for_the_table_are_whole_games() -> None:
    """Each player has won some of a few hundred, and the first one more than the second."""
    scores = random_games.player("connect_four")(400)
    assert 200 < scores < 300
    assert random_games.player("nim:piles=1")(5) == 5


def test_random_games_are_compared_with_openspiels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "player", lambda spec: print)
    monkeypatch.setattr(random_games, "_rate", lambda play, seconds: 2000.0)
    monkeypatch.setattr(random_games, "answer_of", lambda *words: '{"rate": 100}')
    found = random_games.table(0.01)
    assert [row[0] for row in found.rows] == [f"`{pair.papan}`" for pair in random_games.PAIRS]
    assert {row[1:5] for row in found.rows} == {("2,000", "100", "20", "yes")}
    assert {row[0]: row[5] for row in found.rows}["`chess`"] == "1,600"


def test_numbers_that_belong_to_another_tree_or_value_are_refused() -> None:
    tables.check(ANSWERS)
    wrong = copy.deepcopy(ANSWERS)
    wrong[1]["nodes"]["Other"] += 1
    with pytest.raises(CannotMeasure, match="Other visits"):
        tables.check(wrong)
    wrong = copy.deepcopy(ANSWERS)
    wrong[0]["searches"]["Papan, every leaf visited"][0][2] = 2
    with pytest.raises(CannotMeasure, match="finds 2 at depth 3"):
        tables.check(wrong)


def test_ratios_compare_what_visits_leaves_alike() -> None:
    table = tables.searches(ANSWERS)
    rows = {row[0]: row for row in table.rows}
    assert rows["Papan, every leaf visited"][-1] == "1"
    assert rows["Other"][-1] == "1,000"
    assert rows["Other"][1:5] == ("0.01", "0.04", "–", "–")


def test_rates_are_compared_within_a_game() -> None:
    simulations, moves = tables.all_tables(ANSWERS, {"Papan": 0.5})[1:3]
    assert simulations.rows == [
        ("Papan", "Adjacency", "500,000", "1"),
        ("Other", "Adjacency", "1,000", "500"),
    ]
    assert [row[-1] for row in moves.rows] == ["1", "1,000", "100"]


def test_a_table_in_markdown_has_its_numbers_on_the_right() -> None:
    table = Table("Speed", ("", "game", "moves/s"), [("Papan", "Othello", "20 M")])
    assert tables.markdown(table).splitlines() == [
        "**Speed**",
        "",
        "|  | game | moves/s |",
        "|---|---|---:|",
        "| Papan | Othello | 20 M |",
    ]


def test_a_worker_stops_before_a_depth_that_would_take_too_long() -> None:
    asked = []

    def search(depth: int) -> float:
        asked.append(depth)
        return KNOWN[depth][0]

    peer = Peer("1", {"slow": search}, {}, {}, {("a", "b"): lambda: 10})
    found = measured(peer, budget=0.01)
    assert [run.depth for run in found["searches"]["slow"]] == asked
    assert found["moves"][0][2] > 0


def test_nodes_are_counted_by_the_moves_that_are_made() -> None:
    class Game:
        def play(self) -> None: ...

    game = Game()
    assert visited(Game, "play", lambda: [game.play() for _ in range(4)]) == 5


def test_what_cannot_be_measured_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*, quick: bool, games_only: bool) -> None:
        raise CannotMeasure("easyAI could not be installed")

    monkeypatch.setattr(peers, "measure", fail)
    assert peers.main(["--quick", "--json"]) == 2
    assert capsys.readouterr() == ("", "easyAI could not be installed\n")


@pytest.mark.parametrize("folder", ["rules", "games", "search", "players", "arena", "cli"])
def test_the_package_imports_none_of_the_others_but_in_its_adapters(folder: str) -> None:
    def imports(file: Path) -> set[str]:
        found = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                found.add((node.module or "").partition(".")[0])
        return found

    files = sorted((SOURCES / folder).rglob("*.py"))
    assert files
    assert [file for file in files if imports(file) & OTHERS] == []
