"""Trains and measures all games of the shelf: `python -m benchmarks.train_all [GAME …]`.

For each game: the weights, the levels, and matches at processor time from balanced random openings.
Weights and levels are written into the package, the results into docs/made/strength.json, and as a
table into docs/made/strength.md. Results that exist are kept, and an interrupted training or
measurement continues; to repeat a step, remove its result.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.mcts_techniques import BASELINE_MCTS
from papan.arena.levels import LevelMeasurement, LevelPlan
from papan.arena.measure import Match, measure
from papan.arena.suite import BalancedSuite
from papan.campaign import Campaign
from papan.core.game import Game
from papan.errors import PapanError
from papan.learn.survey import survey
from papan.learn.training import Training, TrainingPlan
from papan.learn.weights import ENDING, FOLDER, name_of, read
from papan.play.referee import Conditions
from papan.players.level_file import ENDING as LEVELS
from papan.players.level_file import GameLevels, evaluation_digest, read_levels
from papan.search.limits import Limit
from papan.stats.elo import normal_error
from papan.usercode import registry
from papan.usercode.gallery import gallery
from papan.whole_files import write_whole

#: The built-in games, sizes with weights of their own, and the gallery.
SHELF = (
    "corners",
    "adjacency",
    "adjacency:rounds=8",
    "adjacency:rounds=12",
    "platforms",
    "platforms:size=5",
    "platforms:size=5,level=2",
    "platforms:size=5,level=3",
    "hex:size=7",
    *gallery(),
)
#: Games that need no weights, with the reason.
SOLVED = {"nim": "its evaluation is the winning strategy"}
#: Plies of self-play by game.
PLIES = {
    "amazons": 150_000,
    "ataxx": 1_500_000,
    "breakthrough": 5_000_000,
    "checkers": 1_500_000,
    "chess": 6_000_000,
    "connect_four": 10_000_000,
    "corners": 2_000_000,
    "go": 400_000,
    "gomoku": 300_000,
    "hex": 1_500_000,
    "lines_of_action": 1_000_000,
    "minichess": 1_500_000,
    "othello": 5_000_000,
    "pentago": 1_000_000,
    "quoridor": 100_000,
}
#: Plies of the games that are not in `PLIES`.
USUAL_PLIES = 3_000_000
#: Searches of the levels: the engine where the file's evaluation is much stronger than random
#: games, and tree search in Go, where it is stronger than learned weights.
LEVEL_SEARCHES = {"amazons": "engine", "chess": "engine", "go": "mcts", "quoridor": "engine"}
#: Nodes per move of the highest level in games with long moves: up to 0.4 s.
LEVEL_NODES = {
    "amazons": 150_000,
    "chess": 80_000,
    "corners": 1_000_000,
    "go": 4_000,
    "gomoku": 10_000,
    "hex": 70_000,
    "quoridor": 10_000,
    "ultimate_tic_tac_toe": 1_000_000,
}
MADE = Path(__file__).parents[1] / "docs" / "made"
SEED = 1
#: Number of games between neighbouring levels.
LEVEL_PAIRS = 32

Facts = dict[str, Any]


@dataclass(frozen=True)
class Effort:
    """The work for each game.

    Attributes:
        plies: factor of the plies of self-play.
        seconds: time limit of the measurement of levels, in seconds.
        games: games of each match.
        move: processor time per move in the matches, in seconds.
        workers: number of processes in the measurements. A training has one worker, so that it is
            the same on each machine.
    """

    plies: float = 1.0
    seconds: float = 600.0
    games: int = 100
    move: float = 0.1
    workers: int = 2


# --- the steps -----------------------------------------------------------------------------------


def train(game: Game, effort: Effort) -> Facts:
    """Trains a game's weights into the package, or continues.

    Returns the facts of the training, with the score against the evaluation of the game's file.
    Weights that are not clearly stronger are not kept.
    """
    out = FOLDER / f"{name_of(game)}{ENDING}"
    plies = effort.plies * PLIES.get(game.spec, USUAL_PLIES)
    plan = TrainingPlan(games=round(plies / survey(game).length), seed=SEED)
    for milestone in Training(game, plan, out).run():
        print(f"  {milestone.games:,} games, {milestone.decision}", flush=True)
    if not out.exists():
        return {}
    weights, _ = read(out, game)
    facts = {name: weights.strength[name] for name in ("score", "error")}
    if not is_kept({"training": facts}):
        out.unlink()
    return {**weights.training, **facts}


def is_kept(results: Facts) -> bool:
    """Returns True if a game's weights are shipped.

    They must be clearly stronger than the evaluation of the game's file at equal positions per
    move, and not clearly weaker at equal time.
    """
    training, match = results.get("training", {}), results.get("trained", {})
    is_stronger = training.get("score", 0.0) - training.get("error", 0.0) > 0.5
    return bool(is_stronger and match.get("score", 0.5) + match.get("error", 0.0) >= 0.5)


def measure_levels(game: Game, effort: Effort) -> Facts:
    """Measures a game's levels into the package, or continues; returns their number and span.

    A measurement that ran out of time is not complete, and continues when it is repeated.
    """
    path = FOLDER / f"{name_of(game)}{LEVELS}"
    plan = LevelPlan(
        effort.seconds,
        LEVEL_PAIRS // 2,
        SEED,
        effort.workers,
        search=LEVEL_SEARCHES.get(game.spec),
        nodes=LEVEL_NODES.get(game.spec),
    )
    measurement = LevelMeasurement(game, plan, path)
    measurement.prepare()
    for _ in measurement.run():
        pass
    return _span(read_levels(path, game))


def _span(levels: GameLevels) -> Facts:
    elo = [level.elo for level in levels.levels]
    best = [(one.score, one.error, one.seconds) for one in levels.best]
    return {
        "complete": levels.complete,
        "count": len(elo),
        "elo": round(elo[-1] - elo[0]),
        "best": best,
    }


def matches_of(game: Game) -> dict[str, tuple[str, str]]:
    """Returns the players of each match by its name."""
    own = game.strongest or next(iter(game.evaluations))
    return {
        "trained": ("engine", f"engine:evaluation={own}"),
        "mcts": ("best", BASELINE_MCTS),
    }


def play(game: Game, players: tuple[str, str], effort: Effort) -> Facts:
    """Plays a match; returns its players, seconds per move, and the first player's result."""
    conditions = Conditions(processor=True)
    limit, openings = Limit(seconds=effort.move), BalancedSuite(SEED)
    match = Match(
        game.spec, *players, effort.games, limit, SEED, openings, conditions=conditions
    )  # fmt: skip
    with Campaign(effort.workers) as campaign:
        counts = measure(match, campaign=campaign).single
    facts = {"players": players, "seconds": effort.move}
    facts |= {"won": counts.wins, "drawn": counts.draws, "lost": counts.losses}
    return {**facts, "score": round(counts.score, 4), "error": round(normal_error(counts), 4)}


