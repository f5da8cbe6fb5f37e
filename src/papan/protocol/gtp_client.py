"""The arbiter's side of GTP: asks a program for moves and sends it the opponent's moves."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence

from papan.core.game import Game, Position
from papan.core.gtp import colour, find_move, is_forced_pass
from papan.errors import PlayerCrash, PlayerRefusal, Resigned
from papan.protocol.client import BestMove, Partner
from papan.protocol.gtp_messages import VERSION, GtpReply, read_reply, time_commands
from papan.protocol.guards import Guards
from papan.protocol.messages import Go, Info


class GtpClient(Partner):
    """A connection in GTP.

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
