"""Lines of UGI are written as the protocol has them, and read whatever they look like."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.errors import UsageError
from papan.protocol.messages import (
    Go,
    Info,
    PositionCommand,
    UgiOption,
    error_line,
    read_bestmove,
    read_go,
    read_info,
    read_number,
    read_option,
    read_position,
    read_setoption,
    tells_best_line,
)

milliseconds = st.none() | st.integers(0, 10**9)
squares = st.sampled_from(["a1", "b2", "f3f4", "h8"])


@given(st.builds(Go, *[milliseconds] * 7, st.booleans()))
def test_go_is_read_as_it_was_written(go: Go) -> None:
    assert read_go(go.line().removeprefix("go")) == (go, [])


@given(st.sampled_from([None, "xx/oo x 4", "8/8 o"]), st.lists(squares))
def test_a_position_is_read_as_it_was_written(fen: str | None, moves: list[str]) -> None:
    line = PositionCommand(fen, tuple(moves))
    assert read_position(line.line().removeprefix("position")) == line


def test_lines_look_as_the_protocol_has_them() -> None:
    assert PositionCommand().line() == "position startpos"
    assert PositionCommand("8/8 x", ("a1", "b2")).line() == "position fen 8/8 x moves a1 b2"
    assert Go(movetime=1000, depth=4).line() == "go movetime 1000 depth 4"
    assert Go(infinite=True).line() == "go infinite"
    info = Info(5, -1.25, 3000, 0.5, ("a1", "b2"), 2)
    assert info.line() == (
        "info depth 5 multipv 2 score cp -125 nodes 3000 time 500 nps 6000 pv a1 b2"
    )
    assert UgiOption("hash", "spin", "16", 1, 99).line() == (
        "option name hash type spin default 16 min 1 max 99"
    )


@pytest.mark.parametrize(
    "option",
    [
        UgiOption("Hash", "spin", "16", 1, 1024),
        UgiOption("Own Book", "check", "true"),
        UgiOption("style", "combo", "solid", choices=("solid", "wild")),
        UgiOption("file", "string", ""),
    ],
)
def test_an_option_is_read_as_it_was_declared(option: UgiOption) -> None:
    assert read_option(option.line()) == option


@pytest.mark.parametrize("line", ["", "ugiok", "option", "option type spin", "id name option"])
def test_what_declares_no_option_is_none(line: str) -> None:
    assert read_option(line) is None


def test_names_and_values_of_options_may_have_spaces() -> None:
    assert read_setoption("name Own Book value my book.bin") == ("Own Book", "my book.bin")
    assert read_setoption("name clear") == ("clear", "")


@pytest.mark.parametrize("rest", ["", "value 3", "hash 16", "name", "name  value 4"])
def test_a_setoption_without_a_name_is_refused(rest: str) -> None:
    with pytest.raises(UsageError, match="expected setoption name NAME value VALUE"):
        read_setoption(rest)


@pytest.mark.parametrize("rest", ["", "fen", "startpos a1", "moves a1", "fen moves a1", "x"])
def test_a_position_without_a_place_is_refused(rest: str) -> None:
    with pytest.raises(UsageError, match="expected position startpos"):
        read_position(rest)


def test_go_leaves_out_what_makes_no_sense_and_says_so() -> None:
    assert read_go("ponder depth 4 nodes many movetime") == (
        Go(depth=4),
        ["nodes many", "movetime "],
    )
    assert read_go("p1time -30 p1inc 5") == (Go(p1time=0, p1inc=5), [])


def test_each_side_has_its_own_clock() -> None:
    go = Go(p1time=1000, p2time=2000, p2inc=30)
    assert go.clock("x") == (1000, 0)
    assert go.clock("o") == (2000, 30)


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("bestmove c4", "c4"),
        ("  bestmove   c4  ", "c4"),
        ("bestmove c4 ponder d5", "c4"),
        ("bestmove c4 ponder", "c4"),
        ("bestmove", ""),
        ("bestmove (-1, -1)", "(-1, -1)"),
        ("bestmove c4 d5", "c4 d5"),
        ("bestmove c4 ponder d5 e6", "c4 ponder d5 e6"),
        ("info string bestmove c4", None),
        ("mybestmove c4", None),
        ("", None),
    ],
)
def test_a_move_is_one_word_and_all_else_is_kept_to_be_refused(line: str, move: str | None) -> None:
    assert read_bestmove(line) == move


def test_an_info_is_read_as_far_as_it_is_known() -> None:
    line = "info depth 7 seldepth 9 score cp -150 lowerbound nodes 10 nps 5 time 20 pv a1 b2"
    assert read_info(line) == Info(7, -1.5, 10, 0.02, ("a1", "b2"))
    assert read_info("info depth x score mate 3 pv") == Info()
    assert read_info("info string depth 3") is None
    assert read_info("bestmove a1") is None


@pytest.mark.parametrize(
    ("line", "tells"),
    [
        ("info depth 3 pv a1", True),
        ("info depth 3 multipv 1 pv a1", True),
        ("info depth 3 multipv 2 pv a1", False),
        ("info depth 3", False),
        ("bestmove pv", False),
    ],
)
def test_only_the_first_of_several_lines_is_the_best_one(line: str, tells: bool) -> None:
    assert tells_best_line(line) is tells


@given(st.text())
def test_no_text_upsets_what_reads_the_lines_of_a_program(text: str) -> None:
    for line in (text, f"info {text}", f"option name {text}", f"bestmove {text}"):
        assert read_info(line) is None or line.split()[0] == "info"
        assert read_option(line) is None or line.split()[0] == "option"
        assert read_bestmove(line) is None or line.split()[0] == "bestmove"
    assert isinstance(read_go(text)[0], Go)


@pytest.mark.parametrize(
    "text", ["", "-", "1.5", "٣", "9" * 5000, "0" * 5000, "1_000", "+5", "--5"]
)
def test_what_is_no_number_is_none(text: str) -> None:
    assert read_number(text) is None


def test_an_error_is_one_line() -> None:
    assert error_line("one\ntwo\r\n three") == "info string error one two three"
