"""The analysis page: positions by hand, by address and by text, and what engines say of them."""

import dataclasses
import html
import math
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from papan.core.game import Position
from papan.core.moves import Partial
from papan.errors import UsageError
from papan.figures.board import Style
from papan.figures.values import MoveValue, by_step
from papan.learn import choice
from papan.messages import ENGLISH
from papan.rules import operations as rules
from papan.search.algorithm import search
from papan.search.limits import Limit
from papan.search.registry import algorithm
from papan.solve.known_values import ProvenStanding
from papan.usercode import registry
from papan.web.analysis import explain, variations
from papan.web.analysis.board_editor import Draft
from papan.web.board import move_values
from papan.web.board.judgement import GameJudgement, ValueHistory
from papan.web.board.move_values import find_proven_score, value_moves, with_proofs
from papan.web.board.view import BoardView
from papan.web.engines import chances
from papan.web.engines.analysis_jobs import (
    AnalysisJobs,
    AnalysisQuestion,
    GameReview,
    MoveVerdict,
    PositionAnalysis,
    at_the_same_turn,
)
from support import wait_until
from web_visitors import ADDRESS, Visitor, mark_of, text_of

SMALL = "adjacency:size=4,rounds=2"


def address_of(visitor: Visitor, path: str) -> dict[str, str]:
    """The query of the address that an address leads to."""
    answer = visitor.get(path)
    assert answer.status_code == 303, answer.text
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    return {name: values[0] for name, values in query.items()}


def finding(visitor: Visitor, path: str) -> str:
    """The page once the engine has ended its look."""

    def page() -> str:
        text: str = visitor.get(path).text
        return "" if 'name="stop"' in text else text

    return wait_until(page)


def test_a_click_on_a_square_makes_a_move_that_the_address_keeps(ani: Visitor) -> None:
    assert address_of(ani, "/analysis?game=adjacency&square=c4") == {
        "game": "adjacency",
        "moves": "c4",
    }
    page = ani.get("/analysis?game=adjacency&moves=c4").text
    assert "c4, piece of X, last move" in page


PROOFS = {
    "moves": [
        {"move": "b3", "value": -994, "plies": 6, "outcome": "loss"},
        {"move": "a2", "value": None, "plies": None, "outcome": None},
        {"move": "b2", "value": 993, "plies": 7, "outcome": "win"},
    ]
}


def cells_of(position: Position, values: Mapping[str, MoveValue]) -> str:
    """The squares of a board that shows the values of its moves."""
    begun = Partial.begin(position)
    board = BoardView.of([position], [], 0, say=ENGLISH, style=Style(), begun=begun, values=values)
    return str(board.cells(field="square"))


def test_proven_values_take_the_place_of_estimates_and_are_told_apart() -> None:
    position = registry.game("platforms").start()
    lines = [{"score": score, "pv": [move]} for move, score in (("a2", 1), ("b3", 0), ("b2", -1))]
    values = value_moves(position, {"lines": lines, "proven": False}, ENGLISH)
    found = with_proofs(position, values, PROOFS, ENGLISH)
    assert [found[move].text for move in ("b3", "b2")] == ["✗6", "✓7"]
    assert [found[move].outcome for move in ("b3", "a2", "b2")] == ["loss", "", "win"]
    assert [found[move].grade for move in ("a2", "b2")] == ["fair", "best"]
    assert not found["a2"].proven
    assert 'class="cell target worth best proven win shade-2"' in cells_of(position, found)


def test_the_value_of_a_position_is_settled_once_all_its_moves_are() -> None:
    assert find_proven_score(PROOFS) is None
    known = {"moves": [each for each in PROOFS["moves"] if each["value"] is not None]}
    assert find_proven_score(known) == 993
    assert find_proven_score({}) is None


