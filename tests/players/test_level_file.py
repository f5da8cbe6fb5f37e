"""Files of levels: what is written is read, and what is wrong is one line."""

import json
from pathlib import Path
from typing import Any

import pytest

from papan.arena.level_search import LEAST, MOST, pairs_of
from papan.errors import InvalidSpec
from papan.learn.weights import FOLDER
from papan.players.level_file import (
    ENDING,
    Comparison,
    GameLevels,
    MeasuredLevel,
    Strength,
    measured_levels,
    read_levels,
    usable_levels,
)
from papan.usercode import registry as games
from support import spec_of

GAME = games.game("tictactoe")
LEVELS = GameLevels(
    (
        MeasuredLevel(Strength("mcts", 32, 0.5), 1400.0, 40.0, 20),
        MeasuredLevel(Strength("engine", 90, 0.1, 2.5), 1600.0, 40.0, 20, 0.75, 0.1),
    ),
    True,
    {"seed": 1},
    {"mcts 0-8": "2012"},
    (Comparison(0.05, 20, 0.5, 0.2, "abc"),),
)


def test_levels_come_back_as_they_were_written(tmp_path: Path) -> None:
    path = tmp_path / f"tictactoe{ENDING}"
    LEVELS.write(path, GAME)
    assert read_levels(path, GAME) == LEVELS
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def changed(tmp_path: Path, **fields: Any) -> Path:
    path = tmp_path / "some.levels"
    LEVELS.write(path, GAME)
    told = {**json.loads(path.read_text()), **fields}
    path.write_text(json.dumps(told))
    return path


def strength(**fields: Any) -> list[dict[str, Any]]:
    """A row of levels with another strength."""
    level = LEVELS.as_dict()["levels"][0]
    return [{**level, "strength": {**level["strength"], **fields}}]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"format": "papan weights"}, "not a valid"),
        ({"version": 99}, "99"),
        ({"game": "chess"}, "chess"),
        ({"rules": "0123"}, "rules"),
        ({"levels": []}, "not a valid"),
        ({"levels": 3}, "not a valid"),
        ({"levels": LEVELS.as_dict()["levels"] * 5}, "not a valid"),
        ({"levels": strength(search="ugi:./program")}, "not a valid"),
        ({"levels": strength(nodes=0)}, "not a valid"),
        ({"levels": strength(nodes=10**12)}, "not a valid"),
        ({"levels": strength(noise=7.0)}, "not a valid"),
        ({"levels": strength(noise=float("nan"))}, "not a valid"),
        ({"results": {"0-1": "29"}}, "not a valid"),
        ({"best": [{"seconds": 1}]}, "not a valid"),
    ],
)
def test_what_is_wrong_in_a_file_is_named(
    fields: dict[str, Any], message: str, tmp_path: Path
) -> None:
    path = changed(tmp_path, **fields)
    with pytest.raises(InvalidSpec, match=message) as error:
        read_levels(path, GAME)
    assert "some.levels" in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1, 2]", b"{}", b"[" * 100_000])
def test_what_is_no_file_of_levels_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "some.levels"
    path.write_bytes(content)
    with pytest.raises(InvalidSpec, match=r"some\.levels"):
        read_levels(path, GAME)
    with pytest.raises(InvalidSpec, match=r"none\.levels"):
        read_levels(tmp_path / "none.levels", GAME)


def test_a_game_of_ones_own_finds_the_levels_beside_it_and_plays_without_damaged_ones(
    tmp_path: Path,
) -> None:
    source = Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py"
    own = tmp_path / "mine.py"
    # Copies of one file are loaded once: this one is like no other.
    own.write_text(f"{source.read_text()}\n# {tmp_path}\n")
    game = games.game(str(own))
    assert measured_levels(game) is None
    path = tmp_path / f"mine{ENDING}"
    LEVELS.write(path, game)
    assert measured_levels(game) == LEVELS
    path.write_text("{")
    assert usable_levels(game) is None
    with pytest.raises(InvalidSpec, match="not a valid"):
        measured_levels(game)


@pytest.mark.parametrize("path", sorted(FOLDER.glob(f"*{ENDING}")), ids=lambda path: path.stem)
def test_levels_of_the_package_are_those_of_the_rules_and_rise(path: Path) -> None:
    found = read_levels(path, games.game(spec_of(path.stem)))
    elo = [level.elo for level in found.levels]
    assert elo == sorted(elo) and found.complete
    whole = max(map(len, found.results.values()))
    for level, below in zip(found.levels[1:], found.facts["rungs"][:-1], strict=True):
        assert level.score is not None and level.score > 0.69
        # A level is too strong only if no step fits.
        start = f"{level.strength.search} {below}-"
        played = [each for name, each in found.results.items() if name.startswith(start)]
        scores = [pairs_of(each).score for each in played if len(each) == whole]
        assert level.score < 0.81 or not any(LEAST <= score <= MOST for score in scores)
