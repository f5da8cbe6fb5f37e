"""Game and Position: what Python users, players and pages see of the rules.

A `Game` holds a game's options and its notation; a `Position` is everything needed to go on. Both
are immutable. Behind them stand the compiled rules: a state and the operations on it.
"""

from __future__ import annotations

import enum
import functools
import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from operator import index
from random import Random
from typing import Any, ClassVar, NamedTuple

from papan.core import moves, spec
from papan.core.arguments import fits, quoted_value, refuse
from papan.core.board.geometry import Geometry, Step
from papan.core.board.pieces import TWO_SIDES, WHOLE, Content, Piece, impossible
from papan.core.board.winning import chain, full_rows
from papan.core.checked_methods import CheckedMethods
from papan.core.gtp import NamedInGtp
from papan.core.notation import SIDES
from papan.core.position_line import read_fields, write_fields
from papan.errors import GameOver, IllegalMove, InvalidPosition, UsageError
from papan.rules import operations as rules
from papan.rules import repetition
from papan.rules.fields import field_type
from papan.rules.operations import Evaluation, State
from papan.rules.walk import WALKS, choice_of, steps_of


class Outcome(enum.Enum):
    """The result of a finished game."""

    X_WINS = "x"
    O_WINS = "o"
    DRAW = "draw"

    @classmethod
    def of_winner(cls, side: int) -> Outcome:
        """The outcome in which that side (0 or 1) wins."""
        return (cls.X_WINS, cls.O_WINS)[side]

    @property
    def winner(self) -> str | None:
        """`x`, `o`, or None for a draw."""
        return None if self is Outcome.DRAW else self.value

    def points(self, side: str) -> float:
        """1 for a win of that side, ½ for a draw, 0 for a loss."""
        if self is Outcome.DRAW:
            return 0.5
        return 1.0 if self.value == side else 0.0


def by_side(state: Any) -> tuple[Any, Any]:
    """A state's `mine` and `theirs` as those of `x` and of `o`."""
    if state.side == 0:
        return state.mine, state.theirs
    return state.theirs, state.mine


# States of different games may be equal as tuples, hence `typed`, here and below.
@functools.lru_cache(maxsize=1024, typed=True)
def _contents(board: Geometry, pieces: tuple[Piece, ...], state: State) -> dict[int, Content]:
    return {place: content_at(pieces, state, place) for place in board.squares}


def content_at(pieces: tuple[Piece, ...], state: State, place: int) -> Content:
    """The content of one place, of the kinds of pieces of a game."""
    number, kind = rules.count_at(state, place), rules.piece_at(state, place)
    if not all(isinstance(one, WHOLE) for one in (number, kind)) or not 0 <= kind <= len(pieces):
        raise impossible(pieces, state, place)
    piece = pieces[kind - 1] if kind else None
    return Content(piece, None if number < 0 else number, piece.owner if piece else "")


# A page asks for the same ones again and again, and in Amazons there are thousands.
@functools.lru_cache(maxsize=64, typed=True)
def _codes(state: State) -> tuple[int, ...]:
    """Returns the moves of a state as numbers, with those that lead to forbidden positions."""
    codes, rest = [], rules.moves(state)
    while rules.more(state, rest):
        codes.append(rules.head(state, rest))
        rest = rules.tail(state, rest)
    return tuple(codes)


@functools.lru_cache(maxsize=256)
def _walk(game: Game) -> type | None:
    """The class of the walk from place to place that the moves of a game are; None for others."""
    walk = type(rules.moves(game.start_state()))
    return walk if walk in WALKS else None


class NothingKnown(NamedTuple):
    """The evaluation of a game that has none: an unfinished game is worth 0."""


@rules.evaluate.register(NothingKnown)
def _(evaluation: NothingKnown, state: State) -> int:
    return 0


