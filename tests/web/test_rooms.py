"""Every room has every game: the chooser, its filter, and options as fields."""

import html
import re

import pytest

from papan.records.model import Record
from papan.records.store import Store
from papan.usercode.gallery import gallery
from papan.web.board.pictures import kinds_of
from papan.web.http.allowed import Allowed
from web_visitors import Visitor

ROOMS = (
    *("/tournament", "/teach", "/puzzles", "/records", "/analysis"),
    *("/new/solo", "/new/shared", "/new/link", "/new/watch"),
)


def chosen_in(page: str) -> str:
    """The title of the chosen game."""
    found = re.search(r'id="chooser".*?<strong>([^<]*)</strong>', page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def shown_in(page: str) -> list[str]:
    """The titles of the games that the filter shows."""
    games = re.findall(r'<li data-words="[^"]*" data-kinds="[^"]*">.*?<span>([^<]*)<', page)
    return [html.unescape(title) for title in games]


@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("game", ["hex", "Gomoku", "corners"])
def test_a_room_takes_every_game(ani: Visitor, room: str, game: str) -> None:
    answer = ani.get(f"{room}?game={game}&depth=1")
    assert answer.status_code == 200, answer.text
    assert chosen_in(answer.text) == game.capitalize()
    offered = len(shown_in(answer.text))
    if room == "/records":  # all games at once, too, and the game that a later test has stored
        offered -= 1 + ("backgammon" in ani.service(Store).games())
    assert offered == len(gallery()) + 4


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_refuses_a_game_that_is_not_offered(ani: Visitor, room: str) -> None:
    for game in ("hexx", "../../etc/passwd.py", "ugi:x"):
        answer = ani.get(f"{room}?game={game}")
        assert answer.status_code == 400
        assert "unknown game" in answer.text
        assert "data-sorry" in answer.text


def test_the_chooser_filters_without_script(ani: Visitor) -> None:
    assert shown_in(ani.get("/games?find=hes").text) == ["Chess", "Minichess"]
    rows = shown_in(ani.get("/tournament?kind=rows").text)
    assert "Connect four" in rows and "Hex" not in rows
    assert shown_in(ani.get("/games?find=HEX&kind=connection").text) == ["Hex"]
    page = ani.get('/games?find="><script>&kind=nonsense').text
    assert shown_in(page) == [] and "<script>&" not in page


def test_each_game_has_a_kind(ani: Visitor) -> None:
    allowed = ani.service(Allowed)
    kinds = {name: kinds_of(allowed.game(name, {})) for name in allowed.all_games()}
    assert [name for name, found in kinds.items() if not found] == ["chomp"]
    assert kinds["hex"] == ("placing", "connection", "hexagons")
    assert "race" in kinds["corners"]


@pytest.mark.parametrize(
    ("game", "colour"), [("corners", "#c98a12"), ("chess", "#efe5cf"), ("Gomoku", "#141414")]
)
def test_the_picture_of_a_game_has_the_colours_of_its_look(
    ani: Visitor, game: str, colour: str
) -> None:
    answer = ani.get(f"/board.svg?game={game}&theme=dark&x_colour=gold&o_shape=<script>")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert "max-age" in answer.headers["cache-control"]
    assert colour in answer.text  # the visitor's colours are for games with the plain look
    assert "<script>" not in answer.text


def test_a_picture_of_a_game_that_is_not_offered_is_refused(ani: Visitor) -> None:
    assert ani.get("/board.svg?game=nothing").status_code == 400


def test_yes_or_no_is_a_switch_and_numbers_have_their_limits(ani: Visitor) -> None:
    for room in ("/new/solo", "/tournament"):
        page = ani.get(f"{room}?game=hex").text
        assert 'role="switch" name="option.swap" value="yes">' in page
        assert re.search(r'name="option.size" type="number"[^>]* min="3" max="19" value="11"', page)
    page = ani.get("/new/solo?game=hex&option.swap=yes").text
    assert 'name="option.swap" value="yes" checked>' in page
    assert 'value="1-3-5-7"' in ani.get("/new/solo?game=nim").text
    assert 'role="switch"' in ani.get("/analysis?game=nim").text


@pytest.mark.parametrize(("swap", "spec"), [("yes", "hex:swap=yes"), ("no", "hex")])
def test_a_switch_sets_its_option(ani: Visitor, swap: str, spec: str) -> None:
    path = ani.begin("shared", game="hex", **{"option.swap": swap})
    assert ani.get(path.replace("/game/", "/api/live/")).json()["game"] == spec


def test_records_have_titles_and_pictures(ani: Visitor) -> None:
    path = ani.begin("shared", game="hex", name="Ani", other="Budi", **{"option.size": "4"})
    ani.play(path, "b2", "c3")
    ani.post(f"{path}/resign")
    page = ani.get("/records?game=hex").text
    assert "Hex (size=4): Ani – Budi" in page
    picture = re.search(r'src="(/records/[^"]*\.svg[^"]*)"', page)
    assert picture
    assert ani.get(html.unescape(picture[1])).text.startswith("<svg")


def test_records_of_games_that_are_no_longer_offered_are_found(ani: Visitor) -> None:
    ani.service(Store).add(Record("backgammon", "Ani", "Budi", ("a1",), "x", "rules", id="old"))
    page = ani.get("/records?game=backgammon").text
    assert "backgammon: Ani – Budi" in page
    assert ani.get("/records/old.svg").status_code == 404


def test_one_click_on_a_board_starts_a_game_against_level_3(ani: Visitor) -> None:
    front = ani.get("/").text
    assert '<form method="post" action="/new/solo">' in front
    assert '<button class="game-card" name="game" value="hex">' in front
    assert 'href="/new/solo?game=hex" aria-label="Hex: more options"' in front
    ani.post("/options", platforms_size="4")
    for game, spec in (("tictactoe", "tictactoe"), ("platforms", "platforms:size=4")):
        answer = ani.post("/new/solo", game=game)
        assert answer.status_code == 303
        path = answer.headers["location"]
        live = ani.get(path.replace("/game/", "/api/live/")).json()
        assert live["game"] == spec
        assert live["players"] == {"x": "Player 1", "o": "level:3"}
        assert f'<a class="card continue" href="{path}"><img src="/board.svg?' in ani.get("/").text
    assert ani.post("/new/solo", game="nothing").status_code == 400


def test_the_front_has_a_puzzle_with_its_board(ani: Visitor) -> None:
    card = ani.get("/").text.partition('id="puzzle-of-the-day"')[2].partition("</section>")[0]
    assert "data-part data-compact" in card
    assert card.count('class="cell') > 8
    assert "to move" in card


def test_a_list_without_games_has_a_sentence_and_a_button(ani: Visitor) -> None:
    page = ani.get("/records?player=nobody-at-all").text
    empty = page.partition('class="empty"')[2].partition("</div>")[0]
    assert "No game matches these filters." in empty
    assert empty.count("button") == 1


def test_a_game_without_puzzles_leads_to_others(ani: Visitor) -> None:
    page = ani.get("/puzzles?game=hex").text
    assert "Hex has no puzzles yet." in page
    assert "/puzzles?game=corners" in page
    assert "Puzzle 1 of" in ani.get("/puzzles?game=platforms&number=1").text
