"""The sources' tables, measured again: `papan reproduce`.

claims      what the sources say
plan        which games are played and how many: cells
verdicts    what is said of a claim, and by which rule
measures    what is measured without games: times, nodes, wins thrown away
run         plays and measures what is not known yet
report      the outcome as JSON, CSV and Markdown
"""
