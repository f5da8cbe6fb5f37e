"""What a page must know about a game besides its module: places, numbers, levels, memory."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from papan.arena.best import best_at
from papan.browser.entries import FACTS, entries_of
from papan.browser.image import Constants, field_offsets, leaves
from papan.browser.notation import notation_of
from papan.core.board.symmetry import straight_rows
from papan.core.board.winning import touches_edge
from papan.core.game import Game
from papan.learn import choice
from papan.players.level_file import CANDIDATES, usable_levels
from papan.players.levels import strengths_of
from papan.rules import operations as rules
from papan.rules.operations import Evaluation
from papan.search.chances import usual_lead
from papan.search.mcts.tree import APPEAL, HEAD, NODE
from papan.search.result import knows_chances, winning_chance
from papan.search.workspace import HISTORY, SEEN_SLOTS, layout, repetition_threshold
from papan.solve.deepening import DeepeningSolver
from papan.solve.move_order import prefers_few_replies
from papan.solve.null_window import NullWindowSolver

#: Seconds per move at which the stronger of engine and tree search is chosen.
_SECONDS = 1.0
_WORKSPACE = (
    *("stop", "node_limit", "nodes", "root", "path", "seen", "history_hash"),
    *("pv_length", "pv", "killers", "history"),
)


def tables_of(game: Game) -> bytes:
    """Returns the tables of a game's trained evaluation in one file; empty without one."""
    constants = Constants()
    for kernel, arguments in entries_of(game).values():
        leaves(kernel, arguments, constants)
    return constants.content()


def facts_of(game: Game) -> dict[str, Any]:
    """Returns what the worker of a page must know about a game; it can be written as JSON."""
    constants = Constants()
    start, evaluation = game.start_state(), choice.strongest(game)
    board, solver = game.board, general_solver(game)
    record = layout(int(rules.most_moves(start)))
    return {
        "leaves": {
            name: leaves(kernel, arguments, constants)
            for name, (kernel, arguments) in entries_of(game).items()
        },
        "workspace": {
            "offsets": field_offsets(record, _WORKSPACE),
            "bytes": record.itemsize,
            "pvColumns": record["pv"].shape[1],
            "past": HISTORY,
            "slots": SEEN_SLOTS,
            "plies": rules.MAX_PLY,
        },
        "tree": {
            "offsets": field_offsets(NODE, tuple(NODE.names or ())),
            "bytes": NODE.itemsize,
            "appealOffsets": field_offsets(APPEAL, tuple(APPEAL.names or ())),
            "appealBytes": APPEAL.itemsize,
            "headOffsets": field_offsets(HEAD, tuple(HEAD.names or ())),
            "headBytes": HEAD.itemsize,
        },
        "facts": len(FACTS) + len(game.fact_names),
        "owners": ["", *(piece.owner for piece in game.pieces)],
        "places": [[place.number, place.name] for place in board.places],
        "notation": notation_of(game),
        "mostMoves": int(rules.most_moves(start)),
        "longest": game.max_plies,
        "remembers": bool(rules.remembers(start)),
        "forbids": bool(rules.repetition_is_forbidden(start)),
        "threshold": int(repetition_threshold(start)),
        "unit": int(rules.unit(evaluation)),
        "chances": knows_chances(evaluation) and winning_chance(evaluation, 0.0) is not None,
        "lead": _lead(game, evaluation),
        "levels": [astuple(strength) for strength in strengths_of(game)],
        "best": best_search(game),
        "solver": solver.method if solver else "",
        "byReplies": bool(solver and prefers_few_replies(game, solver)),
        "rows": _rows(game),
        "chain": _chain(game),
    }


def _lead(game: Game, evaluation: Evaluation) -> float:
    """Returns a usual lead in points, which a page shows as a winning chance of three quarters."""
    if knows_chances(evaluation):
        return 1.0
    return float(f"{usual_lead(game, evaluation):.2g}")


def best_search(game: Game) -> str:
    """Returns the spec of the player that plays best: as measured, else the engine."""
    levels = usable_levels(game)
    known = levels.best if levels else ()
    return best_at(known, _SECONDS) if known else CANDIDATES[0]


def general_solver(game: Game) -> type[NullWindowSolver] | None:
    """Returns the general solver for a game; None if none accepts it."""
    start = game.start()
    solvers = (*game.solvers(), DeepeningSolver, NullWindowSolver)
    general = (one for one in solvers if one in (DeepeningSolver, NullWindowSolver))
    return next((solver for solver in general if solver.accepts(start)), None)


def _has_own_line(game: Game) -> bool:
    return type(game).winning_line is not Game.winning_line


def _rows(game: Game) -> list[list[int]]:
    """Returns the rows of places that win when they are full."""
    if _has_own_line(game) or not game.winning_row:
        return []
    return [list(map(int, row)) for row in straight_rows(game.board, game.winning_row)]


def _chain(game: Game) -> dict[str, Any] | None:
    """Returns the neighbours of places, and the places at the edges of each side, in a game that a
    chain between these edges wins; else None."""
    board = game.board
    edges = {
        side: [
            [place for place in board.squares if touches_edge(board, place, points)]
            for owner, points in board.own_edges()
            if owner == side
        ]
        for side in ("x", "o")
    }
    if _has_own_line(game) or game.winning_row or not all(len(two) == 2 for two in edges.values()):
        return None
    near = {place: list(map(int, board.neighbours(place))) for place in board.squares}
    return {"edges": edges, "neighbours": near}
