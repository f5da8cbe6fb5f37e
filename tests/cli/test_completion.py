"""What the shell offers when the tab key is pressed."""

import os
import shutil
import sys
from pathlib import Path

import pexpect
import pytest

from papan.cli.completion import PLACES, join_pieces
from support import PATIENCE


@pytest.fixture
def completed(papan, monkeypatch):
    """What bash is told for these pieces of a command line, the last one being typed."""

    def complete(*pieces):
        monkeypatch.setenv("_PAPAN_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", "\n".join(pieces))
        monkeypatch.setenv("COMP_CWORD", str(len(pieces) - 1))
        ran = papan("")
        assert (ran.status, ran.err) == (0, "")
        return [line.partition(",")[2] for line in ran.out.splitlines() if line]

    return complete


def test_commands_are_completed(completed):
    assert completed("papan", "pe") == ["perft"]


def test_options_are_completed(completed):
    assert completed("papan", "search", "corners", "--algo") == ["--algorithm"]


def test_games_are_completed(completed):
    assert {"adjacency", "corners", "platforms"} <= set(completed("papan", "rules", ""))


def test_options_of_a_game_are_completed_though_bash_breaks_the_word_at_the_colon(completed):
    assert completed("papan", "play", "adjacency", ":") == ["size=", "rounds=", "first="]
    assert completed("papan", "play", "adjacency", ":", "ro") == ["rounds="]


def test_values_of_an_option_are_completed_after_its_equals_sign(completed):
    assert completed("papan", "play", "platforms", ":", "first", "=") == ["x", "o"]


def test_a_second_option_is_completed_after_a_comma(completed):
    pieces = ("papan", "play", "platforms", ":", "size", "=", "4,le")
    assert completed(*pieces) == ["4,level="]


def test_nothing_is_offered_for_a_game_or_an_option_that_does_not_exist(completed):
    assert completed("papan", "rules", "backgammon", ":") == []
    assert completed("papan", "rules", "platforms", ":", "colour", "=") == []


def test_people_and_programs_are_offered_for_a_seat(completed):
    offered = completed("papan", "play", "corners", "")
    assert {"human", "minimax", "random"} <= set(offered)


def test_a_person_is_not_offered_for_a_match(completed):
    offered = completed("papan", "match", "corners", "")
    assert "minimax" in offered
    assert "human" not in offered


def test_options_of_a_player_are_completed(completed):
    assert "depth=" in completed("papan", "match", "corners", "minimax", ":")


def test_algorithms_evaluations_and_languages_are_completed(completed):
    assert "alphabeta" in completed("papan", "search", "corners", "--algorithm", "alpha")
    assert "pieces" in completed("papan", "search", "adjacency", "--evaluation", "p")
    assert completed("papan", "--lang", "") == ["en", "id"]


def test_a_script_for_bash_can_be_had(papan, monkeypatch):
    monkeypatch.setenv("_PAPAN_COMPLETE", "bash_source")
    assert "-F _papan_completion papan" in papan("").out


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["papan", "play", ""], ["papan", "play", ""]),
        (["a", ":", "b", "=", "c", "d"], ["a:b=c", "d"]),
        (["--lang", "=", "id"], ["--lang=id"]),
        (["a", ":"], ["a:"]),
    ],
)
def test_the_pieces_that_bash_breaks_a_word_into_are_joined(pieces, words):
    assert join_pieces(pieces) == words


def test_each_command_option_game_and_player_is_described(completed, monkeypatch, papan):
    monkeypatch.setenv("_PAPAN_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_CWORD", "1")

    def offered(words):
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(len(words.split()) - 1))
        rows = papan("").out.splitlines()
        return dict(zip(rows[1::3], rows[2::3], strict=True))

    assert offered("papan pe")["perft"].startswith("Count the leaves")
    assert offered("papan perft --di")["--divide"] == "count below each move"
    assert "piece" in offered("papan rules adj")["adjacency"]
    assert len(offered("papan match corners minima")["minimax"]) > 10


def test_files_are_offered_for_positions_openings_and_games_of_one_s_own(papan, monkeypatch):
    monkeypatch.setenv("_PAPAN_COMPLETE", "bash_complete")

    def offered(*words):
        monkeypatch.setenv("COMP_WORDS", "\n".join(words))
        monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
        return papan("").out.strip().partition(",")[0]

    assert offered("papan", "search", "corners", "--position", "") == "file"
    assert offered("papan", "match", "corners", "first", "first", "--openings", "ev") == "file"
    assert offered("papan", "play", "./my") == "file"
    assert offered("papan", "reproduce", "--out", "") == "dir"


def test_choices_are_completed(completed):
    assert completed("papan", "tree", "corners", "--theme", "") == ["light", "dark", "contrast"]
    assert completed("papan", "tournament", "--format", "r") == ["round-robin"]
    assert completed("papan", "records", "list", "--result", "d") == ["draw"]


def test_the_commands_of_a_group_are_completed(completed):
    assert completed("papan", "records", "ex") == ["export"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_installing_puts_one_line_into_the_shell_s_file(papan, monkeypatch, tmp_path, shell):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("SHELL", f"/usr/bin/{shell}")
    assert f"_PAPAN_COMPLETE={shell}_complete" in papan("--show-completion").out.replace(
        "(_PAPAN", "_PAPAN"
    )
    file = tmp_path / PLACES[shell][0]
    for _ in range(2):
        ran = papan("--install-completion")
        assert ran.status == 0
        assert str(file) in ran.err
    assert file.read_text() == f"{PLACES[shell][1]}\n"


def test_a_shell_without_completion_is_named(papan, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    assert "'tcsh'" in papan("--install-completion").complaint
    assert "bash, zsh, fish" in papan("--show-completion").complaint


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_bash_completes_at_the_tab_key(tmp_path):
    environment = {
        **os.environ,
        "HOME": str(tmp_path),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PS1": "ready> ",
        "TERM": "dumb",
        "PAPAN_LANG": "en",
    }
    (tmp_path / "start.txt").write_text("")
    (tmp_path / "rc").write_text(f"{PLACES['bash'][1]}\nPS1='ready> '\n")
    shell = pexpect.spawn(
        "bash",
        ["--noprofile", "--rcfile", str(tmp_path / "rc"), "-i"],
        cwd=str(tmp_path),
        env=environment,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    shell.expect_exact("ready> ")
    for typed, completed in {
        "papan sea": "rch ",
        "papan rules adj": "acency",
        "papan rules adjacency:ro": "unds=",
        "papan match platforms:first=x,le": "vel=",
        "papan search corners --algorithm alphab": "eta",
        "papan search corners --position st": "art.txt ",
    }.items():
        shell.send(f"{typed}\t")
        shell.expect_exact(f"{typed}{completed}")
        shell.sendcontrol("u")  # not Ctrl-C, which does nothing below nohup
    shell.close(force=True)