def test_the_history_of_values_says_which_moves_kept_and_which_threw_away_a_result() -> None:
    game = registry.game("platforms")
    moves = ("b2", game.start().play("b2").moves()[0])
    line = [game.start(), game.start().play("b2"), game.start().play(*moves)]
    standings = [ProvenStanding("x", 7), ProvenStanding("x", 6), ProvenStanding("", None)]
    history = ValueHistory(standings, line, moves, ENGLISH)
    assert history.judged == {1: ("✓", "kept the win")}
    turned = ValueHistory([standings[0], standings[2], None], line, moves, ENGLISH)
    assert turned.judged == {1: ("✗", "gave up the win")}
    assert turned.thrown == [(1, "b2: X gave up the win. Before: X wins in 7 moves; after: draw.")]
    assert (history.count, turned.count) == (3, 2)
    assert str(turned.chart(1)).count('class="turning"') == 1


def test_a_page_shows_what_is_proven_of_a_position_and_of_its_game(
    ani: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    question = AnalysisQuestion("platforms", "", ("b3",))
    lines = [{"score": 0, "pv": ["b2"]}]
    found = {"lines": lines, "pv": ["b2"], "score": 0, "move": "b2", "proven": False}
    found |= {"depth": 2, "nodes": 9, "nps": 9}
    analysis = PositionAnalysis(question, "o", result=found, values=found)
    analysis.proofs = {"source": "database", "moves": [{"move": "b2", "value": -994}]}
    review = GameReview(question, ("x", "o"))
    review.standings = {0: ProvenStanding("x", 7), 1: ProvenStanding("o", 5)}
    monkeypatch.setattr(AnalysisJobs, "find_analysis", lambda *asked: analysis)
    monkeypatch.setattr(AnalysisJobs, "find_review", lambda *asked: review)
    page = ani.get("/analysis?game=platforms&moves=b3").text
    assert re.search(r"1 of \d moves are proven", page)
    assert "come from a tablebase" in page
    assert 'id="proof-history"' in page
    assert "b3: X gave up the win. Before: X wins in 7 moves; after: O wins in 5 moves." in page
    assert 'class="proved" title="gave up the win">✗' in page


def test_a_move_in_the_middle_of_a_game_begins_a_variation_and_keeps_what_came_after(
    ani: Visitor,
) -> None:
    query = address_of(ani, "/analysis?game=adjacency&moves=c4+d5+e6&ply=1&square=h1")
    assert query["moves"] == "c4 h1"
    assert query["others"] == "c4 d5 e6"
    back = address_of(ani, "/analysis?" + urlencode({**query, "ply": "1", "square": "d5"}))
    assert (back["moves"], back["ply"], back["others"]) == ("c4 d5 e6", "2", "c4 h1")
    page = ani.get("/analysis?" + urlencode(query)).text
    tree = page.partition('class="variations"')[2].partition("</form>")[0]
    assert re.findall(r">(\w\d)</a>", tree) == ["c4", "d5", "e6", "h1"]
    assert re.findall(r'aria-current="step">(\w\d)</a>', tree) == ["h1"]


def test_a_tree_of_variations_is_downloaded_and_pasted_again(ani: Visitor) -> None:
    query = {"game": "adjacency", "moves": "c4 d5 e6", "others": "c4 h1;d4", "title": "Ani’s"}
    told = ani.get("/analysis/export?" + urlencode(query))
    assert "attachment" in told.headers["content-disposition"]
    assert '[Event "Ani’s"]' in told.text
    assert told.text.endswith("1. c4 (d4) d5 (h1) 2. e6\n")
    answer = ani.post("/analysis/paste", game="platforms", text=told.text)
    again = parse_qs(urlsplit(answer.headers["location"]).query)
    assert (again["moves"], again["game"]) == (["c4 d5 e6"], ["adjacency"])
    assert sorted(again["others"][0].split(";")) == ["c4 h1", "d4"]


def test_lines_that_cannot_be_played_are_not_shown(ani: Visitor) -> None:
    page = ani.get("/analysis?game=adjacency&moves=c4&others=zz;c4+c4;d4").text
    assert 'value="d4"' in page
    assert "zz" not in page.partition("<main")[2]


@pytest.mark.parametrize(
    "lines",
    [
        [("b3", "c2", "a4", "d1"), ("a1",), ("b3", "c3", "a4"), ("b3", "c2", "d1")],
        [("b3",)],
        [("b3", "c2"), ("b3", "c3"), ("b3", "c4", "d1"), ("b3", "c4", "d2")],
        [],
    ],
)
def test_a_tree_that_is_written_reads_back(lines: list[tuple[str, ...]]) -> None:
    assert set(variations.read(variations.to_text(lines))) == set(lines)


@pytest.mark.parametrize("text", ["b3 (c2", "b3) c2", "(", ")"])
def test_parentheses_that_do_not_fit_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="parentheses"):
        variations.read(text)


