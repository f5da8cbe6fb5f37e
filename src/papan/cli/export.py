"""`papan export GAME…`: games as static pages, with rules and engine in the browser."""

from __future__ import annotations

from dataclasses import dataclass

from papan.cli import completion
from papan.cli.command import command
from papan.cli.options import JsonOptions, argument, option
from papan.cli.terminal import EXIT_DONE, Terminal
from papan.errors import UsageError


@dataclass(frozen=True, kw_only=True)
class SiteOptions(JsonOptions):
    """Options of `papan export`."""

    games: tuple[str, ...] = argument("GAME...", "games", complete=completion.games, many=True)
    out: str = option("--out -o DIR", "export-out", complete=completion.files)
    single_file: bool = option("--single-file", "single-file", False)
    puzzles: tuple[str, ...] = option(
        "--puzzles FILE", "export-puzzles", (), complete=completion.files, many=True
    )


@command(SiteOptions)
def export(options: SiteOptions, terminal: Terminal) -> int:
    """Writes the pages of games."""
    from papan.usercode import registry

    try:
        from papan.web.export import site
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("papan"):
            raise
        raise UsageError("cli.web.needs-extra") from None
    games = [registry.game(text) for text in options.games]
    files = site.export(
        games,
        options.out,
        single_file=options.single_file,
        puzzles=options.puzzles,
        on_compile=lambda game: terminal.note(terminal.say("export.compiling", game=game.spec)),
    )
    sizes = {str(file): file.stat().st_size for file in files}
    if options.as_json:
        names = [game.spec for game in games]
        terminal.json({"games": names, "folder": options.out, "files": sizes})
        return EXIT_DONE
    pages = files if options.single_file else files[: len({game.spec for game in games})]
    for file in pages:
        terminal.line(str(file))
    total = f"{sum(sizes.values()) / 1e6:.1f}"
    terminal.note(terminal.say("export.done", files=len(files), size=total, folder=options.out))
    return EXIT_DONE
