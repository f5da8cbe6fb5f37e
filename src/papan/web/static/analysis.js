// @ts-check
/**
 * Script of the analysis page, in addition to `workbench.js`:
 *
 * - The engine analyses each shown position by itself.
 * - Pointing at a move of a line shows its board.
 * - The right mouse button draws the user's own arrows and marks.
 * - Saved analyses are listed.
 */

import { keptTexts, one } from "./papan.js";
import { isBusy, part, submit } from "./workbench.js";

// --- the engine ----------------------------------------------------------------------------------

const KEY = "papan-engine";
/** Delay in milliseconds before the engine starts, so that stepping through a game starts no engine at each ply. */
const STAY = 120;
/** The last position sent to the engine; it is not sent again while it is shown. */
let asked = "";
/** @type {number | undefined} */
let staying;

/** @returns {HTMLInputElement | null} */
const engineBox = () => one("#engine-on");
const isOn = () => localStorage.getItem(KEY) !== "off";

/** Starts the engine on the shown position, unless it is off or the position was analysed already. */
function look() {
  clearTimeout(staying);
  const { about = "", moves = "", looked, reviewed } = part()?.dataset ?? {};
  const place = `${about} ${moves}`;
  if (!isOn() || place === asked || (looked !== undefined && reviewed !== undefined)) return;
  staying = setTimeout(() => {
    const form = /** @type {HTMLFormElement | null} */ (one("#engine"));
    // Requests of the user go first; after the response, this function runs again.
    if (!form || isBusy()) return;
    asked = place;
    const whole = document.createElement("input");
    Object.assign(whole, { type: "hidden", value: "1", name: looked === undefined ? "whole" : "review" });
    form.append(whole);
    submit(form);
    whole.remove();
  }, STAY);
}

document.addEventListener("change", (event) => {
  if (event.target !== engineBox()) return;
  localStorage.setItem(KEY, engineBox()?.checked ? "on" : "off");
  asked = "";
  if (isOn()) look();
  else stop();
});

/** Stops the engine. */
function stop() {
  const form = /** @type {HTMLFormElement | null} */ (one("#engine"));
  const button = /** @type {HTMLButtonElement | null} */ (one("#look[name=stop]"));
  if (form && button) submit(form, button);
}

// --- previews of boards in lines -------------------------------------------------------------------

/** @type {Map<string, Promise<string>>} */
const boards = new Map();
/** @type {HTMLElement | null} */
let preview = null;

/** @param {HTMLAnchorElement} link */
async function showBoard(link) {
  const from = /** @type {HTMLElement | null} */ (link.closest("[data-preview]"))?.dataset.preview ?? "";
  const where = from + new URL(link.href).search;
  if (!boards.has(where)) boards.set(where, fetch(where).then((answer) => (answer.ok ? answer.text() : "")));
  hideBoard();
  const box = (preview = document.createElement("div"));
  box.className = "preview";
  const picture = await boards.get(where)?.catch(() => "");
  if (preview !== box || !picture) return;
  box.append(document.importNode(new DOMParser().parseFromString(picture, "text/html").body, true).firstElementChild ?? "");
  document.body.append(box);
  const at = link.getBoundingClientRect();
  const height = box.offsetHeight;
  box.style.left = `${Math.max(4, Math.min(at.left, innerWidth - box.offsetWidth - 4))}px`;
  box.style.top = `${at.bottom + height + 8 < innerHeight ? at.bottom + 4 : Math.max(4, at.top - height - 4)}px`;
}

function hideBoard() {
  preview?.remove();
  preview = null;
}

for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest(".pv a"));
    if (link) showBoard(link);
    else hideBoard();
  });
}

// --- arrows and marks of the user ------------------------------------------------------------------

const SVG = "http://www.w3.org/2000/svg";
/** The marks of each position, each as `from to`; a ring has the same place twice. @type {Map<string, Set<string>>} */
const marks = new Map();
/** The place where the right button was pressed; empty if it was elsewhere. */
let pressed = "";

const here = () => part()?.dataset.about ?? "";

/** The place under the pointer. @param {MouseEvent} event */
function placeAt(event) {
  const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board .cell");
  return /** @type {HTMLElement | null} */ (cell)?.dataset.square ?? "";
}

