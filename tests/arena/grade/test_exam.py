"""One bot's exam: what it does wrong is counted, and what it does well too."""

import json
import pickle
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import pytest

import papan
from arena.grade import bots
from papan.arena.grade.exam import Exam, Grade, grade, sentence
from papan.arena.grade.move_checks import (
    MOST_FAILURES,
    Answers,
    Case,
    CheckedMove,
    ask_all,
    cases,
    check_move,
    percentile,
)
from papan.arena.grade.reports import page
from papan.arena.grade.strength import (
    LADDER,
    TOO_STRONG,
    Blunders,
    LevelResult,
    highest_beaten,
    judge,
    proven_values,
)
from papan.arena.score import Tally
from papan.campaign import CampaignProgress
from papan.core.game import Position
from papan.messages import Messages
from papan.play.table import Termination
from papan.players.base import Choice, Player
from papan.players.simple import FirstMove
from papan.records.model import Record
from papan.search.limits import Limit
from papan.solve.solve import solve
from support import thoroughly

GAME = "platforms:size=4"
EXAM = Exam(GAME, seconds=20.0, positions=40, pairs=3)
EN, ID = Messages("en"), Messages("id")


def exam_of(folder: Path, text: str) -> Grade:
    bots.hand_in(folder, bot=text)
    exam = replace(EXAM, seconds=0.3) if text == bots.HANGING else EXAM
    return grade(exam, f"python:{folder / 'bot.py'}")


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Grade:
    """The grade of a bot that takes the first legal move."""
    return exam_of(tmp_path_factory.mktemp("good"), bots.GOOD)


def test_a_bot_that_plays_by_the_rules_is_told_so(good: Grade) -> None:
    assert good.finished
    report = good.as_dict()
    assert report["legality"]["legal"] == report["legality"]["asked"] == 40
    assert report["legality"]["faults"] == {}
    assert sum(counts["asked"] for counts in report["legality"]["kinds"].values()) == 40
    assert 0 < report["time"]["median"] <= report["time"]["p95"] <= report["time"]["max"]
    assert report["time"]["overruns"] == 0
    assert sentence(good, EN).startswith("Legal and in time in all 40 positions. Not stronger than")
    assert sentence(good, ID).startswith("Sah dan tepat waktu pada semua 40 posisi.")


def test_the_ladder_is_climbed_from_below_until_it_is_too_steep(good: Grade) -> None:
    levels = good.as_dict()["strength"]["levels"]
    assert [level["level"] for level in levels] == list(LADDER[:TOO_STRONG])
    for level in levels:
        assert level["games"] == level["wins"] + level["draws"] + level["losses"] <= 6
        assert 0 <= level["low"] <= level["score"] <= level["high"] <= 1


def test_blunders_are_moves_that_the_solver_knows_to_be_worse(good: Grade) -> None:
    report = good.blunders.as_dict()
    assert 0 < report["wins_thrown"] <= report["wins"] == report["critical"]
    values = {"win": 1, "draw": 0, "loss": -1}
    for blunder in report["examples"]:
        position = papan.game(GAME).position(blunder["position"])
        solved = solve(position, every=True)
        assert solved.outcome == blunder["had"]
        assert set(blunder["best"]) == set(solved.moves)
        value = solved.values[blunder["move"]]
        assert (value > 0) - (value < 0) == values[blunder["left"]] < values[blunder["had"]]


def test_the_report_is_json_and_the_grade_can_be_sent_to_another_process(good: Grade) -> None:
    text = json.dumps(good.as_dict(), allow_nan=False)
    assert set(json.loads(text)) == {
        *("player", "game", "seed", "seconds", "finished"),
        *("legality", "time", "strength", "blunders"),
    }
    assert pickle.loads(pickle.dumps(good)).as_dict() == good.as_dict()


def test_illegal_moves_are_counted_and_kept_as_they_were_given(tmp_path: Path) -> None:
    outcome = exam_of(tmp_path, bots.ILLEGAL)
    report = outcome.as_dict()["legality"]
    assert report["faults"] == {"illegal move": 40 - report["legal"]}
    assert 0 < report["legal"] < 40
    assert report["kinds"]["forced"]["asked"] == report["kinds"]["forced"]["legal"] > 0
    assert {fault["given"] for fault in report["examples"]} == {"(-1, -1)"}
    assert outcome.reached is None
    assert "replies were wrong (illegal move" in sentence(outcome, EN)
    assert "langkah tidak sah" in page(outcome)


@pytest.mark.parametrize(
    ("text", "fault", "named"),
    [
        *thoroughly((bots.HANGING_LATER, "time", "did not respond within")),
        (bots.CRASHING, "crash", "bot.py:3: IndexError: list index out of range: return [][1]"),
    ],
)
def test_a_bot_that_never_answers_is_not_asked_for_ever(
    tmp_path: Path, text: str, fault: str, named: str
) -> None:
    outcome = exam_of(tmp_path, text)
    report = outcome.as_dict()
    assert report["legality"]["faults"] == {fault: MOST_FAILURES}
    assert report["legality"]["given_up"] and outcome.finished
    assert report["strength"] == {"reached": None, "levels": []}
    assert named in sentence(outcome, EN)
    assert report["time"]["overruns"] == (MOST_FAILURES if fault == "time" else 0)


def test_a_bot_that_does_not_start_says_why(tmp_path: Path) -> None:
    outcome = exam_of(tmp_path, bots.BROKEN)
    assert outcome.as_dict()["legality"]["asked"] == 0
    assert "(bot.py:2: SyntaxError: '(' was never closed: def choose()" in sentence(outcome, EN)
    assert str(tmp_path) not in sentence(outcome, EN) + page(outcome)
    assert outcome.as_dict()["time"]["median"] is None
    assert "SyntaxError" in page(outcome)


