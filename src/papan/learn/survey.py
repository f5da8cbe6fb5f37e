"""Survey of a game before training: contents of places, length of games, and symmetries.

All facts come from random games; nobody has to write down a symmetry. For each way to turn the
board, a game and its image are played in parallel. A turn is a symmetry if each position has a
legal image with the same number of moves and the same end. An exchange of the sides is tested on
positions with exchanged fields, and accepted only if their moves and ends agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from papan.core.board.kinds import Beside
from papan.core.board.symmetry import symmetries
from papan.core.game import Game, Position
from papan.errors import PapanError
from papan.learn.fillable import TECHNIQUES, fillable
from papan.learn.own_value import MOVES, values_of
from papan.rules import operations as rules
from papan.rules.bits import stones
from papan.rules.dispatch import is_replaced
from papan.rules.operations import MOST_MOVES, Evaluation, State
from papan.rules.wide import WideBits

#: Number of surveyed random games, and maximum number of plies of each.
GAMES = 8
LONGEST = 160
#: Number of games that are played with their image, to the end: only there do goals differ.
IMAGES = 3
#: Approximate number of positions on which an exchange of the sides is tested.
EXCHANGED = 16
#: Approximate number of moves of each such position that are compared.
COMPARED = 5
#: Approximate number of positions whose values are compared.
VALUED = 200
#: Largest number on a place that is distinguished; larger ones count as this one.
LARGEST_COUNT = 14
#: Number of phases by number of pieces, and the minimum change of that number in a game.
PHASES = 4
LEAST_CHANGE = 8
#: Approximate number of positions in which the places that a move can fill are found, and the
#: shares of the empty places between which they have a symbol of their own.
FILLED = 24
LEAST_FILLED, MOST_FILLED = 0.02, 0.9

Contents = tuple[int, ...]
#: A permutation of the places, by index.
Turn = tuple[int, ...]


@dataclass(frozen=True)
class Survey:
    """Facts about a game from which its features are made.

    Attributes:
        places: numbers of the board's places; all other attributes use their indices.
        codes: codes seen on any place (`code_at`), ascending; the first is 0, an empty place. The
            index of a code is its symbol.
        partner: for each symbol, the symbol after an exchange of the sides.
        turns: symmetries of the rules as permutations of the places, identity first.
        exchange: permutation that belongs to an exchange of the sides; None if none was found.
        mirrors: True if each symmetry that the game declares is one of `turns`.
        levels: numbers of occupied places at which a new phase begins, ascending.
        length: mean length of a random game in plies.
        margin: standard deviation of final margins; 0 in games that are won or lost.
        fillable: how to find the empty places that a move can fill, a name in
            `papan.learn.fillable.TECHNIQUES`; they have a symbol of their own unless it is empty.
        own_value: name of the evaluation whose value is a feature, of those in
            `papan.learn.own_value.values_of`; empty if there is none.
        deviation: standard deviation of that value in random games, at least 1.
    """

    places: tuple[int, ...]
    codes: tuple[int, ...]
    partner: tuple[int, ...]
    turns: tuple[Turn, ...]
    exchange: Turn | None
    mirrors: bool
    levels: tuple[int, ...]
    length: float
    margin: float
    fillable: str = ""
    own_value: str = ""
    deviation: int = 1

    @property
    def symbols(self) -> int:
        """Number of symbols: one for each code, and one for places that a move can fill."""
        return len(self.codes) + bool(self.fillable)

    def as_dict(self) -> dict[str, Any]:
        """Returns the facts for JSON."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, facts: dict[str, Any]) -> Survey:
        """Returns the survey from the result of `as_dict`.

        Raises:
            KeyError, TypeError, ValueError: facts are missing or have wrong types.
        """
        exchange = facts["exchange"]
        return cls(
            _numbers(facts["places"]),
            _numbers(facts["codes"]),
            _numbers(facts["partner"]),
            tuple(_numbers(turn) for turn in facts["turns"]),
            None if exchange is None else _numbers(exchange),
            bool(facts["mirrors"]),
            _numbers(facts["levels"]),
            float(facts["length"]),
            float(facts["margin"]),
            str(facts.get("fillable", "")),
            str(facts.get("own_value", "")),
            int(facts.get("deviation", 1)),
        )


def _numbers(values: Any) -> tuple[int, ...]:
    return tuple(int(number) for number in values)


def has_two_sets(state: State) -> bool:
    """Returns True if a position consists of two sets of 64 squares, one per side.

    The game must not show anything else on the board.
    """
    if is_replaced(rules.piece_at, state) or is_replaced(rules.count_at, state):
        return False
    named = hasattr(state, "mine") and hasattr(state, "theirs")
    return named and all(isinstance(one, np.uint64) for one in stones(state))