@dataclass(frozen=True)
class Game(NamedInGtp, ABC):
    """The rules with their options and notation. Subclasses are frozen dataclasses of options."""

    #: The name in specs, one word; by default that of the class: `TicTacToe` is `tic-tac-toe`.
    name: ClassVar[str]
    #: The name for people; by default that of the class.
    title: ClassVar[str]
    #: The class of the compiled state; by default whatever `start_state` returns.
    state_class: ClassVar[type] = tuple
    #: Evaluations by name; the first one is used when nothing else is said.
    evaluations: ClassVar[Mapping[str, Evaluation]] = {"none": NothingKnown()}
    #: The name of the evaluation that plays best, if that is not the first one.
    strongest: ClassVar[str] = ""
    #: Specs of the players by level (`papan.players.levels`), where they differ from the general.
    levels: ClassVar[Mapping[str, str]] = {}
    #: The kinds of pieces, 1, 2 … as `piece_at` numbers them.
    pieces: ClassVar[tuple[Piece, ...]] = TWO_SIDES
    #: What is written between the steps of a move, the last one as often as it takes.
    joints: ClassVar[tuple[str, ...]] = ("-",)
    #: Words that occur in written moves beside the names of places.
    words: ClassVar[tuple[str, ...]] = ()
    #: Fields of a state that follow from others: position lines leave them out, `completed` adds
    #: them.
    derived: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **keywords: Any) -> None:
        super().__init_subclass__(**keywords)
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__).lower()
        if not hasattr(cls, "name"):
            cls.name = words.replace(" ", "-")
        if not hasattr(cls, "title"):
            cls.title = words.capitalize()

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
        """The state that a game starts from."""

    @property
    def max_plies(self) -> int:
        """No game lasts longer than this; by default what `max_plies_left` says of the start."""
        return int(rules.max_plies_left(self.start_state()))

    @property
    def winning_row(self) -> int:
        """The number of pieces in a straight row that win; 0 for games won otherwise (default)."""
        return 0

    def allows(self, state: State) -> bool:
        """True if a position that was read can be one of this game; by default all can."""
        return True

    def read_state(self, line: str) -> State:
        """The state that a position line describes; by default in the notation of
        `papan.core.notation`.

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
        """The position line of a state."""
        return write_fields(self.board, state, self.pieces, self._omitted_fields(state))

    def completed(self, state: State) -> State:
        """A state that was read, with what is `derived`; before, that is as at the start."""
        return state

    def _omitted_fields(self, state: State) -> list[str]:
        """Returns the fields that `write_state` omits: derived fields, and settings.

        Settings are integers with the name of an option of the game.
        """
        fields = ((name, getattr(state, name, None)) for name in spec.options_of(type(self)))
        return [*self.derived, *(name for name, value in fields if type(value) is int)]

    def contents(self, state: State) -> Mapping[int, Content]:
        """The content of each place, as `piece_at` and `count_at` say it."""
        return _contents(self.board, self.pieces, state)

    def steps(self, move: int) -> tuple[Step, ...]:
        """The steps of a legal move: the places to touch, by their numbers, and words (`pass`). By
        default those of a from-to walk, with the word of a choice; else the place of its number."""
        walk = _walk(self)
        if walk is None:
            return (move,)
        places = tuple(filter(self.board.has, steps_of(self.board.empty, walk, move)))
        choice = choice_of(walk, move)
        return (*places, self.words[choice - 1]) if 0 < choice <= len(self.words) else places

    def touches(self, move: int) -> tuple[int, ...]:
        """Places that mean a move when one of them is touched, beside its first step: all squares
        of a column into which a piece is dropped. By default none."""
        return ()

    def read_move(self, text: str, state: State) -> int:
        """The number of the move of a state that is written so; −1 if the text is written like a
        move and no legal one is.

        Raises:
            InvalidMove: the text is no move of this game, legal or not.
        """
        place = self.board.find(text)
        # A quick way for most games. Only a legal move has steps: a rule may fail at other numbers.
        if place is not None and place in _codes(state) and self.steps(place) == (place,):
            return place
        return moves.read(self, text, state)

    def write_move(self, move: int) -> str:
        """The notation of a move; by default its steps, joined."""
        return self.board.written(self.steps(move), self.joints)

    def facts(self, state: State) -> dict[str, int]:
        """Numbers to show beside the board: message name → number."""
        return {}

    def winning_line(self, state: State) -> tuple[int, ...]:
        """The places that show how a finished game was won. By default the rows of `winning_row`
        pieces of one side, or a chain that joins the edges of its side."""
        owners = {place: content.owner for place, content in self.contents(state).items()}
        if self.winning_row:
            return tuple(full_rows(self.board, owners, self.winning_row))
        return tuple(chain(self.board, owners))

    def homes(self) -> dict[int, str]:
        """Squares that belong to a side in this game, to be tinted: square → `x` or `o`."""
        return {}

    def solvers(self) -> tuple[type[Any], ...]:
        """Own ways to solve positions (`papan.solve.base.Solver`), tried in this order."""
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
        """The start position."""
        return Position.unchecked(self, self.start_state())

    def position(self, line: str = "") -> Position:
        """The position that a line describes; the start position for an empty line.

        Raises:
            InvalidPosition: the line is malformed or the rules do not allow it.
            UsageError: it is no text.
        """
        if not isinstance(line, str):
            raise refuse("line", line, "@argument.text")
        return Position.unchecked(self, self.read_state(line)) if line else self.start()

    def check_state(self, state: State) -> None:
        """Refuses what is no state of this game: of another class, or one that its position line
        does not describe, since a field is out of range.

        Raises:
            InvalidPosition: it is none.
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
        # Rules and notation may fail at anything where a field is what no play makes of it.
        except Exception:
            is_one = False
        if not is_one:
            raise InvalidPosition("argument.unreachable", text=quoted_value(state), game=self.spec)

    def __str__(self) -> str:
        return self.spec


