"""The public names: all of them, nothing else, and loaded when they are asked for."""

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import papan
from papan.errors import InvalidLimit, UsageError
from support import run_python


def test_importing_papan_loads_neither_numba_nor_numpy() -> None:
    code = """
import sys
import papan
print({"numba", "numpy", "papan.core"} & set(sys.modules))
"""
    assert run_python(code).stdout == "set()\n"


def test_some_thirty_names_are_public_and_dir_shows_them() -> None:
    assert 20 <= len(papan.__all__) <= 40
    assert papan.__all__ == sorted(papan.__all__)
    assert set(papan.__all__) <= set(dir(papan))


def test_each_public_name_is_what_type_checkers_take_it_for() -> None:
    code = """
import ast, importlib, inspect, papan
tree = ast.parse(inspect.getsource(papan))
shown = next(node for node in tree.body if isinstance(node, ast.If)).body
pairs = [(each.module, a.name, a.asname or a.name) for each in shown for a in each.names]
assert sorted(name for _, _, name in pairs) == papan.__all__
for module, there, name in pairs:
    assert getattr(papan, name) is getattr(importlib.import_module(module), there), name
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_name_that_is_not_there_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'backgammon'"):
        getattr(papan, "backgammon")  # noqa: B009


def test_public_functions_hide_the_rooms_of_their_names() -> None:
    """Whatever was imported before, `papan.solve(…)` is a call, and rooms can be imported."""
    code = """
import papan.solve.base
from papan.tablebase.build import build
from papan import solve, tablebase
import papan
assert papan.solve is solve and papan.tablebase is tablebase is papan.database
assert {type(function).__name__ for function in (solve, tablebase)} == {"function"}
import papan.tablebase.lookup
assert papan.tablebase is tablebase
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")


# --- the functions


def test_a_game_or_its_spec_stands_for_its_start() -> None:
    start = papan.game("platforms").start()
    for given in ("platforms", start.game, start):
        assert papan.perft(given, 2) == papan.perft("platforms", 2)
        assert papan.analyse(given, depth=2).position == start


@pytest.mark.thorough
def test_analyse_takes_limits_an_algorithm_an_evaluation_and_a_number_of_lines() -> None:
    found = papan.analyse("corners", depth=2, algorithm="engine:hash=1", lines=3)
    assert found.depth == 2
    assert found.algorithm == "engine:lines=3,hash=1" or "lines=3" in found.algorithm
    assert len(found.lines) == 3
    assert papan.analyse("corners", papan.Limit(depth=1)).depth == 1
    name = next(iter(papan.game("corners").evaluations))
    assert papan.analyse("corners", depth=1, evaluation=name, algorithm="pvs").depth == 1


def test_solving_gives_all_best_moves_and_on_request_all_values() -> None:
    solution = papan.solve("platforms", every=True)
    assert solution.outcome == "win"
    assert set(solution.moves) < set(solution.values)


def test_moves_are_counted_below_each_move() -> None:
    position = papan.game("corners").start()
    assert sum(papan.divide(position, 2).values()) == papan.perft(position, 2)
    assert list(papan.divide(position, 1)) == position.moves()


def test_a_match_has_the_games_that_are_asked_for() -> None:
    seen: list[int] = []
    tally = papan.play_match(
        "adjacency:size=4",
        papan.player("first"),
        "random",
        games=6,
        seed=3,
        openings=[["b3"], ["c2"]],
        on_game=lambda record, tally: seen.append(tally.games),
    )
    assert (tally.games, seen) == (6, [1, 2, 3, 4, 5, 6])


def test_a_player_that_the_session_has_defined_plays_by_its_name_and_as_an_object() -> None:
    class Last(papan.Player):
        name = "last-of-all"

        def choose(self, position: papan.Position, limit: papan.Limit) -> papan.Choice:
            return papan.Choice(position.moves()[-1])

    assert type(papan.player("last-of-all")) is Last
    assert papan.play_match("adjacency:size=4", Last(), "first", games=2).games == 2


def test_a_player_that_cannot_be_made_from_its_spec_is_refused_by_matches() -> None:
    class Nameless(papan.Player):
        name = "random"  # that of another player

        def choose(self, position: papan.Position, limit: papan.Limit) -> papan.Choice:
            raise NotImplementedError

    with pytest.raises(UsageError, match="Nameless cannot be recreated"):
        papan.play_match("adjacency:size=4", Nameless(), "first", games=2)


