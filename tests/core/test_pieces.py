"""What stands on a place: a rule that says something impossible, maybe late in a game."""

from typing import Any, NamedTuple

import pytest

from papan.core.board.pieces import TWO_SIDES, kind_at
from papan.core.game import content_at
from papan.errors import InvalidGame
from papan.rules import operations as rules
from support import gallery


class Shown(NamedTuple):
    """A state that shows the same on each place."""

    piece: Any
    number: Any
    side: int = 0


rules.piece_at.register(Shown)(lambda state, place: state.piece)
rules.count_at.register(Shown)(lambda state, place: state.number)


def test_a_kind_and_a_number_are_what_the_rules_say() -> None:
    assert kind_at(TWO_SIDES, Shown(2, -1), 0) == 2
    content = content_at(TWO_SIDES, Shown(0, 7), 3)
    assert (content.piece, content.number) == (None, 7)


@pytest.mark.parametrize("kind", [255, 3, -1, None, 1.0, "x"])
def test_a_kind_that_the_game_does_not_have_is_said_with_the_line_of_the_rule(kind: Any) -> None:
    says = r"^test_pieces.py, line \d+: 'piece_at' violates .* found .*, expected 0 … 2$"
    with pytest.raises(InvalidGame, match=says):
        content_at(TWO_SIDES, Shown(kind, -1), 0)


def test_a_line_is_not_written_with_a_kind_that_there_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    position = gallery("isolation.py").start()
    assert str(position).endswith(" x")
    rule = {type(position.state): lambda state, place: 255}
    monkeypatch.setattr(rules.piece_at, "_implementations", rule)
    with pytest.raises(InvalidGame, match=r"'piece_at' violates .* found 255, expected 0 … 3"):
        str(position.after(position.codes()[0]))


@pytest.mark.parametrize("number", [None, "2", 0.5, []])
def test_a_number_that_is_none_is_said_with_the_line_of_the_rule(number: Any) -> None:
    with pytest.raises(InvalidGame, match=r"line \d+: 'count_at' violates .*, expected int$"):
        content_at(TWO_SIDES, Shown(0, number), 0)
