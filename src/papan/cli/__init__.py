"""The command line: one file a command, parse and print, nothing else."""

from __future__ import annotations

from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs `papan` with these words, or those of the process; returns the exit status.

    0: done. 2: what was typed is wrong, one line on stderr says why. 130: Ctrl-C.
    """
    try:
        # Imported here, so that Ctrl-C leaves cleanly while this goes on, too.
        from papan.cli.app import run

        return run(argv)
    except KeyboardInterrupt:
        return 130
