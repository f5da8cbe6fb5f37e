"""Game and Position: the rules as Python users, players and pages see them.

A `Game` holds a game's options and its notation. A `Position` holds everything needed to continue
a game. Both are immutable. They wrap the compiled rules: a state and the operations on it.
"""

from __future__ import annotations

import enum
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from operator import index
from random import Random
from typing import Any, ClassVar, NamedTuple

from papan.core import moves, spec
from papan.core.arguments import fits, quoted_value, refuse
from papan.core.board.geometry import Geometry, Step
from papan.core.board.pieces import (
    LOOKS,
    TWO_SIDES,
    Content,
    Piece,
    content_of,
    impossible,
    shown_as,
)
from papan.core.board.winning import chain, full_rows
from papan.core.checked_methods import CheckedMethods
from papan.core.gtp import NamedInGtp
from papan.core.notation import SIDES
from papan.core.position_line import read_fields, write_fields
from papan.core.readiness import count_plain, ready
from papan.errors import GameOver, IllegalMove, InvalidPosition, UsageError
from papan.rules import operations as rules
from papan.rules import repetition
from papan.rules.chain import Chain, chain_length, chain_places
from papan.rules.fields import field_type
from papan.rules.operations import Evaluation, State
from papan.rules.walk import WALKS, FromToThen, choice_of, steps_of


class Outcome(enum.Enum):
    """The result of a finished game.

    Examples:
        >>> position = papan.game("tictactoe").position("xxx/oo1/3 o")
        >>> position.outcome().winner
        'x'
    """

    X_WINS = "x"
    O_WINS = "o"
    DRAW = "draw"

    @classmethod
    def of_winner(cls, side: int) -> Outcome:
        """Returns the outcome in which the given side (0 or 1) wins."""
        return (cls.X_WINS, cls.O_WINS)[side]

    @classmethod
    def of_value(cls, value: int, side: int) -> Outcome:
        """Returns the outcome with a final value for the given side."""
        return cls.of_winner(side if value > 0 else 1 - side) if value else cls.DRAW

    @property
    def winner(self) -> str | None:
        """The side that won, `x` or `o`; None for a draw."""
        return None if self is Outcome.DRAW else self.value

    def points(self, side: str) -> float:
        """Returns 1 for a win of the given side, ½ for a draw, 0 for a loss."""
        if self is Outcome.DRAW:
            return 0.5
        return 1.0 if self.value == side else 0.0


def by_side(state: Any) -> tuple[Any, Any]:
    """Returns a state's `mine` and `theirs` in the order `x`, `o`.

    Examples:
        >>> state = papan.game("tictactoe").position("3/1x1/3 o").state
        >>> [squares(pieces) for pieces in by_side(state)]
        [[9], []]
    """
    if state.side == 0:
        return state.mine, state.theirs
    return state.theirs, state.mine


# `typed`, here and below, because states of different games may be equal as tuples.
@functools.lru_cache(maxsize=1024, typed=True)
def _contents(game: Game, state: State) -> dict[int, Content]:
    pieces, looked = game.pieces, _look(game, state)
    if looked is None:
        return {place: content_at(pieces, state, place) for place in game.board.squares}
    return {place: shown_as(pieces, kind, number) for place, kind, number in looked}


def _look(game: Game, state: State) -> list[tuple[int, int, int]] | None:
    """Returns each place with its kind of piece and its number from machine code, if it is ready
    and finds nothing impossible."""
    return ready[game].look(state) if game in ready else None


def content_at(pieces: tuple[Piece, ...], state: State, place: int) -> Content:
    """Returns the content of one place, given the game's kinds of pieces."""
    number, kind = rules.count_at(state, place), rules.piece_at(state, place)
    content = content_of(pieces, kind, number)
    if content is None:
        raise impossible(pieces, state, place)
    return content


# A page needs the same moves several times, and a position of Amazons has thousands.
@functools.lru_cache(maxsize=64, typed=True)
def _codes(state: State) -> tuple[int, ...]:
    """Returns the moves of a state as numbers, including those that lead to forbidden
    repetitions.
    """
    codes, rest = [], rules.moves(state)
    while rules.more(state, rest):
        codes.append(rules.head(state, rest))
        rest = rules.tail(state, rest)
    return tuple(codes)


@functools.lru_cache(maxsize=256)
def walk_of(game: Game) -> type | None:
    """Returns the class of a game's moves if their numbers consist of places; None otherwise."""
    walk = type(rules.moves(game.start_state()))
    return walk if walk in (*WALKS, Chain) else None


class NothingKnown(NamedTuple):
    """The evaluation of a game without an evaluation: 0 for each unfinished game."""


