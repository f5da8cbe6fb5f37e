"""The pool of processes in which engines think."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from papan.errors import IllegalMove, PapanError
from papan.web.server.security import Asker, Askers
from papan.web.workers import engine_pool, engine_worker, fair_queue
from papan.web.workers.engine_pool import EngineFailed, EnginePool, Stages, warm_tasks
from papan.web.workers.engine_worker import EngineRequest
from papan.web.workers.fair_queue import FairQueue, TooBusy
from support import GALLERY

MOVE = EngineRequest("move", "adjacency:size=4", player="beginner")
#: A process starts, loads a game and plays in plain Python within this time, on a busy machine.
SOON = 8.0
LONG = EngineRequest("search", "platforms:size=6,level=3", player="alphabeta", seconds=50)


def with_pool(
    work: Callable[[EnginePool], Awaitable[Any]], warm: list[EngineRequest] | None = None
) -> Any:
    """What `work` returns, given a pool of one process."""

    async def run() -> Any:
        pool = EnginePool(1, warm or [])
        await pool.start()
        try:
            return await asyncio.wait_for(work(pool), 100)
        finally:
            await pool.close()

    return asyncio.run(run())


def test_a_player_gives_a_legal_move() -> None:
    async def work(pool: EnginePool) -> Any:
        return await pool.run(MOVE, "a")

    found = with_pool(work)
    assert found["move"] in MOVE.position().moves()


@pytest.mark.thorough
def test_a_level_answers_in_plain_python_and_is_compiled_after_that(own_game: str) -> None:
    """Its first move does not wait for the compiler; a later one is found by machine code."""
    task = EngineRequest("move", own_game, player="level:4", seconds=10)

    async def work(pool: EnginePool) -> tuple[list[bool], float]:
        began = time.monotonic()
        plain = [(await pool.run(task, "a"))["plain"]]
        seconds = time.monotonic() - began
        while plain[-1]:
            await asyncio.sleep(0.5)
            plain.append((await pool.run(task, "a"))["plain"])
        return plain, seconds

    plain, seconds = with_pool(work)
    assert plain[0]
    assert seconds < SOON


@pytest.mark.thorough
def test_who_thinks_for_long_is_compiled_in_that_time(own_game: str) -> None:
    task = EngineRequest("move", own_game, player="mcts", seconds=engine_worker.COMPILING + 2)

    async def work(pool: EnginePool) -> tuple[bool, float, float]:
        stages, began = Stages(), time.monotonic()
        answer = asyncio.create_task(pool.run(task, "a", stages=stages))
        await stages.begun.wait()
        await stages.ready.wait()
        ready = time.monotonic()
        found = await answer
        return found["plain"], ready - began, time.monotonic() - ready

    plain, preparing, thinking = with_pool(work)
    assert not plain
    # The process has started before, and is given a moment to stop.
    assert thinking < max(task.seconds - preparing, engine_worker.PLAIN_SECONDS) + 2.5


@pytest.fixture
def own_game(tmp_path: Path) -> str:
    """A game of which nothing was compiled, whatever ran here before."""
    file = tmp_path / "mine.py"
    source = (GALLERY / "breakthrough.py").read_text(encoding="utf-8")
    file.write_text(f"{source}\n# {secrets.token_hex()}\n")
    return str(file)


def test_a_search_tells_of_better_and_better_results_and_can_be_stopped() -> None:
    async def work(pool: EnginePool) -> tuple[list[int], float]:
        depths: list[int] = []
        searching = asyncio.create_task(
            pool.run(LONG, "a", lambda result: depths.append(result["depth"]))
        )
        while len(depths) < 3:
            await asyncio.sleep(0.02)
        searching.cancel()
        began = time.monotonic()
        await pool.run(MOVE, "a")
        return depths[:3], time.monotonic() - began

    depths, seconds = with_pool(work)
    assert depths == list(range(depths[0], depths[0] + 3))  # the first in plain Python, perhaps
    assert seconds < 10


def test_a_wrong_task_is_refused_with_its_reason() -> None:
    async def work(pool: EnginePool) -> None:
        await pool.run(EngineRequest("move", "adjacency", moves=("a1",), player="beginner"), "a")

    with pytest.raises(IllegalMove, match="a1"):
        with_pool(work)


def test_a_process_that_dies_is_replaced() -> None:
    async def work(pool: EnginePool) -> Any:
        searching = asyncio.create_task(pool.run(LONG, "a"))
        await asyncio.sleep(0.5)
        for process in pool.running_processes:
            process.kill()
        with pytest.raises(EngineFailed):
            await searching
        return await pool.run(MOVE, "a")

    assert with_pool(work)["move"]


def test_a_process_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "PREPARATION", 0.01)

    async def work(pool: EnginePool) -> Any:
        with pytest.raises(EngineFailed, match="in time"):
            await pool.run(MOVE, "a")
        monkeypatch.setattr(engine_pool, "PREPARATION", 60.0)
        return await pool.run(MOVE, "a")

    assert with_pool(work)["move"]


def test_one_browser_s_many_tasks_do_not_keep_another_waiting() -> None:
    async def work(pool: EnginePool) -> list[str]:
        done: list[str] = []

        async def ask(name: str) -> None:
            await pool.run(MOVE, name)
            done.append(name)

        await asyncio.gather(*(ask(name) for name in ("a", "a", "a", "a", "b")))
        return done

    assert "b" in with_pool(work)[:2]


def test_a_browser_that_asks_for_too_much_is_refused() -> None:
    async def work(pool: EnginePool) -> int:
        asked = [pool.run(MOVE, "a") for _ in range(fair_queue.MOST_OF_BROWSER + 3)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return sum(isinstance(answer, TooBusy) for answer in answers)

    assert with_pool(work) > 0


@pytest.mark.thorough
def test_the_more_wait_the_less_each_may_think() -> None:
    async def work(pool: EnginePool) -> float:
        task = EngineRequest("search", "adjacency", player="alphabeta", seconds=1)
        await pool.run(EngineRequest("search", "adjacency", player="alphabeta", depth=2), "a")
        began = time.monotonic()
        await asyncio.gather(*(pool.run(task, str(name)) for name in range(4)))
        return time.monotonic() - began

    assert with_pool(work) < 3.5


def test_getting_ready_is_told_step_by_step() -> None:
    async def work(pool: EnginePool) -> list[tuple[int, int]]:
        return [step async for step in pool.changes()]

    warm = [EngineRequest("warm", "adjacency:size=4", player="beginner")] * 2
    steps = with_pool(work, warm)
    assert steps[-1] == (2, 2)
    assert steps == sorted(steps)


def test_a_process_that_compiles_for_long_is_not_taken_for_a_dead_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(engine_pool, "GRACE", -0.9)  # a tenth of a second to think
    slow = tmp_path / "slow.py"
    slow.write_text("import time\ntime.sleep(1.2)\ndef choose(position, limit): pass\n")

    async def work(pool: EnginePool) -> bool:
        before = [process.pid for process in pool.running_processes]
        async for _ in pool.changes():
            pass
        assert pool.preparation > engine_pool.LOADING
        return before == [process.pid for process in pool.running_processes]

    assert with_pool(work, [EngineRequest("warm", "adjacency:size=4", player=f"python:{slow}")])


def test_whatever_a_player_raises_is_a_refusal() -> None:
    async def work(pool: EnginePool) -> None:
        await pool.run(EngineRequest("move", "adjacency", player="python:/nowhere.py"), "a")

    with pytest.raises(PapanError):
        with_pool(work)


def test_engines_get_ready_for_players_first_and_for_trees_last() -> None:
    kinds = [(request.kind, request.game) for request in warm_tasks(["corners", "platforms"])]
    assert kinds[:2] == [("warm", "corners"), ("warm", "platforms")]
    assert kinds[-2:] == [("tree", "corners"), ("tree", "platforms")]


class Wanted(NamedTuple):
    """A task in the queue."""

    asker: Asker


def test_turns_go_round_by_address_and_then_by_browser() -> None:
    queue: FairQueue[Wanted] = FairQueue()
    many = [Asker("many", str(number)) for number in range(fair_queue.MOST_OF_ADDRESS)]
    for asker in [*many, Asker("one", "ani"), Asker("many", "0")]:
        with contextlib.suppress(TooBusy):
            queue.add(Wanted(asker))
    first, second, third = (queue.take([], 2) for _ in range(3))
    assert first and second and third
    assert {first.asker, second.asker} == {many[0], Asker("one", "ani")}
    assert third.asker == many[1]


def test_an_address_and_all_of_them_can_ask_for_so_much_only() -> None:
    queue: FairQueue[Wanted] = FairQueue()
    refused = 0
    for address in range(5):
        for name in range(fair_queue.MOST_OF_ADDRESS + 1):
            try:
                queue.add(Wanted(Asker(str(address), str(name))))
            except TooBusy:
                refused += 1
    assert len(queue) == fair_queue.MOST_WAITING
    assert refused == 5 * (fair_queue.MOST_OF_ADDRESS + 1) - fair_queue.MOST_WAITING


def test_requests_without_a_cookie_are_one_browser_and_leave_an_engine_to_others() -> None:
    askers = Askers()
    for number in range(9):
        askers.note(f"new{number}", "here", known=False)
    askers.note("ani", "here", known=True)
    queue: FairQueue[Wanted] = FairQueue()
    for name in ("new0", "new1", "new2", "new3"):
        queue.add(Wanted(askers.of(name)))
    with pytest.raises(TooBusy):
        queue.add(Wanted(askers.of("new8")))
    first = queue.take([], 2)
    assert first is not None
    assert queue.take([first], 2) is None
    queue.add(Wanted(askers.of("ani")))
    assert queue.take([first], 2) == Wanted(Asker("here", "ani"))
    assert queue.crowd(Asker("here", "ani"), [first]) == 2
