"""The analysis page: positions by hand, by address and by text, and what engines say of them."""

import time
from urllib.parse import parse_qs, urlsplit

import pytest

from papan.core import registry
from papan.messages import ENGLISH
from papan.web.analysis import explain
from papan.web.analysis.analysis_jobs import AnalysisQuestion, GameAnalysis, MoveVerdict
from papan.web.analysis.board_editor import Draft
from web_visitors import ADDRESS, Visitor, mark_of, text_of

SMALL = "adjacency:size=4,rounds=2"


def address_of(visitor: Visitor, path: str) -> dict[str, str]:
    """The query of the address that an address leads to."""
    answer = visitor.get(path)
    assert answer.status_code == 303, answer.text
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    return {name: values[0] for name, values in query.items()}


def finding(visitor: Visitor, path: str, *, seconds: float = 60) -> str:
    """The page once the engine has ended its look."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        page: str = visitor.get(path).text
        if 'name="stop"' not in page:
            return page
        time.sleep(0.1)
    raise AssertionError("the engine is still looking")


def test_a_click_on_a_square_makes_a_move_that_the_address_keeps(ani: Visitor) -> None:
    assert address_of(ani, "/analysis?game=adjacency&square=c4") == {
        "game": "adjacency",
        "moves": "c4",
    }
    page = ani.get("/analysis?game=adjacency&moves=c4").text
    assert "c4, piece of X, last move" in page


def test_a_move_in_the_middle_of_a_game_leaves_out_what_came_after(ani: Visitor) -> None:
    query = address_of(ani, "/analysis?game=adjacency&moves=c4+d5+e6&ply=1&square=h1")
    assert query["moves"] == "c4 h1"


def test_a_piece_is_chosen_before_its_target_lights_up(ani: Visitor) -> None:
    assert address_of(ani, "/analysis?game=corners&square=f3")["from"] == "f3"
    page = ani.get("/analysis?game=corners&from=f3").text
    assert mark_of(page, "f4") == "target"
    assert address_of(ani, "/analysis?game=corners&from=f3&square=f4")["moves"] == "f3f4"


def test_a_square_where_nothing_can_be_played_says_so(ani: Visitor) -> None:
    answer = ani.get("/analysis?game=adjacency&square=h8")
    assert answer.status_code == 400
    assert text_of(answer.text, "problem") == "nothing can be played on h8 here"


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
        ('[Game "platforms"]\n[X "a"]\n[O "b"]\n[Result "*"]\n\n1. b2 b1 *', "moves=b2+b1&ply=0"),
    ],
)
def test_a_line_or_a_record_can_be_pasted(ani: Visitor, text: str, part: str) -> None:
    text = text.replace(" *", "") if text.endswith("*") else text
    answer = ani.post("/analysis/paste", game="platforms", text=text)
    assert answer.status_code == 303, answer.text
    assert part in answer.headers["location"]


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
    answer = ani.post("/analysis/search", game=SMALL, lines="3", seconds="3")
    assert answer.status_code == 303
    page = finding(ani, path)
    assert "proven" in page
    assert page.count('<span class="pv">') == 3
    assert "is best: the game is level." in page or "ahead" in page


def test_a_look_can_be_stopped_and_belongs_to_its_browser(ani: Visitor, budi: Visitor) -> None:
    path = "/analysis?game=corners"
    ani.post("/analysis/search", game="corners", seconds="60")
    assert 'name="stop"' in ani.get(path).text
    assert 'name="stop"' not in budi.get(path).text
    ani.post("/analysis/search", game="corners", stop="1")
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
    ani.post("/analysis/search", game=SMALL, moves=moves, sweep="1")
    page = finding(ani, f"/analysis?game={SMALL}&moves={moves}")
    assert "Evaluation over the game" in page
    assert 'class="value"' in page


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


def test_losses_are_told_in_points_or_in_what_becomes_of_the_game() -> None:
    position = registry.game("platforms").start()
    win = 1000
    assert explain.loss(position, 2, 0.5, ENGLISH) == "loses 1.5"
    assert explain.loss(position, 2, 2, ENGLISH) == ""
    assert explain.loss(position, win - 5, win - 9, ENGLISH) == "wins 4 moves later"
    assert explain.loss(position, win - 5, 0, ENGLISH) == "throws the win away"
    assert explain.loss(position, 0, -(win - 6), ENGLISH) == "loses the game in 6 moves"
    assert explain.loss(position, -(win - 8), -(win - 6), ENGLISH) == "loses 2 moves sooner"


def test_the_bar_is_even_at_zero_and_full_where_the_game_is_won() -> None:
    position = registry.game("platforms").start()
    assert explain.share_of_x(position, 0) == 0.5
    assert explain.share_of_x(position, explain.BAR_POINTS) == pytest.approx(0.75)
    assert explain.share_of_x(position, -995) == 0


def test_only_what_the_mover_lost_is_a_turning_point() -> None:
    game = registry.game(SMALL)
    moves = ("b3", "c2", "a4", "d1")
    positions = [game.start()]
    for move in moves:
        positions.append(positions[-1].play(move))
    sweep = GameAnalysis(AnalysisQuestion(SMALL, "", moves), tuple(p.side for p in positions))
    values = [0.0, -3.0, -3.0, 1.0, 1.0]
    sweep.verdicts = [MoveVerdict(value, "a1", False) for value in values]
    assert explain.turns(sweep, positions) == [1]
    assert explain.turn_in_words(sweep, positions, 1, ENGLISH) == "b3: from 0 to −3. Better was a1."


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
    assert 'class="sr">king of X<' in page
    answer = ani.get("/analysis?game=checkers&tool=X&square=d4")
    line = parse_qs(urlsplit(answer.headers["location"]).query)["position"][0]
    assert line.split()[0].split("/")[4] == "3X4"
    assert "king of X" in ani.get(answer.headers["location"]).text


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
