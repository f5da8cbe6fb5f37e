// @ts-check
/**
 * Boards on all pages: clicks, drawing and animation.
 *
 * Each position comes with a snapshot (`papan.web.board.snapshot`): the boards of its plies, and the
 * legal moves with the squares that each changes. So choosing a piece and showing the user's move
 * need no request.
 *
 * A board is drawn in its final state at once. Moving pieces are copies ("ghosts") in front of it,
 * which are removed when they arrive. So drawing during an animation neither cuts nor restarts it.
 */

import { ARROWS, all, neighbour, one } from "./papan.js";

/** @typedef {{ piece: Element, key: string, owner: string }} Standing a copy of a piece; equal keys look the same */

const SVG = "http://www.w3.org/2000/svg";

/** The number of ghosts that are still moving. */
let moving = 0;
/** Callbacks for the end of all animations. @type {(() => void)[]} */
const waiting = [];
/** The ghosts of pieces that are drawn on their squares but hidden until the ghost arrives, by square.
 * @type {WeakMap<Element, Element>} */
const flights = new WeakMap();

/** @param {Element} svg @returns {Element[]} */
const squares = (svg) => [...svg.querySelectorAll(":scope > g[data-square]")];

/** @param {Element} square */
const pieceOn = (square) => square.querySelector(":scope > .piece");

/** Returns the piece on each square of a board, for `animate` after a change. @param {Element} svg */
export function standing(svg) {
  return new Map(squares(svg).map((square) => [square.getAttribute("data-square"), standingOn(square)]));
}

/** @param {Element} square @returns {Standing | null} */
function standingOn(square) {
  const piece = pieceOn(square);
  if (!piece) return null;
  const owner = piece.classList.contains("x") ? "x" : piece.classList.contains("o") ? "o" : "neutral";
  return { piece: /** @type {Element} */ (piece.cloneNode(true)), key: owner + piece.innerHTML, owner };
}

/** True if animations are on and the page is visible. */
const lively = () =>
  document.documentElement.dataset.animation !== "off" && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{ square: Element, old: Standing | null, now: Standing | null }} Change */

/**
 * Animates the changes of a board.
 * @param {Element} svg @param {ReturnType<typeof standing>} before @param {boolean} [falls] new pieces drop from the top
 */
export function animate(svg, before, falls = false) {
  if (!lively()) return;
  /** @type {Change[]} */
  const changes = [];
  for (const square of squares(svg)) {
    const old = before.get(square.getAttribute("data-square")) ?? null;
    const now = standingOn(square);
    if (old?.key === now?.key) {
      if (flights.has(square)) pieceOn(square)?.classList.add("away");
      continue;
    }
    land(square);
    changes.push({ square, old, now });
  }
  const left = changes.filter(({ old, now }) => old && old.owner !== now?.owner);
  // Empty targets first: a piece that left its square moves there rather than to a capture. A piece
  // that changed its side in place is turned.
  const come = changes.filter(({ now }) => now).sort((a, b) => Number(Boolean(a.old)) - Number(Boolean(b.old)));
  for (const change of come) {
    const from = origin(left, change);
    if (from) left.splice(left.indexOf(from), 1);
    const manner = from ? "slide" : arrival(change, falls);
    if (manner === "turn") left.splice(left.indexOf(change), 1);
    fly(svg, change, manner, from?.square);
  }
  for (const { square, old, now } of left) {
    if (old && (!now || now.owner !== old.owner)) ghost(svg, square, old.piece, "go");
  }
}

/** Returns the change of the square that a piece came from: one that lost a piece of the same side and is now empty. @param {Change[]} left @param {Change} change */
function origin(left, { square, old, now }) {
  if (old && old.owner === now?.owner) return undefined;
  const others = left.filter((one) => one.square !== square && one.old?.owner === now?.owner && !one.now);
  return others.find((one) => one.old?.key === now?.key) ?? (others.length === 1 ? others[0] : undefined);
}

