"""Static sites of games: folders for a web host, or single files.

A folder is a progressive web app: after the first visit it works without a connection. Names of
scripts, sheets and modules contain a digest of their content, so that hosts may cache them forever.
A single file contains everything, and also runs from a disk.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from papan.browser.image import state_words
from papan.browser.modules import Module, module_for
from papan.browser.notation import random_states
from papan.core.arguments import check_arguments
from papan.core.board.pieces import NOTHING, content_of
from papan.core.game import Game
from papan.core.notation import SIDES
from papan.errors import UsageError
from papan.figures.board import Arrangement, Style
from papan.figures.palette import look_class, look_of
from papan.figures.places import PlaceLook
from papan.messages import LANGUAGES, Messages
from papan.play.clock import Clock
from papan.play.table import GameInPlay
from papan.report import name_side
from papan.rules import operations as rules
from papan.rules.dispatch import is_replaced
from papan.solve.puzzle_files import read_puzzles, spec_in
from papan.solve.puzzles import Puzzle
from papan.usercode import registry
from papan.web.board import board_sheet
from papan.web.board.snapshot import LookTable
from papan.web.board.words import LEVELS, QUICK_LEVEL, choices_of, player_name, side_names
from papan.web.http import render
from papan.web.http.preferences import CHOICES, Preferences
from papan.web.play.game_view import GameView, side_of_fact
from papan.web.play.live_game import LiveGame, Seat
from papan.whole_files import whole_file

#: Scripts of a page in the order of their imports.
SCRIPTS = tuple(f"{name}.js" for name in ("papan", "looks", "board", "touch", "game", "local"))
_SHEETS = ("papan.css", "looks.css", "workbench.css")
#: A browser in which a page is rendered, before a person opens it.
_SESSION = "local"
_STYLE = Preferences().style

#: What pages of a folder may load.
POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'"
)
#: A single file loads nothing.
SINGLE_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline' data: blob: 'wasm-unsafe-eval'; "
    "style-src 'unsafe-inline'; img-src data:; worker-src blob:; font-src data:"
)


@dataclass(frozen=True)
class GamePage:
    """A game to export.

    Attributes:
        game: the game.
        module: its module.
        puzzles: its puzzles.
    """

    game: Game
    module: Module
    puzzles: Sequence[Puzzle] = ()

    @classmethod
    def of(
        cls,
        game: Game,
        puzzles: Sequence[Puzzle] = (),
        on_compile: Callable[[Game], None] | None = None,
    ) -> GamePage:
        """Returns a game with its module, which may have to be compiled."""
        return cls(game, module_for(game, on_compile), puzzles)

    @property
    def name(self) -> str:
        """The name of its file, from its spec: `adjacency-rounds-8`."""
        return re.sub(r"[^\w-]+", "-", self.game.spec).strip("-")

    @property
    def program(self) -> str:
        """The player that a game starts with."""
        return LEVELS[min(LEVELS.index(QUICK_LEVEL), self.module.levels - 1)]

    def data(self, codes: Iterable[str] = LANGUAGES, style: Style = _STYLE) -> dict[str, Any]:
        """Returns what the script of the page must know in some languages, without its files."""
        starts = puzzles_of(self.puzzles)
        languages = {code: Messages(code) for code in codes}
        looks = look_table(self.game, style, Messages("en"))
        return {
            "data": self.module.data | {"starts": starts},
            "puzzles": starts,
            "looks": looks,
            "program": self.program,
            "factSides": [side_of_fact(name) or "" for name in self.module.fact_names],
            "texts": {code: texts_of(self.game, say) for code, say in languages.items()},
            "snapshots": {
                code: _snapshot(view_at_start(self.game, say)) for code, say in languages.items()
            },
        }

    def body(self, code: str, index: str) -> Markup:
        """Returns the content of the page in a language; `index` is the address of the games."""
        say = Messages(code)
        view = view_at_start(self.game, say)
        return Markup(
            render.TEMPLATES.get_template("export/page.html").render(
                **self.context(view),
                layout="export/body.html",
                say=say,
                path=lambda name, **values: f"#{values.get('action', name)}",
                asset=lambda name: name,
                sheet=lambda: "",
                preferences=view.preferences,
                languages=LANGUAGES,
                choices=CHOICES,
                index=index,
                session=_SESSION,
                analysis="",
            )
        )

    def context(self, view: GameView) -> dict[str, Any]:
        """Returns the values for the template of a page that has no game on a server."""
        game = self.game
        return {
            "local": True,
            "view": view,
            "live": view.live,
            "opponents": choices_of(game, view.say),
            "program": self.program,
            "sides": side_names(game, view.say),
            "puzzles": self.puzzles,
            "solver": self.module.data["solver"],
            "look": look_class(look_of(game)),
            "invitation": "",
            "code": "",
            "mistakes": {},
            "unsaved": False,
        }


def view_at_start(game: Game, say: Messages, wanted: Preferences | None = None) -> GameView:
    """Returns the start of a game as its page shows it first."""
    seats = {side: Seat(say("web.setup.me"), session=_SESSION) for side in SIDES}
    table = GameInPlay(game.start(), clock=Clock(0, 0), began=time.time())
    live = LiveGame(_SESSION, "shared", game.spec, _SESSION, seats, table)
    return GameView(live, _SESSION, say, wanted or Preferences(language=say.language), 0)


def _snapshot(view: GameView) -> dict[str, Any]:
    """Returns the parts of a page's snapshot that are the same in all positions."""
    found: dict[str, Any] = json.loads(view.snapshot())
    drawn = ("looks", "marks", "start", "plies", "moves", "won", "worth", "status")
    return {name: value for name, value in found.items() if name not in drawn}