@rules.evaluate.register(NothingKnown)
def _(evaluation: NothingKnown, state: State) -> int:
    return 0


@dataclass(frozen=True)
class Game(NamedInGtp, ABC):
    """The rules with their options and notation. Subclasses are frozen dataclasses of options.

    Examples:
        >>> papan.game("tictactoe").title
        'Tic tac toe'
    """

    #: Name in specs, one word; by default from the class name: `TicTacToe` becomes `tic-tac-toe`.
    name: ClassVar[str]
    #: Name for people; by default from the class name: `TicTacToe` becomes `Tic tac toe`.
    title: ClassVar[str]
    #: Class of the compiled state; by default the class of what `start_state` returns.
    state_class: ClassVar[type] = tuple
    #: Evaluations by name; the first one is the default.
    evaluations: ClassVar[Mapping[str, Evaluation]] = {"none": NothingKnown()}
    #: Name of the evaluation that plays best, unless it is the first one.
    strongest: ClassVar[str] = ""
    #: Level → spec of its player, where it differs from the default (`papan.players.levels`).
    levels: ClassVar[Mapping[str, str]] = {}
    #: The kinds of pieces; `piece_at` numbers them from 1 in this order.
    pieces: ClassVar[tuple[Piece, ...]] = TWO_SIDES
    #: Material of board and pieces, one of `LOOKS` (`papan.figures.palette`); by default chosen
    #: from the geometry and the pieces.
    look: ClassVar[str] = ""
    #: Names of `x` and `o` for people: `("White", "Black")`. Records and JSON keep `x` and `o`.
    side_names: ClassVar[tuple[str, str]] = ("X", "O")
    #: Separators between the steps of a written move; the last one repeats. The last one also
    #: stands before the third place of a move without a first place, and between jumps.
    joints: ClassVar[tuple[str, ...]] = ("-",)
    #: In a game of chains (`papan.rules.chain`): by how much a step in the directions 0 to 3
    #: changes the number of a place.
    ways: ClassVar[tuple[int, ...]] = ()
    #: Words that occur in written moves, in addition to the names of places.
    words: ClassVar[tuple[str, ...]] = ()
    #: Names of the numbers to show next to the board, which `fact` computes: messages of the
    #: package. `fact.x` and `fact.o` belong to a side.
    fact_names: ClassVar[tuple[str, ...]] = ()
    #: Fields of a state that follow from other fields: position lines omit them, `completed` adds
    #: them.
    derived: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__).lower()
        if not hasattr(cls, "name"):
            cls.name = words.replace(" ", "-")
        if not hasattr(cls, "title"):
            cls.title = words.capitalize()
        if cls.look not in ("", *LOOKS):
            raise UsageError("game.look", text=repr(cls.look), choices=", ".join(LOOKS))
        if not fits(cls.side_names, tuple[str, str]) or len({*cls.side_names, ""}) < 3:
            raise UsageError("game.side-names", text=repr(cls.side_names))

    def __post_init__(self) -> None:
        for key, facts in spec.options_of(type(self)).items():
            spec.check(key, getattr(self, key), facts)

    # --- what a game defines

    @property
    @abstractmethod
    def board(self) -> Geometry:
        """The geometry of the board."""

    @abstractmethod
    def start_state(self) -> State:
        """Returns the state that a game starts from."""

    @property
    def max_plies(self) -> int:
        """Upper limit of a game's length in plies; by default `max_plies_left` of the start
        state.
        """
        return int(rules.max_plies_left(self.start_state()))

    @property
    def winning_row(self) -> int:
        """Number of pieces in a straight row that win; 0 (default) for games that are won
        differently.
        """
        return 0

    def allows(self, state: State) -> bool:
        """Returns whether a state that was read is possible in this game; by default all states
        are.
        """
        return True

    def read_state(self, line: str) -> State:
        """Returns the state that a position line describes.

        By default the line has the notation of `papan.core.position_line`.

        Raises:
            InvalidPosition: the line is malformed or the rules do not allow it.
        """
        example = self.start_state()
        written = read_fields(self.board, example, line, self.pieces, self._omitted_fields(example))
        state = self.completed(written)
        if not self.allows(state):
            raise InvalidPosition("position.not-allowed", text=line, game=self.title)
        return state

    def write_state(self, state: State) -> str:
        """Returns the position line of a state."""
        looked = _look(self, state)
        kinds = None if looked is None else {place: kind for place, kind, _ in looked}
        return write_fields(self.board, state, self.pieces, self._omitted_fields(state), kinds)

    def completed(self, state: State) -> State:
        """Returns a state that was read, with its `derived` fields filled in.

        Args:
            state: the state; its `derived` fields have the values of the start state.
        """
        return state

    def _omitted_fields(self, state: State) -> list[str]:
        """Returns the fields that `write_state` omits: derived fields, and settings.

        Settings are integers with the name of an option of the game.
        """
        fields = ((name, getattr(state, name, None)) for name in spec.options_of(type(self)))
        return [*self.derived, *(name for name, value in fields if type(value) is int)]

    def contents(self, state: State) -> Mapping[int, Content]:
        """Returns the content of each place, from `piece_at` and `count_at`."""
        return _contents(self, state)

    def steps(self, move: int) -> tuple[Step, ...]:
        """Returns the steps of a legal move: numbers of the places to touch, and words (`pass`).

        By default a walk has the places that it visits, and the word of a choice if there is one.
        Any other move has one step: the place with its number.
        """
        walk = walk_of(self)
        if walk is None:
            return (move,)
        if walk is Chain:
            return chain_places(move, self.ways)
        places = tuple(filter(self.board.has, steps_of(self.board.empty, walk, move)))
        choice = choice_of(walk, move)
        return (*places, self.words[choice - 1]) if 0 < choice <= len(self.words) else places

    def touches(self, move: int) -> tuple[int, ...]:
        """Returns places that also stand for a move when a player touches one of them first.

        Example: all squares of the column into which a piece is dropped. By default none.
        """
        return ()

    def read_move(self, text: str, state: State) -> int:
        """Returns the number of the move of a state with the given notation.

        Returns −1 for a text that is written like a move but is not legal.

        Raises:
            InvalidMove: the text cannot be a move of this game.
        """
        place = self.board.find(text)
        # Shortcut for most games. `steps` is called only for legal moves: a rule may fail at
        # others.
        if place is not None and place in _codes(state) and self.steps(place) == (place,):
            return place
        return moves.read(self, text, state)

    def write_move(self, move: int) -> str:
        """Returns the notation of a move; by default its steps, joined."""
        walk, joints = walk_of(self), self.joints
        if walk is Chain:
            joints = joints[-1:] if chain_length(move) else joints[:1]
        elif walk is FromToThen and not self.board.has(steps_of(self.board.empty, walk, move)[0]):
            joints = joints[-1:]
        return self.board.written(self.steps(move), joints)

    def book_move(self, move: int, state: State) -> str:
        """Returns a legal move as books about the game write it; by default `write_move`.

        Example: `Nf3` in chess instead of `g1f3`. People read and may write this form; records,
        programs and addresses use `write_move`.
        """
        return self.write_move(move)

    @property
    def has_book_notation(self) -> bool:
        """True if `book_move` differs from `write_move`."""
        return type(self).book_move is not Game.book_move

    def facts(self, state: State) -> dict[str, int]:
        """Returns numbers to show next to the board: message name → number."""
        return {name: rules.fact(state, index) for index, name in enumerate(self.fact_names)}

    def winning_line(self, state: State) -> tuple[int, ...]:
        """Returns the places that show how a finished game was won.

        By default these are the rows of `winning_row` pieces of one side, or the chain of pieces
        that joins a side's edges.
        """
        owners = {place: content.owner for place, content in self.contents(state).items()}
        if self.winning_row:
            return tuple(full_rows(self.board, owners, self.winning_row))
        return tuple(chain(self.board, owners))

    def homes(self) -> dict[int, str]:
        """Returns the squares that belong to a side and are drawn tinted: square → `x` or `o`."""
        return {}

    def solvers(self) -> tuple[type[Any], ...]:
        """Returns the game's own solvers (`papan.solve.base.Solver`), in the order to try them."""
        return ()

    # --- what every game has

    @property
    def spec(self) -> str:
        """The canonical spec: `adjacency:rounds=8`."""
        return spec.canonical(self.name, self)

    @property
    def default_evaluation(self) -> Evaluation:
        """The evaluation that fixed-depth searches use at their leaves."""
        return next(iter(self.evaluations.values()))

    @property
    def strongest_evaluation(self) -> Evaluation:
        """The evaluation that plays best."""
        return self.evaluations[self.strongest] if self.strongest else self.default_evaluation

    def start(self) -> Position:
        """Returns the start position."""
        return Position.unchecked(self, self.start_state())

    def position(self, line: str = "") -> Position:
        """Returns the position that a line describes; the start position for an empty line.

        Raises:
            InvalidPosition: the line is malformed or the rules do not allow it.
            UsageError: the line is not a `str`.
        """
        if not isinstance(line, str):
            raise refuse("line", line, "@argument.text")
        return Position.unchecked(self, self.read_state(line)) if line else self.start()

    def check_state(self, state: State) -> None:
        """Checks that an object is a state of this game.

        Raises:
            InvalidPosition: the object has another class, or a field is out of range. A field is
                out of range if the state changes when it is written as a position line and read
                again.
        """
        example = self.start_state()
        if type(state) is not type(example) or list(map(field_type, state)) != list(
            map(field_type, example)
        ):
            expected = type(example).__name__
            quoted = quoted_value(state)
            raise InvalidPosition(
                "argument.foreign", text=quoted, game=self.spec, expected=expected
            )
        try:
            is_one = self.read_state(self.write_state(state)) == state
        # Rules and notation may raise any exception for field values that never occur in play.
        except Exception:
            is_one = False
        if not is_one:
            raise InvalidPosition("argument.unreachable", text=quoted_value(state), game=self.spec)

    def __str__(self) -> str:
        return self.spec


