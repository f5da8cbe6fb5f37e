"""The command line: one file a command, parse and print, nothing else."""

from papan.cli.app import main

__all__ = ["main"]
