"""Makes the table of what each game of the gallery can do: `python -m docs.abilities [NAME…]`.

Each "yes" is found by doing it, with as little work as shows that it goes: a random game, a search
of some nodes, a match of two games. So that nothing has to be compiled for that, the rules and the
searches run as plain Python; only a game whose rules cannot be run so is compiled. What was found
is kept in `docs/made/abilities.json`, and `docs/made/abilities.md` is made of it.
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
#: Plies before the end of a random game from which it is solved.
NEAR = 2
YES = "yes"


class Subject(NamedTuple):
    """A game that is looked at, with the positions of a random game to its end."""

    spec: str
    positions: list[Position]


def subject(name: str) -> Subject:
    """A game of the gallery."""
    start = papan.game(spec := SMALL.get(name, name)).start()
    return Subject(spec, [start, *(position for _, position in start.random_walk(Random(5)))])


def rules(game: Subject) -> str:
    """The random game has ended, and somebody has won it or it is a draw."""
    return YES if game.positions[-1].outcome() else "the game goes on"


def text(game: Subject) -> str:
    """Positions and moves are read back as they were written."""
    for position in game.positions:
        its, line = position.game, str(position)
        if its.read_state(line) != position.state:
            return line
        for code in position.codes()[::5]:
            if its.read_move(its.write_move(code), position.state) != code:
                return its.write_move(code)
    return YES


def terminal(game: Subject) -> str:
    """The lines of the board are equally wide."""
    boards = (text_board(position).plain.split("\n") for position in game.positions[::5])
    return YES if all(len(set(map(len, lines))) == 1 for lines in boards) else "ragged lines"


def page(game: Subject) -> str:
    """All places are drawn, each with its name to be clicked."""
    drawn = str(board_svg(game.positions[-1]))
    board = game.positions[-1].game.board
    found = all(f'data-square="{place.name}"' in drawn for place in board.places)
    return YES if found else "places are missing"


def search(game: Subject) -> str:
    """The engine finds a legal move."""
    return _finds_a_move(game, "--algorithm engine --nodes 40 --depth 2")


def mcts(game: Subject) -> str:
    """Monte Carlo tree search finds one."""
    return _finds_a_move(game, "--algorithm mcts:simulations=4")


def _finds_a_move(game: Subject, words: str) -> str:
    status, said, err = run(f"search {game.spec} {words} --json")
    if status:
        return err
    return YES if json.loads(said)["move"] in game.positions[0].moves() else said


def solve(game: Subject) -> str:
    """The end of the random game is solved."""
    near = game.positions[-1 - NEAR]
    status, said, err = run(f"solve {game.spec} --position '{near}' --time 20 --json")
    if status:
        return err
    return YES if json.loads(said)["outcome"] else "not in 20 seconds of plain Python"


def match(game: Subject) -> str:
    """Two players play two games."""
    status, said, err = run(f"match {game.spec} random first --games 2 --json")
    return err if status else YES if json.loads(said)["games"] == 2 else said


def tree(game: Subject) -> str:
    """The tree of a search is drawn."""
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "tree.svg"
        status, _, err = run(f"tree {game.spec} --depth 1 --most 5 --out {picture}")
        return err if status else YES if "<svg" in picture.read_text() else "no picture"


def ugi(game: Subject) -> str:
    """A program that speaks the protocol gets a move."""
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


#: What is tried, in the order of the table's columns.
ABILITIES: tuple[Callable[[Subject], str], ...] = (
    rules, text, terminal, page, search, mcts, solve, match, tree, ugi,
)  # fmt: skip


def run(words: str) -> tuple[int, str, str]:
    """The exit status of a command, what it said, and the last line of what it complained of."""
    said, complaint = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(complaint):
        status = command(shlex.split(words))
    return (
        status,
        said.getvalue(),
        (complaint.getvalue().strip().splitlines() or [""])[-1].removeprefix("papan: "),
    )


def found(name: str) -> dict[str, str]:
    """What a game can do: the name of each ability → `yes`, or why not."""
    game = subject(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # numbers overflow on purpose where bits are mixed
        return {ability.__name__: ability(game) for ability in ABILITIES}


def found_somehow(name: str) -> dict[str, str]:
    """The same, compiled in a process of its own if plain Python will not do."""
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
    """The table, with the reasons below it."""
    names = [ability.__name__ for ability in ABILITIES]
    lines = [f"| game | {' | '.join(names)} |", f"|---|{'---|' * len(names)}"]
    reasons = []
    for game, abilities in kept.items():
        cells = [YES if abilities[name] == YES else "no" for name in names]
        lines.append(f"| {game} | {' | '.join(cells)} |")
        reasons += [f"- {game}, {name}: {why}" for name, why in abilities.items() if why != YES]
    return "\n".join([*lines, "", *reasons]).rstrip() + "\n"


def main(arguments: Sequence[str]) -> None:
    """Looks at all games, or at some."""
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    for name in arguments or gallery():
        kept[name] = found_somehow(name)
        print(name, *(f"{key}: {why}" for key, why in kept[name].items() if why != YES))
        kept = {name: kept[name] for name in gallery() if name in kept}
        KEPT.write_text(f"{json.dumps(kept, indent=1, ensure_ascii=False)}\n", encoding="utf-8")
        PAGE.write_text(table(kept), encoding="utf-8")


if __name__ == "__main__":
    os.environ["NUMBA_DISABLE_JIT"] = "1"  # before numba is imported, which is when it is needed
    main(sys.argv[1:])
