"""Games to keep, and records of any content that a store takes."""

import random
from dataclasses import asdict
from typing import Any

from hypothesis import strategies as st

from papan import game
from papan.records.model import LONGEST_EVENT, LONGEST_ID, RESULTS, Record

SPECS = ["adjacency:rounds=4", "platforms:size=4,level=2", "corners"]


def played(spec: str, seed: int, **more: Any) -> Record:
    """A random game that the rules have ended."""
    steps = list(game(spec).start().random_walk(random.Random(seed)))
    moves, outcome = tuple(move for move, _ in steps), steps[-1][1].outcome()
    assert outcome is not None
    facts = {"seed": seed, "round": seed} | more
    return Record(spec, "random", "random", moves, outcome.value, **facts)


def short(**facts: Any) -> Record:
    """A game broken off after one move, but for these facts."""
    known = {"game": "platforms", "x": "ada", "o": "budi", "moves": ("b2",), "result": "*"}
    return Record(**{**known, "termination": "unterminated", **facts})


def known(record: Record) -> dict[str, Any]:
    """Everything that a record says, also what does not matter when two are compared."""
    return asdict(record)


_texts = st.text(st.characters())  # with NUL, lone surrogates, backslashes, quotes
_words = _texts.filter(lambda text: text.split() == [text])
_seconds = st.floats(min_value=0, allow_infinity=False)

#: Records of any content, with an id.
records = st.builds(
    Record,
    game=_texts,
    x=_texts,
    o=_texts,
    moves=st.lists(_words).map(tuple),
    result=st.sampled_from(RESULTS),
    termination=_texts,
    start=_texts,
    detail=_texts,
    given=_texts,
    exit_code=st.none() | st.integers(-(2**63), 2**63 - 1),
    time_control=_texts,
    seconds=st.lists(_seconds).map(tuple),
    seed=st.integers(),
    event=st.text(st.characters(), max_size=LONGEST_EVENT),
    round=st.integers(0, 2**63 - 1),
    played=_texts,
    id=st.text(st.characters(), min_size=1, max_size=LONGEST_ID),
)
