"""`papan rules GAME`."""

import pytest

from papan.cli.games import rules_text
from papan.games.platforms import Platforms
from papan.messages import LANGUAGES
from papan.usercode import registry


@pytest.mark.parametrize("name", registry.names())
def test_every_game_has_rules_in_each_language(papan, name):
    texts = {papan(f"rules {name} --lang {language}").out for language in LANGUAGES}
    assert len(texts) == len(LANGUAGES)
    for text in texts:
        assert f"papan play {name}" in text
        assert registry.game(name).start().moves()[0][0] in text


@pytest.mark.parametrize("name", registry.names())
def test_rules_show_the_start_position_as_it_is_read(papan, name):
    line = str(registry.game(name).start())
    for language in LANGUAGES:
        assert line in papan(f"rules {name} --lang {language}").out


def test_the_report_holds_the_markdown(papan):
    report = papan("rules platforms:level=2 --json --lang id").report
    assert report["game"] == "platforms:level=2"
    assert report["language"] == "id"
    assert report["rules"].startswith("# Platforms")


def test_a_game_without_a_rules_file_speaks_for_itself():
    class Ladders(Platforms):
        """Climb and fall."""

    assert rules_text(Ladders(), "id") == "Climb and fall."