def test_lines_that_others_begin_with_and_those_beyond_the_most_are_not_kept() -> None:
    assert variations.keep_newest([("a",), ("a", "b"), ("c",), ("a", "b")]) == (
        ("c",),
        ("a", "b"),
    )
    many = [(str(number),) for number in range(variations.MOST_LINES + 2)]
    assert variations.keep_newest(many) == tuple(many[2:])


def test_a_piece_is_chosen_before_its_target_lights_up(ani: Visitor) -> None:
    assert address_of(ani, "/analysis?game=corners&square=f3")["from"] == "f3"
    page = ani.get("/analysis?game=corners&from=f3").text
    assert mark_of(page, "f4") == "target"
    assert address_of(ani, "/analysis?game=corners&from=f3&square=f4")["moves"] == "f3f4"


def test_a_square_where_nothing_can_be_played_says_so(ani: Visitor) -> None:
    answer = ani.get("/analysis?game=adjacency&square=h8")
    assert answer.status_code == 400
    assert text_of(answer.text, "problem") == "no move is possible on h8"


def test_a_position_is_set_up_by_clicks(ani: Visitor) -> None:
    query = address_of(ani, "/analysis?game=adjacency&tool=o&square=d4")
    assert query["position"] == "6oo/6oo/8/8/3o4/8/xx6/xx6 x 55"
    assert query["tool"] == "o"


def test_a_draft_that_is_no_position_yet_is_shown_with_what_is_wrong(ani: Visitor) -> None:
    query = address_of(ani, "/analysis?game=corners&tool=empty&square=h3")
    page = ani.get(f"/analysis?game=corners&tool=empty&position={query['position']}").text
    assert "has 8 pieces of x, expected 9" in page
    assert 'data-square="h3"' in page
    assert 'id="look" disabled' in page


def test_side_and_plies_are_set_by_a_form(ani: Visitor) -> None:
    query = address_of(ani, "/analysis?game=adjacency&setup=1&side=o&plies=7")
    assert query["position"].endswith(" o 7")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("011/111/110 o a3 c1", "position=011%2F111%2F110+o+a3+c1"),
        ('[Game "platforms"]\n[X "a"]\n[O "b"]\n[Result "*"]\n\n1. b2 b1', "moves=b2+b1&ply=0"),
        ("1. b2 b1 *", "?game=platforms&moves=b2+b1"),
        ("b2, b1", "?game=platforms&moves=b2+b1"),
        ("position startpos moves b2 b1", "?game=platforms&moves=b2+b1"),
        ("position fen 011/111/110 o a3 c1", "position=011%2F111%2F110+o+a3+c1"),
    ],
)
def test_moves_a_line_a_record_or_a_line_of_the_protocol_can_be_pasted(
    ani: Visitor, text: str, part: str
) -> None:
    answer = ani.post("/analysis/paste", game="platforms", text=text)
    assert answer.status_code == 303, answer.text
    assert part in answer.headers["location"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("b2 b2", "move 2, b2, is illegal; the board is unchanged"),
        ("b2 zz", "move 2, zz, is not a move of this game, such as"),
        ("011/111 x", "011/111 x"),
        ("", "the text is empty"),
        ("position of things", "of things: expected 'position startpos'"),
    ],
)
def test_what_cannot_be_read_says_why_and_the_board_stays(
    ani: Visitor, text: str, problem: str
) -> None:
    answer = ani.post("/analysis/paste", game="platforms", moves="b2", text=text)
    assert answer.status_code == 400
    assert problem in html.unescape(text_of(answer.text, "problem"))
    assert 'data-moves="b2"' in answer.text
    assert f">{text}" in answer.text.partition("<textarea")[2]


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "x" * 5000,
        '[Game "/etc/passwd"]',
        '[Game "/tmp/x.py"]\n[X "a"]\n[O "b"]\n[Result "*"]',
    ],
)
def test_nonsense_that_is_pasted_is_answered_with_a_sentence(ani: Visitor, text: str) -> None:
    answer = ani.post("/analysis/paste", game="platforms", text=text)
    page = answer if answer.status_code == 400 else ani.get(answer.headers["location"])
    assert text_of(page.text, "problem").strip()


