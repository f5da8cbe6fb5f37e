"""A game at the terminal: people type their moves, programs think, the board is shown."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from papan.arena.referee import Resigned
from papan.cli.search import DEFAULT_ALGORITHM
from papan.cli.terminal import Terminal, printable, signed
from papan.core.game import Outcome, Position
from papan.errors import PapanError, UsageError
from papan.figures.terminal_board import text_board
from papan.players.base import Player
from papan.search.limits import Limit

#: A hint looks so far ahead, in plies, or thinks so long, in seconds.
HINT_LIMIT = Limit(depth=6, seconds=2.0)


class _Left(Exception):
    """The person has left the table."""


@dataclass
class Table:
    """A game under way.

    Attributes:
        terminal: where it is shown.
        seats: who plays each side; None for a person.
        limit: what a program's move may take.
        position: where the game stands.
        past: earlier positions and the moves made in them.
        ending: the outcome and the message that says how it came about.
    """

    terminal: Terminal
    seats: Mapping[str, Player | None]
    limit: Limit
    position: Position
    past: list[tuple[Position, str]] = field(default_factory=list)
    ending: tuple[Outcome, str] | None = None

    def play(self) -> None:
        """Plays until the game is over or the person leaves."""
        say = self.terminal.say
        self.terminal.line(say("play.title", game=self.position.game.spec, **self._names()))
        if None in self.seats.values():
            self.terminal.line(say("play.how", move=next(iter(self.position.moves()), "-")))
        if sys.stdin.isatty():
            with contextlib.suppress(ImportError):
                import_module("readline")  # gives `input` editing and a history
        self.show()
        try:
            while not self._is_over():
                player = self.seats[self.position.side]
                if player is None:
                    self.ask()
                else:
                    self.think(player)
        except _Left:
            self.leave()
        else:
            self.announce()

    def show(self) -> None:
        """Shows the board and what else there is to know."""
        last_move = self.past[-1][1] if self.past else None
        facts = self.position.facts().items()
        self.terminal.line()
        self.terminal.show(text_board(self.position, last_move))
        if facts:
            self.terminal.line(", ".join(f"{self.terminal.say(name)} {n}" for name, n in facts))

    def ask(self) -> None:
        """Lets the person whose turn it is type a move or a command."""
        text = self._read()
        command = self._commands().get(text)
        if command is not None:
            command()
        elif text:
            try:
                self.make(text)
            except UsageError as error:
                self.terminal.line(printable(self.terminal.say.explain(error)))

    def think(self, player: Player) -> None:
        """Lets a program make its move; one that fails to make a legal one loses."""
        try:
            with contextlib.ExitStack() as waiting:
                if sys.stderr.isatty():
                    patience = self.terminal.patience("play.thinking", player=player.spec)
                    waiting.enter_context(patience)
                move = player.choose(self.position, self.limit).move
            self.terminal.line(f"{self.position.side}: {move}")
            self.make(move)
        except Resigned:
            self.resign()
        except Exception as error:
            detail = error if isinstance(error, PapanError) else f"{type(error).__name__}: {error}"
            self._lose(self.terminal.say("play.fault", player=player.spec, detail=detail))

    def make(self, move: str) -> None:
        """Makes a move and shows the board.

        Raises:
            UsageError: it is no move, or not legal.
        """
        after = self.position.play(move)
        self.past.append((self.position, move))
        self.position = after
        self.show()

    def undo(self) -> None:
        """Takes back a person's last move and what came after it."""
        if all(self.seats[position.side] is not None for position, _ in self.past):
            self.terminal.line(self.terminal.say("play.nothing-to-undo"))
            return
        self.position, _ = self.past.pop()
        while self.seats[self.position.side] is not None:
            self.position, _ = self.past.pop()
        self.show()

    def hint(self) -> None:
        """Says what a search would play."""
        from papan.search.algorithm import search
        from papan.search.registry import algorithm

        with self.terminal.patience("play.compiling"):
            found = search(self.position, HINT_LIMIT, algorithm=algorithm(DEFAULT_ALGORITHM))
        self.terminal.line(
            self.terminal.say(
                "play.hint", move=found.move, score=signed(found.value), depth=found.depth
            )
        )

    def resign(self) -> None:
        """Gives the game to the other side."""
        self._lose(self.terminal.say("play.resigned", side=self.position.side))

    def list_moves(self) -> None:
        """Prints the legal moves."""
        self.terminal.line(" ".join(self.position.moves()))

    def help(self) -> None:
        """Prints what can be typed."""
        say = self.terminal.say
        self.terminal.line(say("play.how", move=self.position.moves()[0]))
        for name in self._actions():
            self.terminal.line(f"  {say(f'play.word.{name}'):10} {say(f'play.about.{name}')}")

    def quit(self) -> None:
        """Leaves the table."""
        raise _Left

    def leave(self) -> None:
        """Says how the game can be gone on with."""
        game, line = self.position.game.spec, str(self.position)
        self.terminal.line(
            self.terminal.say("play.left", plies=len(self.past), game=game, line=line)
        )

    def announce(self) -> None:
        """Says who has won, and how."""
        outcome = self.position.outcome()
        if self.ending is not None:
            outcome, reason = self.ending
            self.terminal.line(reason)
        assert outcome is not None
        if outcome.winner is None:
            self.terminal.line(self.terminal.say("play.draw"))
        else:
            winner = {"side": outcome.winner, "player": self._names()[outcome.winner]}
            self.terminal.line(self.terminal.say("play.wins", **winner))

    def _read(self) -> str:
        """What the person types; echoed where it would not be seen otherwise."""
        try:
            text = input(f"{self.position.side}> ").strip()
        except EOFError:
            self.terminal.line()
            raise _Left from None
        if not sys.stdin.isatty():
            self.terminal.line(printable(text))
        return text

    def _actions(self) -> dict[str, Callable[[], None]]:
        return {
            "undo": self.undo,
            "hint": self.hint,
            "resign": self.resign,
            "moves": self.list_moves,
            "help": self.help,
            "quit": self.quit,
        }

    def _commands(self) -> dict[str, Callable[[], None]]:
        """Commands by their English words and those of the person's language."""
        actions = self._actions()
        spoken = {self.terminal.say(f"play.word.{name}"): act for name, act in actions.items()}
        return {**actions, **spoken}

    def _is_over(self) -> bool:
        return self.ending is not None or self.position.outcome() is not None

    def _lose(self, reason: str) -> None:
        """Ends the game against the side to move."""
        self.ending = Outcome.of_winner(0 if self.position.side == "o" else 1), reason

    def _names(self) -> dict[str, str]:
        """What the participants are called, by side."""
        human = self.terminal.say("play.human")
        return {side: human if seat is None else seat.spec for side, seat in self.seats.items()}
