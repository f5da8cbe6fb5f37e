"""The page of a tree in a real browser: forward and back through the search."""

import pytest

import papan
from papan.figures.tree.page import steps, tree_page
from papan.tree_figure import tree

FIGURE = tree(papan.game("adjacency:size=4").start().play("b3").play("b4"), 3, "alphabeta")
STEPS = steps(FIGURE)


@pytest.fixture
def page(chromium):
    opened = chromium.new_page()
    opened.errors = []
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.set_content(tree_page(FIGURE))
    yield opened
    assert opened.errors == []
    opened.close()


def said(page):
    return page.locator("output").inner_text()


def words(number):
    """What the page says at a step, counted from 1."""
    return f"{number}/{len(STEPS)} {' '.join(STEPS[number - 1]['text'].split())}"


def test_a_page_opens_with_the_whole_tree(page):
    assert said(page) == words(len(STEPS))
    assert page.locator(".later").count() == 0
    assert page.locator(".open").count() == 0


def test_at_the_first_step_there_is_nothing_but_the_root(page):
    page.keyboard.press("Home")
    assert said(page) == words(1)
    assert page.locator(".knot[data-entered]:not(.later)").count() == 1
    assert page.get_by_role("button", name="one step back").is_disabled()


def test_arrow_keys_buttons_and_the_slider_go_forward_and_back(page):
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert said(page) == words(3)
    page.get_by_role("button", name="one step back").click()
    assert said(page) == words(2)
    page.get_by_role("button", name="one step forward").click()
    assert said(page) == words(3)
    page.locator("input").fill("9")
    assert said(page) == words(10)
    page.get_by_role("button", name="to the end").click()
    assert said(page) == words(len(STEPS))


def test_a_value_is_not_shown_before_it_is_known(page):
    page.keyboard.press("Home")
    root = page.locator(".knot").first
    assert "open" in root.get_attribute("class")
    assert not root.locator(".value").is_visible()
    page.keyboard.press("End")
    assert root.locator(".value").is_visible()
