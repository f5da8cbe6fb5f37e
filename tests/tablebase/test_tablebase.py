"""Tablebases: the result of every position, as an oracle finds it, on games that go in circles and
games that only go forward."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import papan
from fakes.graphs import graph, node
from fakes.walkers import Walker, agrees, walkers
from papan.core.game import Position
from papan.errors import InvalidLimit, PapanError, Unsolved, UsageError
from papan.search.limits import Stop, memory_of_machine
from papan.tablebase import build as building
from papan.tablebase import key_sets, lookup
from papan.tablebase.build import build
from papan.tablebase.building import forecast
from papan.tablebase.codec import ValueRange, codec_of
from papan.tablebase.key_sets import Runs
from papan.tablebase.keys import KeyTable
from papan.tablebase.lookup import Tablebase, verify
from papan.tablebase.store import Parts, block_rows, write_file
from reference import platforms
from reference import tablebase as oracle
from reference.three_mens_morris import Morris
from support import GALLERY, small_connect_four, thoroughly

#: Games in files of their own that tablebases are measured with.
OWN = Path(__file__).parents[2] / "benchmarks" / "games"
SMALL_CORNERS = f"{OWN}/small_corners.py:size=3,row=2"


@given(walkers())
def test_each_result_on_a_graph_with_circles_is_the_oracles(walker: Walker) -> None:
    tablebase = build(walker.position())
    assert tablebase.header["method"] == "circles"
    agrees(tablebase, oracle.results(walker))


@given(walkers(forward=True))
def test_each_result_on_a_graph_without_circles_is_the_oracles(walker: Walker) -> None:
    tablebase = build(walker.position(ranked=True), workers=2)
    assert tablebase.header["method"] == "forward"
    agrees(tablebase, oracle.results(walker))


@given(walkers())
def test_results_are_the_same_without_what_follows_an_overlooked_win(walker: Walker) -> None:
    left, expected = oracle.reachable(walker, pruned=True), oracle.results(walker)
    agrees(build(walker.position(), pruned=True), {each: expected[each] for each in left})


def test_layers_are_pruned_too_and_on_any_number_of_machines(tmp_path: Path) -> None:
    start, whole = papan.game("platforms:level=2").start(), papan.tablebase("platforms:level=2")
    made, spread = tmp_path / "made.db", tmp_path / "spread.db"
    pruned = build(start, out=made, pruned=True)
    with ThreadPoolExecutor(2) as executor:
        build(start, out=spread, executor=executor, pruned=True)
    assert made.read_bytes() == spread.read_bytes()
    assert pruned.is_pruned
    assert not whole.is_pruned
    assert pruned.value(start) == whole.value(start)
    assert 0 < verify(pruned) == pruned.positions < whole.positions


def test_nothing_is_pruned_where_results_are_margins() -> None:
    with pytest.raises(UsageError, match="margin"):
        papan.tablebase("adjacency:size=4,rounds=2", pruned=True)


def circle() -> Position:
    """Two nodes that lead to each other; from the second the side may also lose, or draw."""
    return graph(node(0b10, 0, 0, 0), node(0b1101, 0, 0, 0), node(0, 0, 1, 0), node(0, 0, 0, 0))


def test_a_draw_that_never_ends_is_told_from_one_by_rule() -> None:
    by_rule = build(circle())
    assert by_rule.value(by_rule.root).as_dict() == {"outcome": "draw", "plies": 2, "margin": None}
    endless = build(graph(node(0b10, 0, 0, 0), node(0b101, 0, 0, 0), node(0, 0, 1, 0)))
    assert str(endless.value(endless.root)) == "endless"
    assert endless.counts["endless"] == {0: 2}


def test_moves_have_the_value_for_the_side_that_makes_them() -> None:
    tablebase = build(circle())
    second = tablebase.root.play("b")
    found = {move: str(value) for move, value in tablebase.moves(second).items()}
    assert found == {"a": "draw 3", "c": "loss 1", "d": "draw 1"}


def test_a_game_whose_bound_does_not_fall_is_solved_as_one_with_circles() -> None:
    position = graph(node(0b10, 0, 0, 5), node(0b100, 0, 0, 5), node(0, 0, -1, 1))
    tablebase = build(position)
    assert (tablebase.header["method"], str(tablebase.value(position))) == ("circles", "loss 2")


def test_a_state_that_no_random_game_met_makes_keys_wider(monkeypatch: Any) -> None:
    root = circle()
    monkeypatch.setattr(building, "sample_ranges", lambda position: building.ranges_of(root.state))
    tablebase = build(root)
    assert (tablebase.positions, str(tablebase.value(root))) == (4, "draw 2")


def test_keys_of_several_words_give_the_same_results(monkeypatch: Any) -> None:
    def wide(position: Position) -> list[ValueRange]:
        ranges = building.ranges_of(position.state)
        words = [[7 * word + 3 for word in range(len(ranges))], [1] * len(ranges)]
        for each in words:
            ranges = building.widen(ranges, each)
        return [ValueRange(each.low, each.high + (1 << 20), True) for each in ranges]

    plain = build(circle())
    monkeypatch.setattr(building, "sample_ranges", wide)
    tablebase = build(circle())
    assert tablebase.codec.width > 2
    assert tablebase.counts == plain.counts
    assert verify(tablebase) == plain.positions


def test_a_codec_splits_runs_of_bits_at_the_end_of_a_word() -> None:
    numbers = [ValueRange(0, (1 << 40) - 1, True), ValueRange(-3, (1 << 33), True)]
    ranges = [*numbers, ValueRange(4, 0b111100, False)]
    codec = codec_of(ranges)
    assert codec.width == 2
    lengths = [int(mask).bit_length() for mask in codec.runs[1::4]]
    assert sum(lengths) == 40 + 34 + 3
    assert max(int(up) + n for up, n in zip(codec.runs[3::4], lengths, strict=True)) <= 64


# --- files


def test_a_file_has_the_results_and_is_the_same_for_any_number_of_threads(tmp_path: Path) -> None:
    one, two = tmp_path / "one.db", tmp_path / "two.db"
    game = papan.game("platforms:level=2")
    made = papan.tablebase(game, out=one)
    build(game.start(), out=two, workers=2)
    assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["one.db", "two.db"]
    opened = papan.tablebase(str(one))
    assert opened.counts == made.counts
    position = game.start().play("b3")
    assert opened.value(position) == made.value(str(position))


def test_a_tablebase_of_platforms_has_the_oracles_results() -> None:
    root = platforms.Platforms((0, *(1,) * 7, 0), "x", 0, 8)
    tablebase = papan.tablebase("platforms")
    assert str(tablebase.root) == root.line()
    positions = oracle_results(root)
    for position, (outcome, plies) in positions.items():
        value = tablebase.value(position.line())
        assert (value.outcome, value.plies) == (outcome, plies)
    assert tablebase.positions < len(positions) <= tablebase.images


def oracle_results(root: platforms.Platforms) -> dict[Any, tuple[str, int]]:
    """Outcome and plies of each position that can be reached, by looking ahead."""
    found: dict[Any, tuple[str, int]] = {}

    def solve(position: platforms.Platforms) -> tuple[str, int]:
        if position not in found:
            after = [solve(position.play(move)) for move in position.moves()]
            lost = [plies for outcome, plies in after if outcome == "loss"]
            best = ("win", min(lost)) if lost else ("loss", max((n for _, n in after), default=-1))
            found[position] = (best[0], best[1] + 1)
        return found[position]

    solve(root)
    return found


def no_numbers(state: Any) -> int:
    """Stands for `index_count`: the game does not number its positions."""
    return 0


def with_memory(size: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Allows so many bytes from now on; the sizes of the runs that are written to disk then."""
    sizes: list[int] = []
    kept = Runs.add

    def add(self: Runs, table: KeyTable) -> None:
        sizes.append(int(table.counts.sum()))
        kept(self, table)

    monkeypatch.setattr(Runs, "add", add)
    monkeypatch.setattr(building, "MOST_OF_MEMORY", size / memory_of_machine())
    return sizes


