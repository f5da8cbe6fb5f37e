"""The invariants of rules for searches: moves, states, keys, values, symmetry."""

from __future__ import annotations

import numpy as np

from papan.core.game import Outcome
from papan.core.notation import SIDES
from papan.rules import operations as rules
from papan.rules import solving
from papan.rules.bits import words_of
from papan.rules.dispatch import Operation, is_replaced
from papan.rules.fields import FIELD_TYPES, field_type, is_field
from papan.rules.operations import INFINITY, MAX_PLY, State, repetition_is_forbidden
from papan.usercode.contract.case import PositionCase, walk

#: Operations on states whose results must be integers.
_WHOLE: tuple[Operation[..., int], ...] = (
    *(rules.most_moves, rules.largest_move, rules.max_plies_left),
    *(rules.side_to_move, rules.win_value),
)
#: The bounds of a game's moves, each with the largest one allowed.
_BOUNDS: tuple[tuple[Operation[..., int], int], ...] = (
    (rules.most_moves, rules.MOST_MOVES),
    (rules.largest_move, rules.LARGEST_MOVE),
)
#: Plies at which leaf values are compared: the root, and a deeper one.
_PLIES = (0, 5)


# --- moves and the end ---------------------------------------------------------------------------


def numbers_are_whole(case: PositionCase) -> None:
    """Bounds, sides and the value of a win are integers."""
    for operation in _WHOLE:
        case.require_whole(operation(case.state), operation.__name__)


def bounds_are_possible(case: PositionCase) -> None:
    """The bounds of moves are within the limits of searches."""
    for operation, most in _BOUNDS:
        value, rule = int(operation(case.state)), operation.__name__
        possible, expected = 0 < value <= most, f"1 … {most}"
        case.require(possible, "move-numbers", found=value, expected=expected, rule=rule)


def moves_can_be_walked(case: PositionCase) -> None:
    """`moves` returns a set of squares, or a value for the game's own `more`, `head` and `tail`."""
    rest = rules.moves(case.state)
    fine = is_replaced(rules.more, case.state) or is_field(rest) or hasattr(rest, "_fields")
    found = type(rest).__name__
    case.require(fine, "game-file.moves-set", found=found, expected="Bits", rule="moves")
    if rules.more(case.state, rest):
        case.require_whole(rules.head(case.state, rest), "head moves")


def moves_ascend(case: PositionCase) -> None:
    """Legal moves are ascending and unique, within the bounds."""
    walked = case.walked
    largest, most = int(rules.largest_move(case.state)), int(rules.most_moves(case.state))
    ends = len(walked) <= most or len(set(walked)) == len(walked)
    case.require(ends, "walk-ends", found=walked, expected=f"≤ {most} (most_moves)")
    case.require(
        walked == sorted(set(walked)), "ascending", found=walked, expected=sorted(set(walked))
    )
    outside = [move for move in walked if not 0 <= move <= largest]
    expected = f"0 … {largest} (largest_move)"
    case.require(not outside, "move-numbers", found=outside, expected=expected)
    few, expected = len(walked) <= most, f"≤ {most} (most_moves)"
    case.require(few, "move-numbers", found=len(walked), expected=expected)


def moves_repeat_their_answer(case: PositionCase) -> None:
    """A position always has the same legal moves."""
    walked, again = case.walked, walk(case.state, len(case.walked) + 1)
    case.require(again == walked, "same-answer", found=again, expected=walked, rule="moves")


def over_means_no_moves(case: PositionCase) -> None:
    """A game is over exactly if there is no legal move."""
    over = bool(rules.is_over(case.state))
    case.require(over == (not case.walked), "over", found=over, expected=not case.walked)


def count_equals_walk(case: PositionCase) -> None:
    """`count_moves` returns the number of legal moves."""
    count, walked = rules.count_moves(case.state), len(case.walked)
    case.require(count == walked, "count", found=count, expected=walked)