/** @param {Change} change @param {boolean} falls */
function arrival({ old, now }, falls) {
  if (!old) return falls ? "drop" : "arrive";
  return old.owner === now?.owner ? "arrive" : "turn";
}

/** @param {Element} svg @param {Change} change @param {string} manner @param {Element} [from] */
function fly(svg, { square, now }, manner, from) {
  const piece = pieceOn(square);
  if (!now || !piece) return;
  const flight = ghost(svg, square, now.piece, manner, from, () => land(square, flight));
  piece.classList.add("away");
  flights.set(square, flight);
}

/** Shows the piece on a square and hides its ghost. @param {Element} square @param {Element} [flight] a ghost that was replaced meanwhile is ignored */
function land(square, flight = flights.get(square)) {
  if (!flight || flights.get(square) !== flight) return;
  flights.delete(square);
  flight.classList.add("away");
  pieceOn(square)?.classList.remove("away");
}

/** @param {Element} thing @returns {[number, number]} */
function corner(thing) {
  const [x = "0", y = "0"] = thing.getAttribute("transform")?.match(/-?[\d.]+/g) ?? [];
  return [Number(x), Number(y)];
}

/**
 * Returns a ghost: a copy of a piece that moves once and is then removed.
 * @param {Element} svg @param {Element} square @param {Element} piece @param {string} manner @param {Element} [from] @param {() => void} [then]
 */
function ghost(svg, square, piece, manner, from, then) {
  const holder = document.createElementNS(SVG, "g");
  const mover = document.createElementNS(SVG, "g");
  const [[x, y], [fromX, fromY]] = [corner(square), from ? corner(from) : [corner(square)[0], -60]];
  holder.setAttribute("class", "ghost");
  holder.setAttribute("transform", `translate(${x} ${y})`);
  mover.setAttribute("class", `mover ${manner}`);
  mover.style.setProperty("--from", `translate(${fromX - x}px, ${fromY - y}px)`);
  mover.append(piece.cloneNode(true));
  holder.append(mover);
  svg.append(holder);
  moved(1);
  const end = () => {
    holder.remove();
    moved(-1);
    then?.();
  };
  mover.addEventListener("animationend", end, { once: true });
  mover.addEventListener("animationcancel", end, { once: true });
  return holder;
}

/** @param {number} more */
function moved(more) {
  moving += more;
  if (!moving) for (const done of waiting.splice(0)) done();
  document.documentElement.classList.toggle("moving", moving > 0);
}

/** Resolves when no piece is moving. @returns {Promise<void>} */
export const arrived = () => new Promise((done) => (moving ? waiting.push(done) : done()));

/** Rotates a drawn board by half a turn, or back. @param {Element} svg @param {number[]} area its edges: left, top, right, bottom */
export function turnRound(svg, [left, top, right, bottom]) {
  for (const square of squares(svg)) {
    const [x, y] = corner(square);
    square.setAttribute("transform", `translate(${left + right - 60 - x} ${top + bottom - 60 - y})`);
  }
  for (const label of svg.querySelectorAll(":scope > text")) {
    const [x, y] = [Number(label.getAttribute("x")), Number(label.getAttribute("y")) - 5];
    // Labels next to the board stay on the same side of it.
    if (x > left && x < right) label.setAttribute("x", String(left + right - x));
    if (y > top && y < bottom) label.setAttribute("y", String(top + bottom - y + 5));
  }
  const round = `rotate(180 ${(left + right) / 2} ${(top + bottom) / 2})`;
  for (const line of svg.querySelectorAll(":scope > .line")) {
    if (line.hasAttribute("transform")) line.removeAttribute("transform");
    else line.setAttribute("transform", round);
  }
}

// --- the board of the page ---------------------------------------------------------------------------

