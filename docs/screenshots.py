"""Creates the pictures of the pages in README and docs: `python -m docs.screenshots`.

A real server and a real browser draw them: the analysis of a game in light and dark colours
(`docs/page-light.webp`, `docs/page-dark.webp`), and a game with its analysis as an animation of
twenty seconds (`docs/page.webp`). Needs Chromium and `pip install pillow`.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from benchmarks.tools.webserver import WebServer

FOLDER = Path(__file__).parent
SIZE = {"width": 1120, "height": 760}

#: The game on the pictures, and its first moves.
GAME, MOVES = "othello", "d3 c5 d6 e3 f4"

#: Frames of the animation, and their duration in ms.
FRAMES, FRAME_MS = 22, 900

#: Time in ms in which the engine finds a good move once it is compiled.
_THINK_MS = 1200
#: Quality of the pictures from 0 to 100.
_QUALITY = 70


def main() -> None:
    """Creates the pictures."""
    image = import_module("PIL.Image")
    with (
        tempfile.TemporaryDirectory() as folder,
        WebServer(Path(folder), unlimited=True) as server,
        sync_playwright() as driver,
    ):
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for scheme in ("light", "dark"):
            page = _open(browser, server.address, scheme)
            image.open(_shot(page)).save(FOLDER / f"page-{scheme}.webp", quality=_QUALITY)
        frames = _play(_open(browser, server.address, "light"), image)
        frames[0].save(
            FOLDER / "page.webp",
            save_all=True,
            append_images=frames[1:],
            duration=FRAME_MS,
            loop=0,
            quality=_QUALITY,
        )
        browser.close()


def _open(browser: Any, address: str, scheme: str) -> Page:
    """Returns the analysis of the game, once the engine has found a move."""
    context = browser.new_context(
        viewport=SIZE, color_scheme=scheme, locale="en-GB", reduced_motion="reduce"
    )
    page: Page = context.new_page()
    page.goto(f"{address}/analysis?game={GAME}&moves={MOVES.replace(' ', '+')}")
    page.locator(".pv a").first.wait_for(timeout=120_000)
    page.wait_for_timeout(3 * _THINK_MS)
    return page


def _shot(page: Page) -> io.BytesIO:
    return io.BytesIO(page.screenshot())


def _play(page: Page, image: Any) -> list[Any]:
    """Returns the frames of a game in which both sides play the best move of the engine."""
    frames = []
    for _ in range(FRAMES):
        page.locator(".pv a").first.wait_for(timeout=120_000)
        page.wait_for_timeout(_THINK_MS)
        frames.append(image.open(_shot(page)).convert("RGB"))
        about = page.locator("#analysis").get_attribute("data-about")
        page.locator(".pv a").first.click()
        page.mouse.move(0, 0)  # pointing at a move shows its board
        page.locator(f'#analysis:not([data-about="{about}"])').wait_for()
    return frames


if __name__ == "__main__":
    main()
