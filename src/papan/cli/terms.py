"""The options of matches and tournaments that say what players have to keep to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from papan.cli.parameters import read_number, read_whole

if TYPE_CHECKING:
    from papan.play.conditions import Conditions

Clock = Annotated[str | None, typer.Option("--clock", metavar="S+S", help="cli.option.clock")]
Margin = Annotated[
    str | None, typer.Option("--margin-ms", metavar="MS", help="cli.option.margin-ms")
]
Depth = Annotated[str | None, typer.Option("--depth", metavar="N", help="cli.option.move-depth")]
Nodes = Annotated[str | None, typer.Option("--nodes", metavar="N", help="cli.option.move-nodes")]
MaxPlies = Annotated[
    str | None, typer.Option("--max-plies", metavar="N", help="cli.option.max-plies")
]
Adjudicate = Annotated[bool, typer.Option("--adjudicate", help="cli.option.adjudicate")]

#: Milliseconds in a second.
_MS = 1000


def read_terms(
    clock: str | None, margin_ms: str | None, max_plies: str | None, adjudicate: bool
) -> Conditions:
    """What `--clock`, `--margin-ms`, `--max-plies` and `--adjudicate` set.

    Raises:
        UsageError: one of them is malformed or out of range; names the option.
    """
    from papan.play.clock import read_time_control
    from papan.play.conditions import Conditions
    from papan.search.limits import MARGIN

    read = None if clock is None else read_time_control(clock)
    margin = MARGIN if margin_ms is None else read_number(margin_ms, "--margin-ms", 0) / _MS
    plies = 0 if max_plies is None else read_whole(max_plies, "--max-plies", 1)
    return Conditions(read, margin, plies, adjudicate)