/** @typedef {[string, string, string, number, number]} Look class names, drawing, words, dot, frame */
/** @typedef {[string, string[], string[], number[] | null]} Move text, steps, targets, changes */
/**
 * @typedef {object} Snapshot see `papan.web.board.snapshot`
 * @property {string[]} places @property {Look[]} looks @property {string[]} marks @property {number[]} start
 * @property {[string, number[], string[], string[], number[][]][]} plies @property {Move[]} moves
 * @property {Record<string, string>} says @property {Record<string, string>} words labels of words in moves @property {string} history @property {string} status
 * @property {number} [at] the ply of `moves`; by default the last one
 * @property {string[]} steps @property {string} nothing @property {number[]} area @property {boolean} falls @property {boolean} mine @property {string[]} sides
 * @property {string} kind @property {boolean} going @property {string[]} hint @property {string[]} won
 * @property {Record<string, Worth>} worth by move; empty unless values are shown
 */
/** @typedef {[string, string, string, number]} Worth of a move: in a few signs, words, class names, score */

/** The snapshot of the page; null if no script draws its board. @type {Snapshot} */
export let snap;

export const board = {
  /** The board at each ply. @type {Look[][]} */
  boards: [],
  /** The ply that is shown. */
  ply: 0,
  /** The steps of the move that is being made. @type {string[]} */
  steps: [],
  /** Squares that were clicked early; the clicks wait for the next position. @type {string[]} */
  queue: [],
  /** The user's move that is shown but not confirmed by the server. @type {{ move: Move, after: number, lost: boolean } | null} */
  pending: null,
};

/** Functions of the page: `send` sends a move, `refuse` says that a square cannot be played, `clear` removes that message, `waits` is true if early clicks are kept; a page without a server also has `address`, the address of a ply, and `shown`, called when another ply is shown, or the board is flipped. */
/** @typedef {{ send: (move: Move) => void, refuse: (name: string) => void, clear: () => void, waits: () => boolean, address?: (ply: number) => string, shown?: () => void }} Hooks */
export const hooks = /** @type {Hooks} */ ({});

const svg = () => /** @type {Element} */ (one("#board svg"));
/** The button of a square. @param {string} square */
const cellOf = (square) => one(`.cell[data-square="${CSS.escape(square)}"]`);
export const newest = () => snap.plies.length - 1;
/** The ply at which the user can move. */
export const live = () => snap.at ?? newest();
/** True if the user can move now. */
export const mine = () => Boolean(snap?.mine && !board.pending && board.ply === live());
/** The user's move if it is shown: it is not confirmed yet, and no other ply is shown. */
const waitingMove = () => (board.pending && board.ply === board.pending.after ? board.pending.move : null);

/** Loads a snapshot: by default that of the page, if it has one. @param {boolean} [redrawn] true if the server drew the board @param {Snapshot} [known] */
export function load(redrawn = false, known = undefined) {
  snap = known ?? JSON.parse(one("#snapshot")?.textContent || "null");
  if (redrawn) drawn.clear();
  if (!snap) return;
  board.boards = [snap.start.map((look) => snap.looks[look])];
  for (const [, changes] of snap.plies.slice(1)) board.boards.push(applied(board.boards[board.boards.length - 1], changes));
}

// --- the partial move: the same rules as in `papan.core.moves.Partial` -----------------------------

/** @typedef {{ steps: string[], moves: Move[] }} Begun */

/** @param {string[]} names @returns {Begun} */
function begun(names) {
  let found = { steps: /** @type {string[]} */ ([]), moves: snap.moves };
  for (const name of names) found = after(found, name);
  return found;
}

/** Returns the possible next steps, each with the moves that continue with it. @param {Begun} here @returns {Map<string, Move[]>} */
function following({ steps, moves }) {
  const found = new Map();
  for (const move of moves) {
    const next = move[1].slice(steps.length, steps.length + 1);
    for (const name of new Set([...next, ...(steps.length ? [] : move[2])])) found.set(name, [...(found.get(name) ?? []), move]);
  }
  return found;
}

/** @param {Begun} here @param {string} name @returns {Begun} */
const after = (here, name) => ({ steps: [...here.steps, name], moves: following(here).get(name) ?? [] });

/** @param {string} name */
const isWord = (name) => !snap.places.includes(name);

