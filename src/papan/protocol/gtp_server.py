"""The program's side of GTP: a game and a player that obey a controller.

An invalid command gets a reply with `?` and the standard error message, and changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from papan.core.game import Game, Position
from papan.core.gtp import colour, find_move, side_of, with_setup
from papan.errors import PapanError
from papan.protocol.gtp_messages import (
    ILLEGAL,
    NO_UNDO,
    SIZE,
    SYNTAX,
    UNKNOWN,
    VERSION,
    GtpReply,
    TimeSettings,
    read_command,
)
from papan.protocol.messages import Go

#: Returns the move for a position within a limit, in the game's notation.
Choose = Callable[[Position, Go], str]


class Refusal(Exception):
    """Signals that a command gets the reply `?`; its text is the reason."""


class GtpServer:
    """A connection to a controller.

    Args:
        choose: returns the moves; called only in unfinished games.
        game: the game; the controller may change the board size.
        write: sends a text to the controller.
        name: name of the program.
        version: version of the program.
        show: returns a position as text, for `showboard`.
        begin: prepares the player for a game.
    """

    def __init__(
        self,
        choose: Choose,
        game: Game,
        write: Callable[[str], None],
        *,
        name: str,
        version: str,
        show: Callable[[Position], str] = str,
        begin: Callable[[Game], None] = lambda game: None,
    ) -> None:
        self.choose, self.write, self.show, self.begin = choose, write, show, begin
        self.positions = [game.start()]
        self.times = TimeSettings()
        self._commands: Mapping[str, Callable[..., str]] = {
            "protocol_version": lambda: VERSION,
            "name": lambda: name,
            "version": lambda: version,
            "known_command": lambda word: "true" if word in self._commands else "false",
            "list_commands": lambda: "\n".join(self._commands),
            "quit": lambda: "",
            "list_games": lambda: self.game.title,
            "set_game": self._set_game,
            "boardsize": self._boardsize,
            "clear_board": self._clear_board,
            "komi": self._komi,
            "play": self._play,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "showboard": lambda: "\n" + self.show(self.position),
        }

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def game(self) -> Game:
        """The current game."""
        return self.position.game

    def serve(self, lines: Iterable[str]) -> None:
        """Processes commands until `quit` or the end of the lines."""
        for line in lines:
            number, command, words = read_command(line)
            if command:
                self.write(self.reply(number, command, words).as_text())
            if command == "quit":
                return

    def reply(self, number: str, command: str, words: list[str]) -> GtpReply:
        """Processes one command; errors become replies, not exceptions."""
        if command not in self._commands:
            return GtpReply(False, number, UNKNOWN)
        try:
            return GtpReply(True, number, self._commands[command](*words))
        except Refusal as refusal:
            return GtpReply(False, number, str(refusal))
        except (TypeError, ValueError):  # wrong number or type of arguments
            return GtpReply(False, number, SYNTAX)
        except PapanError as error:
            return GtpReply(False, number, " ".join(str(error).split()))

    # --- the game

    def _start(self, game: Game) -> str:
        self.positions = [game.start()]
        return ""

    def _set_game(self, *words: str) -> str:
        if " ".join(words).lower() not in (self.game.title.lower(), self.game.name):
            raise Refusal(f"unsupported game; this program plays {self.game.title}")
        return ""

    def _boardsize(self, size: str) -> str:
        game = with_setup(self.game, "boardsize", int(size))
        if game is None:
            raise Refusal(SIZE)
        return self._start(game)

    def _komi(self, komi: str) -> str:
        # Controllers send `komi` for any game.
        if "komi" not in self.game.gtp_setup():
            float(komi)
            return ""
        game = with_setup(self.game, "komi", float(komi))
        if game is None:
            raise Refusal(SYNTAX)
        return self._start(game) if game != self.game else ""

    def _clear_board(self) -> str:
        self._start(self.game)
        self.begin(self.game)
        return ""

    # --- moves

    def _play(self, side: str, name: str) -> str:
        if side_of(side) is None:
            raise Refusal(SYNTAX)
        before = len(self.positions)
        self._pass_for(side)
        code = find_move(self.position, name) if self._is_turn(side) else None
        if code is None:
            del self.positions[before:]
            raise Refusal(ILLEGAL)
        self.positions.append(self.position.after(code))
        return ""

    def _genmove(self, side: str) -> str:
        self._pass_for(side)
        move = self._chosen(side)
        name = self.game.gtp_move(self.game.read_move(move, self.position.state))
        self.positions.append(self.position.play(move))
        return name

    def _reg_genmove(self, side: str) -> str:
        move = self._chosen(side)
        return self.game.gtp_move(self.game.read_move(move, self.position.state))

    def _chosen(self, side: str) -> str:
        if side_of(side) is None:
            raise Refusal(SYNTAX)
        if not self._is_turn(side):
            raise Refusal(ILLEGAL)
        return self.choose(self.position, self.times.go(colour(self.position.side)))

    def _is_turn(self, side: str) -> bool:
        return self.position.side == side_of(side) and self.position.outcome() is None

    def _pass_for(self, side: str) -> None:
        """Passes for the other side if it must pass: some controllers omit this move."""
        moves = self.position.moves()
        if self.position.side != side_of(side) and moves == ["pass"]:
            self.positions.append(self.position.play("pass"))

    def _undo(self) -> str:
        if len(self.positions) == 1:
            raise Refusal(NO_UNDO)
        self.positions.pop()
        return ""

    # --- time

    def _time_settings(self, *words: str) -> str:
        self.times = TimeSettings.read(list(words))
        return ""

    def _time_left(self, side: str, seconds: str, stones: str) -> str:
        if (known := side_of(side)) is None:
            raise Refusal(SYNTAX)
        self.times.note(colour(known), seconds, stones)
        return ""
