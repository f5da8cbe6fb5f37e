"""Browser: the speed of modules in Chromium against machine code; size of pages, time of the first.

Both do the same work, one after the other in one run: the same leaves, the same nodes with the same
table, the same simulations. Times in the browser are wall-clock times of a worker, those of machine
code processor times.
"""

from __future__ import annotations

import base64
import gzip
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import papan
from benchmarks.tools.report import CannotMeasure, Report, Table
from benchmarks.tools.webserver import WebServer
from papan.browser.modules import module_for
from papan.core.game import Game
from papan.engine import Engine
from papan.learn import choice
from papan.rules.wide import WideBits
from papan.search.algorithm import Task
from papan.search.limits import Limit, Stop
from papan.search.mcts.algorithm import Mcts
from papan.search.perft import leaves_below
from papan.web.export.site import GamePage, Site
from papan.web.http.render import STATIC

#: Games with the depth of perft, the nodes of a search and the number of simulations.
GAMES = (
    ("connect_four", 9, 2_000_000, 20_000),
    ("adjacency", 5, 20_000_000, 4_000),
    ("breakthrough", 5, 3_000_000, 5_000),
    ("kalah", 9, 4_000_000, 8_000),
    ("chess", 5, 2_000_000, 2_000),
    ("hex", 4, 3_000_000, 4_000),
    ("go", 3, 500_000, 1_000),
    ("amazons", 2, 1_000_000, 1_000),
)
QUICK = 2
#: Smallest shares of the speed of machine code, for games of 64 bits and for wide sets.
LEAST, LEAST_WIDE = 0.8, 0.6
#: Largest size of script, module and data of a page in kB, compressed, without weights.
LARGEST_KB = 100
MEGABYTES, REPEATS = 16.0, 3
#: Longest time in ms until everything on the first page answers to clicks, in the best visit.
MOST_MS, VISITS = 300, 6

#: Loads a module into a worker, and sets `window.ask`.
LOAD = """
async ([script, data, wasm, weights]) => {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
  const source = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const worker = new Worker(source);
  let number = 0;
  window.ask = (command, request) => new Promise((done) => {
    const id = ++number;
    worker.onmessage = ({ data }) => data.id === id && "result" in data && done(data.result);
    worker.postMessage({ id, command, ...request });
  });
  await window.ask("load", { data, wasm: bytes(wasm), weights: bytes(weights) });
}
"""
_TIMED = """
async ([command, request, repeats]) => {
  let best = Infinity;
  for (let i = 0; i < repeats; i++) {
    const start = performance.now();
    await window.ask(command, request);
    best = Math.min(best, performance.now() - start);
  }
  return best / 1000;
}
"""
#: The page's script is a module: it has run when the document's content counts as loaded.
_READY = '() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd'


def run(quick: bool) -> Report:
    """Measures all games, and the first page."""
    chromium = os.environ.get("PAPAN_CHROMIUM") or shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise CannotMeasure("there is no Playwright: pip install playwright") from None
    if chromium is None:
        raise CannotMeasure("there is no Chromium: apt install chromium")
    report = Report()
    columns = ("game", "bits", "perft", "search", "simulations")
    table = Table("Speed in Chromium as a share of machine code", columns)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, *work in GAMES[: QUICK if quick else None]:
            game = papan.game(name)
            shares = _compare(browser.new_page(), game, *work)
            wide = any(isinstance(field, WideBits) for field in game.start_state())
            table.add(game.name, "wide" if wide else "64", *shares)
            for what, share in zip(columns[2:], shares, strict=True):
                report.expect_least(f"{game.name}, {what}", share, LEAST_WIDE if wide else LEAST)
        report.tables.append(table)
        _show_first_page(report, browser)
        browser.close()
    _show_sizes(report)
    return report


def _compare(page: Any, game: Game, depth: int, nodes: int, simulations: int) -> list[float]:
    """Returns the speed in the browser divided by that of machine code, for each kind of work."""
    module = module_for(game)
    parts = [base64.b64encode(part).decode() for part in (module.wasm, module.weights)]
    script = (STATIC / "engine.js").read_text(encoding="utf-8")
    page.evaluate(LOAD, [script, module.data, *parts])
    requests: tuple[tuple[str, dict[str, float]], ...] = (
        ("perft", {"depth": depth}),
        ("search", {"nodes": nodes, "hash": MEGABYTES}),
        ("simulate", {"simulations": simulations, "seed": 7, "memory": 64}),
    )
    works = (_perft(game, depth), _search(game, nodes), _simulate(game, simulations))
    shares = []
    for (command, request), work in zip(requests, works, strict=True):
        native = _best(work)
        there = page.evaluate(_TIMED, [command, {"moves": [], **request}, REPEATS])
        shares.append(native / there)
    page.close()
    return shares


def _best(work: Callable[[], object]) -> float:
    """Returns the processor time of the quickest of some runs, after one that compiles."""
    work()
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def _perft(game: Game, depth: int) -> Callable[[], object]:
    return lambda: leaves_below(game.start(), depth, Stop())


def _search(game: Game, nodes: int) -> Callable[[], object]:
    def work() -> None:
        engine = Engine(hash=MEGABYTES)
        task = Task(game.start(), choice.strongest(game), Limit(nodes=nodes), Stop())
        engine.begin(task)
        list(engine.steps(task))

    return work


def _simulate(game: Game, simulations: int) -> Callable[[], object]:
    mcts = Mcts(simulations=simulations, seed=7, memory=64.0)

    def work() -> None:
        task = Task(game.start(), game.default_evaluation, Limit(), Stop())
        mcts.begin(task)
        list(mcts.steps(task))

    return work


def _show_first_page(report: Report, browser: Any) -> None:
    times = []
    with tempfile.TemporaryDirectory() as folder, WebServer(Path(folder)) as server:
        for _ in range(VISITS):
            page = browser.new_page()
            page.goto(f"{server.address}/", wait_until="load")
            times.append(page.evaluate(_READY))
            page.close()
    table = Table(f"First page, ms until it can be used, {VISITS} visits", ("best", "median"))
    table.add(min(times), median(times))
    report.tables.append(table)
    report.expect_below("first page, ms", min(times), MOST_MS)


def _show_sizes(report: Report) -> None:
    table = Table("Size of a page, kB compressed", ("game", "page and data", "module", "scripts"))
    for name, *_ in GAMES:
        site = Site([GamePage.of(papan.game(name))])
        sizes = {file: len(gzip.compress(content)) / 1000 for file, content in site.files.items()}
        scripts = sum(size for file, size in sizes.items() if file.endswith(".js"))
        module = sum(size for file, size in sizes.items() if file.endswith(".wasm"))
        page = sizes[f"{site.names[0]}.html"]
        table.add(name, page, module, scripts)
        report.expect_below(f"{name}, kB", page + module + scripts, LARGEST_KB)
    report.tables.append(table)
