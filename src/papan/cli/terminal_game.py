"""A game at the terminal: people type moves, programs reply, the board is shown."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from papan.cli.search import DEFAULT_ALGORITHM
from papan.cli.terminal import Terminal, printable
from papan.cli.values import prepare_solver, show_values
from papan.core.moves import beginning
from papan.errors import UsageError
from papan.figures.terminal_board import text_board
from papan.play.table import GameInPlay, Termination, ask
from papan.players.base import Player
from papan.players.levels import LevelPlayer, measured_at
from papan.report import describe_side, format_score
from papan.search.limits import Limit
from papan.tablebase.lookup import Tablebase

#: Limit of the search for a hint.
HINT_LIMIT = Limit(depth=6, seconds=2.0)
#: Limit of the proof of the values of moves.
VALUES_LIMIT = Limit(seconds=2.0)


#: Maximum number of shown moves that start with the typed text.
_MOST_SHOWN = 12


class _Left(Exception):
    """Raised when the person quits the game."""


@dataclass
class TerminalGame:
    """A game at the terminal.

    Attributes:
        terminal: the terminal.
        seats: the players of the sides; None for a person.
        limit: the limit of a program's move.
        game: the current game.
        tablebase: the tablebase for values of moves; None for none.
        shows_values: true to show values before each move of a person.
    """

    terminal: Terminal
    seats: Mapping[str, Player | None]
    limit: Limit
    game: GameInPlay
    tablebase: Tablebase | None = None
    shows_values: bool = False

    def play(self) -> None:
        """Plays until the game is over or the person quits."""
        say = self.terminal.say
        heading = {side: self._name_with_elo(side, name) for side, name in self._names().items()}
        self.terminal.line(say("play.title", game=self.game.start.game.spec, **heading))
        if None in self.seats.values():
            self.terminal.line(say("play.how", move=next(iter(self.game.position.moves()), "-")))
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                # `readline` adds editing and a history to `input`; the tab key completes moves.
                readline = import_module("readline")
                readline.set_completer_delims("")
                readline.set_completer(self._completion)
                readline.parse_and_bind("tab: complete")
        self.show()
        try:
            while not self.game.is_over:
                player = self.seats[self.game.turn]
                if player is None:
                    self.ask()
                else:
                    self.think(player)
        except _Left:
            self.leave()
        else:
            self.announce()

    def show(self) -> None:
        """Shows the board and the facts of the game."""
        position = self.game.position
        last_move = self.game.moves[-1] if self.game.moves else None
        facts = position.facts().items()
        self.terminal.line()
        self.terminal.show(text_board(position, last_move))
        if facts:
            self.terminal.line(", ".join(f"{self.terminal.say(name)} {n}" for name, n in facts))
        if self.shows_values and not self.game.is_over and self.seats[self.game.turn] is None:
            self.values()

    def ask(self) -> None:
        """Reads a move or command from the person to move."""
        text = self._read()
        command = self._commands().get(text)
        if command is not None:
            command()
        elif text:
            try:
                self.make(text)
            except UsageError as error:
                self.terminal.line(self._correction(text, error))

    def _correction(self, text: str, error: UsageError) -> str:
        """Returns a sentence about an illegal text: the moves that start with it, or the error."""
        begun = beginning(self.game.position, text)
        if begun:
            shown = " ".join(begun[:_MOST_SHOWN]) + (" …" if len(begun) > _MOST_SHOWN else "")
            return self.terminal.say("play.begun", moves=shown)
        return printable(self.terminal.say.explain(error))

    def think(self, player: Player) -> None:
        """Lets a program make its move; it loses after an illegal move or a failure."""
        side = self.game.turn
        with contextlib.ExitStack() as waiting:
            if sys.stderr.isatty():
                patience = self.terminal.patience("play.thinking", player=player.spec)
                waiting.enter_context(patience)
            # No time limit: a late program only makes a person wait.
            reply = ask(player, self.game.position, self.limit)
        if reply.choice is not None:
            self.terminal.line(f"{side}: {reply.given}")
        self.game.take(reply, time.time())
        if reply.after is not None:
            self.show()

    def make(self, move: str) -> None:
        """Makes a move and shows the board.

        Raises:
            UsageError: The text is not a move, or the move is illegal.
        """
        self.game.make(move, time.time())
        self.show()

    def undo(self) -> None:
        """Undoes the last move of a person and all later moves."""
        people = [side for side, player in self.seats.items() if player is None]
        if self.game.can_take_back(people):
            self.game.take_back(people, time.time())
            self.show()
        else:
            self.terminal.line(self.terminal.say("play.nothing-to-undo"))

    def hint(self) -> None:
        """Shows the best move of a search."""
        from papan.search.algorithm import search
        from papan.search.registry import algorithm

        with self.terminal.compiling("play.compiling"):
            result = search(self.game.position, HINT_LIMIT, algorithm=algorithm(DEFAULT_ALGORITHM))
        self.terminal.line(
            self.terminal.say(
                "play.hint", move=result.move, score=format_score(result.value), depth=result.depth
            )
        )

    def values(self) -> None:
        """Shows the values of moves that are proven within `VALUES_LIMIT`."""
        from papan.solve.known_values import known_values

        position = self.game.position
        prepare_solver(position, self.tablebase, self.terminal)
        values = known_values(position, self.tablebase, limit=VALUES_LIMIT)
        show_values(values.moves, self.terminal)

    def resign(self) -> None:
        """Ends the game as a loss of the person."""
        self.game.resign(self.game.turn)

    def list_moves(self) -> None:
        """Prints the legal moves."""
        self.terminal.line(" ".join(self.game.position.moves()))

    def help(self) -> None:
        """Prints the commands."""
        say = self.terminal.say
        self.terminal.line(say("play.how", move=self.game.position.moves()[0]))
        for name in self._actions():
            self.terminal.line(f"  {say(f'play.word.{name}'):10} {say(f'play.about.{name}')}")

    def quit(self) -> None:
        """Leaves the game."""
        raise _Left

    def leave(self) -> None:
        """Prints the command that continues the game."""
        line = self.terminal.say(
            "play.left",
            plies=len(self.game.moves),
            game=self.game.start.game.spec,
            line=str(self.game.position),
        )
        self.terminal.line(line)

    def announce(self) -> None:
        """Prints the result and the termination."""
        outcome, cause = self.game.outcome, self.game.cause
        assert cause is not None
        if cause.termination is Termination.RESIGNATION:
            self.terminal.line(self.terminal.say("play.resigned", side=self._side(self.game.turn)))
        elif cause.termination is not Termination.RULES:
            player, detail = self._names()[self.game.turn], cause.error or cause.detail
            self.terminal.line(self.terminal.say("play.fault", player=player, detail=detail))
            for line in cause.printed.splitlines():
                self.terminal.line(f"    {printable(line)}")
        if outcome is None:
            self.terminal.line(self.terminal.say("play.no-result"))
        elif outcome.winner is None:
            self.terminal.line(self.terminal.say("play.draw"))
        else:
            winner = {"side": self._side(outcome.winner), "player": self._names()[outcome.winner]}
            self.terminal.line(self.terminal.say("play.wins", **winner))

    def _side(self, side: str) -> str:
        return describe_side(self.game.start.game, side, self.terminal.say)

    def _read(self) -> str:
        """Reads a line; echoes it if stdin is not a terminal."""
        try:
            text = input(f"{self.game.turn}> ").strip()
        except EOFError:
            self.terminal.line()
            raise _Left from None
        if not sys.stdin.isatty():
            self.terminal.line(printable(text))
        return text

    def _completion(self, text: str, number: int) -> str | None:
        """Returns the move or command with an index among those that start with a text."""
        words = [word for word in self._commands() if word.startswith(text)]
        return [*beginning(self.game.position, text), *words, None][: number + 1][-1]

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {
            "undo": self.undo,
            "hint": self.hint,
            "values": self.values,
            "resign": self.resign,
            "moves": self.list_moves,
            "help": self.help,
            "quit": self.quit,
        }

    def _commands(self) -> dict[str, Callable[[], None]]:
        """The commands by their English and translated words."""
        actions = self._actions()
        spoken = {self.terminal.say(f"play.word.{name}"): act for name, act in actions.items()}
        return {**actions, **spoken}

    def _names(self) -> dict[str, str]:
        """The names of the players by side."""
        human = self.terminal.say("play.human")
        return {side: human if seat is None else seat.spec for side, seat in self.seats.items()}

    def _name_with_elo(self, side: str, name: str) -> str:
        """Returns the name of a player, with Elo for measured levels."""
        seat = self.seats[side]
        level = None
        if isinstance(seat, LevelPlayer):
            level = measured_at(self.game.start.game, seat.number)
        if level is None:
            return name
        elo, error = f"{level.elo:,.0f}", f"{level.error:.0f}"
        return self.terminal.say("play.measured", player=name, elo=elo, error=error)
