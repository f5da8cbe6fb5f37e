"""The text form of records: what is written is read again, and damage is named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from papan.records.model import Record
from papan.records.text import BadGame, read, write
from records.samples import SPECS, played


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


def test_a_result_that_the_rules_contradict_is_refused() -> None:
    text = write(played("platforms", 1))
    winner = "x" if '[Result "x"]' in text else "o"
    turned = text.replace(f'[Result "{winner}"]', '[Result "draw"]')
    (bad,) = read(turned)
    assert isinstance(bad, BadGame)
    assert f"the rules say '{winner}'" in bad.reason


@given(st.text())
def test_no_text_whatever_breaks_the_reader(text: str) -> None:
    assert all(isinstance(found, BadGame) for found in read(text))