# --- folders --------------------------------------------------------------------------------------


class Site:
    """The files of a site: address below its folder → content."""

    def __init__(self, pages: Sequence[GamePage]) -> None:
        self.pages = pages
        self.files: dict[str, bytes] = {}
        self._scripts: dict[str, str] = {}
        for name in (*SCRIPTS, "engine.js"):
            self._scripts[name] = self._add(name, self._linked(render.script(name)))
        self._sheets = [self._add(name, sheet_text(name)) for name in _SHEETS]
        self._add_plain("fraunces.woff2", (render.STATIC / "fraunces.woff2").read_bytes())
        self._icon = self._add("icon.svg", (render.STATIC / "icon.svg").read_bytes())
        for page in pages:
            self.files[f"{page.name}.html"] = self._page(page).encode()
        if "index" not in self.names:
            self.files["index.html"] = self._index().encode()
        self.files["manifest.webmanifest"] = json.dumps(self._manifest()).encode()
        self.files["sw.js"] = self._worker().encode()

    @property
    def names(self) -> list[str]:
        """The names of the games' pages."""
        return [page.name for page in self.pages]

    def _add(self, name: str, content: str | bytes) -> str:
        """Adds a file whose name contains a digest; returns its address."""
        data = content.encode() if isinstance(content, str) else content
        stem, _, ending = name.rpartition(".")
        return self._add_plain(f"{stem}-{hashlib.sha256(data).hexdigest()[:10]}.{ending}", data)

    def _add_plain(self, name: str, data: bytes) -> str:
        self.files[f"static/{name}"] = data
        return f"static/{name}"

    def _linked(self, text: str) -> str:
        """Returns a script that imports others by their names in this site."""
        return _IMPORTED.sub(
            lambda found: f'{found[1]}"./{Path(self._scripts[found[2]]).name}"', text
        )

    def _page(self, page: GamePage) -> str:
        weights = page.module.weights
        files = {
            "wasm": {"url": self._add(f"{page.name}.wasm", page.module.wasm)},
            "weights": {"url": self._add(f"{page.name}.bin", weights)} if weights else None,
            "engine": {"url": self._scripts["engine.js"]},
        }
        own = self._add(f"{page.name}.css", board_sheet.sheet(page.game.board))
        return document(
            title=page.game.title,
            policy=POLICY,
            icon=self._icon,
            sheets=[_link(address) for address in (*self._sheets, own)],
            scripts=[_script(self._scripts[name]) for name in ("touch.js", "local.js")],
            manifest="manifest.webmanifest",
            bodies={code: page.body(code, "index.html") for code in LANGUAGES},
            data=as_json(page.data() | files),
        )

    def _index(self) -> str:
        template = render.TEMPLATES.get_template("export/index.html")
        games = [
            (page.name, page.game.title, view_at_start(page.game, Messages("en")).board.svg())
            for page in self.pages
        ]
        bodies = {
            code: Markup(
                template.render(
                    layout="export/body.html",
                    say=Messages(code),
                    games=games,
                    index="index.html",
                    choices=CHOICES,
                    languages=LANGUAGES,
                    preferences=Preferences(language=code),
                )
            )
            for code in LANGUAGES
        }
        return document(
            title="Papan",
            policy=POLICY,
            icon=self._icon,
            sheets=[_link(address) for address in self._sheets],
            scripts=[_script(self._scripts["looks.js"])],
            manifest="manifest.webmanifest",
            bodies=bodies,
            data="",
        )

    def _manifest(self) -> dict[str, Any]:
        title = self.pages[0].game.title if len(self.pages) == 1 else "Papan"
        return {
            "name": title,
            "short_name": title,
            "start_url": "index.html" if len(self.pages) > 1 else f"{self.pages[0].name}.html",
            "display": "standalone",
            "background_color": "#f6f3ec",
            "theme_color": "#f6f3ec",
            "icons": [{"src": self._icon, "sizes": "any", "type": "image/svg+xml"}],
        }

    def _worker(self) -> str:
        """Returns the service worker, with the names of all files."""
        digest = hashlib.sha256()
        for name, content in self.files.items():
            digest.update(name.encode() + content)
        names = ["./", *self.files]
        source = resources.files("papan.web.export") / "sw.js"
        text = render.without_comments(source.read_text(encoding="utf-8"))
        return text.replace('"VERSION"', json.dumps(digest.hexdigest()[:12])).replace(
            '"FILES"', ", ".join(map(json.dumps, names))
        )