@pytest.mark.parametrize(
    "query",
    [
        "game=/etc/passwd",
        "game=examples/games/x.py:Game",
        "game=adjacency:rounds=99",
        "game=adjacency:depth=3",
        "game=adjacency&ply=-1",
        "game=adjacency&ply=99999999999",
        "game=adjacency&moves=" + "c4+" * 700,
        "game=adjacency&square=%00",
    ],
)
def test_nonsense_in_an_address_is_bad_but_no_failure(ani: Visitor, query: str) -> None:
    assert ani.get(f"/analysis?{query}").status_code == 400


def test_a_broken_position_or_move_in_an_address_is_explained(ani: Visitor) -> None:
    for query in ("position=zzz", "moves=c4+c4", "position=9/9+x+1"):
        page = ani.get(f"/analysis?game=adjacency&{query}")
        assert page.status_code == 200
        assert text_of(page.text, "problem").strip()


def test_an_engine_proves_a_short_game_and_says_why(ani: Visitor) -> None:
    path = f"/analysis?game={SMALL}"
    answer = ani.post("/analysis/search", game=SMALL, lines="3", seconds="60")
    assert answer.status_code == 303
    page = finding(ani, path)
    assert "proven" in page
    assert page.count('<span class="pv">') == 3
    assert re.search(r"is best: (draw|[XO] wins by \d)", page)
    assert page.count(" worth ") > 3
    assert re.search(r'class="cell target worth best proven (win|draw|loss) shade-\d"', page)
    assert re.search(r'aria-label="c2, [^"]*(draw|wins by)', page)


def test_a_look_can_be_stopped_and_belongs_to_its_browser(ani: Visitor, budi: Visitor) -> None:
    path = "/analysis?game=adjacency"
    ani.post("/analysis/search", game="adjacency", seconds="60")
    assert 'name="stop"' in ani.get(path).text
    assert 'name="stop"' not in budi.get(path).text
    ani.post("/analysis/search", game="adjacency", stop="1")
    assert 'name="stop"' not in ani.get(path).text


def test_news_of_a_look_are_pushed(ani: Visitor) -> None:
    ani.get("/analysis")
    with ani.client.websocket_connect(
        f"{ADDRESS.replace('http', 'ws')}/analysis/live?game={SMALL}", headers={"origin": ADDRESS}
    ) as socket:
        assert "data-part" in socket.receive_text()
        ani.post("/analysis/search", game=SMALL, seconds="1")
        page = ""
        while "is best" not in page:
            page = socket.receive_text()


def test_a_whole_game_is_evaluated_move_by_move(ani: Visitor) -> None:
    moves = "b3 c2 a4 d1"
    ani.post("/analysis/search", game=SMALL, moves=moves, review="1")
    page = finding(ani, f"/analysis?game={SMALL}&moves={moves}")
    assert "chances over the game" in page
    assert 'class="value"' in page
    # Over each ply of two pictures: of the chances, and of what is proven.
    assert page.count('class="column"') == 2 * (len(moves.split()) + 1)
    assert re.search(r"Accuracy: <strong>X \d+ %", page)