def code_at(state: State, place: int) -> int:
    """Returns a code for the contents of a place: kind of piece and displayed number; 0 if
    empty."""
    shown = min(int(rules.count_at(state, place)), LARGEST_COUNT) + 1
    return int(rules.piece_at(state, place)) * (LARGEST_COUNT + 2) + shown


def survey(game: Game, seed: int = 1) -> Survey:
    """Returns the facts of a game; deterministic for a seed."""
    chance = Random(seed)
    games = [_random_game(game, chance) for _ in range(GAMES)]
    every, places = [one for played in games for one in played], tuple(game.board.squares)
    rows = [contents(one.state, places) for one in every]
    codes = tuple(sorted({0, *(code for row in rows for code in row)}))
    partner = _partners(game, codes)
    turns = _turns(game, places, chance)
    ends = [float(rules.final_value(played[-1].state)) for played in games]
    is_margin = int(rules.win_value(game.start_state())) == 0
    swapped = dict(zip(codes, (codes[symbol] for symbol in partner or ()), strict=False))
    exchange = _exchange(game, places, swapped, games) if partner else None
    return Survey(
        places,
        codes,
        partner or tuple(range(len(codes))),
        turns,
        exchange,
        _mirrors_are_known(games, places, turns, exchange, swapped),
        _levels([sum(map(bool, row)) for row in rows]),
        sum(map(len, games)) / len(games),
        max(float(np.std(ends)), 1.0) if is_margin else 0.0,
        _fillable(every, places),
        *_own_value(game, every, places, exchange),
    )


def contents(state: State, places: Sequence[int]) -> Contents:
    """Returns the code of each place."""
    return tuple(code_at(state, place) for place in places)


def _random_game(game: Game, chance: Random) -> list[Position]:
    start = game.start()
    return [start, *(position for _, position in start.random_walk(chance, LONGEST))]


def _levels(occupied: list[int]) -> tuple[int, ...]:
    """Returns the numbers of pieces that divide their range into phases of equal size."""
    if max(occupied) - min(occupied) < LEAST_CHANGE:
        return ()
    steps = (max(occupied) - min(occupied)) / PHASES
    return tuple(round(min(occupied) + part * steps) for part in range(1, PHASES))


# --- the game's own evaluation -------------------------------------------------------------------


