"""Everything public, called with anything: an answer, a `PapanError` or a `TypeError`."""

from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import papan
from attack.conftest import Wanted
from test_arguments import JUNK, SMALL, cheap, refused

#: What takes its time where it is not limited.
_LIMITS = ("limit", "time", "nodes", "games")


def _can_be_shown(junk: Any) -> bool:
    """True if a failure of Hypothesis can name the value."""
    try:
        return bool(repr(junk))
    except (RuntimeError, ValueError):
        return False


_leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.binary(max_size=6),
    st.sampled_from([junk for junk in JUNK if _can_be_shown(junk)]),
    st.builds(np.int64, st.integers(-(2**63), 2**63 - 1)),
)
anything = st.recursive(
    _leaves, lambda inner: st.lists(inner, max_size=3) | st.tuples(inner, inner), max_leaves=4
)


def test_anything_may_be_given_to_everything(wanted: Wanted) -> None:
    count, tried = wanted("random calls"), 0
    calls = [call for call in cheap(papan.game(SMALL).start()) if call[1]]
    places = [
        (function, fine, name) for function, fine in calls for name in fine if name not in _LIMITS
    ]
    checks = list(HealthCheck)

    @settings(max_examples=count, database=None, deadline=None, suppress_health_check=checks)
    @given(st.sampled_from(range(len(places))), anything)
    def call(index: int, junk: Any) -> None:
        nonlocal tried
        function, fine, name = places[index]
        if not (isinstance(junk, int | np.integer) and not isinstance(junk, bool) and junk > 2):
            refused(function, **{**fine, name: junk})
        tried += 1

    call()
    assert tried >= count
