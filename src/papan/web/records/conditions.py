"""The conditions of a game in words: clock, time, depth and nodes of each move."""

from __future__ import annotations

from papan.messages import Messages

#: What a record's conditions can name; `TimeControl` of the arena writes them.
_KNOWN = ("clock", "time", "depth", "nodes", "margin")


def in_words(conditions: str, say: Messages) -> str:
    """Conditions such as `time=0.1 margin=5` as a reader's language has them.

    What is none of ours stays as it is.
    """
    return ", ".join(_word(part, say) for part in conditions.split())


def _word(part: str, say: Messages) -> str:
    name, equals, value = part.partition("=")
    if not equals or name not in _KNOWN:
        return part
    total, plus, increment = value.partition("+")
    if plus and name == "clock":
        return say("web.condition.increment", total=total, increment=increment)
    return say(f"web.condition.{name}", value=value)
