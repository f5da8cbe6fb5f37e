"""The looks of games: materials, colours and shapes."""

import re

import pytest

import papan
from papan.core.board.pieces import LOOKS
from papan.core.game import Game
from papan.errors import UsageError
from papan.figures.board import Style, board_svg
from papan.figures.palette import PALETTE, look_colours, look_of
from papan.figures.theme import THEMES, all_look_rules
from papan.figures.values import values_svg

#: Colours under the pieces, by the way that squares are drawn.
_GROUNDS = {"crossing": ("ground",), "hole": ("square",)}


def luminance(colour: str) -> float:
    """The relative luminance of a colour, as WCAG 2 defines it."""
    parts = [part / 255 for part in bytes.fromhex(colour.removeprefix("#"))]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_a_look_sets_ground_shapes_and_colours_of_a_game():
    start = papan.game("go").start()
    picture = board_svg(start.play("c3", "g7"))
    assert 'class="papan-board look-goban"' in picture
    assert picture.count('class="star"') == 5
    assert picture.count('class="square crossing') == 81
    assert f".look-goban{{--papan-ground:{look_colours('goban', 0)['ground']}" in re.sub(
        r"--papan-(x|o|sign)[^;]*;|--papan-(last|accent|hint):[^;]*;", "", picture
    )
    dark = board_svg(start, style=Style(theme="dark"))
    assert look_colours("goban", 1)["ground"] in dark
    assert look_colours("goban", 1)["ground"] not in picture


def test_chosen_shapes_apply_to_plain_games_only():
    chosen = Style(x_shape="star", o_shape="cross")
    for name, is_plain in (("adjacency", True), ("othello", False)):
        start = papan.game(name).start()
        assert (board_svg(start, style=chosen) != board_svg(start)) == is_plain


@pytest.mark.parametrize(
    ("name", "look"),
    [
        ("adjacency", "plain"),
        ("platforms", "plain"),
        ("chess", "wood"),
        ("hex", "hexes"),
        ("morris", "points"),
        ("kalah", "pits"),
        ("dots_and_boxes", "paper"),
        ("quoridor", "walls"),
    ],
)
def test_by_default_the_look_follows_from_geometry_and_pieces(name, look):
    game = papan.game(name)
    assert game.look == ""
    assert look_of(game) == look


def test_an_unknown_look_and_wrong_names_of_sides_are_refused():
    with pytest.raises(UsageError, match=r"^unknown look 'marble'; expected plain, wood, "):
        type("Marble", (Game,), {"look": "marble"})
    for names in (("White", "White"), ("White",), "xo", ("", "Black")):
        with pytest.raises(UsageError, match=r"^the sides have the names"):
            type("Marble", (Game,), {"side_names": names})


def test_each_look_that_a_game_can_name_is_in_the_table():
    assert set(LOOKS) == set(PALETTE)
    rules = all_look_rules("light")
    assert [look for look in LOOKS if f".look-{look}{{" not in rules] == ["plain"]


@pytest.mark.parametrize("theme", range(3), ids=THEMES)
@pytest.mark.parametrize("look", [look for look in LOOKS if look != "plain"])
def test_pieces_and_marks_contrast_with_the_ground(look, theme):
    """By 3 : 1, the least of WCAG for graphics: the fill of a piece, or else its outline."""
    colours = [*THEMES.values()][theme] | look_colours(look, theme)
    grounds = _GROUNDS.get(PALETTE[look].ground, ("square", "square-alt"))
    grounds = ("square",) if "square-alt" not in PALETTE[look].colours else grounds
    for ground in (colours[name] for name in grounds):
        for side in ("x", "o") if "x" in PALETTE[look].colours else ():
            for under in (ground, colours["last"]):
                assert max(contrast(colours[side + end], under) for end in ("", "-edge")) >= 3
        assert contrast(colours["accent"], ground) >= 3
        assert contrast(colours["hint"], ground) >= 3
    assert contrast(colours["label"], colours["ground"]) >= 4.5
    if "x" in PALETTE[look].colours:
        assert contrast(colours["x"], colours["o"]) >= 1.5


def test_values_films_and_trees_have_the_look_of_their_game():
    from papan.figures.film import game_film

    start = papan.game("tictactoe").start()
    names = [values_svg(start, {}), game_film([start], [], title="Film")]
    assert all('class="papan-board look-paper"' in picture for picture in names)
    assert all(".look-paper{" in picture for picture in names)


def test_the_table_has_no_pictures_of_more_than_three_kilobytes():
    from papan.figures.pieces import _COMPOSED, sample

    assert max(len(sample("x", name)) for name in _COMPOSED) < 3000