#: An import of another script, in a script that was prepared for browsers.
_IMPORTED = re.compile(r'(from |import )"\./(\w+\.js)(?:\?v=\w+)?"')


def _link(address: str) -> Markup:
    return Markup(f'<link rel="stylesheet" href="{escape(address)}">')


def _script(address: str) -> Markup:
    return Markup(f'<script type="module" src="{escape(address)}"></script>')


def sheet_text(name: str) -> str:
    """Returns a style sheet as text, without the empty space that browsers do not need."""
    if name in render.SHEETS:
        return render.SHEETS[name]()
    return (render.STATIC / name).read_text(encoding="utf-8")


def document(**values: Any) -> str:
    """Returns a whole page; the values are those of its template."""
    says = (Messages(code)("web.export.no-script") for code in LANGUAGES)
    template = render.TEMPLATES.get_template("export/document.html")
    return template.render(noscript=" ".join(says), **{"manifest": ""} | values)


# --- single files ---------------------------------------------------------------------------------


def single(page: GamePage) -> str:
    """Returns a page that contains everything it needs."""
    weights = page.module.weights
    files = {
        "wasm": {"base64": base64.b64encode(page.module.wasm).decode()},
        "weights": {"base64": base64.b64encode(weights).decode()} if weights else None,
        "engine": {"text": render.script("engine.js")},
    }
    sheets = [_without_files(sheet_text(name)) for name in _SHEETS] + [
        board_sheet.sheet(page.game.board)
    ]
    imports = {"imports": {f"papan/{name}": _data(_bare(name)) for name in SCRIPTS}}
    scripts = [
        Markup(f'<script type="importmap">{as_json(imports)}</script>'),
        Markup('<script type="module">import "papan/touch.js"; import "papan/local.js";</script>'),
    ]
    return document(
        title=page.game.title,
        policy=SINGLE_POLICY,
        icon=_data((render.STATIC / "icon.svg").read_text(encoding="utf-8"), "image/svg+xml"),
        sheets=[Markup(f"<style>{text}</style>") for text in sheets],
        scripts=scripts,
        bodies={code: page.body(code, "#") for code in LANGUAGES},
        data=as_json(page.data() | files),
    )