/** Returns the only move that is left; undefined while several are possible. @param {Begun} here @returns {Move | undefined} */
function settled({ steps, moves }) {
  if (!steps.length || moves.length !== 1) return undefined;
  return steps.length > 1 || moves[0][1].slice(1).every(isWord) ? moves[0] : undefined;
}

/** Returns the partial move after a click: one more step, back to before a chosen step, or a new start; undefined if the click has no meaning. @param {Begun} here @param {string} name */
function touched(here, name) {
  if (following(here).has(name)) return after(here, name);
  if (here.steps.includes(name)) return begun(here.steps.slice(0, here.steps.indexOf(name)));
  const afresh = here.steps.length && following(begun([])).has(name) ? after(begun([]), name) : undefined;
  return afresh && !settled(afresh) ? afresh : undefined;
}

/** Returns the state of each square that can be clicked: `target` or `source`. @param {Begun} here @returns {Map<string, string>} */
function actions(here) {
  const found = new Map();
  if (here.steps.length) {
    for (const [name, state] of actions(begun([]))) if (state === "source") found.set(name, state);
    for (const name of here.steps) found.set(name, "source");
  }
  for (const name of following(here).keys()) {
    const lifts = !here.steps.length && !isWord(name) && !settled(after(here, name));
    found.set(name, lifts && owner(lookAt(name)) ? "source" : "target");
  }
  return found;
}

/** Returns the buttons with words: label, form field, value, and the moves that continue with it. @param {Begun} here @returns {[string, string, string, Move[]][]} */
function words(here) {
  /** @type {[string, string, string, Move[]][]} */
  const found = here.moves.filter((move) => move[1].length === here.steps.length).map((move) => [move[0], "move", move[0], [move]]);
  for (const [name, moves] of following(here)) {
    if (!isWord(name) || (!here.steps.length && moves[0][2].length)) continue;
    const move = settled(after(here, name));
    const label = snap.words[name] ?? name;
    found.push(move ? [label, "move", move[0], [move]] : [label, "step", name, moves]);
  }
  return found;
}

// --- drawing -----------------------------------------------------------------------------------------

/** Returns the board after changes. @param {Look[]} board @param {number[] | null} changes indices of a place and its look, alternating */
function applied(board, changes) {
  const found = [...board];
  for (let i = 0; i < (changes?.length ?? 0); i += 2) found[changes?.[i] ?? 0] = snap.looks[changes?.[i + 1] ?? 0];
  return found;
}

/** Returns the side of the drawn piece; empty without one. @param {Look} look */
const owner = (look) => /class="piece (\w+)/.exec(look[1])?.[1] ?? "";

function shown() {
  const move = waitingMove();
  return move ? applied(board.boards[board.ply], move[3]) : board.boards[board.ply];
}

/** @param {string} name */
const lookAt = (name) => shown()[snap.places.indexOf(name)];

/** Returns the squares whose piece changes sides by a move. @param {Move} move */
function turnedBy([, named, , changes]) {
  const [old, now] = [board.boards[live()], applied(board.boards[live()], changes)];
  return snap.places.filter((name, i) => {
    const [then, by] = [owner(old[i]), owner(now[i])];
    return then && by && then !== by && !named.includes(name);
  });
}

/** Returns the squares in the steps of a move; without any, the squares that it changes. @param {Move} move */
function namedBy([, named, , changes]) {
  const places = named.filter((name) => !isWord(name));
  return places.length ? places : (changes ?? []).filter((_, i) => i % 2 === 0).map((place) => snap.places[place]);
}

/** The drawing of each square; unchanged squares are not drawn again. @type {Map<string, string>} */
const drawn = new Map();

