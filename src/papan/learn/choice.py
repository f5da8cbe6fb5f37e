"""Evaluations by name, for searches, players and pages.

NAME             an evaluation of the game, optionally with other numbers: `mobility/corner=9`
learned          the weights trained for the game: next to its own file, or in the package
FILE.weights     the weights in a file
none             no evaluation: only wins and losses count
"""

from __future__ import annotations

import functools
import warnings
from pathlib import Path

from papan.core import spec
from papan.core.evaluation_text import read_evaluation
from papan.core.game import Game, NothingKnown
from papan.errors import InvalidSpec
from papan.learn import weights as files
from papan.learn.weights import ENDING, Weights
from papan.rules.operations import Evaluation

#: Names that every game has in addition to its own evaluations.
LEARNED, NONE = "learned", "none"

#: Number of game pairs that test whether weights are still good after a change of the rules.
TEST_PAIRS = 5
#: Positions per move in that test.
TEST_NODES = 100


class RulesWarning(UserWarning):
    """Warns that weights were trained for an earlier version of the rules."""


def evaluation_named(game: Game, name: str) -> Evaluation:
    """Returns the evaluation of a name; the game's default evaluation for an empty name.

    Raises:
        InvalidSpec: the game has no such evaluation or field, or the weights do not exist.
    """
    if not name:
        return game.default_evaluation
    if (own := read_evaluation(game, name)) is not None:
        return own
    if name == NONE:
        return NothingKnown()
    if name == LEARNED:
        path = files.found_for(game)
        if path is None:
            raise InvalidSpec("weights.none", text=game.spec, file=files.places_of(game)[0])
        return _usable(path, game)[0].evaluation
    if name.endswith(ENDING):
        return _usable(Path(name), game)[0].evaluation
    raise spec.unknown(
        "spec.unknown-evaluation", name, dict.fromkeys([*game.evaluations, LEARNED, NONE])
    )


def strongest(game: Game) -> Evaluation:
    """Returns the strongest known evaluation of a game.

    This is the trained one if it was measured to be stronger than the game's own strongest one.

    Raises:
        InvalidSpec: the file of weights is damaged, or belongs to another game.
    """
    path = files.found_for(game)
    if path is None:
        return game.strongest_evaluation
    weights, passed = _usable(path, game)
    return weights.evaluation if weights.is_stronger and passed else game.strongest_evaluation


def _usable(path: Path, game: Game) -> tuple[Weights, bool]:
    """Returns the weights in a file, and False if they failed the test after a change of rules."""
    try:
        facts = path.stat()
    except OSError as error:
        raise InvalidSpec("usage.unreadable", text=path, reason=error.strerror) from None
    return _read(path, game, (facts.st_mtime_ns, facts.st_size))


@functools.lru_cache(maxsize=32)
def _read(path: Path, game: Game, version: object) -> tuple[Weights, bool]:
    weights, changed = files.read(path, game)
    return weights, _passes(path, weights) if changed else True


def _passes(path: Path, weights: Weights) -> bool:
    """Tests weights in a short match under the current rules and warns about the result.

    Returns True if they score at least one half.
    """
    from papan.learn.matches import EvaluationMatch, MatchRules

    game = weights.game
    sides = (weights.evaluation, game.strongest_evaluation)
    match = EvaluationMatch(game, *sides, MatchRules(TEST_PAIRS, TEST_NODES, 2), seed=1)
    match.play(TEST_PAIRS)
    result = match.games
    warnings.warn(
        f"the rules of {game.name} have changed since {path.name} was trained; in a test of "
        f"{result.games} games it scored {100 * result.score:.0f} %",
        RulesWarning,
        stacklevel=2,
    )
    return result.score >= 0.5
