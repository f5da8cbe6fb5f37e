"""Each public function and class has an example in its docstring that does what it shows."""

import doctest
import inspect

import numpy as np
import pytest

import papan
import papan.gamekit
from papan.stats import counts, elo, ratings, sprt
from support import thoroughly

#: Examples that compile much.
SLOW = {"papan.train", "papan.tune", "papan.play_match", "papan.check_game", "papan.check_player"}
#: Constants and types of other libraries, which have no docstring of their own.
WITHOUT = {"ALL", "Bits", "LARGEST_CHAIN", "NONE", "ROW", "WIN"}

NAMES = {
    **{f"papan.{name}": getattr(papan, name) for name in papan.__all__},
    **{
        f"gamekit.{name}": getattr(papan.gamekit, name)
        for name in papan.gamekit.__all__
        if name not in WITHOUT
    },
    **{
        f"{module.__name__}.{name}": item
        for module in (counts, elo, sprt, ratings)
        for name, item in vars(module).items()
        if not name.startswith("_") and getattr(item, "__module__", "") == module.__name__
    },
}


@pytest.mark.parametrize(
    "name", [name for name in NAMES if name not in SLOW] + thoroughly(*sorted(SLOW))
)
def test_the_example_of_a_public_name_does_what_it_shows(name: str) -> None:
    text = inspect.getdoc(NAMES[name]) or ""
    known = {"papan": papan, "np": np, **vars(papan.gamekit)}
    example = doctest.DocTestParser().get_doctest(text, known, name, name, 0)
    assert example.examples, f"{name} has no example in its docstring"
    runner = doctest.DocTestRunner(verbose=False)
    said: list[str] = []
    runner.run(example, out=said.append)
    assert runner.failures == 0, "".join(said)
