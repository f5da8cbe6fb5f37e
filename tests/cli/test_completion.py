"""What the shell offers when the tab key is pressed."""

import pytest

from papan.cli.completion import joined


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
    assert completed("papan", "rules", "chess", ":") == []
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
    assert joined(pieces) == words
