// @ts-check
/**
 * The page of a live game. Its snapshot has the boards of all plies. So clicks (`board.js`), earlier
 * plies and flipping the board need no request. The back end decides: a move is shown at once, and
 * taken back if the back end refuses it. There are two: the server (`server.js`), and the browser
 * itself with WebAssembly (`local.js`).
 */

import { all, morph, one, sound } from "./papan.js";
import { arrived, board, catchUp, click, hooks, letGo, load, markPly, newest, paint, plyOf, rove, show, snap, speak, steer, turnRound, wasDragged } from "./board.js";

const page = () => /** @type {HTMLElement} */ (one("[data-game]"));
/** True if the user flipped the board. */
let turned = false;

/** Updates status, players and facts for the shown ply. */
function tell() {
  const here = snap.plies[board.ply];
  page().dataset.ply = String(board.ply);
  const status = one("#status");
  const text = snap.history.replace("{ply}", String(board.ply)).replace("{plies}", String(newest()));
  if (status) status.textContent = board.ply === newest() ? snap.status : text;
  document.title = `${snap.status} ${one("#heading")?.textContent}`;
  ["#plate-x .number", "#plate-o .number", ".title .hint strong"].forEach((selector, i) => {
    all(selector).forEach((number, j) => (number.textContent = String(here[4][i][j] ?? "")));
  });
  const over = board.ply === newest() && page().dataset.over;
  for (const side of ["x", "o"]) {
    const turn = !over && here[0] === side;
    one(`#plate-${side}`)?.classList.toggle("turn", turn);
    one(`#plate-${side} .badge.on`)?.toggleAttribute("hidden", !turn);
  }
  one(".table")?.classList.toggle("turned", turned);
  if (turned) one(".table")?.classList.toggle("flipped", !page().dataset.flipped);
  markPly();
}

// --- history -----------------------------------------------------------------------------------------

/** Shows another ply. @param {number} there */
function goTo(there) {
  if (there === board.ply) return;
  show(there);
  tell();
}

/** Flips the board. */
function flip() {
  turned = !turned;
  turnRound(/** @type {Element} */ (one("#board svg")), snap.area);
  const form = one("form.cells");
  form?.append(...all(".cell", form).reverse());
  one(".table")?.classList.toggle("flipped", turned === !page().dataset.flipped);
  tell();
  hooks.shown?.();
}

// --- playing -----------------------------------------------------------------------------------------

/** Handles a click on a square or a step button; at an earlier ply, it returns to the newest ply. @param {string} name */
const touch = (name) => (board.ply === newest() ? click(name) : goTo(newest()));

Object.assign(hooks, {
  send() {
    sound("move");
    post();
  },
  refuse,
  clear: () => notice(""),
  // Clicks wait for the reply of a program, or for the server's response to the last move.
  waits: () => snap.going && snap.sides.length > 0 && (snap.kind === "solo" || Boolean(board.pending && snap.kind === "shared")),
});

/** Sends the pending move, which is shown already. */
function post() {
  if (!board.pending) return;
  const body = { ply: String(board.pending.after), move: board.pending.move[0] };
  return ask(movesTo(), { method: "POST", body: new URLSearchParams(body) });
}

/** Requests the reason why a square cannot be played. @param {string} name */
function refuse(name) {
  const body = new URLSearchParams({ ply: String(newest()), from: board.steps.join(), step: name });
  return ask(movesTo(), { method: "POST", body });
}

const movesTo = () => /** @type {HTMLFormElement} */ (one("form.cells")).action;

// --- the back end ------------------------------------------------------------------------------------

/**
 * @typedef {object} Reply
 * @property {HTMLElement | null} page the changed `[data-game]`; null if there is none
 * @property {string} text the reason without a page
 * @property {boolean} refused true if the pending move is taken back
 * @property {string} [moved] the address of another page to open
 */
/**
 * @typedef {object} Backend
 * @property {(address: string, init: RequestInit) => Promise<Reply>} ask answers a form or a move; rejects if it cannot be reached
 * @property {(take: (page: HTMLElement) => void, tell: (up: boolean) => void) => void} listen reports each change, and whether the back end can be reached
 */

/** @type {Backend} */
let backend;

/** Starts the page. @param {Backend} chosen */
export function start(chosen) {
  backend = chosen;
  read();
  backend.listen((fresh) => take(fresh), (up) => {
    if (up && one("#lost:not([hidden])")) notice("");
    lost(!up);
    if (!up || !board.pending?.lost) return;
    board.pending.lost = false;
    post();
  });
}

/** Sends a request and shows the reply. @param {string} address @param {RequestInit} [init] */
async function ask(address, init = {}) {
  let reply;
  try {
    reply = await backend.ask(address, init);
  } catch {
    if (board.pending) board.pending.lost = true;
    notice(page().dataset.offline ?? "");
    lost(true);
    return;
  }
  if (reply.moved) location.href = reply.moved;
  else if (reply.page) take(reply.page, reply.refused);
  else {
    board.pending = null;
    paint();
    notice(reply.text);
  }
}

