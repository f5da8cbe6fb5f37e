"""The page of a tree in a real browser: forward and back through the search."""

import functools

import pytest

import papan
from papan.figures.tree.page import steps, tree_page
from papan.tree_figure import tree


@functools.cache
def figure():
    """A small search, which is compiled when it is first asked for."""
    return tree(papan.game("adjacency:size=4").start().play("b3").play("b4"), 3, "alphabeta")


@functools.cache
def shown():
    """Its steps."""
    return steps(figure())


@pytest.fixture
def page(chromium):
    opened = chromium.new_page()
    opened.errors = []
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.set_content(tree_page(figure()))
    yield opened
    assert opened.errors == []
    opened.close()


def said(page):
    return page.locator("output").inner_text()


def words(number):
    """What the page says at a step, counted from 1."""
    return f"{number}/{len(shown())} {' '.join(shown()[number - 1]['text'].split())}"


def test_a_page_opens_with_the_whole_tree(page):
    assert said(page) == words(len(shown()))
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
    assert said(page) == words(len(shown()))


def test_a_value_is_not_shown_before_it_is_known(page):
    page.keyboard.press("Home")
    root = page.locator(".knot").first
    assert "open" in root.get_attribute("class")
    assert not root.locator(".value").is_visible()
    page.keyboard.press("End")
    assert root.locator(".value").is_visible()


def seen(page):
    """The part of the picture that is seen: x, y, width and height in its own units."""
    return [float(number) for number in page.locator("svg").first.get_attribute("viewBox").split()]


def test_the_picture_fits_its_window_with_the_root_in_view(page):
    frame, window = (
        page.locator(".knot").first.bounding_box(),
        page.locator(".sheet").bounding_box(),
    )
    assert window["x"] <= frame["x"] and window["y"] <= frame["y"]
    assert frame["x"] + frame["width"] <= window["x"] + window["width"]
    assert frame["y"] + frame["height"] <= window["y"] + window["height"]


def test_wheel_drag_and_keys_zoom_and_move_it_and_zero_fits_it_again(page):
    fitted = seen(page)
    page.locator(".sheet").hover()
    page.mouse.wheel(0, -200)
    page.wait_for_function(f"document.querySelector('svg').viewBox.baseVal.width < {fitted[2] - 1}")
    nearer = seen(page)
    assert nearer[2] < fitted[2] and nearer[3] < fitted[3]
    page.mouse.down()
    page.mouse.move(300, 200)
    page.mouse.up()
    assert seen(page)[:2] != nearer[:2] and seen(page)[2:] == nearer[2:]
    page.locator(".sheet").focus()
    page.keyboard.press("0")
    assert seen(page) == fitted
    page.keyboard.press("+")
    assert seen(page)[2] < fitted[2]
    before = seen(page)
    page.keyboard.press("Shift+ArrowRight")
    assert seen(page)[0] > before[0]
    assert said(page) == words(len(shown()))  # the picture has moved, not the search
    page.get_by_role("button", name="fit into the window").click()
    assert seen(page) == fitted


@pytest.mark.thorough
def test_two_fingers_zoom(page):
    fitted = seen(page)
    page.evaluate(_PINCH)
    assert seen(page)[2] < fitted[2]


_PINCH = """() => {
  const sheet = document.querySelector(".sheet");
  sheet.setPointerCapture = () => {};
  const finger = (kind, pointerId, clientX) => {
    const how = { pointerId, clientX, clientY: 200, bubbles: true };
    sheet.dispatchEvent(new PointerEvent(kind, how));
  };
  finger("pointerdown", 1, 300);
  finger("pointerdown", 2, 400);
  finger("pointermove", 2, 500);
  finger("pointerup", 1, 300);
  finger("pointerup", 2, 500);
}"""