@pytest.mark.parametrize(
    ("game", "size", "runs"),
    [("platforms:size=4,level=1", 120_000, 20), *thoroughly((SMALL_CORNERS, 110_000, 8))],
)
def test_what_is_larger_than_memory_is_sorted_on_disk_to_the_same_file(
    game: str, size: int, runs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "index_count", no_numbers)
    start = papan.game(game).start()
    whole, narrow = tmp_path / "whole.db", tmp_path / "narrow.db"
    build(start, out=whole)
    written = with_memory(size, monkeypatch)
    monkeypatch.setattr(key_sets, "MOST_RUNS", 3)
    build(start, out=narrow, workers=2)
    assert len(written) >= runs
    assert narrow.read_bytes() == whole.read_bytes()


@pytest.mark.thorough
def test_work_on_disk_that_was_stopped_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "index_count", no_numbers)
    start = papan.game(SMALL_CORNERS).start()
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    build(start, out=whole)
    with_memory(110_000, monkeypatch)
    spoilt = full_after(6, Runs, "add", monkeypatch)
    with pytest.raises(UsageError, match="No space left on device"):
        build(start, out=cut)
    monkeypatch.setattr(Runs, "add", spoilt)
    build(start, out=cut)
    assert cut.read_bytes() == whole.read_bytes()


