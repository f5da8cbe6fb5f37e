"""The pool of processes in which engines think."""

import asyncio
import contextlib
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

import pytest

from papan.errors import IllegalMove, PapanError
from papan.jit.compiler import kernel
from papan.web.engines import engine_pool, engine_worker
from papan.web.engines.compilation import FIRST_PARTS
from papan.web.engines.engine_pool import (
    EngineJob,
    EnginePool,
    EngineProcess,
    FairQueue,
    Stages,
    warm_tasks,
)
from papan.web.engines.engine_worker import EngineRequest, EngineWorker
from papan.web.http.refusals import EngineFailed, TooBusy
from papan.web.http.security import Asker, Askers
from support import GALLERY, PATIENCE

MOVE = EngineRequest("move", "adjacency:size=4", player="beginner")
LONG = EngineRequest("search", "platforms:size=6,level=3", player="alphabeta", seconds=10_000)


def with_pool(
    work: Callable[[EnginePool], Awaitable[Any]], warm: list[EngineRequest] | None = None
) -> Any:
    """What `work` returns, given a pool of one process."""

    async def run() -> Any:
        pool = EnginePool(1, warm or [])
        await pool.start()
        try:
            return await asyncio.wait_for(work(pool), 2 * PATIENCE)
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

    async def work(pool: EnginePool) -> bool:
        first: bool = (await pool.run(task, "a"))["plain"]
        while (await pool.run(task, "a"))["plain"]:
            pass
        return first

    assert with_pool(work)


@pytest.mark.long
def test_who_thinks_for_long_is_compiled_in_that_time(own_game: str) -> None:
    task = EngineRequest("move", own_game, player="mcts", seconds=engine_worker.COMPILING + 2)

    async def work(pool: EnginePool) -> Any:
        return await pool.run(task, "a")

    assert not with_pool(work)["plain"]


@pytest.fixture
def own_game(tmp_path: Path) -> str:
    """A game of which nothing was compiled, whatever ran here before."""
    file = tmp_path / "mine.py"
    source = (GALLERY / "breakthrough.py").read_text(encoding="utf-8")
    file.write_text(f"{source}\n# {secrets.token_hex()}\n")
    return str(file)


def test_a_search_tells_of_better_and_better_results_and_can_be_stopped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine_pool, "LONGEST", LONG.seconds)

    async def work(pool: EnginePool) -> list[int]:
        depths: list[int] = []
        enough = asyncio.Event()

        def note(result: dict[str, Any]) -> None:
            depths.append(result["depth"])
            if len(depths) == 3:
                enough.set()

        searching = asyncio.create_task(pool.run(LONG, "a", note))
        await enough.wait()
        searching.cancel()
        await pool.run(MOVE, "a")
        return depths[:3]

    depths = with_pool(work)
    assert depths == list(range(depths[0], depths[0] + 3))  # the first in plain Python, perhaps


def test_a_wrong_task_is_refused_with_its_reason() -> None:
    async def work(pool: EnginePool) -> None:
        await pool.run(EngineRequest("move", "adjacency", moves=("a1",), player="beginner"), "a")

    with pytest.raises(IllegalMove, match="a1"):
        with_pool(work)


def test_a_process_that_dies_is_replaced() -> None:
    async def work(pool: EnginePool) -> Any:
        stages = Stages()
        searching = asyncio.create_task(pool.run(LONG, "a", stages=stages))
        await stages.begun.wait()
        for process in pool.running_processes:
            process.kill()
        with pytest.raises(EngineFailed):
            await searching
        return await pool.run(MOVE, "a")

    assert with_pool(work)["move"]


def test_a_process_that_does_not_answer_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "PREPARATION", 0.0)

    async def work(pool: EnginePool) -> Any:
        with pytest.raises(EngineFailed, match="in time"):
            await pool.run(MOVE, "a")
        monkeypatch.setattr(engine_pool, "PREPARATION", PATIENCE)
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
        asked = [pool.run(MOVE, "a") for _ in range(engine_pool.MOST_OF_BROWSER + 3)]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        return sum(isinstance(answer, TooBusy) for answer in answers)

    assert with_pool(work) > 0


@pytest.mark.thorough
def test_the_more_wait_the_less_each_may_think() -> None:
    async def work(pool: EnginePool) -> list[float]:
        task = EngineRequest("search", "adjacency", player="alphabeta", seconds=1)
        given: list[float] = []
        cut = pool._cut
        pool._cut = lambda job: given.append((found := cut(job)).seconds) or found  # type: ignore[assignment, method-assign]
        await asyncio.gather(*(pool.run(task, str(name)) for name in range(4)))
        return given

    assert with_pool(work) == pytest.approx([1 / 4, 1 / 3, 1 / 2, 1])