/** Shows a changed page; older versions are ignored. @param {HTMLElement} fresh @param {boolean} [refused] true if the pending move is taken back */
function take(fresh, refused = false) {
  if (Number(fresh.dataset.version) < Number(page().dataset.version)) return;
  if (refused) board.pending = null;
  const was = { ...page().dataset };
  morph(page(), fresh);
  read(was);
}

/** Loads the snapshot of the page and redraws. @param {DOMStringMap} [was] the data attributes of the page before */
function read(was) {
  const followed = !was || board.ply === newest();
  const before = was ? newest() : -1;
  load();
  if (newest() !== before) board.steps = [];
  const played = board.pending && newest() > board.pending.after;
  if (board.pending && newest() !== board.pending.after) board.pending = null;
  board.ply = was ? (followed ? newest() : Math.min(board.ply, newest())) : Number(page().dataset.ply);
  paint(Boolean(was));
  tell();
  if (was) heard(was, Boolean(played));
  catchUp();
  if (!snap.going) board.queue = [];
  paint();
  rove();
  tick();
}

/** Plays the sounds of a change. @param {DOMStringMap} was @param {boolean} played true if the user's move has sounded already */
function heard(was, played) {
  const now = page().dataset;
  const more = Number(now.plies) - Number(was.plies);
  if (more && !(played && more === 1)) sound(more > 0 ? "move" : "undo");
  if (now.over && !was.over) announce();
  if (!now.over) winner().close();
  if (one("#notice")?.textContent) sound("no");
}

const winner = () => /** @type {HTMLDialogElement} */ (one("#winner"));

/** Names the winner in a dialog after the last animation. */
async function announce() {
  sound("end");
  await arrived();
  if (page().dataset.over && !one("dialog:modal")) winner().showModal();
}

/** @param {string} text */
function notice(text) {
  const place = one("#notice");
  if (place) place.textContent = text;
  if (text) sound("no");
}

/** Shows or hides the notice of a lost connection. @param {boolean} gone */
function lost(gone) {
  one("#lost")?.toggleAttribute("hidden", !gone);
}

// --- input: forms, links, keys -----------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form.closest("[data-game]") || form.method !== "post" || form.matches("[data-leaves]")) return; // leaves: the form opens another page
  event.preventDefault();
  form.closest("details")?.removeAttribute("open");
  if (button?.classList.contains("cell")) return wasDragged() ? undefined : touch(button.dataset.square ?? "");
  if (form.id === "words" && button) return speak(button);
  button?.setAttribute("aria-busy", "true");
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  ask(form.action, { method: "POST", body }).finally(() => button?.removeAttribute("aria-busy"));
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLElement | null} */ (target.closest("a[data-ply], a[data-step]"));
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    goTo(plyOf(link));
  }
  if (target.closest("[data-no]")) event.preventDefault();
  if (target.closest("[data-flip]")) flip();
  for (const open of all("details[data-confirm][open]")) {
    if (!open.contains(target) || target.closest("[data-no]")) open.removeAttribute("open");
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, textarea, select") || one("dialog:modal")) return;
  const onBoard = target.classList.contains("cell");
  if (event.key === "Escape") letGo();
  else if (!steer(event) && event.key in KEYS && (event.key.length === 1 || !onBoard)) {
    event.preventDefault();
    KEYS[event.key](target);
  }
});

/** The actions of keys. @type {Record<string, (target: Element) => void>} */
const KEYS = {
  "[": () => goTo(plyOf("back")),
  "]": () => goTo(plyOf("forward")),
  ArrowLeft: () => goTo(plyOf("back")),
  ArrowRight: () => goTo(plyOf("forward")),
  Home: () => goTo(0),
  End: () => goTo(newest()),
  f: flip,
  h: () => one("[data-action=hint]:enabled")?.click(),
  u: () => one("[data-action=undo]:enabled")?.click(),
  "?": () => /** @type {HTMLDialogElement | null} */ (one("#keys"))?.showModal(),
};

// --- clocks ------------------------------------------------------------------------------------------

/** @type {number | undefined} */
let ticking;
/** Time of the last clocks from the server, in milliseconds since the page was loaded. */
let told = 0;

function tick() {
  clearInterval(ticking);
  told = performance.now();
  if (one("[data-ticking], #preparing")) ticking = setInterval(drawClocks, 200);
}

function drawClocks() {
  for (const clock of all("[data-ticking]")) {
    const left = Math.max(0, Number(clock.dataset.left) - (performance.now() - told) / 1000);
    clock.textContent = left < 10 ? `0:${left.toFixed(1).padStart(4, "0")}` : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    clock.classList.toggle("low", left < 20);
  }
  drawPreparation();
}

/** Shows the remaining time of the program's compilation. One that is late needs as long again. */
function drawPreparation() {
  const bar = /** @type {HTMLElement | null} */ (one("#preparing[data-left]")), status = one("#status");
  if (!bar || !status || board.ply !== newest()) return;
  const left = Number(bar.dataset.left) - (performance.now() - told) / 1000;
  const seconds = Math.max(1, Math.ceil(Math.abs(left)));
  status.textContent = (bar.dataset.says ?? "").replace("{seconds}", String(seconds));
}