/** Draws the shown ply. @param {boolean} [lively] true to animate the changes */
export function paint(lively = true) {
  const before = lively ? standing(svg()) : null;
  const here = begun(mine() ? board.steps : []);
  if (!mine()) aimed = "";
  const states = mine() ? actions(here) : new Map();
  const [, , last, changed] = snap.plies[board.ply];
  const waiting = waitingMove();
  const dots = new Set([...states].filter(([, state]) => state === "target").map(([name]) => name));
  if (mine() && !board.steps.length && snap.falls) {
    dots.clear();
    for (const move of snap.moves) for (const name of namedBy(["", [], [], move[3]])) dots.add(name);
  }
  /** @type {[string, (name: string) => boolean][]} */
  const kinds = [
    ["last", (name) => (waiting ? namedBy(waiting) : last).includes(name)],
    ["was-turned", (name) => (waiting ? turnedBy(waiting) : changed).includes(name)],
    ["target", (name) => dots.has(name)],
    ["selected", (name) => mine() && board.steps.includes(name)],
    ["won", (name) => board.ply === newest() && !waiting && snap.won.includes(name)],
    ["hint", (name) => mine() && snap.hint.includes(name)],
  ];
  const looks = shown();
  const next = mine() ? following(here) : new Map();
  for (const square of svg().querySelectorAll(":scope > g[data-square]")) {
    const name = square.getAttribute("data-square") ?? "";
    const look = looks[snap.places.indexOf(name)];
    const marks = kinds.filter(([, holds]) => holds(name)).map(([kind]) => kind);
    draw(square, name, look, marks);
    label(name, look, marks, states.get(name) ?? "", worthOf(name, next.get(name) ?? []));
  }
  if (before) animate(svg(), before, snap.falls);
  drawWords(here);
  one("#layer")?.toggleAttribute("hidden", Boolean(board.steps.length || board.pending || board.ply !== live()));
}

/** Returns the value of the best move through a place. In games with falling pieces, a column's value is on the square where the piece lands. @param {string} name @param {Move[]} moves @returns {Worth | undefined} */
function worthOf(name, moves) {
  const meant = snap.falls && !board.steps.length ? moves.filter((move) => namedBy(["", [], [], move[3]]).includes(name)) : moves;
  const known = meant.map(([text]) => snap.worth[text]).filter(Boolean);
  return known.sort((one, other) => other[3] - one[3])[0];
}

/** @param {Element} square @param {string} name @param {Look} look @param {string[]} marks */
function draw(square, name, [names, inner, , dot, frame], marks) {
  const framed = ["selected", "hint", "won"].some((mark) => marks.includes(mark)) ? snap.marks[frame] : "";
  const dotted = marks.includes("target") ? snap.marks[dot] : "";
  const text = inner + framed + dotted;
  square.setAttribute("class", [names, ...marks].join(" "));
  if (drawn.get(name) === text) return;
  const away = pieceOn(square)?.classList.contains("away");
  square.innerHTML = text;
  drawn.set(name, text);
  if (away) pieceOn(square)?.classList.add("away");
}

/** Updates the label, state and value of a square's button. @param {string} name @param {Look} look @param {string[]} marks @param {string} state @param {Worth} [worth] */
function label(name, look, marks, state, worth) {
  const cell = cellOf(name);
  if (!cell) return;
  const word = marks.includes("selected") ? "selected" : state;
  const parts = [name, look[2], marks.includes("last") && snap.says.last, word && snap.says[word], marks.includes("hint") && snap.says.hint, marks.includes("won") && snap.says.won, worth?.[1]];
  cell.ariaLabel = parts.filter(Boolean).join(", ");
  cell.className = `cell ${state}${board.queue.includes(name) ? " queued" : ""}${name === aimed ? " aimed" : ""} ${worth?.[2] ?? ""}`.trimEnd();
  if (worth) cell.dataset.worth = worth[0];
  else delete cell.dataset.worth;
  cell.toggleAttribute("aria-disabled", board.ply !== live());
}

/** Returns the last square among steps; empty without one. @param {string[]} steps */
const lastPlace = (steps) => steps.filter((name) => !isWord(name)).pop() ?? "";

