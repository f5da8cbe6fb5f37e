"""Papan's players against other programs at equal real time, or with as many nodes.

    python -m benchmarks.bots --games 40 --only hex        one game, player or opponent
    python -m benchmarks.run bots                          all of them

The opponents:

- OpenSpiel's Monte Carlo tree search in C++ with 10,000 simulations per move, which plays its own
  games with its own rules;
- `gtp-rhino` (Debian's `grhino`), an Othello program that speaks GTP;
- GNU Go at level 1, on the board of 9 × 9;
- Stockfish limited to an Elo rating of 1700, with as many nodes per move as Papan's player.

The opponent's time per move is measured in two games; then Papan's player gets the same time. Pairs
start from balanced random openings. Opponents that are not installed are skipped and marked in the
table.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import product
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
OURS = ("engine", "best", "mcts")
GAMES, QUICK_GAMES = 40, 2
#: Minimum time of Papan's moves in seconds, and their time while the opponent's is measured.
LEAST, FIRST = 0.01, 0.1
WANTED_OPENSPIEL, WANTED_RHINO, EVEN = 0.95, 0.6, 0.5
#: Debian's folder of games, which is not always in the path.
GAMES_FOLDER = "/usr/games"


class Opponent(NamedTuple):
    """A program to play against.

    Attributes:
        game: spec of the game.
        spec: spec of the player.
        wanted: target score of Papan's first player.
        nodes: nodes per move of both players; None if both get the opponent's time.
    """

    game: str
    spec: str
    wanted: float
    nodes: int | None = None


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


#: Programs that may be installed.
PROGRAMS = (
    *(Opponent("othello", f"gtp:gtp-rhino -l {level} -b 0", WANTED_RHINO) for level in range(1, 6)),
    Opponent(
        "go:komi=13,suicide=no",
        "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead",
        EVEN,
    ),
    Opponent(
        "chess", "uci:stockfish option.UCI_LimitStrength=true option.UCI_Elo=1700", EVEN, 20_000
    ),
)


def program(opponent: Opponent) -> str | None:
    """Returns the path of an opponent's program; None if it is not installed."""
    command = opponent.spec.partition(":")[2]
    return shutil.which(command.split()[0])


def opponents(quick: bool) -> Iterator[Opponent]:
    """Yields the installed opponents; quick: OpenSpiel in one game, and GRhino's lowest level."""
    if find_spec("pyspiel") is not None:
        for game in ("connect_four",) if quick else TWINS:
            bot = OwnOpenSpiel(simulations=QUICK_SIMULATIONS if quick else SIMULATIONS)
            yield Opponent(game, bot.spec, WANTED_OPENSPIEL)
    yield from filter(program, PROGRAMS[:1] if quick else PROGRAMS)


def seconds_of(records: Sequence[Record], player: str) -> float:
    """Returns the mean time of a player's moves."""
    found = []
    for record in records:
        side = "xo".index("x" if record.x == player else "o")
        first = (len(record.moves) - len(record.seconds)) % 2
        found += [time for ply, time in enumerate(record.seconds) if (ply + first) % 2 == side]
    return sum(found) / max(len(found), 1)


def play(opponent: Opponent, ours: str, count: int, seed: int = 0) -> tuple[Tally, list[Record]]:
    """Plays a match, one game at a time: parallel games would share a processor."""
    limit, openings = Limit(nodes=opponent.nodes), BalancedSuite(seed)
    match = matches.Match(opponent.game, ours, opponent.spec, count, limit, seed, openings)
    records: list[Record] = []
    return matches.measure(match, lambda record, tally: records.append(record)), records


def meeting(opponent: Opponent, ours: str, count: int) -> tuple[Tally, float, float]:
    """Returns the result of our player, and the mean times per move of both in seconds."""
    if opponent.nodes is None:
        _, records = play(opponent, f"{ours}:time={FIRST}", 2, seed=1)
        ours = f"{ours}:time={max(LEAST, seconds_of(records, opponent.spec)):.3g}"
    tally, records = play(opponent, ours, count + count % 2)
    return tally, seconds_of(records, ours), seconds_of(records, opponent.spec)


def run(quick: bool) -> Report:
    """Plays all matches."""
    return measure(QUICK_GAMES, quick=True) if quick else measure(GAMES)


def measure(count: int, only: str = "", *, quick: bool = False) -> Report:
    """Plays the matches whose game, player or opponent has `only` in its name."""
    os.environ["PATH"] += f":{GAMES_FOLDER}"
    columns = ("game", "player", "against", "s", "its s", "W–D–L", "score", "95 %")
    table = Table(f"{count} games each, the same openings from both sides", columns)
    report, found = Report([table]), list(opponents(quick))
    for opponent, ours in product(found, OURS[: 1 if quick else None]):
        title = f"{opponent.game}, {ours} against {opponent.spec}"
        if only not in title:
            continue
        print(f"{title} …", file=sys.stderr)
        tally, own, its = meeting(opponent, ours, count)
        counts, (low, high) = tally.single, score_interval(tally.counts)
        result = f"{counts.wins}–{counts.draws}–{counts.losses}"
        interval = f"{low:.2f} … {high:.2f}"
        times = round(own, 3), round(its, 3)
        table.add(opponent.game, ours, opponent.spec, *times, result, counts.score, interval)
        if ours == OURS[0] and count >= GAMES:
            report.expect_least(title, counts.score, opponent.wanted)
    for opponent in PROGRAMS:
        if program(opponent) is None:
            table.add(opponent.game, "–", f"{opponent.spec}: not installed", 0, 0, "–", 0, "–")
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
