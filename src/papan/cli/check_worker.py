"""The process in which `papan check` runs a file, which may hang, exit or use all memory.

    python -m papan.cli.check_worker GAME LANGUAGE SEED

Its reports to the parent process:

    {"at": "games", "done": 3, "of": 10}     progress
    {"game": …, "ok": …, …}                  the last one: the result
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from papan.errors import BrokenContract, PapanError
from papan.messages import Messages
from papan.usercode.sandbox_worker import Reporter, isolate

if TYPE_CHECKING:
    from papan.core.game import Game
    from papan.usercode.contract.check import GameCheck
    from papan.usercode.contract.compiled import Played

#: Games in plain Python, and their total processor time in seconds.
GAMES, SECONDS = 10, 4.0
#: Address space of a check, in MB: compilers reserve many times what they use.
ROOM_MB = 16 << 10
#: Time limit of the process, in seconds, if its parent has died.
LONGEST = 900


class Printed:
    """Replaces stderr while the file runs, and records printed text."""

    def __init__(self) -> None:
        self.first, self.lines = "", 0

    def write(self, text: str) -> int:
        """Records a text."""
        self.first = self.first or text.strip()
        self.lines += text.count("\n")
        return len(text)

    def flush(self) -> None:
        """Does nothing, since nothing is buffered."""


def main(spec: str, language: str, seed: str) -> None:
    """Checks the game of a spec."""
    reporter, say = isolate(ROOM_MB, LONGEST), Messages(language)
    began, printed = time.monotonic(), Printed()
    sys.stderr = sys.stdout = printed
    report = _checked(spec, int(seed), reporter, say)
    if printed.lines:
        words = {"text": printed.first[:60], "lines": printed.lines}
        report["warnings"].append(say("check.prints", **words))
    report["seconds"] = round(time.monotonic() - began, 2)
    reporter.write({"game": spec, **report})


def _checked(spec: str, seed: int, reporter: Reporter, say: Messages) -> dict[str, Any]:
    """Returns the report on a game."""
    from papan.learn.weights import is_untaught
    from papan.usercode import registry
    from papan.usercode.contract.check import GameCheck, check_extremes

    report: dict[str, Any] = {"ok": False, "warnings": []}
    _progress(reporter, "file")
    try:
        game = registry.game(spec)
        _progress(reporter, "options")
        check_extremes(game)  # each value of an option has its own time limit
        with GameCheck.of(game, seed) as check:
            found = _run_check(check, reporter, say, report["warnings"])
            return report | {"ok": True, **found, "untaught": is_untaught(game)}
    except BrokenContract as broken:
        return report | _fault(game, broken, say)
    except PapanError as error:
        return report | {"message": say.explain(error)}


def _progress(reporter: Reporter, phase: str, done: int = 0) -> None:
    """Reports the phase of the check, and in `rules` the number of finished games."""
    reporter.write({"at": phase, "done": done, "of": GAMES})


def _run_check(
    check: GameCheck, reporter: Reporter, say: Messages, warnings: list[str]
) -> dict[str, Any]:
    """Returns the counts of a check without errors.

    Raises:
        BrokenContract: An invariant is violated.
        InvalidGame: A rule cannot be compiled.
    """
    check.options()
    check.seconds, check.deadline = SECONDS / GAMES, time.thread_time() + SECONDS
    for number in range(GAMES):
        if number and time.thread_time() > check.deadline:
            break
        _progress(reporter, "rules", number)
        check.one_game()
    _progress(reporter, "compiled")
    played = check.many_games(1.0)
    warnings += _warnings(check.game, played, say)
    return {
        "positions": check.positions,
        "games": sum(one.games for one in played),
        "plies": [min(one.shortest for one in played), max(one.longest for one in played)],
        "compared": sum(one.compared for one in played),
        "unfinished": sum(one.unfinished for one in played),
    }


def _warnings(game: Game, played: list[Played], say: Messages) -> list[str]:
    """Returns warnings about legal but unlikely rules."""
    from papan.rules.operations import repetition_limit
    from papan.usercode.contract.compiled import MOST_PLIES

    unfinished, games = (sum(one[index] for one in played) for index in (3, 0))
    if not unfinished or repetition_limit(game.start_state()) > 0:
        return []  # random games look at no repetition
    return [say("check.unfinished", count=unfinished, games=games, plies=MOST_PLIES)]


def _fault(game: Game, broken: BrokenContract, say: Messages) -> dict[str, Any]:
    """Returns a violated invariant: the rule, its line, and the position."""
    from papan.core.game import Position
    from papan.errors import InvalidGame
    from papan.usercode.contract.case import attempt
    from papan.usercode.contract.locate import explain_broken, locate_rule

    rule, file, line = place = locate_rule(game, broken)
    message, values = explain_broken(place, broken), broken.values
    position = Position.unchecked(game, broken.values["state"])
    return {
        "message": say.explain(message),
        "file": str(file),
        "line": line,
        "rule": rule,
        "promise": say(str(values["promise"]).removeprefix("@")),
        "found": say.explain(InvalidGame("{found}", found=values["found"])),
        "expected": str(values["expected"]),
        "position": attempt(lambda: str(position)),
        "move": broken.values["move"],
        "board": _drawn(position),
    }


def _drawn(position: Any) -> str:
    """Returns the board as text; empty if it cannot be drawn."""
    from papan.figures.terminal_board import text_board

    try:
        return text_board(position).plain
    except Exception:
        return ""


if __name__ == "__main__":
    main(*sys.argv[1:])
