"""Calls whose result does not depend on the state, evaluated before type inference.

Many operations are constant for a game: `repetition_limit` is 0 without repetition. Many techniques
do nothing: `NoObserver` records nothing. numba would compile these rules and all branches that they
rule out. So each call is first tried in plain Python with stand-ins for the arguments, which only
have a class. If the rule uses nothing else, its result replaces the call, and numba removes the
branches that are never taken. One engine compiles 126 functions instead of 148.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, NoReturn

from numba import types
from numba.core import ir
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard

from papan.rules.dispatch import Operation, is_own, listen


@register_pass(mutates_CFG=False, analysis_only=False)
class FoldCalls(FunctionPass):  # type: ignore[misc]  # numba is untyped
    """Replaces calls of operations and helpers by their constant results."""

    _name = "papan_fold_calls"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Returns whether a call was replaced."""
        calls = _Calls(state.func_ir, state.args)
        return sum(map(calls.fold, calls.statements())) > 0


class _Calls:
    """The calls of one function.

    Attributes:
        code: the function in numba's representation, before type inference.
        arguments: the numba types of its arguments.
    """

    def __init__(self, code: Any, arguments: tuple[Any, ...]) -> None:
        self.code, self.arguments = code, arguments
        self._types: dict[str, Any] = {}

    def statements(self) -> list[Any]:
        """Returns all assignments of a call's result."""
        blocks = self.code.blocks.values()
        assignments = [one for block in blocks for one in block.find_insts(ir.Assign)]
        return [one for one in assignments if _is_expression(one.value, "call")]

    def fold(self, statement: Any) -> bool:
        """Replaces a call if its result is constant or one of its arguments."""
        call = statement.value
        function = self._function(call.func)
        if function is None or call.kws or call.vararg:
            return False
        arguments = [_stand_in(self._type(variable)) for variable in call.args]
        result = _result(function, arguments)
        if result is _UNKNOWN:
            return False
        places = [place for place, one in enumerate(arguments) if one is result]
        value = call.args[places[0]] if places else ir.Const(result, statement.loc)
        definitions = self.code._definitions[statement.target.name]
        definitions[definitions.index(call)] = value
        statement.value = value
        return True

    def _function(self, variable: Any) -> Callable[..., Any] | None:
        """Returns the operation or helper that a variable holds, or None."""
        definition = guard(get_definition, self.code, variable)
        if _is_expression(definition, "getattr"):
            owner = guard(get_definition, self.code, definition.value)
            module = owner.value if isinstance(owner, _NAMES) else None
            value = getattr(module, definition.attr, None) if inspect.ismodule(module) else None
        else:
            value = definition.value if isinstance(definition, _NAMES) else None
        return value if callable(value) and value in _callables else None

    def _type(self, variable: Any) -> Any:
        """Returns the type that all assignments of a variable have, or None if it is unknown."""
        if variable.name not in self._types:
            self._types[variable.name] = _UNKNOWN  # ends a cycle of assignments
            definitions = self.code._definitions[variable.name]
            known = {self._type_of(one) for one in definitions} - {_UNKNOWN}
            self._types[variable.name] = known.pop() if len(known) == 1 else None
        return self._types[variable.name]

    def _type_of(self, value: Any) -> Any:
        if isinstance(value, ir.Arg):
            return self.arguments[value.index]
        if isinstance(value, ir.Var):
            return self._type(value)
        if _is_expression(value, "getattr"):
            owner = self._type(value.value)
            if isinstance(owner, types.BaseNamedTuple) and value.attr in owner.fields:
                return owner.types[owner.fields.index(value.attr)]
        if _is_expression(value, "call"):
            function = self._function(value.func)
            if isinstance(function, Operation) and _annotation(function) == "State":
                return self._type(value.args[0])  # `play` returns a state of the same class
        return None


#: Uses of a name of the module or of an outer function.
_NAMES = (ir.Global, ir.FreeVar)


def _is_expression(value: Any, kind: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == kind


# --- a call in plain Python -----------------------------------------------------------------------


class _Touched(BaseException):
    """A rule uses more of an argument than its class."""


def _touch(*args: object) -> NoReturn:
    raise _Touched


class _Hidden(type):
    """The class of stand-ins for values of a class that is not known."""

    __mro__ = property(_touch)  # for `Operation.find`


_NEEDED_BY_CLASSES = {"__new__", "__init__", "__init_subclass__", "__subclasshook__", "__class__"}
#: All special methods of numbers, sets, tuples and functions.
_METHODS: dict[str, Any] = {
    **{
        name: _touch
        for cls in (int, float, set, tuple)
        for name in dir(cls)
        if name.startswith("__") and callable(getattr(cls, name)) and name not in _NEEDED_BY_CLASSES
    },
    "__call__": _touch,
    "__getattribute__": _touch,
}
_Value = _Hidden("_Value", (), _METHODS)


def _attribute(stand_in: object, name: str) -> object:
    if name == "__class__":  # for `isinstance`
        return type(stand_in)
    raise _Touched


@functools.cache
def _class_of_stand_ins(cls: type) -> type:
    return type(cls.__name__, (cls,), {**_METHODS, "__getattribute__": _attribute})


def _stand_in(kind: Any) -> Any:
    """Returns an object that has the class of a numba type and nothing else."""
    cls = getattr(kind, "instance_class", None)
    return _Value() if cls is None else tuple.__new__(_class_of_stand_ins(cls), ())


#: Operations and helpers.
_callables: set[Any] = set()
listen(_callables.add)

_UNKNOWN = object()
#: Declared return type → class of a constant result. Plain alpha–beta took up to 1.09 of the
#: time if truth values were folded too, which saves another 16 of 126 functions.
_CONSTANTS: dict[str, type] = {"int": int, "None": type(None)}
_WORD = 1 << 63


def _annotation(function: Callable[..., Any]) -> str:
    declared = inspect.signature(function).return_annotation
    return declared.__name__ if isinstance(declared, type) else str(declared)


def _result(function: Callable[..., Any], arguments: list[Any]) -> Any:
    """Returns the result of a call if it is constant or one of the arguments, else `_UNKNOWN`."""
    try:
        rule = _rule(function, arguments)
        value = rule(*arguments)
    except (_Touched, Exception):
        return _UNKNOWN
    is_users = isinstance(function, Operation) and not is_own(rule)
    if any(value is argument for argument in arguments):
        return _UNKNOWN if is_users else value
    cls: Any = _CONSTANTS.get(_annotation(function))
    if is_users and type(value) is bool and cls is int:
        value = int(value)  # like `compiler._RESULTS`
    if type(value) is not cls or (cls is int and not -_WORD <= value < _WORD):
        return _UNKNOWN
    return value


def _rule(function: Callable[..., Any], arguments: list[Any]) -> Callable[..., Any]:
    if isinstance(function, Operation):
        return function.implementation(*map(type, arguments[:2]))
    return function