@dataclass
class Moody(Player):
    """Fails at every other move, or takes too long."""

    name: ClassVar[str] = "moody"

    nap: float = 0.0
    begun: int = 0
    asked: int = 0

    def new_game(self, game: papan.Game, seed: int) -> None:
        super().new_game(game, seed)
        self.begun += 1

    def choose(self, position: Position, limit: Limit) -> Choice:
        self.asked += 1
        time.sleep(self.nap)
        if self.asked % 2 == 0 and not self.nap:
            raise ValueError("not today")
        return Choice(position.moves()[0])


def test_after_a_failure_a_bot_begins_anew_and_goes_on() -> None:
    moody, answers, seen = Moody(), Answers(), list[int]()
    game = papan.game(GAME)
    wanted = cases(game, 8, seed=1)
    ask_all(moody, game, wanted, Limit(), answers=answers, seed=0, on_answer=seen.append)
    assert answers.faults == {"crash": 4}
    assert answers.legal == 4 and not answers.given_up
    assert seen == list(range(1, 9))
    assert moody.begun == 4
    assert answers.as_dict()["examples"][0]["detail"] == "ValueError: not today"


def test_a_legal_move_that_comes_too_late_is_an_overrun() -> None:
    start = papan.game(GAME).start()
    moody = Moody(nap=0.3)
    moody.new_game(start.game, 0)
    answer = check_move(moody, Case("start", start), Limit(seconds=0.01))
    assert answer.fault is not None
    assert (answer.fault.termination, answer.move) == (Termination.TIME, "")
    assert Answers([answer]).times()["overruns"] == 1
    assert Answers([answer]).times()["max"] >= 0.3


def test_a_percentile_is_one_of_the_values() -> None:
    values = [float(n) for n in range(1, 101)]
    assert percentile(values, 0.95) == 95.0
    assert percentile([7.0], 0.95) == 7.0
    assert percentile([1.0, 2.0], 0.5) == 1.0


def test_where_all_moves_are_worth_the_same_there_is_nothing_to_throw_away() -> None:
    start = papan.game("platforms:size=3,level=1").start()
    blunders = Blunders()
    judge([CheckedMove(Case("start", start), start.moves()[0], 0.1)], blunders)
    assert (blunders.wins, blunders.errors[0].best) == (1, ("b2",))
    lost = start.play("b2")
    judge([CheckedMove(Case("middle", lost), lost.moves()[0], 0.1)], blunders)
    assert blunders.critical == 1
    assert {value < 0 for value in proven_values(lost).values()} == {True}


@pytest.mark.parametrize("spec", ["adjacency", *thoroughly("corners")])
def test_what_is_too_dear_to_prove_is_left_out(spec: str) -> None:
    assert proven_values(papan.game(spec).start()) == {}


def result(level: str, *scores: str) -> LevelResult:
    tally = Tally()
    for number, who in enumerate(scores, start=1):
        winner = {"1": "x" if number % 2 else "o", "0": "o" if number % 2 else "x"}.get(who, "draw")
        tally.add(Record("g", "a", "b", (), winner, round=number))
    return LevelResult(level, tally)


def test_a_level_is_reached_only_where_the_interval_says_so() -> None:
    beaten, even, lost = "1" * 20, "10" * 10, "0" * 20
    assert result("easy", *beaten).decision == "stronger"
    assert result("easy", *even).decision == "undecided"
    assert result("easy", *lost).decision == "weaker"
    assert highest_beaten([result("beginner", *beaten), result("easy", *beaten)]) == "easy"
    assert highest_beaten([result("beginner", *beaten), result("easy", *even)]) == "beginner"
    assert highest_beaten([result("beginner", *lost)]) is None
    climbed = Grade(EXAM, "bot", levels=[result("beginner", *beaten), result("easy", *even)])
    assert sentence(climbed, EN) == "Stronger than level beginner. Score against easy: 50 %."


@pytest.mark.thorough
def test_a_strong_player_climbs_high_and_throws_nothing_away() -> None:
    outcome = grade(Exam(GAME, positions=30, pairs=4), "alphabeta:depth=14")
    assert outcome.reached in LADDER[1:]
    assert outcome.blunders.critical > 0
    assert outcome.blunders.errors == []


def test_the_page_is_one_file_in_both_languages_without_scripts(good: Grade) -> None:
    text = page(good, "id")
    assert text.startswith('<!doctype html><html lang="id">')
    assert sentence(good, EN) in text and sentence(good, ID) in text
    assert text.count("<svg") >= 2 * len(good.levels)
    for outside in ("http", "src=", "url(", "<script", "<link"):
        assert outside not in text
    assert 'id="l-id" checked' in text


def test_what_a_bot_says_is_not_taken_for_html(tmp_path: Path) -> None:
    rude = "def choose(position, limit):\n    return '<script>alert(1)</script>'\n"
    outcome = exam_of(tmp_path, rude)
    text = page(outcome)
    assert "<script" not in text
    assert "&lt;script&gt;" in text


def test_what_is_known_stays_known_when_an_exam_is_interrupted() -> None:
    outcome = Grade(EXAM, "first")

    def stop(progress: CampaignProgress) -> None:
        if progress.done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        grade(EXAM, "first", stop, outcome=outcome)
    assert len(outcome.answers.moves) == 7
    assert not outcome.finished
    assert EN("grade.unfinished") in page(outcome)


def test_the_player_of_a_level_is_examined_like_any_other() -> None:
    outcome = grade(Exam(GAME, positions=20, pairs=2), FirstMove().spec)
    assert outcome.answers.legal == 20