def test_getting_ready_is_told_step_by_step() -> None:
    async def work(pool: EnginePool) -> list[tuple[int, int]]:
        return [step async for step in pool.changes()]

    warm = [EngineRequest("warm", "adjacency:size=4", player="beginner")] * 2
    steps = with_pool(work, warm)
    assert steps[-1] == (2, 2)
    assert steps == sorted(steps)


def test_to_compile_is_given_other_time_than_to_think(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_pool, "PREPARATION", 20_000.0)
    monkeypatch.setattr(engine_pool, "GRACE", 10_000.0)
    waits: list[float] = []
    wait_for = asyncio.wait_for

    def noted(awaited: Awaitable[Any], seconds: float) -> Any:
        waits.append(seconds)
        return wait_for(awaited, seconds)

    async def work(pool: EnginePool) -> None:
        monkeypatch.setattr(asyncio, "wait_for", noted)
        await pool.run(MOVE, "a")

    with_pool(work)
    assert waits[0] > 15_000.0 > waits[-1] > 5_000.0


def test_a_process_tells_of_each_part_that_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    factor = 2  # a kernel with a value from outside is not kept

    @kernel
    def doubled(number: int) -> int:
        return factor * number

    monkeypatch.setitem(
        cast("dict[str, Any]", engine_worker.KINDS), "warm", lambda *_: {"found": doubled(4)}
    )
    sent: list[Any] = []
    pipe = SimpleNamespace(send=sent.append)
    for number in (1, 2):
        engine_worker._do(cast(Any, pipe), EngineWorker(), number, replace(MOVE, kind="warm"))
    assert sent == [("compiled", 1, 1), ("done", 1, {"found": 8}), ("done", 2, {"found": 8})]


def test_who_waits_for_a_process_that_compiles_sees_its_progress() -> None:
    async def work() -> list[tuple[int, int] | None]:
        pool, seen = EnginePool(1, []), list[tuple[int, int] | None]()

        def note() -> None:
            running = stages.compilation
            seen.append((running.done, running.parts) if running else None)

        def job(stages: Stages | None) -> EngineJob:
            answer = asyncio.get_running_loop().create_future()
            return EngineJob(1, MOVE, Asker("here", "ani"), answer, stages=stages)

        stages, helper = Stages(note), EngineProcess(cast(Any, None), cast(Any, None))
        pool._waiting.add(job(stages))
        preparation = job(None)
        pool._note_part(helper, preparation, 3)
        pool._note_part(helper, preparation, 30)
        pool._end_compilation(helper, preparation)
        pool._note_part(helper, preparation, 1)
        return seen

    assert asyncio.run(work()) == [(3, FIRST_PARTS), (30, FIRST_PARTS), None, (1, 30)]


def test_a_player_is_compiled_by_one_process_only() -> None:
    async def work() -> list[int]:
        pool = EnginePool(2, [])
        pool._helpers = {
            number: EngineProcess(cast(Any, None), cast(Any, None)) for number in range(2)
        }
        for number, seed in enumerate((7, 8)):
            pool._compile_next(pool._helpers[number], replace(MOVE, seed=seed))
        return [len(helper.to_compile) for helper in pool._helpers.values()]

    assert asyncio.run(work()) == [1, 0]


def test_one_process_stays_free_while_another_compiles() -> None:
    async def work() -> list[bool]:
        pool = EnginePool(2, [])
        one, two = (EngineProcess(cast(Any, None), cast(Any, None)) for _ in range(2))
        pool._helpers, warm = {0: one, 1: two}, replace(MOVE, kind="warm")
        one.to_warm.append(warm)
        may = [pool._may_prepare(one, first=True)]
        two.to_compile.append(warm)
        may += [pool._may_prepare(one, first=True), pool._may_prepare(two, first=False)]
        answer = asyncio.get_running_loop().create_future()
        one.job = EngineJob(1, warm, Asker("", ""), answer)
        may.append(pool._may_prepare(two, first=False))
        pool._running.append(one.job)  # a move, not a preparation
        return [*may, pool._may_prepare(two, first=False)]

    assert asyncio.run(work()) == [True, False, True, False, True]


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
    many = [Asker("many", str(number)) for number in range(engine_pool.MOST_OF_ADDRESS)]
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
        for name in range(engine_pool.MOST_OF_ADDRESS + 1):
            try:
                queue.add(Wanted(Asker(str(address), str(name))))
            except TooBusy:
                refused += 1
    assert len(queue) == engine_pool.MOST_WAITING
    assert refused == 5 * (engine_pool.MOST_OF_ADDRESS + 1) - engine_pool.MOST_WAITING


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