/** Draws the buttons with words: beside the square of the last step during a move, else next to the board. @param {Begun} here */
function drawWords(here) {
  const form = one("#words");
  if (!form) return;
  const aims = /** @type {[string, string, string, Move[]]} */ ([snap.says.play?.replace("{text}", aimed), "step", aimed, []]);
  const buttons = (aimed ? [aims] : mine() ? words(here) : []).map(([text, field, value, moves]) => {
    const button = document.createElement("button");
    [button.className, button.name, button.value, button.textContent, button.title] = ["button small", field, value, text, value];
    const worth = worthOf(value, moves);
    if (worth) [button.dataset.worth, button.title] = worth;
    return button;
  });
  const near = buttons.length && !aimed ? cellOf(lastPlace(here.steps)) : null;
  const told = all("button", form);
  const fresh = told.map((one) => one.title).join() !== buttons.map((one) => one.title).join();
  const hadFocus = form.contains(document.activeElement);
  if (fresh) {
    for (const button of told) button.remove();
    form.append(...buttons);
  }
  form.hidden = !buttons.length;
  form.classList.toggle("beside", Boolean(near));
  form.classList.toggle("aim", Boolean(aimed));
  if (near) placeWords();
  // The keyboard goes where the choice is: to its first button, and back to the board afterwards.
  const onlyWords = near && [...following(here).keys()].every(isWord);
  if (fresh && onlyWords && document.activeElement?.classList.contains("cell")) buttons[0].focus({ preventScroll: true });
  else if (fresh && hadFocus) one('.cell[tabindex="0"]')?.focus({ preventScroll: true });
}

/** Distance of the words from their square, and from the edges of the window, in pixels. */
const WORDS_GAP = 6;

/** Places the words of a move that is being made beside the square of its last step, where they cover the fewest possible next squares. */
function placeWords() {
  const form = one("#words.beside");
  const near = cellOf(lastPlace(board.steps))?.getBoundingClientRect();
  if (!form || !near) return;
  const [width, height] = [form.offsetWidth, form.offsetHeight];
  const [middle, centre] = [near.left + (near.width - width) / 2, near.top + (near.height - height) / 2];
  const targets = all(".cell.target").map((cell) => cell.getBoundingClientRect());
  const spots = [
    [middle, near.top - height - WORDS_GAP],
    [middle, near.bottom + WORDS_GAP],
    [near.right + WORDS_GAP, centre],
    [near.left - width - WORDS_GAP, centre],
  ].map(([left, top]) => {
    const x = Math.max(WORDS_GAP, Math.min(left, innerWidth - width - WORDS_GAP));
    const y = Math.max(WORDS_GAP, Math.min(top, innerHeight - height - WORDS_GAP));
    const covers = (/** @type {DOMRect} */ box) => box.left < x + width && x < box.right && box.top < y + height && y < box.bottom;
    return { x, y, covered: 8 * Number(covers(near)) + targets.filter(covers).length };
  });
  const { x, y } = spots.reduce((best, spot) => (spot.covered < best.covered ? spot : best));
  [form.style.left, form.style.top] = [`${x}px`, `${y}px`];
}

addEventListener("scroll", placeWords, { capture: true, passive: true });
addEventListener("resize", placeWords);

// --- earlier plies ---------------------------------------------------------------------------------------

/** @type {Record<string, () => number>} */
const WAYS = {
  first: () => 0,
  back: () => Math.max(0, board.ply - 1),
  forward: () => Math.min(newest(), board.ply + 1),
  last: () => newest(),
};

/** Returns the ply of a link, or of a step such as `back`. @param {HTMLElement | string} link */
export function plyOf(link) {
  const { ply = "", step = "" } = typeof link === "string" ? { step: link } : link.dataset;
  return ply ? Number(ply) : WAYS[step]();
}

/** Returns the address of a ply of the shown game. @param {number} there */
function addressOf(there) {
  if (hooks.address) return hooks.address(there);
  const address = new URL(one("[data-part]")?.dataset.address ?? location.pathname, location.href);
  address.searchParams.delete("from");
  if (there === newest()) address.searchParams.delete("ply");
  else address.searchParams.set("ply", String(there));
  return address.pathname + address.search;
}

