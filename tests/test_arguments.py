"""Whatever a public function is given, it answers, or refuses it by `PapanError` or `TypeError`."""

import inspect
import math
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import papan
from papan.core.arguments import check_arguments, fits
from papan.core.game import Game, Outcome
from papan.errors import InvalidLimit, InvalidPosition, UsageError
from papan.records.model import Record
from papan.search.limits import Clocks

SMALL = "platforms:size=4"


class Unwritable:
    """Something that cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


#: Values that somebody may give by mistake.
JUNK: list[Any] = [
    *(None, True, -1, 10**30, 10**5000, 1.5, math.nan, math.inf, -math.inf, 1j, np.float64("nan")),
    *("", "nope", "\0", "é\ud800", ":", "platforms:size=x", "minimax:depth=0", b"c4"),
    *([], [None], ["c4", 5], {}, {"x": 1}, (), set(), object(), Unwritable(), print, int, papan),
    *(Outcome.DRAW, Path("/nowhere/at/all"), np.zeros(3), Random(1), datetime.now(UTC), Clocks()),
]


def keys(function: Callable[..., Any], **others: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A function with arguments that it takes."""
    return function, others


def cheap(position: papan.Position) -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    """Every public function with arguments that it takes and that cost little."""
    short: dict[str, Any] = {"games": 2, "seed": 1, "openings": [], "on_game": None}
    return [
        keys(papan.game, text=SMALL),
        keys(papan.player, text="random"),
        keys(papan.analyse, position=position, depth=1, nodes=9, algorithm="alphabeta", lines=1),
        keys(papan.analyse, position=position, limit=papan.Limit(depth=1), algorithm="alphabeta"),
        keys(papan.analyse, position=position, depth=1, evaluation="", algorithm="alphabeta"),
        keys(papan.solve, position=position, nodes=9, memory_mb=1, every=False),
        keys(papan.perft, position=position, depth=1),
        keys(papan.divide, position=position, depth=1),
        keys(papan.random_games, position=position, games=2, seed=1),
        keys(papan.tree, position=position, depth=1, algorithm="alphabeta", most=3, view="x"),
        keys(papan.play_game, position=position, x="first", o="random", time=1.0, seed=1),
        keys(papan.play_match, game=SMALL, one="first", two="random", store=None, **short),
        keys(papan.play_match, game=SMALL, one="first", two="first", workers=1, **short),
        keys(papan.board_svg, shown=position, size=9.0, flipped=False, title="", ident=""),
        keys(papan.Limit, depth=1, seconds=1.0, nodes=9, clocks=None),
        keys(papan.Position, game=position.game, state=position.state, past=()),
        keys(position.game.position, line=str(position)),
        keys(position.play),
    ]


@pytest.fixture(scope="module")
def calls() -> list[tuple[Callable[..., Any], dict[str, Any]]]:
    return cheap(papan.game(SMALL).start())


def refused(function: Callable[..., Any], *given: Any, **named: Any) -> bool:
    """True if a call is refused as it should be; whatever else is raised is a failure."""
    try:
        function(*given, **named)
    except papan.PapanError as error:
        said = str(error)
    except TypeError:
        return True
    else:
        return False
    assert said and "\n" not in said and len(said) < 2_000
    return True


@pytest.mark.thorough
def test_wrong_kinds_are_refused_one_argument_at_a_time(
    calls: list[tuple[Callable[..., Any], dict[str, Any]]],
) -> None:
    tried = 0
    for function, fine in calls:
        if fine and function is not papan.solve:  # it gives up after so few nodes
            assert not refused(function, **fine), function
        for name in fine:
            # No limit is fine, and takes its time.
            for junk in JUNK[name in ("limit", "time", "nodes") :]:
                refused(function, **{**fine, name: junk})
                tried += 1
    assert tried > 1_500


