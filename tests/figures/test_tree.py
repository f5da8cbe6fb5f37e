"""Trees of a search as pictures."""

import dataclasses
import functools
import importlib.util
import json
import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import papan
from papan.errors import PapanError
from papan.figures.board import Style
from papan.figures.tree.draw import columns, rows, tree_dot, tree_svg
from papan.figures.tree.model import TreeFigure, TreeNode, summarise
from papan.figures.tree.page import SCRIPT, steps, tree_page, tree_section
from papan.messages import Messages
from papan.players.genetic.reservation_tree import new_tree, reserve
from papan.players.genetic.trace import reservation_node
from papan.players.registry import player
from papan.search.limits import Limit
from papan.search.trace import trace
from papan.search.trace.record import Pass, Trace
from papan.tree_figure import figure_of, number, number_tree, record_trace, tree
from support import reached, thoroughly

SVG = "{http://www.w3.org/2000/svg}"
DRAW = Path(__file__).parents[2] / "examples" / "trees" / "draw.py"


def bundle(nodes: int) -> str:
    return f"{nodes} nodes"


def texts(picture: str) -> list[str]:
    return [item.text or "" for item in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@functools.cache
def full(name: str, depth: int = 3) -> TreeFigure:
    return tree(reached("adjacency:size=4", 1, 2), depth, name, most=0)


def grown(shape) -> TreeNode:
    """A tree of that shape: a node for each list."""
    return TreeNode(kinds=(), children=[grown(below) for below in shape])


@pytest.mark.parametrize("name", ["alphabeta", *thoroughly("minimax", "memory", "mtdf")])
def test_a_whole_tree_has_a_knot_for_each_node(name):
    position = reached("adjacency:size=4", 1, 2)
    made = trace(position, 3, name)
    figure = figure_of(made, most=0)
    assert sum(node.nodes for _, node in figure.trees) == sum(each.root.size for each in made.last)


GENETIC = "genetic:model=reservation-tree"


def test_a_reservation_tree_shows_chromosomes_leaf_values_minimax_values_and_fitness():
    """The report's examples: a leaf's value kept twice gives 2, four times up to the root 4."""
    start = papan.game("adjacency").start()
    codes = start.codes()[:9]
    lines = [(1, 2, 3, 4), (1, 2, 3, 5), (1, 2, 6, 4), (1, 7, 2, 3), (8, 1, 2, 3)]
    table = np.array([[codes[gene] for gene in line] for line in lines])
    array = new_tree(*table.shape)
    reserve(table, np.array([8, 9, 6, 3, 1]), array, np.empty(len(lines), dtype=np.int64))
    root, nodes = reservation_node(array, start, 4)
    figure = figure_of(Trace(GENETIC, 4, [Pass(4, root, nodes)]), most=0)
    ((_, node),) = figure.trees
    leaves = [leaf for leaf in node.walk() if not leaf.children]
    assert [(leaf.value, leaf.note) for leaf in leaves] == [
        ("8", "fitness 2"),
        ("9", "fitness 0"),
        ("6", "fitness 1"),
        ("3", "fitness 4"),
        ("1", "fitness 3"),
    ]
    assert [child.value for child in node.children] == ["3", "1"]
    assert (node.value, node.children[0].is_best) == ("3", True)
    written = [start.game.write_move(codes[gene]) for gene in lines[3]]
    assert figure.facts[0] == f"{' '.join(written)}: leaf value 3, fitness 4"
    assert figure.facts[2].endswith("leaf value 8, fitness 2")
    assert "fitness 4" in texts(tree_svg(figure))


def test_the_tree_of_a_genetic_search_is_the_player_s():
    start = papan.game("adjacency:size=4").start()
    made = record_trace(start, 4, GENETIC)
    found = player(made.algorithm)
    found.new_game(start.game, 1)
    assert made.result.move == found.choose(start, Limit(depth=4)).move == made.result.pv[0]
    facts = "\n".join(figure_of(made).facts)
    assert f"best move {made.result.move}; 15 chromosomes tried" in facts
    leaves = [node for node in made.last[0].root.walk() if not node.children]
    assert facts.count("fitness") == len(leaves) > 3


@pytest.mark.parametrize(
    ("options", "complaint"),
    [("model=local-search", "model: 'local-search'"), ("depth=0", "depth"), ("x=1", "'x'")],
)
def test_a_genetic_search_without_a_tree_is_refused(options, complaint):
    with pytest.raises(PapanError, match=complaint):
        record_trace(papan.game("adjacency:size=4").start(), 3, f"genetic:{options}")


def test_a_picture_is_as_wide_as_the_lines_above_it():
    figure = TreeFigure("t" * 200, [], [("", TreeNode())])
    assert float(ElementTree.fromstring(tree_svg(figure)).attrib["width"]) > 1500


@pytest.mark.parametrize("most", [1, 5, 12, 30, 60])
@pytest.mark.parametrize("wide", [1, 3, 8])
@pytest.mark.parametrize("name", ["minimax", "alphabeta", *thoroughly("mtdf")])
def test_a_summary_stands_for_every_node_and_keeps_to_its_size(name, most, wide):
    for _, root in full(name).trees:
        short = summarise(root, most, wide, bundle)
        assert short.nodes == root.nodes
        assert sum(1 for _ in short.walk()) <= most
        assert sum(1 for _ in root.walk()) > 60 or name == "mtdf"


def test_a_summary_keeps_the_principal_variation_first():
    (_, root), *_ = full("alphabeta").trees
    short = summarise(root, 25, 3, bundle)
    best = [node.move for node in root.walk() if node.is_best]
    assert [node.move for node in short.walk() if node.is_best] == best
    assert len(best) == 4


def test_a_summary_leaves_the_whole_tree_as_it_is():
    (_, root), *_ = full("minimax").trees
    before = sum(1 for _ in root.walk())
    summarise(root, 10, 2, bundle)
    assert sum(1 for _ in root.walk()) == before


def test_cut_branches_stay_visible_beside_those_that_were_bundled():
    cut = TreeNode(move="a b", kinds=("cut",))
    root = TreeNode(children=[*(TreeNode(entered=n + 1) for n in range(6)), cut])
    short = summarise(root, 20, 2, bundle)
    assert cut in short.children
    assert [node.stands_for for node in short.children if "more" in node.kinds] == [4]


@pytest.mark.thorough
def test_a_bundle_counts_moves_that_nobody_visited_but_no_nodes_for_them():
    figure = tree(papan.game("adjacency:size=5").start(), 6, "mcts:simulations=200", most=20)
    ((_, root),) = figure.trees
    for node in root.walk():
        if node.children:
            moves = sum(child.branches for child in node.children)
            assert moves == len(node.position.moves())
    assert (
        root.nodes == trace(papan.game("adjacency:size=5").start(), 6, "mcts").passes[0].root.size
    )


@pytest.mark.parametrize(
    "shape", [[], [[]], [[], []], [[[], []], [], [[[]], []]], [[[[], [], []]], [[], [[], []]]]]
)
def test_no_two_nodes_of_a_row_touch_and_parents_stand_over_the_middle(shape):
    root = grown(shape)
    place = columns(root)
    assert min(place.values()) == 0
    for row in rows(root):
        across = [place[id(node)] for node in row]
        assert all(right - left >= 1 - 1e-9 for left, right in pairwise(across))
    for node in root.walk():
        if node.children:
            ends = place[id(node.children[0])] + place[id(node.children[-1])]
            assert place[id(node)] == pytest.approx(ends / 2)


def test_values_and_windows_are_those_of_max():
    (_, root), *_ = full("alphabeta").trees
    assert root.row == "max" and root.window == "[−∞, ∞]"
    below = root.children[0]
    assert below.row == "min"
    best = max(
        int(node.value.split()[-1].replace("−", "-")) for node in root.children if node.value
    )
    assert root.value == number(best)


def test_the_other_view_turns_every_value():
    made = trace(papan.game("platforms").start().play("b2"), 3, "minimax")
    own, other = (figure_of(made, most=0, view=side).trees[0][1] for side in "ox")
    for one, two in zip(own.walk(), other.walk(), strict=True):
        assert {one.row, two.row} == {"max", "min"}
        assert one.value.replace("−", "") == two.value.replace("−", "")
        assert one.value == "0" or one.value != two.value


def test_a_cut_says_by_which_rule_and_which_numbers():
    figure = number_tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]], "alphabeta")
    (cut,) = [node for node in figure.trees[0][1].walk() if "cut" in node.kinds]
    assert (cut.move, cut.note) == ("4 6", "α-cut: 2 ≤ 3")
    figure = number_tree([[[5, 2], [9, 1]], [[1]]], "alphabeta")
    (cut,) = [node for node in figure.trees[0][1].walk() if cut and "cut" in node.kinds]
    assert (cut.move, cut.note) == ("1", "β-cut: 9 ≥ 5")


