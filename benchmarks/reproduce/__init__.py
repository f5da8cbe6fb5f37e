"""Repeats the measurements of the sources: `papan reproduce`.

The wheel has this folder as `papan.reproduce`, so modules import each other relatively.

claims      what the sources say
plan        which games are played and how many: cells
measures    what is measured without games: times, nodes, wins thrown away
statements  what the sources state in words: leads, costs, traps, stuck formations
run         plays and measures what is missing
verdicts    statements of the sources with verdicts
report      the outcome as JSON, CSV and Markdown
"""
