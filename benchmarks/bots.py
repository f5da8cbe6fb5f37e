"""Papan's players against other programs at equal real time.

    python -m benchmarks.bots --games 40 --only hex        one opponent, or one game
    python -m benchmarks.run bots                          all of them

The opponents are OpenSpiel's Monte Carlo tree search in C++ with 10,000 simulations per move, which
plays its own games with its own rules, and `gtp-rhino` (Debian's `grhino`), an Othello program that
speaks GTP. The opponent's time per move is measured in two games; then Papan's player gets the same
time. Pairs start from balanced random openings. Opponents that are not installed are skipped and
marked in the table.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, NamedTuple

from rich.console import Console

from benchmarks.tools.report import Report, Table, show
from papan.arena import measure as matches
from papan.arena.score import Tally
from papan.arena.suite import BalancedSuite
from papan.core.game import Game, Position
from papan.core.spec import option
from papan.players.base import Choice, Player
from papan.players.external import Trail
from papan.records.model import Record
from papan.search.limits import Limit
from papan.stats.elo import score_interval

SIMULATIONS, QUICK_SIMULATIONS = 10_000, 100
#: Exploration factor and memory of OpenSpiel's search, as in its own example.
EXPLORATION, MEGABYTES = 2.0, 1000
OURS = ("engine", "mcts")
LEVELS = (1, 2, 3, 4, 5)
GAMES, QUICK_GAMES = 40, 2
#: Minimum time of Papan's moves in seconds, and their time while the opponent's is measured.
LEAST, FIRST = 0.01, 0.1
WANTED_OPENSPIEL, WANTED_RHINO = 0.95, 0.6


class Twin(NamedTuple):
    """A game of OpenSpiel.

    Attributes:
        name: name of the game in OpenSpiel.
        action: converts a move of a position to OpenSpiel's action string.
    """

    name: str
    action: Callable[[Position, str], str]


def same(position: Position, move: str) -> str:
    """Returns a move with the same notation in both programs."""
    return move


def column(position: Position, move: str) -> str:
    """Returns a column of Connect Four: `x3` is d."""
    return f"{position.side}{'abcdefg'.index(move[0])}"


def advance(position: Position, move: str) -> str:
    """Returns a move of Breakthrough: the first player starts at the top; captures end with a
    star."""
    board = position.game.board
    squares = [board.square(name) for name in move.split("-")]
    names = [f"{name[0]}{9 - int(name[1:])}" for name in map(board.name, squares)]
    captures = position.game.contents(position.state)[squares[1]].owner
    return "".join(names) + "*" * bool(captures)


TWINS = {
    "breakthrough": Twin("breakthrough", advance),
    "connect_four": Twin("connect_four", column),
    "othello": Twin("othello", same),
    "hex:size=7": Twin("hex(board_size=7)", same),
}


@dataclass
class OwnOpenSpiel(Player):
    """OpenSpiel's C++ search on its own game, which receives the moves of Papan's game."""

    name = "openspiel-own"

    simulations: int = option(SIMULATIONS, "option.openspiel-simulations", low=1)

    _opening: tuple[str, ...] = field(init=False, repr=False, compare=False, default=())
    _trail: Trail | None = field(init=False, repr=False, compare=False, default=None)
    _bot: Any = field(init=False, repr=False, compare=False, default=None)

    def expect(self, opening: tuple[str, ...]) -> None:
        self._opening = opening

    def new_game(self, game: Game, seed: int) -> None:
        super().new_game(game, seed)
        import pyspiel

        self._trail, self._twin = None, TWINS[game.spec]
        self._game = pyspiel.load_game(self._twin.name)
        rollouts = pyspiel.RandomRolloutEvaluator(1, seed)
        self._bot = pyspiel.MCTSBot(
            self._game, rollouts, EXPLORATION, self.simulations, MEGABYTES, True, seed, False
        )

    def choose(self, position: Position, limit: Limit) -> Choice:
        if self._trail is None or not self._trail.reach(position):
            self._trail = Trail.to(position, self._opening)
        state, here = self._game.new_initial_state(), position.game.start()
        for move in self._trail.moves:
            state.apply_action(self._actions(state)[self._twin.action(here, move)])
            here = here.play(move)
        action = self._bot.step(state)
        said = {self._twin.action(position, move): move for move in position.moves()}
        move = said[state.action_to_string(action)]
        self._trail.add(move)
        return Choice(move)

    def _actions(self, state: Any) -> dict[str, int]:
        return {state.action_to_string(action): action for action in state.legal_actions()}


def rhino() -> str | None:
    """Returns the path of `gtp-rhino`; None if it is not installed."""
    return shutil.which("gtp-rhino", path=f"{os.environ.get('PATH', '')}:/usr/games")


def opponents(quick: bool) -> Iterator[tuple[str, str, float]]:
    """Yields game, spec and target score of each installed opponent; quick: only one game."""
    if find_spec("pyspiel") is not None:
        for game in ("connect_four",) if quick else TWINS:
            bot = OwnOpenSpiel(simulations=QUICK_SIMULATIONS if quick else SIMULATIONS)
            yield game, bot.spec, WANTED_OPENSPIEL
    if (program := rhino()) is not None:
        for level in LEVELS[:1] if quick else LEVELS:
            yield "othello", f"gtp:{program} -l {level} -b 0", WANTED_RHINO


def seconds_of(records: Sequence[Record], player: str) -> float:
    """Returns the mean time of a player's moves."""
    found = []
    for record in records:
        side = "xo".index("x" if record.x == player else "o")
        first = (len(record.moves) - len(record.seconds)) % 2
        found += [time for ply, time in enumerate(record.seconds) if (ply + first) % 2 == side]
    return sum(found) / max(len(found), 1)


