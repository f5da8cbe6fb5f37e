"""`papan openings GAME`: a suite of balanced openings for matches and tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from papan.cli import completion
from papan.cli.command import command
from papan.cli.options import (
    GameArgument,
    JsonOptions,
    SeedOptions,
    option,
    read_limit,
    read_number,
    read_seed,
    read_whole,
)
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal
from papan.errors import naming
from papan.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from papan.arena.openings import BalancedOpening


@dataclass(frozen=True, kw_only=True)
class OpeningsOptions(GameArgument, SeedOptions, JsonOptions):
    """Options of `papan openings`."""

    plies: str = option("--plies N", "opening-plies", "4")
    count: str = option("--count N", "count", "20")
    within: str = option("--within V", "within", "1")
    depth: str = option("--depth N", "opening-depth", "6")
    output: str | None = option("--output -o FILE", "output", None, complete=completion.files)


@command(OpeningsOptions)
def openings(options: OpeningsOptions, terminal: Terminal) -> int:
    """Prints or writes the suite; on Ctrl-C, the openings found so far."""
    from papan.arena.openings import PATIENCE, balanced_openings
    from papan.usercode import registry

    rules, count = registry.game(options.game), read_whole(options.count, "--count", 1)
    endless = balanced_openings(
        rules,
        plies=read_whole(options.plies, "--plies", 1),
        within=read_number(options.within, "--within", 0),
        limit=read_limit(depth=options.depth),
        seed=read_seed(options.seed),
    )
    suite, interrupted = _collect(endless, count, terminal)
    if interrupted:
        terminal.note(terminal.say("openings.interrupted"))
    elif len(suite) < count:
        shortage = {"found": len(suite), "count": count, "patience": PATIENCE}
        terminal.note(terminal.say("openings.fewer", **shortage))
    if options.output is not None:
        _write(options.output, rules.spec, suite)
    if options.as_json:
        rows = [{"moves": list(opening.moves), "value": opening.value} for opening in suite]
        terminal.json({"game": rules.spec, "openings": rows})
    elif options.output is None:
        for opening in suite:
            terminal.line(str(opening))
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def _collect(
    openings: Iterator[BalancedOpening], count: int, terminal: Terminal
) -> tuple[list[BalancedOpening], bool]:
    """Returns the first openings, and true if Ctrl-C came before there were enough."""
    suite: list[BalancedOpening] = []
    terminal.start_clock()
    try:
        while len(suite) < count and (opening := next(openings, None)) is not None:
            suite.append(opening)
            terminal.progress(terminal.say("openings.progress", found=len(suite), count=count))
    except KeyboardInterrupt:
        return suite, True
    finally:
        terminal.clear_progress()
    return suite, False


def _write(path: str, game: str, openings: list[BalancedOpening]) -> None:
    """Writes a suite to a file.

    Raises:
        UsageError: The file cannot be written.
    """
    with naming(path):
        write_whole(Path(path), "".join(f"{line}\n" for line in (f"# {game}", *openings)))