def test_every_public_name_that_can_be_called_is_tried(
    calls: list[tuple[Callable[..., Any], dict[str, Any]]],
) -> None:
    tried = {function for function, _ in calls}
    elsewhere = {"Choice", "Game", "Outcome", "Player", "SearchResult", "Solution", "Store"}
    slow = {
        "check_game",
        "check_player",
        "tablebase",
        "move_values",
        "values",
        "train",
        "tune",
        "export",
    }
    for name in set(papan.__all__) - elsewhere - slow:
        public = getattr(papan, name)
        is_error = inspect.isclass(public) and issubclass(public, Exception)
        assert public in tried or is_error or not inspect.signature(public).parameters, name


@pytest.mark.parametrize("junk", [None, True, 5, math.nan, b"x", [], object(), Unwritable()])
def test_the_checks_of_games_and_players_refuse_what_is_none(junk: Any) -> None:
    assert refused(papan.check_game, junk)
    assert refused(papan.check_player, junk)
    assert refused(papan.check_player, "random", junk) or junk is None
    for name in ("games", "seed", "seconds"):
        if not (junk == 5 and junk is not True):
            assert refused(papan.check_game, SMALL, **{name: junk})


@pytest.mark.parametrize("junk", [None, True, 5, math.nan, b"x", [], object(), Unwritable()])
def test_tablebases_and_values_of_moves_refuse_what_is_no_position(junk: Any) -> None:
    for function in (papan.tablebase, papan.move_values, papan.values):
        assert refused(function, junk)
        assert refused(function, SMALL, memory_mb=junk if junk != 5 else -5)


@pytest.mark.parametrize("junk", [None, True, 5.5, math.nan, b"x", [], object(), Unwritable()])
def test_training_and_tuning_refuse_what_is_no_game_or_number(junk: Any) -> None:
    assert refused(papan.train, junk)
    assert refused(papan.tune, junk, "random")
    assert refused(papan.tune, SMALL, junk)
    assert refused(papan.train, SMALL, workers=junk)
    assert refused(papan.tune, SMALL, "minimax", final=junk)


@pytest.mark.parametrize("junk", JUNK, ids=lambda junk: type(junk).__name__)
def test_moves_of_the_wrong_kind_are_refused(junk: Any) -> None:
    position = papan.game(SMALL).start()
    assert refused(position.play, junk)
    assert refused(position.play, position.moves()[0], junk)


# --- positions


def positions(*specs: str) -> Iterator[papan.Position]:
    """A position of each game after a few random moves."""
    for spec in specs:
        *_, (_, position) = papan.game(spec).start().random_walk(Random(3), 4)
        yield position


GAMES = ("adjacency", "corners", "platforms", "othello", "kalah", "quoridor", "chess")


@pytest.mark.parametrize("spec", GAMES)
def test_a_state_of_another_game_is_refused(spec: str) -> None:
    [own] = positions(spec)
    for other in positions(*({"adjacency", "corners"} - {spec})):
        with pytest.raises(InvalidPosition, match="is not a state of"):
            papan.Position(own.game, other.state)
    assert papan.Position(own.game, own.state).state == own.state


@pytest.mark.parametrize("spec", GAMES)
def test_no_state_gets_anything_else_out_of_a_position_than_an_error(spec: str) -> None:
    [own] = positions(spec)
    wrong = [-1, -(2**40), 3, 99, 2**31, 2**70, np.uint64(2**64 - 1), None, True, "x", 1.5, (1,)]
    refusals = 0
    for index in range(len(own.state)):
        for junk in wrong:
            state = type(own.state)(*own.state[:index], junk, *own.state[index + 1 :])
            try:
                position = papan.Position(own.game, state)
            except papan.PapanError:
                refusals += 1
                continue
            for code in position.codes():
                position.after(code)
            position.outcome(), str(position), position.key
    assert refusals > len(own.state)


#: The methods of games and positions with one argument, or a text and a state.
METHODS = (
    *("allows", "contents", "facts", "winning_line", "write_state", "read_state", "position"),
    *("steps", "touches", "write_move", "gtp_move", "read_move", "after", "random_walk"),
)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # numpy, of what is no number
@pytest.mark.parametrize("spec", ["connect_four", "chess", "corners", "adjacency"])
def test_methods_of_games_and_positions_refuse_wrong_kinds(spec: str) -> None:
    [own] = positions(spec)
    tried = 0
    for owner in (own.game, own):
        for name in set(METHODS) & set(dir(owner)):
            for junk in (*JUNK, 10**6, own.state[:1]):
                more = [own.state] if name == "read_move" else []
                refused(lambda *given: _first(getattr(owner, name)(*given)), junk, *more)  # noqa: B023
                tried += 1
    assert tried > 300


