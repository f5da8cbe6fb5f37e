"""Boards as SVG."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import papan
from papan.core.board.pieces import DRAWINGS
from papan.figures import highlights as finding
from papan.figures import pieces as drawings
from papan.figures.board import Layout, Marks, Style, board_svg
from papan.figures.pieces import SHAPES, sample
from papan.figures.places import frame
from papan.figures.svg import Markup, element
from papan.figures.theme import LIGHT, THEMES, board_rules, theme_rules
from support import SPECS, gallery, reached, run_python

EXAMPLES = Path(__file__).parents[2] / "examples" / "games"
SVG = "{http://www.w3.org/2000/svg}"


def parsed(picture: str) -> ElementTree.Element:
    return ElementTree.fromstring(picture)


def squares(picture: str) -> dict[str, set[str]]:
    """The class names of each square's group."""
    groups = parsed(picture).iter(f"{SVG}g")
    return {
        group.attrib["data-square"]: set(group.attrib["class"].split())
        for group in groups
        if "data-square" in group.attrib
    }


def pieces(picture: str) -> dict[str, str]:
    """The sides of the pieces, by square."""
    found = {}
    for group in parsed(picture).iter(f"{SVG}g"):
        for inner in group.findall(f"{SVG}g"):
            found[group.attrib["data-square"]] = inner.attrib["class"].split()[1]
    return found


@pytest.mark.parametrize("spec", SPECS)
def test_a_board_shows_every_square_and_every_piece_of_every_game(spec):
    for plies in (0, 3, 9):
        position = reached(spec, seed=5, plies=plies)
        board, contents = position.game.board, position.game.contents(position.state)
        picture = board_svg(position)
        assert set(squares(picture)) == {board.name(square) for square in board.squares}
        assert pieces(picture) == {
            board.name(square): content.owner
            for square, content in contents.items()
            if content.owner
        }


def test_steps_left_are_as_many_layers_and_a_number_and_none_is_a_hole():
    picture = board_svg(papan.game("platforms:level=3").position("012/333/301 x a3 c1"))
    groups = {g.attrib.get("data-square"): g for g in parsed(picture).iter(f"{SVG}g")}
    for name, steps in {"b3": 1, "c3": 2, "a2": 3}.items():
        shapes = [rect.attrib["class"] for rect in groups[name].findall(f"{SVG}rect")]
        assert shapes == ["layer"] * steps
        assert groups[name].findtext(f"{SVG}text") == str(steps)
    assert "gone" in squares(picture)["b1"]
    assert groups["b1"].find(f"{SVG}text") is None


def test_marks_become_class_names():
    position = papan.game("adjacency:size=4").start()
    marks = Marks(last=["a1"], targets=["a3"], selected=("b3",), flips=["c3"], hint=["d1"])
    found = squares(board_svg(position, marks=marks))
    names = {"last", "target", "selected", "flip", "hint"}
    assert {name: found[name] & names for name in ("a1", "a3", "b3", "c3", "d1", "d2")} == {
        "a1": {"last"},
        "a3": {"target"},
        "b3": {"selected"},
        "c3": {"flip"},
        "d1": {"hint"},
        "d2": set(),
    }


def test_home_corners_are_tinted():
    found = squares(board_svg(papan.game("corners").start()))
    assert {name for name, names in found.items() if "home-x" in names} == {
        f"{column}{row}" for column in "fgh" for row in "123"
    }
    assert sum("home-o" in names for names in found.values()) == 9


def test_the_sides_differ_in_shape():
    position = papan.game("adjacency:size=4").start()
    for x_shape, o_shape in (("disc", "ring"), ("star", "cross")):
        picture = parsed(board_svg(position, style=Style(x_shape=x_shape, o_shape=o_shape)))
        drawn = {path.attrib["d"] for path in picture.iter(f"{SVG}path")}
        assert len(drawn) == 2


