"""Campaigns: jobs in order, lost workers, ends, and what is cleaned up."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from papan.campaign import Campaign, undivided
from papan.errors import PapanError
from papan.workers import WorkerPool
from support import is_gone, wait_until


def double(job: int) -> Iterator[int]:
    yield job
    yield 2 * job


def die_once(flag: Path) -> Iterator[str]:
    if not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    yield "done"


def die(job: object) -> Iterator[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield "never"


def wait_forever(folder: Path) -> Iterator[None]:
    (folder / f"{os.getpid()}").touch()
    signal.pause()
    yield


def test_jobs_are_read_one_by_one_and_each_result_is_yielded_with_its_job() -> None:
    done: list[int] = []
    planned = ((done.append(job), job)[1] for job in (1, 2))
    results = Campaign().run(double, planned)
    assert (next(results), done) == ((1, 1), [1])
    assert (list(results), done) == ([(1, 2), (2, 2), (2, 4)], [1, 2])


def test_workers_give_the_same_results() -> None:
    assert sorted(Campaign(2).run(double, range(4))) == sorted(Campaign().run(double, range(4)))


def test_a_job_whose_worker_died_is_done_again(tmp_path: Path) -> None:
    assert list(Campaign(2).run(die_once, [tmp_path / "flag"])) == [(tmp_path / "flag", "done")]


def test_a_job_that_breaks_every_worker_is_given_up() -> None:
    lost = Campaign(2).run(die, ["job"], attempts=1, give_up=lambda job: [f"lost {job}"])
    assert list(lost) == [("job", "lost job")]
    with pytest.raises(PapanError, match="job"):
        list(Campaign(2).run(die, ["job"], attempts=1))


@pytest.mark.parametrize("seconds", [0.0, None])
def test_no_job_begins_when_the_time_is_up_or_it_was_stopped(seconds: float | None) -> None:
    campaign = Campaign(stop=lambda: seconds is None, seconds=seconds)
    assert campaign.is_over() and not list(campaign.run(double, [1]))


def test_the_time_of_earlier_runs_counts() -> None:
    assert Campaign(seconds=100.0, spent=101.0).is_over()
    assert not Campaign(seconds=100.0, spent=1.0).is_over()


def test_jobs_under_way_are_given_up_when_a_campaign_is_stopped(tmp_path: Path) -> None:
    campaign = Campaign(2, stop=lambda: len(list(tmp_path.iterdir())) == 2)
    assert not list(campaign.run(wait_forever, [tmp_path] * 2))
    pids = [int(path.name) for path in tmp_path.iterdir()]
    wait_until(lambda: all(map(is_gone, pids)))


def test_what_is_to_be_cleaned_up_is_when_the_last_run_has_ended() -> None:
    cleaned: list[int] = []
    campaign = Campaign()
    campaign.at_end(lambda: cleaned.append(1))
    list(campaign.run(double, [1]))
    assert cleaned == [1]
    with Campaign() as kept:
        kept.at_end(lambda: cleaned.append(2))
        list(kept.run(double, [1]))
        assert cleaned == [1]
    assert cleaned == [1, 2]


def test_a_pool_starts_processes_again_after_its_end() -> None:
    pool = WorkerPool(2)
    first = pool.submit(os.getpid).result()
    pool.close()
    with pool:
        assert pool.submit(os.getpid).result() not in (first, os.getpid())


def test_ctrl_c_waits_for_the_end_of_steps_that_belong_together() -> None:
    steps = []

    def work() -> None:
        with undivided():
            signal.raise_signal(signal.SIGINT)
            steps.append("done")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert steps == ["done"]
