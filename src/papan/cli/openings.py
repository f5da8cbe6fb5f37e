"""`papan openings GAME`: a suite of balanced openings for matches and tournaments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, SeedOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, collect

if TYPE_CHECKING:
    pass


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

    rules, count = registry.game(options.game), parse.whole(options.count, "--count", 1)
    endless = balanced_openings(
        rules,
        plies=parse.whole(options.plies, "--plies", 1),
        within=parse.number(options.within, "--within", 0),
        limit=parse.limit(depth=options.depth),
        seed=parse.seed(options.seed),
    )
    suite, interrupted = collect(endless, count, "openings.progress", terminal)
    if interrupted:
        terminal.note(terminal.say("openings.interrupted"))
    elif len(suite) < count:
        shortage = {"found": len(suite), "count": count, "patience": PATIENCE}
        terminal.note(terminal.say("openings.fewer", **shortage))
    if options.output is not None:
        terminal.write("\n".join([f"# {rules.spec}", *map(str, suite)]), options.output)
    if options.as_json:
        rows = [{"moves": list(opening.moves), "value": opening.value} for opening in suite]
        terminal.json({"game": rules.spec, "openings": rows})
    elif options.output is None:
        for opening in suite:
            terminal.line(str(opening))
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE
