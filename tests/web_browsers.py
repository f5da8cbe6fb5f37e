"""People at real browsers: what they open, press, tap and type, and what they see."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import papan
from papan.core.game import Position
from papan.core.moves import Partial
from web_visitors import fields_of

#: Debian's Chromium, or the one that is named.
CHROMIUM = os.environ.get("PAPAN_CHROMIUM") or shutil.which("chromium")

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

#: Words for a server's command line: one person at a time needs no more.
ONE_ENGINE = ("--processes", "1")

DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
#: A phone that lies on its side.
LYING = {**PHONE, "viewport": {"width": 844, "height": 390}}

#: Tab is pressed so often at the most to come somewhere.
_TABS = 60


def screenshots() -> Path:
    """The folder where pictures of pages are kept for whoever looks at them."""
    folder = Path(
        os.environ.get("PAPAN_ARTEFACTS") or Path(tempfile.gettempdir(), "papan-artefacts")
    )
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def mouse(page: Any, selector: str) -> None:
    """Clicks in the middle of something."""
    page.mouse.click(*_middle(page, selector))


def touch(page: Any, selector: str) -> None:
    """Taps on something; a tap on a tiny square aims, and the button plays it."""
    page.touchscreen.tap(*_middle(page, selector))
    if page.locator("#words.aim").count():
        page.touchscreen.tap(*_middle(page, "#words.aim button"))


def keyboard(page: Any, selector: str) -> None:
    """Goes to something by Tab, or on the board by arrows, and presses Enter."""
    target = page.locator(selector)
    if "cell" in (target.get_attribute("class") or ""):
        _walk(page, target.get_attribute("data-square"))
    else:
        tab_to(page, selector)
    page.keyboard.press("Enter")


#: Ways to use a page, by name.
HANDS: dict[str, Callable[[Any, str], None]] = {
    "mouse": mouse,
    "keyboard": keyboard,
    "touch": touch,
}


#: Where the middle of something is, which is brought into view.
_MIDDLE = """thing => {
  thing.scrollIntoView({ block: "nearest", behavior: "instant" });
  const box = thing.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}"""


def _middle(page: Any, selector: str) -> tuple[float, float]:
    x, y = page.locator(selector).evaluate(_MIDDLE)
    return x, y


def tab_to(page: Any, selector: str) -> None:
    """Presses Tab until something has the focus."""
    for _ in range(_TABS):
        if page.locator(f"{selector}:focus").count():
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not come to {selector}")


def _walk(page: Any, square: str) -> None:
    """Goes to a square by arrows, from the one where Tab enters the board: each time by the key
    for the direction in which most of the way is left, of those not yet pressed there."""
    if not page.locator(".cell:focus").count():
        tab_to(page, ".cell[tabindex='0']")
    untried: dict[str, list[str]] = {}
    for _ in range(_TABS):
        here, across, down = page.locator(f".cell[data-square='{square}']").evaluate(_WAY)
        if here == square:
            return
        ways = {"Right": across, "Left": -across, "Down": down, "Up": -down}
        keys = untried.setdefault(here, sorted(ways, key=ways.__getitem__))
        if not keys:
            break
        page.keyboard.press(f"Arrow{keys.pop()}")
    raise AssertionError(f"arrows do not lead to {square}")


#: The square that has the focus, and the way from there in pixels across and down.
_WAY = """square => {
  const [to, from] = [square, document.activeElement].map(one => one.getBoundingClientRect());
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  const [[x, y], [fromX, fromY]] = [middle(to), middle(from)];
  return [document.activeElement.dataset.square, x - fromX, y - fromY];
}"""


def clicks(position: Position, move: str) -> Iterator[tuple[str, str]]:
    """The buttons that make a move, one after the other, each with what is on the page once it
    was pressed; nothing for the one that ends the move."""
    game, begun = position.game, Partial.begin(position)
    code = game.read_move(move, position.state)
    for step in game.touches(code)[:1] or game.steps(code):
        begun = begun.after(step)
        name, settled = begun.names[-1], begun.chosen_move is not None
        if not isinstance(step, str):
            chosen = f"#board .selected[data-square='{name}']"
            yield f".cell[data-square='{name}']", "" if settled else chosen
        else:
            yield f"#words button[value='{move if settled else name}']", ""
        if settled:
            return
    yield f"#words button[value='{move}']", ""


class Table:
    """A game's page, and somebody who plays at it.

    Args:
        page: the page, of Playwright.
        game: the spec of the game.
        hand: how they play: one of `HANDS`.
    """

    def __init__(self, page: Any, game: str, hand: str = "mouse") -> None:
        self.page, self.press = page, HANDS[hand]
        self.position: Position = papan.game(game).start()
        self.moves: list[str] = []

    @property
    def plies(self) -> int:
        """How many moves the page says were made."""
        return int(self.page.locator("#game").get_attribute("data-plies"))

    @property
    def over(self) -> bool:
        """Whether the page says that the game has ended."""
        return bool(self.page.locator("#game").get_attribute("data-over"))

    def listed(self) -> list[str]:
        """The moves in the list on the page."""
        found: list[str] = self.page.locator("#moves a[data-ply]").all_inner_texts()
        return found

    def move(self, move: str) -> None:
        """Makes a move by hand, step by step, and waits until it is on the page."""
        for selector, chosen in clicks(self.position, move):
            self.press(self.page, selector)
            if chosen:
                self.page.locator(chosen).first.wait_for(state="attached")
        self.position = self.position.play(move)
        self.moves.append(move)
        self.page.locator(f"#moves a[data-ply='{len(self.moves)}']").wait_for(state="attached")

    def wait_for_reply(self) -> None:
        """Waits until the other side has moved, or the game is over."""
        if self.position.outcome() is not None:
            return
        number = len(self.moves) + 1
        reply = self.page.locator(f"#moves a[data-ply='{number}']")
        # A program that is asked for the first time may have to be compiled.
        reply.wait_for(state="attached", timeout=120_000)
        self.moves.append(reply.inner_text())
        self.position = self.position.play(self.moves[-1])

    def play_to_the_end(self, choose: Callable[[Position], str], *, alone: bool) -> None:
        """Plays a whole game: both sides, or one against a program."""
        while self.position.outcome() is None:
            self.move(choose(self.position))
            if not alone:
                self.wait_for_reply()


def by_chance(seed: int) -> Callable[[Position], str]:
    """Somebody who makes any legal move, the same ones each time."""
    chance = random.Random(seed)
    return lambda position: chance.choice(position.moves())


def set_up(page: Any, address: str, kind: str, hand: str = "mouse", **fields: str) -> None:
    """Starts a game by the form, which is filled in by the address."""
    page.goto(f"{address}/new/{kind}?{urlencode(fields_of(fields))}")
    HANDS[hand](page, ".setup .actions button")
    page.locator("#game").wait_for()
    page.wait_for_load_state()