@functools.cache
def _bare(name: str) -> str:
    """Returns a script that imports others by names of the import map."""
    return _IMPORTED.sub(r'\1"papan/\2"', render.script(name))


def _data(text: str, kind: str = "text/javascript") -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode()).decode()}"


def _without_files(text: str) -> str:
    """Returns a style sheet without its fonts."""
    return re.sub(r"@font-face\s*{[^}]*}", "", text)


# --- writing --------------------------------------------------------------------------------------


@check_arguments
def export(
    games: Game | str | Sequence[Game | str],
    folder: str | Path,
    *,
    single_file: bool = False,
    puzzles: Sequence[str | Path] = (),
    on_compile: Callable[[Game], None] | None = None,
) -> list[Path]:
    """Writes games as static pages, which play, analyse and solve in the browser.

    Args:
        games: one or several games.
        folder: the folder to write to; other files in it stay.
        single_file: True writes one file for each game, which also runs from a disk. Otherwise the
            folder is a site for any web host.
        puzzles: files of puzzles of these games (`papan puzzles`).
        on_compile: called before the module of a game is compiled, which takes about 20 s; those of
            the package and of the gallery are compiled already.

    Returns:
        The files, the pages of the games first.

    Raises:
        UsageError: a file cannot be read or written, puzzles are of another game, or two games
            would have the same file.
        NoLinker: a module must be compiled, and the linker of LLVM is not installed.
        NotPortable: the rules use something that a browser does not have.

    Examples:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     [file.name for file in papan.export("tictactoe", folder, single_file=True)]
        ['tictactoe.html']
    """
    given = [games] if isinstance(games, Game | str) else games
    known = {
        game.spec: game
        for game in (registry.known_game(one) if isinstance(one, str) else one for one in given)
    }
    by_game = _puzzles_in(puzzles, known)
    pages = [GamePage.of(game, by_game.get(spec, ()), on_compile) for spec, game in known.items()]
    names = [page.name for page in pages]
    if len(set(names)) < len(names):
        raise UsageError("export.same-name", text=", ".join(names))
    files: Mapping[str, bytes] = (
        {f"{page.name}.html": single(page).encode() for page in pages}
        if single_file
        else Site(pages).files
    )
    paths = {name: Path(folder) / name for name in files}
    for name in sorted(files, key=_order):
        _write(paths[name], files[name])
    first = [f"{name}.html" for name in names]
    return [paths[name] for name in (*first, *(name for name in files if name not in first))]


def _order(name: str) -> int:
    """Returns when a file is written: a site that is in use never has a page without its files."""
    return 2 if name == "sw.js" else 1 if "/" not in name else 0


def _puzzles_in(paths: Sequence[str | Path], games: Mapping[str, Game]) -> dict[str, list[Puzzle]]:
    """Returns the puzzles of files by the spec of their game."""
    found: dict[str, list[Puzzle]] = {}
    for path in paths:
        spec = spec_in(path)
        if spec not in games:
            raise UsageError("export.other-puzzles", text=path, game=spec)
        found.setdefault(spec, []).extend(read_puzzles(path, games[spec]))
    return found


def _write(path: Path, content: bytes) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as file:
            file.write(content)
    except OSError as error:
        raise UsageError("usage.unwritable", text=path, reason=error.strerror) from None


# --- texts and drawings of a game, whose positions the page knows only from its module -----------

#: Number of random moves that show which numbers occur on places.
_SAMPLED_PLIES = 400

