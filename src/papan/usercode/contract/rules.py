"""The promises of a game's rules to a search: moves, states, keys, values, symmetry."""

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
from papan.usercode.contract.case import MOST_WALKED, Visit, walk

#: Plies at which leaf values are compared: that of a root, and one further down.
_PLIES = (0, 5)


# --- moves and the end ---------------------------------------------------------------------------


def moves_ascend(visit: Visit) -> None:
    """Legal moves come in ascending order, each once, with numbers that fit the search."""
    walked = visit.walked
    ends = len(walked) < MOST_WALKED or len(set(walked)) == len(walked)
    visit.require(ends, "walk-ends", found=walked, expected=sorted(set(walked)))
    visit.require(
        walked == sorted(set(walked)), "ascending", found=walked, expected=sorted(set(walked))
    )
    largest, most = int(rules.largest_move(visit.state)), int(rules.most_moves(visit.state))
    possible = 0 < largest <= rules.LARGEST_MOVE and 0 < most <= rules.MOST_MOVES
    bounds = f"{rules.LARGEST_MOVE}, {rules.MOST_MOVES}"
    visit.require(possible, "move-numbers", found=f"{largest}, {most}", expected=f"≤ {bounds}")
    outside = [move for move in walked if not 0 <= move <= largest]
    visit.require(not outside, "move-numbers", found=outside, expected=f"0 … {largest}")
    few = len(walked) <= most
    visit.require(few, "move-numbers", found=len(walked), expected=f"≤ {most}")


def over_means_no_moves(visit: Visit) -> None:
    """The rules end a game exactly where there is no legal move."""
    over = bool(rules.is_over(visit.state))
    visit.require(over == (not visit.walked), "over", found=over, expected=not visit.walked)


def count_equals_walk(visit: Visit) -> None:
    """`count_moves` gives the number of legal moves."""
    count, walked = rules.count_moves(visit.state), len(visit.walked)
    visit.require(count == walked, "count", found=count, expected=walked)


