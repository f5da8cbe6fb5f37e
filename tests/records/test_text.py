"""The text form of records: what is written is read again, and damage is named."""

import io
import itertools
import tracemalloc
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.records.model import Record
from papan.records.text import (
    LARGEST_GAME,
    LONGEST_LINE,
    MOST_LINES,
    BadGame,
    lines_of,
    read,
    write,
)
from records.samples import SPECS, played, short


@pytest.mark.parametrize("spec", SPECS)
def test_games_are_read_as_they_were_written(spec: str) -> None:
    records = [played(spec, seed) for seed in range(4)]
    assert list(read("".join(map(write, records)))) == records


@given(st.text(), st.text(), st.text())
def test_any_name_survives_but_for_its_white_space(x: str, o: str, event: str) -> None:
    names = [" ".join(name.split()) for name in (f"x{x}", f"o{o}", event)]
    record = Record("platforms", names[0], names[1], ("b2",), "*", "unterminated", event=names[2])
    assert list(read(write(record))) == [record]


def test_a_game_from_another_start_is_replayed_from_there() -> None:
    line = "011/101/110 o b2 c1"
    record = Record("platforms", "a", "b", ("c2",), "*", "time", start=line)
    assert list(read(write(record))) == [record]
    assert str(record.replay()[0]) == line


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (("1. ", "1. z9 "), "ply 1: no square 'z9'"),
        (('"rules"', '"rules'), "malformed header"),
        (("[X ", "[Y "), "headers are missing: X"),
        (('[Game "platforms', '[Game "platfirms'), "unknown game 'platfirms'"),
        (('[Result "', '[Result "q'), "expected one of x, o, draw, *"),
        (('[Round "', '[Round "-'), "header round"),
    ],
)
def test_a_damaged_game_is_named_with_its_line_and_the_others_are_kept(
    broken: tuple[str, str], reason: str
) -> None:
    good = [played("platforms:size=4,level=2", seed) for seed in (1, 2, 3)]
    texts = [write(record) for record in good]
    texts[1] = texts[1].replace(*broken, 1)
    found = list(read("".join(texts)))
    assert [found[0], found[2]] == [good[0], good[2]]
    assert isinstance(found[1], BadGame)
    assert found[1].line == texts[0].count("\n") + 1
    assert reason in found[1].reason


def forfeited(given: str, **facts: Any) -> Record:
    """A game that `o` has lost by giving this move after b2."""
    ending = {"result": "x", "termination": "illegal move", "given": given} | facts
    return Record("platforms", "a", "b", ("b2",), **ending)


@pytest.mark.parametrize(
    "given",
    [
        "a1 a1",
        "(-1, -1)",
        "b2\n",
        "  ",
        '"\\u{41}"',
        "\x1b[2J",
        "\u2028\r\t\0",
        "\U000e0001\ud800",
        "née",
    ],
)
def test_an_illegal_move_is_read_again_character_by_character(given: str) -> None:
    record = forfeited(given)
    text = write(record)
    assert text.replace("\n", "").isprintable()
    assert list(read(text)) == [record]


@given(st.text(st.characters()))
def test_whatever_a_player_gave_survives_the_text_form(given: str) -> None:
    record = forfeited(given)
    assert list(read(write(record), verify=False)) == [record]


@pytest.mark.parametrize("code", [0, 1, 139, -9, 3221225477])
def test_the_exit_status_of_a_crash_and_the_time_control_are_read_again(code: int) -> None:
    record = Record("platforms", "a", "b", ("b2",), "x", "crash", exit_code=code)
    record = replace(record, time_control="clock=60+0.6 margin=0.5")
    assert f'[ExitCode "{code}"]' in write(record)
    assert list(read(write(record))) == [record]


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"given": "c2"}, "'c2' is marked as illegal, but it is legal"),
        ({"termination": "time"}, "but the game ended by 'time'"),
        ({"result": "o"}, "result 'o', but by the rules it is 'x'"),
    ],
)
def test_an_illegal_move_that_cannot_be_is_refused(facts: dict[str, str], reason: str) -> None:
    record = forfeited(**{"given": "b2"} | facts)
    (bad,) = read(write(record))
    assert isinstance(bad, BadGame)
    assert reason in bad.reason


