"""The invariants of a game's rules that a search needs: moves, states, keys, values, symmetry."""

from __future__ import annotations

import copy

import numpy as np

from papan.core.game import Outcome
from papan.core.notation import SIDES
from papan.rules import operations as rules
from papan.rules import solving
from papan.rules.bits import words_of
from papan.rules.dispatch import is_replaced
from papan.rules.fields import FIELD_TYPES, field_type, is_field
from papan.rules.operations import INFINITY, MAX_PLY, State, repetition_is_forbidden
from papan.usercode.contract.case import MOST_WALKED, PositionCase, walk

#: Plies at which leaf values are compared: that of a root, and one further down.
_PLIES = (0, 5)


# --- moves and the end ---------------------------------------------------------------------------


def moves_ascend(case: PositionCase) -> None:
    """Legal moves come in ascending order, each once, with numbers that fit the search."""
    walked = case.walked
    ends = len(walked) < MOST_WALKED or len(set(walked)) == len(walked)
    case.require(ends, "walk-ends", found=walked, expected=sorted(set(walked)))
    case.require(
        walked == sorted(set(walked)), "ascending", found=walked, expected=sorted(set(walked))
    )
    largest, most = int(rules.largest_move(case.state)), int(rules.most_moves(case.state))
    possible = 0 < largest <= rules.LARGEST_MOVE and 0 < most <= rules.MOST_MOVES
    bounds = f"{rules.LARGEST_MOVE}, {rules.MOST_MOVES}"
    case.require(possible, "move-numbers", found=f"{largest}, {most}", expected=f"≤ {bounds}")
    outside = [move for move in walked if not 0 <= move <= largest]
    case.require(not outside, "move-numbers", found=outside, expected=f"0 … {largest}")
    few = len(walked) <= most
    case.require(few, "move-numbers", found=len(walked), expected=f"≤ {most}")


def over_means_no_moves(case: PositionCase) -> None:
    """The rules end a game exactly where there is no legal move."""
    over = bool(rules.is_over(case.state))
    case.require(over == (not case.walked), "over", found=over, expected=not case.walked)


def count_equals_walk(case: PositionCase) -> None:
    """`count_moves` gives the number of legal moves."""
    count, walked = rules.count_moves(case.state), len(case.walked)
    case.require(count == walked, "count", found=count, expected=walked)


