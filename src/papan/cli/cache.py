"""`papan cache`: the folder of compiled code, its size, and its removal."""

from __future__ import annotations

from dataclasses import dataclass

from papan.cli.command import command
from papan.cli.options import JsonOptions, option
from papan.cli.terminal import EXIT_DONE, Terminal

_MEGABYTE = 1e6


@dataclass(frozen=True, kw_only=True)
class CacheOptions(JsonOptions):
    """Options of `papan cache`."""

    clear: bool = option("--clear", "clear", False)


@command(CacheOptions)
def cache(options: CacheOptions, terminal: Terminal) -> int:
    """Shows the folder and size of compiled code; `--clear` removes it."""
    from papan.jit import code_store

    files = code_store.kept_files()
    if options.clear:
        code_store.remove(code_store.compiled_root())
    size = sum(file.size for file in files)
    report = {
        "folder": str(code_store.compiled_root()),
        "versions": len({file.path.parent for file in files}),
        "files": len(files),
        "bytes": size,
        "cleared": options.clear,
    }
    if options.as_json:
        terminal.json(report)
        return EXIT_DONE
    message = "cache.cleared" if options.clear else "cache.kept"
    terminal.line(terminal.say(message, **report, size=f"{size / _MEGABYTE:.1f}"))
    return EXIT_DONE