def test_a_result_that_the_rules_contradict_is_refused() -> None:
    text = write(played("platforms", 1))
    winner = "x" if '[Result "x"]' in text else "o"
    turned = text.replace(f'[Result "{winner}"]', '[Result "draw"]')
    (bad,) = read(turned)
    assert isinstance(bad, BadGame)
    assert f"by the rules it is '{winner}'" in bad.reason


@given(st.text())
def test_no_text_whatever_breaks_the_reader(text: str) -> None:
    assert all(isinstance(found, BadGame) for found in read(text))


def games_and_lines(text: str | Iterable[str]) -> tuple[list[Record], list[int]]:
    """The sound games of a text, and the lines at which the others begin."""
    found = list(read(text))
    sound = [one for one in found if isinstance(one, Record)]
    return sound, [one.line for one in found if isinstance(one, BadGame)]


def test_an_id_and_a_great_seed_are_read_again() -> None:
    record = replace(played("platforms", 1), id="a-1_b", seed=10**30)
    (found,) = read(write(record))
    assert found == record
    assert isinstance(found, Record)
    assert found.id == record.id


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ('[Id "two words"]', "header Id: 'two words'"),
        (f'[Id "{"x" * 65}"]', "header Id"),
        (f'[Event "{"x" * 401}"]', "header Event: longer than 400"),
        (f'[Round "{10**18}"]', "header round"),
        (f'[Seed "{10**60}"]', "header seed"),
        ('[ExitCode "one"]', "header ExitCode: 'one'"),
        (f'[ExitCode "{10**10}"]', "header ExitCode"),
        ('[Seconds "0.1 soon"]', "header Seconds: 'soon'"),
        ('[Seconds "nan"]', "header Seconds: 'nan'"),
        ('[Seconds "1e999"]', "header Seconds: '1e999'"),
        ('[Seconds "-1"]', "header Seconds: '-1'"),
    ],
)
def test_a_header_that_no_store_could_keep_is_refused(header: str, reason: str) -> None:
    (bad,) = read(f"{header}\n{write(played('platforms', 0))}")
    assert isinstance(bad, BadGame)
    assert reason in bad.reason


@pytest.mark.parametrize("cut", [*range(8), *range(8, 126, 6)])
def test_a_game_that_was_cut_off_does_not_spoil_the_next_one(cut: int) -> None:
    first, second = played("platforms", 1), played("platforms", 2)
    sound, bad = games_and_lines(write(first)[:cut].rstrip("\n") + "\n" + write(second))
    assert sound == [second]
    assert bad == ([1] if cut else [])


def test_what_stands_between_games_is_named_and_the_games_are_kept() -> None:
    first, second = played("platforms", 1), played("platforms", 2)
    sound, bad = games_and_lines(f"hello\n{write(first)}[Nonsense]\n\n\n\n{write(second)}\0\n")
    assert sound == [first, second]
    assert bad[0] == 1 and len(bad) == 3


def test_a_game_after_far_too_many_headers_is_kept() -> None:
    game = played("platforms", 1)
    sound, bad = games_and_lines('[Name "value"]\n' * (MOST_LINES + 1) + write(game))
    assert (sound, bad) == ([game], [1])


@given(st.binary())
def test_a_file_of_any_content_has_lines_that_can_be_read(content: bytes) -> None:
    lines = list(lines_of(io.BytesIO(content)))
    assert len(lines) == content.count(b"\n") + (not content.endswith(b"\n") and content != b"")
    assert all(isinstance(found, BadGame) for found in read(lines))


