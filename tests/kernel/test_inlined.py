"""Rules become part of the kernels that call them, and have no machine code of their own."""

from pathlib import Path

from support import run_python

RULES = """
import numba
from papan.kernel.compiler import kernel
from papan.kernel.dispatch import helper

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

RAISING = """
print(both(2))
try:
    both(4)
except ValueError as error:
    print(error.args)
"""

WITHOUT_CODE = """
from papan.kernel.inlined import InlinedLibrary
from numba.core.codegen import JITCodeLibrary
made = []
finalize = JITCodeLibrary._finalize_final_module
def noting(library):
    made.append(library.name.split(".")[-1])
    finalize(library)
JITCodeLibrary._finalize_final_module = noting
both(2)
print(*(name for name in made if name in ("square", "less_square", "small", "both")))
"""

FOREIGN = """
@numba.njit
def sorted_by_rule(numbers):
    return sorted(numbers, key=lambda number: less_square(number))

print(*sorted_by_rule((1, 3, 2)), numba.njit(lambda number: less_square(number))(3))
"""


def output(folder: Path, code: str) -> str:
    (folder / "rules.py").write_text(RULES)
    found = f"import sys; sys.path.insert(0, {str(folder)!r}); from rules import *\n"
    done = run_python(found + code, PAPAN_CACHE_DIR=str(folder / "cache"))
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_machine_code_is_made_of_kernels_alone(tmp_path: Path) -> None:
    assert output(tmp_path, WITHOUT_CODE) == "both\n"


def test_a_rule_raises_from_within_a_kernel_also_when_that_is_loaded(tmp_path: Path) -> None:
    first, second = (output(tmp_path, RAISING) for _ in range(2))
    assert first == second == "1\n('too large', 4)\n"


def test_functions_that_are_no_kernels_call_rules_too(tmp_path: Path) -> None:
    assert output(tmp_path, FOREIGN) == "3 2 1 -8\n"
