"""Live games in the browser, without script."""

import json
import re
from html import unescape

import pytest
from starlette.testclient import TestClient

import papan
from papan.web.board.words import pair_moves
from web_visitors import ADDRESS, Visitor, board_sheet_of, mark_of, plies_of, text_of


def test_two_people_at_one_screen_play_a_game_to_its_end(ani: Visitor) -> None:
    path = ani.begin("shared", size="4", rounds="2")
    page = ani.play(path, "b3", "c2", "a4", "d1").text
    assert 'id="result"' in page
    assert "Budi wins" in page


def test_without_script_a_form_leads_back_to_the_page(ani: Visitor) -> None:
    path = ani.begin("shared")
    answer = ani.post(f"{path}/move", move="c4")
    assert (answer.status_code, answer.headers["location"]) == (303, path)
    assert plies_of(ani.get(path).text) == 1


def test_an_illegal_move_explains_itself_and_changes_nothing(ani: Visitor) -> None:
    path = ani.begin("shared")
    answer = ani.play(path, "h8")
    assert answer.status_code == 400
    assert text_of(answer.text, "notice") == "h8 is occupied by your opponent."
    assert plies_of(ani.get(path).text) == 0


@pytest.mark.parametrize("move", ["z9", "", "a", "<b>", "c4c5c6", "ugi:x", "é"])
def test_nonsense_for_a_move_explains_itself(ani: Visitor, move: str) -> None:
    path = ani.begin("shared")
    answer = ani.play(path, move)
    assert answer.status_code == 400
    assert "<b>" not in answer.text
    assert plies_of(answer.text) == 0


def test_a_piece_is_chosen_first_where_a_move_has_two_squares(ani: Visitor) -> None:
    path = ani.begin("shared", game="corners")
    assert mark_of(ani.get(path).text, "f3") == "source"
    answer = ani.post(f"{path}/move", move="f3")
    assert answer.headers["location"] == f"{path}?from=f3"
    page = ani.get(f"{path}?from=f3").text
    assert mark_of(page, "f4") == "target"
    assert 'value="f3f4"' in page
    assert plies_of(ani.play(path, "f3f4").text) == 1


def test_squares_say_in_words_what_they_are(ani: Visitor) -> None:
    path = ani.begin("shared", game="platforms", level="2")
    ani.play(path, "b2")
    page = ani.get(path).text
    assert 'aria-label="b2, piece of Ani, 1 more steps, last move"' in page
    assert 'aria-label="b1, empty, 2 more steps, can be played"' in page


def test_every_ply_has_an_address(ani: Visitor) -> None:
    path = ani.begin("shared")
    ani.play(path, "c4", "d4", "e4")
    page = ani.get(f"{path}?ply=1").text
    assert text_of(page, "status") == "After 1 of 3 moves."
    assert mark_of(page, "a1") == mark_of(page, "e4") == ""


@pytest.mark.parametrize("ply", ["-1", "99999999999", "x", "", "1e3", "٣"])
def test_nonsense_for_a_ply_is_no_failure(ani: Visitor, ply: str) -> None:
    path = ani.begin("shared")
    assert ani.get(f"{path}?ply={ply}").status_code == 200


def test_a_move_for_a_position_that_is_past_is_refused(ani: Visitor) -> None:
    path = ani.begin("shared")
    ani.play(path, "c4")
    answer = ani.post(f"{path}/move", move="d4", ply="0")
    assert answer.status_code == 400
    assert "changed meanwhile" in answer.text