/** Shows another ply. @param {number} there @param {string} [address] */
export function show(there, address = addressOf(there)) {
  board.ply = there;
  board.steps = [];
  history.replaceState(null, "", address);
  paint();
  markPly();
  rove();
  hooks.shown?.();
}

/** Updates the links next to the board for the shown ply. */
export function markPly() {
  for (const link of all(".moves a[data-ply]")) {
    if (Number(link.dataset.ply) === board.ply) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  for (const link of all("a[data-at]")) link.setAttribute("href", (link.getAttribute("href") ?? "").replace(/ply=\d+/, `ply=${board.ply}`));
  for (const link of all("a[data-step]")) {
    const there = plyOf(link);
    link.setAttribute("href", addressOf(there));
    if (there === board.ply) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
  const list = one(".moves");
  const here = one(".moves [aria-current]") ?? list?.lastElementChild;
  if (list && here instanceof HTMLElement) list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
}

/** Returns the squares of each side as text. */
export const inWords = () =>
  ["x", "o"].map((side) => `${snap.says[side]}: ${snap.places.filter((_, i) => owner(shown()[i]) === side).join(", ") || "–"}.`).join(" ");

// --- clicks --------------------------------------------------------------------------------------------

/** Maximum number of waiting clicks. */
const LONGEST_QUEUE = 8;

/** The square that a finger aims at; empty for none. */
let aimed = "";

/** Shows a button that plays a square; returns false if the square cannot be played, or is aimed at already. @param {string} name */
export function aim(name) {
  const fresh = name !== aimed && mine() && cellOf(name)?.classList.contains("target");
  aimed = fresh ? name : "";
  paint(false);
  return Boolean(fresh);
}

/** Handles a click on a square, or on a button with a step. @param {string} name */
export function click(name) {
  aimed = "";
  const found = mine() ? touched(begun(board.steps), name) : undefined;
  if (!found && isSpare(name)) return;
  if (!found) return hooks.waits() && !mine() ? wait(name) : hooks.refuse(name);
  const move = settled(found);
  if (move) return play(move, found.steps);
  board.steps = found.steps;
  hooks.clear();
  paint();
  rove();
}

/** Handles a button next to the board. @param {HTMLButtonElement} button */
export function speak(button) {
  const move = button.name === "move" && snap.moves.find(([text]) => text === button.value);
  if (move && mine()) play(move, move[1]);
  else click(button.value);
}

/** Squares of the last move that its user has not clicked, because only one move was left.
 * @type {string[]} */
let spare = [];

/** True once for each square of a move that was complete before its last click: such a click means the same move. @param {string} name */
function isSpare(name) {
  const index = spare.indexOf(name);
  spare.splice(0, index + 1);
  return index >= 0;
}

/** Keeps a click for the next position; a second click on the same square clears the queue. @param {string} name */
function wait(name) {
  board.queue = board.queue.includes(name) ? [] : [...board.queue, name].slice(0, LONGEST_QUEUE);
  paint();
}

/** Performs the waiting clicks, up to the first one without meaning, which clears the queue. */
export function catchUp() {
  while (board.queue.length && mine()) {
    const [name, ...rest] = board.queue;
    const found = touched(begun(board.steps), name);
    [board.queue, board.steps] = found ? [rest, found.steps] : [[], []];
    const move = found && settled(found);
    if (move) return play(move, found.steps);
  }
}

/** Shows the user's move at once and sends it. @param {Move} move @param {string[]} clicked the steps that the user clicked */
function play(move, clicked) {
  spare = move[1].slice(clicked.length);
  board.pending = { move, after: live(), lost: false };
  board.steps = [];
  hooks.clear();
  paint();
  hooks.send(move);
}

/** Drops the chosen piece and the waiting clicks. */
export function letGo() {
  if (!board.steps.length && !board.queue.length) return;
  [board.steps, board.queue] = [[], []];
  paint();
}

// --- the squares by keyboard and pointer -----------------------------------------------------------------

/** The square that was focused last. */
let current = "";

/** Makes one square a tab stop: the last focused one, else one that can be played. */
export function rove() {
  const cells = all(".cell");
  const here = cells.find((cell) => cell.dataset.square === current) ?? one(".cell.target") ?? one(".cell.source") ?? cells[0];
  for (const cell of cells) cell.tabIndex = cell === here ? 0 : -1;
}

/** Moves the focus with an arrow key; returns false if the key was not pressed on a square. @param {KeyboardEvent} event */
export function steer(event) {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (!cell.classList.contains("cell") || !(event.key in ARROWS)) return false;
  event.preventDefault();
  neighbour(all(".cell"), cell, event.key)?.focus();
  return true;
}

document.addEventListener("focusin", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (!cell.classList?.contains("cell")) return;
  current = cell.dataset.square ?? "";
  rove();
  preview(cell);
});

/** Marks the pieces that the move on a square would turn. @param {Element | null} cell */
function preview(cell) {
  for (const other of all(".cell.turns")) other.classList.remove("turns");
  const name = cell instanceof HTMLElement ? (cell.dataset.square ?? "") : "";
  if (!mine() || !cell?.classList.contains("target")) return;
  const move = settled(after(begun(board.steps), name));
  for (const square of move ? turnedBy(move) : []) cellOf(square)?.classList.add("turns");
}

document.addEventListener("pointerover", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (event.pointerType === "mouse") preview(cell.closest?.(".cell"));
});

