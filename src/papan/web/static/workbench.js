// @ts-check
/**
 * Script of all pages except the game: analysis, records, tournaments, the tree, the API.
 *
 * Each page has one part that changes, `[data-part]`:
 *
 * - Forms and links with `data-in-place` fetch a new part in the background and replace it.
 * - `data-address` is the address that the browser shows for the part.
 * - `data-live` is the address of a live connection, which sends the part after each change.
 *
 * Without script, the same forms and links load whole pages.
 */

import { FRAGMENT, all, connect, morph, one } from "./papan.js";
import { animate, board, catchUp, click, hooks, inWords, letGo, load, newest, paint, rove, show, snap, speak, standing, steer, wasDragged } from "./board.js";

/** @returns {HTMLElement | null} */
const part = () => one("[data-part]");

// --- the part that changes ---------------------------------------------------------------------------

/** The number of the newest request; responses to earlier requests are ignored. */
let asked = 0;
/** The number of requests without a response yet. */
let underWay = 0;

/** True while a request has no response yet; requests of low priority then wait or are skipped. */
const isBusy = () => underWay > 0 || staying !== undefined;

/**
 * Fetches a part and shows it.
 * @param {string} address @param {RequestInit} [init] @param {boolean} [travelled] true if the browser moved through its history
 */
async function ask(address, init = {}, travelled = false) {
  const number = ++asked;
  let text;
  clearTimeout(staying);
  staying = undefined;
  underWay += 1;
  try {
    const response = await fetch(address, { ...init, headers: { ...FRAGMENT, ...init.headers } });
    text = await response.text();
  } catch {
    return takeBack(part()?.dataset.offline ?? "");
  } finally {
    underWay -= 1;
  }
  if (number !== asked) return;
  if (!put(text)) return takeBack(sentence(text));
  const shown = part()?.dataset.address;
  if (shown && !travelled && shown !== location.pathname + location.search) history.pushState(null, "", shown);
  listen();
}

/** Shows a fragment; returns false if the HTML has no part for this page. @param {string} html */
function put(html) {
  const old = part();
  const fresh = /** @type {HTMLElement | null} */ (new DOMParser().parseFromString(html, "text/html").querySelector("[data-part]"));
  if (!old || !fresh || old.id !== fresh.id) return false;
  if (old.dataset.compact !== undefined) makeCompact(fresh, old.className);
  const picture = one(".board svg", old);
  const before = picture && standing(picture);
  const same = old.dataset.address === fresh.dataset.address;
  morph(old, fresh);
  if (picture?.isConnected && before) animate(picture, before, snap?.falls);
  settle(same);
  const back = /** @type {HTMLInputElement | null} */ (one("input[name=back]"));
  if (back && old.dataset.address) back.value = old.dataset.address;
  rove();
  document.dispatchEvent(new Event("papan-put"));
  return true;
}

/** Removes what only the room of a part shows: the part is in another page. @param {HTMLElement} fresh @param {string} names */
function makeCompact(fresh, names) {
  for (const extra of all(".room-only", fresh)) extra.remove();
  delete fresh.dataset.address;
  [fresh.dataset.compact, fresh.className] = ["", names];
}

// --- the board: a move is sent once it is complete -----------------------------------------------------

/** Loads the board that the server drew. @param {boolean} [same] true for an unchanged position: the chosen steps stay */
function settle(same = false) {
  load(true);
  const { about, moves } = parts(part()?.dataset.address ?? "");
  if (snap?.at !== undefined) lines.set(`${about} ${moves}`, snap);
  board.pending = null;
  board.ply = Number(part()?.dataset.ply ?? (snap && newest()));
  if (!same) board.steps = snap?.steps ?? [];
  else if (board.steps.length) paint(false);
  catchUp();
}

/** Shows the board before the user's move, with the reason. @param {string} text */
function takeBack(text) {
  board.queue = [];
  if (board.pending) {
    board.pending = null;
    paint();
  }
  complain(text);
}

Object.assign(hooks, {
  /** @param {import("./board.js").Move} move */
  send([move]) {
    const form = /** @type {HTMLFormElement} */ (one("form.cells"));
    const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    fields.delete("from");
    fields.set("move", move);
    ask(`${form.getAttribute("action")}?${fields}`);
  },
  /** @param {string} name */
  refuse(name) {
    letGo();
    complain(snap?.nothing.replace("{text}", name) ?? "");
  },
  clear: () => complain(""),
  waits: () => Boolean(board.pending) || isBusy(),
});

/** Returns the message of a response that has no part for this page. @param {string} html */
function sentence(html) {
  const page = new DOMParser().parseFromString(html, "text/html");
  return page.querySelector("[data-text]")?.textContent ?? html.slice(0, 200);
}

/** @param {string} text */
function complain(text) {
  const place = one("#problem");
  if (place) place.textContent = text;
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.matches("[data-in-place]")) return;
  event.preventDefault();
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!snap || !button) submit(form, button);
  else if (button.classList.contains("cell")) wasDragged() || click(button.dataset.square ?? "");
  else if (form.id === "words") speak(button);
  else submit(form, button);
});

/** @param {HTMLFormElement} form @param {HTMLButtonElement | null} [button] */
function submit(form, button) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(form)) fields.append(name, String(value));
  if (button?.name) fields.set(button.name, button.value);
  const address = form.getAttribute("action") ?? location.pathname;
  if (form.method === "post") return ask(address, { method: "POST", body: fields });
  return ask(`${address}?${fields}`);
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-in-place]"));
  const turning = target.closest(".chart [data-ply]");
  if (turning) one(`a[data-ply="${turning.getAttribute("data-ply")}"]`)?.click();
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (!stepTo(link)) ask(link.href);
});

