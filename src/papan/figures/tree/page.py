"""A page for a tree, with steps forward and back through the search.

With JavaScript the picture is fitted to the window with the root in view; wheel, drag, pinch and
keys zoom and move it. Without JavaScript the page scrolls.
"""

from __future__ import annotations

import json
from typing import Any

from papan.figures.board import Style
from papan.figures.svg import Markup, element
from papan.figures.theme import filled_in, look_rules, theme_rules, tree_rules
from papan.figures.tree.draw import look_of_figure, tree_svg
from papan.figures.tree.model import TreeFigure

#: Style sheet of the steps, for any page that shows them.
STEP_RULES = filled_in("""
.papan-steps{display:flex;flex-direction:column;background:$paper;color:$ink;font-family:$FONT}
.papan-steps *{box-sizing:border-box}
.papan-steps .sheet{flex:1;min-height:0;overflow:auto}
.papan-steps .sheet.moving{overflow:hidden;touch-action:none;cursor:grab;height:70vh}
.papan-steps .sheet.moving:active{cursor:grabbing}
.papan-steps .sheet.moving svg{display:block;width:100%;height:100%;max-width:none}
.papan-steps :focus-visible{outline:3px solid $accent;outline-offset:2px}
.papan-steps .controls{border-top:1px solid $rule;padding:10px 20px;display:flex;gap:10px;
 align-items:center;flex-wrap:wrap}
.papan-steps button{min-width:44px;min-height:44px;border:1px solid $faint;border-radius:8px;
 font:inherit;background:$paper;color:$ink;cursor:pointer}
.papan-steps button:disabled{opacity:.4;cursor:default}
.papan-steps input{flex:1;min-width:120px;accent-color:$accent}
.papan-steps output{flex-basis:100%;min-height:1.4em}
""").strip()

_PAGE_RULES = "body{margin:0;font-size:16px;line-height:1.4}.papan-steps{height:100vh}"

#: Shows the tree after a step, fitted to the window. Every node and edge has the steps at which it
#: was entered and left. A page with a strict content security policy serves the script as a file,
#: as a module or deferred.
SCRIPT = """
"use strict";
const place = document.querySelector(".papan-steps");
const steps = JSON.parse(place.querySelector("script").textContent);
const parts = [...place.querySelectorAll("[data-entered]")].map((part) => ({
  part, entered: Number(part.dataset.entered), left: Number(part.dataset.left),
}));
const [first, back, on, last, larger, smaller, whole] = place.querySelectorAll("button");
const slider = place.querySelector("input"), output = place.querySelector("output");
let at = steps.length - 1;

function show(wanted, follow = true) {
  at = Math.min(Math.max(wanted, 0), steps.length - 1);
  const step = steps[at].step;
  place.querySelector("svg").classList.toggle("running", at < steps.length - 1);
  for (const {part, entered, left} of parts) {
    part.classList.toggle("later", entered > step);
    part.classList.toggle("open", entered <= step && step < left);
    const now = part.classList.contains("knot") && (entered === step || left === step);
    part.classList.toggle("now", now);
    if (now && follow) reveal(part);
  }
  slider.value = String(at);
  output.textContent = `${at + 1}/${steps.length}  ${steps[at].text}`;
  first.disabled = back.disabled = at === 0;
  on.disabled = last.disabled = at === steps.length - 1;
}

first.addEventListener("click", () => show(0));
back.addEventListener("click", () => show(at - 1));
on.addEventListener("click", () => show(at + 1));
last.addEventListener("click", () => show(steps.length - 1));
slider.addEventListener("input", () => show(Number(slider.value)));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea")) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const moves = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: steps.length - 1};
  if (event.key in moves) { event.preventDefault(); show(moves[event.key]); }
});

// The visible part of the picture: left, top, and pixels per unit.
const sheet = place.querySelector(".sheet"), picture = place.querySelector("svg");
const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
const LEAST = 0.45, MOST = 4, STEP = 1.25, MOVE = 60;
let view = {x: 0, y: 0, scale: 1}, fitted = true;
const windowSize = () => ({w: sheet.clientWidth || width, h: sheet.clientHeight || height});

function setView(x, y, scale) {
  const {w, h} = windowSize();
  const least = Math.min(LEAST, w / width, h / height);
  scale = Math.min(Math.max(scale, least), MOST);
  // Fill at least half of the window, or show the whole picture.
  x = Math.min(Math.max(x, -w / scale / 2), width - w / scale / 2);
  y = Math.min(Math.max(y, -h / scale / 2), height - h / scale / 2);
  view = {x, y, scale};
  picture.setAttribute("viewBox", `${x} ${y} ${w / scale} ${h / scale}`);
}
function fit() {
  const {w, h} = windowSize();
  const scale = Math.min(1.5, Math.max(LEAST, Math.min(w / width, h / height)));
  const [root] = picture.querySelectorAll(".knot");
  const box = root && root.getBBox();
  // If the picture is wider than the window, the root is in the middle.
  const middle = width * scale <= w || !box ? width / 2 : box.x + box.width / 2;
  const x = middle - w / scale / 2;
  setView(x, Math.min(0, (height - h / scale) / 2), scale);
  fitted = true;
}
function zoom(by, x = windowSize().w / 2, y = windowSize().h / 2) {
  const {x: left, y: top, scale} = view;
  const least = Math.min(LEAST, windowSize().w / width, windowSize().h / height);
  const next = Math.min(Math.max(scale * by, least), MOST);
  setView(left + x / scale - x / next, top + y / scale - y / next, next);
  fitted = false;
}
function move(dx, dy) {
  setView(view.x - dx / view.scale, view.y - dy / view.scale, view.scale);
  fitted = false;
}
function reveal(part) {
  const box = part.getBBox(), {x, y, scale} = view;
  const w = windowSize().w / scale, h = windowSize().h / scale;
  const across = box.x >= x && box.x + box.width <= x + w;
  if (across && box.y >= y && box.y + box.height <= y + h) return;
  setView(box.x + (box.width - w) / 2, box.y + (box.height - h) / 2, scale);
}

const fingers = new Map();
const spread = () => {
  const [a, b] = [...fingers.values()];
  return b && {size: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
};
sheet.addEventListener("pointerdown", (event) => {
  sheet.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
});
sheet.addEventListener("pointermove", (event) => {
  const finger = fingers.get(event.pointerId);
  if (!finger) return;
  const before = spread();
  fingers.set(event.pointerId, {x: event.clientX, y: event.clientY});
  const after = spread(), {left, top} = sheet.getBoundingClientRect();
  if (!before) return move(event.clientX - finger.x, event.clientY - finger.y);
  move(after.x - before.x, after.y - before.y);
  if (before.size) zoom(after.size / before.size, after.x - left, after.y - top);
});
for (const end of ["pointerup", "pointercancel"])
  sheet.addEventListener(end, (event) => fingers.delete(event.pointerId));
sheet.addEventListener("wheel", (event) => {
  const {left, top} = sheet.getBoundingClientRect();
  event.preventDefault();
  zoom(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
}, {passive: false});
larger.addEventListener("click", () => zoom(STEP));
smaller.addEventListener("click", () => zoom(1 / STEP));
whole.addEventListener("click", fit);
const KEYS = {
  "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), "0": fit,
  ArrowUp: () => move(0, MOVE), ArrowDown: () => move(0, -MOVE),
};
const ASIDE = {ArrowLeft: () => move(MOVE, 0), ArrowRight: () => move(-MOVE, 0)};
sheet.addEventListener("keydown", (event) => {
  const act = event.shiftKey ? ASIDE[event.key] || KEYS[event.key] : KEYS[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  event.stopPropagation();
  act();
});
sheet.classList.add("moving");
addEventListener("resize", () => fitted ? fit() : setView(view.x, view.y, view.scale));
fit();
show(at, false);
"""