def test_spectators_see_everything_and_change_nothing(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared")
    ani.play(path, "c4")
    page = budi.get(path).text
    assert "You are watching" in page
    assert "can be played" not in page
    actions = ["move", "undo", "resign", "draw", "accept", "decline", "reset", "hint", "again"]
    for action in actions:
        assert budi.post(f"{path}/{action}", move="d4").status_code == 400, action
    assert plies_of(ani.get(path).text) == 1


def test_two_browsers_play_by_a_link(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("link")
    page = ani.get(path).text
    link = page.partition('readonly value="')[2].partition('"')[0]
    assert link.startswith(f"{ADDRESS}/join/")
    join = link.removeprefix(ADDRESS)
    assert "Ani would like to play" in budi.get(join).text
    assert budi.post(join, name="Ani").status_code == 400
    assert budi.post(join, name="Budi").headers["location"] == path
    assert budi.play(path, "c4").status_code == 400
    assert plies_of(ani.play(path, "c4").text) == 1
    assert plies_of(budi.play(path, "d4").text) == 2


def test_the_invitation_is_shown_to_whoever_invites_alone(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("link")
    assert "/join/" not in budi.get(path).text


def test_a_return_game_exchanges_the_sides(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("link")
    link = ani.get(path).text.partition('readonly value="')[2].partition('"')[0]
    budi.post(link.removeprefix(ADDRESS), name="Budi")
    ani.post(f"{path}/resign")
    following = budi.post(f"{path}/again").headers["location"]
    assert ani.post(f"{path}/again").headers["location"] == following
    assert plies_of(budi.play(following, "c4").text) == 1


def test_a_draw_is_offered_and_taken(ani: Visitor) -> None:
    path = ani.begin("shared")
    ani.play(path, "c4")
    page = ani.post(f"{path}/draw", fragment=True).text
    assert "Budi offers a draw." in page
    assert "A draw" in ani.post(f"{path}/accept", fragment=True).text


def test_pages_are_pushed_when_the_game_changes(ani: Visitor) -> None:
    path = ani.begin("shared")
    with ani.live(path) as socket:
        assert plies_of(socket.receive_text()) == 0
        ani.play(path, "c4")
        assert plies_of(socket.receive_text()) == 1


def test_previews_are_for_whoever_can_move(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared")
    ani.play(path, "c4", "d4")
    turns = path.replace("/game/", "/api/live/") + "/turns"
    assert ani.get(turns).json()["moves"]["c5"] == ["c4"]
    assert budi.get(turns).json()["moves"] == {}


def test_a_program_answers(ani: Visitor) -> None:
    path = ani.begin("solo", size="4", opponent="beginner")
    with ani.live(path) as socket:
        socket.receive_text()
        ani.play(path, "b3")
        while (plies := plies_of(socket.receive_text())) == 1:
            pass  # the own move; and that the program gets ready, where nothing was compiled
    assert plies == 2


def test_a_hint_marks_a_square(ani: Visitor) -> None:
    path = ani.begin("shared", size="4")
    assert ani.post(f"{path}/hint", fragment=True).status_code == 400
    ani.post(f"{path}/hints")
    page = ani.post(f"{path}/hint", fragment=True)
    assert page.status_code == 200
    found = re.search(r'"hint":\["(\w+)"\]', page.text)
    assert found
    assert text_of(page.text, "status") == f"Ani to move. Hint: {found[1]}."
    assert f'aria-label="{found[1]}, empty, can be played, suggested"' in ani.get(path).text


def test_values_of_moves_stand_on_the_board_and_beside_it_where_hints_are_given(
    ani: Visitor, budi: Visitor
) -> None:
    path = ani.begin("shared", game="platforms")
    assert ani.post(f"{path}/values", fragment=True).status_code == 400
    ani.post(f"{path}/hints")
    page = ani.post(f"{path}/values", fragment=True).text
    worth = json.loads(page.partition('id="snapshot">')[2].partition("</script>")[0])["worth"]
    assert {move: text for move, (text, *_) in worth.items()} == {
        "b3": "✗6",
        "a2": "✗6",
        "b2": "✓7",
    }
    assert "proven win" in worth["b2"][2]
    assert "3 of 3 moves are proven" in page
    assert '"worth":{}' in budi.get(path).text
    ani.play(path, "b2")
    assert '"worth":{}' in ani.get(path).text


def test_a_hint_of_a_column_marks_the_square_where_the_piece_comes_to_lie(ani: Visitor) -> None:
    path = ani.begin("shared", game="connect_four")
    ani.post(f"{path}/hints")
    page = ani.post(f"{path}/hint", fragment=True).text
    assert re.search(r'"hint":\["[a-g]1"\]', page)


def test_there_are_hints_between_two_people_by_a_link_where_both_agree(
    ani: Visitor, budi: Visitor
) -> None:
    path = ani.begin("link")
    link = ani.get(path).text.partition('readonly value="')[2].partition('"')[0]
    budi.post(link.removeprefix(ADDRESS), name="Budi")
    assert 'data-action="hint"' not in ani.get(path).text
    answer = ani.post(f"{path}/hint", fragment=True)
    assert answer.status_code == 400
    assert "agreement of both" in answer.text
    ani.post(f"{path}/hints")
    assert "Ani asks to allow hints for both." in budi.get(path).text
    assert "web.request" not in ani.get(path).text
    budi.post(f"{path}/grant")
    assert 'data-action="hint"' in ani.get(path).text


def met(ani: Visitor, budi: Visitor) -> str:
    """The path of a game that two browsers play by a link."""
    path = ani.begin("link")
    page = ani.get(path).text
    assert 'class="qr"' in page.partition('id="invite"')[2]
    link = page.partition('readonly value="')[2].partition('"')[0]
    budi.post(link.removeprefix(ADDRESS), name="Budi")
    return path


def test_those_who_look_on_are_counted_and_a_player_who_has_left_is_away(
    ani: Visitor, budi: Visitor, server: TestClient
) -> None:
    path = met(ani, budi)
    citra = Visitor(server)
    with ani.live(path) as mine:
        mine.receive_text()
        with citra.live(path) as theirs:
            assert "1 watching" in theirs.receive_text()
            assert "1 watching" in mine.receive_text()
            assert ">away</span>" in ani.get(path).text  # Budi has never been there
            with budi.live(path) as his:
                his.receive_text()
                assert ">away</span>" not in mine.receive_text()


def test_bots_that_are_watched_rest_and_make_one_move_when_they_are_told(
    ani: Visitor, budi: Visitor
) -> None:
    path = ani.begin("watch", size="4", x="beginner", o="beginner")
    assert budi.post(f"{path}/pause").status_code == 400
    ani.post(f"{path}/pause")
    plies = plies_of(ani.get(path).text)
    with ani.live(path) as socket:
        assert plies_of(socket.receive_text()) == plies
        ani.post(f"{path}/step")
        while plies_of(socket.receive_text()) == plies:
            pass
    page = ani.get(path).text
    assert plies_of(page) == plies + 1
    assert 'data-action="pause"' not in page
    assert 'data-action="pause"' in ani.post(f"{path}/quick", fragment=True).text


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"name": " "}, "Please type a name."),
        ({"other": "ani"}, "cannot both be called"),
        ({"game": "backgammon"}, "unknown game"),
        ({"game": "../../etc/passwd.py"}, "unknown game"),
        ({"option.rounds": "99"}, "expected 2 … 28"),
        ({"option.size": "8,rounds=3"}, "too long"),
        ({"clock": "0+0"}, "clock does not exist"),
        ({"side": "z"}, "side does not exist"),
    ],
)
def test_a_form_that_is_wrong_says_what(
    ani: Visitor, fields: dict[str, str], complaint: str
) -> None:
    form = {"game": "adjacency", "name": "Ani", "other": "Budi", "side": "x", **fields}
    answer = ani.post("/new/shared", **form)
    assert answer.status_code == 400
    assert complaint in answer.text


@pytest.mark.parametrize(
    "player",
    [
        "ugi:sh -c true",
        "python:/etc/passwd",
        "named:nobody",
        "human",
        "engine:hash=9999",
        "engine:threads=64",
        "minimax:evaluation=x",
        "genetic:population=2000",
        "x" * 200,
        "corners-minimax",
        "mcts:time=1000",
    ],
)
def test_players_that_a_browser_may_not_name_are_refused(ani: Visitor, player: str) -> None:
    answer = ani.post(
        "/new/solo", game="adjacency", name="Ani", opponent="easy", opponent_spec=player
    )
    assert answer.status_code == 400
    assert 'role="alert"' in answer.text


def test_a_player_that_the_server_s_owner_has_named_can_be_chosen(ani: Visitor) -> None:
    assert "the house&#39;s" in ani.get("/new/solo").text
    path = ani.begin("solo", opponent="named:the house's")
    assert "/nowhere/" not in ani.get(path).text


def test_names_are_text_and_never_markup(ani: Visitor) -> None:
    path = ani.begin("shared", name="<i>&amp;")
    assert "<i>" not in ani.get(path).text


def test_a_page_that_is_up_to_date_is_told_of_the_next_change_only(ani: Visitor) -> None:
    path = ani.begin("shared")
    address = f"{ADDRESS.replace('http', 'ws')}{path}/live?version=0"
    with ani.client.websocket_connect(address, headers={"origin": ADDRESS}) as socket:
        ani.play(path, "c4")
        assert plies_of(socket.receive_text()) == 1


def test_everybody_is_sent_the_page_as_they_see_it(ani: Visitor, budi: Visitor) -> None:
    path = ani.begin("shared")
    with ani.live(path) as player, budi.live(path) as subscriber:
        player.receive_text()
        subscriber.receive_text()
        ani.play(path, "c4")
        assert "can be played" in player.receive_text()
        assert "can be played" not in subscriber.receive_text()


def test_a_board_of_fifteen_columns_is_played_like_a_small_one(ani: Visitor) -> None:
    path = ani.begin("shared", game="Gomoku", size="15", row="5")
    ani.play(path, *["k11", "a1", "k12", "a2", "k13", "a3", "k14", "a4"])
    page = ani.get(path).text
    assert mark_of(page, "k15") == "target"
    assert page.count('class="cell ') == 225
    sheet = ani.get(board_sheet_of(page)).text
    assert ".table,.board{--w:15;--W:932;--H:932}" in sheet
    assert '.cell[data-square="c15"]{--x:13.333%;--y:0%;--dx:6.667%;--dy:6.667%}' in sheet
    assert 'aria-label="o15, empty, can be played"' in page
    assert "Ani wins" in ani.play(path, "k15").text


@pytest.mark.parametrize(
    ("language", "said", "note"), [("en", "Gather", ""), ("id", "biji", "hanya ada dalam bahasa")]
)
def test_the_gallery_leads_to_rules_with_pictures_and_ways_to_play(
    ani: Visitor, language: str, said: str, note: str
) -> None:
    ani.post("/options", only="language", language=language)
    assert 'href="/rules/kalah"' in ani.get("/games").text
    page = ani.get("/rules/kalah").text
    assert said.lower() in page.lower()
    assert note in page
    pictures = [unescape(found) for found in re.findall(r'src="(/board\.svg[^"]*)"', page)]
    assert len(pictures) == 3
    for picture in pictures:
        assert ani.get(picture).text.startswith("<svg")
    for kind in ("solo", "shared", "link", "watch"):
        assert f"/new/{kind}?game=kalah" in page
    assert 'name="option.seeds"' in ani.get("/new/shared?game=kalah").text


def test_a_side_that_moves_again_has_a_row_of_its_own_in_the_list() -> None:
    positions, moves = [papan.game("kalah").start()], ["c", "a", "B", "b"]
    for move in moves:
        positions.append(positions[-1].play(move))
    shown = [[listed and listed.text for listed in row] for row in pair_moves(positions, moves)]
    assert shown == [["c"], ["a", "B"], ["b"]]
    assert [
        [listed and listed.text for listed in row] for row in pair_moves(positions[2:], ["B"])
    ] == [[None, "B"]]


@pytest.mark.parametrize("side", ["", "xo", "y", "X"])
def test_a_side_that_there_is_not_is_refused(ani: Visitor, side: str) -> None:
    answer = ani.post("/new/shared", game="adjacency", name="Ani", other="Budi", side=side)
    assert answer.status_code == 400
