"""Preferences, templates and texts."""

import gzip
import re
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from papan.figures.pieces import sample
from papan.messages import catalogue
from papan.usercode.gallery import gallery
from papan.web.http import preferences
from papan.web.http.allowed import Allowed
from papan.web.http.preferences import Preferences
from support import SOURCES
from web_visitors import Visitor

TEMPLATES = sorted((SOURCES / "web").rglob("*.html"))


@pytest.mark.parametrize("file", TEMPLATES, ids=lambda file: file.name)
def test_every_message_of_a_template_is_in_the_catalogue(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    names = re.findall(r"say\('([a-z.-]+)'[),]", text)
    starts = re.findall(r"say\('([a-z.-]+)' \+", text)
    assert [name for name in names if name not in catalogue()] == []
    assert [
        start for start in starts if not any(name.startswith(start) for name in catalogue())
    ] == []


def test_a_cookie_gives_back_what_was_chosen() -> None:
    chosen = Preferences(language="id", theme="dark", x_colour="gold", o_shape="star", sound="off")
    assert preferences.read_preferences(chosen.to_cookie(), "en", "en") == chosen


@pytest.mark.parametrize("cookie", ["", "theme=<script>", "x" * 10_000, "%00=%ff", "theme", "&&=&"])
def test_nonsense_in_a_cookie_changes_nothing(cookie: str) -> None:
    assert preferences.read_preferences(cookie, "", "en") == Preferences()


def test_two_sides_never_look_the_same() -> None:
    wanted = preferences.preferences_of({"x_colour": "blue", "o_colour": "blue"}, "en")
    assert wanted.x_colour != wanted.o_colour
    wanted = preferences.preferences_of({"x_shape": "ring", "o_shape": "ring"}, "en")
    assert wanted.x_shape != wanted.o_shape


@pytest.mark.parametrize(
    ("accepted", "expected"),
    [("id-ID,id;q=0.9", "id"), ("de,id;q=0.5", "id"), ("fr", "en"), ("", "en"), (",;,", "en")],
)
def test_the_language_is_the_browser_s(accepted: str, expected: str) -> None:
    assert preferences.choose_language(accepted, "en") == expected


def test_pages_speak_the_language_that_was_chosen(ani: Visitor) -> None:
    answer = ani.post("/options", only="language", language="id", back="/about")
    assert answer.headers["location"] == "/about"
    assert "Tentang Papan" in ani.get("/about").text
    assert 'lang="id"' in ani.get("/").text


def test_options_are_in_the_page_at_once(ani: Visitor) -> None:
    ani.post("/options", theme="contrast", x_shape="star", coordinates="off")
    page = ani.get("/options").text
    assert 'data-theme="contrast"' in page


def test_the_form_for_a_new_game_starts_with_the_chosen_board_and_durability(ani: Visitor) -> None:
    ani.post("/options", platforms_size="4", platforms_level="2")
    form = ani.get("/new/solo?game=platforms").text
    assert {"option.size": "4", "option.level": "2"}.items() <= checked(form).items()
    assert checked(ani.get("/options").text)["platforms_size"] == "4"
    named = checked(ani.get("/new/solo?game=platforms&option.size=5").text)
    assert (named["option.size"], named["option.level"]) == ("5", "2")
    assert checked(ani.get("/new/solo?game=adjacency").text)["option.size"] == "8"


def checked(page: str) -> dict[str, str]:
    """The values of the radio buttons that are on."""
    return dict(re.findall(r'<input type="radio" name="([\w.]+)" value="([^"]*)" checked', page))


def test_options_of_platforms_are_those_of_the_game(server: TestClient) -> None:
    for option in Visitor(server).service(Allowed).options("platforms"):
        choices = preferences.CHOICES.get(f"platforms_{option.name}", option.choices)
        assert choices == option.choices
        assert (
            Preferences().options_of("platforms").get(option.name, option.default) == option.default
        )


def test_about_names_the_sources_and_their_authors(ani: Visitor) -> None:
    for language, word in (("en", "Sources"), ("id", "Sumber")):
        ani.post("/options", only="language", language=language)
        page = ani.get("/about").text
        for text in (word, "Permainan Papan Strategi", "Hong, Huang &amp; Lin", "Breuker", "Plaat"):
            assert text in page


@pytest.mark.parametrize("back", ["//evil.example", "/\\evil.example", "http://evil.example", ""])
def test_nobody_is_led_to_another_site(ani: Visitor, back: str) -> None:
    place = ani.post("/options", only="language", language="en", back=back).headers["location"]
    assert place in ("/", "/options")


@pytest.mark.parametrize(
    ("back", "place"),
    [
        ("/€", "/%E2%82%AC"),
        ("/records?player=é&page=2", "/records?player=%C3%A9&page=2"),
        ("/a%20b?c=%2F", "/a%20b?c=%2F"),
        ("//[", "/"),
        ("/\t/[", "/"),
        ("/x\r\nSet-Cookie: a=b", "/xSet-Cookie:%20a=b"),
        ("/\x00", "/%00"),
        ("/😀#part", "/%F0%9F%98%80"),
    ],
)
def test_whatever_page_is_named_to_come_back_to_there_is_an_answer(
    ani: Visitor, back: str, place: str
) -> None:
    answer = ani.post("/options", only="language", language="en", back=back)
    assert (answer.status_code, answer.headers.get("location")) == (303, place)


def test_the_first_page_is_small(ani: Visitor) -> None:
    page = ani.get("/").text
    files = re.findall(r'(?:href|src)="(/static/[^"]+)"', page)
    pictures = re.findall(r'src="(/board.svg[^"]+)"', page)
    assert len(pictures) > len(gallery())
    sent = [page.encode(), *(ani.get(unescape(file)).content for file in (*files, *pictures))]
    assert sum(len(gzip.compress(content, 4)) for content in sent) < 100_000


def test_pages_work_below_a_prefix(settings) -> None:  # type: ignore[no-untyped-def]  # a fixture
    from starlette.testclient import TestClient

    from papan.web.app import create_app

    with TestClient(
        create_app(settings), base_url="http://127.0.0.1:8000", root_path="/papan"
    ) as client:
        page = client.get("/papan/").text
        assert 'href="/papan/new/solo?game=hex"' in page
        assert 'action="/papan/new/solo"' in page
        assert client.get("/papan/new/solo").status_code == 200


def test_pages_name_the_sides_as_the_game_does_and_draw_its_look(ani: Visitor) -> None:
    setup = ani.get("/new/shared?game=othello").text
    assert "</svg>Black</span>" in setup and "</svg>White</span>" in setup
    assert "Red (x)" not in setup and "Red (x)" in ani.get("/new/shared?game=corners").text
    page = ani.get(ani.begin("shared", game="othello")).text
    assert 'class="about">Black<' in page
    assert 'class="papan-board look-felt"' in page
    assert 'class="papan-board papan-piece look-felt"' in page
    ani.post("/options", language="id")
    assert "Hitam: d5, e4. Putih: e5, d4." in ani.get("/analysis?game=othello").text


def test_chosen_colours_and_shapes_stay_with_plain_games(ani: Visitor) -> None:
    ani.post("/options", x_colour="gold", x_shape="star")
    plain, felt = (ani.get(f"/new/shared?game={name}").text for name in ("corners", "othello"))
    assert "Gold (x)" in plain and sample("x", "star") in plain
    assert "Gold" not in felt and sample("x", "disc", look="felt") in felt