@functools.singledispatch
def picture(quoted_value: object) -> str | None:
    """An object as SVG. Rules and searches do not draw: `papan.figures` and `papan.notebook`
    register how it is done, and until they are loaded there is no picture."""
    return None


@functools.singledispatch
def account(quoted_value: object) -> str | None:
    """An object as HTML: a picture with a table beside it; registered like `picture`."""
    return None


class Displayed:
    """An object that shows itself in notebooks, as `picture` and `account` say."""

    def _repr_svg_(self) -> str | None:
        return picture(self)

    def _repr_html_(self) -> str | None:
        return account(self)


@dataclass(frozen=True)
class Position(Displayed, CheckedMethods):
    """Everything needed to go on with a game.

    Attributes:
        game: the rules.
        state: the compiled state.
        past: the position keys of all earlier positions of the game, the oldest first; empty in
            games without a repetition rule.
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
        """A position that the rules themselves have made: its state needs no look."""
        position = object.__new__(cls)
        for name, value in (("game", game), ("state", state), ("past", past)):
            object.__setattr__(position, name, value)
        return position

    @property
    def side(self) -> str:
        """The side to move, `x` or `o`."""
        return SIDES[rules.side_to_move(self.state)]

    def codes(self) -> list[int]:
        """The legal moves as numbers, ascending; none when the game is over."""
        if self._is_repetition():
            return []
        codes = list(_codes(self.state))
        if rules.repetition_is_forbidden(self.state):
            stood = {*self.past, self.position_key}
            codes = [code for code in codes if self.after(code).position_key not in stood]
        return codes

    def moves(self) -> list[str]:
        """The legal moves in the game's notation; none when the game is over."""
        return [self.game.write_move(code) for code in self.codes()]

    def play(self, *moves: str | int) -> Position:
        """The position after moves, each given as text or as its number: `play("c4", "d5")`.
        This one stays as it is.

        Raises:
            InvalidMove: a text is no move.
            IllegalMove: a move is not legal where it is made.
            GameOver: the game has ended.
            TypeError: a move is neither text nor a whole number.
        """
        position = self
        for move in moves:
            code = position._code(move)
            legal = position.codes()
            if code not in legal:
                raise position._refusal(move, legal)
            position = position.after(code)
        return position

    def _code(self, move: str | int) -> int:
        """The number of a move, legal or not."""
        if isinstance(move, str):
            return self.game.read_move(move, self.state)
        if isinstance(move, bool):
            raise TypeError("a move is text or a whole number, not bool")
        return index(move)

    def after(self, code: int) -> Position:
        """The position after a move that is known to be legal."""
        past = (*self.past, self.position_key) if rules.remembers(self.state) else self.past
        return Position.unchecked(self.game, rules.play(self.state, code), past)

    def random_walk(
        self, chance: Random, plies: int | None = None
    ) -> Iterator[tuple[str, Position]]:
        """Yields random legal moves, each with the position after it, to the end of the game or
        until there are `plies` of them. All moves of a position have the same probability."""
        if not isinstance(chance, Random):
            raise refuse("chance", chance, "random.Random")
        position, count = self, 0
        while count != plies and (codes := position.codes()):
            code = chance.choice(codes)
            position, count = position.after(code), count + 1
            yield self.game.write_move(code), position

    def outcome(self) -> Outcome | None:
        """The outcome of a finished game, or None while it goes on."""
        if self.is_over():
            value = rules.final_value(self.state)
            side = rules.side_to_move(self.state)
            return Outcome.of_winner(side if value > 0 else 1 - side) if value else Outcome.DRAW
        return Outcome.DRAW if self._is_repetition() else None

    def is_over(self) -> bool:
        """True if the game has ended with its `final_value`: not by the repetition of a position,
        but perhaps because each move would repeat one and is forbidden."""
        if rules.is_over(self.state):
            return True
        return rules.repetition_is_forbidden(self.state) and not self.codes()

    def winning_line(self) -> list[str]:
        """The names of the places that show how the game was won; none while it goes on, where
        nobody has won, and in games that are not won by what stands in certain places."""
        outcome = self.outcome()
        if outcome is None or outcome.winner is None:
            return []
        contents, board = self.game.contents(self.state), self.game.board
        places = self.game.winning_line(self.state)
        lost = {"x": "o", "o": "x"}[outcome.winner]
        return [board.name(place) for place in places if contents[place].owner != lost]

    @property
    def key(self) -> int:
        """The Zobrist key of the state."""
        return int(rules.key(self.state))

    @property
    def position_key(self) -> int:
        """The number that `past` has of a position."""
        return int(repetition.position_key(self.state))

    @property
    def stood(self) -> int:
        """The number of times that this position has stood before, where the rules ask for it."""
        return self.past.count(self.position_key)

    def facts(self) -> dict[str, int]:
        """Numbers that players want to see beside the board: message name → number."""
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
