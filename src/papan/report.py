"""Results as tables for people: label → value, in the reader's language.

The command line prints them, and notebooks show them next to a board.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from papan.core.game import Game
    from papan.messages import Messages
    from papan.search.result import SearchResult
    from papan.solve.base import Solution

#: Label → value, in display order.
Rows = dict[str, Any]


def format_score(value: float) -> str:
    """Returns a score as text: `+3`, `-2`, `0`, `+0.25`."""
    if not value:
        return "0"
    return f"{value:+d}" if isinstance(value, int) else f"{value:+.2f}"


def format_value(result: SearchResult) -> str:
    """Returns the value of a search as text: a winning chance (`61 %`) or a score."""
    return format_score(result.value) if result.chance is None else f"{100 * result.chance:.0f} %"


def name_side(game: Game, side: str, say: Messages) -> str:
    """Returns the name of a side in a game, translated for common names: `White`."""
    name = game.side_names[side == "o"]
    message = f"side.{name.lower()}"
    known = say(message)
    return name if known == message else known


def describe_side(game: Game, side: str, say: Messages) -> str:
    """Returns the name of a side with its letter in text boards: `White (x)`; only the letter if
    the game does not name its sides."""
    if game.side_names == ("X", "O"):
        return side
    return f"{name_side(game, side, say)} ({side})"


def rows_of_search(result: SearchResult, say: Messages) -> Rows:
    """Returns the table of a search result."""
    position = result.position
    side = describe_side(position.game, position.side, say)
    values = {
        "game": position.game.spec,
        "position": position,
        "algorithm": result.algorithm,
        "move": result.move or "–",
        "score": say("search.score-of", score=format_value(result), side=side),
        "bound": say(f"search.{result.bound.value}"),
        "depth": result.depth,
        "nodes": result.nodes,
        "seconds": f"{result.seconds:.3f}",
        "nps": result.nps,
        "pv": " ".join(result.pv) or "–",
        "proven": say("word.yes" if result.proven else "word.no"),
    }
    rows = {say(f"search.{name}"): value for name, value in values.items()}
    for number, line in enumerate(result.lines, start=1):
        rows[say("search.line", number=number)] = (
            f"{format_score(line.value)}  {' '.join(line.moves)}"
        )
    return rows


def rows_of_solution(solution: Solution, say: Messages) -> Rows:
    """Returns the table of a solution."""
    position = solution.position
    side = describe_side(position.game, position.side, say)
    rows = {
        say("search.game"): position.game.spec,
        say("search.position"): position,
        say("solve.outcome"): say(f"solve.{solution.outcome}", side=side),
        say("search.score"): say("search.score-of", score=format_score(solution.value), side=side),
        say("solve.plies"): "–" if solution.plies is None else solution.plies,
        say("solve.moves"): " ".join(solution.moves) or "–",
        say("search.nodes"): solution.nodes,
        say("search.seconds"): f"{solution.seconds:.3f}",
    }
    return rows | {f"  {move}": format_score(value) for move, value in solution.values.items()}


def rows_of_match(report: Mapping[str, Any], say: Messages) -> Rows:
    """Returns the table of a match from `Tally.as_dict`, with optional `game` and `players`."""
    endings = report["terminations"].items()
    values = {name: report[name] for name in ("game",) if name in report}
    if "players" in report:
        values["players"] = " – ".join(report["players"])
    values |= {name: report[name] for name in ("games", "wins", "draws", "losses")}
    if "clock" in report:
        values["clock"] = say(f"clock.{report['clock']}")
    values["terminations"] = ", ".join(f"{say.ending(how)} {count}" for how, count in endings)
    if report["games"]:
        values["score"] = f"{100 * report['score']:.1f} %"
        values["elo"] = elo_text(report["elo"], report["error"], report["elo_bound"])
    return {say(f"match.{name}"): value for name, value in values.items()}


def elo_text(elo: float, error: float, bound: str) -> str:
    """Returns an Elo difference with its error; a bound if one player scored every point."""
    sign = {"lower": "≥ ", "upper": "≤ "}.get(bound, "")
    return f"{sign}{elo:+.1f}" + ("" if sign else f" ± {error:.1f}")
