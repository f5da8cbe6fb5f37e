"""Operations are dispatched on the class of their first argument, in Python and compiled."""

from typing import Any, NamedTuple

import pytest

from papan.errors import MissingOperation
from papan.jit.compiler import kernel
from papan.rules.dispatch import helper, listen, operation


class Shape(NamedTuple):
    """A state with one number."""

    edge: int


class Square(Shape):
    """A shape of its own class, with the same fields."""


class Circle(NamedTuple):
    """Another shape."""

    radius: int


@operation
def area(state: Any, scale: int) -> int:
    """The area of a shape."""


@area.register(tuple)
def _(state: Any, scale: int) -> int:
    return 0


@area.register(Shape)
def area_of_shape(state: Shape, scale: int) -> int:
    return scale * state.edge


@area.register(Square)
def area_of_square(state: Square, scale: int) -> int:
    return scale * state.edge * state.edge


@operation
def corners(state: Any) -> int:
    """Number of corners of a shape."""


@corners.register(Shape)
def _(state: Shape) -> int:
    return 3 + 1


@helper
def twice(number: int) -> int:
    return 2 * number


@kernel
def compiled_area(state: Any, scale: int) -> int:
    """The area, by way of compiled code."""
    return twice(area(state, scale)) // 2


@kernel
def compiled_corners(state: Any) -> int:
    """The corners, by way of compiled code."""
    return corners(state)


@pytest.mark.parametrize("call", [area, compiled_area])
def test_the_nearest_class_decides_and_tuple_is_the_default(call: Any) -> None:
    assert call(Shape(5), 3) == 15
    assert call(Square(5), 3) == 75
    assert call(Circle(5), 3) == 0


@pytest.mark.parametrize("call", [corners, compiled_corners])
def test_a_base_class_serves_its_subclasses(call: Any) -> None:
    assert call(Shape(1)) == call(Square(1)) == 4


def test_keyword_arguments_are_passed_on() -> None:
    assert area(Shape(5), scale=2) == 10


@pytest.mark.parametrize("call", [corners, compiled_corners])
def test_a_missing_operation_is_named_with_the_class(call: Any) -> None:
    with pytest.raises(MissingOperation, match=r"Circle.*'corners'.*@corners\.register\(Circle\)"):
        call(Circle(1))


def test_an_implementation_with_other_parameters_is_refused() -> None:
    def wrong(shape: Shape, scale: int) -> int:
        return 0

    with pytest.raises(
        MissingOperation, match=r"'area' has the parameters \(shape, scale\).*\(state, scale\)"
    ):
        area.register(Circle)(wrong)
    assert area(Circle(1), 1) == 0


def test_registering_returns_the_function_itself() -> None:
    assert area.implementation(Square) is area_of_square
    assert area_of_shape(Shape(2), 2) == 4


def test_an_operation_shows_name_signature_and_docstring() -> None:
    assert area.__name__ == "area"
    assert area.__doc__ == "The area of a shape."
    assert repr(corners) == "<operation corners(state: Any) -> int>"


def test_a_listener_hears_of_earlier_and_later_operations_and_helpers() -> None:
    heard: list[Any] = []
    listen(heard.append)
    assert area in heard
    assert twice in heard

    @operation
    def later(state: Any) -> int:
        """Declared after the listener came."""

    assert heard[-1] is later


def test_helpers_stay_plain_functions() -> None:
    assert twice(4) == 8