def test_a_game_is_played_from_any_position() -> None:
    start = papan.game("platforms").start().play("b2")
    played = papan.play_game(start, "first", papan.player("random"), seed=1)
    assert played.start == start
    assert played.outcome in set(papan.Outcome)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: papan.analyse(42), "42 is not a position"),
        (lambda: papan.solve(None), "None is not a position"),
        (lambda: papan.perft(["corners"], 1), "is not a position"),
        (lambda: papan.play_match(1, "random", "random"), "1 is not a game"),
        (lambda: papan.play_match("corners", "random", print), "is not a player"),
        (lambda: papan.analyse("corners", 5), "5 is not a limit"),
        (lambda: papan.analyse("corners", papan.Limit(depth=1), depth=1), "only one of the two"),
        (lambda: papan.analyse("corners", evaluation="none-such"), "none-such"),
        (lambda: papan.tree("corners", 2, "none-such"), "none-such"),
        (lambda: papan.game("backgammon"), "unknown game 'backgammon'"),
    ],
)
def test_what_is_of_the_wrong_kind_is_said_in_one_line(call: Any, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_a_limit_out_of_range_is_refused() -> None:
    with pytest.raises(InvalidLimit):
        papan.analyse("corners", depth=0)


# --- how results show themselves


def elements(markup: str | None) -> list[ElementTree.Element]:
    """All elements of a piece of markup, which is well-formed."""
    assert markup is not None
    return list(ElementTree.fromstring(markup).iter())


def texts(markup: str | None) -> list[str]:
    """What stands in the cells of its tables."""
    return [each.text or "" for each in elements(markup) if each.tag in ("th", "td")]


def test_a_position_shows_its_board() -> None:
    position = papan.game("adjacency:size=4").start()
    assert elements(position._repr_svg_())[0].tag.endswith("svg")
    assert position._repr_html_() is None


@pytest.mark.thorough
def test_a_search_shows_its_move_as_an_arrow_and_its_lines_in_a_table() -> None:
    found = papan.analyse("corners", depth=2, lines=2)
    assert found.move is not None
    arrows = [each for each in elements(found._repr_svg_()) if each.get("class") == "arrow"]
    assert [each.get("data-from") for each in arrows] == [found.move[:2]]
    assert [each.get("data-to") for each in arrows] == [found.move[-2:]]
    cells = texts(found._repr_html_())
    assert {found.move, "line 1", "line 2"} <= set(cells)


def test_a_move_that_names_one_square_is_framed() -> None:
    found = papan.analyse("platforms", depth=7)
    framed = [each for each in elements(found._repr_svg_()) if "hint" in each.get("class", "")]
    assert [each.get("data-square") for each in framed] == ["b2"]


def test_a_search_of_a_finished_game_shows_no_move() -> None:
    start = papan.game("platforms").start()
    end = papan.play_game(start, "first", "first").moves
    found = papan.analyse(start.play(*end), depth=1)
    assert found.move is None
    assert "–" in texts(found._repr_html_())


def test_a_solution_shows_all_best_moves() -> None:
    solution = papan.solve("adjacency:size=4", every=True)
    framed = {
        each.get("data-square")
        for each in elements(solution._repr_svg_())
        if "hint" in each.get("class", "").split()
    }
    assert framed == set(solution.moves)
    assert set(solution.values) <= {cell.strip() for cell in texts(solution._repr_html_())}


def test_a_match_shows_its_score_and_elo_with_the_error() -> None:
    tally = papan.play_match("adjacency:size=4", "random", "random", games=8, seed=1)
    cells = texts(tally._repr_html_())
    score, elo = (cells[cells.index(name) + 1] for name in ("score of the first", "Elo difference"))
    assert score == f"{100 * tally.single.score:.1f} %"
    assert re.fullmatch(r"[+-]\d+\.\d ± \d+\.\d", elo)


def test_a_game_shows_its_last_position_and_its_players() -> None:
    played = papan.play_game("platforms", "first", "random", seed=1)
    assert {"first", "random", "by the rules"} <= set(texts(played._repr_html_()))
    last = [each for each in elements(played._repr_svg_()) if "last" in each.get("class", "")]
    assert [each.get("data-square") for each in last] == [played.moves[-1]]


def test_a_tournament_shows_its_standings() -> None:
    from papan.arena.event import Tournament, play_tournament

    three = Tournament("adjacency:size=4", ("random", "first", "hill-climbing"), pairs=1)
    cells = texts(play_tournament(three)._repr_html_())
    assert cells[:5] == ["player", "games", "points", "score", "Elo"]
    assert set(three.players) <= set(cells)


def test_a_tree_shows_itself() -> None:
    figure = papan.tree("platforms", depth=2)
    assert elements(figure._repr_svg_())[0].tag.endswith("svg")
    assert "<iframe" in figure._repr_html_()


def test_the_language_of_what_is_shown_is_the_reader_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAPAN_LANG", "id")
    assert "langkah" in texts(papan.analyse("platforms", depth=1)._repr_html_())


def test_values_come_from_a_tablebase_or_from_the_solver(tmp_path: Path) -> None:
    file = tmp_path / "small.db"
    papan.tablebase("platforms:size=4,level=1", out=file)
    looked_up = papan.values("platforms:size=4,level=1", tablebase=file)
    proven = papan.values("platforms:size=4,level=1")
    assert (looked_up.source, proven.source) == ("database", "solver")
    assert [one.value for one in looked_up.moves] == [one.value for one in proven.moves]


def test_a_training_returns_the_weights_that_it_keeps(tmp_path: Path) -> None:
    out = tmp_path / "small.weights"
    weights = papan.train("platforms:size=4", games=40, out=out, seed=1)
    assert weights.game == papan.game("platforms:size=4")
    assert out.is_file() == bool(weights.training)


def test_a_tuning_says_which_player_to_use() -> None:
    game = "breakthrough:rows=4,columns=4"
    result = papan.tune(game, "minimax", evaluation="advance", games=4, final=2, depth=1, seed=1)
    assert result.use == (result.tuned if result.gained else result.before)
    assert result.match.games in (0, 2)