def steps(game: Game, effort: Effort, known: Facts) -> Iterator[tuple[str, Facts]]:
    """Yields all results of a game after each step that is missing in `known`, with its name."""
    if "training" not in known and game.spec not in SOLVED:
        known = {**known, "training": train(game, effort)}
        yield "training", known
    matches = matches_of(game)
    if "trained" not in known and is_kept(known):
        known = {**known, "trained": play(game, matches["trained"], effort)}
        if not is_kept(known):
            for ending in (ENDING, LEVELS):  # the levels were measured with these weights
                FOLDER.joinpath(name_of(game) + ending).unlink(missing_ok=True)
            known = {name: known[name] for name in ("training", "trained")}
        yield "trained", known
    if not known.get("levels", {}).get("complete"):
        known = {**known, "levels": measure_levels(game, effort)}
        yield "levels", known
    if "mcts" not in known:
        yield "mcts", {**known, "mcts": play(game, matches["mcts"], effort)}


# --- results -------------------------------------------------------------------------------------


def known_results() -> dict[str, Facts]:
    """Returns the results so far, by game."""
    path = MADE / "strength.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


def write_results(results: dict[str, Facts]) -> None:
    """Writes the results and their table."""
    text = json.dumps(results, indent=1, sort_keys=True, ensure_ascii=False)
    write_whole(MADE / "strength.json", text + "\n")
    write_whole(MADE / "strength.md", table_of(results))


def table_of(results: dict[str, Facts]) -> str:
    """Returns a Markdown table, one row a game."""
    strengths = ("weights : file", "trained : untrained", "`best` : `mcts`")
    titles = ("game", "self-play games", *strengths, "levels", "Elo")
    lines = [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]
    for name, facts in sorted(results.items()):
        levels, training = facts.get("levels", {}), facts.get("training", {})
        games = training.get("games")
        cells = (
            name,
            "–" if games is None else f"{games:,}",
            _percent(training) if "score" in training else "–",
            _score(facts.get("trained")),
            _score(facts.get("mcts")),
            str(levels.get("count", "–")),
            str(levels.get("elo", "–")),
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _score(facts: Facts | None) -> str:
    if facts is None:
        return "–"
    counts = "–".join(str(facts[name]) for name in ("won", "drawn", "lost"))
    return f"{counts} ({_percent(facts)})"


def _percent(facts: Facts) -> str:
    return f"{100 * facts['score']:.0f} ± {100 * facts['error']:.0f} %"


def run_game(spec: str, effort: Effort) -> None:
    """Does what is missing for a game; each result is written at once."""
    game = registry.game(spec)
    known = known_results().get(spec, {})
    if known.get("evaluation") not in (None, evaluation_digest(game)):
        known = {}  # the weights are not those that were measured
    for name, facts in steps(game, effort, known):
        measured = {**facts, "evaluation": evaluation_digest(game)}
        write_results({**known_results(), spec: measured})
        print(f"{spec}: {name} {facts[name]}", flush=True)


def main(words: Sequence[str]) -> int:
    """Trains and measures the games that the command line names, by default all."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="*")
    for name, default in vars(Effort()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    options = vars(parser.parse_args(words))
    specs = options.pop("game") or SHELF
    try:
        for spec in specs:
            registry.game(spec)
    except PapanError as error:
        parser.error(str(error))
    for spec in specs:
        run_game(spec, Effort(**options))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