def play(
    game: str, ours: str, theirs: str, pairs: int, seed: int = 0
) -> tuple[Tally, list[Record]]:
    """Plays a match, one game at a time: parallel games would share a processor."""
    match = matches.Match(game, ours, theirs, 2 * pairs, seed=seed, openings=BalancedSuite(seed))
    records: list[Record] = []
    return matches.measure(match, lambda record, tally: records.append(record)), records


def meeting(game: str, ours: str, theirs: str, count: int) -> tuple[Tally, float, float]:
    """Returns the result of our player, and the mean times per move of both in seconds."""
    _, records = play(game, f"{ours}:time={FIRST}", theirs, 1, seed=1)
    time = max(LEAST, seconds_of(records, theirs))
    spec = f"{ours}:time={time:.3g}"
    tally, records = play(game, spec, theirs, (count + 1) // 2)
    return tally, seconds_of(records, spec), seconds_of(records, theirs)


def run(quick: bool) -> Report:
    """Plays all matches."""
    return measure(QUICK_GAMES, quick=True) if quick else measure(GAMES)


def measure(count: int, only: str = "", *, quick: bool = False) -> Report:
    """Plays the matches whose game or opponent has `only` in its name."""
    columns = ("game", "player", "against", "s", "its s", "W–D–L", "score", "95 %")
    table = Table(f"{count} games each, the same openings from both sides", columns)
    report = Report([table])
    for game, theirs, wanted in opponents(quick):
        for ours in OURS[: 1 if quick else None] if only in f"{game} {theirs}" else ():
            print(f"{game}: {ours} against {theirs} …", file=sys.stderr)
            tally, own, its = meeting(game, ours, theirs, count)
            counts, (low, high) = tally.single, score_interval(tally.counts)
            result = f"{counts.wins}–{counts.draws}–{counts.losses}"
            name = theirs.replace("/usr/games/", "")
            interval = f"{low:.2f} … {high:.2f}"
            table.add(
                game, ours, name, round(own, 3), round(its, 3), result, counts.score, interval
            )
            if ours == OURS[0] and count >= GAMES:
                report.expect_least(f"{game}, {ours} against {name}", counts.score, wanted)
    if rhino() is None:
        table.add("othello", "–", "gtp-rhino: not installed", 0, 0, "–", 0, "–")
    return report


def main() -> int:
    """Plays the matches selected on the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.bots", description=__doc__)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--only", default="", metavar="WORD")
    options = parser.parse_args()
    show(measure(options.games, options.only), Console())
    return 0


if __name__ == "__main__":
    sys.exit(main())
