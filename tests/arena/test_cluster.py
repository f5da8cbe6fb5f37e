"""Workers of a Dask scheduler play and solve: they die, come late, and nothing is lost or counted
twice."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

import papan
from papan.arena.cluster import WORKERS, check_address, cluster
from papan.arena.measure import Match, measure
from papan.campaign import Campaign
from papan.errors import PapanError, UsageError
from papan.learn.training import Training, TrainingPlan
from papan.records.model import Record
from papan.records.store import Store
from papan.tablebase import cluster as pieces
from papan.tablebase.build import build
from support import PATIENCE, environment, wait_until

MATCH = Match("platforms:size=4", "random", "random", 400, seed=5)


def needs_dask() -> None:
    """Skips a test where the extra is not installed."""
    pytest.importorskip("distributed", reason="the extra papan[cluster] is not installed")


@contextmanager
def process(*words: str) -> Iterator["subprocess.Popen[bytes]"]:
    """A Dask process in the quiet, killed in the end."""
    started = subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        env=environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield started
    finally:
        started.kill()
        started.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    """A scheduler on a free port of this machine, and its address."""
    facts = folder / "scheduler.json"
    words = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-jupyter")
    with process("scheduler", *words, "--scheduler-file", str(facts)) as started:

        def address() -> str:
            try:
                return str(json.loads(facts.read_text())["address"])
            except (OSError, ValueError):
                return ""

        yield wait_until(address), started


def worker(address: str, folder: Path) -> Any:
    """A worker process with one thread, and nobody who would start it again."""
    words = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--memory-limit", "0")
    place = ("--host", "127.0.0.1", "--local-directory", str(folder))
    return process("worker", address, *words, *place)


def test_no_game_is_lost_or_doubled_while_workers_die_and_come(tmp_path: Path) -> None:
    needs_dask()
    games: list[Record] = []
    with ExitStack() as stack, Store(tmp_path / "games.sqlite") as store:
        address, _ = stack.enter_context(scheduler(tmp_path))
        early = [stack.enter_context(worker(address, tmp_path)) for _ in range(3)]
        executor = stack.enter_context(cluster(address))
        client = executor._client  # type: ignore[attr-defined]  # nobody else knows the workers
        client.wait_for_workers(3, timeout=PATIENCE)

        def on_game(record: Record, tally: object) -> None:
            games.append(record)
            if len(games) == 20:
                early[0].send_signal(signal.SIGKILL)
                stack.enter_context(worker(address, tmp_path))
            if len(games) == 40:
                client.wait_for_workers(3, timeout=PATIENCE)

        tally = measure(MATCH, on_game, store=store, campaign=Campaign(WORKERS, executor))
        kept = list(store.find(event=MATCH.event))
    assert early[0].returncode == -signal.SIGKILL
    assert sorted(game.round for game in games) == list(range(1, 401))
    assert sorted(game.round for game in kept) == list(range(1, 401))
    assert tally.points == measure(MATCH).points


@pytest.mark.thorough
def test_finished_games_outlive_the_scheduler_and_the_match_goes_on(tmp_path: Path) -> None:
    needs_dask()
    with Store(tmp_path / "games.sqlite") as store:
        with scheduler(tmp_path) as (address, started), worker(address, tmp_path):

            def play() -> None:
                with cluster(address) as executor:
                    measure(
                        MATCH,
                        lambda *_: started.kill(),
                        store=store,
                        campaign=Campaign(8, executor),
                    )

            with pytest.raises(PapanError, match="was lost") as lost:
                play()
        assert not isinstance(lost.value, UsageError)
        assert 0 < store.count(event=MATCH.event) < MATCH.games
        assert measure(MATCH, store=store).points == measure(MATCH).points


def test_a_scheduler_that_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    needs_dask()
    monkeypatch.setattr("papan.arena.cluster.CONNECTING", 0.5)
    with (
        pytest.raises(UsageError, match="no Dask scheduler responds"),
        cluster("tcp://127.0.0.1:1"),
    ):
        pytest.fail("nobody is there")


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UsageError, match=r"papan\[cluster\]"), cluster("tcp://127.0.0.1:1"):
        pytest.fail("there is no Dask")


@pytest.mark.parametrize(
    "address",
    ["tcp://127.0.0.1:8786", "tcp://localhost:8786", "tcp://[::1]:8786", "tls://example.org:8786"],
)
def test_this_machine_and_tls_are_safe(address: str) -> None:
    check_address(address)
    check_address(address, insecure=True)


@pytest.mark.parametrize(
    "address", ["tcp://192.0.2.1:8786", "tcp://example.org:8786", "tcp://localhost.example:1"]
)
def test_other_machines_without_tls_are_refused_unless_somebody_insists(address: str) -> None:
    with pytest.raises(UsageError, match="--insecure-cluster"):
        check_address(address)
    check_address(address, insecure=True)


@pytest.mark.parametrize(
    "address", ["", "8786", "127.0.0.1:8786", "tcp://", "tcp://host", "tcp://host:x", "inproc://a"]
)
def test_what_is_no_address_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="expected tcp://host:port"):
        check_address(address, insecure=True)


@pytest.mark.thorough
def test_a_training_goes_on_when_a_worker_is_killed(tmp_path: Path) -> None:
    needs_dask()
    plan = TrainingPlan(games=40_000, seed=1)
    with ExitStack() as stack:
        address, _ = stack.enter_context(scheduler(tmp_path))
        workers = [stack.enter_context(worker(address, tmp_path)) for _ in range(2)]
        executor = stack.enter_context(cluster(address))
        client = executor._client  # type: ignore[attr-defined]  # nobody else knows the workers
        client.wait_for_workers(2, timeout=PATIENCE)
        assert executor.workers == 2  # type: ignore[attr-defined]
        training = Training(papan.game("tictactoe"), plan, executor=executor)
        for number, _ in enumerate(training.run()):
            if number == 0:
                workers[0].send_signal(signal.SIGKILL)
    assert workers[0].returncode == -signal.SIGKILL
    assert training.games >= 40_000
    assert training.history[-1].against_fixed.score > 0.6


@pytest.mark.long
def test_a_tablebase_is_the_same_byte_for_byte_when_a_worker_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    needs_dask()
    monkeypatch.setattr(pieces, "_LEAST", 64)
    start = papan.game("platforms:size=3,level=2").start()
    with ExitStack() as stack:
        address, _ = stack.enter_context(scheduler(tmp_path))
        workers = [stack.enter_context(worker(address, tmp_path)) for _ in range(3)]
        executor: Any = stack.enter_context(cluster(address))
        executor._client.wait_for_workers(3, timeout=PATIENCE)
        submit, given = executor.submit, list[object]()

        def counted(*words: Any) -> Any:
            given.append(words)
            if len(given) == 20:  # in the middle of a layer, with pieces on each worker
                workers[0].send_signal(signal.SIGKILL)
            return submit(*words)

        monkeypatch.setattr(executor, "submit", counted)
        build(start, out=tmp_path / "cluster.db", executor=executor)
        left = executor.workers
    assert workers[0].returncode == -signal.SIGKILL
    assert left == 2 and len(given) > 40
    build(start, out=tmp_path / "alone.db")
    assert (tmp_path / "cluster.db").read_bytes() == (tmp_path / "alone.db").read_bytes()
