"""The contract check: plays complete random games with all invariants on every position; then
plays thousands of compiled games."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from papan.core import spec
from papan.core.arguments import check_arguments
from papan.core.game import Game, Position
from papan.errors import InvalidGame, UsageError
from papan.rules import operations as rules
from papan.rules.dispatch import is_replaced
from papan.rules.operations import State, repetition_is_forbidden
from papan.rules.repetition import position_key
from papan.rules.splitmix import GOLDEN
from papan.usercode import registry
from papan.usercode.contract import rules as rule_invariants
from papan.usercode.contract import texts as text_invariants
from papan.usercode.contract.case import PositionCase
from papan.usercode.contract.positions import Invariant, PositionCheck, require_bounds
from papan.usercode.failures import RULE_ERRORS
from papan.usercode.smoke_test import run_smoke_test
from papan.usercode.watchdog import Watchdog

if TYPE_CHECKING:
    from papan.usercode.contract.compiled import Played, RandomGames

#: Number of played moves of a position; over many positions, every kind of move occurs.
_SAMPLE = 3

#: Reasons for compiled games that are wrong without a violation in plain Python.
HANGS, ODD = "@game-file.hangs", "@game-file.odd"


@check_arguments
def check_game(game: Game | str, *, games: int = 10, seed: int = 1, seconds: float = 1.0) -> None:
    """Plays random games and checks every invariant of the contract on each position; then plays
    thousands of compiled games and compares them with plain Python.

    Args:
        game: a game or its spec.
        games: number of complete games in plain Python.
        seed: seed of all random choices.
        seconds: processor time for compiled games, and again for the same games in plain Python.

    Raises:
        BrokenContract: An invariant is violated; one line names invariant, position and move.

    Examples:
        >>> papan.check_game("tictactoe", games=1, seconds=0.1)
    """
    game = registry.game(game) if isinstance(game, str) else game
    with GameCheck.of(game, seed) as check:
        check.options()
        for _ in range(games):
            check.one_game()
        check.many_games(seconds)


def check_extremes(game: Game) -> None:
    """Plays some games with each option at both ends of its range, or with each of its choices.

    Raises:
        InvalidGame: A rule fails with such an option; the message names the option.
    """
    for name, facts in spec.options_of(type(game)).items():
        for value in spec.extremes(facts):
            try:
                other = replace(game, **{name: value})
            except UsageError:
                continue  # the game does not take it together with its other options
            try:
                run_smoke_test(other)
            except InvalidGame as error:
                given = f"{name}={value}"
                raise InvalidGame("game-file.extreme", given=given, reason=error) from error


class GameCheck(PositionCheck):
    """A running check with the states and moves of its games.

    Attributes:
        seconds: processor time for checking every position of a game; later, fewer and fewer
            positions are checked, so that the game ends soon.
        deadline: time at which games are stopped, on the clock `time.thread_time`.
    """

    def __init__(self, game: Game, random: Random, watchdog: Watchdog) -> None:
        super().__init__(game, random, watchdog)
        self.invariants: tuple[Invariant, ...] = (
            *rule_invariants.INVARIANTS,
            *text_invariants.INVARIANTS,
            self.keys_differ,
        )
        self.seconds, self.deadline = math.inf, math.inf
        self.states: dict[int, State] = {}
        self.moves: dict[int, None] = {}

    def options(self) -> None:
        """Requires that the spec names the game, and that there is an evaluation."""
        case = self.case_of(self.game.start())
        if self.game.name in registry.names() or self.game.name.endswith(".py"):
            again = registry.game(self.game.spec)
            case.require(again == self.game, "spec", found=again, expected=self.game)
        case.require(bool(self.game.evaluations), "evaluations", found=0, expected="≥ 1")

    def one_game(self) -> None:
        """Plays a random game and checks every position, if there is time."""
        cases = [self.case_of(self.game.start())]
        following, step, late = 0, 1, time.thread_time() + self.seconds
        while True:
            case, ply = cases[-1], len(cases) - 1
            if ply >= following or not case.walked:
                self.check_invariants(case)
                step *= 2 if time.thread_time() > late else 1
                following = ply + step
            with self.reported(case, rules.moves.__doc__):
                legal = case.position.codes()
            if not legal or time.thread_time() > self.deadline:
                break
            most = self.game.max_plies
            case.require(ply < most, "max-plies", found=f"> {most}", expected=f"≤ {most}")
            with self.reported(case, rules.play.__doc__):
                position = case.position.after(self.random.choice(legal))
            cases.append(self.case_of(position))
        require_bounds(cases)
        for case in cases:
            self.check(case, [rule_invariants.strategy_moves_secure_their_value])

    def check_invariants(self, case: PositionCase) -> None:
        """Checks all invariants on a position."""
        self.positions += 1
        self.check(case, self.invariants)

    def many_games(self, seconds: float) -> list[Played]:
        """Plays thousands of compiled random games for each class of evaluation.

        Raises:
            InvalidGame: A rule cannot be compiled.
        """
        classes = {type(one): one for one in self.game.evaluations.values()}
        share = seconds / len(classes)
        return [self._random_games(one, share) for one in classes.values()]

    def _random_games(self, evaluation: Any, seconds: float) -> Played:
        from papan.usercode.contract.compiled import RandomGames

        games = RandomGames(self.game, evaluation, self.random.getrandbits(31), seconds)
        try:
            games.play()
        except TimeoutError:
            self.explain(games, games.current, HANGS)
        for number in games.odd:
            self.explain(games, number, ODD)
        if (other := self._compared(games)) is not None:
            self.explain(games, other, ODD)
        return games.played

    def _compared(self, games: RandomGames) -> int | None:
        """Returns the number of the first game that differs or fails in plain Python."""
        try:
            return games.compare(self.watchdog)
        except RULE_ERRORS:
            return games.current
        finally:
            self.watchdog.rest()

    def explain(self, games: RandomGames, number: int, what: str) -> None:
        """Replays a random game in plain Python to locate the violation.

        Raises:
            BrokenContract: The violated invariant, or `what` if there is none in plain Python.
        """
        from papan.usercode.contract.compiled import MOST_PLIES, noted

        state, random, cases = games.start, games.seed_of(number), list[PositionCase]()
        for ply in range(MOST_PLIES):
            random += GOLDEN
            case = self.case_of(Position.unchecked(self.game, state))
            with self.reported(case, noted.__doc__):
                notes = noted(state, games.evaluation, ply, random)
            move, side = int(notes.move), int(notes.symmetry)
            cases.append(replace(case, sample=[move] * (move >= 0), symmetry=side))
            if notes.odd:
                self.check_invariants(cases[-1])
            if what != HANGS:
                _require_same(cases[-1], games.differing(notes, state, ply, random), notes)
            if move < 0:
                break
            state = rules.play(state, notes.move)
        require_bounds(cases)
        raise cases[-1].broken("compiled", found=what, expected="-")

    def case_of(self, position: Position) -> PositionCase:
        """Returns the case of a position with randomly chosen moves."""
        case = self.walked_case(position)
        walked = case.walked
        with self.reported(case, rules.symmetry_count.__doc__):
            symmetry = self.random.randrange(rules.symmetry_count(position.state))
        legal = position.codes() if repetition_is_forbidden(position.state) else walked
        sample = self.random.sample(legal, min(_SAMPLE, len(legal)))
        elsewhere = self.random.sample(list(self.moves), min(1, len(self.moves)))
        foreign = [move for move in elsewhere if move not in walked]
        self.moves.update(dict.fromkeys(walked))
        return replace(case, sample=sample, foreign=foreign, symmetry=symmetry)

    def keys_differ(self, case: PositionCase) -> None:
        """Different states have different keys, and equal states equal keys. States that a
        game's own `position_key` makes equal may share a key."""
        for state in (case.state, *(child for _, child in case.children)):
            other = self.states.setdefault(int(rules.key(state)), state)
            same = is_replaced(position_key, state) and position_key(other) == position_key(state)
            case.require(same or other == state, "keys-differ", found=other, expected=state)


def _require_same(case: PositionCase, differing: dict[str, Any], notes: Any) -> None:
    """Requires that compiled rules and plain Python return the same."""
    differing.pop("odd", None)
    if differing:
        plain = {name: getattr(notes, name) for name in differing}
        rule = "play" if "play" in differing else next(iter(differing))
        move = next(iter(case.sample), None)
        raise case.broken("compiled", move, found=differing, expected=plain, rule=rule)
