"""The verified tables of tests/data as cases in the project's own notation.

Each function gives the cases of one kind, so that the oracle and the compiled kernel can be
tested on the same list. All values are the side to move's; all moves and lines are as players
write them; `spec` names the game with the options that a line does not hold.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from reference import adjacency, corners, platforms
from reference.notation import square_name

DATA = Path(__file__).parent.parent / "data"
SIDES = {"X": "x", "O": "o", "R": "x", "G": "o", 0: "x", 1: "o"}


@dataclass(frozen=True)
class Case:
    """A position: the game's spec and the position line. `str` names it in test reports."""

    spec: str
    line: str

    def __str__(self) -> str:
        return f"{self.spec} {self.line}"


@dataclass(frozen=True)
class PerftCase(Case):
    """The number of move sequences of exactly `depth` plies."""

    depth: int
    nodes: int

    def __str__(self) -> str:
        return f"{super().__str__()} depth {self.depth}"


@dataclass(frozen=True)
class LeavesCase(PerftCase):
    """The sums over all leaves of an Adjacency perft; differences are x's pieces − o's."""

    sum_difference: int
    sum_difference_squared: int
    distinct: int


@dataclass(frozen=True)
class ValueCase(Case):
    """The minimax value at a fixed depth; with depth None, of play to the end of the game.

    `best_moves` holds all of them, or is None where they are not known. `group` is the table
    that the case is from; `verified_by` names the programs that agree on it.
    """

    depth: int | None
    value: int
    best_moves: tuple[str, ...] | None
    group: str
    verified_by: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.group} {super().__str__()} depth {self.depth}"


@dataclass(frozen=True)
class AlphaBetaCase(Case):
    """The value and the nodes of plain alpha–beta in row-major move order without a table."""

    depth: int
    value: int
    nodes: int

    def __str__(self) -> str:
        return f"{super().__str__()} depth {self.depth}"


@dataclass(frozen=True)
class SolvedCase(Case):
    """A solved Platforms position: the winner hurries, the loser delays.

    `moves` has, for each move, whether it wins for the mover and the plies to the end, itself
    included. `best_moves` are best in result and in length. The counts are None where unknown.
    """

    mover_wins: bool
    plies: int
    moves: tuple[tuple[str, bool, int], ...]
    best_moves: tuple[str, ...]
    complete_games: int | None
    reachable_states: int | None
    verified_by: tuple[str, ...]

    @property
    def value(self) -> int:
        """The search value at the root: 1000 − plies for a win, its negative for a loss."""
        value = platforms.WIN - self.plies
        return value if self.mover_wins else -value


@dataclass(frozen=True)
class MovesCase(Case):
    """Facts about the moves of a Corners position."""

    kind: str
    forward_moves: int
    legal_moves: int
    longest_chain: int
    moves_with_several_routes: int


@dataclass(frozen=True)
class ReplayCase(Case):
    """The line reached from the start by `plies` random moves; Corners games have a history."""

    seed: int
    plies: int

    def __str__(self) -> str:
        return f"{self.spec} seed {self.seed} plies {self.plies}"


@dataclass(frozen=True)
class GameCase:
    """A whole random game: its ending `win`, `draw` or `stuck`, its winner and its length."""

    spec: str
    seed: int
    ending: str
    winner: str | None
    plies: int

    def __str__(self) -> str:
        return f"{self.spec} seed {self.seed}"


@cache
def table(name: str) -> Any:
    """The parsed file tests/data/`name`.json, as it is: `statistics` is read this way too."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def parse(case: Case) -> Any:
    """The oracle's position of a case, whichever its game."""
    games: dict[str, Any]
    games = {"adjacency": adjacency, "platforms": platforms, "corners": corners}
    return games[case.spec.partition(":")[0]].parse(case.line)


def start(spec: str) -> Any:
    """The oracle's start position for a spec; for Corners, a game that keeps its history."""
    name, _, text = spec.partition(":")
    options = dict(option.split("=") for option in text.split(",") if option)
    first = options.get("first", "x")
    if name == "corners":
        return corners.Game(corners.start())
    if name == "platforms":
        return platforms.start(int(options["size"]), int(options["level"]), first)
    height, _, width = options.get("size", "8").partition("x")
    rounds = int(options["rounds"]) if "rounds" in options else None
    return adjacency.start(int(height), int(width or height), rounds, first)


# --- Adjacency


def adjacency_perft() -> Iterator[LeavesCase]:
    """Perft from the start positions, with sums over the leaves."""
    for entry in table("adjacency")["perft"]:
        height, width = entry["h"], entry["w"]
        start = adjacency.start(height, width)
        whole = start._replace(side=SIDES[entry["side"]], plies_left=start.squares.count("."))
        yield LeavesCase(
            adjacency_spec(height, width),
            whole.line(),
            entry["depth"],
            entry["leaves"],
            entry["sum_diff"],
            entry["sum_diff_sq"],
            entry["distinct"],
        )


def adjacency_values() -> Iterator[ValueCase]:
    """Exact values of play to the end: starts, full games, endgames, few rounds left."""
    tables = table("adjacency")
    for group in ("start_values", "full_games", "endgames", "limited_rounds"):
        for entry in tables[group]:
            position = _adjacency_position(entry)
            yield ValueCase(
                adjacency_spec(position.height, position.width),
                position.line(),
                None,
                entry["value"] if position.side == "x" else -entry["value"],
                _squares(entry.get("best_moves"), position.height, position.width),
                group,
                tuple(entry["verified_by"]),
            )


