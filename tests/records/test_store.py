"""The store: what is in it once it has said so, and how it is found again."""

import itertools
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from papan.errors import RecordError
from papan.records import store as module
from papan.records.model import LONGEST_EVENT, Record
from papan.records.store import Event, Standing, Store
from records.samples import SPECS, known, played, records, short


@given(records)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_game_comes_back_as_it_was_saved_whatever_is_in_it(store: Store, record: Record) -> None:
    one = replace(record, event="")
    store.save(record.id, one)
    found = store.get(record.id)
    assert found is not None
    assert known(found) == known(one)


@given(records)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_game_comes_back_as_it_was_added_to_an_event_and_is_added_once(
    store: Store, record: Record
) -> None:
    event = f"{module.new_id()} {record.event}"[:LONGEST_EVENT]
    one = replace(record, event=event, round=max(record.round, 1), id=module.new_id())
    assert store.add(one)
    assert not store.add(replace(one, id=""))
    assert [known(found) for found in store.find(event=event)] == [known(one)]
    assert store.rounds(event) == ({one.round} if one.result != "*" else set())


@pytest.mark.parametrize("spec", SPECS)
def test_games_of_the_rules_can_be_replayed_from_the_store(store: Store, spec: str) -> None:
    games = [played(spec, seed) for seed in (1, 2, 3)]
    assert store.add_all(games) == 3
    found = list(store.find())
    assert found == games
    assert [one.replay()[-1] for one in found] == [one.replay()[-1] for one in games]


def test_a_game_of_an_event_that_is_known_changes_nothing(store: Store) -> None:
    first = played("platforms", 1, event="cup")
    assert store.add(first)
    assert not store.add(first)
    assert not store.add(replace(first, moves=("a1",), result="x", id="another"))
    assert list(store.find()) == [first]


def test_equal_games_without_an_event_or_a_round_are_different_games(store: Store) -> None:
    alone, unnumbered = short(), short(event="cup")
    assert all(store.add(one) for one in (alone, alone, unnumbered, unnumbered))
    assert store.count() == 4
    assert len({one.id for one in store.find()}) == 4


def test_a_game_that_is_known_by_its_id_changes_nothing(store: Store) -> None:
    assert store.add(short(id="one"))
    assert not store.add(short(id="one", x="somebody else"))
    assert [one.x for one in store.find()] == ["ada"]


def test_a_finished_game_takes_the_place_of_the_same_one_unfinished_and_never_the_reverse(
    store: Store,
) -> None:
    begun = [short(event="cup", round=1), short(id="one")]
    ended = [replace(one, result="x", termination="time") for one in begun]
    assert store.add_all(begun) == 2
    ids = [one.id for one in store.find()]
    assert store.rounds("cup") == set()
    assert store.add_all(ended) == 2
    assert store.add_all(begun) == 0
    assert list(store.find()) == ended
    assert [one.id for one in store.find()] == ids
    assert store.rounds("cup") == {1}


def test_many_games_are_added_whatever_of_them_is_known(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 7)
    store.add_all(short(event="cup", round=number) for number in (3, 5, 11))
    numbers = [*range(1, 21), 1, 20]
    assert store.add_all(short(event="cup", round=number) for number in numbers) == 17
    assert sorted(one.round for one in store.find()) == list(range(1, 21))


def test_games_come_in_the_order_of_their_arrival_or_the_other_way_round(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 4)
    store.add_all(short(round=number) for number in range(1, 14))
    everything = list(range(1, 14))
    for limit, offset in itertools.product([None, 0, 1, 4, 5, 12, 13, 99], [0, 3, 4, 13, 99]):
        end = None if limit is None else offset + limit
        found = [one.round for one in store.find(limit=limit, offset=offset)]
        assert found == everything[offset:end]
        found = [one.round for one in store.find(limit=limit, offset=offset, newest_first=True)]
        assert found == everything[::-1][offset:end]


def test_games_can_be_added_while_others_are_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 2)
    store.add_all(short(event="a", round=number) for number in range(1, 6))
    for one in store.find(event="a"):
        store.add(replace(one, event="b", id=""))
    assert store.rounds("b") == set() and store.count(event="b") == 5


FILTERS: list[tuple[dict[str, Any], str]] = [
    ({}, "abcdef"),
    ({"game": "platforms"}, "ade"),
    ({"game": "platforms:size=4"}, "d"),
    ({"game": "platform"}, ""),
    ({"player": "minimax"}, "ab"),
    ({"player": "minimax:depth=2"}, "a"),
    ({"player": "Minimax"}, ""),
    ({"player": "mini%"}, ""),
    ({"player": "a_a"}, ""),
    ({"event": "cup"}, "ce"),
    ({"event": ""}, "abdf"),
    ({"result": "draw"}, "d"),
    ({"since": datetime(2025, 6, 1, 12, tzinfo=UTC)}, "def"),
    ({"since": datetime(2025, 6, 1, 19, tzinfo=timezone(timedelta(hours=7)))}, "def"),
    ({"since": datetime(2025, 6, 1, 12, 0, 1, tzinfo=UTC)}, "ef"),
    ({"game": "platforms", "event": "cup", "result": "*", "player": None}, "e"),
    ({"game": "corners", "event": "league"}, ""),
]