def nth_is_met_after_n_others(case: PositionCase) -> None:
    """`nth_left` returns the move at an index of the walk."""
    for index in {0, len(case.walked) // 2, len(case.walked) - 1} if case.walked else ():
        found, expected = rules.nth_move(case.state, index), case.walked[index]
        case.require(found == expected, "nth", found=found, expected=expected)


def position_agrees(case: PositionCase) -> None:
    """A position has the legal moves of its state, except repetitions that the rules forbid, and
    none after the end of the game."""
    position = case.position
    expected = [] if position.outcome() is not None else case.walked
    if repetition_is_forbidden(case.state):
        stood = {*position.past, position.position_key}
        expected = [code for code in expected if position.after(code).position_key not in stood]
    codes = position.codes()
    case.require(codes == expected, "codes", found=codes, expected=expected)


def wins_have_their_value(case: PositionCase) -> None:
    """The final value is an integer, and a win has its stated value."""
    if not rules.is_over(case.state):
        return
    value, win = rules.final_value(case.state), rules.win_value(case.state)
    fine = isinstance(value, int | np.integer) and (win == 0 or value in (-win, 0, win))
    expected = f"±{win}, 0" if win > 0 else "int"
    case.require(fine, "win-value", found=value, expected=expected)


def outcome_follows_value(case: PositionCase) -> None:
    """The outcome follows the sign of the final value."""
    if not rules.is_over(case.state):
        return
    value = int(rules.final_value(case.state))
    mover = rules.side_to_move(case.state)
    winner = None if value == 0 else SIDES[mover if value > 0 else 1 - mover]
    outcome = case.position.outcome()
    fine = outcome is not None and outcome.winner == winner
    case.require(fine, "outcome", found=outcome, expected=Outcome(winner or "draw"))
    case.require(abs(value) < INFINITY, "finite", found=value, expected=f"< {INFINITY}")


# --- states --------------------------------------------------------------------------------------


def states_are_plain(case: PositionCase) -> None:
    """A state is a NamedTuple of the game's class with integers, tuples of integers and sets of
    squares."""
    state, cls, name = case.state, case.game.state_class, type(case.state).__qualname__
    start = case.game.start_state()
    rule = "start_state" if state == start else ""
    named = isinstance(state, tuple) and hasattr(state, "_fields")
    case.require(named, "state-class", found=name, expected="NamedTuple", rule=rule)
    cls = type(start) if cls is tuple else cls
    same = type(state) is cls
    case.require(same, "state-class", found=name, expected=cls.__qualname__, rule=rule)
    fields = zip(type(state)._fields, state, strict=True)
    others = {field: field_type(value) for field, value in fields if not is_field(value)}
    case.require(not others, "state-fields", found=others, expected=FIELD_TYPES, rule=rule)


def play_keeps_types(case: PositionCase) -> None:
    """The state after a move has the same class and types of fields."""
    cls, types = type(case.state), field_types(case.state)
    for move, child in case.children:
        words = {"found": type(child).__qualname__, "expected": cls.__qualname__}
        case.require(type(child) is cls, "state-class", move, **words)
        found = field_types(child)
        case.require(found == types, "same-types", move, found=found, expected=types)


def play_repeats_its_answer(case: PositionCase) -> None:
    """A move always leads to the same state."""
    for move, child in case.children:
        again = rules.play(case.state, move)
        case.require(child == again, "same-answer", move, found=again, expected=child)


def sides_alternate(case: PositionCase) -> None:
    """The sides alternate, unless the game allows several moves in a row."""
    side = rules.side_to_move(case.state)
    two = "game-file.two-sides"
    case.require(side in (0, 1), two, found=side, expected="0, 1", rule="side_to_move")
    expected = (1 - side,) if rules.turns_alternate(case.state) else (0, 1)
    for move, child in case.children:
        found = rules.side_to_move(child)
        case.require(found in (0, 1), two, move, found=found, expected="0, 1", rule="play")
        shown = ", ".join(map(str, expected))
        case.require(found in expected, "sides", move, found=found, expected=shown)


def key_follows_moves(case: PositionCase) -> None:
    """The incremental key equals the key computed from scratch."""
    old = rules.key(case.state)
    fine, found = isinstance(old, np.uint64), type(old).__name__
    case.require(fine, "key-type", found=found, expected="numpy.uint64")
    for move, child in case.children:
        key, expected = rules.next_key(case.state, old, move), rules.key(child)
        case.require(key == expected, "next-key", move, found=key, expected=expected)


# --- values --------------------------------------------------------------------------------------


def values_stand_apart(case: PositionCase) -> None:
    """Heuristic values are integers, smaller than the value of every win."""
    if not case.walked:
        return
    win = rules.win_value(case.state)
    most = win - MAX_PLY if win > 0 else INFINITY
    for name, evaluation in case.game.evaluations.items():
        value = rules.evaluate(evaluation, case.state)
        whole = isinstance(value, int | np.integer)
        case.require(whole, "whole", found=f"{name}: {value!r}", expected="int")
        again = rules.evaluate(evaluation, case.state)
        found = f"{name}: {again}"
        case.require(again == value, "same-answer", found=found, expected=value, rule="evaluate")
        case.require(abs(value) < most, "apart", found=f"{name}: {value}", expected=f"< {most}")


def leaves_are_valued_from_above(case: PositionCase) -> None:
    """`evaluate_after` equals the evaluation after the move."""
    for name, evaluation in case.game.evaluations.items():
        for move, child in case.children:
            for ply in _PLIES:
                value = (
                    rules.terminal_value(evaluation, child, ply + 1)
                    if rules.is_over(child)
                    else rules.evaluate(evaluation, child)
                )
                expected = rules.value_above(case.state, child, value)
                after = rules.evaluate_after(evaluation, case.state, move, ply)
                found = f"{name}: {after}"
                case.require(
                    after == expected, "evaluate-after", move, found=found, expected=expected
                )


def strategy_moves_secure_their_value(case: PositionCase) -> None:
    """Strategy moves are legal up to the end and reach their value against every reply."""
    state, mover = case.state, rules.side_to_move(case.state)
    promised = solving.strategy_value(state)
    move = solving.strategy_move(state)
    if move < 0:
        return
    while not rules.is_over(state):
        if rules.side_to_move(state) == mover:
            move = solving.strategy_move(state)
            case.require(
                move in walk(state), "strategy", found=f"{move} ({state})", expected="legal"
            )
        else:
            move = case.random.choice(walk(state))
        state = rules.play(state, move)
    value = rules.final_value(state)
    value = value if rules.side_to_move(state) == mover else -value
    case.require(value >= promised, "strategy", found=value, expected=f"≥ {promised}")


def looking_ahead_agrees_with_play(case: PositionCase) -> None:
    """`can_win_at_once` and `safe_moves` agree with playing the moves."""
    state = case.state
    if not case.walked or rules.win_value(state) == 0:
        return
    at_once = solving.can_win_at_once.implementation(tuple)
    if is_replaced(solving.can_win_at_once, state):
        found, expected = bool(solving.can_win_at_once(state)), at_once(state)
        case.require(found == expected, "look-ahead", found=found, expected=expected)
    if not is_replaced(solving.safe_moves, state) or at_once(state):
        return
    after = ((move, rules.play(state, move)) for move in case.walked)
    safe = [move for move, child in after if rules.is_over(child) or not at_once(child)]
    rest, told = solving.safe_moves(state), list[int]()
    while rules.more(state, rest) and len(told) <= len(case.walked):
        told.append(rules.head(state, rest))
        rest = rules.tail(state, rest)
    case.require(told == safe, "look-ahead", found=told, expected=safe)


def numbers_lead_back(case: PositionCase) -> None:
    """`position_of` is the inverse of `index`."""
    if not is_replaced(solving.index_count, case.state):
        return
    images = (rules.transform(case.state, each) for each in range(rules.symmetry_count(case.state)))
    least = min(images, key=lambda image: words_of(tuple(image)))
    number, count = solving.index(least), solving.index_count(least)
    case.require(0 <= number < count, "index", found=number, expected=f"0 … {count - 1}")
    found = solving.position_of(case.game.start_state(), number)
    case.require(found == least, "index", found=found, expected=least)


# --- symmetry ------------------------------------------------------------------------------------


def symmetry_keeps_the_game(case: PositionCase) -> None:
    """A symmetry maps legal moves to legal moves and keeps the end and every value."""
    state, index = case.state, case.symmetry
    image = rules.transform(state, index)
    moved = sorted(rules.transform_move(state, move, index) for move in case.walked)
    case.require(moved == walk(image), "symmetry-moves", found=moved, expected=walk(image))
    found, expected = _values(case, image), _values(case, state)
    case.require(found == expected, "symmetry-values", found=found, expected=expected)


def symmetry_goes_with_play(case: PositionCase) -> None:
    """Symmetry and move commute."""
    state, index = case.state, case.symmetry
    image = rules.transform(state, index)
    for move, child in case.children:
        found = rules.play(image, rules.transform_move(state, move, index))
        expected = rules.transform(child, index)
        case.require(found == expected, "symmetry-play", move, found=found, expected=expected)


def symmetry_can_be_undone(case: PositionCase) -> None:
    """Symmetry 0 is the identity, and each symmetry has an inverse."""
    state = case.state
    same = rules.transform(state, 0)
    case.require(same == state, "symmetry-identity", found=same, expected=state)
    image = rules.transform(state, case.symmetry)
    back = [rules.transform(image, index) for index in range(rules.symmetry_count(image))]
    case.require(state in back, "symmetry-bijection", found=back, expected=state)


def _values(case: PositionCase, state: State) -> dict[str, int]:
    """Returns all values of a state that a symmetry must keep, for the side to move."""
    if rules.is_over(state):
        return {"final_value": rules.final_value(state)}
    named = case.game.evaluations.items()
    values = {
        name: int(rules.evaluate(evaluation, state))
        for name, evaluation in named
        if rules.is_symmetric(evaluation)
    }
    return {"max_plies_left": rules.max_plies_left(state), **values}


def field_types(state: State) -> dict[str, str]:
    """Returns the name of each field's type."""
    named = zip(getattr(type(state), "_fields", ()), state, strict=False)
    return {name: field_type(value) for name, value in named}


#: Invariants that a walk over the moves relies on.
BEFORE_WALKING = (states_are_plain, numbers_are_whole, bounds_are_possible, moves_can_be_walked)

INVARIANTS = (
    moves_ascend,
    moves_repeat_their_answer,
    over_means_no_moves,
    count_equals_walk,
    nth_is_met_after_n_others,
    position_agrees,
    wins_have_their_value,
    outcome_follows_value,
    play_keeps_types,
    play_repeats_its_answer,
    sides_alternate,
    key_follows_moves,
    values_stand_apart,
    leaves_are_valued_from_above,
    looking_ahead_agrees_with_play,
    numbers_lead_back,
    symmetry_keeps_the_game,
    symmetry_goes_with_play,
    symmetry_can_be_undone,
)
