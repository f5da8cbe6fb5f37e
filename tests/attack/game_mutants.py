"""Game files with one mistake each, made by operators on the syntax tree of the examples.

    python -m attack.game_mutants FOLDER FIRST COUNT

tries so many of them out and prints a line of JSON for each. It runs in a process of its own: what
is tried may end it.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import itertools
import json
import random
import re
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import papan
from papan.errors import PapanError, RuleFailure
from papan.usercode import sandbox, smoke_test, watchdog

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "games").glob("*.py"))
#: Large examples are parsed and rehearsed more slowly; those up to this size are mutated, in bytes.
LARGEST = 3_500
#: Nodes that an operator is tried on.
_TRIES = 50
#: Plies that are played once a game has passed.
_PLIES = 15
#: Numbers that take the place of others.
_NUMBERS = (-1, 0, 1, 2, 63, 64, 255, 10**6, 2**40, 2**63, -(2**63))
_OPERATORS: tuple[ast.operator, ...] = (
    *(ast.Add(), ast.Sub(), ast.Mult(), ast.FloorDiv(), ast.Mod(), ast.Pow(), ast.Div()),
    *(ast.LShift(), ast.RShift(), ast.BitOr(), ast.BitAnd(), ast.BitXor()),
)
_COMPARISONS: tuple[ast.cmpop, ...] = (
    ast.Eq(),
    ast.NotEq(),
    ast.Lt(),
    ast.GtE(),
    ast.Is(),
    ast.In(),
)
_VALUES = ("None", "[]", "''", "1.5", "True", "(0, 0)", "print('{}')", "int", "...")
#: A complaint about a file: its name, its line, and what is wrong.
_LINE = re.compile(r"\S+\.py, line \d+: .+")

Change = Callable[[ast.AST, random.Random, ast.Module], bool]


def _number(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    if not isinstance(node, ast.Constant) or type(node.value) is not int:
        return False
    node.value = chance.choice([*_NUMBERS, node.value + 1, node.value - 1])
    return True


def _operator(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    if isinstance(node, ast.BinOp):
        node.op = chance.choice(_OPERATORS)
    elif isinstance(node, ast.Compare):
        node.ops = [chance.choice(_COMPARISONS) for _ in node.ops]
    elif isinstance(node, ast.UnaryOp):
        node.op = chance.choice([ast.Not(), ast.USub(), ast.Invert()])
    else:
        return False
    return True


def _condition(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    if not isinstance(node, ast.If | ast.While | ast.IfExp):
        return False
    node.test = chance.choice(
        [ast.Constant(True), ast.Constant(False), ast.UnaryOp(ast.Not(), node.test)]
    )
    return True


def _statement(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    """Leaves a statement out, says it twice, or goes on with it for ever."""
    body = getattr(node, "body", None)
    if not isinstance(body, list) or not body:
        return False
    index = chance.randrange(len(body))
    forever = ast.While(ast.Constant(True), [body[index]], [])
    body[index : index + 1] = chance.choice(
        [[ast.Pass()], [body[index]] * 2, [forever], body[: index + 1]]
    )
    return True


def _returned(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    if not isinstance(node, ast.Return):
        return False
    node.value = chance.choice([None, ast.parse(chance.choice(_VALUES), mode="eval").body])
    return True


def _argument(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    """Leaves an argument of a call out, doubles it, or puts something odd into its place."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    index = chance.randrange(len(node.args))
    odd = ast.parse(chance.choice(_VALUES), mode="eval").body
    node.args[index : index + 1] = chance.choice([[], [node.args[index]] * 2, [odd]])
    return True


def _name(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    """Uses another name of the file, or one that is not there."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    names = [each.id for each in ast.walk(tree) if isinstance(each, ast.Name)]
    other = chance.choice([*names, "nowhere"])
    if isinstance(node, ast.Name):
        node.id = other
    else:
        node.attr = other
    return True


def _definition(node: ast.AST, chance: random.Random, tree: ast.Module) -> bool:
    """Drops a decorator, a base class, a parameter or a type."""
    if isinstance(node, ast.FunctionDef):
        rows: list[list[ast.AST]] = [node.decorator_list, node.args.args]  # type: ignore[list-item]
    elif isinstance(node, ast.ClassDef):
        rows = [node.bases, node.body]  # type: ignore[list-item]  # all are nodes
    else:
        return False
    row = chance.choice(rows)
    if len(row) > (row is getattr(node, "body", None)):
        del row[chance.randrange(len(row))]
        return True
    return False


OPERATORS: tuple[Change, ...] = (
    *(_number, _operator, _condition, _statement, _returned, _argument, _name, _definition),
)


def mutants(first: int, count: int) -> Iterator[tuple[str, str]]:
    """A name and a source for each number: the operator and example follow from it."""
    small = [path for path in EXAMPLES if path.stat().st_size <= LARGEST]
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in small]
    for number in range(first, first + count):
        index = random.Random(number).randrange(len(trees))
        yield f"{small[index].stem}_{number}", changed(trees[index], number)


def changed(tree: ast.Module, number: int) -> str:
    """The source of an example after one change somewhere in it, by the operator of that number or,
    where it finds nothing to change, by one that comes after it."""
    chance = random.Random(number)
    for attempt in itertools.count():
        change = OPERATORS[(number + attempt // _TRIES) % len(OPERATORS)]
        copied = copy.deepcopy(tree)
        nodes = list(ast.walk(copied))
        if change(chance.choice(nodes), chance, copied):
            with contextlib.suppress(ValueError, TypeError, AttributeError):  # it is no program
                return ast.unparse(ast.fix_missing_locations(copied))
    raise AssertionError("there is always something to change")


def tried(path: Path) -> str:
    """The fate of a file: it is refused in one line, or sound, or raises as it is played."""
    try:
        game = papan.game(str(path))
    except PapanError as error:
        return "refused" if _is_fine(error) else f"BAD LINE {error}"
    try:
        with watchdog.watched():
            for _, position in game.start().random_walk(random.Random(path.stem), _PLIES):
                str(position), position.outcome()
    except PapanError as error:
        fate = "raises" if isinstance(error, RuleFailure) else "refused"
        return fate if _is_fine(error) else f"BAD LINE {error}"
    except (Exception, watchdog.Overrun) as error:
        return f"TRACEBACK {error!r}"
    return "sound"


def _is_fine(error: PapanError) -> bool:
    """True if an error is one line that names the file, or an option of the game."""
    text = str(error)
    named = _LINE.fullmatch(text) or ".py'" in text or error.message.startswith("spec.")
    return "\n" not in text and len(text) < 1_000 and bool(named)


def main(folder: str, first: str, count: str) -> None:
    """Prints what becomes of each."""
    sandbox.inside = True  # what the child does, done here: this is one
    watchdog.SECONDS, watchdog.MEGABYTES, smoke_test._SECONDS = 0.2, 128, 0.05
    for name, source in mutants(int(first), int(count)):
        path = Path(folder, f"{name}.py")
        path.write_text(source, encoding="utf-8")
        try:
            found = tried(path)
        except BaseException as error:
            found = f"TRACEBACK {error!r} {traceback.format_exc()[-600:]}"
        print(json.dumps([name, found]), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