def test_every_shape_can_be_shown_alone():
    outlines = {re.search(' d="([^"]*)"', sample("x", shape)).group(1) for shape in SHAPES}
    assert len(outlines) == len(SHAPES)
    for shape in SHAPES:
        parsed(sample("o", shape))


def test_from_the_other_side_the_first_square_is_the_last():
    board = papan.game("adjacency:size=4x5").board
    near, far = Layout(board), Layout(board, flipped=True)
    place = {place.name: place for place in board.places}
    assert near.corner(place["a4"]) == far.corner(place["e1"])
    assert near.corner(place["e4"]) == far.corner(place["a1"])


def test_a_picture_for_a_page_has_neither_style_nor_title_nor_ids():
    page = board_svg(papan.game("platforms").start(), style=Style(standalone=False), title="Now")
    assert "style" not in page
    assert "<title" not in page
    assert " id=" not in page
    root = parsed(page)
    assert (root.attrib["role"], root.attrib["aria-label"]) == ("img", "Now")


def test_ids_are_made_of_the_word_that_is_given():
    root = parsed(board_svg(papan.game("platforms").start(), ident="game"))
    ids = [item.attrib["id"] for item in root.iter() if "id" in item.attrib]
    assert len(ids) == len(set(ids)) == 10
    assert {"game", "game-a3"} <= set(ids)


def test_a_title_is_escaped_and_stays_what_it_is():
    title = 'A & "B" <c> \x00'
    root = parsed(board_svg(papan.game("platforms").start(), title=title))
    assert root.findtext(f"{SVG}title") == 'A & "B" <c> \ufffd'
    assert root.attrib["aria-label"] == 'A & "B" <c> \ufffd'


def test_every_colour_of_the_sheet_is_a_property_that_every_theme_sets():
    used = set(re.findall(r"var\(--papan-([a-z0-9-]+), #[0-9a-f]{6}\)", board_rules()))
    assert "$" not in board_rules()
    assert used <= set(LIGHT)
    for name, theme in THEMES.items():
        assert set(theme) == set(LIGHT)
        assert all(f"--papan-{key}:" in theme_rules(name) for key in used)


def test_a_standalone_picture_can_have_another_theme():
    position = papan.game("platforms").start()
    assert THEMES["dark"]["ground"] in board_svg(position, style=Style(theme="dark"))
    assert THEMES["dark"]["ground"] not in board_svg(position)
    root = parsed(board_svg(position, style=Style(theme="dark")))
    assert root.attrib["class"] == "papan-board papan-dark"


def test_what_a_move_turns_is_found_by_the_rules():
    position = papan.game("adjacency:size=4").position("2oo/1xoo/xx2/xx2 x 4")
    assert finding.flips(position, "b4") == ["c4"]
    assert finding.flips(position, "c2") == ["c3"]
    assert finding.flips(papan.game("corners").start(), "f3f4") == []


def test_targets_are_all_of_them_or_those_of_the_chosen_piece():
    corners = papan.game("corners").start()
    assert finding.targets(corners) == []
    assert finding.targets(corners, ["f3"]) == ["e3", "f4"]
    platforms = papan.game("platforms").start()
    assert finding.targets(platforms) == sorted(platforms.moves())


def test_a_move_without_squares_reaches_where_it_puts_its_piece():
    four = papan.game(str(EXAMPLES / "connect_four.py")).start().play("d")
    assert finding.targets(four) == ["a1", "b1", "c1", "d2", "e1", "f1", "g1"]
    assert finding.last_squares(four, "d") == ["d2"]


def test_a_pass_reaches_nothing():
    position = papan.game(str(EXAMPLES / "othello.py")).position(
        "oxo1xxxx/oooooxxx/ooooooox/ooooooox/oxxoooox/oxxxooox/xooxxoox/xoooooox o"
    )
    assert position.moves() == ["pass"]
    assert finding.targets(position) == []


