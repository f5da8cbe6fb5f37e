"""What the documentation's scripts make of what was measured."""

import json
from hashlib import sha256
from pathlib import Path
from xml.etree import ElementTree

import pytest

from docs import abilities, offline, supply, tables
from docs import help as help_piece
from docs.charts import apart, bar_chart, growth_chart
from docs.gallery import FACTS, FOLDER, PIECE, lines_of, piece
from docs.measures import MADE, MEASURES, measured
from docs.offline import loaded
from docs.pictures import DOCS, PICTURES
from pages import ROOT
from papan.usercode.gallery import gallery
from support import run_python


@pytest.mark.parametrize("name", tables.TABLES)
def test_each_table_on_the_pages_is_made_of_what_was_measured(name: str) -> None:
    assert (MADE / f"{name}.md").read_text(encoding="utf-8") == tables.piece(name)


@pytest.mark.parametrize("name", MEASURES)
def test_what_was_measured_is_kept_with_the_commands_that_the_script_would_run(name: str) -> None:
    assert [each.command for each in measured(name)] == list(MEASURES[name])


def test_all_searches_of_the_tables_have_found_the_same_values() -> None:
    assert measured("algorithms")[0].report["benchmarks"]["algorithms"]["kept"] is True


@pytest.mark.parametrize("name", PICTURES)
def test_each_picture_that_is_drawn_lies_beside_the_pages(name: str) -> None:
    root = ElementTree.parse(DOCS / f"{name}.svg").getroot()
    assert root.tag.endswith("svg")


@pytest.mark.parametrize(
    "name", [name for name in PICTURES if name.startswith(("algorithms/", "learning"))]
)
def test_a_chart_can_be_drawn_again_from_what_is_kept(name: str) -> None:
    assert ElementTree.fromstring(PICTURES[name]()).tag.endswith("svg")


def test_the_gallery_shows_each_game_as_its_file_is_today() -> None:
    kept = json.loads(FACTS.read_text(encoding="utf-8"))
    assert list(kept) == list(gallery())
    assert {name: facts["lines"] for name, facts in kept.items()} == {
        name: lines_of(name) for name in kept
    }
    assert PIECE.read_text(encoding="utf-8") == piece(kept)
    for name in kept:
        assert ElementTree.parse(FOLDER / f"{name}.svg").getroot().tag.endswith("svg")


def test_the_table_of_abilities_is_made_of_what_was_found() -> None:
    kept = json.loads(abilities.KEPT.read_text(encoding="utf-8"))
    assert list(kept) == list(gallery())
    assert abilities.PAGE.read_text(encoding="utf-8") == abilities.table(kept)
    assert abilities.table({"a": {**kept["nim"], "solve": "too long"}}).endswith(
        "- a, solve: too long\n"
    )


@pytest.mark.thorough
def test_what_a_game_can_do_is_found_again() -> None:
    code = "import json; from docs.abilities import found; print(json.dumps(found('nim')))"
    done = run_python(
        f"import sys; sys.path.insert(0, {str(ROOT)!r}); {code}", NUMBA_DISABLE_JIT="1"
    )
    assert json.loads(done.stdout) == json.loads(abilities.KEPT.read_text("utf-8"))["nim"]


def test_the_table_of_games_beside_openspiel_is_made_of_what_was_played() -> None:
    pytest.importorskip("pyspiel", reason="needs papan[openspiel]")
    from openspiel_twins import KEPT, PAGE, page
    from twins import names, twins

    kept = json.loads(KEPT.read_text(encoding="utf-8"))
    assert PAGE.read_text(encoding="utf-8") == page(kept)
    named = {twin.papan.replace(".py", ""): twin.spiel for name in names() for twin in twins(name)}
    assert {name: found["openspiel"] for name, found in kept.items()}.items() <= named.items()
    assert all(found["plies"] > found["games"] > 0 for found in kept.values())


def test_names_that_would_stand_upon_each_other_are_moved_apart() -> None:
    assert apart({"b": 10.0, "a": 0.0, "c": 11.0}) == {"a": 0.0, "b": 15.0, "c": 30.0}


def test_a_chart_names_each_of_its_lines_and_bars() -> None:
    growth = growth_chart("T", "depth", {"one": {1: 10, 2: 100}, "two": {1: 5, 2: 7}})
    bars = bar_chart("T", {"one": 1.0, "two": 2.5})
    for picture in (growth, bars):
        texts = {text.text for text in ElementTree.fromstring(picture).iter() if text.text}
        assert {"one", "two"} <= texts
    assert "2.50" in bars


def test_only_what_a_browser_loads_by_itself_counts_as_loaded_from_the_network() -> None:
    page = (
        '<a href="https://a.org">a</a><img src="b.svg"><link rel="canonical" href="https://c.org">'
    )
    assert loaded(page) == []
    assert loaded('<p><script src="https://d.org/x.js"></script>') == [
        '<script src="https://d.org/x.js">'
    ]
    assert loaded('<link rel="stylesheet" href="//e.org/x.css">') != []


def test_the_page_of_commands_has_the_help_of_each_command_as_it_is_today() -> None:
    text = help_piece.piece()
    assert "### `papan records list`\n\n```text\nUsage: papan records list " in text
    assert "\x1b" not in text
    assert help_piece.PIECE.read_text(encoding="utf-8") == text


def test_every_library_that_is_needed_is_listed_with_its_licence() -> None:
    kept = supply.LICENCES.read_text(encoding="utf-8")
    listed = {line.split("|")[1].strip().lower().replace("_", "-") for line in kept.splitlines()}
    assert supply.required() <= listed
    pinned = {name.lower().replace("_", "-") for name in supply.pinned()}
    assert listed - {"library", "---"} <= pinned
    assert "BSD" in supply.licence("numpy")


def test_the_digests_are_those_of_the_files_that_browsers_get() -> None:
    rows = supply.shipped().splitlines()[2:]
    assert len(rows) == len([path for path in supply.STATIC.iterdir() if path.is_file()])
    assert sha256((supply.STATIC / "papan.js").read_bytes()).hexdigest() in supply.shipped()


def test_a_site_that_asks_a_network_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "index.html"
    page.write_text('<a href="https://example.org">a link</a><img src="a.png">')
    assert offline.main(str(tmp_path)) == 0
    page.write_text('<script src="https://example.org/x.js">')
    assert offline.main(str(tmp_path)) == 1
    assert "index.html loads something from the network" in capsys.readouterr().err
    assert offline.main(str(tmp_path / "nothing")) == 1
