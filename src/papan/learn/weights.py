"""Files of weights: trained weights, their training and their measured strength.

A file is a zip archive of two arrays, as `numpy.savez_compressed` writes it: `header`, the bytes of
a JSON object, and `weights`, int16. Other zip layouts are rejected, and no code in a file is ever
run. Sizes are checked before anything is unpacked. A file belongs to a game with its options. The
weights of a game are loaded from one of these places:

    next to the game's own file            mygame.weights, mygame-size=7.weights
    in the folder of `PAPAN_WEIGHTS`       connect_four.weights
    in the package                         papan/learn/weights/connect_four.weights
"""

from __future__ import annotations

import functools
import hashlib
import inspect
import io
import json
import os
import re
import struct
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from papan.core import spec
from papan.core.arguments import quoted_value
from papan.core.game import Game
from papan.data_files import parse_json, read_limited, reading
from papan.errors import InvalidSpec, UsageError
from papan.learn.features import features_of
from papan.learn.fillable import TECHNIQUES
from papan.learn.ntuple import SCALE, Network
from papan.learn.own_value import values_of
from papan.learn.survey import LARGEST_COUNT, Survey, contents
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.usercode.gallery import gallery
from papan.whole_files import whole_file

FORMAT, VERSION = "papan weights", 1
ENDING = ".weights"
#: Folder of the package's weights.
FOLDER = Path(__file__).parent / "weights"
#: Environment variable with a further folder, which child processes inherit. Its files precede
#: those of the package.
OWN_FOLDER = "PAPAN_WEIGHTS"

#: Maximum size of a file, and of its unpacked contents, in bytes.
_LARGEST = 1 << 26
#: Maximum number of arrays in a file, and of symmetries of a board.
_MOST_ARRAYS, _MOST_TURNS = 8, 64
#: The end of a zip file without a comment: signature, disk numbers, number of entries on this disk
#: and in total, size and offset of the directory, length of the comment.
_ZIP_END = struct.Struct("<4s4H2LH")
#: Header of a NumPy array: format version 1, numbers of at most 8 bytes, C order.
_ARRAY = re.compile(
    rb"\x93NUMPY\x01\x00..\{'descr': '([<|][iuf][1248])', 'fortran_order': False, "
    rb"'shape': \(((?:\d{1,9},? ?){0,4})\), \} *\n",
    re.DOTALL,
)
#: Number of games, and plies of each, in the digest of the rules.
_DIGEST_GAMES, _DIGEST_PLIES = 4, 60

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Weights:
    """Weights of a game's features.

    Attributes:
        game: the rules.
        facts: survey from which the features are made.
        values: int16 (rows, weights): weights in 256ths of a logit or of a point, times 2^spread.
        spread: exponent of the scale of `values`.
        training: seconds, games, plies, seed and other facts of the training.
        strength: opponent, games, score (0 … 1) and error of the measurement.
    """

    game: Game
    facts: Survey
    values: Array
    spread: int
    training: Mapping[str, Any]
    strength: Mapping[str, Any]

    @property
    def is_stronger(self) -> bool:
        """True if the weights were measured to be stronger than the game's own evaluation."""
        return float(self.strength.get("score", 0.0)) > 0.5

    @functools.cached_property
    def evaluation(self) -> Evaluation:
        """The evaluation for searches."""
        digest = hashlib.sha256(self.values.tobytes()).digest()
        network = network_of(self.game, self.facts)
        return network.evaluation(
            self.values, self.spread, SCALE, int.from_bytes(digest[:7], "little")
        )

    def write(self, path: Path) -> None:
        """Writes a file in one step, so that readers see either the old or the new file.

        Raises:
            UsageError: the file cannot be written.
        """
        header = {
            "format": FORMAT,
            "version": VERSION,
            "game": name_of(self.game),
            "source": source_digest(self.game),
            "rules": rules_digest(self.game),
            "facts": self.facts.as_dict(),
            "spread": self.spread,
            "training": dict(self.training),
            "strength": dict(self.strength),
        }
        write_arrays(path, header, {"weights": self.values})


@functools.lru_cache(maxsize=32)
def network_of(game: Game, facts: Survey) -> Network:
    """Returns the network of a game's features; cached by facts."""
    return Network(game, facts, features_of(game.board, facts))


# --- places and digests ---------------------------------------------------------------------------


