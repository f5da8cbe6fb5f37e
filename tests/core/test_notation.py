"""Whatever can be reached can be written and read; whatever cannot be read is named."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import papan
from papan.core.board.geometry import Grid
from papan.core.game import Position
from papan.core.notation import read_board, read_number, write_board
from papan.errors import InvalidMove, InvalidPosition, UsageError
from papan.messages import Messages
from papan.rules.bits import of_squares
from support import SPECS

specs = st.sampled_from(SPECS)
sizes = st.integers(3, 8)
garbage = st.text(alphabet="xo0123456789/ abch-?éO", max_size=80)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position that is reached from the start of some game."""
    position = papan.game(draw(specs)).start()
    for number in draw(st.lists(st.integers(0, 1000), max_size=70)):
        codes = position.codes()
        if not codes:
            break
        position = position.after(codes[number % len(codes)])
    return position


@given(positions())
def test_every_position_that_can_be_reached_reads_back(position: Position) -> None:
    again = position.game.position(str(position))
    assert again.state == position.state
    assert [type(field) for field in again.state] == [type(field) for field in position.state]
    assert str(again) == str(position)


@given(positions())
def test_every_legal_move_reads_back(position: Position) -> None:
    for code, text in zip(position.codes(), position.moves(), strict=True):
        assert position.game.read_move(text, position.state) == code


def refusal(read: Callable[..., object], text: str, *more: Any) -> UsageError | None:
    """The error with which a text is refused, or None if it is read."""
    try:
        read(text, *more)
    except (InvalidMove, InvalidPosition) as error:
        return error
    return None


def named_text(error: UsageError) -> str:
    """The offending text that an error names, as one line shows it."""
    return " ".join(str(error.values["text"]).split())


@given(specs, garbage)
def test_garbage_is_refused_in_one_line_in_both_languages(spec: str, line: str) -> None:
    game = papan.game(spec)
    error = refusal(game.read_state, line)
    if error is None:
        assert game.read_state(game.write_state(game.read_state(line))) == game.read_state(line)
        return
    for language in ("en", "id"):
        text = Messages(language).explain(error)
        assert "\n" not in text
        assert named_text(error) in text


@given(specs, st.data())
def test_a_line_with_a_slip_names_the_slip_or_is_a_position(spec: str, data: st.DataObject) -> None:
    game = papan.game(spec)
    line = str(game.start())
    place = data.draw(st.integers(0, len(line) - 1))
    slip = data.draw(st.sampled_from("xo0123456789/ a?"))
    cut = data.draw(st.integers(0, 1))
    text = line[:place] + slip + line[place + cut :]
    error = refusal(game.read_state, text)
    if error is None:
        assert game.read_state(game.write_state(game.read_state(text))) == game.read_state(text)
        return
    assert named_text(error) in str(error)
    assert named_text(error) in " ".join(text.split())


@given(specs, st.text(max_size=6))
def test_a_text_is_a_move_or_is_refused_by_name(spec: str, text: str) -> None:
    game = papan.game(spec)
    error = refusal(game.read_move, text, game.start_state())
    if error is None:
        assert game.write_move(game.read_move(text, game.start_state())) == text
        return
    assert type(error) is InvalidMove
    assert named_text(error) in str(error)


@pytest.mark.parametrize(
    ("spec", "line", "named"),
    [
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6 x", "<plies left>"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6  x 56", "one space"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6 x 56", "7 rows, expected 8"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx5 x 56", "'xx5' has 7 squares, expected 8"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6x x 56", "'xx6x' has 9 squares, expected 8"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xX6 x 56", "'X'"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6 z 56", "'z'"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6 xo 56", "'xo'"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6 x 57", "from 0 to 56"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6 x -1", "'-1'"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/xx6 x ٣", "'٣'"),
        ("adjacency", "6oo/6oo/8/8/8/8/xx6/8 x 56", "6 pieces, expected 8"),
        ("platforms", "011/111/110 x a3", "<square of o>"),
        ("platforms", "011/111/120 x a3 c1", "'2'"),
        ("platforms", "011/11/110 x a3 c1", "'11' has 2"),
        ("platforms", "011/111/110 x a3 d1", "'d1'"),
        ("platforms", "011/111/110 x a3 a3", "two different squares"),
        ("platforms", "011/111/110 x a3 b1", "the pawn stands on 'b1'"),
        ("corners", "ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xx1 x", "8 pieces of x, expected 9"),
        ("corners", "ooo5/ooo5/ooo5/8/8/5xxx/5xxx/5xxx", "<side to move>"),
        ("corners", "oooo4/ooo5/ooo5/8/8/5xxx/5xxx/5xxx x", "10 pieces of o, expected 9"),
    ],
)
def test_each_mistake_in_a_line_has_its_own_message(spec: str, line: str, named: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        papan.game(spec).position(line)
    assert named in str(caught.value)


@given(sizes, sizes, st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_every_board_reads_back(height: int, width: int, one: int, two: int) -> None:
    board = Grid(height, width)
    first = of_squares([square for square in board.squares if one >> square & 1])
    second = of_squares([s for s in board.squares if two >> s & 1 and not one >> s & 1])
    assert read_board(write_board(board, first, second), board) == (first, second)


@given(sizes, sizes)
def test_every_square_has_a_name_of_its_own(height: int, width: int) -> None:
    board = Grid(height, width)
    names = [board.name(square) for square in board.squares]
    assert [board.find(name) for name in names] == board.squares
    assert len(set(names)) == height * width
    assert names[-width] == "a1"
    assert names[0] == f"a{height}"
    assert board.extent == f"a1 … {names[width - 1]}"


@given(st.integers(0, 999), st.integers(0, 999))
def test_a_number_is_read_where_it_is_in_range(number: int, high: int) -> None:
    if number <= high:
        assert read_number(str(number), 0, high, "plies") == number
    else:
        with pytest.raises(InvalidPosition, match=f"'{number}'.* from 0 to {high}"):
            read_number(str(number), 0, high, "plies")


@pytest.mark.parametrize("text", ["", "+1", "1.0", " 1", "0x1", "1_0", "9" * 5000, "0" * 12 + "99"])
def test_what_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidPosition):
        read_number(text, 0, 56, "plies")


def test_leading_zeros_do_not_matter() -> None:
    assert read_number("0" * 5000 + "56", 0, 56, "plies") == 56
