"""Building SVG: elements as text that is already escaped."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from papan.figures.theme import theme_rules

NAMESPACE = "http://www.w3.org/2000/svg"

#: What XML allows nowhere, escaped or not.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Value = str | float | None


class Markup(str):
    """Text that is markup: it is not escaped again, here or in a template."""

    __slots__ = ()

    #: The text itself, for templates that escape everything else.
    __html__ = str.__str__


class Picture(Markup):
    """A whole `<svg>`; it shows itself in notebooks."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def element(name: str, /, *children: str, **attributes: Value) -> Markup:
    """An element. Text children are escaped; `class_` is `class`, `data_square` `data-square`,
    and an attribute that is None or an empty text is left out."""
    inner = "".join(map(_child, children))
    opening = name + "".join(
        f" {_name(key)}={quoteattr(_clean(format_number(value)))}"
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


def format_number(value: str | float) -> str:
    """A number as short as a picture needs it: at most two decimals, no trailing zeros."""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def join_elements(parts: list[Markup] | list[str]) -> Markup:
    """Elements one after the other."""
    return Markup("".join(map(_child, parts)))


def style_sheet(rules: str) -> Markup:
    """A `<style>` element."""
    return element("style", Markup(_clean(rules).replace("<", "")))


def classes(*names: str | None) -> str:
    """The value of a `class` attribute: the names that are given."""
    return " ".join(name for name in names if name)


def drawing(
    name: str,
    extent: tuple[float, float],
    *parts: Markup,
    title: str,
    rules: str = "",
    theme: str = "light",
    size: float | None = None,
    ident: str = "",
) -> Picture:
    """A whole picture.

    Args:
        name: its class.
        extent: width and height in its own units.
        parts: what is drawn.
        title: what it is called for those who cannot see it.
        rules: the style sheet that it carries with it, and its title with that; a picture
            without rules is part of a page that has them, and has `aria-label` alone.
        theme: the colours that the picture carries with it.
        size: the width in pixels; without one the picture is as wide as there is room.
        ident: its id, if it has one.
    """
    width, height = extent
    own = f"papan-{theme}" if rules and theme != "light" else ""
    if own:
        rules = theme_rules(theme, f".{own}") + rules
    head = [element("title", title), style_sheet(rules)] if rules else []
    whole = element(
        "svg",
        *head,
        *parts,
        xmlns=NAMESPACE,
        class_=classes(name, own),
        viewBox=f"0 0 {format_number(width)} {format_number(height)}",
        width=size,
        height=size and size * height / width,
        role="img",
        aria_label=title,
        id=ident,
    )
    return Picture(whole)
