"""The contract check of players: tests on random games what every player must do.

A new player is tested in three lines:

    from papan.testing import check_player

    def test_my_player_keeps_its_promises():
        check_player("my-player:depth=3")

A player with a time limit moves differently on a busy machine. To check that it plays the same
game twice, give it a limit that it counts: depth, nodes or generations.
"""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from papan.core.arguments import check_arguments
from papan.core.game import Game, Position
from papan.errors import BrokenContract, InvalidSpec
from papan.players import registry
from papan.players.base import Choice, Player
from papan.search.limits import MARGIN, Limit, Now
from papan.usercode import registry as games

#: Number of final positions of each game that are checked (1 to 6 plies before the end).
LAST = 6
#: Maximum number of earlier positions of each game that are checked.
OTHERS = 4
#: Number of plies that are played twice to check that the random numbers repeat.
REPEATED_PLIES = 6


@check_arguments
def check_player(
    player: Player | str,
    game: Game | str | None = None,
    *,
    positions: int = 20,
    seconds: float = 2.0,
    seed: int = 1,
    now: Now = time.perf_counter,
) -> None:
    """Lets a player move in many positions and checks every promise of the contract.

    Args:
        player: a player or its spec. The check creates new players with the same options.
        game: a game or its spec; by default every installed game that the player supports.
        positions: approximate number of positions in each game.
        seconds: time limit per move, which the check enforces.
        seed: seed of all random choices.
        now: clock that measures the time per move.

    Raises:
        BrokenContract: a promise is broken. The message names promise, position and move.

    Examples:
        >>> papan.check_player("random", game="platforms")
    """
    player = registry.player(player) if isinstance(player, str) else player
    rules = [games.game(game) if isinstance(game, str) else game] if game else _games_of(player)
    _refuses_other_games(player)
    for each in rules:
        _PlayerCheck(player, each, Limit(seconds=seconds), seed, now).run(positions)


def _games_of(player: Player) -> list[Game]:
    return [games.game(name) for name in player.games or games.names()]


def _refuses_other_games(player: Player) -> None:
    """Checks that a player raises `InvalidSpec` for each game that it does not support."""
    for name in games.names():
        if not player.games or name in player.games:
            continue
        try:
            replace(player).new_game(games.game(name), 1)
        except InvalidSpec:
            continue
        where = f"{player.spec}, {name}"
        raise broken("refuses-game", where, found=name, expected=InvalidSpec.__name__)


@dataclass
class _PlayerCheck:
    """The check of a player in one game."""

    player: Player
    game: Game
    limit: Limit
    seed: int
    now: Now

    def run(self, positions: int) -> None:
        """Checks all promises."""
        self.is_named_by_its_spec()
        player = self.fresh(self.seed)
        try:
            for position in _random_positions(self.game, positions, Random(self.seed)):
                self.moves_well(player, position)
        finally:
            player.close()
        self.repeats()

    def is_named_by_its_spec(self) -> None:
        """Checks that the spec of an installed player builds an equal player."""
        name, text = self.player.name, ""
        if name not in registry.names() or registry.player_class(name) is not type(self.player):
            return
        try:
            again = registry.player(self.player.spec)
            text = str(again)
        except InvalidSpec as error:
            again, text = None, str(error)
        self.require(again == self.player, "spec", found=text, expected=self.player)

    def moves_well(self, player: Player, position: Position) -> None:
        """Checks that a move is legal and in time, and that the position is unchanged."""
        before = copy.deepcopy(position)
        frozen = pickle.dumps(position)
        began = self.now()
        choice = self.choice(player, position, self.limit)
        spent = self.now() - began
        assert self.limit.seconds is not None
        most = self.limit.seconds + MARGIN
        words = {"found": f"{spent:.3f} s", "expected": f"≤ {most:g} s"}
        self.require(spent <= most, "time", before, choice.move, **words)
        same = position == before and pickle.dumps(position) == frozen
        words = {"found": repr(position), "expected": repr(before)}
        self.require(same, "unchanged", before, choice.move, **words)
        self.legal(before, choice)

    def legal(self, position: Position, choice: Choice) -> None:
        """Checks that the move and the principal variation are legal."""
        moves = position.moves()
        shown = " ".join(moves[:8])
        self.require(choice.move in moves, "legal", position, found=choice.move, expected=shown)
        if not choice.pv:
            return
        first = choice.pv[0] == choice.move
        self.require(first, "pv", position, found=choice.pv[0], expected=choice.move)
        following = position
        for move in choice.pv:
            fine = move in following.moves()
            self.require(fine, "pv", following, found=move, expected=following.moves()[:8])
            following = following.play(move)

    def repeats(self) -> None:
        """Checks that two players with the same options and seed play the same game."""
        for start in _random_positions(self.game, 2, Random(self.seed)):
            first, second = self.line(start), self.line(start)
            self.require(first == second, "repeats", start, found=second, expected=first)

    def line(self, position: Position) -> list[str]:
        """Returns the first moves of a new player that plays both sides."""
        player = self.fresh(self.seed)
        moves = list[str]()
        try:
            while len(moves) < REPEATED_PLIES and position.outcome() is None:
                choice = self.choice(player, position, Limit())
                self.legal(position, choice)
                moves.append(choice.move)
                position = position.play(choice.move)
        finally:
            player.close()
        return moves

    def fresh(self, seed: int) -> Player:
        """Returns a new player with the same options, ready for a game."""
        player = replace(self.player)
        try:
            player.new_game(self.game, seed)
        except Exception as error:
            raise self.failed(error, self.game.start()) from error
        return player

    def choice(self, player: Player, position: Position, limit: Limit) -> Choice:
        """Returns the player's choice; checks that the player raises nothing and returns a
        `Choice`."""
        try:
            choice = player.choose(position, limit)
        except Exception as error:
            raise self.failed(error, position) from error
        fine = isinstance(choice, Choice) and isinstance(choice.move, str)
        self.require(fine, "choice", position, found=repr(choice), expected="Choice")
        return choice

    def failed(self, error: Exception, position: Position) -> BrokenContract:
        """Returns the contract error for an exception of the player."""
        text = f"{type(error).__name__}: {' '.join(str(error).split())}"
        return broken("raises", self.where(position), found=text, expected="Choice")

    def require(
        self,
        holds: bool,
        promise: str,
        position: Position | None = None,
        move: str = "",
        *,
        found: object,
        expected: object,
    ) -> None:
        """Raises `BrokenContract` unless `holds`."""
        if not holds:
            where = self.where(position, move)
            raise broken(promise, where, found=found, expected=expected)

    def where(self, position: Position | None, move: str = "") -> str:
        """Returns player, game, position and move for an error message."""
        words = [f"{self.player.spec}, {self.game.spec}"]
        words += [f"'{position}'"] if position is not None else []
        return " ".join([*words, *filter(None, [move])])


def broken(promise: str, where: str, *, found: object, expected: object) -> BrokenContract:
    """Returns the error for a broken promise; `player-contract.<promise>` is its message key."""
    return BrokenContract(
        "contract.broken",
        where=where,
        promise=f"@player-contract.{promise}",
        found=str(found),
        expected=str(expected),
    )


def _random_positions(game: Game, most: int, random: Random) -> Iterator[Position]:
    """Yields unfinished positions of random games: the last of each game, and a few earlier
    ones."""
    count = 0
    while count < most:
        start = game.start()
        unfinished = [start, *(position for _, position in start.random_walk(random))][:-1]
        early = unfinished[:-LAST]
        for position in [*random.sample(early, min(OTHERS, len(early))), *unfinished[-LAST:]]:
            yield position
            count += 1