// --- dragging a piece --------------------------------------------------------------------------------

/** Distance in pixels after which a press is a drag. */
const THRESHOLD = 6;
/** @type {{ cell: HTMLElement, x: number, y: number, flying: HTMLElement | null } | null} */
let drag = null;
/** True shortly after a drag: browsers then send a click, which must not count as another one. */
let dragged = false;
export const wasDragged = () => dragged;

document.addEventListener("pointerdown", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (event.button === 0 && cell.classList?.contains("source")) drag = { cell, x: event.clientX, y: event.clientY, flying: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const name = drag.cell.dataset.square ?? "";
  if (!drag.flying) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
    if (!board.steps.includes(name)) click(name);
    drag.flying = lift(drag.cell);
  }
  const edge = drag.flying.getBoundingClientRect().width / 2;
  drag.flying.style.transform = `translate(${event.clientX - edge}px, ${event.clientY - edge}px)`;
  const over = cellAt(event);
  for (const cell of all(".cell.over")) cell.classList.remove("over");
  if (over?.classList.contains("target")) over.classList.add("over");
});

for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
  document.addEventListener(end, (event) => {
    const last = drag;
    drag = null;
    if (!last?.flying) return;
    last.flying.remove();
    for (const cell of all(".cell.over")) cell.classList.remove("over");
    dragged = true;
    setTimeout(() => (dragged = false), 50);
    const over = end === "pointerup" ? cellAt(event) : null;
    if (over && over !== last.cell) click(over.dataset.square ?? "");
  });
}

/** Returns a copy of the piece on a square, for following the pointer. @param {HTMLElement} cell */
function lift(cell) {
  const flying = document.createElement("div");
  flying.className = "flying";
  const piece = one(`#board g.square[data-square="${cell.dataset.square}"] g.piece`);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 60 60");
  picture.setAttribute("class", one("#board svg")?.getAttribute("class") ?? "papan-board");
  const edge = String(cell.getBoundingClientRect().width);
  picture.setAttribute("width", edge);
  picture.setAttribute("height", edge);
  if (piece) picture.append(piece.cloneNode(true));
  flying.append(picture);
  document.body.append(flying);
  return flying;
}

/** @param {PointerEvent} event @returns {HTMLElement | null} */
const cellAt = (event) => /** @type {HTMLElement | null} */ (document.elementFromPoint(event.clientX, event.clientY)?.closest(".cell") ?? null);
