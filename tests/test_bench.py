"""The bench signature: the engine visits the same nodes in every process and at every time."""

import json

from papan.bench import SIGNATURE, measure_signature, summarise_signature
from support import run_python

REPORT = """
import json
from papan.bench import measure_signature
print(json.dumps([part.nodes for part in measure_signature()]))
"""


def test_the_signature_is_that_of_the_repository_twice_in_one_process_and_in_another():
    first, second = ([part.nodes for part in measure_signature()] for _ in range(2))
    assert sum(first) == SIGNATURE
    assert second == first
    other = run_python(REPORT)
    assert other.returncode == 0, other.stderr
    assert json.loads(other.stdout) == first


def test_a_part_of_the_suite_has_no_signature():
    parts = [next(iter(measure_signature()))]
    assert summarise_signature(parts)["signature"] is None
    assert summarise_signature(parts)["met"] is None
