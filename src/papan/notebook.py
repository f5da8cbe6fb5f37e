"""Display of results in notebooks: a picture of the board next to a table.

Result classes derive from `Displayed` (`papan.core.game`). Their displays are registered here;
`papan.session` imports this module, so that the results of its functions display themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from papan.arena.event import Results
from papan.arena.score import Tally
from papan.core.game import Position, account, picture
from papan.figures.board import Marks, board_svg
from papan.figures.highlights import last_squares, suggestion
from papan.figures.places import SQUARE
from papan.figures.svg import Markup, element
from papan.messages import Messages, preferred_language
from papan.play.referee import PlayedGame
from papan.report import Rows, elo_text, rows_of_match, rows_of_search, rows_of_solution
from papan.search.result import SearchResult
from papan.solve.base import Solution

#: Edge of a square next to a table in pixels, smaller than on a board alone.
_EDGE = SQUARE * 2 // 3
_SIDE_BY_SIDE = "display:flex;flex-wrap:wrap;gap:1.5em;align-items:flex-start"


# --- pictures


@picture.register
def _(result: SearchResult) -> str:
    marks = suggestion(result.position, result.move) if result.move else Marks()
    return _board(result.position, marks)


@picture.register
def _(solution: Solution) -> str:
    marks = [suggestion(solution.position, move) for move in solution.moves]
    if len(marks) == 1:
        return _board(solution.position, marks[0])
    return _board(solution.position, Marks(hint=[square for each in marks for square in each.hint]))


@picture.register
def _(played: PlayedGame) -> str:
    if not played.moves:
        return _board(played.start, Marks())
    *earlier, last = played.moves
    before = played.start.play(*earlier)
    return _board(before.play(last), Marks(last=last_squares(before, last)))


def _board(position: Position, marks: Marks) -> str:
    return str(board_svg(position, marks=marks, size=_EDGE * position.game.board.area.width))


# --- pictures with tables


@account.register
def _(result: SearchResult) -> str:
    return _beside(picture(result), _table(rows_of_search(result, _say())))


@account.register
def _(solution: Solution) -> str:
    return _beside(picture(solution), _table(rows_of_solution(solution, _say())))


@account.register
def _(played: PlayedGame) -> str:
    say = _say()
    rows = {
        "x": played.players["x"],
        "o": played.players["o"],
        say("solve.outcome"): played.outcome.value if played.outcome else "*",
        say("match.terminations"): say.ending(played.termination.value),
        say("search.pv"): " ".join(played.moves) or "–",
    }
    return _beside(picture(played), _table(rows))


@account.register
def _(tally: Tally) -> str:
    return _table(rows_of_match(tally.as_dict(), _say()))


@account.register
def _(results: Results) -> str:
    say, standings = _say(), results.as_dict()["standings"]
    columns = ("player", "games", "points", "score", "elo")
    head = [element("th", say(f"tournament.{name}")) for name in columns]
    body = [
        _row(
            row["player"],
            row["games"],
            f"{row['points']:g}",
            "–" if row["score"] is None else f"{100 * row['score']:.1f} %",
            "–" if row["elo"] is None else elo_text(row["elo"], row["error"], ""),
        )
        for row in standings
    ]
    return element("table", element("tr", *head), *body)


def _say() -> Messages:
    return Messages(preferred_language())


def _row(*cells: object) -> Markup:
    return element("tr", *(element("td", str(cell)) for cell in cells))


def _table(rows: Rows) -> Markup:
    cells: Sequence[Markup] = [
        element("tr", element("th", label.strip(), scope="row"), element("td", str(value)))
        for label, value in rows.items()
    ]
    return element("table", *cells)


def _beside(board: str | None, table: Markup) -> str:
    return element("div", Markup(board or ""), table, style=_SIDE_BY_SIDE)
