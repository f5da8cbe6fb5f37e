"""`papan openings GAME`: a suite of even beginnings, for matches and tournaments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from papan.cli.parameters import GameSpec, Json, Seed, read_limit, read_seed, read_whole
from papan.cli.terminal import EXIT_INTERRUPTED, Terminal
from papan.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from papan.arena.openings import Opening

Plies = Annotated[str, typer.Option("--plies", metavar="N", help="cli.option.opening-plies")]
Count = Annotated[str, typer.Option("--count", metavar="N", help="cli.option.count")]
Within = Annotated[str, typer.Option("--within", metavar="V", help="cli.option.within")]
Depth = Annotated[str, typer.Option("--depth", metavar="N", help="cli.option.opening-depth")]
Output = Annotated[
    str | None, typer.Option("--output", "-o", metavar="FILE", help="cli.option.output")
]


def openings(
    ctx: typer.Context,
    game: GameSpec,
    plies: Plies = "4",
    count: Count = "20",
    within: Within = "1",
    depth: Depth = "6",
    seed: Seed = None,
    output: Output = None,
    as_json: Json = False,
) -> None:
    """Prints or writes the suite; on Ctrl-C, the openings found by then."""
    from papan.arena.openings import PATIENCE, balanced
    from papan.core import registry

    terminal = ctx.ensure_object(Terminal)
    rules, wanted = registry.game(game), read_whole(count, "--count", 1)
    endless = balanced(
        rules,
        plies=read_whole(plies, "--plies", 1),
        within=_read_value(within),
        limit=read_limit(depth=depth),
        seed=read_seed(seed or "0"),
    )
    found, interrupted = _collect(endless, wanted, terminal)
    if interrupted:
        terminal.note(terminal.say("openings.interrupted"))
    elif len(found) < wanted:
        shortage = {"found": len(found), "count": wanted, "patience": PATIENCE}
        terminal.note(terminal.say("openings.fewer", **shortage))
    if output is not None:
        _write(output, rules.spec, found)
    if as_json:
        suite = [{"moves": list(opening.moves), "value": opening.value} for opening in found]
        terminal.json({"game": rules.spec, "openings": suite})
    elif output is None:
        for opening in found:
            terminal.line(str(opening))
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)


def _collect(
    openings: Iterator[Opening], count: int, terminal: Terminal
) -> tuple[list[Opening], bool]:
    """The first of the openings, and whether Ctrl-C came before there were enough."""
    found: list[Opening] = []
    terminal.start_clock()
    try:
        while len(found) < count and (opening := next(openings, None)) is not None:
            found.append(opening)
            terminal.progress(terminal.say("openings.progress", found=len(found), count=count))
    except KeyboardInterrupt:
        return found, True
    finally:
        terminal.clear_progress()
    return found, False


def _read_value(text: str) -> float:
    """A value that openings may have at the most.

    Raises:
        UsageError: it is no number, or negative.
    """
    try:
        value = float(text)
        if value >= 0:
            return value
    except ValueError:
        pass  # the same answer as for a number out of range
    raise UsageError("spec.bad-value", option="--within", text=text, expected="≥ 0")


def _write(path: str, game: str, openings: list[Opening]) -> None:
    """Writes a suite to a file.

    Raises:
        UsageError: that is not possible.
    """
    try:
        with open(path, "w", encoding="utf-8") as file:
            print(f"# {game}", *openings, sep="\n", file=file)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError("usage.unwritable", text=path, reason=reason) from None
