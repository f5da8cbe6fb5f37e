"""The pages beside the game say everything in words, in both languages."""

import re

import pytest

from web_visitors import Visitor

PAGES = [
    "/analysis",
    "/analysis?game=platforms:level=3&tool=2&moves=b2+b1",
    "/analysis?game=corners&position=zzz",
    "/records",
    "/records?result=x",
    "/tournament",
    "/tournament?game=platforms",
    "/teach?game=platforms&depth=1",
    "/teach?numbers=[1,2]",
    "/api",
]


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", "id"])
def test_no_page_shows_the_name_of_a_message(ani: Visitor, path: str, language: str) -> None:
    answer = ani.get(path, **{"accept-language": language})
    assert answer.status_code == 200
    assert f'<html lang="{language}"' in answer.text
    shown = re.sub(r"<[^>]*>", " ", answer.text)
    assert not re.findall(r"\b(?:web|records|tree|option|fact|tournament)\.[a-z-]+", shown)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_no_style_and_no_script_inside_that_the_browser_would_refuse(
    ani: Visitor, path: str
) -> None:
    page = ani.get(path).text
    assert not re.findall(r"<style| style=| on[a-z]+=", page)
    assert all(
        'src="' in tag or "application/json" in tag for tag in re.findall("<script[^>]*>", page)
    )
