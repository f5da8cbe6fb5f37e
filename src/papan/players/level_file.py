"""Files of measured levels: the strengths of a game's eight levels and their Elo distances.

A file is a JSON object next to the weights of its game (`mygame.levels`, `hex-size=7.levels`). It
contains no code: a level is four numbers and the name of a search. The file also keeps the result
of every game pair, so that a measurement can continue.
"""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from papan.core.arguments import quoted_value
from papan.core.game import Game
from papan.data_files import read_json, reading
from papan.errors import InvalidSpec, PapanError, naming
from papan.learn import choice
from papan.learn import weights as weight_files
from papan.learn.weights import name_of, rules_digest
from papan.players.fallible import FalliblePlayer
from papan.whole_files import write_whole

FORMAT, VERSION = "papan levels", 1
ENDING = ".levels"
#: Candidates for the strongest player of a game; the last one needs a trained evaluation.
CANDIDATES = ("engine", "mcts", "mcts:evaluation=learned")
#: Maximum number of levels of a game.
MOST_LEVELS = 8

#: Maximum size of a file in bytes.
_LARGEST = 1 << 22


@dataclass(frozen=True)
class Strength:
    """A strength between nearly random moves and a good search.

    Attributes:
        search, nodes, noise, scale: see `FalliblePlayer`.
    """

    search: str
    nodes: int
    noise: float
    scale: float = 8.0

    @property
    def spec(self) -> str:
        """Spec of the player.

        Raises:
            InvalidSpec: a number is out of range.
        """
        return FalliblePlayer(self.search, self.nodes, self.noise, self.scale).spec


@dataclass(frozen=True)
class MeasuredLevel:
    """A level of a game.

    Attributes:
        strength: settings of the player.
        elo: rating within the game; the mean of a game's levels is 1,500.
        error: half the width of the 95 % interval of `elo`.
        games: number of games against the neighbouring levels.
        score: score (0 … 1) against the level below; None for the lowest level.
        score_error: half the width of the 95 % interval of `score`.
    """

    strength: Strength
    elo: float
    error: float
    games: int
    score: float | None = None
    score_error: float | None = None


@dataclass(frozen=True)
class Comparison:
    """The result of a match between two candidates for the strongest player.

    Attributes:
        seconds: time per move.
        games: number of games.
        score: the score of the first player, 0 … 1.
        error: half the width of the 95 % interval of `score`.
        evaluation: digest of the game's strongest evaluation (`evaluation_digest`).
        first, second: specs of the players.
    """

    seconds: float
    games: int
    score: float
    error: float
    evaluation: str
    first: str = "engine"
    second: str = "mcts"

    @property
    def winner(self) -> str:
        """Spec of the stronger player; the first one if they are equal."""
        return self.first if self.score >= 0.5 else self.second


