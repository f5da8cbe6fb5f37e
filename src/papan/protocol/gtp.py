"""GTP, the Go Text Protocol, version 2: its lines, the arbiter's side, and the program's side.

A command is one line. A reply begins with `=` or `?` and ends with an empty line. Times are whole
seconds.

Source: Farnebäck, "Specification of the Go Text Protocol, version 2, draft 2", 2002, sections 2
and 6.
"""

from __future__ import annotations

import math
import re
import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from papan.core.game import Game, Position
from papan.core.gtp import colour, find_move, is_forced_pass, side_of, with_setup
from papan.errors import PapanError, PlayerCrash, PlayerRefusal, Resigned
from papan.protocol.client import BestMove, Partner
from papan.protocol.guards import Guards
from papan.protocol.messages import Go, Info, escape_unprintable

VERSION = "2"

#: Error messages of the standard.
UNKNOWN = "unknown command"
SYNTAX = "syntax error"
ILLEGAL = "illegal move"
SIZE = "unacceptable size"
NO_UNDO = "cannot undo"

#: Milliseconds per second; UGI uses milliseconds.
_MS = 1000
_REPLY = re.compile(r"([=?])(\d*)[ \t]*(.*)")


@dataclass(frozen=True)
class GtpReply:
    """A program's reply to a command.

    Attributes:
        is_fine: True for `=`, False for `?`.
        number: number of the command; empty if the program did not repeat it.
        text: the text after the number, its lines joined by line feeds.
    """

    is_fine: bool
    number: str
    text: str

    def as_text(self) -> str:
        """Returns the reply as sent, without its last line feed."""
        mark = "=" if self.is_fine else "?"
        return f"{mark}{self.number} {self.text}".rstrip() + "\n"


def read_reply(line: str) -> GtpReply | None:
    """Returns the reply that starts with a line; None if the line does not start a reply."""
    match = _REPLY.fullmatch(escape_unprintable(line).strip())
    return match and GtpReply(match[1] == "=", match[2], match[3].strip())


def read_command(line: str) -> tuple[str, str, list[str]]:
    """Returns number, name and arguments of a command; all empty for an empty line or a comment."""
    words = "".join(c if c.isprintable() else " " for c in line.partition("#")[0]).split()
    number = words.pop(0) if words and words[0].isdigit() else ""
    return number, words[0] if words else "", words[1:]


def time_commands(go: Go) -> dict[str, str]:
    """Returns the commands that set the time for a move, with their arguments.

    `time_settings` is a key by itself; `time_left` has one key per colour.
    """
    commands = {}
    if go.movetime is not None:
        # At least one second: 0 would mean a game without a time limit.
        commands["time_settings"] = f"0 {max(1, go.movetime // _MS)} 1"
    for name, left in (("b", go.p1time), ("w", go.p2time)):
        if left is not None:
            commands[f"time_left {name}"] = f"{left // _MS} 0"
    return commands


@dataclass
class TimeSettings:
    """Time settings of a controller: main time, then periods of some seconds for some moves.

    Attributes:
        main: main time in seconds.
        period: length of a period in seconds.
        stones: number of moves in a period.
        left: colour → remaining seconds and moves; 0 moves means main time.
    """

    main: float = 0.0
    period: float = 0.0
    stones: int = 0
    left: dict[str, tuple[float, int]] | None = None

    @classmethod
    def read(cls, words: list[str]) -> TimeSettings:
        """Reads the arguments of `time_settings`.

        Raises:
            ValueError: the arguments are not three numbers.
        """
        main, period, stones = words
        return cls(_seconds(main), _seconds(period), int(stones))

    def note(self, colour: str, seconds: str, stones: str) -> None:
        """Stores the values of `time_left`.

        Raises:
            ValueError: the values are not numbers.
        """
        self.left = {**(self.left or {}), colour: (_seconds(seconds), int(stones))}

    def go(self, colour: str) -> Go:
        """Returns the limit for the next move of a colour; empty if no time was set."""
        seconds, stones = (self.left or {}).get(colour, (self.main, 0))
        if stones > 0:
            return Go(movetime=_milliseconds(seconds / stones))
        if seconds > 0:
            left = _milliseconds(seconds)
            return Go(p1time=left) if colour == "b" else Go(p2time=left)
        # A period with 0 moves means no time limit.
        return Go(movetime=_milliseconds(self.period / self.stones)) if self.stones > 0 else Go()


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < math.inf:
        raise ValueError(text)
    return seconds


def _milliseconds(seconds: float) -> int:
    return max(1, int(seconds * _MS))


