"""A game as an animated picture."""

from xml.etree import ElementTree

import pytest

import papan
from papan.core.game import Position
from papan.figures.board import board_svg
from papan.figures.film import END_SECONDS, PLY_SECONDS, game_film
from papan.usercode.gallery import gallery
from support import SPECS, thoroughly

SVG = "{http://www.w3.org/2000/svg}"


def played(spec: str, plies: int) -> tuple[list[Position], list[str]]:
    """The positions and moves of a game of first moves."""
    positions, moves = [papan.game(spec).start()], list[str]()
    while len(moves) < plies and positions[-1].outcome() is None:
        moves.append(positions[-1].moves()[len(moves) % len(positions[-1].moves())])
        positions.append(positions[-1].play(moves[-1]))
    return positions, moves


def at(film: str, share: float) -> dict[str, str]:
    """What is drawn on each place at a part (0 … 1) of the time, and the words below the board."""
    found: dict[str, str] = {}

    def look(group: ElementTree.Element) -> None:
        timing = group.find(f"{SVG}animate")
        if timing is not None:
            times = map(float, timing.attrib["keyTimes"].split(";"))
            steps = zip(timing.attrib["values"].split(";"), times, strict=True)
            if [value for value, start in steps if start <= share][-1] == "hidden":
                return
        for child in group:
            if "data-square" in child.attrib:
                found[child.attrib["data-square"]] = drawn(child)
            elif child.tag == f"{SVG}text" and "y" in child.attrib:
                found["words"] = child.text or ""
            elif child.tag == f"{SVG}g":
                look(child)

    look(ElementTree.fromstring(film))
    return found


def drawn(group: ElementTree.Element) -> str:
    """A group with all that is on it, without the marks that a still picture lacks."""
    inside = "".join(ElementTree.tostring(child, encoding="unicode") for child in group)
    names = set(group.attrib["class"].split()) - {"last", "was-turned"}
    return inside + " ".join(sorted(names))


@pytest.mark.parametrize("spec", [*SPECS, *thoroughly(*gallery())])
def test_each_board_of_a_game_of_any_kind_is_seen_in_its_turn(spec: str) -> None:
    positions, moves = played(spec, 7)
    film = game_film(positions, moves, title="Ani – Budi", result="the end")
    total = PLY_SECONDS * len(positions) + END_SECONDS
    for ply, position in enumerate(positions):
        shown = at(film, (PLY_SECONDS * ply + PLY_SECONDS / 2) / total)
        words = f"{ply}. {positions[ply - 1].side}: {moves[ply - 1]}" if ply else "Ani – Budi"
        assert shown.pop("words") == words
        still = ElementTree.fromstring(board_svg(position))
        groups = [group for group in still.iter(f"{SVG}g") if "data-square" in group.attrib]
        assert shown == {group.attrib["data-square"]: drawn(group) for group in groups}
    assert at(film, 0.999)["words"] == "the end"


def test_a_film_has_no_script_and_no_markup_from_names_and_rests_on_the_last_board() -> None:
    positions, moves = played("adjacency:size=4,rounds=4", 8)
    film = game_film(positions, moves, title="<b> & co", result="x")
    root = ElementTree.fromstring(film)
    assert "<script" not in film and "<b>" not in film
    hidden = [group for group in root.iter(f"{SVG}g") if group.get("visibility") == "hidden"]
    for group in hidden:
        assert group.find(f"{SVG}animate").attrib["values"].endswith("hidden")  # type: ignore[union-attr]


def test_only_places_that_change_are_drawn_again() -> None:
    positions, moves = played("adjacency", 10)
    film = game_film(positions, moves, title="")
    assert film.count("data-square") < 64 + 10 * 20
