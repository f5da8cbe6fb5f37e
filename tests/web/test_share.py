"""Positions that are taken along: copied, drawn, and played on from."""

import re
from html import unescape

from papan.usercode.gallery import gallery
from web_visitors import Visitor


def test_a_position_of_an_analysis_is_shown_as_link_line_moves_and_picture(ani: Visitor) -> None:
    query = "game=tictactoe&moves=b2+a1+c3&ply=2"
    page = unescape(ani.get(f"/share?{query}").text)
    assert "/analysis?game=tictactoe&moves=b2+a1+c3&ply=2" in page
    assert 'value="b2 a1"' in page
    assert 'value="3/1x1/o2 x"' in page
    picture = ani.get(f"/share/board.svg?{query}")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg")
    assert "<style>" in picture.text


def test_a_game_goes_on_from_a_position_that_is_shared(ani: Visitor) -> None:
    page = unescape(ani.get("/share?game=adjacency:size%3D4&moves=b3").text)
    start = re.search(r'href="(/new/shared\?[^"]*)"', page)
    assert start
    form = ani.get(start[1]).text
    fields = dict(re.findall(r'<input type="hidden" name="([\w.]+)" value="([^"]*)"', form))
    game = ani.begin("shared", **fields)
    assert "o" in fields["position"].split()[1:]
    assert "Budi to move" in ani.get(game).text
    assert ani.post(f"{game}/move", fragment=True, move="c2", ply="0").status_code == 200


def test_nothing_is_played_from_a_position_where_the_game_has_ended(ani: Visitor) -> None:
    query = "game=tictactoe&moves=a1+b1+a2+b2+a3"
    assert "/new/solo" not in ani.get(f"/share?{query}").text
    answer = ani.get("/new/solo?game=tictactoe&position=x2%2Fxo1%2Fxo1+o")
    assert answer.status_code == 400
    assert "is over" in answer.text
    assert ani.get("/new/solo?game=tictactoe&position=nonsense").status_code == 400
    assert ani.get("/share?game=tictactoe&position=nonsense").status_code == 400


def test_a_live_game_leads_to_its_position_at_any_ply(ani: Visitor) -> None:
    path = ani.begin("shared", game="tictactoe")
    ani.play(path, "b2", "a1")
    assert f"{path}/share?ply=2" in ani.get(path).text
    answer = ani.get(f"{path}/share?ply=1")
    assert answer.headers["location"] == "/share?game=tictactoe&moves=b2+a1&ply=1"


def test_the_menu_shows_games_as_pictures_and_the_game_that_goes_on(ani: Visitor) -> None:
    assert "Continue your game" not in ani.get("/").text
    path = ani.begin("shared", game="tictactoe", name="Dewi", other="Eko")
    menu = ani.get("/").text
    assert f'<a class="card continue" href="{path}">' in menu
    assert menu.count('class="game-card"') == 3 + 1 + len(gallery())
    assert 'value="Dewi"' in ani.get("/new/solo").text
    ani.post(f"{path}/resign")
    assert "Continue your game" not in ani.get("/").text