def nth_is_met_after_n_others(visit: Visit) -> None:
    """`nth_left` gives the move that a walk meets after so many others."""
    for index in {0, len(visit.walked) // 2, len(visit.walked) - 1} if visit.walked else ():
        found, expected = rules.nth_move(visit.state, index), visit.walked[index]
        visit.require(found == expected, "nth", found=found, expected=expected)


def position_agrees(visit: Visit) -> None:
    """A position has the legal moves of its state but those that the rules forbid because of where
    they lead, and none after the end of the game."""
    position = visit.position
    expected = [] if position.outcome() is not None else visit.walked
    if repetition_is_forbidden(visit.state):
        stood = {*position.past, position.position_key}
        expected = [code for code in expected if position.after(code).position_key not in stood]
    codes = position.codes()
    visit.require(codes == expected, "codes", found=codes, expected=expected)


def outcome_follows_value(visit: Visit) -> None:
    """The outcome is that of the final value's sign, and a win has its stated worth."""
    if not rules.is_over(visit.state):
        return
    value, win = int(rules.final_value(visit.state)), rules.win_value(visit.state)
    mover = rules.side_to_move(visit.state)
    winner = None if value == 0 else SIDES[mover if value > 0 else 1 - mover]
    outcome = visit.position.outcome()
    fine = outcome is not None and outcome.winner == winner
    visit.require(fine, "outcome", found=outcome, expected=Outcome(winner or "draw"))
    visit.require(
        win == 0 or value in (-win, 0, win), "win-value", found=value, expected=f"±{win}, 0"
    )
    visit.require(abs(value) < INFINITY, "finite", found=value, expected=f"< {INFINITY}")


# --- states --------------------------------------------------------------------------------------


def play_changes_nothing(visit: Visit) -> None:
    """Making a move leaves the given state and position as they were."""
    before = copy.deepcopy(visit.position)
    for move in visit.sample:
        child = rules.play(visit.state, move)
        again = visit.position.after(move).state
        visit.require(child == again, "same-answer", move, found=again, expected=child)
        same = visit.position == before
        visit.require(same, "unchanged", move, found=visit.position.state, expected=before.state)


def states_are_plain(visit: Visit) -> None:
    """A state is a NamedTuple of the game's class, of numbers, rows of them, sets of squares."""
    state, cls = visit.state, visit.game.state_class
    if cls is tuple:
        cls = type(visit.game.start_state())
    fine = type(state) is cls and isinstance(state, tuple) and hasattr(cls, "_fields")
    visit.require(fine, "state-class", found=type(state).__qualname__, expected=cls.__qualname__)
    plain = all(map(is_field, state))
    found = field_types(state)
    visit.require(plain, "state-fields", found=found, expected=FIELD_TYPES)


def play_keeps_types(visit: Visit) -> None:
    """The state after a move has the same class, its fields the same types."""
    expected = (type(visit.state), field_types(visit.state))
    for move, child in visit.children:
        found = (type(child), field_types(child))
        visit.require(found[0] is expected[0], "state-class", move, found=found, expected=expected)
        visit.require(found == expected, "same-types", move, found=found[1], expected=expected[1])


def sides_alternate(visit: Visit) -> None:
    """The sides take turns, unless the game says that a side may move again."""
    side = rules.side_to_move(visit.state)
    visit.require(side in (0, 1), "sides", found=side, expected="0, 1")
    expected = (1 - side,) if rules.turns_alternate(visit.state) else (0, 1)
    for move, child in visit.children:
        found = rules.side_to_move(child)
        shown = ", ".join(map(str, expected))
        visit.require(found in expected, "sides", move, found=found, expected=shown)


def key_follows_moves(visit: Visit) -> None:
    """The key carried along with a move is the key computed from scratch."""
    old = rules.key(visit.state)
    visit.require(isinstance(old, np.uint64), "key-type", found=type(old), expected="numpy.uint64")
    for move, child in visit.children:
        found, expected = rules.next_key(visit.state, old, move), rules.key(child)
        visit.require(found == expected, "next-key", move, found=found, expected=expected)


# --- values --------------------------------------------------------------------------------------


def values_stand_apart(visit: Visit) -> None:
    """Heuristic values are whole numbers below every win that a search can find."""
    if not visit.walked:
        return
    win = rules.win_value(visit.state)
    most = win - MAX_PLY if win > 0 else INFINITY
    for name, evaluation in visit.game.evaluations.items():
        value = rules.evaluate(evaluation, visit.state)
        whole = isinstance(value, int | np.integer)
        visit.require(whole, "whole", found=f"{name}: {value!r}", expected="int")
        visit.require(abs(value) < most, "apart", found=f"{name}: {value}", expected=f"< {most}")


def leaves_are_valued_from_above(visit: Visit) -> None:
    """`evaluate_after` gives what making the move and looking would give."""
    for name, evaluation in visit.game.evaluations.items():
        for move, child in visit.children:
            for ply in _PLIES:
                value = (
                    rules.terminal_value(evaluation, child, ply + 1)
                    if rules.is_over(child)
                    else rules.evaluate(evaluation, child)
                )
                expected = rules.value_above(visit.state, child, value)
                found = rules.evaluate_after(evaluation, visit.state, move, ply)
                words = {"found": f"{name}: {found}", "expected": expected}
                visit.require(found == expected, "evaluate-after", move, **words)


def strategy_moves_secure_their_value(visit: Visit) -> None:
    """Strategy moves can be made to the end, whatever the answers, and secure their value."""
    state, mover = visit.state, rules.side_to_move(visit.state)
    promised = solving.strategy_value(state)
    move = solving.strategy_move(state)
    if move < 0:
        return
    while not rules.is_over(state):
        if rules.side_to_move(state) == mover:
            move = solving.strategy_move(state)
            visit.require(
                move in walk(state), "strategy", found=f"{move} ({state})", expected="legal"
            )
        else:
            move = visit.random.choice(walk(state))
        state = rules.play(state, move)
    value = rules.final_value(state)
    value = value if rules.side_to_move(state) == mover else -value
    visit.require(value >= promised, "strategy", found=value, expected=f"≥ {promised}")


def looking_ahead_agrees_with_play(visit: Visit) -> None:
    """`can_win_at_once` and `safe_moves` say what making the moves would say."""
    state = visit.state
    if not visit.walked or rules.win_value(state) == 0:
        return
    at_once = solving.can_win_at_once.implementation(tuple)
    if is_replaced(solving.can_win_at_once, state):
        found, expected = bool(solving.can_win_at_once(state)), at_once(state)
        visit.require(found == expected, "look-ahead", found=found, expected=expected)
    if not is_replaced(solving.safe_moves, state) or at_once(state):
        return
    after = ((move, rules.play(state, move)) for move in visit.walked)
    safe = [move for move, child in after if rules.is_over(child) or not at_once(child)]
    rest, told = solving.safe_moves(state), list[int]()
    while rules.more(state, rest) and len(told) <= len(visit.walked):
        told.append(rules.head(state, rest))
        rest = rules.tail(state, rest)
    visit.require(told == safe, "look-ahead", found=told, expected=safe)


def numbers_lead_back(visit: Visit) -> None:
    """`index` numbers positions, and `position_of` leads back."""
    if not is_replaced(solving.index_count, visit.state):
        return
    images = (
        rules.transform(visit.state, each) for each in range(rules.symmetry_count(visit.state))
    )
    least = min(images, key=lambda image: words_of(tuple(image)))
    number, count = solving.index(least), solving.index_count(least)
    visit.require(0 <= number < count, "index", found=number, expected=f"0 … {count - 1}")
    found = solving.position_of(visit.game.start_state(), number)
    visit.require(found == least, "index", found=found, expected=least)


# --- symmetry ------------------------------------------------------------------------------------


def symmetry_keeps_the_game(visit: Visit) -> None:
    """A symmetry maps legal moves onto legal moves and keeps the end and every value."""
    state, index = visit.state, visit.symmetry
    image = rules.transform(state, index)
    moved = sorted(rules.transform_move(state, move, index) for move in visit.walked)
    visit.require(moved == walk(image), "symmetry-moves", found=moved, expected=walk(image))
    found, expected = _values(visit, image), _values(visit, state)
    visit.require(found == expected, "symmetry-values", found=found, expected=expected)


def symmetry_goes_with_play(visit: Visit) -> None:
    """Moving and then transforming is the same as transforming and then moving."""
    state, index = visit.state, visit.symmetry
    image = rules.transform(state, index)
    for move, child in visit.children:
        found = rules.play(image, rules.transform_move(state, move, index))
        expected = rules.transform(child, index)
        visit.require(found == expected, "symmetry-play", move, found=found, expected=expected)


def symmetry_can_be_undone(visit: Visit) -> None:
    """Index 0 changes nothing, and each symmetry is undone by one of them: a bijection."""
    state = visit.state
    same = rules.transform(state, 0)
    visit.require(same == state, "symmetry-identity", found=same, expected=state)
    image = rules.transform(state, visit.symmetry)
    back = [rules.transform(image, index) for index in range(rules.symmetry_count(image))]
    visit.require(state in back, "symmetry-bijection", found=back, expected=state)


def _values(visit: Visit, state: State) -> dict[str, int]:
    """Everything about a state's worth to the side to move that no symmetry may change."""
    if rules.is_over(state):
        return {"final_value": rules.final_value(state)}
    named = visit.game.evaluations.items()
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


PROMISES = (
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