def name_of(game: Game) -> str:
    """Returns the name of a game's files without suffix, for example `hex-size=7`."""
    name, options = spec.split(game.spec)
    path = _own_file(game)
    name = path.stem if path is not None else Path(name).stem
    return "-".join(filter(None, [name, options.replace(",", "-")]))


def _own_file(game: Game) -> Path | None:
    """Returns the file that defines a game; None for a game of the package."""
    module = inspect.getmodule(type(game))
    if module is None or module.__name__.partition(".")[0] == "papan" or module.__file__ is None:
        return None
    return Path(module.__file__)


def places_of(game: Game, ending: str = ENDING) -> list[Path]:
    """Returns the paths of a game's weights in order of precedence; `ending` selects other
    files."""
    own, name = _own_file(game), name_of(game) + ending
    folders = [FOLDER]
    if folder := os.environ.get(OWN_FOLDER):
        folders.insert(0, Path(folder))
    if own is not None and _is_own(game):
        folders.insert(0, own.parent)
    return [folder / name for folder in folders]


def _is_own(game: Game) -> bool:
    """Returns True for a user's game, whose file is neither in the package nor in the gallery."""
    own = _own_file(game)
    return own is not None and own not in gallery().values()


def place_for(game: Game, ending: str = ENDING) -> Path:
    """Returns the path to write a game's weights to: next to its own file, in the folder of
    `PAPAN_WEIGHTS`, or in the current folder."""
    first = places_of(game, ending)[0]
    return Path(first.name) if first.parent == FOLDER else first


@contextmanager
def own_folder(folder: Path) -> Iterator[None]:
    """Sets `PAPAN_WEIGHTS` for this process and its children inside, unless it is already set."""
    if os.environ.get(OWN_FOLDER):
        yield
        return
    os.environ[OWN_FOLDER] = str(folder)
    try:
        yield
    finally:
        del os.environ[OWN_FOLDER]


def found_for(game: Game) -> Path | None:
    """Returns the path of a game's weights; None if there are none."""
    return next((path for path in places_of(game) if path.is_file()), None)


def is_untaught(game: Game) -> bool:
    """Returns True for a user's game without trained weights."""
    return _is_own(game) and found_for(game) is None


def source_digest(game: Game) -> str:
    """Returns a digest of the file with the rules."""
    file = inspect.getsourcefile(type(game.start_state()))
    text = Path(file).read_bytes() if file else b""
    return hashlib.sha256(text).hexdigest()[:16]


def rules_digest(game: Game) -> str:
    """Returns a digest of the rules' behaviour: moves, positions and results of random games."""
    chance, digest, places = Random(1), hashlib.sha256(), tuple(game.board.squares)
    for _ in range(_DIGEST_GAMES):
        start = game.start()
        for move, position in start.random_walk(chance, _DIGEST_PLIES):
            line = f"{move} {contents(position.state, places)}"
            if position.is_over():
                line += f" {rules.final_value(position.state)}"
            digest.update(line.encode())
    return digest.hexdigest()[:16]


def has_changed(header: Mapping[str, Any], game: Game) -> bool:
    """Returns True if the rules have changed since the training."""
    # A changed comment changes the source, so the behaviour decides.
    if header.get("source") == source_digest(game):
        return False
    return header.get("rules") != rules_digest(game)


# --- files ----------------------------------------------------------------------------------------


