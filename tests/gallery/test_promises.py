"""What all games of the gallery have in common."""

from pathlib import Path

import pytest

from papan.testing import check_game
from support import GALLERY

#: Games that need more lines than others, and so have more.
LARGE = {"chess", "go", "hex", "quoridor"}
#: Those that came first; `tests/test_example_games.py` checks them.
EARLIER = {"tictactoe", "connect_four", "othello", "short_adjacency", "gomoku"}
#: Options of games that are shorter so, and else the same.
SHORTER = {"dots_and_boxes": ":rows=2,columns=3", "quoridor": ":size=5"}
FILES = [file for file in sorted(GALLERY.glob("*.py")) if file.stem not in EARLIER]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_is_short(file: Path) -> None:
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert lines <= (430 if file.stem in LARGE else 150)


@pytest.mark.long
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_game_keeps_its_promises(file: Path) -> None:
    check_game(f"{file}{SHORTER.get(file.stem, '')}", games=4)