def adjacency_alpha_beta() -> Iterator[AlphaBetaCase]:
    """Plain alpha–beta from the 8×8 start with 28 rounds, as several programs count it."""
    values = ((3, 3, 4_211), (4, 0, 20_310), (5, 3, 253_641), (6, 0, 1_254_979))
    deeper = ((7, 3, 14_639_474), (8, 0, 73_808_300), (9, 3, 859_992_202))
    for depth, value, nodes in values + deeper:
        yield AlphaBetaCase("adjacency", adjacency.start().line(), depth, value, nodes)


def adjacency_replays() -> Iterator[ReplayCase]:
    """The endgames as the ends of random games."""
    for entry in table("adjacency")["endgames"]:
        line = _adjacency_position(entry).line()
        yield ReplayCase("adjacency", line, entry["seed"], 56 - entry["empties"])


def adjacency_spec(height: int, width: int) -> str:
    """The spec of the game on a board: `adjacency:size=4x5` has 4 rows of 5 squares."""
    if height == width:
        return "adjacency" if height == 8 else f"adjacency:size={height}"
    return f"adjacency:size={height}x{width}"


def _adjacency_position(entry: dict[str, Any]) -> adjacency.Adjacency:
    start = adjacency.start(entry.get("h", 8), entry.get("w", 8))
    squares = entry["board"].lower() if "board" in entry else start.squares
    side = SIDES[entry["side"]]
    return start._replace(squares=squares, side=side, plies_left=entry["plies_left"])


# --- Platforms


def platforms_perft() -> Iterator[PerftCase]:
    """Perft from the starts (to depth 12) and from random positions (to depth 6)."""
    tables = table("platforms")
    for entry in tables["perft"] + tables["positions"]:
        line = _platforms_position(entry).line()
        for depth, nodes in enumerate(entry["perft"], start=1):
            yield PerftCase(platforms_spec(entry["n"], entry["L"]), line, depth, nodes)


def platforms_solved() -> Iterator[SolvedCase]:
    """Solved starts and random positions."""
    tables = table("platforms")
    for entry in tables["start_values"] + tables["positions"]:
        n = entry["n"]
        yield SolvedCase(
            platforms_spec(n, entry["L"]),
            _platforms_position(entry).line(),
            bool(entry["mover_wins"]),
            entry["plies"],
            tuple(
                (square_name(int(square), n, n), bool(wins), plies)
                for square, (wins, plies) in entry["moves"].items()
            ),
            _squares(entry["best_moves"], n, n) or (),
            entry.get("complete_games"),
            entry.get("reachable_states"),
            tuple(entry["verified_by"]),
        )


def platforms_replays() -> Iterator[ReplayCase]:
    """The random positions as the middles of random games."""
    for entry in table("platforms")["positions"]:
        spec = platforms_spec(entry["n"], entry["L"])
        line = _platforms_position(entry).line()
        yield ReplayCase(spec, line, entry["seed"], entry["plies_played"])


def platforms_spec(size: int, level: int) -> str:
    """The spec of the game on an n×n board whose squares bear `level` steps."""
    return f"platforms:size={size},level={level}"


def _platforms_position(entry: dict[str, Any]) -> platforms.Platforms:
    start = platforms.start(entry["n"], entry["L"])
    if "steps" not in entry:
        return start
    durability = tuple(entry["L"] - int(steps) for steps in entry["steps"])
    side = SIDES[entry["side"]]
    return platforms.Platforms(durability, side, *entry["pawns"])


# --- Corners


def corners_perft() -> Iterator[PerftCase]:
    """Perft from the start (to depth 5) and from random positions (to depth 5)."""
    tables = table("corners")
    for entry in tables["start_perft"]:
        line = corners.start().line()
        yield PerftCase("corners", line, entry["depth"], entry["leaves"])
    for entry in tables["positions"]:
        for depth, nodes in enumerate(entry["perft"], start=1):
            yield PerftCase("corners", _corners_line(entry), depth, nodes)


def corners_values() -> Iterator[ValueCase]:
    """Minimax values at depth 1, 2, …, 6, with the best moves at the first depths."""
    tables = table("corners")
    for entry in tables["start_minimax"] + tables["positions"]:
        sign = 1 if SIDES[entry["side"]] == "x" else -1
        best = entry["best_moves"]
        for depth, value in enumerate(entry["minimax"], start=1):
            moves = _corners_moves(best[depth - 1]) if depth <= len(best) else None
            group = entry.get("kind", "start")
            yield ValueCase("corners", _corners_line(entry), depth, sign * value, moves, group)


def corners_moves() -> Iterator[MovesCase]:
    """The number of moves of random positions, and their sorts."""
    for entry in table("corners")["positions"]:
        yield MovesCase(
            "corners",
            _corners_line(entry),
            entry["kind"],
            entry["forward_moves"],
            entry["legal_moves"],
            entry["longest_chain"],
            entry["moves_with_several_routes"],
        )


def corners_replays() -> Iterator[ReplayCase]:
    """The random positions as the middles of random games."""
    for entry in table("corners")["positions"]:
        yield ReplayCase("corners", _corners_line(entry), entry["seed"], entry["ply"])


def corners_games() -> Iterator[GameCase]:
    """A hundred whole random games."""
    for group in table("corners")["random_game_results"]:
        for seed, ending, winner, plies in group["games"]:
            yield GameCase("corners", seed, ending, SIDES.get(winner), plies)


def _corners_line(entry: dict[str, Any]) -> str:
    side = SIDES[entry["side"]]
    squares = entry["board"].replace("R", "x").replace("G", "o")
    return corners.Corners(squares, side).line()


def _corners_moves(pairs: Iterable[tuple[int, int]]) -> tuple[str, ...]:
    return tuple(square_name(source, 8, 8) + square_name(to, 8, 8) for source, to in pairs)


def _squares(squares: list[int] | None, height: int, width: int) -> tuple[str, ...] | None:
    if squares is None:
        return None
    return tuple(square_name(square, height, width) for square in squares)
