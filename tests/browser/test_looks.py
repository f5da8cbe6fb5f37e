"""Every page in every theme, language and size: kept as pictures, and free of what axe finds."""

import os
from base64 import b64encode
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.tools.webserver import WebServer
from papan.usercode import registry
from papan.usercode.gallery import gallery
from support import thoroughly
from web_browsers import DESKTOP, LYING, PHONE, Table, screenshots, set_up

Visit = Callable[..., Any]

PAGES = {
    "menu": "/",
    "new-solo": "/new/solo",
    "new-shared": "/new/shared?game=platforms",
    "new-link": "/new/link?game=corners",
    "new-watch": "/new/watch",
    "analysis": "/analysis?game=adjacency",
    "tournament": "/tournament",
    "records": "/records",
    "teach": "/teach",
    "instructions": "/instructions",
    "rules": "/rules/platforms",
    "rules-hex": "/rules/hex",
    "gallery": "/games",
    "chooser": "/tournament?game=hex&find=e",
    "puzzles": "/puzzles",
    "no-puzzles": "/puzzles?game=hex",
    "mistakes": "/puzzles/mistakes?game=tictactoe&moves=a1+b1+b2",
    "train": "/train?game=connect_four",
    "options": "/options",
    "about": "/about",
    "exit": "/exit",
    "api": "/api",
    "sorry": "/no-such-page",
}

#: Pages that need something to be there: a game, an invitation, an open box.
LIVE = (
    *("game-adjacency", "game-platforms", "game-corners", "game-solo"),
    *("invitation", "join", "result"),
)

#: Theme and language; by default one of them, by a thorough run all themes and all languages.
LOOKS = [
    pytest.param((theme, language), id=f"{theme}-{language}", marks=marks)
    for theme, language, *marks in (
        ("light", "en"),
        ("contrast", "id", pytest.mark.thorough),
        ("dark", "en", pytest.mark.long),
        ("light", "id", pytest.mark.long),
        ("dark", "id", pytest.mark.thorough),
        ("contrast", "en", pytest.mark.long),
    )
]

SIZES = {"1280x800": DESKTOP, "390x844": PHONE, "844x390": LYING}

#: Size and theme; each of them once by default.
PICTURES = [
    ("390x844", "light"),
    *thoroughly(
        ("1280x800", "dark"),
        ("390x844", "dark"),
        ("1280x800", "light"),
        ("844x390", "light"),
        ("844x390", "dark"),
    ),
]


@cache
def axe() -> str:
    """The script of axe-core, which npm installs."""
    folders = [os.environ.get("PAPAN_AXE", ""), "node_modules/axe-core"]
    for folder in filter(None, folders):
        script = Path(folder) / "axe.min.js"
        if script.exists():
            return script.read_text(encoding="utf-8")
    pytest.skip("there is no axe-core: npm install axe-core, and its folder in PAPAN_AXE")


def options_cookie(server: WebServer, theme: str, language: str) -> dict[str, Any]:
    """The cookie of a browser with these options."""
    wanted = f"theme={theme}&language={language}&animation=off"
    return {"name": "papan_options", "value": wanted, "url": server.address}


@pytest.fixture(scope="module")
def addresses(chromium: Any, server: WebServer) -> dict[str, str]:
    """The addresses of all pages; `cookie` is the browser that plays the games."""
    context = chromium.new_context(**DESKTOP, locale="en-GB")
    found = {name: server.address + path for name, path in PAGES.items()}
    for game, moves in _MOVES.items():
        page = context.new_page()
        set_up(page, server.address, "shared", game=game, name="Ani", other="Budi", clock="10+5")
        table = Table(page, game)
        for move in moves:
            table.move(move)
        found[f"game-{game}"] = page.url
    page = context.new_page()
    set_up(page, server.address, "solo", game="adjacency", opponent_spec="first", name="Ani")
    found["game-solo"] = page.url
    page = context.new_page()
    set_up(page, server.address, "link", game="adjacency", name="Ani")
    found["invitation"] = page.url
    found["join"] = page.locator("[data-copy]").input_value()
    page = context.new_page()
    set_up(page, server.address, "shared", game="adjacency", size="4", rounds="2")
    table = Table(page, "adjacency:size=4,rounds=2")
    table.play_to_the_end(lambda position: position.moves()[0], alone=True)
    found["result"] = page.url
    cookie = next(c for c in context.cookies() if c["name"] == "papan_session")
    found["cookie"] = cookie["value"]
    context.close()
    return found


_MOVES = {
    "adjacency": ("d4", "e5", "e4", "d5", "c5"),
    "platforms": ("b2", "c2"),
    "corners": ("f3f4", "c6d6"),
}


def opened(visit: Visit, server: WebServer, cookie: str, look: tuple[str, str], **how: Any) -> Any:
    """A page in the browser that plays the games of `addresses`; its policy lets axe in."""
    page = visit(bypass_csp=True, **how)
    session = {"name": "papan_session", "value": cookie, "url": server.address}
    page.context.add_cookies([session, options_cookie(server, *look)])
    return page


