"""The command itself: help, version, languages, start-up, warnings."""

import importlib.metadata
import os
import re
import subprocess
import sys
from itertools import combinations

import click
import pexpect
import pytest

from papan.cli.app import COMMANDS, application, chosen_language
from papan.messages import LANGUAGES
from support import PATIENCE

NAMES = list(COMMANDS)


def test_without_any_words_the_help_page_is_shown(papan):
    ran = papan("")
    assert ran.status == 0
    assert ran.out == papan("--help").out


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_page_lists_every_command(papan, language):
    out = papan(f"--lang {language} --help").out
    assert all(f"\n  {name}" in out for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_a_help_page_in_each_language(papan, name):
    pages = {papan(f"{name} --help --lang {language}").out for language in LANGUAGES}
    assert len(pages) == len(LANGUAGES)
    for page in pages:
        assert f"papan {name}" in page
        assert "--lang" in page
        assert "cli." not in page  # the name of a message that the catalogue lacks


@pytest.mark.parametrize("name", ["", *COMMANDS])
def test_h_is_short_for_help(papan, name):
    short, long = papan(f"{name} -h"), papan(f"{name} --help")
    assert short == long
    assert short.status == 0


@pytest.mark.parametrize("name", ["new", "records"])
def test_a_group_without_a_command_shows_its_help_page(papan, name):
    assert papan(name) == papan(f"{name} --help")


def test_the_help_page_is_in_no_other_language(papan):
    page = papan("perft --help --lang id").out
    assert "Cara pakai: papan perft [OPSI] GAME" in page
    assert "Options" not in page
    assert "show this page" not in page


@pytest.mark.parametrize("name", ["", *NAMES, "records list"])
def test_a_help_page_is_as_wide_as_the_terminal(papan, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "60")
    for language in LANGUAGES:
        page = papan(f"{name} --lang {language} --help").out
        lines = [line for line in page.splitlines() if not line.startswith("  papan ")]
        assert max(map(len, lines)) <= 60


def test_options_stand_in_the_same_order_on_every_help_page():
    ranks = {}
    for name, command in application().subcommands().items():
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                ranks.setdefault(parameter.opts[0], {})[name] = command.params.index(parameter)
    shared = {option: places for option, places in ranks.items() if len(places) > 1}
    for one, other in combinations(shared, 2):
        both = shared[one].keys() & shared[other].keys()
        assert len({shared[one][name] < shared[other][name] for name in both}) <= 1, (one, other)


@pytest.mark.thorough
def test_colours_are_for_terminals_without_no_color():
    script = "import sys; from papan.cli import main; sys.exit(main(sys.argv[1:]))"
    for words in (["games"], ["search", "platforms", "--depth", "2"], ["rules", "corners"]):
        for variables, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
            environment = {**os.environ, "TERM": "xterm-256color", "PAPAN_LANG": "en", **variables}
            if not variables:
                environment.pop("NO_COLOR", None)
            command = pexpect.spawn(
                sys.executable, ["-c", script, *words], env=environment, encoding="utf-8"
            )
            command.expect(pexpect.EOF, timeout=PATIENCE)
            colours = re.findall(r"\x1b\[[\d;]*3\d[\d;]*m", command.before)
            assert words[0] != "search" or bool(colours) == coloured
            assert not colours or coloured


def test_the_version_is_that_of_the_package(papan):
    assert papan("--version").out == f"papan {importlib.metadata.version('papan')}\n"


@pytest.mark.parametrize("words", ["--lang id games", "games --lang id", "games --lang=id"])
def test_the_language_can_be_asked_for_before_and_after_the_command(papan, words):
    assert "ukuran papan" in papan(words).out


def test_without_the_option_the_environment_chooses_the_language(papan, monkeypatch):
    assert "edge of the board" in papan("games").out
    monkeypatch.setenv("PAPAN_LANG", "id")
    assert "ukuran papan" in papan("games").out


def test_the_locale_chooses_the_language_where_nothing_else_does(monkeypatch):
    monkeypatch.delenv("PAPAN_LANG")
    monkeypatch.setattr("locale.getlocale", lambda category: ("id_ID", "UTF-8"))
    assert chosen_language(["games"]) == "id"
    assert chosen_language(["games", "--lang", "en"]) == "en"


def imported(words: str) -> set[str]:
    """The packages that a run of `papan` imports."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "papan", *words.split()],
        capture_output=True,
        text=True,
        check=True,
    )
    lines = done.stderr.splitlines()
    return {line.rpartition("|")[2].strip().partition(".")[0] for line in lines if "|" in line}


def test_the_help_page_comes_without_loading_anything_heavy():
    assert imported("--help").isdisjoint({"numba", "numpy", "rich", "sqlalchemy"})


def test_a_search_for_a_program_loads_numba_and_nothing_else_heavy():
    found = imported("search adjacency --depth 2 --algorithm minimax --json")
    assert "numba" in found
    assert found.isdisjoint({"rich", "sqlalchemy"})


def test_a_cache_folder_that_cannot_be_written_is_one_plain_line(process, tmp_path):
    blocker = tmp_path / "file"
    blocker.touch()
    ran = process("perft platforms --depth 2 --json", PAPAN_CACHE_DIR=str(blocker))
    assert ran.status == 0
    assert ran.report["depth"] == 2
    warning = ran.err.splitlines()[0]
    assert warning.startswith("papan: ")
    assert str(blocker) in warning
    assert "warn(" not in ran.err


def test_an_empty_cache_folder_makes_the_command_say_that_it_compiles(process, tmp_path):
    ran = process("perft platforms --depth 3", PAPAN_CACHE_DIR=str(tmp_path))
    assert ran.status == 0
    assert ran.err == "compiling (once) …\n"


def test_a_reader_who_has_gone_is_no_reason_for_a_traceback():
    command = subprocess.Popen(
        [sys.executable, "-m", "papan", "games", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert command.stdout is not None
    assert command.stderr is not None
    command.stdout.close()
    with command.stderr:
        assert command.stderr.read() == ""
    assert command.wait(timeout=PATIENCE) == 1
