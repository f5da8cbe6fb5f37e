"""The sources' fixed-depth searchers and the blocking player."""

import pytest

import papan
from papan.errors import InvalidSpec
from papan.games.corners.evaluation import progress
from papan.play.referee import play_game
from papan.players.registry import player
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from reference import truth
from support import reached


def value(spec: str, game: str, line: str) -> float | None:
    found, rules = player(spec), papan.game(game)
    found.new_game(rules, 1)
    return found.choose(rules.position(line), Limit()).value


def test_the_paper_values_a_win_by_1000_less_its_level_and_what_is_undecided_by_0() -> None:
    """Each verified position that is decided within four plies, and two that are not."""
    near = [case for case in truth.platforms_solved() if 0 < case.plies <= 4]
    assert near
    for case in near[:20]:
        assert value("platforms-minimax", case.spec, case.line) == case.value
    assert value("platforms-minimax", "platforms:size=4", "") == 0


def test_the_paper_visits_every_position_since_it_does_not_prune() -> None:
    position = papan.game("platforms:size=4,level=2").start()
    found = player("platforms-minimax")
    found.new_game(position.game, 1)
    expected = search(position, Limit(depth=4), algorithm=algorithm("minimax"))
    assert found.choose(position, Limit()).nodes == expected.nodes


@pytest.mark.parametrize(("heuristic", "evaluation"), [("matched", "matched"), ("corner", "stuck")])
def test_the_homework_searches_with_the_heuristic_that_is_named(heuristic, evaluation) -> None:
    position = reached("corners", 2, 30)
    found = player(f"corners-minimax:heuristic={heuristic},depth=3")
    found.new_game(position.game, 1)
    weights = position.game.evaluations[evaluation]
    expected = search(position, Limit(depth=3), algorithm=algorithm("minimax"), evaluation=weights)
    assert found.choose(position, Limit()).value == expected.value


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        ("platforms-minimax", "corners"),
        ("corners-minimax", "adjacency"),
        ("blocker", "platforms"),
    ],
)
def test_a_player_of_one_game_says_which(spec: str, game: str) -> None:
    found = player(spec)
    with pytest.raises(InvalidSpec, match=found.games[0]):
        found.new_game(papan.game(game), 1)


def blockers_moves(line: str) -> set[str]:
    """What the blocker plays under several seeds."""
    found, position = player("blocker"), papan.game("corners").position(line)
    moves = set()
    for seed in range(20):
        found.new_game(position.game, seed)
        moves.add(found.choose(position, Limit()).move)
    return moves


def advance(line: str, move: str) -> int:
    """How many steps forward a move takes its piece."""
    position = papan.game("corners").position(line)
    return progress(position.state.side, position.game.read_move(move, position.state))


def test_the_blocker_leaves_the_opponents_goal_last_and_goes_as_little_as_it_can() -> None:
    line = "ooo5/ooo5/ooo5/8/8/4xxxx/5xxx/3x3x x"
    legal = papan.game("corners").position(line).moves()
    assert "f3d3" in legal  # a jump that leaves the goal
    assert "f2e2" in legal  # a step that leaves it
    moves = blockers_moves(line)
    assert {advance(line, move) for move in moves} == {1}
    assert {move[:2] for move in moves} <= {"e3", "d1", "h1"}  # outside, or h1g1 inside


def test_the_blocker_walks_home_when_the_opponent_is_stuck() -> None:
    """`o` has eight pieces in its goal and the ninth behind them; `x` can jump."""
    line = "xxx5/xxx5/x7/3xx3/7o/5ooo/5ooo/5oo1 x"
    moves = blockers_moves(line)
    assert moves == {"e5c5"}
    assert advance(line, "e5c5") == 2
    free = line.replace("/7o/", "/6o1/")  # now it is not
    assert {advance(free, move) for move in blockers_moves(free)} == {1}


def test_the_blocker_wins_where_it_can() -> None:
    line = "xxx5/xxx5/xx1x4/8/8/ooo5/ooo5/ooo5 x"
    assert papan.game("corners").position(line).moves() == ["d6d7", "d6c6"]
    assert blockers_moves(line) == {"d6c6"}


def test_the_blocker_takes_the_last_move_from_an_opponent_that_steps_into_its_wall() -> None:
    """It beats hill climbing more often than it loses, both ways, over some games."""
    score = 0.0
    for seed in range(6):
        start = reached("corners", seed, 6)
        players = {"x": player("blocker"), "o": player("hill-climbing")}
        if seed % 2:
            players = {"x": players["o"], "o": players["x"]}
        outcome = play_game(players, start, seed=seed).outcome
        score += outcome.points("xo"[seed % 2]) - 0.5
    assert score > 0
