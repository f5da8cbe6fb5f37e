"""A pytest plugin for `--costs`: what each test costs in processor time and compiled functions.

Processor time is that of the test's process and of the child processes it waited for. Compiled
functions are those that numba compiled in the test's process, not those it loaded from the cache.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from numba.core import event

#: Number of tests in the list of the most expensive ones.
_LISTED = 40


class _CompileCounter(event.Listener):  # type: ignore[misc]  # numba is untyped
    """Counts the functions that numba compiles in this process."""

    count = 0

    def on_start(self, event: Any) -> None:
        self.count += 1

    def on_end(self, event: Any) -> None:
        pass


def _processor_seconds() -> float:
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class Costs:
    """Measures tests where they run, and sums up where they are reported."""

    def __init__(self) -> None:
        self.compiled = _CompileCounter()
        event.register("numba:compile", self.compiled)
        self.tests: dict[str, tuple[float, int]] = {}
        self.processes = 0.0

    def _measure(self, item: pytest.Item) -> Iterator[None]:
        seconds, count = _processor_seconds(), self.compiled.count
        yield
        cost = (_processor_seconds() - seconds, self.compiled.count - count)
        item.user_properties.append(("cost", cost))

    pytest_runtest_setup = pytest.hookimpl(wrapper=True)(_measure)
    pytest_runtest_call = pytest.hookimpl(wrapper=True)(_measure)
    pytest_runtest_teardown = pytest.hookimpl(wrapper=True)(_measure)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        costs = [cost for name, cost in report.user_properties if name == "cost"]
        if report.when == "teardown":
            seconds, counts = zip(*costs, strict=True)
            self.tests[report.nodeid] = sum(seconds), sum(counts)

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["processor_seconds"] = _processor_seconds()

    def pytest_testnodedown(self, node: Any) -> None:
        self.processes += getattr(node, "workeroutput", {}).get("processor_seconds", 0.0)

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        write = terminalreporter.write_line
        terminalreporter.section("costs: seconds of processor time, functions compiled")
        most = sorted(self.tests.items(), key=lambda test: test[1], reverse=True)
        for name, (seconds, count) in most[:_LISTED]:
            write(f"{seconds:8.2f} {count:6} {name}")
        rooms: Counter[str] = Counter()
        functions: Counter[str] = Counter()
        for name, (seconds, count) in self.tests.items():
            room = "/".join(name.partition("::")[0].split("/")[:2])
            rooms[room] += seconds
            functions[room] += count
        write("by room")
        for room, seconds in rooms.most_common():
            write(f"{seconds:8.2f} {functions[room]:6} {room}")
        tests = sum(rooms.values())
        # Of the processes that ran tests side by side, each reported its own total.
        own = time.process_time() if self.processes else _processor_seconds()
        total = self.processes + own
        write(f"{total - tests:8.2f}        start of the processes, imports and collection")
        write(f"{total:8.2f} {functions.total():6} all")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--costs", action="store_true", help="print the most expensive tests and sums by room"
    )


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--costs"):
        config.pluginmanager.register(Costs(), "costs-of-tests")
