"""Building SVG: elements as text that is already escaped."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

NAMESPACE = "http://www.w3.org/2000/svg"

#: What XML allows nowhere, escaped or not.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Value = str | float | None


class Markup(str):
    """Text that is markup: it is not escaped again, here or in a template."""

    __slots__ = ()

    def __html__(self) -> str:
        """The text itself, for templates that escape everything else."""
        return str(self)


def element(name: str, *children: str, **attributes: Value) -> Markup:
    """An element. Text children are escaped; `class_` is `class`, `data_square` `data-square`,
    and an attribute that is None or an empty text is left out."""
    inner = "".join(map(_child, children))
    opening = name + "".join(
        f" {_name(key)}={quoteattr(_clean(written(value)))}"
        for key, value in attributes.items()
        if value is not None and value != ""
    )
    return Markup(f"<{opening}>{inner}</{name}>" if inner else f"<{opening}/>")


def _child(child: str) -> str:
    return child if isinstance(child, Markup) else escape(_clean(child))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)


def written(value: str | float) -> str:
    """A number as short as a picture needs it: at most two decimals, no trailing zeros."""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def joined(parts: list[Markup] | list[str]) -> Markup:
    """Elements one after the other."""
    return Markup("".join(map(_child, parts)))


def style_sheet(rules: str) -> Markup:
    """A `<style>` element."""
    return element("style", Markup(_clean(rules).replace("<", "")))


def classes(*names: str | None) -> str:
    """The value of a `class` attribute: the names that are given."""
    return " ".join(name for name in names if name)
