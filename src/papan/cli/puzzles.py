"""`papan puzzles GAME`: positions with one right move, proven and graded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import GameArgument, JsonOptions, SeedOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, collect
from papan.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from papan.core.game import Game, Position


@dataclass(frozen=True, kw_only=True)
class PuzzlesOptions(GameArgument, SeedOptions, JsonOptions):
    """Options of `papan puzzles`."""

    plies: str = option("--plies A..B", "win-plies", "3..15")
    count: str = option("--count N", "puzzle-count", "10")
    store: str | None = option("--store PLACE", "puzzle-store", None, complete=completion.files)
    output: str | None = option("--output -o FILE", "output", None, complete=completion.files)


@command(PuzzlesOptions)
def puzzles(options: PuzzlesOptions, terminal: Terminal) -> int:
    """Prints or writes puzzles; on Ctrl-C, those found so far."""
    from papan.solve import puzzles as making
    from papan.solve.puzzle_files import line_of, text_of
    from papan.usercode import registry

    game, count = registry.game(options.game), parse.whole(options.count, "--count", 1)
    plies, seed = read_range(options.plies), parse.seed(options.seed)
    positions = None if options.store is None else recorded_positions(game, options.store)
    endless = making.puzzles(game, plies=plies, seed=seed, positions=positions)
    collected, interrupted = collect(endless, count, "puzzles.progress", terminal)
    if interrupted or len(collected) < count:
        terminal.note(terminal.say("puzzles.fewer", found=len(collected), count=count))
    if options.output is not None:
        terminal.write(text_of(game.spec, collected).removesuffix("\n"), options.output)
    if options.as_json:
        terminal.json({"game": game.spec, "puzzles": [puzzle.as_dict() for puzzle in collected]})
    elif options.output is None:
        for puzzle in collected:
            terminal.line(line_of(puzzle))
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def read_range(text: str) -> tuple[int, int]:
    """Returns a range of plies such as `3..15`, or a single number.

    Raises:
        UsageError: The text is not a range, or the range is empty.
    """
    low, _, high = text.partition("..")
    least = parse.whole(low, "--plies", 1)
    most = parse.whole(high, "--plies", 1) if high else least
    if most < least:
        raise UsageError("spec.bad-value", option="--plies", text=text, expected="3..15")
    return least, most


def recorded_positions(game: Game, place: str) -> Iterator[Position]:
    """Yields the positions of the recorded games of a game, the last ones of each first."""
    from papan.cli.records import open_store

    with open_store(place) as store:
        for record in store.find(game=game.spec):
            yield from record.replay()[::-1]
