"""Papan's benchmarks: each module here is one, found by its name (`python -m benchmarks.run NAME`).

A benchmark module has a docstring whose first line is its title, and a function
`run(quick: bool) -> Report`; modules without one are scripts of their own. What benchmarks share
is in `benchmarks.tools`; programs to compare with, written by hand in C++, are in `benchmarks/cpp`.
"""
