"""Planes of compiled code equal planes that are computed content by content."""

import random

import numpy as np
import pytest

import papan
from papan.adapters.observation import Planes, planes_of
from papan.core.board.pieces import Piece
from papan.core.game import Position
from papan.core.notation import SIDES
from papan.rules import operations as rules
from support import GALLERY, thoroughly

FEW = ("chess", "dobutsu", "go", "kalah", "othello", "quarto")
OTHERS = sorted({path.stem for path in GALLERY.glob("*.py")} - {*FEW})
GAMES = [
    *("adjacency:size=4", "corners", "platforms:size=4"),
    *(str(GALLERY / f"{name}.py") for name in FEW),
    *thoroughly(*(str(GALLERY / f"{name}.py") for name in OTHERS)),
]


def expected(planes: Planes, position: Position, observer: str) -> list[np.ndarray]:
    """The planes by name, from the contents of the places."""
    shown = position.game.contents(position.state).values()
    limit = rules.repetition_limit(position.state)
    left = rules.max_plies_left(position.state) / max(1, position.game.max_plies)
    everywhere = {
        "is-x": observer == "x",
        "to-move": position.side == observer,
        "plies-left": min(1.0, left),
        "repeated": min(1.0, position.stood / (limit - 1)) if limit > 1 and position.past else 0,
    }
    found = []
    for name in planes.names:
        if name in everywhere:
            plane = [everywhere[name]] * len(shown)
        elif name.startswith("steps-"):
            plane = [(content.number or 0) >= int(name[6:]) for content in shown]
        elif name == "number":
            plane = [1 - 1 / (1 + (content.number or 0)) for content in shown]
        else:
            plane = [is_in(content.piece, name, observer) for content in shown]
        found.append(np.array(plane, dtype=np.float32))
    return found


def is_in(piece: Piece | None, plane: str, observer: str) -> bool:
    """True if a kind of piece belongs to a plane such as `own-king`."""
    whose, _, role = plane.partition("-")
    if piece is None or role not in ("", piece.name.replace(" ", "-") or piece.letter.lower()):
        return False
    if whose == "neutral" or not piece.owner:
        return whose == "neutral" and not piece.owner
    return (piece.owner == observer) == (whose == "own")


@pytest.mark.parametrize("spec", GAMES)
def test_planes_of_a_random_game(spec: str) -> None:
    game, chance = papan.game(spec), random.Random(2)
    planes, position = planes_of(game), game.start()
    for _ in range(40):
        for observer in SIDES:
            seen = planes.observe(position, observer).reshape(len(planes.names), -1)
            for name, plane, row in zip(
                planes.names, expected(planes, position, observer), seen, strict=True
            ):
                assert np.array_equal(plane, row), name
        if not (codes := position.codes()):
            break
        position = position.after(chance.choice(codes))
