"""A page of its own for a tree: forward and back through the search, step by step."""

from __future__ import annotations

import json
from typing import Any

from papan.figures.board import Style
from papan.figures.svg import Markup, element
from papan.figures.theme import filled_in, theme_rules, tree_rules
from papan.figures.tree.draw import tree_svg
from papan.figures.tree.model import TreeFigure

#: The rules of the steps, for any page that shows them.
STEP_RULES = filled_in("""
.papan-steps{display:flex;flex-direction:column;background:$paper;color:$ink;font-family:$FONT}
.papan-steps *{box-sizing:border-box}
.papan-steps .sheet{flex:1;min-height:0;overflow:auto}
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

#: Shows the tree as it stood after a step; every knot and edge knows when it was entered and left.
#: A page with a strict content security policy serves it as a file, as a module or deferred.
SCRIPT = """
"use strict";
const place = document.querySelector(".papan-steps");
const told = JSON.parse(place.querySelector("script").textContent);
const parts = [...place.querySelectorAll("[data-entered]")].map((part) => ({
  part, entered: Number(part.dataset.entered), left: Number(part.dataset.left),
}));
const [first, back, on, last] = place.querySelectorAll("button");
const slider = place.querySelector("input"), said = place.querySelector("output");
let at = told.length - 1;

function show(wanted, follow = true) {
  at = Math.min(Math.max(wanted, 0), told.length - 1);
  const step = told[at].step;
  place.querySelector("svg").classList.toggle("running", at < told.length - 1);
  for (const {part, entered, left} of parts) {
    part.classList.toggle("later", entered > step);
    part.classList.toggle("open", entered <= step && step < left);
    const now = part.classList.contains("knot") && (entered === step || left === step);
    part.classList.toggle("now", now);
    if (now && follow) part.scrollIntoView({block: "nearest", inline: "center"});
  }
  slider.value = String(at);
  said.textContent = `${at + 1}/${told.length}  ${told[at].text}`;
  first.disabled = back.disabled = at === 0;
  on.disabled = last.disabled = at === told.length - 1;
}

first.addEventListener("click", () => show(0));
back.addEventListener("click", () => show(at - 1));
on.addEventListener("click", () => show(at + 1));
last.addEventListener("click", () => show(told.length - 1));
slider.addEventListener("input", () => show(Number(slider.value)));
document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea")) return;
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const moves = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: told.length - 1};
  if (event.key in moves) { event.preventDefault(); show(moves[event.key]); }
});
show(at, false);
"""


def steps(figure: TreeFigure) -> list[dict[str, Any]]:
    """The steps that can be seen, in order: number and words of each."""
    knots = [
        knot
        for _, root in figure.trees
        for knot in root.walk()
        if knot.entered and "cut" not in knot.kinds
    ]
    found = {knot.left: knot.told[1] for knot in knots}
    found |= {knot.entered: knot.told[0] for knot in knots}
    return [{"step": step, "text": text} for step, text in sorted(found.items())]


def tree_page(figure: TreeFigure, *, theme: str = "", language: str = "en") -> str:
    """A self-contained HTML page: it loads nothing and works without a network.

    Args:
        figure: the trees; all of their knots have steps.
        theme: its colours; without one, light or dark as the reader's system has it.
        language: of the words in it.
    """
    chosen = theme_rules(theme) if theme else _when_dark()
    rules = "\n".join([chosen, tree_rules(), STEP_RULES, _PAGE_RULES])
    section = tree_section(figure)
    script = element("script", Markup(SCRIPT)) if steps(figure) else Markup()
    head = [
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("title", figure.title),
        element("style", Markup(rules)),
    ]
    page = element("html", element("head", *head), element("body", section, script), lang=language)
    return f"<!doctype html>\n{page}\n"


def tree_section(figure: TreeFigure) -> Markup:
    """The trees with their controls, as a part of a page that has `tree_rules`, `STEP_RULES` and
    `SCRIPT`: class names only, and nothing that a strict content security policy refuses."""
    told = steps(figure)
    sheet = element(
        "div",
        tree_svg(figure, style=Style(standalone=False)),
        class_="sheet",
        tabindex="0",
        role="region",
        aria_label=figure.title,
    )
    following = [_controls(figure, len(told)), _data(told)] if told else []
    return element("div", sheet, *following, class_="papan-steps")


def _when_dark() -> str:
    return f"@media (prefers-color-scheme:dark){{{theme_rules('dark')}}}"


def _controls(figure: TreeFigure, count: int) -> Markup:
    """Buttons, a slider, and what happens at the step."""
    signs = {"first": "|◀", "back": "◀", "on": "▶", "last": "▶|"}
    buttons = [
        element("button", sign, type="button", aria_label=figure.words.get(name, name))
        for name, sign in signs.items()
    ]
    slider = element(
        "input",
        type="range",
        min="0",
        max=str(count - 1),
        aria_label=figure.words.get("step", "step"),
    )
    said = Markup('<output aria-live="polite"></output>')
    return element("div", *buttons, slider, said, class_="controls")


def _data(told: list[dict[str, Any]]) -> Markup:
    """The steps' words; `<` is written so that no word can end the element."""
    data = json.dumps(told, ensure_ascii=False).replace("<", "\\u003c")
    return element("script", Markup(data), type="application/json")