def write_arrays(path: Path, header: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Writes a header and arrays to a file in one step.

    Raises:
        UsageError: the file cannot be written.
    """
    text = np.frombuffer(json.dumps(header, sort_keys=True).encode(), dtype=np.uint8)
    room, ordered = io.BytesIO(), {name: np.ascontiguousarray(arrays[name]) for name in arrays}
    np.savez_compressed(room, allow_pickle=False, header=text, **ordered)
    try:
        with whole_file(path) as file:
            file.write(room.getvalue())
    except OSError as error:
        raise UsageError("usage.unwritable", text=path, reason=error.strerror) from None


def read_arrays(path: Path) -> tuple[dict[str, Any], dict[str, Array]]:
    """Returns the header and the arrays in a file.

    Raises:
        InvalidSpec: the file cannot be read, is damaged or not of this format, or has a newer
            version.
    """
    with reading(path, "weights.damaged"):
        arrays = _unpack(read_limited(path, _LARGEST))
        header = parse_json(arrays.pop("header").tobytes())
        if header["format"] != FORMAT:
            raise ValueError(path)
        version = int(header["version"])
    if version > VERSION:
        raise InvalidSpec(
            "weights.too-new", text=path, version=quoted_value(version), known=VERSION
        )
    return header, arrays


def _unpack(content: bytes) -> dict[str, Array]:
    """Returns the arrays of a zip archive by name.

    Raises:
        ValueError: the layout differs from that of `write_arrays`, or the archive is too large.
    """
    end = len(content) - _ZIP_END.size
    mark, disk, start_disk, here, entries, size, place, comment = _ZIP_END.unpack(content[end:])
    # Checked here, because `zipfile` would search for other ends and read a directory of any
    # length.
    if (
        mark != b"PK\5\6"
        or (disk, start_disk, comment) != (0, 0, 0)
        or not here == entries <= _MOST_ARRAYS
        or place + size != end
        or content[end - 20 : end - 16] == b"PK\6\7"  # zip64
    ):
        raise ValueError(mark)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        items = archive.infolist()
        plain = all(item.compress_type == zipfile.ZIP_DEFLATED for item in items)
        if not plain or sum(item.file_size for item in items) > _LARGEST:
            raise ValueError(items)
        return {item.filename.removesuffix(".npy"): _array(archive.read(item)) for item in items}


def _array(content: bytes) -> Array:
    """Parses an array in NumPy format without NumPy's reader, which evaluates a Python expression.

    Raises:
        ValueError: the format or the length is wrong.
    """
    if not (match := _ARRAY.match(content)):
        raise ValueError(content[:80])
    shape = tuple(map(int, re.findall(rb"\d+", match[2])))
    values = np.frombuffer(content, match[1].decode(), offset=match.end())
    return values.reshape(shape).copy()


def read(path: Path, game: Game) -> tuple[Weights, bool]:
    """Returns the weights in a file, and True if the rules have changed since the training.

    Raises:
        InvalidSpec: the file is unreadable, damaged, has a newer version, or belongs to another
            game.
    """
    header, arrays = read_arrays(path)
    if header.get("game") != name_of(game):
        name = quoted_value(header.get("game"))
        raise InvalidSpec("weights.other-game", text=path, found=name, game=name_of(game))
    with reading(path, "weights.damaged"):
        weights = build_weights(game, header, arrays["weights"])
    return weights, has_changed(header, game)


def build_weights(game: Game, header: Mapping[str, Any], values: Array) -> Weights:
    """Returns the weights of a file after checking that they fit the game.

    Compiled code reads them without checks, so wrong indices would read outside the arrays.

    Raises:
        ValueError: the weights do not fit the game.
    """
    facts = Survey.from_dict(header["facts"])
    if not fits(facts, game) or values.dtype != np.int16:
        raise ValueError(game)
    network, spread = network_of(game, facts), int(header["spread"])
    if values.shape != (network.rows, network.features.weights) or not 0 <= spread < 16:
        raise ValueError(game)
    notes = [dict(header[name]) for name in ("training", "strength")]
    if not all(isinstance(value, str | int | float) for each in notes for value in each.values()):
        raise ValueError(notes)
    weights = Weights(game, facts, values, spread, *notes)
    assert weights.is_stronger in (True, False)  # raises unless the score is a number
    return weights


def fits(facts: Survey, game: Game) -> bool:
    """Returns True if a survey from a file is possible for a game."""
    every = list(range(len(facts.places)))
    turns = [*facts.turns, *([facts.exchange] if facts.exchange is not None else [])]
    levels = list(facts.levels)
    return (
        facts.places == tuple(game.board.squares)
        and facts.codes[:1] == (0,)
        and list(facts.codes) == sorted(set(facts.codes))
        and facts.codes[-1] < (len(game.pieces) + 1) * (LARGEST_COUNT + 2)
        and sorted(facts.partner) == list(range(len(facts.codes)))
        and bool(facts.turns)
        and list(facts.turns[0]) == every
        and len(facts.turns) == len(set(facts.turns)) <= _MOST_TURNS
        and all(sorted(turn) == every for turn in turns)
        and levels == sorted(levels)
        and len(levels) < 16
        and facts.fillable in TECHNIQUES
        and facts.own_value in ("", *values_of(game))
        and facts.deviation > 0
    )
