"""Values from a tablebase where there is one, from the solver where not; and a game's history."""

import shutil
from pathlib import Path

import pytest

import papan
from papan.core.game import Game, Position
from papan.search.limits import Limit
from papan.solve.known_values import (
    ProvenStanding,
    known_values,
    tablebase_of,
    value_history,
    values_in,
)
from papan.tablebase.build import build
from papan.tablebase.lookup import Tablebase
from support import GALLERY

SMALL = "platforms:size=3,level=1"
NO_TIME = Limit(nodes=1)


@pytest.fixture(scope="module")
def game() -> Game:
    return papan.game(SMALL)


@pytest.fixture(scope="module")
def tablebase(game: Game, tmp_path_factory: pytest.TempPathFactory) -> Tablebase:
    path = tmp_path_factory.mktemp("tablebases") / "small.db"
    return build(game.start(), out=path)


def test_a_tablebase_and_the_solver_agree_on_every_move_of_a_game(game, tablebase):
    position = game.start()
    while position.outcome() is None:
        looked_up = known_values(position, tablebase)
        solved = known_values(position)
        assert (looked_up.source, solved.source) == ("database", "solver")
        assert looked_up.moves == solved.moves
        position = position.play(position.moves()[0])


def test_what_the_tablebase_does_not_have_is_solved(tablebase):
    other = papan.game("platforms:size=4,level=1").start()
    assert values_in(tablebase, other) is None
    assert known_values(other, tablebase, limit=NO_TIME).source == "solver"


def test_a_tablebase_that_does_not_fit_is_passed_over(game, tmp_path):
    nonsense = tmp_path / "nonsense.db"
    nonsense.write_bytes(b"PAPANDB and nothing else")
    path = tmp_path / "small.db"
    build(game.start(), out=path)
    found = tablebase_of(game, (str(nonsense), str(path)))
    assert found is not None
    assert found.game is game
    assert tablebase_of(papan.game("platforms:size=4"), (str(path),)) is None


@pytest.mark.thorough
def test_a_tablebase_beside_a_games_file_is_found_wherever_both_have_moved(tmp_path):
    file = _moved(tmp_path / "one")
    build(papan.game(str(file)).start(), out=file.with_suffix(".db"))
    elsewhere = _moved(tmp_path / "two")
    shutil.copy(file.with_suffix(".db"), elsewhere.with_suffix(".db"))
    game = papan.game(str(elsewhere))
    assert known_values(game.start(), tablebase_of(game)).source == "database"


def _moved(folder: Path) -> Path:
    folder.mkdir()
    source = GALLERY / "tictactoe.py"
    return Path(shutil.copy(source, folder / "tictactoe.py"))


def test_the_history_of_a_game_says_who_stood_how_at_each_position(game, tablebase):
    line = _line(game, "a2")
    found = value_history(line, tablebase, limit=NO_TIME)
    assert found == value_history(line, limit=Limit(nodes=100_000))
    assert found[0] == ProvenStanding("x", 7)
    assert found[1] == ProvenStanding("o", 5)  # a2 has thrown the win away
    assert found[-1] is not None
    assert found[-1].plies == 0


def test_what_cannot_be_proven_in_time_is_missing_from_the_history():
    far = papan.game("platforms:size=6,level=3")
    line = _line(far, *far.start().moves()[:1])[:3]
    assert value_history(line, limit=Limit(nodes=100)) == (None, None, None)


def _line(game: Game, *moves: str) -> list[Position]:
    """A game that begins with some moves and goes on with the first legal one."""
    line = [game.start()]
    for move in moves:
        line.append(line[-1].play(move))
    while line[-1].outcome() is None:
        line.append(line[-1].play(line[-1].moves()[0]))
    return line
