// @ts-check
/**
 * Boards with small squares under fingers.
 *
 * - Two fingers zoom and move the board. A double tap beside the possible moves shows all of it again.
 * - A finger on a tiny square shows the squares around it enlarged. Releasing aims at the marked one:
 *   a button, or a second tap, plays it (`aim` in board.js).
 *
 * The listeners are on the window and capture events, so that they run before those of the board.
 */

import { all, one } from "./papan.js";
import { aim } from "./board.js";

/** Width of squares in pixels: boards with smaller ones can be zoomed, or have the magnifier. */
const [SMALL, TINY] = [44, 30];
const LARGEST_ZOOM = 4;
/** A finger that moves further moves a zoomed board, in pixels. */
const SLOP = 8;
/** Maximum time between the taps of a double tap, and from the end of a gesture to its click, in milliseconds. */
const SOON = 350;
/** Magnification, and width of the magnifier in pixels; see papan.css. */
const [MAGNIFIED, LENS] = [2.1, 148];

/** @typedef {[number, number]} Point */

/** The board's zoom, and how far its middle is moved, in pixels. */
let view = { zoom: 1, x: 0, y: 0 };
/** The fingers on the board. @type {Map<number, Point>} */
const fingers = new Map();
/** View, middle and distance of the fingers when a finger was last put down or lifted. */
let start = { ...view, middle: /** @type {Point} */ ([0, 0]), apart: 0 };
/** True once the fingers have moved the board. */
let moved = false;
/** True until the click of a gesture that has been handled. */
let handled = false;
/** Time of the last tap. */
let tapped = 0;
/** @type {HTMLElement | null} */
let lens = null;

const place = () => /** @type {HTMLElement | null} */ (one("#board"));
/** Width of a square's button on the screen. @param {Element} cell */
const widthOf = (cell) => Math.min(cell.getBoundingClientRect().width, cell.getBoundingClientRect().height);
/** @param {Point} at @returns {HTMLElement | null} */
const cellAt = ([x, y]) => /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest("#board .cell") ?? null);

// --- zoom --------------------------------------------------------------------------------------------

/** Shows the view; the board always fills its frame. */
function draw() {
  const [frame, surface] = [place(), /** @type {HTMLElement | null} */ (one("#board .surface"))];
  if (!frame || !surface) return;
  const { zoom } = view;
  for (const [axis, size] of /** @type {["x" | "y", number][]} */ ([["x", frame.offsetWidth], ["y", frame.offsetHeight]])) {
    const most = ((zoom - 1) * size) / 2;
    view[axis] = Math.max(-most, Math.min(most, view[axis]));
  }
  surface.style.translate = zoom > 1 ? `${view.x}px ${view.y}px` : "";
  surface.style.scale = zoom > 1 ? String(zoom) : "";
  const width = Math.min(...all("#board .cell").map(widthOf)) / zoom;
  frame.classList.toggle("small", width < SMALL);
  frame.classList.toggle("tiny", width < TINY);
  frame.classList.toggle("zoomed", zoom > 1);
}

/** Shows the whole board. */
function reset() {
  view = { zoom: 1, x: 0, y: 0 };
  draw();
}

/** @returns {{ middle: Point, apart: number }} */
function hand() {
  const [one, other] = fingers.values();
  if (!other) return { middle: one, apart: 0 };
  return { middle: [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2], apart: Math.hypot(one[0] - other[0], one[1] - other[1]) };
}

/** Moves the board with the fingers: what was between them stays there. */
function follow() {
  const { middle, apart } = hand();
  const zoom = start.apart && apart ? Math.max(1, Math.min(LARGEST_ZOOM, (start.zoom * apart) / start.apart)) : start.zoom;
  const box = /** @type {HTMLElement} */ (place()).getBoundingClientRect();
  const centre = [box.x + box.width / 2, box.y + box.height / 2];
  const [x, y] = [start.x, start.y].map((from, i) => middle[i] - centre[i] - ((start.middle[i] - centre[i] - from) * zoom) / start.zoom);
  view = { zoom, x, y };
  draw();
}

// --- magnifier ---------------------------------------------------------------------------------------

