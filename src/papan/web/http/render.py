"""Rendering of pages: templates, the language of the browser, addresses below a prefix,
fragments."""

from __future__ import annotations

import functools
import hashlib
import logging
import re
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any

import jinja2
from markupsafe import Markup
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from papan.errors import PapanError
from papan.figures.pieces import sample
from papan.figures.theme import all_look_rules, board_rules, chart_rules, theme_rules
from papan.messages import LANGUAGES, Messages
from papan.web.http.allowed import Allowed
from papan.web.http.request_params import service_of, state_of

_LOG = logging.getLogger("papan.web")

#: Maximum length of a query in a form.
_LONGEST_QUERY = 1500

#: Header with which the script requests the changing part of a page.
FRAGMENT = "papan-fragment"

#: Seconds below which a clock shows tenths.
_TENTHS_BELOW = 10.0

#: Headers of files whose address changes with their content.
KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}

STATIC = resources.files("papan.web") / "static"

TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader("papan.web", ""),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
    undefined=jinja2.StrictUndefined,
)
TEMPLATES.globals["sample"] = sample


def clock_text(seconds: float) -> str:
    """Returns the time of a clock: `4:05`, with tenths near the end."""
    if seconds < _TENTHS_BELOW:
        return f"0:{seconds:04.1f}"
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes}:{rest:02}"


TEMPLATES.globals["clock_text"] = clock_text


def _in_other_themes(rules: Callable[[str, str], str]) -> list[str]:
    """Returns the rules of all themes but the light one; `rules` takes a theme and a selector."""
    system = rules("dark", ':root[data-theme="system"]')
    named = [rules(theme, f':root[data-theme="{theme}"]') for theme in ("dark", "contrast")]
    return [f"@media (prefers-color-scheme:dark){{{system}}}", *named]


@functools.cache
def style_sheet() -> str:
    """The style sheet: colours of all themes, boards, pages."""
    parts = (
        theme_rules("light"),
        *_in_other_themes(theme_rules),
        board_rules(),
        chart_rules(),
        (STATIC / "papan.css").read_text(encoding="utf-8"),
    )
    return "\n".join(parts)


@functools.cache
def looks_sheet() -> str:
    """The style sheet of the looks of games."""

    return "\n".join([all_look_rules("light", ":root"), *_in_other_themes(all_look_rules)])


#: Style sheets that are made of parts, by the name of their file.
SHEETS: Mapping[str, Callable[[], str]] = {"papan.css": style_sheet, "looks.css": looks_sheet}

#: Comments, types and indentation of a script, which browsers do not need.
_UNREAD = re.compile(r"/\*\*.*?\*/ ?|^\s*//[^\n]*$", re.DOTALL | re.MULTILINE)


#: An import of another script.
_IMPORT = re.compile(r'from "\./(\w+\.js)"')


@functools.cache
def script(name: str) -> str:
    """Returns a script for browsers, without comments and type annotations, with versioned
    imports."""
    text = without_comments((STATIC / name).read_text(encoding="utf-8"))
    return _IMPORT.sub(lambda found: f'from "./{found[1]}?v={version_of(found[1])}"', text)


def without_comments(text: str) -> str:
    """Returns a script without comments, type annotations and indentation."""
    lines = (line.strip() for line in _UNREAD.sub("", text).splitlines())
    return "".join(f"{line}\n" for line in lines if line)


@functools.cache
def version_of(name: str) -> str:
    """Returns a text that changes with the content of a static file."""
    if name in SHEETS:
        content = SHEETS[name]().encode()
    elif name.endswith(".js"):
        content = script(name).encode()
    else:
        content = (STATIC / name).read_bytes()
    return hashlib.sha256(content).hexdigest()[:10]


def path(connection: HTTPConnection, name: str, /, **params: str) -> str:
    """Returns the address of a page below the prefix of the server."""
    found = _path(connection.app, name, tuple(params.items()))
    return str(connection.scope.get("root_path", "")).rstrip("/") + found


@functools.lru_cache(maxsize=4096)
def _path(app: Any, name: str, params: tuple[tuple[str, str], ...]) -> str:
    """Returns the address of a page; cached, because each page needs about twenty."""
    return str(app.url_path_for(name, **dict(params)))


def asset(connection: HTTPConnection, name: str) -> str:
    """Returns the address of a static file, which changes with its content."""
    return f"{path(connection, 'static', name=name)}?v={version_of(name)}"


def messages(connection: HTTPConnection) -> Messages:
    """Returns the messages in the language of the browser."""
    return Messages(state_of(connection)[1].language)


def explain(connection: HTTPConnection, error: PapanError | None) -> str:
    """Returns the message of an error for a visitor; empty for None."""
    if error is None:
        return ""
    language = state_of(connection)[1].language
    return service_of(connection, Allowed).public.explain(error, language)


def is_fragment(connection: HTTPConnection) -> bool:
    """True if the script of a page sent the request."""
    return FRAGMENT in connection.headers


def html(connection: HTTPConnection, template: str, *, fragment: bool, **context: Any) -> str:
    """Returns a rendered template."""
    session, wanted = state_of(connection)
    return TEMPLATES.get_template(template).render(
        connection=connection,
        say=messages(connection),
        path=functools.partial(path, connection),
        asset=functools.partial(asset, connection),
        preferences=wanted,
        languages=LANGUAGES,
        session=session,
        layout="http/fragment.html" if fragment else "http/base.html",
        here=_here(connection),
        explained=functools.partial(explain, connection),
        **context,
    )


def _here(connection: HTTPConnection) -> str:
    """Returns the current address for a return link, without its query if that is too long."""
    address = connection.url.path
    query = connection.url.query
    return f"{address}?{query}" if query and len(query) < _LONGEST_QUERY else address


def page(request: Request, template: str, *, status: int = 200, **context: Any) -> Response:
    """Returns a page, or the fragment that the script requests."""
    text = html(request, template, fragment=is_fragment(request), **context)
    # Output of programs may contain lone surrogates, which UTF-8 cannot encode.
    content = text.encode("utf-8", "replace")
    return HTMLResponse(content, status_code=status, headers={"Vary": f"Cookie, {FRAGMENT}"})


def sorry(request: Request, status: int, text: str) -> Response:
    """Returns a page with an error message."""
    return page(request, "http/sorry.html", status=status, text=text, code=status)


def see(request: Request, name: str, /, query: str = "", **params: str) -> Response:
    """Redirects the browser after a form."""
    where = path(request, name, **params) + (f"?{query}" if query else "")
    return RedirectResponse(where, status_code=303)


def attachment(text: str, media_type: str, name: str) -> Response:
    """Returns a text as a file to download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text.encode("utf-8", "replace"), media_type=media_type, headers=headers)


def markdown(text: str) -> Markup:
    """Returns trusted Markdown as HTML."""
    from markdown_it import MarkdownIt

    return Markup(MarkdownIt("commonmark", {"html": False}).render(text))
