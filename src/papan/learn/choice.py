"""Evaluations by name: the one place that resolves them for searches, players and pages.

NAME             an evaluation of the game, perhaps with other numbers: `mobility/corner=9`
learned          the weights trained for the game: beside its own file, or in the package
FILE.weights     the weights in a file
none             nothing: only wins and losses count
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

#: Names that every game has besides those of its own evaluations.
LEARNED, NONE = "learned", "none"

#: Pairs of games that tell whether weights are still of use after the rules have changed.
TEST_PAIRS = 5


class RulesWarning(UserWarning):
    """Weights were learnt for rules that have changed since."""


def evaluation_named(game: Game, name: str) -> Evaluation:
    """Returns the evaluation that a name stands for; the game's default one for an empty name.

    Raises:
        InvalidSpec: The game has no such evaluation or no such field, or there are no such weights.
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
    """The evaluation that was learnt for a game, where it was measured to be stronger than the
    game's strongest one; else that.

    Raises:
        InvalidSpec: the game's file of weights is damaged, or of another game.
    """
    path = files.found_for(game)
    if path is None:
        return game.strongest_evaluation
    weights, passed = _usable(path, game)
    return weights.evaluation if weights.is_stronger and passed else game.strongest_evaluation


def _usable(path: Path, game: Game) -> tuple[Weights, bool]:
    """The weights of a file, and False if they failed the test that changed rules ask for."""
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
    """True if weights hold their own in ten games under the rules as they are now; says so."""
    from papan.learn.training import match_evaluations

    game = weights.game
    result = match_evaluations(game, weights.evaluation, game.strongest_evaluation, TEST_PAIRS)
    warnings.warn(
        f"the rules of {game.name} have changed since {path.name} was trained; in a test of "
        f"{result.games} games it scored {100 * result.score:.0f} %",
        RulesWarning,
        stacklevel=2,
    )
    return result.score >= 0.5
