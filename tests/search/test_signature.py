"""The bench signature: the engine visits the same nodes in every process and at every time."""

import json

from papan.search.bench import signature
from support import run_python

REPORT = """
import json
from papan.search.bench import signature
print(json.dumps([part.nodes for part in signature.measure()]))
"""


def test_the_signature_is_that_of_the_repository_twice_in_one_process_and_in_another():
    first, second = ([part.nodes for part in signature.measure()] for _ in range(2))
    assert sum(first) == signature.SIGNATURE
    assert second == first
    other = run_python(REPORT)
    assert other.returncode == 0, other.stderr
    assert json.loads(other.stdout) == first


def test_a_part_of_the_suite_has_no_signature():
    parts = [next(iter(signature.measure()))]
    assert signature.summary(parts)["signature"] is None
    assert signature.summary(parts)["met"] is None