@dataclass(frozen=True)
class GameLevels:
    """The measured levels of a game.

    Attributes:
        levels: levels, weakest first; fewer than eight if the game has fewer distinct strengths.
        complete: False if the measurement was interrupted.
        facts: seed, scale, number of games and other facts of the measurement.
        results: the two opponents → half points of each game, two digits a pair.
        best: comparisons of the candidates for the strongest player; see `papan.arena.best`.
    """

    levels: tuple[MeasuredLevel, ...]
    complete: bool = True
    facts: Mapping[str, Any] = field(default_factory=dict)
    results: Mapping[str, str] = field(default_factory=dict)
    best: tuple[Comparison, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        """Returns the levels as they are written to a file."""
        return {
            "complete": self.complete,
            "levels": [asdict(level) for level in self.levels],
            "facts": dict(self.facts),
            "results": dict(self.results),
            "best": [asdict(comparison) for comparison in self.best],
        }

    def write(self, path: Path, game: Game) -> None:
        """Writes a file in one step, so that readers see either the old or the new file.

        Raises:
            UsageError: the file cannot be written.
        """
        whose = {"format": FORMAT, "version": VERSION, "game": name_of(game)}
        content = {**whose, "rules": rules_digest(game), **self.as_dict()}
        with naming(path):
            write_whole(path, json.dumps(content, indent=1) + "\n")


def read_levels(path: Path, game: Game) -> GameLevels:
    """Returns the levels in a file.

    Raises:
        InvalidSpec: the file cannot be read, is damaged, has a newer version, or belongs to another
            game or to changed rules.
    """
    with reading(path, "levels.damaged"):
        content = read_json(path, _LARGEST)
        if content["format"] != FORMAT:
            raise ValueError(path)
        version = int(content["version"])
        whose, digest = str(content["game"]), str(content["rules"])
        levels = None if version > VERSION else _levels_from_json(content)
    if levels is None:
        raise InvalidSpec("levels.too-new", text=path, version=quoted_value(version), known=VERSION)
    if whose != name_of(game):
        raise InvalidSpec(
            "levels.other-game", text=path, found=quoted_value(whose), game=name_of(game)
        )
    if digest != rules_digest(game):
        raise InvalidSpec("levels.other-rules", text=path, game=name_of(game))
    return levels


def _levels_from_json(content: Mapping[str, Any]) -> GameLevels:
    """Returns the levels in a JSON object.

    Raises:
        ValueError, LookupError, TypeError, …: the object is not valid.
    """
    levels = tuple(_level(facts) for facts in content["levels"])
    if not levels or len(levels) > MOST_LEVELS:
        raise ValueError(levels)
    best = tuple(
        Comparison(
            float(facts["seconds"]),
            int(facts["games"]),
            float(facts["score"]),
            float(facts["error"]),
            str(facts["evaluation"]),
            _candidate(facts.get("first", Comparison.first)),
            _candidate(facts.get("second", Comparison.second)),
        )
        for facts in content["best"]
    )
    results = {str(met): str(points) for met, points in content["results"].items()}
    if any(set(points) - set("012") or len(points) % 2 for points in results.values()):
        raise ValueError(results)
    return GameLevels(levels, bool(content["complete"]), dict(content["facts"]), results, best)


def _candidate(spec: str) -> str:
    """Returns the spec of a candidate, as a file has it.

    Raises:
        ValueError: the spec is none of `CANDIDATES`; a file must not choose a program to run.
    """
    if spec not in CANDIDATES:
        raise ValueError(spec)
    return spec


def _level(facts: Mapping[str, Any]) -> MeasuredLevel:
    played = facts["strength"]
    strength = Strength(
        str(played["search"]), int(played["nodes"]), float(played["noise"]), float(played["scale"])
    )
    # Build the player once, so that out-of-range values are found while the file is read.
    try:
        FalliblePlayer.from_text(strength.spec.partition(":")[2])
    except InvalidSpec:
        raise ValueError(strength) from None
    score, error = facts["score"], facts["score_error"]
    return MeasuredLevel(
        strength,
        float(facts["elo"]),
        float(facts["error"]),
        int(facts["games"]),
        None if score is None else float(score),
        None if error is None else float(error),
    )


def measured_levels(game: Game) -> GameLevels | None:
    """Returns the measured levels of a game; None if there is no file.

    Raises:
        InvalidSpec: the file is damaged, or belongs to another game or to changed rules.
    """
    for path in weight_files.places_of(game, ENDING):
        try:
            facts = path.stat()
        except OSError:
            continue
        return _cached_hash(path, game, (facts.st_mtime_ns, facts.st_size))
    return None


def usable_levels(game: Game) -> GameLevels | None:
    """Returns the measured levels of a game; None if they cannot be used.

    A damaged file, or a measurement that was stopped too early, counts as no file. Play must not
    depend on it.
    """
    try:
        levels = measured_levels(game)
    except PapanError:
        return None
    return levels if levels and (levels.complete or len(levels.levels) > 1) else None


@functools.lru_cache(maxsize=64)
def _cached_hash(path: Path, game: Game, version: object) -> GameLevels:
    return read_levels(path, game)


def evaluation_digest(game: Game) -> str:
    """Returns a short digest of the evaluation that the engine uses for a game."""
    return f"{hash_of(choice.strongest(game)):08x}"


def hash_of(evaluation: object) -> int:
    """Returns a number that identifies an evaluation, the same in every process."""
    # Arrays of weights are skipped: the digest next to them identifies them.
    parts = [type(evaluation).__name__]
    if isinstance(evaluation, tuple):
        parts += [f"{part}" for part in evaluation if isinstance(part, int | float | str)]
    return zlib.crc32(" ".join(parts).encode())