def steps(figure: TreeFigure) -> list[dict[str, Any]]:
    """Returns the visible steps in order, with number and text of each."""
    nodes = [
        node
        for _, root in figure.trees
        for node in root.walk()
        if node.entered and "cut" not in node.kinds
    ]
    texts = {node.left: node.step_texts[1] for node in nodes}
    texts |= {node.entered: node.step_texts[0] for node in nodes}
    return [{"step": step, "text": text} for step, text in sorted(texts.items())]


def tree_page(figure: TreeFigure, *, theme: str = "", language: str = "en") -> str:
    """Returns a self-contained HTML page, which works without a network.

    Args:
        figure: the trees.
        theme: colours; by default light or dark as the reader's system prefers.
        language: language of the texts in the figure.
    """
    look = look_of_figure(figure)
    chosen = theme_rules(theme) if theme else _when_dark(theme_rules("dark"))
    later = "" if theme else _when_dark(look_rules("dark", look))
    rules = [chosen, tree_rules(theme or "light", look), later, STEP_RULES, _PAGE_RULES]
    section = tree_section(figure)
    script = element("script", Markup(SCRIPT)) if steps(figure) else Markup()
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", figure.title),
        element("style", Markup("\n".join(filter(None, rules)))),
    ]
    page = element("html", element("head", *head), element("body", section, script), lang=language)
    return f"<!doctype html>\n{page}\n"


def tree_section(figure: TreeFigure) -> Markup:
    """Returns the trees with their controls, for a page with `tree_rules`, `STEP_RULES` and
    `SCRIPT`.

    The section uses only class names, so a strict content security policy allows it.
    """
    entries = steps(figure)
    sheet = element(
        "div",
        tree_svg(figure, style=Style(standalone=False)),
        class_="sheet",
        tabindex="0",
        role="region",
        aria_label=figure.title,
    )
    following = [_controls(figure, len(entries)), _data(entries)] if entries else []
    return element("div", sheet, *following, class_="papan-steps")


def _when_dark(rules: str) -> str:
    return f"@media (prefers-color-scheme:dark){{{rules}}}" if rules else ""


def _controls(figure: TreeFigure, count: int) -> Markup:
    """Returns the buttons, the slider, and the text of the current step."""
    signs = {"first": "|◀", "back": "◀", "on": "▶", "last": "▶|"}
    zooms = {"larger": "+", "smaller": "−", "whole": "⤢"}
    buttons, sizes = (
        [
            element("button", sign, type="button", aria_label=figure.words.get(name, name))
            for name, sign in group.items()
        ]
        for group in (signs, zooms)
    )
    slider = element(
        "input",
        type="range",
        min="0",
        max=str(count - 1),
        aria_label=figure.words.get("step", "step"),
    )
    output = Markup('<output aria-live="polite"></output>')
    sized = element("span", *sizes, class_="sizes")
    return element("div", *buttons, slider, sized, output, class_="controls")


def _data(entries: list[dict[str, Any]]) -> Markup:
    """Returns the texts of the steps as JSON; `<` is escaped, so that no text ends the element."""
    data = json.dumps(entries, ensure_ascii=False).replace("<", "\\u003c")
    return element("script", Markup(data), type="application/json")
