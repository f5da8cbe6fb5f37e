"""Values of moves drawn on the board: on their places, by a sign, a distance and a colour."""

import re
import xml.etree.ElementTree as ET

import papan
from papan.figures.theme import LIGHT, value_rules
from papan.figures.values import proven_value, values_svg
from support import GALLERY

PLATFORMS = {"b3": -994, "a2": None, "b2": 993}


def drawn(spec: str, values: dict[str, int | None]) -> dict[str, list[str]]:
    """Each value of the picture, by its place: class names and text."""
    root = ET.fromstring(values_svg(papan.game(spec).start(), values))
    boxes = [item for item in root.iter() if "data-place" in item.attrib]
    return {item.attrib["data-place"]: [item.attrib["class"], str(item[1].text)] for item in boxes}


def test_each_value_stands_on_its_place_with_sign_distance_and_shade() -> None:
    assert drawn("platforms", PLATFORMS) == {
        "b3": ["worth proven loss shade-2", "✗6"],
        "a2": ["worth unknown estimate", "?"],
        "b2": ["worth best proven win shade-2", "✓7"],
    }


def test_no_move_is_called_the_best_while_an_unknown_one_may_be_better() -> None:
    found = drawn("platforms", {"b3": -994, "a2": None, "b2": None})
    assert not any("best" in names for names, _ in found.values())


def test_margins_and_draws_have_signs_of_their_own() -> None:
    texts = [proven_value(value, None).text for value in (3, 0, -2.5)]
    assert texts == ["+3", "=", "−2.5"]


def test_a_move_that_names_a_column_has_its_value_where_the_piece_comes_to_lie() -> None:
    game = papan.game(f"{GALLERY}/connect_four.py")
    values: dict[str, int | None] = dict.fromkeys(game.start().moves())
    assert set(drawn(game.spec, values)) == {f"{column}1" for column in "abcdefg"}


def test_a_nearer_end_is_fuller() -> None:
    shades = [proven_value(1, plies).shade for plies in (1, 5, 9, 100)]
    opacity = [
        float(re.findall(rf"shade-{n} rect{{fill-opacity:([.0-9]+)", value_rules())[0])
        for n in shades
    ]
    assert opacity == sorted(set(opacity), reverse=True)


def test_its_colours_are_properties_of_every_theme() -> None:
    used = set(re.findall(r"var\(--papan-([a-z0-9-]+), #[0-9a-f]{6}\)", value_rules()))
    assert "$" not in value_rules()
    assert {"value-win", "value-draw", "value-loss"} <= used <= set(LIGHT)