def test_a_picture_is_sound_and_shows_rows_values_cuts_and_table_hits():
    picture = tree_svg(tree(reached("adjacency:size=4", 1, 2), 4, "mtdf", most=0))
    said = texts(picture)
    assert {"MAX", "MIN", "from the table"} <= set(said)
    assert any(text.startswith("β-cut: ") for text in said)
    assert any(text.startswith("α-cut: ") for text in said)
    assert any(text.startswith("Pass 2: ") for text in said)


def test_a_picture_shows_what_it_leaves_out():
    said = texts(tree_svg(tree(papan.game("adjacency:size=5").start(), 3, "minimax", most=20)))
    assert any(re.fullmatch(r"\+\d+ ⋯", text) for text in said)
    assert any("nodes are drawn" in text for text in said)


def test_repetitions_and_finished_games_are_told():
    over = papan.game("platforms").position("000/010/000 x a3 c1")
    said = texts(tree_svg(tree(over, 2, "minimax")))
    assert "game over" in said


def test_a_tree_without_its_style_sheet_fits_into_a_page():
    picture = tree_svg(full("alphabeta", 2), style=Style(standalone=False))
    assert "<style" not in picture and 'style="' not in picture


def test_a_page_tells_every_step_in_order_with_words():
    figure = full("alphabeta", 2)
    told = steps(figure)
    assert [each["step"] for each in told] == list(range(1, len(told) + 1))
    assert all(each["text"] for each in told)
    assert "window" in told[0]["text"] and "value" in told[-1]["text"]