def test_the_board_that_a_line_leads_to_is_a_picture(ani: Visitor) -> None:
    answer = ani.get("/analysis/board?game=platforms&moves=b2+b1")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<svg")
    assert ani.get("/analysis/board?game=platforms&moves=zz").status_code == 400


def test_a_search_without_a_position_is_refused(ani: Visitor) -> None:
    answer = ani.post("/analysis/search", game="adjacency", position="zzz")
    assert answer.status_code == 400


# --- words and drafts, without a server ----------------------------------------------------------


def test_the_palette_is_what_the_board_can_hold() -> None:
    assert Draft(registry.game("corners"), "").palette == ["x", "o", "empty"]
    assert Draft(registry.game("platforms:level=2"), "").palette == ["x", "o", "0", "1", "2"]


def test_a_pawn_is_put_where_it_has_stepped() -> None:
    game = registry.game("platforms")
    assert Draft(game, str(game.start())).put("b2", "x").line == "011/101/110 x b2 c1"


def test_losses_are_told_in_chances_or_in_what_becomes_of_the_game() -> None:
    position = registry.game("platforms").start()
    win = 1000
    assert explain.loss(position, 4, 0, ENGLISH) == "costs 25 % of the winning chance"
    assert explain.loss(position, 2, 2, ENGLISH) == ""
    assert explain.loss(position, 2, 0.5, ENGLISH, proven=True) == "loses 1.5"
    assert explain.loss(position, win - 5, win - 9, ENGLISH) == "wins 4 moves later"
    assert explain.loss(position, win - 5, 0, ENGLISH) == "gives the win away"
    assert explain.loss(position, 0, -(win - 6), ENGLISH) == "loses the game in 6 moves"
    assert explain.loss(position, -(win - 8), -(win - 6), ENGLISH) == "loses 2 moves sooner"


def test_a_value_is_told_in_chances_and_what_is_proven_as_it_is() -> None:
    position = registry.game("platforms").start()

    def told(value: float, proven: bool = False) -> str:
        return move_values.describe_value(position, value, ENGLISH, proven=proven)

    assert told(0) == "the position is level"
    assert told(-chances.BAR_POINTS) == "O is better (75 %)"
    assert told(995) == "X wins in 5 moves"
    assert told(0, proven=True) == "draw"
    assert told(-3, proven=True) == "O wins by 3"
    assert move_values.abbreviate_value(position, 4, ENGLISH) == "X 75 %"


def test_chances_are_even_at_zero_and_certain_where_the_game_is_won() -> None:
    position = registry.game("platforms").start()
    assert chances.chance(position, 0) == 0.5
    assert chances.chance(position, chances.BAR_POINTS) == pytest.approx(0.75)
    assert chances.chance(position, -995) == 0
    assert chances.per_cent(chances.chance(position, 100)) == 99


@pytest.mark.long
def test_what_was_learnt_is_told_as_the_chance_that_it_is() -> None:
    position = registry.game("connect_four").start().play("d", "d")
    evaluation = choice.strongest(position.game)
    limit, engine = Limit(nodes=500), algorithm("engine:lines=3")
    found = search(position, limit, algorithm=engine, evaluation=evaluation)
    told = chances.in_points(position.game, evaluation)(found)
    assert found.chance is not None
    assert chances.chance(position, told["score"]) == pytest.approx(found.chance)
    values = [line["score"] for line in told["lines"]]
    assert len(values) == 3
    assert values == sorted(values, reverse=True)
    assert values[0] == told["score"] != found.value
    won = dataclasses.replace(found, value=float(rules.win_value(position.state) - 3))
    assert chances.in_points(position.game, evaluation)(won)["score"] == won.value


