"""The squares and words that can be clicked, for pages without script.

With script, `static/board.js` decides the same from the legal moves in `board/snapshot`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from papan.core.board.geometry import Step
from papan.core.board.pieces import Content
from papan.core.moves import Partial
from papan.messages import Messages
from papan.web.board.words import label_of


class Action(NamedTuple):
    """The effect of a button.

    Attributes:
        state: `target`, `source`, or empty without an effect.
        field: the form field that the button sends: `move` for a whole move, or `step`.
        value: the value that the button sends: a written move, or the name of a place or word.
    """

    state: str
    field: str
    value: str


#: Effects by names of places and words.
Actions = Mapping[str, Action]


def actions_of(begun: Partial) -> dict[str, Action]:
    """Returns the effects of clicking each place or word during a move, by name.

    A place that ends or continues the move is a `target`. A place where a move can start, and a
    chosen place, is a `source`.
    """
    actions = dict[str, Action]()
    if begun.steps:
        actions = {
            name: action
            for name, action in actions_of(Partial.begin(begun.position)).items()
            if action.state == "source"
        } | {name: Action("source", "step", name) for name in begun.names}
    return actions | {begun.name(step): _action_of(begun, step) for step in begun.following}


def _action_of(begun: Partial, step: Step) -> Action:
    """Returns the effect of a possible next step."""
    game, settled = begun.position.game, begun.after(step).chosen_move
    if settled is not None:
        return Action("target", "move", game.write_move(settled))
    contents = game.contents(begun.position.state)
    lifted = not begun.steps and not isinstance(step, str) and contents[step].piece
    return Action("source" if lifted else "target", "step", begun.name(step))


def words_of(begun: Partial, say: Messages) -> list[tuple[str, Action]]:
    """Returns buttons next to the board with labels: words, and moves that end where others
    continue."""
    game = begun.position.game
    ended = [game.write_move(code) for code in begun.ended_moves]
    found = [(move, Action("target", "move", move)) for move in ended]
    for step, codes in begun.following.items():
        if isinstance(step, str) and not (not begun.steps and game.touches(codes[0])):
            found.append((label_of(step, game, say), _action_of(begun, step)))
    return found


def dots_of(begun: Partial, actions: Actions) -> list[str]:
    """Returns the places to mark as targets of a move or of its next step."""
    position = begun.position
    if not begun.steps and any(map(position.game.touches, begun.codes)):
        from papan.figures.highlights import targets

        return targets(position)
    return [name for name, action in actions.items() if action.state == "target"]


def refusal(begun: Partial, text: str, say: Messages) -> str:
    """Returns one sentence that explains why a place cannot be clicked.

    Args:
        begun: the unfinished move.
        text: the name of the place, or a written move that ends there.
        say: the messages.
    """
    position, board = begun.position, begun.position.game.board
    named = board.places_in(text)
    if not named:
        return say("web.illegal.unknown")
    place = board.at_number(named[-1])
    content = position.game.contents(position.state)[place.number]
    return say(f"web.illegal.{_reason(begun, place.shape, content, len(named))}", text=place.name)


def _reason(begun: Partial, shape: str, content: Content, named: int) -> str:
    """Returns the last word of the message that explains why a place cannot be clicked."""
    lifted = bool(begun.steps) or any(
        begun.after(step).chosen_move is None for step in begun.following
    )
    if content.owner:
        mine = content.owner == begun.position.side
        return ("stuck" if lifted else "own") if mine else "occupied"
    if content.piece:
        return "taken"
    if shape == "stack" and content.number == 0:
        return "used-up"
    if lifted and not begun.steps and named == 1:
        return "choose"
    return "unreachable"
