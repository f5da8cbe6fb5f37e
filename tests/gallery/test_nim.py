"""Nim of the gallery."""

import pytest

import papan
from papan.errors import InvalidSpec
from papan.rules.operations import evaluate
from support import gallery, plain_perft


def test_it_has_the_published_numbers_of_leaves() -> None:
    start = gallery("nim.py").start()
    assert [plain_perft(start, depth) for depth in (1, 2, 3)] == [16, 206, 2116]


@pytest.mark.parametrize(("spec", "winner"), [("nim.py", "x"), ("nim.py:misere=yes", "o")])
def test_the_last_counter_wins_or_loses(spec: str, winner: str) -> None:
    game = gallery(spec)
    position = game.start().play("d-7", "c-5", "b-3")
    assert str(game.position(str(position))) == str(position) == "o 1,0,0,0"
    outcome = position.play("a-1").outcome()
    assert outcome is not None
    assert outcome.winner == {"x": "o", "o": "x"}[winner]


@pytest.mark.parametrize("spec", ["nim.py:piles=1-2-2", "nim.py:piles=2-2-3,misere=yes"])
def test_the_evaluation_knows_who_wins(spec: str) -> None:
    def wins(position: papan.Position) -> bool:
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner == position.side
        value = any(not wins(position.after(move)) for move in position.codes())
        assert evaluate(position.game.default_evaluation, position.state) == (1 if value else -1)
        return value

    wins(gallery(spec).start())


@pytest.mark.parametrize("piles", ["0", "1-33", "3-x", "", "1-1-1-1-1-1-1-1-1"])
def test_other_piles_are_refused(piles: str) -> None:
    with pytest.raises(InvalidSpec, match="piles"):
        gallery(f"nim.py:piles={piles}")