@functools.singledispatch
def picture(quoted_value: object) -> str | None:
    """Returns an object as SVG; None if there is no picture of it.

    Rules and searches do not draw. `papan.figures` and `papan.notebook` register the functions that
    do; before they are imported the result is always None.
    """
    return None


@functools.singledispatch
def account(quoted_value: object) -> str | None:
    """Returns an object as HTML, a picture with a table next to it; registered like `picture`."""
    return None


class Displayed:
    """An object that notebooks display with `picture` and `account`."""

    def _repr_svg_(self) -> str | None:
        return picture(self)

    def _repr_html_(self) -> str | None:
        return account(self)


@dataclass(frozen=True)
class Position(Displayed, CheckedMethods):
    """A position: everything needed to continue a game.

    Attributes:
        game: the rules.
        state: the compiled state.
        past: position keys of all earlier positions of the game, oldest first; empty in games
            without a repetition rule.

    Examples:
        >>> position = papan.game("platforms").start()
        >>> position.moves()
        ['b3', 'a2', 'b2']
        >>> str(position.play("b2"))
        '011/101/110 o b2 c1'
    """

    game: Game
    state: State
    past: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.game, Game):
            raise refuse("game", self.game, "@argument.game")
        if not fits(self.past, tuple[int, ...]):
            raise refuse("past", self.past, "tuple[int, ...]")
        self.game.check_state(self.state)

    @classmethod
    def unchecked(cls, game: Game, state: State, past: tuple[int, ...] = ()) -> Position:
        """Returns a position without checking its state, for states that the rules themselves
        made.
        """
        if game in ready and (compiled := ready[game].position(state, past)) is not None:
            return compiled
        position = object.__new__(Position)
        for name, value in (("game", game), ("state", state), ("past", past)):
            object.__setattr__(position, name, value)
        return position

    def __reduce__(self) -> tuple[Any, ...]:
        return Position.unchecked, (self.game, self.state, self.past)

    def __getattr__(self, name: str) -> Any:
        """Returns the list of legal moves, which is made when it is first needed."""
        if name != "_legal":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        legal = self.__dict__["_legal"] = self._list_legal()
        return legal

    @property
    def side(self) -> str:
        """The side to move, `x` or `o`."""
        return SIDES[rules.side_to_move(self.state)]

    def codes(self) -> list[int]:
        """Returns the legal moves as numbers, ascending; an empty list when the game is over."""
        return list(self._legal)

    def _list_legal(self) -> list[int]:
        if self._is_repetition():
            return []
        codes = list(_codes(self.state))
        count_plain(self.game, len(codes))
        if rules.repetition_is_forbidden(self.state):
            stood = {*self.past, self.position_key}
            codes = [code for code in codes if self.after(code).position_key not in stood]
        return codes

    def moves(self) -> list[str]:
        """Returns the legal moves in the game's notation; an empty list when the game is over."""
        texts = moves.texts_of(self.game)
        return [texts[code] for code in self._legal]

    def children(self) -> list[Position]:
        """Returns the positions after the legal moves, in the order of `codes` and `moves`.

        Examples:
            >>> position = papan.game("platforms").start()
            >>> dict(zip(position.moves(), map(str, position.children())))["b2"]
            '011/101/110 o b2 c1'
        """
        return [self._reach(code) for code in self._legal]

    def play(self, *moves: str | int) -> Position:
        """Returns the position after one or more moves: `play("c4", "d5")`.

        The position itself does not change. A move is given as text or as its number.

        Raises:
            InvalidMove: a text cannot be a move of this game.
            IllegalMove: a move is not legal in its position.
            GameOver: the game has ended.
            TypeError: a move is neither a `str` nor a whole number.
        """
        position = self
        for move in moves:
            position = position._play(move)
        return position

    def _play(self, move: str | int) -> Position:
        code = self._code(move)
        if code not in self._legal:
            raise self._refusal(move, self._legal)
        return self.after(code)

    def _code(self, move: str | int) -> int:
        if isinstance(move, str):
            return self.game.read_move(move, self.state)
        if isinstance(move, bool):
            raise TypeError("a move is text or a whole number, not bool")
        return index(move)

    def after(self, code: int) -> Position:
        """Returns the position after a legal move; does not check the move."""
        return self._reach(code)

    def _reach(self, code: int) -> Position:
        past = (*self.past, self.position_key) if rules.remembers(self.state) else self.past
        return Position.unchecked(self.game, rules.play(self.state, code), past)

    def random_walk(
        self, chance: Random, plies: int | None = None
    ) -> Iterator[tuple[str, Position]]:
        """Yields random legal moves, each with the position after it.

        Stops at the end of the game or after `plies` moves. All moves of a position have the same
        probability.

        Raises:
            UsageError: `chance` is not a `random.Random`.
        """
        if not isinstance(chance, Random):
            raise refuse("chance", chance, "random.Random")
        position, count = self, 0
        while count != plies and (codes := position.codes()):
            code = chance.choice(codes)
            position, count = position.after(code), count + 1
            yield self.game.write_move(code), position

    def book_line(self, moves: Iterable[str]) -> list[str]:
        """Returns moves from this position as books about the game write them.

        Moves of a game without a notation of books are returned as they are.

        Raises:
            UsageError: a move is illegal.
        """
        if not self.game.has_book_notation:
            return list(moves)
        position, texts = self, list[str]()
        for move in moves:
            code = position._code(move)
            texts.append(position.game.book_move(code, position.state))
            position = position.play(code)
        return texts

    def outcome(self) -> Outcome | None:
        """Returns the outcome of a finished game, or None if the game is not over."""
        if self.is_over():
            return Outcome.of_value(rules.final_value(self.state), rules.side_to_move(self.state))
        return Outcome.DRAW if self._is_repetition() else None

    def is_over(self) -> bool:
        """Returns whether the game has ended and its outcome is the rules' `final_value`.

        This includes games that end because every move would be a forbidden repetition. A draw by
        repetition is not included.
        """
        if rules.is_over(self.state):
            return True
        return rules.repetition_is_forbidden(self.state) and not self._legal

    def winning_line(self) -> list[str]:
        """Returns the names of the places that show how the game was won.

        The list is empty if the game is not over, is a draw, or is not won by pieces on certain
        places.
        """
        outcome = self.outcome()
        if outcome is None or outcome.winner is None:
            return []
        contents, board = self.game.contents(self.state), self.game.board
        places = self.game.winning_line(self.state)
        lost = {"x": "o", "o": "x"}[outcome.winner]
        return [board.name(place) for place in places if contents[place].owner != lost]

    @property
    def fields(self) -> tuple[Any, ...]:
        """The fields of the state as arguments of machine code (`papan.jit.compiler.entry_of`)."""
        fields: tuple[Any, ...] = self.state
        return fields

    @property
    def key(self) -> int:
        """The Zobrist key of the state."""
        return int(rules.key(self.state))

    @property
    def position_key(self) -> int:
        """The key by which `past` records this position."""
        return int(repetition.position_key(self.state))

    @property
    def stood(self) -> int:
        """Number of earlier occurrences of this position; 0 in games without a repetition rule."""
        return self.past.count(self.position_key)

    def facts(self) -> dict[str, int]:
        """Returns numbers to show next to the board: message name → number."""
        return self.game.facts(self.state)

    def __str__(self) -> str:
        return self.game.write_state(self.state)

    def __repr__(self) -> str:
        return f"<{self.game.spec} {self}>"

    def _is_repetition(self) -> bool:
        limit = rules.repetition_limit(self.state)
        if limit == 0 or len(self.past) < limit - 1:
            return False
        if rules.is_over(self.state):
            return False
        return self.stood >= limit - 1

    def _refusal(self, move: str | int, legal: list[int]) -> UsageError | GameOver:
        move = move if isinstance(move, str) else quoted_value(move)
        outcome = self.outcome()
        if outcome is not None:
            return GameOver("game.over", move=move, outcome=outcome.value)
        first = ", ".join(self.game.write_move(code) for code in legal[:8])
        if len(legal) > 8:
            first += f", … ({len(legal)})"
        return IllegalMove("move.illegal", text=move, legal=first)