def nth_is_met_after_n_others(case: PositionCase) -> None:
    """`nth_left` gives the move that a walk meets after so many others."""
    for index in {0, len(case.walked) // 2, len(case.walked) - 1} if case.walked else ():
        found, expected = rules.nth_move(case.state, index), case.walked[index]
        case.require(found == expected, "nth", found=found, expected=expected)


def position_agrees(case: PositionCase) -> None:
    """A position has the legal moves of its state but those that the rules forbid because of where
    they lead, and none after the end of the game."""
    position = case.position
    expected = [] if position.outcome() is not None else case.walked
    if repetition_is_forbidden(case.state):
        stood = {*position.past, position.position_key}
        expected = [code for code in expected if position.after(code).position_key not in stood]
    codes = position.codes()
    case.require(codes == expected, "codes", found=codes, expected=expected)


def outcome_follows_value(case: PositionCase) -> None:
    """The outcome is that of the final value's sign, and a win has its stated worth."""
    if not rules.is_over(case.state):
        return
    value, win = int(rules.final_value(case.state)), rules.win_value(case.state)
    mover = rules.side_to_move(case.state)
    winner = None if value == 0 else SIDES[mover if value > 0 else 1 - mover]
    outcome = case.position.outcome()
    fine = outcome is not None and outcome.winner == winner
    case.require(fine, "outcome", found=outcome, expected=Outcome(winner or "draw"))
    case.require(
        win == 0 or value in (-win, 0, win), "win-value", found=value, expected=f"±{win}, 0"
    )
    case.require(abs(value) < INFINITY, "finite", found=value, expected=f"< {INFINITY}")


# --- states --------------------------------------------------------------------------------------


def play_changes_nothing(case: PositionCase) -> None:
    """Making a move leaves the given state and position as they were."""
    before = copy.deepcopy(case.position)
    for move in case.sample:
        child = rules.play(case.state, move)
        again = case.position.after(move).state
        case.require(child == again, "same-answer", move, found=again, expected=child)
        same = case.position == before
        case.require(same, "unchanged", move, found=case.position.state, expected=before.state)


def states_are_plain(case: PositionCase) -> None:
    """A state is a NamedTuple of the game's class, of numbers, rows of them, sets of squares."""
    state, cls = case.state, case.game.state_class
    if cls is tuple:
        cls = type(case.game.start_state())
    fine = type(state) is cls and isinstance(state, tuple) and hasattr(cls, "_fields")
    case.require(fine, "state-class", found=type(state).__qualname__, expected=cls.__qualname__)
    plain = all(map(is_field, state))
    found = field_types(state)
    case.require(plain, "state-fields", found=found, expected=FIELD_TYPES)


def play_keeps_types(case: PositionCase) -> None:
    """The state after a move has the same class, its fields the same types."""
    expected = (type(case.state), field_types(case.state))
    for move, child in case.children:
        found = (type(child), field_types(child))
        case.require(found[0] is expected[0], "state-class", move, found=found, expected=expected)
        case.require(found == expected, "same-types", move, found=found[1], expected=expected[1])


def sides_alternate(case: PositionCase) -> None:
    """The sides take turns, unless the game says that a side may move again."""
    side = rules.side_to_move(case.state)
    case.require(side in (0, 1), "sides", found=side, expected="0, 1")
    expected = (1 - side,) if rules.turns_alternate(case.state) else (0, 1)
    for move, child in case.children:
        found = rules.side_to_move(child)
        shown = ", ".join(map(str, expected))
        case.require(found in expected, "sides", move, found=found, expected=shown)


def key_follows_moves(case: PositionCase) -> None:
    """The key carried along with a move is the key computed from scratch."""
    old = rules.key(case.state)
    case.require(isinstance(old, np.uint64), "key-type", found=type(old), expected="numpy.uint64")
    for move, child in case.children:
        found, expected = rules.next_key(case.state, old, move), rules.key(child)
        case.require(found == expected, "next-key", move, found=found, expected=expected)


# --- values --------------------------------------------------------------------------------------


def values_stand_apart(case: PositionCase) -> None:
    """Heuristic values are whole numbers below every win that a search can find."""
    if not case.walked:
        return
    win = rules.win_value(case.state)
    most = win - MAX_PLY if win > 0 else INFINITY
    for name, evaluation in case.game.evaluations.items():
        value = rules.evaluate(evaluation, case.state)
        whole = isinstance(value, int | np.integer)
        case.require(whole, "whole", found=f"{name}: {value!r}", expected="int")
        case.require(abs(value) < most, "apart", found=f"{name}: {value}", expected=f"< {most}")


def leaves_are_valued_from_above(case: PositionCase) -> None:
    """`evaluate_after` gives what making the move and looking would give."""
    for name, evaluation in case.game.evaluations.items():
        for move, child in case.children:
            for ply in _PLIES:
                value = (
                    rules.terminal_value(evaluation, child, ply + 1)
                    if rules.is_over(child)
                    else rules.evaluate(evaluation, child)
                )
                expected = rules.value_above(case.state, child, value)
                found = rules.evaluate_after(evaluation, case.state, move, ply)
                words = {"found": f"{name}: {found}", "expected": expected}
                case.require(found == expected, "evaluate-after", move, **words)


def strategy_moves_secure_their_value(case: PositionCase) -> None:
    """Strategy moves can be made to the end, whatever the answers, and secure their value."""
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
    """`can_win_at_once` and `safe_moves` say what making the moves would say."""
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
    """`index` numbers positions, and `position_of` leads back."""
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
    """A symmetry maps legal moves onto legal moves and keeps the end and every value."""
    state, index = case.state, case.symmetry
    image = rules.transform(state, index)
    moved = sorted(rules.transform_move(state, move, index) for move in case.walked)
    case.require(moved == walk(image), "symmetry-moves", found=moved, expected=walk(image))
    found, expected = _values(case, image), _values(case, state)
    case.require(found == expected, "symmetry-values", found=found, expected=expected)


def symmetry_goes_with_play(case: PositionCase) -> None:
    """Moving and then transforming is the same as transforming and then moving."""
    state, index = case.state, case.symmetry
    image = rules.transform(state, index)
    for move, child in case.children:
        found = rules.play(image, rules.transform_move(state, move, index))
        expected = rules.transform(child, index)
        case.require(found == expected, "symmetry-play", move, found=found, expected=expected)


def symmetry_can_be_undone(case: PositionCase) -> None:
    """Index 0 changes nothing, and each symmetry is undone by one of them: a bijection."""
    state = case.state
    same = rules.transform(state, 0)
    case.require(same == state, "symmetry-identity", found=same, expected=state)
    image = rules.transform(state, case.symmetry)
    back = [rules.transform(image, index) for index in range(rules.symmetry_count(image))]
    case.require(state in back, "symmetry-bijection", found=back, expected=state)


def _values(case: PositionCase, state: State) -> dict[str, int]:
    """Everything about a state's worth to the side to move that no symmetry may change."""
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
    """The name of each field's type."""
    named = zip(getattr(type(state), "_fields", ()), state, strict=False)
    return {name: field_type(value) for name, value in named}


INVARIANTS = (
    moves_ascend,
    play_changes_nothing,
    states_are_plain,
    over_means_no_moves,
    count_equals_walk,
    nth_is_met_after_n_others,
    position_agrees,
    outcome_follows_value,
    play_keeps_types,
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
