"""The arbiter's side of GTP: asks a program for moves, and tells it those of the other side."""

from __future__ import annotations

import shlex
import time
from collections.abc import Sequence

from papan.core.game import Game, Position
from papan.core.gtp import colour, find_move
from papan.errors import PlayerCrash, Resigned
from papan.protocol.client import BestMove, Partner
from papan.protocol.gtp_messages import VERSION, GtpReply, read_reply, time_commands
from papan.protocol.guards import Guards
from papan.protocol.messages import Go, Info


class GtpClient(Partner):
    """A conversation in GTP.

    The program's board is kept as it is from move to move; where the moves do not go on from those
    that it was told, they are told anew from the start.
    """

    def __init__(self, command: Sequence[str], guards: Guards, name: str = "") -> None:
        super().__init__(command, guards, name)
        self.commands: frozenset[str] = frozenset()
        self._number = 0
        self._told: list[str] = []
        self._position: Position | None = None
        self._times: dict[str, str] = {}

    def greet(self) -> None:
        """Asks for the version of the protocol, and for the commands that the program knows."""
        deadline = time.monotonic() + self.guards.start_seconds
        reply = self._ask("protocol_version", deadline)
        if not reply.is_fine or reply.text != VERSION:
            raise PlayerCrash("player.gtp-no-reply", text=self._name, given=reply.text)
        self.commands = frozenset(self._done("list_commands", deadline).split())

    def new_game(self, game: Game, seed: int) -> None:
        """Sets the game, the size of the board and what else `Game.gtp_setup` names."""
        ready_seconds = self.guards.ready_seconds
        deadline = time.monotonic() + ready_seconds
        if "set_game" in self.commands:
            self._done(f"set_game {game.title}", deadline, ready_seconds=ready_seconds)
        for name, number in game.gtp_setup().items():
            self._done(f"{name} {number:g}", deadline, ready_seconds=ready_seconds)
        self._times = {}
        self._clear(game, deadline)

    def answer(self, base: Position, moves: Sequence[str], go: Go, deadline: float) -> BestMove:
        if base != base.game.start():
            raise PlayerCrash("player.gtp-start", text=self._name, game=base.game.spec)
        if self._position is None or self._told != list(moves[: len(self._told)]):
            self._clear(base.game, deadline)
        for move in moves[len(self._told) :]:
            self._tell(move, deadline)
        self._set_time(go, deadline)
        return BestMove(self._generate_move(deadline), Info())

    # --- the parts of a move

    def _clear(self, game: Game, deadline: float) -> None:
        self._done("clear_board", deadline)
        self._position, self._told = game.start(), []

    def _tell(self, move: str, deadline: float) -> None:
        """Has the program make a move on its board."""
        assert self._position is not None
        position = self._position
        name = position.game.gtp_move(position.game.read_move(move, position.state))
        self._done(f"play {colour(position.side)} {name}", deadline)
        self._record_move(move)

    def _record_move(self, move: str) -> None:
        assert self._position is not None
        self._position = self._position.play(move)
        self._told.append(move)

    def _set_time(self, go: Go, deadline: float) -> None:
        """Sets what a move may take, if the program wants to know it and does not know it yet."""
        for command, words in time_commands(go).items():
            known = command.partition(" ")[0] in self.commands
            if known and self._times.get(command) != words:
                self._done(f"{command} {words}", deadline)
                self._times[command] = words

    def _generate_move(self, deadline: float) -> str:
        """The program's move in the game's notation, or what it says if that is no legal move."""
        assert self._position is not None
        position = self._position
        text = self._done(f"genmove {colour(position.side)}", deadline)
        if text.lower() == "resign":
            raise Resigned(text=self._name)
        code = find_move(position, text)
        if code is None:
            return text
        move = position.game.write_move(code)
        self._record_move(move)
        return move

    # --- questions and answers

    @property
    def _name(self) -> str:
        return shlex.join(self.child.command)

    def _done(self, command: str, deadline: float, *, ready_seconds: float | None = None) -> str:
        """The text of the reply to a command.

        Raises:
            PlayerCrash: the program refuses it.
        """
        reply = self._ask(command, deadline, ready_seconds=ready_seconds)
        if not reply.is_fine:
            values = {"text": self._name, "command": command, "reason": reply.text}
            raise PlayerCrash("player.gtp-refused", **values)
        return reply.text

    def _ask(
        self, command: str, deadline: float, *, ready_seconds: float | None = None
    ) -> GtpReply:
        """The reply to a command. What bears another number is no answer to it."""
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