@pytest.fixture
def filled(store: Store) -> Store:
    """A store with a few different games, whose ids are letters."""
    store.add_all(
        [
            short(id="a", o="minimax:depth=2"),
            short(id="b", game="corners", x="minimax", o="minimaxi"),
            short(id="c", game="corners", event="cup", round=2, played="2025-05-31T23:59:59+00:00"),
            short(
                id="d", game="platforms:size=4", result="draw", played="2025-06-01T12:00:00+00:00"
            ),
            short(id="e", event="cup", round=1, played="2025-06-01T12:00:01+00:00"),
            short(id="f", game="corners", x="minimum", played="2026-01-01T00:00:00+00:00"),
        ]
    )
    return store


@pytest.mark.parametrize(("filters", "ids"), FILTERS)
def test_games_are_found_by_what_is_asked_of_them(
    filled: Store, filters: dict[str, Any], ids: str
) -> None:
    assert "".join(one.id for one in filled.find(**filters)) == ids
    assert filled.count(**filters) == len(ids)


def test_events_are_summed_up(store: Store) -> None:
    days = ["2025-01-02", "2025-01-01", "2025-01-03"]
    for number, day in enumerate(days, start=1):
        store.add(short(event="b", round=number, result="*" if number == 2 else "x", played=day))
    store.add(short(event="a", round=1, played="2025-01-04"))
    store.add(short())
    assert store.events() == [
        Event("b", 3, 2, "2025-01-01", "2025-01-03"),
        Event("a", 1, 0, "2025-01-04", "2025-01-04"),
    ]
    assert store.rounds("b") == {1, 3}
    assert store.rounds("nobody knows it") == set()


def test_each_player_of_each_game_has_its_wins_draws_and_losses(store: Store) -> None:
    ends = [
        ("ada", "budi", "x"),
        ("budi", "ada", "x"),
        ("ada", "budi", "draw"),
        ("ada", "ada", "o"),
    ]
    store.add_all(short(x=x, o=o, result=result) for x, o, result in ends)
    store.add(short(game="corners", result="o"))
    store.add(short(result="*"))
    assert store.stats() == [
        Standing("corners", "budi", 1, 1, 0, 0),
        Standing("corners", "ada", 1, 0, 0, 1),
        Standing("platforms", "ada", 5, 2, 1, 2),
        Standing("platforms", "budi", 3, 1, 1, 1),
    ]
    assert store.stats(game="corners", result="x") == []


def test_a_game_in_progress_is_kept_move_by_move(store: Store) -> None:
    moves = played("platforms", 4).moves
    for ply in range(len(moves) + 1):
        store.save("table 1", short(moves=moves[:ply]))
        found = store.get("table 1")
        assert found is not None and found.moves == moves[:ply] and found.id == "table 1"
    assert store.count() == 1


def test_a_saved_game_cannot_take_the_round_of_another(store: Store) -> None:
    store.add(short(event="cup", round=1))
    with pytest.raises(RecordError, match="round 1 of 'cup' is another game"):
        store.save("one", short(event="cup", round=1))
    store.save("one", short(event="cup", round=2))
    assert store.count() == 2


def test_nothing_is_found_under_an_unknown_id(store: Store) -> None:
    assert store.get("one") is None


@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"moves": ("a1", "b2 c3")}, "ply 2: the move 'b2 c3' is not a single word"),
        ({"moves": ("",)}, "ply 1: the move ''"),
        ({"event": "x" * 401}, "header Event: longer than 400"),
        ({"id": "x" * 65}, "header Id: longer than 64"),
        ({"round": -1}, "header Round: '-1'"),
        ({"round": 2**63}, "header Round"),
    ],
)
def test_a_record_that_could_not_be_read_back_is_refused(
    store: Store, facts: dict[str, Any], reason: str
) -> None:
    with pytest.raises(RecordError, match=reason):
        store.add(short(**facts))
    assert store.count() == 0


def test_threads_that_add_the_same_games_add_each_of_them_once(store: Store) -> None:
    news: list[bool] = []

    def write() -> None:
        for number in range(1, 31):
            news.append(store.add(short(event="cup", round=number)))

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(news), sum(news), store.count()) == (120, 30, 30)