#: Messages that the page needs, with their placeholders.
_TEXTS: Mapping[str, tuple[str, ...]] = {
    "web.status.history": ("ply", "plies"),
    "web.status.turn": ("name",),
    "web.status.yours": (),
    "web.status.thinking": ("name",),
    "web.status.hint": ("move",),
    "web.verdict.draw": (),
    "web.verdict.won": ("name",),
    "web.ended.rules": (),
    "web.ended.resignation": ("name",),
    "web.announce.move": ("name", "move"),
    "web.history.none": (),
    "web.analysis.no-move": ("text",),
    "web.analysis.bar": ("value",),
    "web.analysis.bar-empty": (),
    "web.analysis.proven": (),
    "web.value.wins": ("side", "plies"),
    "web.value.margin": ("side", "points"),
    "web.value.draw": (),
    "web.value.better": ("side", "chance"),
    "web.value.level": (),
    "web.puzzles.title": ("number", "count"),
    "web.puzzles.wrong": ("move",),
    "web.puzzles.solved": ("side",),
    "web.puzzles.draw": ("side",),
    "web.puzzles.win": ("side",),
    "web.puzzles.win-in": ("side", "plies"),
    "web.export.depth": ("depth", "nodes"),
    "web.export.no-wasm": (),
    "web.export.failed": ("text",),
    "web.export.unsolved": (),
    "web.export.solving": (),
    "web.refused.stale": (),
}


def texts_of(game: Game, say: Messages) -> dict[str, Any]:
    """Returns the texts of a page in one language, with placeholders such as `{name}`."""
    texts = {
        name: say(name, **{field: f"{{{field}}}" for field in fields})
        for name, fields in _TEXTS.items()
    }
    offered = [choice.value.partition(":time")[0] for choice in choices_of(game, say)]
    return {
        "say": texts,
        "sides": {side: name_side(game, side, say) for side in SIDES},
        "players": {value: player_name(value, say) for value in offered},
        "me": say("web.setup.me"),
        "looks": [words for _, _, words, _, _ in look_table(game, Style(), say)["looks"]],
    }


def look_table(game: Game, style: Style, say: Messages) -> dict[str, Any]:
    """Returns the drawing of each content on each kind of place.

    The result has the looks and marks of `papan.web.board.snapshot`, and:

        bases  for each place, its kind
        table  kind → content (`3`: kind of piece; `3 12`: with a number) → number of the look
    """
    places = [look for _, look in Arrangement.of(game.start()).places()]
    bases: dict[PlaceLook, int] = {}
    numbers = [bases.setdefault(look._replace(content=NOTHING), len(bases)) for look in places]
    looks = LookTable(style, side_names(game, say), say)
    table = [
        {name: looks.number(look._replace(content=content)) for name, content in _contents(game)}
        for look in bases
    ]
    return {"bases": numbers, "table": table, **looks.as_json()}


def _contents(game: Game) -> Iterator[tuple[str, Any]]:
    """Yields all contents of places: name → content.

    Drawings with the same number follow each other: compression finds near repetitions only.
    """
    for number in _numbers(game):
        for kind in range(len(game.pieces) + 1):
            name = str(kind) if number < 0 else f"{kind} {number}"
            yield name, content_of(game.pieces, kind, number)


@functools.lru_cache(maxsize=64)
def _numbers(game: Game) -> Sequence[int]:
    """Returns the numbers that may stand on a place; −1 for none."""
    seen, total = {-1}, 0
    if not is_replaced(rules.count_at, game.start_state()):
        return (-1,)
    for state, _ in random_states(game, _SAMPLED_PLIES):
        counts = [int(rules.count_at(state, place)) for place in game.board.squares]
        seen.update(counts)
        total = max(total, sum(max(count, 0) for count in counts))
    # Numbers such as seeds move from place to place, so one place may get all of them.
    most = max(seen) if max(seen) < 6 else total
    return range(-1, most + 1) if most >= 0 else (-1,)


def puzzles_of(puzzles: Sequence[Puzzle]) -> list[dict[str, Any]]:
    """Returns puzzles for a page: the state, the earlier positions, the move and the result."""
    return [
        {
            "state": state_words(puzzle.position.state),
            "past": list(map(str, puzzle.position.past)),
            "move": puzzle.move,
            "outcome": puzzle.outcome,
            "plies": puzzle.plies,
        }
        for puzzle in puzzles
    ]


def as_json(value: Any) -> Markup:
    """Returns JSON that may stand in a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