def a_review(*values: float, best: str = "a1") -> GameJudgement:
    """The review of a short game whose positions have these values, `x`'s view."""
    game, moves = registry.game(SMALL), ("b3", "c2", "a4", "d1")
    positions = [game.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    review = GameReview(AnalysisQuestion(SMALL, "", moves), tuple(p.side for p in positions))
    review.verdicts = [MoveVerdict(value, best, False) for value in values]
    return GameJudgement(review, positions, ENGLISH)


def test_only_what_the_mover_lost_is_a_turning_point() -> None:
    review = a_review(0, -4, -4, 4, 4)
    assert review.turns() == [1]
    assert review.turn_in_words(1) == (
        "b3??: X loses 25 % of the winning chance. "
        "Before: the position is level; after: O is better (75 %). a1 was better."
    )


def test_moves_are_judged_by_the_share_of_the_chances_that_they_lose() -> None:
    chance_lost = [0.05, 0.1, 0.15, 0.04]
    values = [0.0]
    for number, lost in enumerate(chance_lost):  # each time from an even game
        after = math.log((0.5 + lost + 1e-9) / (0.5 - lost - 1e-9)) * chances.BAR_POINTS
        values.append((-1 if number % 2 == 0 else 1) * after / math.log(3))
    signs = [a_review(0, *[values[ply]] * 4).signs().get(1) for ply in (1, 3)]
    assert signs == ["?!", "??"]
    assert a_review(0, 0, values[2], values[2], values[2]).signs() == {2: "?"}
    assert a_review(0, 0, values[4], values[4], values[4]).signs() == {}


def test_who_loses_nothing_plays_with_an_accuracy_of_a_hundred() -> None:
    review = a_review(0, 0, 8, 8, 8)
    assert review.accuracy("x") == 100
    assert 0 <= (review.accuracy("o") or 0) < 80


def result(depth: int, score: float = 0, proven: bool = False) -> dict[str, Any]:
    return {"depth": depth, "score": score, "proven": proven}


def test_values_are_kept_where_the_same_side_is_to_move_in_the_end() -> None:
    def kept(side: str, *depths: int) -> int:
        found: Mapping[str, Any] = {}
        for depth in depths:
            found = at_the_same_turn(side, found, result(depth))
        depth: int = found["depth"]
        return depth

    assert kept("x", 1) == 1  # something is better than nothing
    assert kept("x", 1, 2, 3, 4, 5) == 4
    assert kept("o", 1, 2, 3, 4, 5) == 5
    assert kept("x", 6, 2) == 6  # a search that was begun again
    assert at_the_same_turn("x", result(4), result(5, proven=True))["proven"]
    assert at_the_same_turn("x", result(5, proven=True), result(6))["proven"]


def test_a_game_with_the_same_beginning_is_known_that_far() -> None:
    before = GameReview(AnalysisQuestion(SMALL, "", ("b3", "c2", "a4")), ("x", "o", "x", "o"))
    before.verdicts = [MoveVerdict(value, "", False) for value in range(4)]
    after = GameReview(AnalysisQuestion(SMALL, "", ("b3", "c2", "d1")), ("x", "o", "x", "o"))
    after.take_over(before)
    assert after.verdicts == [*before.verdicts[:3], None]
    other = GameReview(AnalysisQuestion("platforms", "", ("b3",)), ("x", "o"))
    other.take_over(before)
    assert other.verdicts == [None, None]


def test_each_move_has_its_value_on_the_place_that_is_touched_next() -> None:
    position = registry.game("corners").start()
    lines = [
        {"score": 2, "pv": ["f3f4"]},
        {"score": 1, "pv": ["f3e3"]},
        {"score": -3, "pv": ["g3g4"]},
    ]
    found = {"score": 2, "pv": ["f3f4"], "lines": lines, "proven": False}
    values = value_moves(position, found, ENGLISH)
    assert [value.grade for value in values.values()] == ["best", "fair", "bad"]
    assert not any(value.proven for value in values.values())
    begun = Partial.begin(position)
    assert by_step(begun, values)["f3"].score == 2
    then = by_step(begun.after(begun.step("f3")), values)
    assert {name: value.score for name, value in then.items()} == {"f4": 2, "e3": 1}


def test_what_is_proven_looks_different_from_an_estimate() -> None:
    position = registry.game("platforms").start()
    lines = [{"score": score, "pv": [move]} for score, move in ((995, "b2"), (0.5, "b3"))]
    found = {"score": 995, "pv": ["b2"], "lines": lines, "proven": False}
    values = value_moves(position, found, ENGLISH)
    shown = cells_of(position, values)
    assert 'class="cell target worth best proven win shade-2" data-square="b2"' in shown
    assert 'class="cell target worth bad estimate" data-square="b3"' in shown
    assert (values["b2"].text, values["b3"].text) == ("✓5", "53")


def test_a_game_that_is_over_can_be_analysed(ani: Visitor) -> None:
    path = ani.begin("shared", size="4", rounds="2")
    assert "/analysis?" not in ani.get(path).text
    ani.play(path, "b3", "c2", "a4", "d1")
    link = "/analysis?game=adjacency%3Asize%3D4%2Crounds%3D2&amp;moves=b3+c2+a4+d1"
    assert link in ani.get(path).text


def test_a_click_on_the_chosen_piece_lets_it_go(ani: Visitor) -> None:
    chosen = ani.get("/analysis?game=corners&square=f3").headers["location"]
    assert "from=f3" in chosen
    assert "from" not in ani.get(f"{chosen}&square=f3").headers["location"]


def test_pieces_of_any_kind_are_put_on_a_board_that_is_written_with_their_letters(
    ani: Visitor,
) -> None:
    page = ani.get("/analysis?game=checkers&tool=X").text
    assert 'class="sr">king of Black<' in page
    answer = ani.get("/analysis?game=checkers&tool=X&square=d4")
    line = parse_qs(urlsplit(answer.headers["location"]).query)["position"][0]
    assert line.split()[0].split("/")[4] == "3X4"
    assert "king of Black" in ani.get(answer.headers["location"]).text


def test_a_board_that_is_not_written_with_letters_offers_nothing_to_put(ani: Visitor) -> None:
    page = ani.get("/analysis?game=kalah&tool=x").text
    assert 'id="palette"' not in page
    assert ani.get("/analysis?game=kalah&tool=x&square=c").status_code == 303  # it is a move


def test_a_move_of_three_steps_is_made_in_the_address(ani: Visitor) -> None:
    address = "/analysis?game=amazons&position="
    for step in ("a4", "c4", "c7"):
        answer = ani.get(f"{address}&square={step}")
        assert answer.status_code == 303
        address = answer.headers["location"]
    assert parse_qs(urlsplit(address).query)["moves"] == ["a4-c4/c7"]
    assert ani.get(f"{address}&square=h1").status_code == 400


PGN = """[White "Ani"]
[Black "Budi"]
[Result "*"]

1. e4 {good} e5 2. Nf3 (2. Bc4 Nf6) Nc6 3. Bb5 *
"""


def test_chess_is_pasted_and_exported_as_pgn(ani: Visitor) -> None:
    answer = ani.post("/analysis/paste", game="chess", text=PGN)
    where = answer.headers["location"]
    address = dict(parse_qsl(urlsplit(where).query))
    assert address["moves"] == "e2e4 e7e5 g1f3 b8c6 f1b5"
    assert address["others"] == "e2e4 e7e5 f1c4 g8f6"
    page = ani.get(where).text
    assert ">Nf3<" in page and ">g1f3<" not in page
    exported = ani.get(f"/analysis/export?{urlencode(address)}")
    assert 'filename="analysis.pgn"' in exported.headers["content-disposition"]
    assert "1. e4 e5 2. Nf3 (Bc4 Nf6) Nc6 3. Bb5 *" in exported.text


def test_the_first_word_of_pgn_that_is_no_move_is_named(ani: Visitor) -> None:
    answer = ani.post("/analysis/paste", game="chess", text=PGN.replace("Nc6", "Zz9"))
    assert answer.status_code == 400
    assert "Zz9" in text_of(answer.text, "problem")
