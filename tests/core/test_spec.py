"""Specs are read, checked and written in one canonical way."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.core import spec
from papan.errors import InvalidSpec


@dataclass(frozen=True)
class Options:
    """Options of every kind."""

    depth: int = spec.option(4, "option.depth", low=1, high=128)
    rate: float = spec.option(0.5, "option.time", low=0.0)
    quiet: bool = spec.option(False, "option.first")
    first: str = spec.option("x", "option.first", choices=("x", "o"))
    path: str = spec.option("", "option.first")
    size: str = spec.option("8", "option.size", parse=lambda text: str(int(text)), expected="4 … 8")
    derived: int = 7


def read(text: str) -> Options:
    return spec.build(Options, "thing", text)


options = st.builds(
    Options,
    depth=st.integers(1, 128),
    rate=st.integers(0, 1000).map(lambda number: number / 8),
    quiet=st.booleans(),
    first=st.sampled_from("xo"),
    path=st.text("abc/. :", max_size=8).map(str.strip),
    size=st.integers(4, 8).map(str),
)


@given(options)
def test_the_canonical_spec_builds_the_same_options_again(made: Options) -> None:
    name, rest = spec.split(spec.canonical("thing", made))
    assert name == "thing"
    assert read(rest) == made


def test_only_what_differs_from_the_default_is_written() -> None:
    assert spec.canonical("thing", Options()) == "thing"
    assert spec.canonical("thing", Options(quiet=True, depth=9)) == "thing:depth=9,quiet=yes"
    assert spec.canonical("thing", Options(rate=2.0)) == "thing:rate=2"


def test_order_and_spaces_between_options_do_not_matter() -> None:
    assert read("first=o, depth=9") == read("depth=9,first=o") == Options(depth=9, first="o")
    assert read("") == read(",") == Options()


def test_a_spec_is_split_at_the_first_colon() -> None:
    assert spec.split("ugi:./bot --fast:now") == ("ugi", "./bot --fast:now")
    assert spec.split(" corners ") == ("corners", "")


@pytest.mark.parametrize("word", ["yes", "true"])
def test_yes_has_two_spellings(word: str) -> None:
    assert read(f"quiet={word}").quiet is True


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("depth", "'depth' is not an option of thing: expected name=value"),
        ("dept=3", r"no option 'dept' \(depth\?\)"),
        ("colour=red", "no option 'colour': expected one of depth, rate, quiet, first, path, size"),
        ("derived=8", "no option 'derived'"),
        ("depth=3,depth=4", "'depth' of thing is given twice"),
        ("depth=0", "depth: '0' is not allowed, expected 1 … 128"),
        ("depth=129", "'129'"),
        ("depth=3.5", "'3.5'"),
        ("depth=", "depth: '' is not allowed"),
        ("depth=٣x", "'٣x'"),
        ("rate=-1", "rate: '-1' is not allowed, expected ≥ 0"),
        ("rate=fast", "'fast'"),
        ("rate=nan", "'nan'"),
        ("quiet=maybe", r"quiet: 'maybe' is not allowed, expected yes \| no"),
        ("first=z", r"first: 'z' is not allowed, expected x \| o"),
        ("size=big", "size: 'big' is not allowed, expected 4 … 8"),
    ],
)
def test_each_mistake_has_one_line_that_names_it(text: str, named: str) -> None:
    with pytest.raises(InvalidSpec, match=named) as caught:
        read(text)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=30))
def test_any_text_is_options_or_an_invalid_spec(text: str) -> None:
    try:
        made = read(text)
    except InvalidSpec as error:
        refused = str(error)
        made = Options()
        if "\n" in refused:
            raise
    assert read(spec.split(spec.canonical("thing", made))[1]) == made


def test_options_are_listed_with_what_they_take() -> None:
    facts = spec.options_of(Options)
    assert list(facts) == ["depth", "rate", "quiet", "first", "path", "size"]
    shown = [spec.describe_expected(fact) for fact in facts.values()]
    assert shown == ["1 … 128", "≥ 0.0", "yes | no", "x | o", "str", "4 … 8"]
    assert facts["depth"]["default"] == 4