def test_the_last_move_is_the_squares_that_it_names():
    assert finding.last_squares(papan.game("corners").start(), "f3f4") == ["f3", "f4"]
    assert finding.last_squares(papan.game("platforms").start(), "b2") == ["b2"]


def test_a_move_that_names_no_squares_marks_where_it_put_a_piece(monkeypatch):
    start = papan.game("adjacency:size=4").start()
    monkeypatch.setattr(finding, "squares_of", lambda position, move: [])  # as if it named none
    assert finding.last_squares(start, "b3") == ["b3"]


def test_positions_show_themselves_in_notebooks():
    code = """
import papan
picture = papan.game("corners").start()._repr_svg_()
assert picture.startswith("<svg") and 'data-square="h8"' in picture
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_games_alone_do_not_load_what_draws():
    code = """
import sys
from papan.usercode.registry import game
assert game("platforms").start()._repr_svg_() is None
assert not any(name.startswith("papan.figures") for name in sys.modules)
"""
    done = run_python(code)
    assert (done.returncode, done.stderr) == (0, "")


def test_markup_is_not_escaped_twice():
    inner = element("b", "<&>")
    assert inner == "<b>&lt;&amp;&gt;</b>"
    assert element("p", inner, "<", data_x=1.50, width=None) == (
        '<p data-x="1.5"><b>&lt;&amp;&gt;</b>&lt;</p>'
    )
    assert Markup("<i/>").__html__() == "<i/>"


def test_drawing_neither_reads_nor_writes():
    folder = Path(finding.__file__).parent
    wrong = [
        file.name
        for file in folder.rglob("*.py")
        if re.search(r"\bopen\(|pathlib|\bprint\(|urllib|socket", file.read_text(encoding="utf-8"))
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("shape", "drawn"),
    [("square", "rect"), ("hexagon", "path"), ("pit", "circle"), ("edge", "rect")],
)
def test_a_frame_has_the_shape_of_its_place(shape, drawn):
    assert frame(shape).startswith(f'<{drawn} class="frame"')


def test_there_is_a_margin_for_labels_only_where_there_are_some():
    assert Layout(papan.game("nim").board).left == Layout(papan.game("kalah").board).left == 6
    assert Layout(papan.game("morris").board).left == 26


def test_cards_have_their_names_in_a_corner_and_heaps_as_many_seeds_as_they_say() -> None:
    root = parsed(board_svg(papan.game("nim:piles=1-3").start()))
    texts = [text.text for text in root.iter(f"{SVG}text")]
    assert sorted(texts, key=str) == ["1", "3", "a", "b"]
    assert len(list(root.iter(f"{SVG}circle"))) == 1 + 3


def test_edges_that_belong_to_a_side_are_drawn_in_its_colour() -> None:
    """Along each edge of a board of three rows lie three hexagons, with two corners each."""
    drawn = board_svg(gallery("hex.py:size=3").start())
    ways = re.findall(r'<path class="own ([xo])" d="([^"]+)"', str(drawn))
    assert [(owner, way.count("L")) for owner, way in ways] == [("x", 6)] * 2 + [("o", 5)] * 2
    assert 'class="own' not in board_svg(papan.game("adjacency").start())


def test_a_picture_of_a_won_game_marks_the_row_that_has_won_it():
    position = papan.game("tictactoe").start().play(*["a1", "b1", "a2", "b2", "a3"])
    won = {name for name, marks in squares(board_svg(position)).items() if "won" in marks}
    assert won == {"a1", "a2", "a3"}


def test_each_drawing_that_a_game_can_name_is_there() -> None:
    assert set(DRAWINGS) == {*drawings._PATHS, *drawings._COMPOSED}
    for name in (*DRAWINGS, "letter", "letter-wedge"):
        assert papan.core.board.pieces.Piece("x", picture=name).picture == name
        assert f' d="{drawings._PATHS.get(name, "M")[:1]}' in sample("x", name, "x")
