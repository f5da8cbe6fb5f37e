"""`papan train GAME`: learns an evaluation by self-play."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from papan.cli import completion, parse
from papan.cli.command import command
from papan.cli.options import ClusterOptions, GameArgument, JsonOptions, SeedOptions, option
from papan.cli.terminal import EXIT_DONE, EXIT_INTERRUPTED, Terminal, follow

if TYPE_CHECKING:
    from papan.core.game import Game
    from papan.learn.training import Milestone, Training, TrainingPlan
    from papan.messages import Messages
    from papan.stats.counts import Trinomial

#: Default time of a training, without time and games, in seconds.
DEFAULT_SECONDS = 60.0
#: Targets by name (`papan.learn.self_play`).
TARGETS = ("trace", "search", "result")
#: Messages for the decisions of the test against the best weights.
DECISIONS = {"H1": "stronger", "H0": "not-stronger", "continue": "undecided"}


@dataclass(frozen=True, kw_only=True)
class TrainOptions(GameArgument, SeedOptions, ClusterOptions, JsonOptions):
    """Options of `papan train`."""

    games: str | None = option("--games N", "training-games", None)
    time: str | None = option("--time S", "training-time", None)
    depth: str = option("--depth N", "training-depth", "1")
    target: str = option("--target NAME", "target", TARGETS[0], choices=TARGETS)
    start: str | None = option("--from FILE", "from", None, complete=completion.files)
    workers: str = option("--workers N", "training-workers", "1")
    out: str | None = option("--out -o FILE", "weights-out", None, complete=completion.files)


@command(TrainOptions)
def train(options: TrainOptions, terminal: Terminal) -> int:
    """Trains and saves the strongest weights; on Ctrl-C, the strongest so far."""
    from papan.learn.weights import place_for
    from papan.usercode import registry

    plan = _plan(options)
    game = registry.game(options.game)
    out = Path(options.out) if options.out else place_for(game)
    with terminal.compiling("train.compiling", game=game.name):
        training = _training(game, plan, out, options.start)
        training.prepare()
    with parse.cluster(options.cluster, options.insecure_cluster) as training.executor:
        line = partial(_line, say=terminal.say)
        interrupted = follow(training, "train.resumed", line, terminal)
    _print(training, out, options.as_json, interrupted, terminal)
    return EXIT_INTERRUPTED if interrupted else EXIT_DONE


def offer_training(spec: str, terminal: Terminal) -> None:
    """Prints the command that trains weights for a game."""
    words = shlex.join(["papan", "train", spec, "--time", f"{DEFAULT_SECONDS:g}"])
    terminal.note(terminal.say("train.offer", command=words))


def _plan(options: TrainOptions) -> TrainingPlan:
    """Returns the settings of the options.

    Raises:
        UsageError: An option is malformed or out of range.
    """
    from papan.learn.self_play import ResultTarget, SearchTarget, TraceTarget
    from papan.learn.training import DECAY, TrainingPlan
    from papan.rules.operations import MAX_PLY

    seconds = None if options.time is None else parse.number(options.time, "--time", 0)
    games = None if options.games is None else parse.whole(options.games, "--games", 1)
    return TrainingPlan(
        DEFAULT_SECONDS if seconds is None and games is None else seconds,
        games,
        parse.whole(options.workers, "--workers", 1, 64),
        parse.seed(options.seed),
        {"trace": TraceTarget(DECAY), "search": SearchTarget(), "result": ResultTarget()}[
            options.target
        ],
        parse.whole(options.depth, "--depth", 1, MAX_PLY),
    )


def _training(game: Game, plan: TrainingPlan, out: Path, start: str | None) -> Training:
    """Returns the training, which starts from the weights of a file if one is named."""
    from papan.learn.training import Training
    from papan.learn.weights import read

    return Training(game, plan, out, None if start is None else read(Path(start), game)[0])


def _line(progress: Milestone, say: Messages) -> str:
    """Returns a measurement in one line."""
    return say(
        "train.progress",
        games=progress.games,
        speed=progress.plies_per_second,
        error=f"{progress.error:.4f}",
        best=_score(progress.against_best),
        decision=say(f"train.{DECISIONS[progress.decision]}"),
        fixed=_score(progress.against_fixed),
    )


def _reason(training: Training, say: Messages) -> str:
    """Returns the reason why no weights were saved."""
    if not training.history:
        return say("train.none-measured")
    against = training.history[-1].against_best
    name = "train.none-better" if against.games else "train.none-ended"
    return say(name, games=training.games, score=_score(against))


def _score(counts: Trinomial) -> str:
    from papan.learn.training import score_facts

    facts = score_facts(counts)
    return f"{100 * facts['score']:.0f} ± {100 * facts['error']:.0f} %"


def _print(
    training: Training, out: Path, as_json: bool, interrupted: bool, terminal: Terminal
) -> None:
    best = training.best
    report: dict[str, Any] = {
        "game": training.game.spec,
        "file": str(out),
        "seconds": round(training.seconds, 3),
        "games": training.games,
        "kept": training.has_kept,
        "best": {"training": dict(best.training), "strength": dict(best.strength)},
        "measurements": [progress.as_dict() for progress in training.history],
    }
    if interrupted:
        report["interrupted"] = True
    if not report["kept"]:
        terminal.note(_reason(training, terminal.say))
    elif interrupted:
        terminal.note(terminal.say("train.interrupted"))
    if as_json:
        terminal.json(report)
        return
    say, strength = terminal.say, best.strength
    measured = "–"
    if strength:
        score = f"{100 * strength['score']:.1f} ± {100 * strength['error']:.1f} %"
        facts = {"opponent": strength["opponent"], "games": strength["games"]}
        measured = say("train.measured", score=score, **facts)
    rows = {"game": report["game"], "file": out, "seconds": report["seconds"]}
    rows |= {"games": report["games"], "kept": best.training.get("games", 0), "strength": measured}
    terminal.pairs({say(f"train.{name}"): value for name, value in rows.items()})