/** Shows the squares around a square above the finger; without a square, hides them. @param {HTMLElement | null} cell @param {Point} at */
function magnify(cell, [x, y]) {
  const frame = place();
  if (!cell || !frame) {
    lens?.remove();
    lens = null;
    return;
  }
  const [box, whole] = [cell.getBoundingClientRect(), frame.getBoundingClientRect()];
  lens ??= newLens(frame, whole);
  const picture = /** @type {HTMLElement} */ (lens.firstElementChild);
  const [middleX, middleY] = [box.x + box.width / 2 - whole.x, box.y + box.height / 2 - whole.y];
  picture.style.translate = `${LENS / 2 - MAGNIFIED * middleX}px ${LENS / 2 - MAGNIFIED * middleY}px`;
  lens.dataset.square = cell.dataset.square;
  lens.style.setProperty("--edge", `${MAGNIFIED * box.width}px`);
  // Beside the finger if there is no room above it.
  const above = y - LENS - 40;
  const left = above < 0 ? x + (x > innerWidth / 2 ? -LENS - 40 : 40) : x - LENS / 2;
  lens.style.translate = `${Math.max(4, Math.min(innerWidth - LENS - 4, left))}px ${Math.max(4, above)}px`;
}

/** @param {HTMLElement} frame @param {DOMRect} box */
function newLens(frame, box) {
  const [made, picture, surface] = ["lens", `board${frame.closest(".plain") ? " plain" : ""}`, "surface"].map((name) => {
    const part = document.createElement("div");
    part.className = name;
    return part;
  });
  surface.append(/** @type {Element} */ (one(".picture", frame)).cloneNode(true));
  [picture.style.width, picture.style.height, picture.style.scale] = [`${box.width}px`, `${box.height}px`, String(MAGNIFIED)];
  picture.append(surface);
  made.append(picture);
  document.body.append(made);
  return made;
}

// --- fingers -----------------------------------------------------------------------------------------

/** @param {PointerEvent} event */
function press(event) {
  handled = false;
  const [cell, at] = [cellAt([event.clientX, event.clientY]), /** @type {Point} */ ([event.clientX, event.clientY])];
  if (!place()?.contains(/** @type {Node} */ (event.target)) || !place()?.matches(".small, .zoomed")) return;
  fingers.set(event.pointerId, at);
  if (fingers.size === 1) moved = false;
  start = { ...view, ...hand() };
  const alone = fingers.size === 1 && cell && view.zoom === 1 && widthOf(cell) < TINY;
  magnify(alone ? cell : null, at);
  if (lens || fingers.size > 1) event.stopImmediatePropagation();
}

/** @param {PointerEvent} event */
function move(event) {
  if (!fingers.has(event.pointerId)) return;
  /** @type {Point} */
  const at = [event.clientX, event.clientY];
  fingers.set(event.pointerId, at);
  if (lens) return magnify(cellAt(at) ?? null, at);
  const far = Math.hypot(at[0] - start.middle[0], at[1] - start.middle[1]) > SLOP;
  if (fingers.size === 1 && (view.zoom === 1 || one("body > .flying") || !(moved || far))) return;
  moved = true;
  follow();
}

/** @param {PointerEvent} event */
function release(event) {
  if (!fingers.delete(event.pointerId)) return;
  if (fingers.size) {
    start = { ...view, ...hand() };
    return;
  }
  const cell = cellAt([event.clientX, event.clientY]);
  const magnified = Boolean(lens);
  magnify(null, [0, 0]);
  handled = moved || magnified;
  if (moved || event.type === "pointercancel") return;
  if (cell && widthOf(cell) < TINY) {
    handled = true;
    if (!aim(cell.dataset.square ?? "")) cell.click();
  } else if (view.zoom > 1 && !cell?.matches(".target, .source")) {
    if (event.timeStamp - tapped < SOON) reset();
    tapped = event.timeStamp;
  }
}

/** @type {[string, (event: PointerEvent) => void][]} */
const LISTENERS = [["pointerdown", press], ["pointermove", move], ["pointerup", release], ["pointercancel", release]];
for (const [name, listener] of LISTENERS) {
  addEventListener(name, (event) => /** @type {PointerEvent} */ (event).pointerType === "touch" && listener(/** @type {PointerEvent} */ (event)), true);
}

addEventListener(
  "click",
  (event) => {
    if (!handled || !event.isTrusted) return;
    handled = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  },
  true,
);

addEventListener("resize", reset);
document.addEventListener("papan-put", draw);
draw();

export {};
