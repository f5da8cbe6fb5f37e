"""Boards and games as pages show them: squares as buttons, lists of moves, names, sentences.

The functions are for every page with a board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

from papan.core.board.pieces import Content, Piece
from papan.core.game import Position
from papan.core.moves import Partial
from papan.core.notation import SIDES
from papan.figures.board import NO_MARKS, Arrangement, Marks, Style, board_picture
from papan.figures.svg import Markup
from papan.messages import Messages
from papan.web.server.level_names import level_name


class Action(NamedTuple):
    """The effect of a button.

    Attributes:
        state: `target`, `source`, or nothing where nothing can be done.
        field: what the form calls what the button sends: `move` for a whole move, `step`.
        value: what it sends: a move as it is written, or the name of a place or a word.
    """

    state: str
    field: str
    value: str


#: The effects of places and words, by their names.
Actions = Mapping[str, Action]


@dataclass(frozen=True)
class BoardSquare:
    """A square as a button.

    Attributes:
        name: `d5`.
        label: the same in words, with what is on it and what it can do.
        action: what happens when it is touched.
        shape: that of the place (`papan.core.board.geometry.Place`).
    """

    name: str
    label: str
    action: Action
    shape: str


@dataclass(frozen=True)
class ListedMove:
    """A move in the list.

    Attributes:
        number: how many moves had been made when it was.
        side: who made it.
        text: how it is written.
    """

    number: int
    side: str
    text: str


def actions_of(begun: Partial) -> dict[str, Action]:
    """The effects of touching a place, or saying a word, while a move is being made: by its name.

    A place that ends the move, or goes on with it, is a `target`; one where it can begin with what
    stands there, and one that was chosen, is a `source`.
    """
    game, found = begun.position.game, dict[str, Action]()
    if begun.steps:
        found = {
            name: action
            for name, action in actions_of(Partial.begin(begun.position)).items()
            if action.state == "source"
        } | {name: Action("source", "step", name) for name in begun.names}
    contents = game.contents(begun.position.state)
    for step in begun.following:
        name, settled = begun.name(step), begun.after(step).settled
        if settled is not None:
            found[name] = Action("target", "move", game.write_move(settled))
        else:
            lifted = not begun.steps and not isinstance(step, str) and contents[step].piece
            found[name] = Action("source" if lifted else "target", "step", name)
    return found


def words_of(begun: Partial) -> list[tuple[str, Action]]:
    """Buttons beside the board, each with its label: words that can be said, and moves that end
    where others go on."""
    game, actions = begun.position.game, actions_of(begun)
    ended = [game.write_move(code) for code in begun.ended]
    found = [(move, Action("target", "move", move)) for move in ended]
    for step, codes in begun.following.items():
        if isinstance(step, str) and not (not begun.steps and game.touches(codes[0])):
            action = actions[step]
            found.append((action.value, action))
    return found


def square_rows(
    board: Arrangement,
    say: Messages,
    actions: Actions,
    *,
    marks: Marks = NO_MARKS,
    names: Mapping[str, str] | None = None,
) -> list[list[BoardSquare]]:
    """All squares from the top row down, each in words and with what it can do.

    Args:
        board: what stands where.
        say: the texts.
        actions: what the squares do.
        marks: what is said of squares besides: the last move, the chosen piece, a hint.
        names: who plays each side; without them sides have their own names.
    """
    names = names or side_names(say)
    squares = []
    for place in board.board.places:
        name = place.name
        action = actions.get(name) or Action("", "move", name)
        words = [name, *content_in_words(board.contents[place.number], place.shape, names, say)]
        words += [say("web.square.last")] if name in marks.last else []
        if name in marks.selected:
            words.append(say("web.square.selected"))
        elif action.state:
            words.append(say(f"web.square.{action.state}"))
        words += [say("web.square.hint")] if name in marks.hint else []
        words += [say("web.square.won")] if name in marks.won else []
        squares.append(BoardSquare(name, ", ".join(words), action, place.shape))
    found = iter(squares)
    return [[next(found) for _ in row] for row in board.board.text_rows]


def side_names(say: Messages) -> dict[str, str]:
    """The names of the sides where nobody in particular plays them."""
    return {side: say(f"web.side-name.{side}") for side in SIDES}


def content_in_words(
    content: Content, shape: str, names: Mapping[str, str], say: Messages
) -> list[str]:
    """Words for what is on a place of some shape: `king of Ani`, `number 4`."""
    piece, words = content.piece, []
    if piece:
        kind = kind_in_words(piece, say)
        owner = names.get(content.owner, "")
        key = "web.square.kind" if kind and owner else "web.square.piece"
        words = [say(key, kind=kind, name=owner) if owner else kind or say("web.square.neutral")]
    elif content.number is None or shape == "stack":
        words = [say("web.square.empty")]
    if content.number is not None:
        key = "web.square.steps" if shape == "stack" else "web.square.number"
        words.append(say(key, steps=content.number, number=content.number))
    return words


def kind_in_words(piece: Piece, say: Messages) -> str:
    """The name of a kind of piece: in the reader's language if it is a common one."""
    message = f"web.piece.{piece.name}"
    known = say(message)
    return piece.name if known == message else known