def _first(found: Any) -> Any:
    return next(found, None) if isinstance(found, Iterator) else found


def test_an_argument_that_is_right_is_not_blamed_for_a_failing_rule() -> None:
    class Failing(type(papan.game("corners"))):  # type: ignore[misc]  # a class like any other
        def facts(self, state: Any) -> dict[str, int]:
            return {"nothing": 1 // 0}

    game = Failing()
    with pytest.raises(ZeroDivisionError):
        game.facts(game.start_state())
    with pytest.raises(UsageError, match="state: 5 is not CornersState"):
        game.facts(5)


# --- stores and records


@pytest.mark.parametrize("junk", [5, True, math.nan, b"x", [], object(), print])
def test_a_store_is_a_path_or_an_address(junk: Any, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match=r"where: .* is not"):
        papan.Store(junk)
    assert list(tmp_path.iterdir()) == []


def test_methods_of_a_store_refuse_wrong_kinds(tmp_path: Path) -> None:
    with papan.Store(tmp_path / "games.sqlite") as store:
        game = Record(SMALL, "a", "b", (), "*")
        fine: dict[str, dict[str, Any]] = {
            "add": {"game": game},
            "add_all": {"records": [game]},
            "save": {"id": "one", "game": game},
            "get": {"id": "one"},
            "find": {
                "limit": 1,
                "offset": 0,
                "after": "one",
                "newest_first": True,
                "game": "a",
                "since": None,
            },
            "count": {"player": "a", "event": "b", "result": "x"},
            "rounds": {"event": "a"},
            "stats": {"game": "a"},
        }
        for method, named in fine.items():
            assert not refused(lambda **n: list(_rows(getattr(store, method)(**n))), **named)  # noqa: B023
            for name in named:
                for junk in JUNK:
                    refused(
                        lambda **n: list(_rows(getattr(store, method)(**n))),  # noqa: B023
                        **{**named, name: junk},
                    )
        assert refused(store.count, weather="sunny")


def _rows(found: Any) -> Any:
    return found if isinstance(found, Iterator | list) else []


# --- the check itself


@pytest.mark.parametrize(
    ("value", "hint", "expected"),
    [
        (1, int, True),
        (np.int64(1), int, True),
        (True, int, False),
        (1.0, int, False),
        (1, float, True),
        (math.nan, float, False),
        (math.inf, float, True),
        (None, int | None, True),
        ("ab", tuple[str, ...], False),
        (("ab", "c"), tuple[str, ...], True),
        ((1, "c"), tuple[int, ...], False),
        ((), tuple[int, ...], True),
        (1, bool, False),
    ],
)
def test_kinds_are_told_apart(value: Any, hint: Any, expected: bool) -> None:
    assert fits(value, hint) is expected


def test_an_argument_is_named_with_what_was_expected_of_it() -> None:
    with pytest.raises(UsageError) as caught:
        papan.perft(SMALL, True)
    assert str(caught.value) == "depth: True is not an integer"
    with pytest.raises(InvalidLimit, match="depth"):
        papan.Limit(depth=True)


def test_a_function_keeps_its_signature_and_its_own_type_errors() -> None:
    @check_arguments
    def twice(number: int, *more: str) -> int:
        return 2 * number

    assert twice(2, "a") == 4
    assert list(inspect.signature(twice).parameters) == ["number", "more"]
    with pytest.raises(UsageError, match="more: 5 is not text"):
        twice(2, "a", 5)  # type: ignore[arg-type]  # that is what is tried
    with pytest.raises(TypeError, match="missing"):
        twice()  # type: ignore[call-arg]  # that is what is tried


def test_games_are_still_made_and_positions_shared_by_value() -> None:
    game = papan.game("corners")
    assert isinstance(game, Game)
    assert papan.Position(game, game.start_state()) == game.start()