class GtpClient(Partner):
    """A connection to a program, which is asked for moves and gets the opponent's moves.

    The program keeps its board from move to move. If the moves do not continue the moves that were
    sent, all moves are sent again from the start.
    """

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        super().__init__(command, guards, name)
        self.commands: frozenset[str] = frozenset()
        self._number = 0
        self._sent_moves: list[str] = []
        self._position: Position | None = None
        self._times: dict[str, str] = {}

    def greet(self) -> None:
        """Checks the protocol version and reads the list of the program's commands."""
        deadline = time.monotonic() + self.guards.start_seconds
        reply = self._ask("protocol_version", deadline)
        if not reply.is_fine or reply.text != VERSION:
            raise PlayerCrash("player.gtp-no-reply", text=self._name, given=reply.text)
        self.commands = frozenset(self._run("list_commands", deadline).split())

    def new_game(self, game: Game, seed: int) -> None:
        """Sets the game, the board size and the other settings in `Game.gtp_setup`."""
        ready_seconds = self.guards.ready_seconds
        deadline = time.monotonic() + ready_seconds
        if "set_game" in self.commands:
            self._run(f"set_game {game.title}", deadline, ready_seconds=ready_seconds)
        for name, number in game.gtp_setup().items():
            self._run(f"{name} {number:g}", deadline, ready_seconds=ready_seconds)
        self._times = {}
        self._clear(game, deadline)

    def answer(self, base: Position, moves: Sequence[str], go: Go, deadline: float) -> BestMove:
        if base != base.game.start():
            raise PlayerRefusal("player.gtp-start", text=self._name, game=base.game.spec)
        if self._position is None or self._sent_moves != list(moves[: len(self._sent_moves)]):
            self._clear(base.game, deadline)
        for move in moves[len(self._sent_moves) :]:
            self._send_move(move, deadline)
        self._set_time(go, deadline)
        return BestMove(self._generate_move(deadline), Info())

    # --- the parts of a move

    def _clear(self, game: Game, deadline: float) -> None:
        self._run("clear_board", deadline)
        self._position, self._sent_moves = game.start(), []

    def _send_move(self, move: str, deadline: float) -> None:
        """Makes a move on the program's board."""
        assert self._position is not None
        position = self._position
        name = position.game.gtp_move(position.game.read_move(move, position.state))
        command = f"play {colour(position.side)} {name}"
        # Some programs, such as GRhino, make forced passes themselves and reject them from others.
        if is_forced_pass(position):
            self._ask(command, deadline)
        else:
            self._run(command, deadline)
        self._record_move(move)

    def _record_move(self, move: str) -> None:
        assert self._position is not None
        self._position = self._position.play(move)
        self._sent_moves.append(move)

    def _set_time(self, go: Go, deadline: float) -> None:
        """Sends the time limits, if the program supports them and they have changed."""
        for command, words in time_commands(go).items():
            known = command.partition(" ")[0] in self.commands
            if known and self._times.get(command) != words:
                self._run(f"{command} {words}", deadline)
                self._times[command] = words

    def _generate_move(self, deadline: float) -> str:
        """Returns the program's move in the game's notation, or its reply if that is not a legal
        move."""
        assert self._position is not None
        position = self._position
        text = self._run(f"genmove {colour(position.side)}", deadline)
        if text.lower() == "resign":
            raise Resigned(text=self._name)
        code = find_move(position, text)
        if code is None:
            return text
        move = position.game.write_move(code)
        self._record_move(move)
        return move

    # --- commands and replies

    @property
    def _name(self) -> str:
        return shlex.join(self.child.command)

    def _run(self, command: str, deadline: float, *, ready_seconds: float | None = None) -> str:
        """Sends a command and returns the text of its reply.

        Raises:
            PlayerRefusal: the program replies with an error.
        """
        reply = self._ask(command, deadline, ready_seconds=ready_seconds)
        if not reply.is_fine:
            values = {"text": self._name, "command": command, "reason": reply.text}
            raise PlayerRefusal("player.gtp-refused", **values)
        return reply.text

    def _ask(
        self, command: str, deadline: float, *, ready_seconds: float | None = None
    ) -> GtpReply:
        """Sends a command and returns its reply; skips replies with another number."""
        self._number += 1
        self.child.send(f"{self._number} {command}")
        whole: GtpReply | None = None
        for line in self.child.lines(deadline, ready_seconds=ready_seconds):
            if whole is None:
                reply = read_reply(line)
                if reply is not None and reply.number in ("", str(self._number)):
                    whole = reply
            elif line.strip():
                whole = GtpReply(whole.is_fine, whole.number, f"{whole.text}\n{line.strip()}")
            else:
                return whole
        raise AssertionError("lines end with an exception")


# --- the program's side

#: Returns the move for a position within a limit, in the game's notation.
Choose = Callable[[Position, Go], str]


class Refusal(Exception):
    """Signals that a command gets the reply `?`; its text is the reason."""


class GtpServer:
    """A game and a player that obey a controller.

    An invalid command gets a reply with `?` and the standard error message, and changes nothing.

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