@pytest.mark.parametrize("size", [LONGEST_LINE - 1, LONGEST_LINE, LONGEST_LINE + 1, 250_000])
@pytest.mark.parametrize("ends", ["", "\n", "\n\n"])
def test_a_line_that_is_too_long_spoils_its_own_game_only(size: int, ends: str) -> None:
    first, second = played("platforms", 1), played("platforms", 2)
    text = f"{write(first).rstrip()}\n{'é' * size}\n{write(second)}{ends}"
    sound, bad = games_and_lines(lines_of(io.BytesIO(text.encode())))
    assert sound == [second]
    assert bad == [1]


class Repeated(io.RawIOBase):
    """A file of so many bytes that repeats some."""

    def __init__(self, piece: bytes, size: int) -> None:
        self.source, self.left = itertools.cycle(piece), size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]  # the buffer of a BufferedReader
        count = min(len(buffer), self.left)
        buffer[:count] = bytes(itertools.islice(self.source, count))
        self.left -= count
        return count


def found_in(piece: bytes, size: int) -> Iterator[Record | BadGame]:
    return read(lines_of(io.BufferedReader(Repeated(piece, size))))  # type: ignore[arg-type]  # a BinaryIO


@pytest.mark.parametrize(
    ("piece", "bad"),
    [
        (b"x", 1),
        (b"[", 1),
        (b"\xf0\x9f", 1),
        (b" " * 30 + b"\n", 0),
        (b'[Name "some value or other"]\n', 1),
        (b"\0\xff\x1b\r[31m anything\n", 1),
        (b"1. a1 b2 2. c3 d4 3. a2 b3\n", 1),
    ],
)
def test_memory_stays_flat_whatever_is_in_a_file(piece: bytes, bad: int) -> None:
    tracemalloc.start()
    try:
        found = sum(1 for _ in found_in(piece, 8 * LARGEST_GAME))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found == bad
    assert peak < 5 * LARGEST_GAME


def test_as_many_bad_games_as_there_are_headers_are_read_one_by_one() -> None:
    piece = b'[Game "backgammon"]\n'
    lines = [one.line for one in found_in(piece, 1000 * len(piece)) if isinstance(one, BadGame)]
    assert lines == list(range(1, 1001))


@pytest.mark.parametrize("moves", [("0.", "0."), ("1.", "1.", "2."), ("a1", "7."), ("3.", "b2")])
def test_a_move_that_looks_like_a_number_survives(moves: tuple[str, ...]) -> None:
    [again] = read(write(short(moves=moves)), verify=False)
    assert isinstance(again, Record)
    assert again.moves == moves


def test_of_a_text_from_the_future_is_read_what_is_known_and_the_rest_refused_in_words() -> None:
    future = (
        '[Game "platforms"]\n[X "a"]\n[O "b"]\n[Result "{}"]\n[Termination "applause"]\n'
        '[Weather "sunny"]\n[Format "9"]\n\n1. b2 {{a comment}}\n\n'
    )
    known, unknown = read(future.format("x").replace(" {a comment}", "") + future.format("both"))
    assert isinstance(known, Record)
    assert (known.result, known.termination, known.moves) == ("x", "applause", ("b2",))
    assert isinstance(unknown, BadGame)
    assert "{a" in unknown.reason
    [other] = read(future.format("both").replace(" {a comment}", ""))
    assert isinstance(other, BadGame)
    assert "'both'" in other.reason and "x, o, draw" in other.reason


@pytest.mark.parametrize("name", ["\tani", "ani ", "a\\u{9}ni", "\\u{a0}ani"])
def test_the_white_space_of_a_name_is_read_as_it_would_be_written(name: str) -> None:
    lines = write(played("platforms:size=4", 1)).splitlines()
    changed = [f'[X "{name}"]' if line.startswith("[X ") else line for line in lines]
    (record,) = read("\n".join(changed))
    assert isinstance(record, Record)
    assert list(read(write(record))) == [record]
