"""Mistakes of a game as exercises: a good move is accepted, a bad one is refused with a reason."""

from urllib.parse import urlencode

import pytest

from papan.figures.values import MoveValue
from papan.messages import Messages
from papan.usercode import registry
from papan.web.board.judgement import GameJudgement
from papan.web.board.line import GameLine
from papan.web.engines import analysis_jobs
from papan.web.engines.analysis_jobs import AnalysisQuestion, GameReview, MoveVerdict
from papan.web.puzzles import mistakes
from papan.web.puzzles.mistakes import MistakeAttempt, judge
from papan.web.puzzles.page import shelf
from support import PATIENCE, wait_until
from web_visitors import Visitor, text_of

GAME = "platforms:size=4,level=2"
#: The shortest puzzle: one move wins, all others lose.
PUZZLE = min(
    (puzzle for puzzle in shelf(())[GAME] if len(puzzle.position.moves()) > 2),
    key=lambda puzzle: puzzle.plies or 99,
)
WRONG = [move for move in PUZZLE.position.moves() if move != PUZZLE.move]
SIDE = PUZZLE.position.side


def the_game() -> dict[str, str]:
    """A game from the puzzle in which the wrong move was played, then any move."""
    after = PUZZLE.position.play(WRONG[0])
    moves = f"{WRONG[0]} {after.moves()[0]}"
    return {"game": GAME, "position": str(PUZZLE.position), "moves": moves}


def test_a_mistake_becomes_an_exercise_and_only_a_better_move_solves_it(
    ani: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No search takes this long: all values are proven.
    monkeypatch.setattr(mistakes, "VALUING_SECONDS", PATIENCE)
    monkeypatch.setattr(analysis_jobs, "REVIEW_SECONDS", PATIENCE)
    monkeypatch.setattr(analysis_jobs, "REVIEW_BUDGET", 3 * PATIENCE)
    ani.get("/")
    game = {**the_game(), "side": SIDE}
    answer = ani.post("/puzzles/mistakes", **game)
    assert answer.status_code == 303
    address = answer.headers["location"]
    page = wait_until(lambda: _exercise(ani, address))
    assert f"You played {WRONG[0]}" in text_of(page, "task")
    assert "Mistake 1 of 1" in page
    room = f"/puzzles/mistakes?{urlencode({**game, 'ply': '0'})}"
    right = ani.get(f"{room}&move={PUZZLE.move}")
    assert right.status_code == 303
    page = ani.get(right.headers["location"]).text
    assert f"{PUZZLE.move} is right: " in text_of(page, "task")
    assert text_of(page, "problem") == ""
    for move, reason in ((WRONG[0], "is the move of the game"), (WRONG[-1], "also loses")):
        page = ani.get(ani.get(f"{room}&move={move}").headers["location"]).text
        assert f"{move} {reason}" in text_of(page, "problem")
        assert f"You played {WRONG[0]}" in text_of(page, "task")


def _exercise(visitor: Visitor, address: str) -> str:
    page: str = visitor.get(address).text
    return page if "Find a better move" in page else ""


def test_without_a_review_the_page_has_a_button_and_starts_nothing(ani: Visitor) -> None:
    page = ani.get(f"/puzzles/mistakes?{urlencode(the_game())}").text
    assert "Find the mistakes" in page
    assert "data-live" not in page
    other = {**the_game(), "moves": "zz"}
    assert ani.get(f"/puzzles/mistakes?{urlencode(other)}").status_code == 400
    tried = {**the_game(), "ply": "0", "tried": "zz"}
    assert ani.get(f"/puzzles/mistakes?{urlencode(tried)}").status_code == 400


def test_a_finished_game_offers_its_mistakes_to_the_side_that_played_it(ani: Visitor) -> None:
    path = ani.begin("solo", size="4", rounds="2", opponent_spec="first")
    assert "/puzzles/mistakes" not in ani.get(path).text
    ani.play(path, "b3")
    page = wait_until(lambda: _over(ani, path))
    assert 'action="/puzzles/mistakes"' in page
    assert '<input type="hidden" name="side" value="x">' in page


def _over(visitor: Visitor, path: str) -> str:
    """The page of a game whose first move was made, once it is resigned."""
    page: str = visitor.get(path).text
    if 'id="result"' not in page:
        visitor.post(f"{path}/resign")
        return ""
    return page


@pytest.mark.parametrize(
    ("move", "grade", "right"),
    [
        ("b2", "good", True),
        ("b2", "best", True),
        ("b2", "fair", False),
        ("b2", "", False),
        ("c3", "bad", True),  # the best move of the review
        ("b3", "best", False),  # the move of the game
    ],
)
def test_moves_are_judged_by_their_grades(move: str, grade: str, right: bool) -> None:
    game = registry.game("adjacency:size=4,rounds=2")
    positions = (game.start(), game.start().play("b3"))
    line = GameLine("adjacency", game, str(positions[0]), ("b3",), 0, positions)
    review = GameReview(AnalysisQuestion(game.spec, "", ("b3",)), ("x", "o"))
    review.verdicts = [MoveVerdict(0, "c3", False), MoveVerdict(-4, "b1", False)]
    judgement = GameJudgement(review, positions, Messages("en"))
    attempt = MistakeAttempt(**vars(line), tried=move)
    values = {move: MoveValue(0, "50", "level", False, grade)} if grade else {}
    found = judge(attempt, judgement, values)
    assert found.right == right
    assert move in found.reason
