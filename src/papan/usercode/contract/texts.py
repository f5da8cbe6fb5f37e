"""The invariants of texts: notation that reads back, rejected input, copies, squares."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

from papan.core.game import Game
from papan.errors import (
    GameOver,
    IllegalMove,
    InvalidMove,
    InvalidPosition,
    PapanError,
    RuleFailure,
)
from papan.rules import operations as rules
from papan.rules.dispatch import is_replaced
from papan.usercode.contract.case import PositionCase, walk
from papan.usercode.contract.rules import field_types

#: Number of typing errors tried on each position line.
_SLIPS = 3
#: Characters of typing errors.
_STRAY = "xo0123456789/ ?a"


# --- notation ------------------------------------------------------------------------------------


def lines_read_back(case: PositionCase) -> None:
    """A position line reads back as the same state with the same types, and is written the same."""
    game, state = case.game, case.state
    line = game.write_state(state)
    tidy = line.isprintable() and line == " ".join(line.split())
    case.require(tidy, "line-form", found=repr(line), expected=" ".join(line.split()))
    again = game.read_state(line)
    case.require(again == state, "line-state", found=again, expected=state)
    found, expected = field_types(again), field_types(state)
    case.require(found == expected, "same-types", found=found, expected=expected)
    rewritten = game.write_state(again)
    case.require(rewritten == line, "line-text", found=rewritten, expected=line)


def positions_can_be_written(case: PositionCase) -> None:
    """A position can be written, with integers for its pieces."""
    if is_replaced(rules.piece_at, case.state):
        for place in case.game.board.squares:
            case.require_whole(rules.piece_at(case.state, place), "piece_at")
    case.game.write_state(case.state)


def moves_have_names(case: PositionCase) -> None:
    """A move uses places of the board, and each move has a different text without spaces."""
    game, places, words = case.game, set(case.game.board.squares), dict[str, int]()
    for code in case.walked:
        steps = [step for step in game.steps(code) if not isinstance(step, str)]
        outside = next((step for step in steps if step not in places), None)
        extent = game.board.extent
        off, on_board = "game-file.off-board", outside is None
        case.require(on_board, off, found=outside, expected=extent, rule="steps moves")
        word = game.write_move(code)
        fine = isinstance(word, str) and word.isprintable() and word == "".join(word.split())
        found, form = repr(word), "game-file.move-word"
        case.require(fine and bool(word), form, found=found, expected="'a1'", rule="write_move")
        found = f"{word} = {words.get(word)}, {code}"
        case.require(word not in words, "move-names", found=found, expected="≠")
        words[word] = code


def moves_read_back(case: PositionCase) -> None:
    """A written move reads back as the same number. It has no spaces, and capitals only if names
    or words of the game have them."""
    game = case.game
    texts = [game.write_move(move) for move in case.walked]
    for move, text in zip(case.walked, texts, strict=True):
        form = "".join((text if _has_capitals(game) else text.lower()).split())
        tidy = bool(text) and text.isprintable() and text == form
        case.require(tidy, "move-form", move, found=repr(text), expected=form)
        found = game.read_move(text, case.state)
        case.require(found == move, "move-text", move, found=found, expected=move)
    # A position excludes forbidden repetitions; after a draw by repetition, it has no moves.
    legal = set(case.position.codes())
    expected = [text for move, text in zip(case.walked, texts, strict=True) if move in legal]
    listed = case.position.moves()
    case.require(listed == expected, "move-text", found=listed, expected=expected)


# --- refusals ------------------------------------------------------------------------------------


def illegal_moves_are_refused(case: PositionCase) -> None:
    """A move that is legal only elsewhere is rejected, as number and as text."""
    expected = IllegalMove if case.position.codes() else GameOver
    for move in case.foreign:
        # Moves with other numbers may have the same text elsewhere.
        text = case.game.write_move(move)
        for said in (move, text) if text not in case.position.moves() else (move,):
            _refused(case, "refuses-move", said, case.position.play, expected)
    _refused(case, "refuses-move", -1, case.position.play, expected)


def _has_capitals(game: Game) -> bool:
    """True if a move may be written with capitals."""
    said = "".join((*(place.name for place in game.board.places), *game.words))
    return said != said.lower()


def malformed_moves_are_refused(case: PositionCase) -> None:
    """A malformed move is rejected in every position."""
    texts = ["", "?", " "]
    for move in case.sample:
        text = case.game.write_move(move)
        texts += [f"{text}?", f" {text}", f"{text} ", f"{text}\n"]
        texts += [text.upper()] if text.upper() != text and not _has_capitals(case.game) else []
    for text in texts:
        _refused(case, "refuses-text", text, _reader(case), InvalidMove)


def _reader(case: PositionCase) -> Callable[[str], int]:
    """Returns a function that reads moves in the position."""
    return lambda text: case.game.read_move(text, case.state)


def malformed_lines_are_refused(case: PositionCase) -> None:
    """A line with missing, additional or invalid parts is rejected."""
    line = case.game.write_state(case.state)
    for text in ("", f"{line} ?", f"? {line}", f"?{line[1:]}", line.rpartition(" ")[0]):
        _refused(case, "refuses-line", text, case.game.read_state, InvalidPosition)


def slips_are_refused_or_understood(case: PositionCase) -> None:
    """A line with a typing error is rejected, or describes a playable position."""
    line = case.game.write_state(case.state)
    for _ in range(_SLIPS):
        place = case.random.randrange(len(line))
        text = line[:place] + case.random.choice(_STRAY) + line[place + case.random.randrange(2) :]
        try:
            state = case.game.read_state(text)
        except InvalidPosition:
            continue
        rewritten = case.game.write_state(state)
        again = case.game.read_state(rewritten)
        case.require(again == state, "slip-text", text, found=rewritten, expected=state)
        count, walked = rules.count_moves(state), len(walk(state))
        case.require(count == walked, "slip-moves", text, found=count, expected=walked)


def _refused(
    case: PositionCase,
    promise: str,
    said: int | str,
    read: Callable[[Any], object],
    expected: type[PapanError],
) -> None:
    """Requires that reading raises exactly this error, and that its message can be formatted."""
    try:
        found = repr(read(said))
    except RuleFailure:
        raise
    except PapanError as error:
        found = f"{type(error).__name__}: {error}"
        if type(error) is expected:
            return
    raise case.broken(promise, said, found=found, expected=expected.__name__)


# --- copies and squares --------------------------------------------------------------------------


def copies_agree(case: PositionCase) -> None:
    """Copies and pickles are equal to the original, with the same hash and text."""
    position = case.position
    copies = (
        copy.copy(position),
        copy.deepcopy(position),
        pickle.loads(pickle.dumps(position)),
    )
    for twin in copies:
        fine = twin == position and hash(twin) == hash(position) and str(twin) == str(position)
        case.require(fine, "copies", found=repr(twin), expected=repr(position))


def squares_are_shown(case: PositionCase) -> None:
    """Each place of the board has a content, and facts are integers."""
    found, expected = sorted(case.game.contents(case.state)), sorted(case.game.board.squares)
    case.require(found == expected, "contents", found=found, expected=expected)
    facts = case.game.facts(case.state)
    numbers = all(isinstance(value, int) for value in facts.values())
    case.require(numbers, "facts", found=facts, expected="int")


INVARIANTS = (
    positions_can_be_written,
    lines_read_back,
    moves_have_names,
    moves_read_back,
    illegal_moves_are_refused,
    malformed_moves_are_refused,
    malformed_lines_are_refused,
    slips_are_refused_or_understood,
    copies_agree,
    squares_are_shown,
)