def _own_value(
    game: Game, positions: list[Position], places: tuple[int, ...], exchange: Turn | None
) -> tuple[str, int]:
    """Returns the name of the value that can be a feature, and the deviation of its values.

    This is the game's strongest evaluation, or else the number of moves, unless the values are all
    equal, or not the same for both sides in a game whose sides can be exchanged.
    """
    states = [one.state for one in positions if not one.is_over()]
    states = states[:: max(1, len(states) // VALUED)]
    known = values_of(game)
    for name in (game.strongest or next(iter(game.evaluations)), MOVES):
        values = [int(rules.evaluate(known[name], state)) for state in states]
        if len(set(values)) > 1 and _is_same_exchanged(known[name], states, places, exchange):
            return name, max(1, round(float(np.std(values))))
    return "", 1


def _is_same_exchanged(
    evaluation: Evaluation, states: list[State], places: tuple[int, ...], exchange: Turn | None
) -> bool:
    """Returns True if positions with the sides exchanged have the same values, or if no exchange
    is known."""
    try:
        return exchange is None or all(
            rules.evaluate(evaluation, exchange_sides(state, places, exchange))
            == rules.evaluate(evaluation, state)
            for state in states[:: max(1, len(states) // EXCHANGED)]
        )
    except PapanError:  # the exchanged state may be impossible in the game
        return False


# --- places that a move can fill -----------------------------------------------------------------


def _fillable(positions: list[Position], places: tuple[int, ...]) -> str:
    """Returns the technique that finds the places that a move can fill.

    None is needed if moves can fill nearly all empty places or none.
    """
    some = [one for one in positions if not one.is_over()][:: max(1, len(positions) // FILLED)]
    filled = [_filled_by_moves(one, places) for one in some]
    empty = sum(contents(one.state, places).count(0) for one in some)
    if not LEAST_FILLED <= sum(map(len, filled)) / max(empty, 1) <= MOST_FILLED:
        return ""
    for name in ("moves", "play") if has_two_sets(some[0].state) else ("moves",):
        if all(_fills(name, one, places) == own for one, own in zip(some, filled, strict=True)):
            return name
    return ""


def _filled_by_moves(position: Position, places: tuple[int, ...]) -> set[int]:
    """Returns the empty places that are filled after any legal move."""
    empty = [place for place in places if not code_at(position.state, place)]
    children = [child.state for child in position.children()]
    return {place for place in empty if any(code_at(child, place) for child in children)}


def _fills(name: str, position: Position, places: tuple[int, ...]) -> set[int]:
    """Returns the empty places that a technique finds."""
    filled = int(fillable(TECHNIQUES[name], position.state))
    return {p for p in places if filled >> p & 1 and not code_at(position.state, p)}


def _partners(game: Game, codes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Returns the symbol of each code with sides exchanged; None if a code has no counterpart."""
    kinds = [None, *game.pieces]
    partners = []
    for code in codes:
        kind, shown = divmod(code, LARGEST_COUNT + 2)
        piece = kinds[kind]
        other = kind
        if piece is not None and piece.owner:
            mates = [
                index
                for index, mate in enumerate(kinds)
                if mate and mate.name == piece.name and mate.owner not in ("", piece.owner)
            ]
            if len(mates) != 1:
                return None
            other = mates[0]
        if (image := other * (LARGEST_COUNT + 2) + shown) not in codes:
            return None
        partners.append(codes.index(image))
    return tuple(partners)


# --- symmetries of the board ---------------------------------------------------------------------


def _candidates(game: Game, places: tuple[int, ...]) -> list[Turn]:
    """Returns all ways to turn the board, as permutations of the places."""
    index = {place: number for number, place in enumerate(places)}
    return [
        tuple(index[image.get(place, place)] for place in places)
        for image in symmetries(game.board)
    ]


def _turns(game: Game, places: tuple[int, ...], chance: Random) -> tuple[Turn, ...]:
    """Returns the turns under which random games have an image: symmetries of the rules."""
    walks = [list(_codes_of(game, chance)) for _ in range(IMAGES)]
    identity, *others = _candidates(game, places)
    return (identity, *(turn for turn in others if _keeps(game, places, turn, walks)))


def _codes_of(game: Game, chance: Random) -> Iterator[int]:
    position = game.start()
    for _ in range(LONGEST):
        if not (codes := position.codes()):
            return
        code = chance.choice(codes)
        position = position.after(code)
        yield code


def _keeps(game: Game, places: tuple[int, ...], turn: Turn, walks: list[list[int]]) -> bool:
    return all(_has_image(game.start(), places, turn, walk) for walk in walks)


def _has_image(start: Position, places: tuple[int, ...], turn: Turn, walk: list[int]) -> bool:
    """Returns True if a game and its image under a turn can be played in parallel."""
    one = image = start
    if contents(image.state, places) != turn_contents(contents(one.state, places), turn):
        return False
    for code in walk:
        one = one.after(code)
        target = turn_contents(contents(one.state, places), turn)
        child = _child_like(image, places, target, _image_of(code, places, turn))
        if child is None or not _ends_alike(one, child):
            return False
        image = child
    return True


def _image_of(code: int, places: tuple[int, ...], turn: Turn) -> int:
    """Returns the image of a move; a move that is not a place number is its own image."""
    return places[turn[places.index(code)]] if code in places else code


def _child_like(
    one: Position, places: tuple[int, ...], target: Contents, likely: int
) -> Position | None:
    """Returns a child of a position with the contents `target`; None if there is none.

    The likely move is tried first, because rules of users may be slow.
    """
    here = contents(one.state, places)
    # One place distinguishes most moves: comparing all places is slow on large boards.
    changed = next((at for at in range(len(places)) if here[at] != target[at]), 0)
    for code in sorted(one.codes(), key=lambda code: code != likely):
        child = one.after(code)
        near = code_at(child.state, places[changed]) == target[changed]
        if near and contents(child.state, places) == target:
            return child
    return None


def _ends_alike(one: Position, two: Position) -> bool:
    """Returns True if two positions have equally many moves, and equal values if the game is
    over."""
    if len(one.codes()) != len(two.codes()):
        return False
    if not one.is_over():
        return not two.is_over()
    return two.is_over() and rules.final_value(one.state) == rules.final_value(two.state)


def turn_contents(row: Contents, turn: Turn) -> Contents:
    """Returns the contents after moving those of each place to its image."""
    image_row = [0] * len(row)
    for index, image in enumerate(turn):
        image_row[image] = row[index]
    return tuple(image_row)


def _mirrors_are_known(
    games: list[list[Position]],
    places: tuple[int, ...],
    turns: tuple[Turn, ...],
    exchange: Turn | None,
    swapped: dict[int, int],
) -> bool:
    """Returns True if each symmetry of the game (`transform`) is among the symmetries found.

    A symmetry may include the exchange of the sides.
    """
    some = [one.state for played in games[:3] for one in played[::5]]
    rows = [contents(one, places) for one in some]
    count = int(rules.symmetry_count(some[0]))
    for index in range(1, count):
        images = [rules.transform(one, index) for one in some]
        views = rows
        if rules.side_to_move(images[0]) != rules.side_to_move(some[0]):
            if exchange is None:
                return False
            views = [turn_contents(_swap_colours(row, swapped), exchange) for row in rows]
        image_rows = [contents(image, places) for image in images]
        if not any([turn_contents(row, turn) for row in views] == image_rows for turn in turns):
            return False
    return True


# --- exchange of the sides -----------------------------------------------------------------------


def _exchange(
    game: Game,
    places: tuple[int, ...],
    swapped: dict[int, int],
    games: list[list[Position]],
) -> Turn | None:
    """Returns the turn under which the sides can be exchanged; None if there is none.

    A turn that also exchanges the sides at the start is preferred: in chess, turning the board by
    180° would exchange the wings, but only castling shows it.
    """
    every = [one for played in games for one in played]
    first = contents(game.start_state(), places)

    def changes_start(turn: Turn) -> bool:
        return turn_contents(_swap_colours(first, swapped), turn) != first

    some = every[:: max(1, len(every) // EXCHANGED)]
    ends = [one for played in games if played[-1].is_over() for one in played[-2:]]
    for turn in sorted(_with_hands(game, places, _candidates(game, places)), key=changes_start):
        if all(_is_exchanged(one, places, turn, swapped, COMPARED) for one in some) and all(
            _is_exchanged(one, places, turn, swapped, MOST_MOVES) for one in ends
        ):
            return turn
    return None


def _with_hands(game: Game, places: tuple[int, ...], turns: list[Turn]) -> list[Turn]:
    """Adds the exchange of the two hands to each turn, if both hands have equally many places."""
    board = game.board
    if not isinstance(board, Beside) or len(board.hands[0]) != len(board.hands[1]):
        return turns
    index = {place: number for number, place in enumerate(places)}
    start, count = board.board.end, len(board.hands[0])
    swap = {start + one: start + (one + count) % (2 * count) for one in range(2 * count)}
    moved = {index[place]: index[image] for place, image in swap.items()}
    return [tuple(moved.get(at, image) for at, image in enumerate(turn)) for turn in turns]


def _is_exchanged(
    one: Position, places: tuple[int, ...], turn: Turn, swapped: dict[int, int], compared: int
) -> bool:
    """Returns True if an exchange of the sides keeps contents, moves and the end of the game.

    About `compared` moves are played in both positions.
    """
    one = Position.unchecked(one.game, one.state)  # without history, like the exchanged one
    two = Position.unchecked(one.game, exchange_sides(one.state, places, turn))

    def image(state: State) -> Contents:
        return turn_contents(_swap_colours(contents(state, places), swapped), turn)

    try:
        if contents(two.state, places) != image(one.state) or two.side == one.side:
            return False
        codes = one.codes()
        for code in codes[:: max(1, len(codes) // compared)]:
            child = one.after(code)
            other = _child_like(two, places, image(child.state), _image_of(code, places, turn))
            if other is None or not _ends_alike(child, other):
                return False
        return _ends_alike(one, two)
    except Exception:  # the exchanged state may be impossible in the game
        return False


def _swap_colours(row: Contents, swapped: dict[int, int]) -> Contents:
    """Returns the contents with each piece replaced by the other side's piece of the same kind."""
    return tuple(swapped.get(code, -1) for code in row)


def exchange_sides(state: State, places: tuple[int, ...], turn: Turn) -> State:
    """Returns the state with the other side to move and all sets of places turned.

    The result is the position with sides exchanged if the field `mine` belongs to the side to move
    and `theirs` to the other side.
    """
    changes: dict[str, Any] = {"side": 1 - rules.side_to_move(state)}
    for name, field in state._asdict().items():
        if isinstance(field, np.uint64 | WideBits):
            changes[name] = _turn_set(field, places, turn)
    return state._replace(**changes) if hasattr(state, "side") else state


def _turn_set(squares: Any, places: tuple[int, ...], turn: Turn) -> Any:
    """Returns a set with each place turned; other bits stay unchanged."""
    number = int(squares)
    known = sum(1 << place for place in places)
    result = number & ~known
    for index, image in enumerate(turn):
        result |= (number >> places[index] & 1) << places[image]
    return type(squares)(result)
