"""Files of weights: what is damaged or foreign gets one line, and nothing in them is run."""

import io
import pickle
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from papan.core.game import NothingKnown
from papan.errors import InvalidSpec, UsageError
from papan.learn import choice
from papan.learn.choice import RulesWarning, evaluation_named
from papan.learn.ntuple import LEARNED
from papan.learn.survey import survey
from papan.learn.weights import (
    FOLDER,
    Weights,
    is_untaught,
    name_of,
    network_of,
    places_of,
    read,
    read_arrays,
    write_arrays,
)
from papan.usercode.registry import game
from support import GALLERY, spec_of

GAME = game("tictactoe")
FACTS = survey(GAME)


def some_weights(score: float = 0.9) -> Weights:
    network = network_of(GAME, FACTS)
    shape = (network.rows, network.features.weights)
    values = np.random.default_rng(1).integers(-99, 99, shape).astype(np.int16)
    return Weights(GAME, FACTS, values, 2, {"games": 3}, {"score": score})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.weights"
    some_weights().write(path)
    return path


def changed(file: Path, **changes: Any) -> Path:
    """The file with other entries in its header; `None` takes one out."""
    header, arrays = read_arrays(file)
    header |= changes
    write_arrays(file, {k: v for k, v in header.items() if v is not None}, arrays)
    return file


def test_weights_survive_being_written_and_read(file: Path) -> None:
    found, has_changed = read(file, GAME)
    assert not has_changed
    assert (found.values == some_weights().values).all()
    assert replace(found, values=0) == replace(some_weights(), values=0)
    assert found.evaluation == some_weights().evaluation


def test_the_same_weights_make_the_same_file(file: Path, tmp_path: Path) -> None:
    some_weights().write(tmp_path / "again.weights")
    assert (tmp_path / "again.weights").read_bytes() == file.read_bytes()


@pytest.mark.parametrize("length", [0, 1, 30, 200, -1, -30])
def test_a_file_that_was_cut_is_damaged(file: Path, length: int) -> None:
    file.write_bytes(file.read_bytes()[:length])
    with pytest.raises(InvalidSpec, match="not a valid"):
        read(file, GAME)


def test_a_file_with_a_flipped_byte_is_damaged_or_reads_the_same(file: Path) -> None:
    content = file.read_bytes()
    for at in range(0, len(content), max(1, len(content) // 40)):
        file.write_bytes(content[:at] + bytes([content[at] ^ 0x55]) + content[at + 1 :])
        try:
            found, _ = read(file, GAME)
        except UsageError:
            continue
        assert (found.values == some_weights().values).all()


def test_a_pickle_is_not_run(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return (Path.touch, (tmp_path / "ran",))

    for content in (pickle.dumps(Trap()), _archive(np.array([Trap()], dtype=object))):
        path = tmp_path / "some.weights"
        path.write_bytes(content)
        with pytest.raises(InvalidSpec, match="not a valid"):
            read(path, GAME)
    assert not (tmp_path / "ran").exists()


def _archive(array: Any) -> bytes:
    room = io.BytesIO()
    np.savez(room, header=array, weights=array)
    return room.getvalue()


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"version": 2}, "version 2"),
        ({"format": "other"}, "not a valid"),
        ({"game": "chess"}, "chess"),
        ({"facts": None}, "not a valid"),
        ({"facts": {**FACTS.as_dict(), "turns": [[0] * 9]}}, "not a valid"),
        ({"facts": {**FACTS.as_dict(), "codes": [0, 16, 10**9]}}, "not a valid"),
        ({"facts": {**FACTS.as_dict(), "levels": [5, 1]}}, "not a valid"),
        ({"spread": 99}, "not a valid"),
        ({"spread": "much"}, "not a valid"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_line(
    file: Path, changes: dict[str, Any], word: str
) -> None:
    with pytest.raises(InvalidSpec, match=word) as error:
        read(changed(file, **changes), GAME)
    assert "\n" not in str(error.value)


def test_a_missing_file_gets_one_line(tmp_path: Path) -> None:
    with pytest.raises(InvalidSpec, match=r"no\.weights"):
        evaluation_named(GAME, str(tmp_path / "no.weights"))


def test_a_game_without_weights_says_where_they_would_be() -> None:
    with pytest.raises(InvalidSpec, match="papan train"):
        choice.evaluation_named(game("nim"), "learned")


def test_an_evaluation_is_chosen_by_its_name(file: Path) -> None:
    assert evaluation_named(GAME, "none") == NothingKnown()
    assert isinstance(evaluation_named(GAME, str(file)), LEARNED)
    with pytest.raises(InvalidSpec, match="learned"):
        evaluation_named(GAME, "magic")


@pytest.mark.parametrize(("score", "is_used"), [(0.9, True), (0.4, False)])
def test_weights_beside_a_file_are_found_and_used_where_they_are_stronger(
    tmp_path: Path, score: float, is_used: bool
) -> None:
    rules = own_game(tmp_path)
    assert places_of(rules)[0] == tmp_path / "mine.weights"
    assert name_of(rules) == "mine"
    replace(some_weights(score), game=rules).write(tmp_path / "mine.weights")
    assert isinstance(choice.strongest(rules), LEARNED) is is_used
    assert isinstance(evaluation_named(rules, "learned"), LEARNED)


def own_game(folder: Path) -> Any:
    text = f"{_SOURCE}\n# {folder}\n"  # files of the same content are one game
    (folder / "mine.py").write_text(text, encoding="utf-8")
    return game(str(folder / "mine.py"))


_SOURCE = (Path(__file__).parents[2] / "examples" / "games" / "tictactoe.py").read_text(
    encoding="utf-8"
)


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.weights")), ids=lambda file: file.stem)
def test_weights_of_the_package_fit_their_games_and_were_measured_stronger(file: Path) -> None:
    rules = game(spec_of(file.stem))
    weights, has_changed = read(file, rules)
    assert not has_changed and weights.is_stronger
    assert weights.strength["score"] - weights.strength["error"] > 0.5
    assert file.stat().st_size <= 500_000
    assert isinstance(choice.strongest(rules), LEARNED)


@pytest.mark.thorough
def test_changed_rules_are_told_and_tested_in_ten_games(tmp_path: Path) -> None:
    rules = own_game(tmp_path)
    replace(some_weights(), game=rules).write(tmp_path / "mine.weights")
    changed(tmp_path / "mine.weights", source="other", rules="other")
    with pytest.warns(RulesWarning, match="10 games"):
        choice.strongest(rules)


def test_a_comment_does_not_change_the_rules(tmp_path: Path) -> None:
    rules = own_game(tmp_path)
    replace(some_weights(), game=rules).write(tmp_path / "mine.weights")
    changed(tmp_path / "mine.weights", source="other")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert isinstance(choice.strongest(rules), LEARNED)


def test_a_game_of_ones_own_is_untaught_until_its_weights_stand_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    # A text of its own: another file of the same text is the same game.
    text = (GALLERY / "tictactoe.py").read_text(encoding="utf-8")
    file.write_text(f"{text}# mine\n", encoding="utf-8")
    assert is_untaught(game(str(file)))
    file.with_suffix(".weights").touch()
    assert not is_untaught(game(str(file)))
    # The gallery's come with the package, and are not to be trained into somebody's folder.
    assert not is_untaught(game("nim")) and not is_untaught(game("adjacency"))
