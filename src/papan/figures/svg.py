"""Builds SVG: elements as escaped text."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from papan.figures.theme import theme_rules

NAMESPACE = "http://www.w3.org/2000/svg"

#: Characters that XML forbids, even escaped.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")

Value = str | float | None


class Markup(str):
    """Text that is already markup, so it is not escaped again, here or in a template."""

    __slots__ = ()

    #: Marks the text as safe for template engines.
    __html__ = str.__str__


class Picture(Markup):
    """A complete `<svg>` element, which notebooks display."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def element(name: str, /, *children: str, **attributes: Value) -> Markup:
    """Returns an element; text children are escaped.

    The keyword `class_` becomes `class`, and `data_square` becomes `data-square`. Attributes with
    the value None or an empty text are omitted.
    """
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
    """Formats a number with at most two decimals and without trailing zeros."""
    if isinstance(value, str):
        return value
    return f"{value:.2f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))


def join_elements(parts: list[Markup] | list[str]) -> Markup:
    """Concatenates elements."""
    return Markup("".join(map(_child, parts)))


def style_sheet(rules: str) -> Markup:
    """Returns a `<style>` element."""
    return element("style", Markup(_clean(rules).replace("<", "")))


def classes(*names: str | None) -> str:
    """Returns the value of a `class` attribute: all non-empty names."""
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
    """Returns a complete picture.

    Args:
        name: class name.
        extent: width and height in the picture's units.
        parts: contents.
        title: description for screen readers.
        rules: style sheet inside the picture. With it, the picture also has a `<title>`. Without
            it, the picture needs the style sheet of its page, and has only an `aria-label`.
        theme: colours of a picture with a style sheet.
        size: width in pixels; by default the picture fills the available width.
        ident: id; empty for none.
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
