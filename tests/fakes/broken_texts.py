"""Games whose texts break a promise."""

from __future__ import annotations

import itertools

import pytest

from fakes.breaking import breaks, put
from papan.core.game import Game, Position
from papan.games.adjacency import Adjacency
from papan.games.adjacency.rules import AdjacencyState
from papan.games.corners import Corners
from papan.games.corners.rules import CornersState
from papan.games.platforms import Platforms
from papan.rules.bits import popcount

# --- texts ---------------------------------------------------------------------------------------


@breaks("spec")
def a_game_under_the_name_of_another(patch: pytest.MonkeyPatch) -> Game:
    class Impostor(Adjacency):
        """Not what the registry has under this name."""

    return Impostor()


@breaks("line-form")
def two_spaces_in_a_line(patch: pytest.MonkeyPatch) -> str:
    right = Platforms.write_state
    patch.setattr(Platforms, "write_state", lambda s, state: right(s, state).replace(" ", "  "))
    return "platforms"


@breaks("line-state")
def a_line_that_forgets_the_side(patch: pytest.MonkeyPatch) -> str:
    right = Corners.write_state
    patch.setattr(Corners, "write_state", lambda s, state: right(s, state)[:-1] + "x")
    return "corners"


@breaks("line-text")
def a_line_that_is_written_in_two_ways(patch: pytest.MonkeyPatch) -> str:
    right, counter = Adjacency.write_state, itertools.count()

    def write(self: Adjacency, state: AdjacencyState) -> str:
        line = right(self, state)
        return line.replace("2", "11", 1) if next(counter) % 2 else line

    patch.setattr(Adjacency, "write_state", write)
    return "adjacency:size=4"


@breaks("move-names")
def moves_that_are_all_called_the_same(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Adjacency, "write_move", lambda game, move: "a1")
    return "adjacency:size=4"


@breaks("move-form")
def moves_in_capitals(patch: pytest.MonkeyPatch) -> str:
    right = Platforms.write_move
    patch.setattr(Platforms, "write_move", lambda self, move: right(self, move).upper())
    return "platforms"


@breaks("move-text")
def a_move_that_reads_as_its_neighbour(patch: pytest.MonkeyPatch) -> str:
    right = Corners.read_move
    patch.setattr(Corners, "read_move", lambda self, text, state: right(self, text, state) ^ 1)
    return "corners"


@breaks("refuses-move")
def a_position_that_plays_anything(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Position, "play", lambda self, move: self)
    return "platforms"


@breaks("refuses-text")
def moves_with_spaces(patch: pytest.MonkeyPatch) -> str:
    right = Adjacency.read_move
    patch.setattr(
        Adjacency, "read_move", lambda self, text, state: right(self, text.strip(), state)
    )
    return "adjacency:size=4"


@breaks("refuses-line")
def a_line_with_something_after_its_end(patch: pytest.MonkeyPatch) -> str:
    right = Corners.read_state
    patch.setattr(Corners, "read_state", lambda self, line: right(self, line.removesuffix(" ?")))
    return "corners"


@breaks("slip-text")
def more_plies_than_can_be_written(patch: pytest.MonkeyPatch) -> str:
    right = Adjacency.write_state

    def read(self: Adjacency, line: str) -> AdjacencyState:
        head, _, plies = line.rpartition(" ")
        state = right_read(self, f"{head} 0")
        if not plies.isdigit():
            return right_read(self, line)
        return state._replace(plies_left=int(plies))

    def write(self: Adjacency, state: AdjacencyState) -> str:
        return right(self, state._replace(plies_left=min(60, state.plies_left)))

    right_read = Adjacency.read_state
    patch.setattr(Adjacency, "read_state", read)
    patch.setattr(Adjacency, "write_state", write)
    return "adjacency"


@breaks("slip-moves")
def positions_that_only_a_slip_can_reach(patch: pytest.MonkeyPatch) -> str:
    def count(state: CornersState) -> int:
        return right(state) if popcount(state.mine) == 9 else -1

    right = put(patch, "count_moves", CornersState, count)
    patch.setattr("papan.games.corners._PIECES", 10)
    patch.setattr("papan.games.corners.popcount", lambda pieces: max(10, popcount(pieces)))
    return "corners"


# --- what is shown -------------------------------------------------------------------------------


@breaks("contents")
def a_board_without_its_first_square(patch: pytest.MonkeyPatch) -> str:
    right = Platforms.contents
    patch.setattr(Platforms, "contents", lambda s, state: dict(list(right(s, state).items())[1:]))
    return "platforms"


@breaks("facts")
def a_fact_in_words(patch: pytest.MonkeyPatch) -> str:
    patch.setattr(Platforms, "facts", lambda self, state: {"fact.x": "many"})
    return "platforms"
