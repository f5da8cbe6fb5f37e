"""Errors form one tree, say one line, and survive a trip to another process."""

import copy
import pickle

import pytest

from papan import errors
from papan.errors import InvalidMove, PapanError, UsageError
from papan.messages import Messages

CLASSES = [
    cls
    for cls in vars(errors).values()
    if isinstance(cls, type) and issubclass(cls, Exception) and cls.__module__ == errors.__name__
]


@pytest.mark.parametrize("cls", CLASSES)
def test_every_error_is_in_the_tree_and_in_its_picture(cls: type[Exception]) -> None:
    assert issubclass(cls, PapanError)
    assert cls.__name__ in (errors.__doc__ or "")
    assert cls.__doc__


def test_the_picture_shows_no_error_that_does_not_exist() -> None:
    words = {word for line in (errors.__doc__ or "").splitlines() for word in line.split()}
    pictured = {word for word in words if word.isidentifier() and word[0].isupper()}
    assert {name for name in pictured if hasattr(errors, name)} == {c.__name__ for c in CLASSES}


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))])
def test_an_error_comes_back_from_another_process_as_it_was(cls: type, again: object) -> None:
    assert callable(again)
    error = cls("move.no-pair", text="f3")
    twin = again(error)
    assert type(twin) is cls
    assert (twin.message, twin.values, str(twin)) == (error.message, error.values, str(error))


def test_an_error_speaks_each_language() -> None:
    error = InvalidMove("move.no-pair", text="f3")
    assert str(error) == Messages("en").explain(error)
    assert Messages("id").explain(error) != str(error)
    assert "'f3'" in Messages("id").explain(error)


def test_a_text_that_is_no_message_stands_for_itself_on_one_line() -> None:
    assert str(PapanError("first line\n  second {line}")) == "first line second {line}"


def test_offending_text_of_several_lines_is_shown_on_one() -> None:
    assert "\n" not in str(UsageError("move.no-pair", text="a\nb"))
