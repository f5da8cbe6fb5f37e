"""The page with puzzles: moves are checked by proof, and answered by the best defence."""

import re
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest

from papan.errors import UsageError
from papan.search.algorithm import search
from papan.search.alphabeta.algorithms import AlphaBeta
from papan.search.limits import Limit
from papan.solve.puzzle_files import line_of, read_puzzles, text_of
from papan.solve.puzzles import Puzzle
from papan.solve.solve import prepare
from papan.usercode import registry
from papan.web.http.allowed import Allowed
from papan.web.puzzles.page import read_attempt, shelf
from web_visitors import Visitor

GAME = "platforms:size=4,level=2"
SHIPPED = [puzzle for puzzles in shelf(()).values() for puzzle in puzzles]
#: The shortest one, in number and move.
NUMBER, SHORTEST = min(enumerate(shelf(())[GAME], start=1), key=lambda pair: pair[1].plies or 99)


def query(address: str) -> dict[str, str]:
    """The query of an address."""
    return {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}


def test_there_are_puzzles_of_all_three_games() -> None:
    games = {puzzle.position.game.name for puzzle in SHIPPED}
    assert games == {"adjacency", "corners", "platforms"}


@pytest.mark.parametrize("puzzle", SHIPPED, ids=lambda puzzle: str(puzzle.position))
def test_plain_search_proves_each_puzzle_again(puzzle: Puzzle) -> None:
    """The right move reaches the outcome, and no other does within as many plies."""
    depth = puzzle.plies or len(puzzle.position.codes()) + 1
    values = {
        move: -search(puzzle.position.play(move), Limit(depth=depth), algorithm=AlphaBeta()).value
        if puzzle.position.play(move).outcome() is None
        else _final(puzzle, move)
        for move in puzzle.position.moves()
    }
    best = [move for move, value in values.items() if value == max(values.values())]
    assert best == [puzzle.move]


def _final(puzzle: Puzzle, move: str) -> float:
    """The value of a move that ends the game."""
    outcome = puzzle.position.play(move).outcome()
    assert outcome is not None
    if outcome.value == "draw":
        return 0
    return 1000 if outcome.value == puzzle.position.side else -1000


def test_a_file_is_read_as_it_was_written(tmp_path) -> None:
    puzzles = shelf(())[GAME]
    file = tmp_path / "puzzles.txt"
    file.write_text(text_of(GAME, puzzles), encoding="utf-8")
    assert read_puzzles(file) == puzzles
    assert line_of(puzzles[0]).count(";") == 4


@pytest.mark.parametrize("line", ["nonsense", "0/0 x; b2; win 3; 1; 1", "; ; ; ; "])
def test_a_line_that_is_no_puzzle_is_named(tmp_path, line: str) -> None:
    file = tmp_path / "puzzles.txt"
    file.write_text(f"# {GAME}\n{line}\n", encoding="utf-8")
    with pytest.raises(UsageError, match="line 2"):
        read_puzzles(file)
    file.write_text("no game\n", encoding="utf-8")
    with pytest.raises(UsageError, match="not a valid file of puzzles"):
        read_puzzles(file)


def test_the_puzzle_of_the_day_changes_from_day_to_day(ani: Visitor) -> None:
    allowed = ani.service(Allowed)
    two = [read_attempt(allowed, (), {}, date(2026, 1, day)) for day in (5, 6)]
    assert two[0].puzzle != two[1].puzzle
    assert ani.get("/puzzles").status_code == 200


def test_a_wrong_move_is_refused_and_the_board_stays(ani: Visitor) -> None:
    wrong = next(move for move in SHORTEST.position.moves() if move != SHORTEST.move)
    answer = ani.get(f"/puzzles?game={GAME}&number={NUMBER}&move={wrong}")
    assert answer.status_code == 303
    found = query(answer.headers["location"])
    assert (found["wrong"], "moves" in found) == (wrong, False)
    page = ani.get(answer.headers["location"]).text
    assert f"{wrong} does not keep the result" in page


def test_the_right_moves_are_answered_until_the_game_is_won(ani: Visitor) -> None:
    prepare(SHORTEST.position)  # the server loads what is compiled here
    address = f"/puzzles?game={GAME}&number={NUMBER}&move={SHORTEST.move}"
    answer = ani.get(address)
    for _ in range(SHORTEST.plies or 0):
        assert answer.status_code == 303, answer.text
        address = answer.headers["location"]
        page = ani.get(address).text
        if "Solved" in page:
            break
        moves = query(address)["moves"].split()
        here = SHORTEST.position.play(*moves)
        winning = registry.game(GAME).position(str(here)).moves()
        answers = [ani.get(f"{address}&move={move}") for move in winning]
        answer = next(one for one in answers if "wrong" not in query(one.headers["location"]))
    assert "Solved" in page
    assert len(query(address)["moves"].split()) == SHORTEST.plies


@pytest.mark.parametrize("language", ["en", "id"])
def test_each_shipped_puzzle_is_shown_in_words(ani: Visitor, language: str) -> None:
    page = ani.get(f"/puzzles?game={GAME}", **{"accept-language": language}).text
    assert not re.findall(r"\bweb\.[a-z-]+", re.sub(r"<[^>]*>", " ", page))
    assert not re.findall(r"<style| style=", page)


def test_a_puzzle_that_is_not_there_is_refused(ani: Visitor) -> None:
    assert ani.get("/puzzles?game=nothing").status_code == 400
    assert ani.get(f"/puzzles?game={GAME}&number=999").status_code == 400