// --- other plies and other lines: shown at once, evaluated by the server a little later ---------------

/** Delay in milliseconds before the server is asked about a ply, so that stepping through a game asks only about the last one. */
const STAY = 100;
/** The request for the shown ply that is not sent yet. @type {number | undefined} */
let staying;
/** Snapshots of lines that were shown, by game and moves. @type {Map<string, import("./board.js").Snapshot>} */
const lines = new Map();

/** Returns the game and the moves of an address, and its ply as text. @param {string} address */
function parts(address) {
  const values = new URL(address, location.href).searchParams;
  return { about: `${values.get("game")} ${values.get("position")}`, moves: values.get("moves") ?? "", ply: values.get("ply") };
}

/** Shows the position of a link without waiting for the server; returns false if the page does not know it. @param {HTMLAnchorElement} link */
function stepTo(link) {
  const here = parts(part()?.dataset.address ?? "");
  const address = link.href; // links for steps change with the shown ply
  const there = parts(address);
  const samePage = new URL(address).pathname === location.pathname;
  if (board.pending) return true; // the links are those of the position before the move
  if (!snap || part()?.dataset.ply === undefined || !samePage || here.about !== there.about) return false;
  if (here.moves !== there.moves && !follow(`${there.about} `, there.moves)) return false;
  asked += 1;
  show(there.ply === null ? newest() : Number(there.ply), address);
  const pieces = one("#pieces");
  if (pieces) pieces.textContent = inWords();
  if (!isLocal()) {
    clearTimeout(staying);
    staying = setTimeout(() => ask(address), STAY);
  }
  return true;
}

/** Loads a line that was shown before, or the start of one; returns false if there is none. @param {string} about @param {string} moves */
function follow(about, moves) {
  const plies = moves ? moves.split(" ").length + 1 : 1;
  for (const [key, known] of lines) {
    if (key !== about + moves && !key.startsWith(`${about}${moves}${moves && " "}`)) continue;
    load(false, { ...known, plies: known.plies.slice(0, plies), won: known.plies.length === plies ? known.won : [], mine: false });
    return true;
  }
  return false;
}

/** True if the server has nothing to add to other plies of this page: no evaluation, no proofs. */
const isLocal = () => part()?.dataset.live === undefined && !one("#proof-history");

window.addEventListener("popstate", () => part()?.dataset.address && ask(location.href, {}, true));

// --- news --------------------------------------------------------------------------------------------

/** The live connection. */
let line = { address: "", close() {} };

/** Connects to the live address of the shown part. Updates are ignored while a request has no response, because they are about the position before. */
function listen() {
  const address = part()?.dataset.live ?? "";
  if (line.address === address) return;
  line.close();
  line = { address, close: address ? connect(() => address, (text) => board.pending || isBusy() || put(text)) : () => {} };
}

// --- keyboard ----------------------------------------------------------------------------------------

/** @type {Record<string, string>} */
const TRAVEL = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!part() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, textarea, select")) return;
  if (event.key === "Escape") letGo();
  else if (!steer(event) && !target.matches(".cell") && event.key in TRAVEL && !target.closest("[data-keeps-keys]")) {
    travel(event, TRAVEL[event.key]);
  }
});

/** @param {KeyboardEvent} event @param {string} where */
function travel(event, where) {
  const link = /** @type {HTMLAnchorElement | null} */ (one(`a[data-step="${where}"]`));
  if (!link) return;
  event.preventDefault();
  if (!link.hasAttribute("aria-disabled")) link.click();
}

// --- replay of a record ----------------------------------------------------------------------------------

/** @type {number | undefined} */
let playing;

/** Shows the next ply, then schedules the one after it, to the end. @param {HTMLElement} button */
function playOn(button) {
  const seconds = Number(/** @type {HTMLSelectElement | null} */ (one("[data-seconds]"))?.value ?? 1);
  const link = one(`a[data-step="forward"]`);
  if (!link || link.hasAttribute("aria-disabled")) return rest(button);
  if (!isBusy()) link.click();
  playing = setTimeout(() => playOn(button), 1000 * seconds);
}

/** @param {HTMLElement} button */
function rest(button) {
  clearTimeout(playing);
  playing = undefined;
  label(button);
}

/** Swaps the two labels of the button. @param {HTMLElement} button */
function label(button) {
  [button.textContent, button.dataset.stop] = [button.dataset.stop ?? "", button.textContent ?? ""];
}

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-play]"));
  if (!button) return;
  if (playing !== undefined) return rest(button);
  if (one(`a[data-step="forward"][aria-disabled]`)) one(`a[data-step="first"]`)?.click();
  label(button);
  playing = setTimeout(() => playOn(button), 300);
});

for (const part of all("[data-replay]")) part.hidden = false;

// --- the API page: shows responses on the page ---------------------------------------------------------

for (const button of all("button[data-try]")) button.hidden = false;

document.addEventListener("click", async (event) => {
  const asking = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-try]"));
  const place = asking?.closest("section")?.querySelector("pre.answer");
  if (!asking || !(place instanceof HTMLElement)) return;
  event.preventDefault();
  const { try: address = "", body } = asking.dataset;
  const headers = { "Content-Type": "application/json" };
  asking.setAttribute("aria-busy", "true");
  try {
    const response = await fetch(address, body ? { method: "POST", body, headers } : {});
    place.textContent = JSON.stringify(await response.json(), null, 2);
  } catch (error) {
    place.textContent = String(error);
  }
  place.hidden = false;
  asking.removeAttribute("aria-busy");
});

settle();
rove();
listen();

export { ask, isBusy, part, submit };
