"""Rules become part of the kernels that call them, and have no machine code of their own."""

from pathlib import Path

from support import run_python

RULES = """
import numba
from papan.jit.compiler import kernel
from papan.rules.dispatch import helper

@helper
def square(number: int) -> int:
    return number * number

@helper
def less_square(number: int) -> int:
    return 1 - square(number)

@helper
def small(number: int) -> int:
    if number > 3:
        raise ValueError("too large", number)
    return number

@kernel
def both(number: int) -> int:
    return less_square(small(number)) + square(number)
"""

CALLS = """
from numba.core.codegen import JITCodeLibrary

made = []
finalize = JITCodeLibrary._finalize_final_module

def noting(library):
    made.append(library.name.split(".")[-1])
    finalize(library)

JITCodeLibrary._finalize_final_module = noting
print(both(2))
try:
    both(4)
except ValueError as error:
    print(error.args)
print(*(name for name in made if name in ("square", "less_square", "small", "both")))
print(numba.njit(lambda number: less_square(number))(3))
"""


def test_rules_are_compiled_as_parts_of_kernels_and_raise_also_when_these_are_loaded(
    tmp_path: Path,
) -> None:
    (tmp_path / "rules.py").write_text(RULES)
    found = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from rules import *\n"
    runs = [run_python(found + CALLS, PAPAN_CACHE_DIR=str(tmp_path / "cache")) for _ in range(2)]
    assert [run.stdout.splitlines() for run in runs] == [
        ["1", "('too large', 4)", "both", "-8"],
        ["1", "('too large', 4)", "both", "-8"],
    ], runs
