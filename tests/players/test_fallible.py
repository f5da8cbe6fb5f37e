"""The player that errs as people do, and the level that sees least."""

from collections import Counter
from random import Random

import pytest

import papan
from papan.core.game import Position
from papan.learn.weights import FOLDER
from papan.players import registry
from papan.players.fallible import FalliblePlayer, win_at_once
from papan.players.level_file import ENDING, read_levels
from papan.players.levels import UNMEASURED
from papan.search.limits import Limit
from papan.usercode import registry as games
from support import thoroughly

#: On a board that is full at the end, nobody has a choice at the last move.
WITH_WINS = {"adjacency": "adjacency:rounds=8"}

SHIPPED = sorted(path.stem for path in FOLDER.glob(f"*{ENDING}"))


def positions_with_a_win(game: str, count: int) -> list[Position]:
    """Positions of random games in which a move wins at once and another one does not."""
    chance, found = Random(5), []
    start = papan.game(game).start()
    while len(found) < count:
        for _, position in start.random_walk(chance):
            if len(position.codes()) > 1 and win_at_once(position) and not_all_win(position):
                found.append(position)
                break
    return found


def not_all_win(position: Position) -> bool:
    return not all(wins(position, code) for code in position.codes())


def wins(position: Position, move: str | int) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.points(position.side) == 1.0


def test_even_the_lowest_level_overlooks_a_win_in_one_less_than_one_time_in_five() -> None:
    player = registry.player(UNMEASURED[0].spec)
    positions = positions_with_a_win("tictactoe", 400)
    player.new_game(positions[0].game, 3)
    seen = sum(wins(each, player.choose(each, Limit()).move) for each in positions)
    # With a chance of 15 % to overlook one, 80 in 400 would be five standard deviations away.
    assert seen > 320
    assert seen < 400, "the lowest level errs"


@pytest.mark.long
@pytest.mark.parametrize("name", SHIPPED)
def test_no_measured_level_overlooks_more(name: str) -> None:
    game = games.game(name)
    lowest = read_levels(FOLDER / f"{name}{ENDING}", game).levels[0]
    positions = positions_with_a_win(WITH_WINS.get(name, name), 60)
    player = registry.player(lowest.strength.spec)
    player.new_game(positions[0].game, 3)
    seen = sum(wins(each, player.choose(each, Limit()).move) for each in positions)
    assert seen >= 48


def test_better_moves_are_played_more_often_and_the_worst_still_now_and_then() -> None:
    candidates = [("good", 0.6), ("fair", 0.5), ("bad", 0.2)]
    player = FalliblePlayer(noise=0.2)
    player.random.seed(1)
    drawn = Counter(player.drawn(candidates)[0] for _ in range(3000))
    assert drawn["good"] > drawn["fair"] > drawn["bad"] > 0
    assert 1.4 < drawn["good"] / drawn["fair"] < 1.95  # e^½ is 1.65


def test_without_noise_the_best_move_is_played() -> None:
    player = FalliblePlayer(noise=0.0)
    assert {player.drawn([("a", 0.5), ("b", 0.51)])[0] for _ in range(20)} == {"b"}


@pytest.mark.parametrize("search", ["mcts", *thoroughly("engine")])
def test_the_same_seed_plays_the_same_moves(search: str) -> None:
    position = papan.game("tictactoe").start()
    lines = []
    for _ in range(2):
        player = registry.player(f"fallible:search={search},nodes=60,noise=0.3")
        player.new_game(position.game, 7)
        lines.append([player.choose(position, Limit()).move for _ in range(8)])
    assert lines[0] == lines[1]
    assert len(set(lines[0])) > 1


def test_a_fallible_player_keeps_to_a_limit_of_time() -> None:
    position = papan.game("tictactoe").start()
    player = registry.player("fallible:nodes=100000000,noise=0.1")
    player.new_game(position.game, 1)
    assert player.choose(position, Limit(seconds=0.05)).move in position.moves()


def test_a_win_at_once_is_found_and_a_draw_is_none() -> None:
    position = papan.game("tictactoe").start().play("a1", "b1", "a2", "b2")
    assert win_at_once(position) == "a3"
    assert win_at_once(papan.game("tictactoe").start()) is None
