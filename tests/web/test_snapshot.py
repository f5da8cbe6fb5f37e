"""What pages get of a game so that they can answer at once."""

import json
import random
import re
from typing import Any

import pytest

import papan
from papan.figures.board import Arrangement, Style
from papan.messages import Messages
from papan.play.table import GameInPlay
from papan.search import board_changes
from papan.usercode.gallery import gallery
from papan.web.board.snapshot import preview_moves, snapshot
from papan.web.board.view import BoardView
from papan.web.http import render
from web_visitors import Visitor

STYLE = Style(standalone=False)
NAMES = {"x": "Ani", "o": "Budi"}

#: Games whose moves are slow to find, or too many for all to be foretold.
SLOW = ("amazons", "quoridor")
GAMES = ["adjacency", "platforms", "corners", *(name for name in gallery() if name not in SLOW)]

#: A page with a game of some moves weighs so much more, in bytes, before it is packed.
MOST_BYTES = 25_000


def after_some_moves(name: str, plies: int = 6) -> GameInPlay:
    """A game that was begun by chance."""
    table = GameInPlay(papan.game(name).start())
    for move, position in papan.game(name).start().random_walk(random.Random(5), plies):
        if position.outcome() is None:
            table.make(move, 0)
    return table


def read(table: GameInPlay, **more: Any) -> Any:
    """The snapshot of a game as the script reads it."""
    plies = len(table.moves)
    view = BoardView.of(
        table.positions, table.moves, plies, say=Messages("en"), style=STYLE, names=NAMES
    )
    return json.loads(snapshot(table.positions, table.moves, view, **more))


def drawings(position: papan.Position) -> list[str]:
    """All places as they are drawn without marks: each with its own class names."""
    from papan.figures.board import drawn_place

    return ["".join(drawn_place(look, STYLE)) for _, look in Arrangement.of(position).places()]


def changed(board: list[int], changes: list[int]) -> list[int]:
    """A board after changes: place and look in turn."""
    found = [*board]
    for place, look in zip(changes[::2], changes[1::2], strict=True):
        found[place] = look
    return found


@pytest.mark.parametrize(
    "name",
    [
        name
        if name in ("adjacency", "connect_four", "chess")
        else pytest.param(name, marks=pytest.mark.thorough)
        for name in GAMES
    ],
)
def test_boards_of_all_plies_and_of_all_moves_are_those_of_the_rules(name: str) -> None:
    table = after_some_moves(name)
    said = read(table, previews=preview_moves(table.position))
    looks = ["".join(look[:2]) for look in said["looks"]]
    board = said["start"]
    for position, (side, changes, *_) in zip(table.positions, said["plies"], strict=True):
        board = changed(board, changes)
        assert [looks[look] for look in board] == drawings(position)
        assert side == position.side
    assert [move[0] for move in said["moves"]] == table.position.moves()
    for text, _, touches, changes in said["moves"]:
        if changes is None:  # too many for plain Python
            continue
        after = [looks[look] for look in changed(board, changes)]
        assert after == drawings(table.position.play(text)), (text, touches)
    assert len(json.dumps(said)) < MOST_BYTES


def test_changes_of_a_large_board_are_predicted_by_machine_code_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = after_some_moves("gomoku", 2)
    monkeypatch.setattr(board_changes, "is_compiled", lambda _: False)
    assert {move.changes for move in preview_moves(table.position)} == {None}
    monkeypatch.undo()
    preview_moves.cache_clear()
    board_changes.changes_of(table.position)  # compiles
    said = read(table, previews=preview_moves(table.position))
    assert all(len(changes) == 2 for *_, changes in said["moves"])


def test_nothing_is_foretold_where_there_are_too_many_moves() -> None:
    found = preview_moves(papan.game("amazons").start())
    assert len(found) > 400
    assert all(move.changes is None for move in found)


def test_moves_are_only_for_whoever_can_make_them(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared")
    found = [_snapshot_of(visitor.get(path).text) for visitor in (ani, budi)]
    assert [bool(said["moves"]) for said in found] == [True, False]
    assert [said["mine"] for said in found] == [True, False]


def test_a_name_cannot_end_the_snapshot(ani: Visitor) -> None:
    path = ani.begin("shared", name="</script><b>")
    page = ani.get(path).text
    assert "</script><b>" not in page
    assert "</script><b>" in _snapshot_of(page)["status"]


def _snapshot_of(page: str) -> Any:
    """The snapshot that a page carries."""
    return json.loads(page.partition('id="snapshot">')[2].partition("</script>")[0])


def test_a_move_that_is_sent_again_is_no_mistake(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared")
    for _ in range(2):
        assert ani.post(f"{path}/move", fragment=True, move="c4", ply="0").status_code == 200
    assert ani.post(f"{path}/move", fragment=True, move="d4", ply="0").status_code == 400
    assert budi.post(f"{path}/move", fragment=True, move="c4", ply="0").status_code == 400
    assert _snapshot_of(ani.get(path).text)["plies"][1:] != []
    assert len(_snapshot_of(ani.get(path).text)["plies"]) == 2


#: All scripts that a page loads, as they are sent, unpacked, in bytes.
MOST_SCRIPT = 45_000


_SCRIPT = r'<(?:script [^>]*src|link rel="modulepreload" href)="([^"]+)"'


def test_no_page_loads_much_script(ani: Visitor) -> None:
    pages = {
        "game": ani.begin("shared"),
        "analysis": "/analysis",
        "tree": "/teach?game=tictactoe&depth=1",
        "menu": "/",
        "share": "/share",
    }
    loaded = {name: re.findall(_SCRIPT, ani.get(path).text) for name, path in pages.items()}
    assert [len(loaded[name]) for name in ("game", "analysis")] == [5, 4]
    bytes_of = {
        name: sum(len(ani.get(script).content) for script in scripts)
        for name, scripts in loaded.items()
    }
    assert max(bytes_of.values()) < MOST_SCRIPT, bytes_of


def test_scripts_are_sent_without_their_comments() -> None:
    names = [file.name for file in render.STATIC.iterdir() if file.name.endswith(".js")]
    sent = {name: render.script(name) for name in names}
    for name, text in sent.items():
        assert "/**" not in text, name
        assert not any(line.startswith("//") for line in text.splitlines()), name
        assert "export" in text or "import" in text or name == "engine.js", name
