"""Papan's benchmarks: one per module, run by name (`python -m benchmarks.run NAME`).

A benchmark module has a docstring whose first line is its title, and a function
`run(quick: bool) -> Report`. Modules without this function are separate scripts. `benchmarks.tools`
has the shared code; `benchmarks/cpp` has hand-written C++ programs for comparison.
"""
