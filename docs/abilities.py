"""Creates the table of features that work in each gallery game: `python -m docs.abilities`.

Arguments are names of games; by default all games are tested. Each test takes little work: a random
game, a search of some nodes, a match of two games. Rules and searches run as plain Python to save
compilation; only a game whose rules do not run in plain Python is compiled. The results are stored
in `docs/made/abilities.json`, and `docs/made/abilities.md` is created from this file.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import papan
from papan.cli import main as command
from papan.core.game import Position
from papan.figures.board import board_svg
from papan.figures.terminal_board import text_board
from papan.usercode.gallery import gallery

MADE = Path(__file__).parent / "made"
KEPT, PAGE = MADE / "abilities.json", MADE / "abilities.md"

#: Smaller boards of games whose searches in plain Python would take long.
SMALL = {
    "amazons": "amazons:size=6",
    "go": "go:size=5",
    "gomoku": "gomoku:size=9",
    "quoridor": "quoridor:size=5",
}
#: Plies from the end of the random game to the solved position.
NEAR = 2
YES = "yes"


class Subject(NamedTuple):
    """A game, and all positions of a random game."""

    spec: str
    positions: list[Position]


def subject(name: str) -> Subject:
    """Returns a gallery game with the positions of a random game."""
    start = papan.game(spec := SMALL.get(name, name)).start()
    return Subject(spec, [start, *(position for _, position in start.random_walk(Random(5)))])


def rules(game: Subject) -> str:
    """Tests that the random game has an outcome."""
    return YES if game.positions[-1].outcome() else "the game goes on"


def text(game: Subject) -> str:
    """Tests that written positions and moves read back as the same."""
    for position in game.positions:
        its, line = position.game, str(position)
        if its.read_state(line) != position.state:
            return line
        for code in position.codes()[::5]:
            if its.read_move(its.write_move(code), position.state) != code:
                return its.write_move(code)
    return YES


def terminal(game: Subject) -> str:
    """Tests that all lines of the text board have the same width."""
    boards = (text_board(position).plain.split("\n") for position in game.positions[::5])
    return YES if all(len(set(map(len, lines))) == 1 for lines in boards) else "ragged lines"


def page(game: Subject) -> str:
    """Tests that all places are drawn with their names, so that they can be clicked."""
    drawn = str(board_svg(game.positions[-1]))
    board = game.positions[-1].game.board
    found = all(f'data-square="{place.name}"' in drawn for place in board.places)
    return YES if found else "places are missing"


def search(game: Subject) -> str:
    """Tests that the engine finds a legal move."""
    return _finds_a_move(game, "--algorithm engine --nodes 40 --depth 2")


def mcts(game: Subject) -> str:
    """Tests that Monte Carlo tree search finds a legal move."""
    return _finds_a_move(game, "--algorithm mcts:simulations=4")


def _finds_a_move(game: Subject, words: str) -> str:
    status, said, err = run(f"search {game.spec} {words} --json")
    if status:
        return err
    return YES if json.loads(said)["move"] in game.positions[0].moves() else said


def solve(game: Subject) -> str:
    """Tests that a position near the end of the random game can be solved."""
    near = game.positions[-1 - NEAR]
    status, said, err = run(f"solve {game.spec} --position '{near}' --time 20 --json")
    if status:
        return err
    return YES if json.loads(said)["outcome"] else "not in 20 seconds of plain Python"


def match(game: Subject) -> str:
    """Tests that two players can play two games."""
    status, said, err = run(f"match {game.spec} random first --games 2 --json")
    return err if status else YES if json.loads(said)["games"] == 2 else said


def tree(game: Subject) -> str:
    """Tests that the tree of a search can be drawn."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "tree.svg"
        status, _, err = run(f"tree {game.spec} --depth 1 --most 5 --out {picture}")
        return err if status else YES if "<svg" in picture.read_text() else "no picture"


def ugi(game: Subject) -> str:
    """Tests that `papan ugi` returns a move."""
    move = game.positions[0].moves()[0]
    typed = f"ugi\nposition startpos moves {move}\ngo nodes 10\n"
    words = [sys.executable, "-W", "ignore", "-m", "papan", "ugi", game.spec]
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as program:
        assert program.stdin and program.stdout
        program.stdin.write(typed)
        program.stdin.flush()
        found = any(line.startswith("bestmove") for line in program.stdout)
        program.communicate("quit\n")
    return YES if found else "no move is said"


#: The tests, in the order of the columns of the table.
ABILITIES: tuple[Callable[[Subject], str], ...] = (
    rules, text, terminal, page, search, mcts, solve, match, tree, ugi,
)  # fmt: skip


def run(words: str) -> tuple[int, str, str]:
    """Runs a command; returns its exit status, its output, and the last line of stderr."""
    said, complaint = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complaint):
        status = command(shlex.split(words))
    return (
        status,
        said.getvalue(),
        (complaint.getvalue().strip().splitlines() or [""])[-1].removeprefix("papan: "),
    )


def found(name: str) -> dict[str, str]:
    """Tests a game; returns for each feature `yes` or the reason for its failure."""
    game = subject(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # hash functions overflow on purpose
        return {ability.__name__: ability(game) for ability in ABILITIES}


def found_somehow(name: str) -> dict[str, str]:
    """Returns the same as `found`; compiles the game in a separate process if necessary."""
    try:
        return found(name)
    except TypeError:
        code = f"import json; from docs.abilities import found; print(json.dumps(found({name!r})))"
        environment = {**os.environ, "NUMBA_DISABLE_JIT": "0"}
        ran = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        answer: dict[str, str] = json.loads(ran.stdout)
        return answer


def table(kept: dict[str, dict[str, str]]) -> str:
    """Returns the table, and below it the reasons for each "no"."""
    names = [ability.__name__ for ability in ABILITIES]
    lines = [f"| game | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    reasons = []
    for game, abilities in kept.items():
        cells = [YES if abilities[name] == YES else "no" for name in names]
        lines.append(f"| {game} | {' | '.join(cells)} |")
        reasons += [f"- {game}, {name}: {why}" for name, why in abilities.items() if why != YES]
    return "\n".join([*lines, "", *reasons]).rstrip() + "\n"


def main(arguments: Sequence[str]) -> None:
    """Tests some games, by default all."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name in arguments or gallery():
        kept[name] = found_somehow(name)
        print(name, *(f"{key}: {why}" for key, why in kept[name].items() if why != YES))
        kept = {name: kept[name] for name in gallery() if name in kept}
        KEPT.write_text(f"{json.dumps(kept, indent=1, ensure_ascii=False)}\n", encoding="utf-8")
        PAGE.write_text(table(kept), encoding="utf-8")


if __name__ == "__main__":
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # set before the first compilation imports numba
    main(sys.argv[1:])
