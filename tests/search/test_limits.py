"""Limits hold: depth, time, nodes, and the word of another thread."""

import _thread
import os
import signal
import threading

import pytest

import papan
from papan.errors import InvalidLimit
from papan.messages import Messages
from papan.search.algorithm import search
from papan.search.limits import DEFAULT_SECONDS, Limit, Stop
from papan.search.registry import algorithm, names
from papan.search.result import SearchResult
from papan.search.workspace import new_workspace
from support import SMALL_SPECS, CountingStop, find, middles, thoroughly, wait_until

#: Nodes after the switch is thrown: some 0.1 ms.
FEW = 20_000
#: With nodes, all algorithms search all smaller depths first.
LONG = Limit(depth=50, nodes=10**18)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("depth", 0),
        ("depth", -3),
        ("depth", 129),
        ("seconds", 0.0),
        ("seconds", -1.0),
        ("seconds", float("nan")),
        ("seconds", float("inf")),
        ("nodes", 0),
        ("nodes", -7),
        ("nodes", 10**19),
    ],
)
@pytest.mark.parametrize("language", ["en", "id"])
def test_a_limit_out_of_range_is_refused_in_one_line_that_names_it(
    field: str, value: float, language: str
) -> None:
    with pytest.raises(InvalidLimit) as caught:
        Limit(**{field: value})  # type: ignore[arg-type]  # each field takes its own kind of number
    text = Messages(language).explain(caught.value)
    assert str(value) in text
    assert "\n" not in text


@pytest.mark.parametrize("field", ["depth", "seconds", "nodes"])
def test_the_ends_of_each_range_are_allowed(field: str) -> None:
    low, high = {"depth": (1, 128), "seconds": (0.001, 1e9), "nodes": (1, 10**18)}[field]
    for value in (low, high):
        assert getattr(Limit(**{field: value}), field) == value


def test_a_search_without_limit_thinks_for_a_second() -> None:
    assert Limit().or_default() == Limit(seconds=DEFAULT_SECONDS)
    assert Limit(nodes=5).or_default() == Limit(nodes=5)


@pytest.mark.parametrize("name", [*names(), *thoroughly("engine:threads=2")])
@pytest.mark.parametrize("spec", [SMALL_SPECS[0], *thoroughly(*SMALL_SPECS[1:])])
def test_a_search_ends_few_nodes_after_its_time_is_up(spec: str, name: str) -> None:
    position = papan.game(spec if spec != "adjacency:size=4" else "adjacency").start()
    stop = CountingStop()
    result = search(position, Limit(seconds=0.05), algorithm=algorithm(name), stop=stop)
    assert result.move in position.moves()
    assert not result.proven
    assert stop.nodes_since <= FEW


@pytest.mark.parametrize("spec", SMALL_SPECS)
@pytest.mark.parametrize("nodes", [1, 10, 1_000, 100_000])
def test_a_node_limit_is_overrun_by_two_plies_at_most(spec: str, nodes: int) -> None:
    for position, _ in middles(spec, 4):
        result = search(position, Limit(nodes=nodes), algorithm=algorithm("alphabeta"))
        widest = 64 if spec == "corners" else 16
        assert result.nodes <= nodes + widest * widest
        assert result.move in position.moves()


def test_the_same_node_limit_gives_the_same_result() -> None:
    position = papan.game("corners").start()
    first, second = (
        search(position, Limit(nodes=50_000), algorithm=algorithm("alphabeta")) for _ in range(2)
    )
    assert (first.move, first.value, first.nodes) == (second.move, second.value, second.nodes)
    assert first.depth >= 4


def test_the_least_limit_still_gives_a_legal_move() -> None:
    position = papan.game("corners").start()
    result = search(position, Limit(nodes=1), algorithm=algorithm("minimax"))
    assert result.move in position.moves()
    assert not result.proven


@pytest.mark.parametrize("name", ["alphabeta", "mcts"])
def test_another_thread_can_stop_a_search(name: str) -> None:
    position = papan.game("adjacency").start()
    stop, begun = CountingStop(), threading.Event()
    other = threading.Thread(target=lambda: (begun.wait(), stop.set()))
    other.start()
    result = search(
        position,
        LONG,
        algorithm=algorithm(name),
        on_result=lambda result: begun.set(),
        stop=stop,
    )
    other.join()
    assert result.move in position.moves()
    assert result.depth < 50
    assert stop.nodes_since <= FEW


def test_a_switch_that_was_thrown_before_ends_a_search_at_once() -> None:
    position = papan.game("adjacency").start()
    find("alphabeta", position, 1)
    stop = Stop()
    stop.set()
    result = search(position, Limit(depth=50), algorithm=algorithm("alphabeta"), stop=stop)
    assert result.move == position.moves()[0]
    assert result.depth == 0


def test_a_switch_reaches_workspaces_that_come_later() -> None:
    stop = Stop()
    stop.set()
    position = papan.game("corners").start()
    workspace = new_workspace(position)
    stop.watch(workspace, position)
    assert workspace.stop == 1


def test_ctrl_c_ends_a_search_and_leaves_no_thread_behind() -> None:
    def interrupt(result: SearchResult) -> None:
        if result.depth == 3:
            os.kill(os.getpid(), signal.SIGINT)

    position = papan.game("adjacency").start()
    before = _thread._count()  # those of searches are not in `threading.enumerate`
    with pytest.raises(KeyboardInterrupt):
        search(position, LONG, algorithm=algorithm("alphabeta"), on_result=interrupt)
    wait_until(lambda: _thread._count() <= before)


def test_an_error_in_the_searching_thread_is_raised_by_the_search() -> None:
    def fail(result: object) -> None:
        raise LookupError("told")

    position = papan.game("platforms").start()
    with pytest.raises(LookupError, match="told"):
        search(position, Limit(depth=2), algorithm=algorithm("alphabeta"), on_result=fail)