def test_a_page_is_one_file_and_no_word_can_end_its_script():
    figure = number_tree([1, 2], title="</script><script>alert(1)</script>")
    figure.trees[0][1].step_texts = ("</script>", "</script>")
    page = tree_page(figure)
    assert page.count("</script>") == 2
    assert page.count("<script") == 2
    assert json.loads(re.search(r'application/json">(.*?)</script>', page).group(1))[0]["text"]
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "")


def test_a_section_has_nothing_that_a_strict_policy_refuses():
    section = tree_section(full("alphabeta", 2))
    assert "<style" not in section and 'style="' not in section
    assert not re.search(r"\son[a-z]+=", section)
    assert re.findall(r"<script[^>]*>", section) == ['<script type="application/json">']
    assert section in tree_page(full("alphabeta", 2))


def test_the_script_is_sound():
    if shutil.which("node") is None:
        pytest.skip("there is no Node.js")
    done = subprocess.run(
        ["node", "--check", "-"], input=SCRIPT, text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_dot_has_a_node_and_an_edge_for_each_knot_and_escapes_words():
    figure = dataclasses.replace(full("alphabeta", 2), title='a "quoted" \\ title')
    text = tree_dot(figure)
    count = sum(1 for _ in figure.trees[0][1].walk())
    assert len(re.findall(r"^    n0\S* \[", text, re.M)) == count
    assert text.count(" -> ") == count - 1
    assert 'a \\"quoted\\" \\\\ title' in text


def test_trees_show_themselves_in_notebooks():
    figure = papan.tree(papan.game("platforms").start(), depth=2)
    assert figure._repr_svg_().startswith("<svg")
    frame = figure._repr_html_()
    assert frame.startswith("<iframe") and frame.endswith("</iframe>")
    assert "sandbox" in frame


def test_a_figure_speaks_indonesian_too():
    figure = tree(papan.game("platforms").start(), 2, say=Messages("id"))
    assert "kedalaman 2" in figure.title
    assert "langkah terbaik" in figure.facts[1]


def test_errors_of_the_search_come_through():
    with pytest.raises(PapanError):
        papan.tree(papan.game("platforms").start(), 2, "nonsense")


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("draw_trees", DRAW)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_first_figure_begins_with_the_papers_leaves_and_is_worth_6(example):
    (_, root) = example.first_figure().trees[0]
    leaves = [node.value for node in root.walk() if not node.children]
    assert leaves[:4] == ["5", "2", "1", "3"]
    assert root.value == "6"


def test_the_platforms_figure_has_the_papers_values_by_level(example):
    figure = example.platforms_figure()
    levels = rows(figure.trees[0][1])
    for level, row in enumerate(levels):
        won = 1000 - level
        ends = {node.value for node in row if "over" in node.kinds}
        assert ends <= {str(won) if level % 2 == 0 else f"−{won}"}
    values = {node.value for row in levels for node in row}
    assert {"−997", "998"} <= values
    assert len(levels) == 5


@pytest.mark.thorough
def test_the_pictures_of_the_documentation_are_those_that_the_command_draws(example, tmp_path):
    example.main(tmp_path)
    kept = {file.name: file.read_text("utf-8") for file in example.FOLDER.iterdir()}
    assert kept == {file.name: file.read_text("utf-8") for file in tmp_path.iterdir()}