def full_after(number: int, owner: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Lets a method fail for want of disk when it was called so often; the method as it was."""
    left, kept = iter(range(number)), getattr(owner, name)

    def failing(*words: Any) -> Any:
        if next(left, None) is None:
            raise OSError(28, "No space left on device")
        return kept(*words)

    monkeypatch.setattr(owner, name, failing)
    return kept


def test_work_that_was_stopped_goes_on_where_it_was(tmp_path: Path, monkeypatch: Any) -> None:
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    start = papan.game("platforms:level=2").start()
    build(start, out=whole)
    for most in (3, 16, 5):
        kept = full_after(most, Parts, "making", monkeypatch)
        with pytest.raises(UsageError, match="No space left on device"):
            build(start, out=cut)
        monkeypatch.setattr(Parts, "making", kept)
        assert not cut.exists()
    expanded = count_expanded(monkeypatch)
    build(start, out=cut)
    assert cut.read_bytes() == whole.read_bytes()
    assert sum(expanded) < 2 * papan.tablebase(str(whole)).positions


def count_expanded(monkeypatch: Any) -> list[int]:
    """Notes how many positions are given to threads from now on."""
    counts: list[int] = []
    expand_keys = building.Building.expand_keys

    def counting(self: Any, keys: Any, *rest: Any, **named: Any) -> Any:
        counts.append(keys.size // self.width)
        return expand_keys(self, keys, *rest, **named)

    monkeypatch.setattr(building.Building, "expand_keys", counting)
    return counts


@pytest.mark.thorough
def test_waves_of_a_game_with_circles_are_taken_up_again(tmp_path: Path, monkeypatch: Any) -> None:
    chain = graph(*(node(1 << place + 1 | 1, 0, 0, 0) for place in range(8)), node(0, 0, -1, 0))
    whole, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    build(chain, out=whole)
    monkeypatch.setattr(building, "write_file", fail)
    with pytest.raises(UsageError):
        build(chain, out=cut)
    parts = cut.with_name("cut.db.parts")
    assert {"plan.json", "layer-0"} <= {path.name for path in parts.iterdir()}
    monkeypatch.undo()
    damaged = bytearray((parts / "layer-0").read_bytes())
    damaged[-1] ^= 1
    (parts / "layer-0").write_bytes(damaged)
    build(chain, out=cut)
    assert cut.read_bytes() == whole.read_bytes()
    assert not parts.exists()


def fail(*args: object) -> None:
    raise OSError(28, "No space left on device")


def test_other_rules_do_not_take_up_what_is_left_of_these(tmp_path: Path) -> None:
    parts = Parts(tmp_path / "parts", {"rules": "a"})
    parts.put("layer-1", np.arange(3, dtype=np.uint64))
    assert Parts(tmp_path / "parts", {"rules": "a"}).get("layer-1") is not None
    assert Parts(tmp_path / "parts", {"rules": "b"}).get("layer-1") is None


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda data: b"x" + data[1:], "is not a tablebase"),
        (lambda data: data[:7] + b"\x09" + data[8:], "version 9"),
        (lambda data: data[:40] + b"\x00" + data[41:], "damaged"),
        (lambda data: data[:-8], "damaged"),
        (lambda data: data.replace(b'"rules": "', b'"rules": "0'), "damaged"),
    ],
)
def test_a_file_that_is_not_as_it_was_made_is_refused_in_one_line(
    spoil: Any, complaint: str, tmp_path: Path
) -> None:
    file = tmp_path / "game.db"
    build(papan.game("platforms").start(), out=file)
    file.write_bytes(spoil(file.read_bytes()))
    with pytest.raises(UsageError, match=complaint) as error:
        Tablebase.open(file)
    assert "\n" not in str(error.value)


def test_a_file_of_another_game_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "game.db"
    build(papan.game("platforms").start(), out=file)
    with pytest.raises(UsageError, match="another game"):
        Tablebase.open(file, papan.game("platforms:level=2"))


def test_a_file_is_used_after_a_change_of_sources_that_changes_no_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "game.db"
    built = build(papan.game("platforms").start(), out=file)
    monkeypatch.setattr(lookup, "rules_digest", lambda game: "of a changed file")
    opened = Tablebase.open(file)
    assert opened.value(opened.root) == built.value(built.root)
    write_file(file, *with_a_wrong_result(built))
    with pytest.raises(UsageError, match="other rules"):
        Tablebase.open(file)
    data = file.read_bytes()
    file.write_bytes(data[:-8] + bytes([data[-8] ^ 1]) + data[-7:])
    with pytest.raises(UsageError, match="damaged"):
        Tablebase.open(file)


@pytest.mark.parametrize(
    ("line", "changed"),
    [
        ("return -WIN if has_line", "return WIN if has_line"),  # three in a row lose
        *thoroughly(
            ("threes(pieces, 7) | ", ""),  # one diagonal less
            ("popcount(SQUARES) - popcount", "2 * popcount(SQUARES) - popcount"),
            ("BOARD = Grid(3, 3)", "BOARD = Grid(4, 3)"),
        ),
    ],
)
def test_a_file_is_refused_when_the_rules_have_changed(
    line: str, changed: str, tmp_path: Path
) -> None:
    text, file = (GALLERY / "tictactoe.py").read_text(encoding="utf-8"), tmp_path / "game.db"
    build(tic_tac_toe(text, tmp_path / "old").start(), out=file)
    same = tic_tac_toe(f"{text}# the same rules\n", tmp_path / "same")
    assert Tablebase.open(file, same).positions > 0
    assert line in text
    with pytest.raises(UsageError, match="other rules"):
        Tablebase.open(file, tic_tac_toe(text.replace(line, changed), tmp_path / "new"))


def tic_tac_toe(text: str, folder: Path) -> papan.Game:
    """A game whose file has this text."""
    folder.mkdir()
    (folder / "tictactoe.py").write_text(text, encoding="utf-8")
    return papan.game(str(folder / "tictactoe.py"))


def test_a_wrong_result_is_found_by_verifying(tmp_path: Path) -> None:
    file = tmp_path / "game.db"
    tablebase = build(papan.game("platforms").start(), out=file)
    assert verify(tablebase) == 149
    header, blocks = with_a_wrong_result(tablebase)
    data = bytearray(file.read_bytes())
    data[-8] ^= 1
    file.write_bytes(data)
    with pytest.raises(UsageError, match="damaged"):
        verify(Tablebase.open(file))
    with pytest.raises(UsageError, match="results of 1 positions"):
        verify(Tablebase(tablebase.game, header, np.concatenate(blocks)))


def with_a_wrong_result(tablebase: Tablebase) -> tuple[dict[str, Any], list[Any]]:
    """The header and the blocks of a tablebase with one wrong result and right checksums."""
    words = np.array(tablebase.words)
    words[-1] ^= np.uint64(1)
    rows = tablebase.header["blocks"]
    blocks = [words[row["at"] :][: row["words"]] for row in rows]
    return {**tablebase.header, "blocks": block_rows([row["rank"] for row in rows], blocks)}, blocks


# --- what cannot be done


def test_a_stop_ends_the_work() -> None:
    stop = Stop()
    stop.set()
    with pytest.raises(Unsolved, match="stopped"):
        build(circle(), stop=stop)


def test_memory_that_does_not_suffice_is_said_before_it_is_taken() -> None:
    with pytest.raises(Unsolved, match="more than 1 MB"):
        build(papan.game("platforms:size=5,level=2").start(), memory_mb=1)
    with pytest.raises(InvalidLimit):
        build(circle(), memory_mb=0)


@pytest.mark.thorough
def test_a_game_that_is_too_large_is_refused_with_a_forecast_of_its_size() -> None:
    with pytest.raises(Unsolved, match=r"has about .* positions \(.* estimated from its first"):
        build(papan.game("platforms:size=6,level=3").start(), memory_mb=256)


@pytest.mark.thorough
def test_who_wants_it_anyway_is_stopped_by_the_memory_alone() -> None:
    with pytest.raises(Unsolved, match="more than 64 MB"):
        build(papan.game("platforms:size=6,level=3").start(), memory_mb=64, anyway=True)


#: Positions of Connect Four after 0, 1, … 42 plies: OEIS A212693.
PLIES_OF_CONNECT_FOUR = """1 7 49 238 1120 4263 16422 54859 184275 558186 1662623 4568683
    12236101 30929111 75437595 176541259 394591391 858218743 1763883894 3568259802 6746155945
    12673345045 22010823988 38263228189 60830813459 97266114959 140728569039 205289508055
    268057611944 352626845666 410378505447 479206477733 488906447183 496636890702 433471730336
    370947887723 266313901222 183615682381 104004465349 55156010773 22695896495 7811825938
    1459332899"""


def test_the_size_of_connect_four_lies_between_the_bounds_of_its_forecast() -> None:
    sizes = [int(size) for size in PLIES_OF_CONNECT_FOUR.split()]
    assert sum(sizes) == 4_531_985_219_092
    for known in (11, 12, 14):
        found = forecast(sizes[:known], 43 - known)
        assert found is not None
        assert found.low < found.positions < found.high
        assert found.low < sum(sizes) < found.high
        assert found.largest < max(sizes)


#: Positions of Dōbutsu shōgi in waves from the start, found by `papan tablebase --pruned`.
WAVES_OF_DOBUTSU = """1 4 17 86 474 2115 8389 31528 115334 380081 1179808 3198603 7686458 15280136
    25431777 32933524 34347730 30006408 26116849 23821951 23050339 19956171"""


def test_a_game_in_circles_is_not_estimated_larger_than_it_is() -> None:
    sizes = [int(size) for size in WAVES_OF_DOBUTSU.split()]
    for known in range(9, 15):
        found = forecast(sizes[:known])
        assert found is not None
        assert found.low < sum(sizes) < found.high


def test_nothing_is_estimated_from_a_few_layers() -> None:
    assert forecast([1, 2, 4, 8, 12, 14, 9]) is None
    done = forecast([1, 2, 4, 8, 12, 14, 9, 3, 1])
    assert done is not None
    assert done.positions < 60


def test_a_position_that_cannot_be_reached_is_not_in_the_tablebase() -> None:
    tablebase = papan.tablebase("platforms")
    with pytest.raises(UsageError, match="is not in the tablebase"):
        tablebase.value("000/000/000 x b2 c1")
    with pytest.raises(UsageError, match="another game"):
        tablebase.value(papan.game("corners").start())


def test_games_in_which_positions_are_forbidden_have_no_tablebase() -> None:
    with pytest.raises(PapanError, match="depend on all earlier positions"):
        build(papan.game(f"{Path(__file__).parents[1]}/fakes/geography.py").start())


# --- published counts


@pytest.mark.thorough
def test_tic_tac_toe_has_5478_positions() -> None:
    tablebase = papan.tablebase(f"{GALLERY}/tictactoe.py")
    assert tablebase.positions == 5478
    assert str(tablebase.value(tablebase.root)) == "draw 9"
    assert verify(tablebase) == 5478


@pytest.mark.thorough
@pytest.mark.parametrize(("rows", "columns", "positions"), [(4, 4, 161_029), (5, 4, 1_706_255)])
def test_connect_four_has_as_many_positions_as_published(
    rows: int, columns: int, positions: int, tmp_path: Path
) -> None:
    """John Tromp, "John's Connect Four Playground"."""
    assert papan.tablebase(small_connect_four(rows, columns, tmp_path)).images == positions


@pytest.mark.thorough
def test_three_mens_morris_has_the_oracles_results() -> None:
    game = papan.game(f"{OWN}/three_mens_morris.py")
    tablebase, expected = papan.tablebase(game), oracle.results(Morris())
    assert tablebase.images == len(expected)
    assert str(tablebase.value(game.start())) == str_of(expected[Morris()])
    for seed in range(30):
        plain = Morris()
        for move, after in game.start().random_walk(Random(seed), 20):
            left, entered = map(point_of, move.split("-"))
            plain = plain.play((left, entered))
            assert str(tablebase.value(after)) == str_of(expected[plain])


def point_of(square: str) -> int:
    """The number of a point in rows of three."""
    return 3 * (int(square[1]) - 1) + "abc".index(square[0])


def str_of(exact: oracle.Exact) -> str:
    return exact.outcome if exact.plies is None else f"{exact.outcome} {exact.plies}"


@pytest.mark.long
def test_the_first_layers_of_connect_four_have_as_many_positions_as_published(
    tmp_path: Path,
) -> None:
    """OEIS A212693, as far as layers are found before the whole game is refused for its size."""
    out = tmp_path / "connect_four.db"
    with pytest.raises(Unsolved, match="estimated"):
        build(papan.game(f"{GALLERY}/connect_four.py").start(), out=out)
    plan = json.loads((tmp_path / "connect_four.db.parts" / "plan.json").read_text())
    images = [found for _, _, found in plan["notes"]["layers"]]
    assert len(images) >= 9
    assert images == [int(size) for size in PLIES_OF_CONNECT_FOUR.split()[: len(images)]]
