"""Runs benchmarks by name: `python -m benchmarks.run [NAME…] [--quick] [--json]`.

Exit status: 0 if all promises were kept, 1 if one was broken, 2 if a benchmark cannot run.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Collection
from importlib import import_module, metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from rich.console import Console

from benchmarks.tools.report import CannotMeasure, Report, show

#: Width in columns for output to a file, which has no width of its own.
WIDTH_OF_FILES = 110


def names() -> list[str]:
    """Returns the names of all benchmarks: the modules with a function `run`."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return [file.stem for file in files if "\ndef run(" in file.read_text(encoding="utf-8")]


def title(module: ModuleType) -> str:
    """Returns the first line of a benchmark's docstring."""
    return (module.__doc__ or "").split("\n")[0]


def machine() -> dict[str, Any]:
    """Returns facts that affect the numbers: processor, versions, and load of the machine."""
    return {
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "numba": metadata.version("numba"),
        "papan": metadata.version("papan"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return models[0] if models else platform.processor()


def main(argv: list[str] | None = None) -> int:
    """Runs the benchmarks named on the command line; by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--quick", action="store_true", help="small depths, few repetitions")
    parser.add_argument("--json", action="store_true", help="one object on stdout, nothing else")
    options = parser.parse_args(argv)
    for name in options.names:
        if name not in names():
            parser.error(f"no benchmark {name!r}; there are {', '.join(names())}")
    console = Console(stderr=options.json)
    if not console.is_terminal:
        console = Console(stderr=options.json, width=WIDTH_OF_FILES)
    found = _run(options.names or names(), options.quick, console)
    if options.json:
        print(json.dumps(found, indent=2))
    return _status(found["benchmarks"].values())


def _run(chosen: list[str], quick: bool, console: Console) -> dict[str, Any]:
    """Runs the chosen benchmarks and prints their results; returns the results for JSON."""
    facts = machine()
    console.print(", ".join(f"{name} {value}" for name, value in facts.items()), highlight=False)
    found: dict[str, Any] = {}
    for name in chosen:
        module = import_module(f"benchmarks.{name}")
        console.print(f"\n[bold]{name}[/bold]: {title(module)}")
        try:
            report: Report = module.run(quick)
        except CannotMeasure as error:
            console.print(f"cannot be run: {error}", markup=False)
            found[name] = {"error": str(error)}
        else:
            show(report, console)
            found[name] = report.as_dict()
    return {"machine": facts, "benchmarks": found}


def _status(found: Collection[dict[str, Any]]) -> int:
    if any("error" in report for report in found):
        return 2
    return 0 if all(report["kept"] for report in found) else 1


if __name__ == "__main__":
    sys.exit(main())