def go(page: Any, addresses: dict[str, str], name: str) -> None:
    """Loads a page and waits until it stands still."""
    if name == "join":  # whoever invites is led to the game
        page.context.clear_cookies(name="papan_session")
    page.goto(addresses[name], wait_until="load", timeout=120_000)  # a tree may be compiled first
    splash = page.locator("[data-splash]:not(.gone) [data-splash-skip]")
    if name == "menu" and splash.count():
        splash.click()


def names() -> list[str]:
    """All pages; the invitation's last, because its visitor has no games."""
    return [name for name in (*PAGES, *LIVE) if name != "join"] + ["join"]


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_on_any_page(
    visit: Visit, server: WebServer, addresses: dict[str, str], look: tuple[str, str]
) -> None:
    script = axe()
    page = opened(visit, server, addresses["cookie"], look)
    found = {}
    for name in names():
        go(page, addresses, name)
        page.evaluate(script)
        result = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
        for violation in result["violations"]:
            where = [node["target"] for node in violation["nodes"]][:4]
            found[f"{name}: {violation['id']}"] = (violation["help"], where)
    assert found == {}


@pytest.mark.parametrize(("size", "theme"), PICTURES)
def test_nothing_sticks_out_of_any_page_and_its_picture_is_kept(
    visit: Visit, server: WebServer, addresses: dict[str, str], size: str, theme: str
) -> None:
    page = opened(visit, server, addresses["cookie"], (theme, "en"), **SIZES[size])
    wide, pictures = [], {}
    for name in names():
        go(page, addresses, name)
        pictures[name] = picture_of(page, screenshots() / f"{name}-{size}-{theme}.png")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            wide.append(name)
    assert wide == []
    sheet = visit(viewport={"width": 1600, "height": 900})
    contact_sheet(sheet, pictures, screenshots() / f"sheet-{size}-{theme}.png")


def picture_of(page: Any, file: Path) -> bytes:
    """Keeps a picture of the page. A busy browser may have no frame to capture; the next one will
    do."""
    try:
        picture: bytes = page.screenshot(path=file)
    except Exception as error:
        if "Unable to capture screenshot" not in str(error):
            raise
        page.wait_for_timeout(500)
        picture = page.screenshot(path=file)
    return picture


def contact_sheet(page: Any, pictures: dict[str, bytes], file: Path) -> None:
    """One picture of many, each with its name."""
    page.set_content(
        "<style>body { display: flex; flex-wrap: wrap; gap: 12px; font: 14px sans-serif }"
        "figure { margin: 0 } img { display: block; max-width: 380px; max-height: 380px }</style>"
        + "".join(
            f"<figure><img src='data:image/png;base64,{b64encode(data).decode()}'>{name}</figure>"
            for name, data in pictures.items()
        )
    )
    page.screenshot(path=file, full_page=True)
    assert page.evaluate("[...document.images].every(image => image.naturalWidth > 0)")


@pytest.mark.thorough
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_boards_of_all_games_make_a_sheet(
    visit: Visit, server: WebServer, addresses: dict[str, str], theme: str
) -> None:
    page = opened(visit, server, addresses["cookie"], (theme, "en"))
    boards = {}
    for name in (*registry.names(), *gallery()):
        page.goto(f"{server.address}/analysis?game={name}", timeout=120_000)
        boards[name] = page.locator("#board").screenshot()
    sheet = visit(viewport={"width": 1600, "height": 900})
    contact_sheet(sheet, boards, screenshots() / f"sheet-boards-{theme}.png")
    assert len(boards) >= 27


@pytest.mark.long
def test_whatever_is_touched_on_a_phone_is_large_enough(
    visit: Visit, server: WebServer, addresses: dict[str, str]
) -> None:
    """44 px in both directions; of places on boards only as much as the board's columns allow, and
    links within a sentence are as high as its lines."""
    page = opened(visit, server, addresses["cookie"], ("light", "en"), **PHONE)
    small = {}
    for name in names():
        go(page, addresses, name)
        small[name] = page.evaluate(_SMALL)
        if name == "records":
            page.locator(".played a").first.click()
            small["record"] = page.evaluate(_SMALL)
    assert {name: found for name, found in small.items() if found} == {}


#: What can be touched and is smaller than a finger: itself, and for a box to tick its label. What
#: is folded is unfolded first.
_SMALL = """() => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
  const wanted = "a[href], button, summary, select, textarea, input:not([type=hidden])";
  const least = (thing) => (thing.closest(".cells") ? 24 : 44);
  const inSentence = (thing) => thing.matches("a") && getComputedStyle(thing).display === "inline"
    && [...thing.parentElement.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return [...document.querySelectorAll(wanted)]
    .filter((thing) => thing.checkVisibility() && !thing.closest(".sr, .skip"))
    .filter((thing) => !inSentence(thing))
    .map((thing) => [thing, (thing.closest("label") ?? thing).getBoundingClientRect()])
    .filter(([, box]) => box.width > 1 && box.height > 1)
    .filter(([thing, box]) => Math.min(box.width, box.height) < least(thing) - 0.5)
    .map(([thing, { width, height }]) => [width, height, thing.outerHTML.slice(0, 110)].join(" "));
}"""
