"""The sources' tables, measured again: `papan reproduce`.

claims      what the sources say
plan        which games are played and how many: cells
verdicts    what is said of a claim, and by which rule
measures    what is measured without games: times, nodes, wins thrown away
run         plays and measures what is not known yet
report      the outcome as JSON, CSV and Markdown
"""

from papan.arena.reproduce.plan import FULL, QUICK, SECTIONS, Effort
from papan.arena.reproduce.report import write_report
from papan.arena.reproduce.run import Findings, Reproduction

__all__ = ["FULL", "QUICK", "SECTIONS", "Effort", "Findings", "Reproduction", "write_report"]
