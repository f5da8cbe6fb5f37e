"""Reasons why a rule cannot be compiled, in plain words: the one line of numba's report that
matters to the author of a game."""

from __future__ import annotations

import json
import linecache
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from papan.errors import InvalidGame

#: Prefix of a reason that Papan passed to numba: message name, values as JSON.
OWN = "papan-reason"

#: Patterns of numba's words with replacements for authors of rules, in this order.
_WORDS: tuple[tuple[str, str], ...] = (
    (r"@\w+", ""),
    (r"Literal\[(\w+)\]\([^()]*\)", r"\1"),
    (r"\b(?:Uni)?Tuple\([^()]*\)", "tuple"),
    (r"\b(?:reflected )?[Ll]ist\([^()]*\)(?:<iv=None>)?", "list"),
    (r"\bDictType\[[^\]]*\](?:<iv=None>)?", "dict"),
    (r"\bOptionalType\(([^()]*)\)", r"\1 | None"),
    (r"\b(\w+)\(u?int64(?:, u?int64| x \d+)*\)", r"\1"),
    (r"\buint64\b", "Bits"),
    (r"\b(int|float)64\b", r"\1"),
    (r"\bunicode_type\b", "str"),
    (r"\bboolean\b", "bool"),
    (r"\bnone\b", "None"),
)

#: Python's operators by their names in the module `operator`, which numba uses.
_OPERATORS = {
    "add": "+",
    "sub": "-",
    "mul": "*",
    "truediv": "/",
    "floordiv": "//",
    "mod": "%",
    "and_": "&",
    "or_": "|",
    "xor": "^",
    "lshift": "<<",
    "rshift": ">>",
    "eq": "==",
    "ne": "!=",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
    "getitem": "[…]",
    "setitem": "[…] =",
}

#: numba's report → message, filled in by the groups. The first match counts,
#: so the most specific ones come first.
_REASONS: tuple[tuple[str, str], ...] = (
    (r"Untyped global name '(?P<name>\w+)':.*<class 'function'>", "kernel.reason.plain-function"),
    (
        r"Untyped global name '(?P<name>\w+)':.*<class '(?P<kind>[\w.]+)'>",
        "kernel.reason.global",
    ),
    (
        r"use of a (?:reflected )?(?P<kind>\w+).*assigned to variable '(?P<name>\w+)' in globals",
        "kernel.reason.global",
    ),
    (r"NameError: (?:global )?name '(?P<name>\w+)' is not defined", "kernel.reason.no-name"),
    (r"Unknown attribute '_replace' of type (?P<kind>\w+)", "kernel.reason.replace"),
    (r"Unknown attribute '(?P<name>\w+)' of type (?P<kind>\w+)", "kernel.reason.no-field"),
    (
        r"Cannot unify (?P<kind>.+?) and (?P<other>.+?) for '(?P<name>[\w$]+)",
        "kernel.reason.two-types",
    ),
    (r"Can't unify return type", "kernel.reason.two-results"),
    (
        r"No implementation of function Function\(<built-in function (?P<name>\w+)>\) found for "
        r"signature:\s*>>> \w+\((?P<kind>.*)\)",
        "kernel.reason.no-operator",
    ),
    (
        r"(?P<name>(?:The|Use of)[^\n]*?(?:not |un)supported)",
        "kernel.reason.unsupported",
    ),
)


def own_reason(message: str, **values: str) -> str:
    """Returns a reason of Papan as text that `diagnosis` understands."""
    return f"{OWN}:{message}:{json.dumps(values)}"


def diagnosis(operation: str, rule: Callable[..., Any], account: str) -> InvalidGame:
    """Returns the error for a rule that cannot be compiled: file, line and reason.

    Args:
        operation: the operation of the rule.
        rule: the Python function.
        account: numba's report.
    """
    file = rule.__code__.co_filename
    linecache.checkcache(file)  # it may have been changed since another error showed a line of it
    reason = _reason(account)
    line = _line(account, file) or _line_of_name(rule, str(reason.values.get("name", "")))
    line = line or min(number for _, _, number in rule.__code__.co_lines() if number) + 1
    return InvalidGame(
        "kernel.no-compile",
        text=Path(file).name,
        line=line,
        operation=operation,
        reason=reason,
        code=linecache.getline(file, line).strip() or "?",
    )


def _reason(account: str) -> InvalidGame:
    own = re.search(rf"{OWN}:([\w.-]+):(\{{.*?\}})", account)
    if own:
        return InvalidGame(own[1], **_plainly(json.loads(own[2])))
    for pattern, message in _REASONS:
        match = re.search(pattern, account)
        if match:
            return InvalidGame(message, **_plainly(match.groupdict()))
    telling = [line.strip() for line in account.splitlines() if line.strip()]
    lines = [line for line in telling if not line.startswith("Failed in")] or telling or ["?"]
    return InvalidGame("kernel.reason.other", name=lines[0])


def _plainly(words: dict[str, str]) -> dict[str, str]:
    """Returns the values of a reason, with numba's terms replaced by those of Python."""
    plain = {}
    for field, text in words.items():
        for pattern, word in _WORDS:
            text = re.sub(pattern, word, text)
        plain[field] = _OPERATORS.get(text, text.strip())
    return plain


def _line(account: str, file: str) -> int | None:
    """Returns the first line number in numba's report that belongs to the file of the rule."""
    name = re.escape(Path(file).name)
    match = re.search(rf'File "(?:[^"\n]*[/\\])?{name}", line (\d+)', account)
    match = match or re.search(rf"at [^\n]*{name} \((\d+)\)", account)
    return int(match[1]) if match else None


def _line_of_name(rule: Callable[..., Any], name: str) -> int | None:
    """Returns the number of the first line of a rule in which `name` occurs."""
    code = rule.__code__
    if not name.isidentifier():
        return None
    for line in sorted({number for _, _, number in code.co_lines() if number}):
        if re.search(rf"\b{name}\b", linecache.getline(code.co_filename, line)):
            return line
    return None
