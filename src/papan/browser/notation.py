"""How moves are written, as data for a page: the steps of each move from its number.

Most games use the numbers of a walk (`papan.rules.walk`, `papan.rules.chain`), which a page reads
field by field. Exceptions are listed move by move: pass moves, drops, columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Any

from papan.core.board.geometry import Step
from papan.core.game import Game, walk_of
from papan.rules import operations as rules
from papan.rules.chain import Chain
from papan.rules.operations import State
from papan.rules.walk import FromTo, FromToChoice, FromToThen, square_bits

#: Up to this largest number, all numbers are tried as moves.
_MOST_TRIED = 1 << 15
#: With more exceptions than this, only those that occur in random games are listed: most of the
#: numbers are no moves.
_MOST_LISTED = 500
_SAMPLED_PLIES = 3000

_WALKS = {FromTo: "pair", FromToChoice: "choice", FromToThen: "then", Chain: "chain"}


def notation_of(game: Game) -> dict[str, Any]:
    """Returns the notation of a game's moves.

    The result has these entries:

        walk      `place`, `pair`, `choice`, `then` or `chain`: the fields of a move's number
        bits      number of bits of a place in such a number
        ways      in a game of chains, `Game.ways`
        joints    separators of the steps
        words     words that occur as steps
        steps     move → its steps, where they do not follow from the number
        texts     move → its text, where it does not follow from the steps
        touches   move → places that also stand for it
    """
    known = notation = {
        "walk": _WALKS.get(walk_of(game) or object, "place"),
        "bits": int(square_bits(game.board.empty)),
        "ways": list(game.ways),
        "joints": list(game.joints),
        "words": list(game.words),
    }
    if not _is_default(game) and notation["walk"] == "place":
        known = {**notation, "walk": "pair"}
    options = [notation] if known is notation else [notation, known]
    if _is_default(game):
        return {**notation, "steps": {}, "texts": {}, "touches": {}}
    moves = list(_possible_moves(game))
    tables = [{**option, **_exceptions(game, option, moves)} for option in options]
    best = min(tables, key=lambda table: len(table["steps"]))
    if len(best["steps"]) + len(best["texts"]) <= _MOST_LISTED:
        return best
    seen = _sampled(game)
    for name in ("steps", "texts", "touches"):
        best[name] = {move: value for move, value in best[name].items() if move in seen}
    return best


def _is_default(game: Game) -> bool:
    """True if all steps and texts follow from the numbers of moves."""
    own = (getattr(type(game), name) for name in ("steps", "write_move", "touches"))
    return tuple(own) == (Game.steps, Game.write_move, Game.touches)


def _exceptions(game: Game, notation: dict[str, Any], moves: list[int]) -> dict[str, Any]:
    steps, texts, touches = {}, {}, {}
    for move in moves:
        found = game.steps(move)
        if found != _read(game, notation, move):
            steps[move] = [_name(game, step) for step in found]
        text = game.write_move(move)
        if text != game.board.written(found, game.joints):
            texts[move] = text
        if touched := game.touches(move):
            touches[move] = [_name(game, place) for place in touched]
    return {"steps": steps, "texts": texts, "touches": touches}


def _read(game: Game, notation: dict[str, Any], move: int) -> tuple[Step, ...]:
    """Returns the steps of a move's number, as a page reads them."""
    if notation["walk"] == "place":
        return (move,)
    if notation["walk"] == "pair":
        bits = notation["bits"]
        return tuple(filter(game.board.has, (move >> bits, move & ((1 << bits) - 1))))
    return Game.steps(game, move)


def _name(game: Game, step: Step) -> str:
    return step if isinstance(step, str) else game.board.name(step)


def _possible_moves(game: Game) -> Iterable[int]:
    """Returns the numbers of possible moves: of all that can be written, or of random games."""
    largest = int(rules.largest_move(game.start_state()))
    moves = range(largest + 1) if largest < _MOST_TRIED else sorted(_sampled(game))
    for move in moves:
        # A game's own notation may raise any exception for numbers that are not moves.
        try:
            steps = game.steps(move)
            game.write_move(move)
        except Exception:
            continue
        if all(step in game.words or game.board.find(_name(game, step)) == step for step in steps):
            yield move


def _sampled(game: Game) -> set[int]:
    """Returns the moves of random games, which may repeat positions."""
    return {code for _, codes in random_states(game, _SAMPLED_PLIES) for code in codes}


def random_states(game: Game, count: int) -> Iterator[tuple[State, list[int]]]:
    """Yields the states of random games, which may repeat positions, each with its moves."""
    chance, state = Random(1), game.start_state()
    for _ in range(count):
        codes, rest = list[int](), rules.moves(state)
        while rules.more(state, rest):
            codes.append(int(rules.head(state, rest)))
            rest = rules.tail(state, rest)
        yield state, codes
        state = rules.play(state, chance.choice(codes)) if codes else game.start_state()