def square_buttons(rows: Iterable[Iterable[BoardSquare]], extra: str = "") -> Markup:
    """The squares as HTML. A template would take most of a page's time for them.

    Args:
        rows: the squares.
        extra: further attributes of each button.
    """
    return Markup(
        "\n".join(
            f'<button name="{square.action.field}" value="{escape(square.action.value)}" '
            f'id="at-{escape(square.name)}" class="cell {square.action.state}" '
            f'data-square="{escape(square.name)}" data-shape="{square.shape}" '
            f'aria-label="{escape(square.label)}"{extra}></button>'
            for row in rows
            for square in row
        )
    )


def in_words(board: Arrangement, say: Messages) -> str:
    """Where each side's pieces stand, for those who cannot see the board."""
    parts = []
    for side in SIDES:
        places = [place.name for place, look in board.places() if look.content.owner == side]
        names = ", ".join(places)
        parts.append(f"{say(f'web.side-name.{side}')}: {names or '–'}.")
    return " ".join(parts)


def last_of(positions: Sequence[Position], moves: Sequence[str], ply: int) -> list[str]:
    """The squares of the move before a ply; none at the start."""
    if not ply:
        return []
    before, move = positions[ply - 1], moves[ply - 1]
    if named := places_named(before, move):
        return named
    from papan.figures.highlights import last_squares

    return last_squares(before, move)


def turned_of(positions: Sequence[Position], moves: Sequence[str], ply: int) -> list[str]:
    """The squares whose pieces the move before a ply has turned; none at the start."""
    from papan.figures.highlights import flips

    return flips(positions[ply - 1], moves[ply - 1]) if ply else []


def hint_of(position: Position, move: str) -> list[str]:
    """The squares of a move that is suggested: those it names, or else those it changes."""
    from papan.figures.highlights import last_squares

    return (places_named(position, move) or last_squares(position, move)) if move else []


def last_marks(positions: Sequence[Position], moves: Sequence[str], ply: int) -> Marks:
    """The marks of the move before a ply, of what it has turned, and of the line that has won."""
    last, turned = (found(positions, moves, ply) for found in (last_of, turned_of))
    return Marks(last=last, turned=turned, won=positions[ply].winning_line())


def places_named(position: Position, move: str) -> list[str]:
    """The places that a written move names."""
    board = position.game.board
    return [board.name(place) for place in board.places_in(move)]


def dots_of(begun: Partial, actions: Actions) -> list[str]:
    """The places to be marked because a move, or its next step, goes there."""
    position = begun.position
    if not begun.steps and any(map(position.game.touches, begun.codes)):
        from papan.figures.highlights import targets

        return targets(position)
    return [name for name, action in actions.items() if action.state == "target"]


def still_board(
    positions: Sequence[Position], moves: Sequence[str], ply: int, style: Style, say: Messages
) -> dict[str, Any]:
    """A board that is only looked at, as templates take it: its picture and its words."""
    position = positions[ply]
    marks = last_marks(positions, moves, ply)
    title = say("web.game.board", game=position.game.title)
    return {
        "board": board_picture(position, marks=marks, style=style, title=title),
        "words": in_words(Arrangement.of(position), say),
    }


def paired(positions: Sequence[Position], moves: Sequence[str]) -> list[list[ListedMove | None]]:
    """The moves of a game as they were made, `o`'s beside that of `x` before it; where one side
    moves again, None stands for the other's. Nothing without the positions."""
    rows: list[list[ListedMove | None]] = []
    for number, (position, move) in enumerate(zip(positions, moves, strict=False), start=1):
        listed = ListedMove(number, position.side, move)
        if position.side == "x":
            rows.append([listed])
        elif rows and len(rows[-1]) == 1:
            rows[-1].append(listed)
        else:
            rows.append([None, listed])
    return rows


def player_name(text: str, say: Messages) -> str:
    """A program for people: its level in words, or its spec."""
    level = level_name(text, say)
    return text if level is None else say("web.player.level", level=level)
