"""`papan tree GAME`."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from papan.search.registry import names
from support import thoroughly

SVG = "{http://www.w3.org/2000/svg}"


def knots(picture):
    """The class names of each node that is drawn."""
    root = ElementTree.fromstring(picture)
    names = [group.attrib.get("class", "").split() for group in root.iter(f"{SVG}g")]
    return [set(each) for each in names if "knot" in each]


def test_without_more_it_draws_alphabeta_three_plies_deep_as_svg(papan):
    ran = papan("tree adjacency:size=4")
    assert ran.status == 0
    assert "alphabeta, depth 3" in ran.out
    assert any("cut" in names for names in knots(ran.out))


@pytest.mark.parametrize("algorithm", names())
@pytest.mark.parametrize("game", ["adjacency:size=4", *thoroughly("platforms", "corners")])
def test_every_algorithm_draws_every_game(papan, game, algorithm):
    ran = papan(f"tree {game} --depth 2 --algorithm {algorithm} --most 12")
    assert ran.status == 0
    assert sum(not {"cut", "more"} & names for names in knots(ran.out)) > 3


def test_json_has_what_the_search_found_and_the_tree(papan):
    searched = papan("search platforms --depth 4 --algorithm alphabeta --json").report
    report = papan("tree platforms --depth 4 --json").report
    for key in ("game", "position", "move", "score", "bound", "depth", "nodes", "pv", "proven"):
        assert report[key] == searched[key]
    (only,) = report["passes"]
    assert only["nodes"] == searched["nodes"]
    assert [child["move"] for child in only["tree"]["children"]] == ["b3", "a2", "b2"]


def test_the_number_of_nodes_that_are_not_drawn_is_told(papan):
    few = papan("tree platforms --depth 4 --algorithm minimax --most 10").out
    assert re.search(r"\d+ of 130 nodes are drawn", few)
    every = papan("tree platforms --depth 4 --algorithm minimax --most 0").out
    assert "nodes are drawn" not in every
    assert len(knots(every)) == 130


def test_the_format_is_that_of_the_file(papan, tmp_path):
    for name, start in (("a.svg", "<svg"), ("a.dot", "digraph"), ("a.html", "<!doctype html>")):
        file = tmp_path / name
        ran = papan(f"tree platforms --depth 2 --out {file}")
        assert (ran.status, ran.out) == (0, "")
        assert str(file) in ran.err
        assert file.read_text("utf-8").startswith(start)
    file = tmp_path / "a.json"
    papan(f"tree platforms --depth 2 -o {file}")
    assert json.loads(file.read_text("utf-8"))["depth"] == 2


def test_a_page_loads_nothing_and_has_a_step_for_each_node(papan):
    page = papan("tree platforms --depth 2 --algorithm minimax --format html").out
    assert not re.search(r'(src|href)="|url\(|@import', page)
    told = json.loads(re.search(r'application/json">(.*?)</script>', page).group(1))
    entered = {int(step) for step in re.findall(r'class="knot[^"]*" data-entered="(\d+)"', page)}
    assert entered <= {each["step"] for each in told}
    assert [each["step"] for each in told] == sorted(each["step"] for each in told)


def test_max_may_be_the_other_side(papan):
    own = papan("tree platforms --depth 1").out
    other = papan("tree platforms --depth 1 --max o").out
    assert own.index(">MAX<") > 0 and ">MIN<" not in own
    assert other.index(">MIN<") > 0 and ">MAX<" not in other


def test_the_picture_speaks_the_language_of_the_reader(papan):
    assert "langkah terbaik" in papan("tree platforms --lang id").out
    page = papan("tree platforms --lang id --format html").out
    assert 'lang="id"' in page and "mundur satu langkah" in page


def test_a_theme_can_be_chosen(papan):
    assert "papan-dark" in papan("tree platforms --depth 1 --theme dark").out


@pytest.mark.parametrize(
    ("words", "offender"),
    [
        ("tree shogi", "shogi"),
        ("tree platforms --depth none", "none"),
        ("tree platforms --depth 0", "0"),
        ("tree platforms --algorithm nonsense", "nonsense"),
        ("tree platforms --format png", "png"),
        ("tree platforms --most -1", "-1"),
        ("tree platforms --max y", "y"),
        ("tree platforms --theme pink", "pink"),
        ("tree platforms --moves z9", "z9"),
        ("tree platforms --out /nowhere/at/all.svg", "/nowhere/at/all.svg"),
        ("tree platforms --evaluation nothing", "nothing"),
    ],
)
def test_a_wrong_word_is_named(papan, words, offender):
    assert offender in papan(words).complaint


def test_a_tree_that_is_too_large_is_refused_with_advice(papan):
    ran = papan("tree adjacency --depth 4 --algorithm minimax")
    assert (ran.status, ran.out) == (2, "")
    *_, complaint = ran.err.splitlines()  # after a word to those who wait
    assert complaint.startswith("papan: ") and "lower depth" in complaint


DOCS = (Path(__file__).parents[2] / "docs" / "trees.md").read_text("utf-8")


@pytest.mark.parametrize("words", re.findall(r"^    papan (tree .*)$", DOCS, re.M))
def test_the_commands_of_the_documentation_run(papan, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ran = papan(words)
    assert ran.status == 0
    assert ran.out or list(tmp_path.iterdir())


def test_the_code_of_the_documentation_runs():
    (code,) = re.findall(r"```python\n(.*?)```", DOCS, re.S)
    names = {}
    exec(code, names)
    assert names["figure"].trees[0][1].children
