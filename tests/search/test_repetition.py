"""Positions that come again: draws by count, forbidden moves, and no progress, in every search."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

import papan
from papan.core.game import Position
from papan.errors import IllegalMove, InvalidSpec, Unsolved
from papan.players.registry import player
from papan.rules import operations as rules
from papan.rules.operations import WIN
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.perft import divide
from papan.search.registry import algorithm
from papan.search.trace import trace
from papan.solve.solve import solve
from papan.testing import check_game
from support import at_length, find, thoroughly

FAKES = Path(__file__).parents[1] / "fakes"
KINGS, GEOGRAPHY = f"{FAKES}/kings_and_pawns.py", f"{FAKES}/geography.py"
RULES = ("repetition=3", "repetition=2", "quiet=6", "repetition=3,quiet=8", "forbidden=1")
OTHERS = ("minimax", "memory", "pvs", "mtdf", "engine", "engine:threads=2")


class Plain(NamedTuple):
    """A position with the boards before it, which are compared field by field."""

    state: rules.State
    boards: tuple[object, ...]

    @property
    def board(self) -> object:
        """All that the rules of repetition compare."""
        return getattr(self.state, "place", self.state[:4])

    def play(self, move: int) -> Plain:
        return Plain(rules.play(self.state, move), (*self.boards, self.board))

    def drawn(self) -> bool:
        limit = rules.repetition_limit(self.state)
        return 0 < limit <= self.boards.count(self.board) + 1 and bool(self.walked())

    def walked(self) -> list[int]:
        """The moves before any rule of repetition."""
        found, rest = [], rules.moves(self.state)
        while rules.more(self.state, rest):
            found.append(int(rules.head(self.state, rest)))
            rest = rules.tail(self.state, rest)
        return found

    def moves(self) -> list[int]:
        forbidden = getattr(self.state, "forbidden", 1)
        stood = (*self.boards, self.board)
        legal = [m for m in self.walked() if not forbidden or self.play(m).board not in stood]
        return [] if self.drawn() else legal

    def value(self, ply: int, position: Position) -> int:
        """The value of an end or of a leaf."""
        if self.drawn():
            return 0
        if self.moves():
            return int(rules.evaluate(position.game.default_evaluation, self.state))
        final = int(rules.final_value(self.state))
        return final - ply if final > 0 else final + ply if final < 0 else 0


def minimax(plain: Plain, depth: int, position: Position, ply: int = 0) -> int:
    """The value of a search without a trick."""
    moves = plain.moves()
    if depth == 0 or not moves:
        return plain.value(ply, position)
    return max(-minimax(plain.play(move), depth - 1, position, ply + 1) for move in moves)


def perft(plain: Plain, depth: int) -> int:
    """The number of move sequences."""
    if depth == 0:
        return 1
    return sum(perft(plain.play(move), depth - 1) for move in plain.moves())


def walk(spec: str, seed: int) -> list[tuple[Position, Plain]]:
    """All positions of a random game that are not over, with the plain ones beside them."""
    position = papan.game(spec).start()
    line, chance = [(position, Plain(position.state, ()))], Random(seed)
    while codes := line[-1][0].codes():
        code = chance.choice(codes)
        line.append((line[-1][0].after(code), line[-1][1].play(code)))
    return line[:-1]


def middles(options: str) -> list[tuple[Position, Plain]]:
    """Positions late in games that lasted for long."""
    found = [walk(f"{KINGS}:{options}", seed) for seed in range(12)]
    return [line[-back] for line in found for back in (2, 5) if len(line) >= 12][:6]


@pytest.mark.parametrize("spec", [*(f"{KINGS}:{options}" for options in RULES), GEOGRAPHY])
def test_a_position_knows_its_legal_moves_and_its_end(spec: str) -> None:
    for seed in range(6):
        for position, plain in walk(spec, seed):
            assert position.codes() == plain.moves()
            assert (position.outcome() is None) == bool(plain.moves())


@pytest.mark.parametrize(
    ("name", "options"),
    [
        *(("alphabeta", options) for options in ("repetition=3", "quiet=6", "forbidden=1")),
        *thoroughly(
            *(("alphabeta", options) for options in ("repetition=2", "repetition=3,quiet=8")),
            *(("engine", options) for options in RULES),
        ),
        *at_length(
            *((name, options) for name in OTHERS if name != "engine" for options in RULES),
        ),
    ],
)
def test_every_search_has_the_values_of_one_that_compares_whole_boards(
    name: str, options: str
) -> None:
    for position, plain in middles(options):
        for depth in (1, 4):
            value = minimax(plain, depth, position)
            assert find(name, position, depth).value == value, (position, depth)


@pytest.mark.long
def test_a_game_of_moves_that_are_never_repeated_is_searched_to_its_end() -> None:
    for rows, columns in ((1, 4), (2, 3), (3, 3)):
        position = papan.game(f"{GEOGRAPHY}:rows={rows},columns={columns}").start()
        expected = minimax(Plain(position.state, ()), 20, position)
        assert abs(expected) > WIN - 10
        assert find("engine", position, rows * columns).value == expected
        found = find("mcts:simulations=5000", position, 100)
        assert found.proven and (found.value > 0) == (expected > 0)


@pytest.mark.thorough
@pytest.mark.parametrize("options", ["forbidden=1", "repetition=3"])
def test_random_games_of_mcts_keep_to_the_rule(options: str) -> None:
    for position, plain in middles(options)[:3]:
        value = minimax(plain, 3, position)
        found = find("mcts:simulations=3000", position, 100)
        assert found.move in position.moves()
        if value > WIN - 10:
            assert found.proven and found.value > 0


@pytest.mark.parametrize(
    "name", ["minimax", *thoroughly("alphabeta", "engine", "mcts:simulations=500")]
)
def test_games_of_hundreds_of_plies_are_searched_from_any_position(name: str) -> None:
    position = papan.game(f"{KINGS}:quiet=400").start()
    for _ in range(80):
        position = position.play("Kc1", "Kb4", "Kd1", "Ka4")
    found = search(position, Limit(nodes=20_000, depth=128), algorithm=algorithm(name))
    assert found.move in position.moves() and found.depth <= 128
    if name == "minimax":
        assert find(name, position, 3).value == minimax(Plain(position.state, ()), 3, position)


def test_perft_leaves_out_what_is_forbidden() -> None:
    for position, plain in [*middles("forbidden=1")[:3], *walk(GEOGRAPHY, 1)[:3]]:
        counts = divide(position, 4)
        assert sum(counts.values()) == perft(plain, 4)
        assert list(counts) == position.moves()


@pytest.mark.thorough
def test_a_tree_shows_no_forbidden_move() -> None:
    position = papan.game(GEOGRAPHY).start().play("b3", "b2")
    for node in trace(position, 5, "alphabeta").passes[-1].root.walk():
        assert node.move not in ("a3", "b3", "b2")
        assert not {"a3", "b3", "b2"} & set(node.uncut)


def test_a_forbidden_move_is_refused_and_the_game_ends_where_there_is_no_other() -> None:
    position = papan.game(f"{GEOGRAPHY}:rows=2,columns=2").start().play("b2", "b1")
    with pytest.raises(IllegalMove):
        position.play("b2")
    end = position.play("a1")
    assert (end.moves(), end.outcome(), end.is_over()) == ([], papan.Outcome.X_WINS, True)
    assert solve(end).value == find("engine", end, 3).value == -WIN


def test_what_cannot_be_solved_or_played_where_moves_are_forbidden_is_said_in_one_line() -> None:
    game = papan.game(GEOGRAPHY)
    with pytest.raises(Unsolved, match="all earlier positions"):
        solve(game.start())
    with pytest.raises(InvalidSpec, match="genetic"):
        player("genetic").new_game(game, 1)


@pytest.mark.thorough
def test_solving_proves_what_a_win_takes_under_a_draw_by_the_third_occurrence() -> None:
    proven = 0
    for position, plain in middles("repetition=3"):
        value = minimax(plain, 4, position)
        if abs(value) > WIN - 10:
            assert solve(position).value == value
            proven += 1
    assert proven > 2


@pytest.mark.thorough
@pytest.mark.parametrize("options", ["repetition=3,quiet=30", "forbidden=1"])
def test_such_games_keep_the_promises_of_every_game(options: str) -> None:
    check_game(f"{KINGS}:{options}", games=3)