document.addEventListener("contextmenu", (event) => placeAt(event) && event.preventDefault());
document.addEventListener("pointerdown", (event) => {
  pressed = event.button === 2 ? placeAt(event) : "";
  if (event.button === 0 && placeAt(event) && marks.delete(here())) drawMarks();
});
document.addEventListener("pointerup", (event) => {
  const to = event.button === 2 && pressed ? placeAt(event) : "";
  if (!to) return;
  const found = marks.get(here()) ?? new Set();
  const mark = `${pressed} ${to}`;
  if (!found.delete(mark)) found.add(mark);
  marks.set(here(), found);
  drawMarks();
});

/** Returns the centre of a place and half its width, in pixels of the layer. @param {string} place */
function middle(place) {
  const cell = one(`#board .cell[data-square="${CSS.escape(place)}"]`);
  const [box, from] = [cell, one("#own")].map((thing) => thing?.getBoundingClientRect());
  if (!box || !from) return null;
  return { x: box.x - from.x + box.width / 2, y: box.y - from.y + box.height / 2, half: box.width / 2 };
}

function drawMarks() {
  const layer = one("#own");
  if (!layer) return;
  layer.replaceChildren();
  const found = marks.get(here());
  if (!found?.size) return;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", `0 0 ${layer.offsetWidth} ${layer.offsetHeight}`);
  for (const mark of found) {
    const [from, to] = mark.split(" ").map(middle);
    if (from && to) svg.append(...(mark.split(" ")[0] === mark.split(" ")[1] ? ring(from) : arrow(from, to)));
  }
  layer.append(svg);
}

/** @param {string} name @param {Record<string, string | number>} attributes */
function drawn(name, attributes) {
  const shape = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, String(value));
  return shape;
}

/** @typedef {{ x: number, y: number, half: number }} Spot */
/** @param {Spot} spot */
const ring = (spot) => [drawn("circle", { class: "own-mark", cx: spot.x, cy: spot.y, r: spot.half * 0.8 })];

/** @param {Spot} from @param {Spot} to */
function arrow(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const head = 18;
  const [x, y] = [to.x - head * dx, to.y - head * dy];
  const [aside, down] = [head * 0.6 * dy, head * 0.6 * dx];
  return [
    drawn("path", { class: "own-mark", d: `M${from.x} ${from.y}L${x} ${y}` }),
    drawn("path", { class: "own-mark head", d: `M${to.x} ${to.y}L${x - aside} ${y + down}L${x + aside} ${y - down}Z` }),
  ];
}

// --- saved analyses, in this browser -----------------------------------------------------------------

const KEPT = "papan-analyses";
/** Maximum number of saved analyses; the oldest ones are dropped. */
const MOST = 50;

/** @param {Record<string, string>} found */
function keep(found) {
  localStorage.setItem(KEPT, JSON.stringify(Object.fromEntries(Object.entries(found).slice(-MOST))));
  drawKept();
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches(".keep")) return;
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const name = fields.get("title")?.trim() || new Date().toLocaleString(document.documentElement.lang);
  keep({ ...keptTexts(KEPT), [name]: `${location.pathname}?${fields}` });
});

function drawKept() {
  const list = one("#kept-list");
  const found = Object.entries(keptTexts(KEPT));
  if (!list) return;
  list.parentElement?.toggleAttribute("hidden", !found.length);
  list.replaceChildren(
    ...found.map(([name, address]) => {
      const [item, link, forget] = ["li", "a", "button"].map((kind) => document.createElement(kind));
      link.setAttribute("href", address);
      link.textContent = name;
      forget.className = "button small quiet";
      forget.textContent = list.dataset.forget ?? "";
      forget.setAttribute("aria-label", `${forget.textContent}: ${name}`);
      forget.addEventListener("click", () => {
        const { [name]: gone, ...rest } = keptTexts(KEPT);
        keep(rest);
      });
      item.append(link, " ", forget);
      return item;
    }),
  );
}

// --- after each change -----------------------------------------------------------------------------

function settle() {
  const box = engineBox();
  if (box) box.checked = isOn();
  const list = one("#history .moves");
  const now = one("#history .moves [aria-current]");
  if (list && now) list.scrollTop = now.offsetTop - list.offsetTop - list.clientHeight / 2;
  else if (list) list.scrollTop = 0;
  if (!one(".pv a:hover, .pv a:focus")) hideBoard();
  drawMarks();
  drawKept();
  look();
}

document.addEventListener("papan-put", settle);
settle();

export {};
