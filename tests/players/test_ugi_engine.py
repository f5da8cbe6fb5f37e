"""The engine behind `papan ugi` keeps its limits, shows its lines and plays as the player does."""

import threading
from dataclasses import replace
from typing import Any

import pytest

import papan
from papan.errors import UsageError
from papan.learn import choice
from papan.players.registry import player
from papan.players.ugi_engine import EngineThinker
from papan.players.ugi_limits import go_of, limit_of
from papan.protocol.messages import Go, Info
from papan.search.limits import Limit
from papan.search.result import knows_chances

SMALL = "platforms:size=3,level=2"


def think(thinker: EngineThinker, spec: str, go: Go) -> tuple[str, list[Info]]:
    """The move and what was said on the way."""
    infos: list[Info] = []
    move = thinker.begin(papan.game(spec).start(), go).run(infos.append)
    return move, infos


@pytest.mark.parametrize("spec", [SMALL, "adjacency:size=4,rounds=3"])
def test_it_plays_as_the_player_of_that_name_does(spec: str) -> None:
    move, infos = think(EngineThinker(), spec, Go(depth=5))
    choice = player("engine").choose(papan.game(spec).start(), Limit(depth=5))
    assert (move, infos[-1].score, infos[-1].pv) == (choice.move, choice.value, choice.pv)


def test_the_strategy_move_is_played_and_reported() -> None:
    position = papan.game("adjacency:size=4,rounds=4").start().play("a3")
    infos: list[Info] = []
    thinker = EngineThinker()
    move = thinker.begin(position, Go(nodes=1)).run(infos.append)
    assert (move, infos[-1].pv) == ("d2", ("d2",))
    thinker.set_option(position.game, "sure", "false")
    assert thinker.begin(position, Go(depth=1)).run(infos.append) in position.moves()
    assert infos[-1].depth == 1


def test_each_depth_is_said_with_every_line_that_was_asked_for() -> None:
    thinker = EngineThinker()
    thinker.set_option(papan.game(SMALL), "multipv", "2")
    _, infos = think(thinker, SMALL, Go(depth=3))
    assert [(info.depth, info.multipv) for info in infos] == [
        (depth, rank) for depth in (1, 2, 3) for rank in (1, 2)
    ]
    assert all(info.pv and info.nodes and info.score is not None for info in infos)


def test_it_can_be_stopped_before_it_begins_and_still_has_a_move() -> None:
    thought = EngineThinker().begin(papan.game(SMALL).start(), Go(infinite=True))
    thought.stop()
    assert thought.run(lambda info: None) in papan.game(SMALL).start().moves()


def test_it_can_be_stopped_by_another_thread() -> None:
    thought = EngineThinker().begin(papan.game("corners").start(), Go(infinite=True))

    def stop(info: Info) -> None:
        threading.Thread(target=thought.stop).start()

    assert thought.run(stop) in papan.game("corners").start().moves()


@pytest.mark.parametrize(
    ("name", "value"),
    [("threads", "0"), ("hash", "x"), ("multipv", "65"), ("evaluation", "luck"), ("sure", "?")],
)
def test_a_value_that_is_not_allowed_is_refused(name: str, value: str) -> None:
    thinker, game = EngineThinker(), papan.game("adjacency")
    before = thinker.options(game)
    with pytest.raises(UsageError, match=value.replace("?", r"\?")):
        thinker.set_option(game, name, value)
    assert thinker.options(game) == before


def test_an_evaluation_is_chosen_by_name_and_falls_back_in_other_games() -> None:
    thinker, adjacency = EngineThinker(), papan.game("adjacency")
    assert thinker.evaluation(adjacency) == choice.strongest(adjacency)
    thinker.set_option(adjacency, "evaluation", "pieces")
    assert thinker.evaluation(adjacency) == adjacency.evaluations["pieces"]
    corners = papan.game("corners")
    assert thinker.evaluation(corners) == choice.strongest(corners)


def test_what_was_learnt_is_used_where_it_was_measured_to_be_stronger() -> None:
    game = papan.game("connect_four")
    found = EngineThinker().evaluation(game)
    assert found is choice.strongest(game)
    assert knows_chances(found)


@pytest.mark.parametrize(
    ("go", "expected"),
    [
        ({"depth": 4}, {"depth": 4}),
        ({"depth": 0}, {"depth": 1}),
        ({"depth": 10**9}, {"depth": 128}),
        ({"movetime": 1500, "nodes": 10}, {"seconds": 1.5, "nodes": 10}),
        ({"movetime": 0}, {"seconds": 0.001}),
        ({"nodes": 0}, {"nodes": 1}),
        ({"p1time": 0}, {"seconds": 0.001}),
        ({"p2time": 5000}, {}),
        ({"p1time": 10**18, "movetime": 100}, {"seconds": 0.1}),
        ({}, {}),
    ],
)
def test_go_becomes_a_limit_in_range(go: dict[str, Any], expected: dict[str, Any]) -> None:
    limit = limit_of(Go(**go), papan.game(SMALL).start())
    assert replace(limit, clocks=None) == Limit(**expected)


def test_a_clock_becomes_a_share_of_it() -> None:
    seconds = limit_of(Go(p1time=60_000, p1inc=100), papan.game("adjacency").start()).seconds
    assert seconds is not None
    assert 1 < seconds < 5


@pytest.mark.parametrize(
    ("limit", "go"),
    [
        (Limit(seconds=0.25, depth=3), Go(movetime=250, depth=3)),
        (Limit(nodes=9), Go(nodes=9)),
        (Limit(seconds=0.001), Go(movetime=1)),
        (Limit(), Go(movetime=1000)),
    ],
)
def test_a_limit_becomes_what_a_program_understands(limit: Limit, go: Go) -> None:
    assert go_of(limit) == go
