"""Everything that a game of one's own needs comes from one place."""

import ast
from pathlib import Path

import pytest

from papan import gamekit
from papan.rules import operations, solving, walk
from papan.rules.dispatch import Operation

EXAMPLES = sorted((Path(__file__).parent.parent / "examples" / "games").glob("*.py"))


def test_all_that_is_promised_is_there_once() -> None:
    assert [name for name in gamekit.__all__ if not hasattr(gamekit, name)] == []
    assert len(set(gamekit.__all__)) == len(gamekit.__all__)


def test_every_operation_that_a_game_may_define_is_among_it() -> None:
    rooms = vars(operations) | vars(solving) | vars(walk)
    found = {name for name, item in rooms.items() if isinstance(item, Operation)}
    assert found <= set(gamekit.__all__)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_examples_need_nothing_else_of_papan_but_its_errors(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    assert {name for name in modules if name and name.startswith("papan")} <= {
        "papan.gamekit",
        "papan.errors",
    }
