"""Exported pages: their files, what they load, and what cannot be exported."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

import papan
from papan.browser.linker import NoLinker
from papan.errors import UsageError
from papan.figures.board import Style
from papan.messages import LANGUAGES, Messages
from papan.solve.puzzle_files import text_of
from papan.solve.puzzles import puzzles
from papan.web.export import site
from papan.web.export.site import look_table
from support import thoroughly
from wasm.node import NODE

#: Largest size of a page's script, module and data in bytes, compressed, without weights.
_MOST_BYTES = 100_000


class Page(HTMLParser):
    """What is in a page.

    Args:
        text: its HTML.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.ids: list[str] = []
        self.policy = ""
        self._in_script = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.addresses += [values[name] or "" for name in ("src", "href") if name in values]
        self.ids += [values["id"] or ""] if "id" in values else []
        if values.get("http-equiv") == "Content-Security-Policy":
            self.policy = values["content"] or ""
        if tag == "script":
            self.scripts.append((values, ""))
        self._in_script = tag == "script"

    def handle_data(self, data: str) -> None:
        if self._in_script:
            attributes, text = self.scripts[-1]
            self.scripts[-1] = attributes, text + data

    def facts(self) -> Any:
        """The data of the page's script."""
        (text,) = [text for values, text in self.scripts if values.get("id") == "export"]
        return json.loads(text)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site of two games."""
    folder = tmp_path_factory.mktemp("site")
    papan.export(["tictactoe", "connect_four"], folder)
    return folder


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Page:
    """A game in a single file."""
    (path,) = papan.export("connect_four", tmp_path_factory.mktemp("file"), single_file=True)
    return Page(path.read_text(encoding="utf-8"))


# --- sites ----------------------------------------------------------------------------------------


def test_a_site_has_a_page_for_each_game_and_one_for_all(folder: Path) -> None:
    pages = {path.name for path in folder.glob("*.html")}
    assert pages == {"tictactoe.html", "connect_four.html", "index.html"}
    index = Page((folder / "index.html").read_text(encoding="utf-8"))
    assert {"tictactoe.html", "connect_four.html"} <= set(index.addresses)


def test_every_address_in_a_site_is_one_of_its_files(folder: Path) -> None:
    for path in folder.glob("*.html"):
        page = Page(path.read_text(encoding="utf-8"))
        addresses = [one for one in page.addresses if not one.startswith("#")]
        if path.name != "index.html":
            files = [page.facts()[name] for name in ("wasm", "weights", "engine")]
            addresses += [one["url"] for one in files if one]
        assert [one for one in addresses if not (folder / one).is_file()] == []
    for script in (folder / "static").glob("*.js"):
        for name in re.findall(r'(?:from|import) ?"\./([^"]+)"', script.read_text()):
            assert (script.parent / name).is_file()


def test_names_change_with_content(folder: Path, tmp_path: Path) -> None:
    fixed = {"fraunces.woff2"}
    names = [path.name for path in (folder / "static").iterdir()]
    assert {name for name in names if not re.search(r"-[0-9a-f]{10}\.\w+$", name)} == fixed
    papan.export("tictactoe", tmp_path)
    again = {path.name for path in (tmp_path / "static").iterdir()}
    assert again <= set(names)


def test_a_site_runs_no_script_but_its_own(folder: Path) -> None:
    page = Page((folder / "tictactoe.html").read_text(encoding="utf-8"))
    assert "default-src 'self'" in page.policy
    (scripts,) = re.findall(r"script-src ([^;]+)", page.policy)
    assert scripts.split() == ["'self'", "'wasm-unsafe-eval'"]
    inline = [values for values, text in page.scripts if text.strip()]
    assert {values["type"] for values in inline} == {"application/json"}


def test_the_service_worker_keeps_all_files_under_a_version(folder: Path) -> None:
    text = (folder / "sw.js").read_text(encoding="utf-8")
    kept = set(re.findall(r'"([^"]+\.\w+)"', text))
    files = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert files - kept == {"sw.js"}
    assert re.search(r'\["[0-9a-f]{12}", \[', text)


def test_a_site_can_be_installed(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.webmanifest").read_text(encoding="utf-8"))
    assert manifest["display"] == "standalone"
    assert (folder / manifest["start_url"]).is_file()
    assert all((folder / icon["src"]).is_file() for icon in manifest["icons"])


# --- pages ----------------------------------------------------------------------------------------


def test_a_single_file_loads_nothing(file: Page) -> None:
    outside = [one for one in file.addresses if not one.startswith(("#", "data:"))]
    assert outside == []
    assert "default-src 'none'" in file.policy
    files = [file.facts()[name] for name in ("wasm", "weights", "engine")]
    assert not any("url" in one for one in files if one)


@pytest.mark.skipif(NODE is None, reason="there is no Node")
def test_the_worker_in_a_single_file_is_a_classic_script(file: Page, tmp_path: Path) -> None:
    (tmp_path / "engine.cjs").write_text(file.facts()["engine"]["text"], encoding="utf-8")
    subprocess.run([str(NODE), "--check", str(tmp_path / "engine.cjs")], check=True)


def test_a_page_has_every_language_and_unique_ids(file: Page) -> None:
    facts = file.facts()
    assert set(facts["texts"]) == set(facts["snapshots"]) == set(LANGUAGES)
    first = file.ids.index("main")
    body = file.ids[first : file.ids.index("main", first + 1)]
    assert len(set(body)) == len(body)


def test_texts_have_the_placeholders_that_the_script_fills(file: Page) -> None:
    texts = file.facts()["texts"]
    for name, text in texts["en"]["say"].items():
        fields = set(re.findall(r"\{(\w+)\}", text))
        assert fields == set(re.findall(r"\{(\w+)\}", texts["id"]["say"][name])), name


@pytest.mark.parametrize(
    "spec", ["kalah", "platforms", *thoroughly("adjacency", "corners", "chess", "go", "onitama")]
)
def test_every_content_of_a_game_has_a_look(spec: str) -> None:
    game = papan.game(spec)
    table = look_table(game, Style(), Messages("en"))
    for seed in range(3):
        for _, position in game.start().random_walk(Random(seed), 200):
            for place, content in enumerate(game.contents(position.state).values()):
                kind = game.pieces.index(content.piece) + 1 if content.piece else 0
                name = str(kind) if content.number is None else f"{kind} {content.number}"
                assert name in table["table"][table["bases"][place]]


def test_a_game_without_the_usual_level_begins_with_its_strongest() -> None:
    page = site.GamePage.of(papan.game("tictactoe"))
    assert page.program == "level:2"
    assert page.program in page.data()["texts"]["en"]["players"]


def test_a_page_is_light(tmp_path: Path) -> None:
    page = site.GamePage.of(papan.game("platforms"))
    assert compressed(page) < _MOST_BYTES


def compressed(page: site.GamePage) -> int:
    """The compressed size of the scripts, module and data of a page."""
    files = site.Site([page]).files
    wanted = (".js", ".wasm")
    parts = [data for name, data in files.items() if name.endswith(wanted)]
    parts.append(files[f"{page.name}.html"])
    return sum(len(gzip.compress(part)) for part in parts)


# --- what cannot be exported ----------------------------------------------------------------------


def test_puzzles_are_in_the_page(tmp_path: Path) -> None:
    game = papan.game("tictactoe")
    made = list(islice(puzzles(game, plies=(3, 5), seed=1), 2))
    path = tmp_path / "puzzles.txt"
    path.write_text(text_of(game.spec, made), encoding="utf-8")
    (page,) = papan.export(game, tmp_path, single_file=True, puzzles=[path])
    facts = Page(page.read_text(encoding="utf-8")).facts()
    assert [puzzle["move"] for puzzle in facts["puzzles"]] == [puzzle.move for puzzle in made]


def test_puzzles_of_another_game_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.txt"
    path.write_text(text_of("tictactoe", []), encoding="utf-8")
    with pytest.raises(UsageError, match="tictactoe"):
        papan.export("kalah", tmp_path, puzzles=[path])


def test_two_games_with_one_file_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site.GamePage, "name", "game")
    with pytest.raises(UsageError, match="the same file"):
        papan.export(["tictactoe", "kalah"], tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    with pytest.raises(UsageError, match="taken"):
        papan.export("tictactoe", tmp_path / "taken" / "site")


def test_a_full_disk_leaves_the_old_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tictactoe.html").write_text("old", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(UsageError, match="No space left on device"):
        papan.export("tictactoe", tmp_path, single_file=True)
    assert [path.name for path in tmp_path.iterdir()] == ["tictactoe.html"]
    assert (tmp_path / "tictactoe.html").read_text(encoding="utf-8") == "old"


def test_a_missing_linker_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise NoLinker("export.no-linker")

    monkeypatch.setattr("papan.browser.modules.find_linker", missing)
    monkeypatch.setattr("papan.browser.modules.stored", lambda game: None)
    with pytest.raises(NoLinker, match="wasm-ld"):
        papan.export("tictactoe", tmp_path)
    assert not list(tmp_path.iterdir())
