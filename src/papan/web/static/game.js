// @ts-check
/**
 * A live game's page. With each position the server sends a snapshot: the boards of all plies and
 * the legal moves with what each changes. So choosing, the own move, earlier plies and turning the
 * board need no answer; the server's word counts, and what it refuses is taken back.
 */

/** @param {string} name @returns {string} the address under which the page has loaded a script */
const script = (name) => /** @type {HTMLScriptElement} */ (document.querySelector(`script[src*="${name}"]`)).src;
/** @type {typeof import("./papan.js")} */
const { ARROWS, FRAGMENT, all, morph, neighbour, one, sound } = await import(script("papan.js"));
/** @type {typeof import("./board.js")} */
const { animate, arrived, standing, turnRound } = await import(script("board.js"));

/** @typedef {[string, string, string, number, number]} Look class names, drawing, words, dot, frame */
/** @typedef {[string, string[], string[], number[] | null]} Move text, steps, touches, changes */
/**
 * @typedef {object} Snapshot see `papan.web.game.snapshot`
 * @property {string[]} places @property {Look[]} looks @property {string[]} marks @property {number[]} start
 * @property {[string, number[], string[], string[], number[][]][]} plies @property {Move[]} moves
 * @property {Record<string, string>} says @property {string} history @property {string} status
 * @property {number[]} area @property {boolean} falls @property {boolean} mine @property {string[]} sides
 * @property {string} kind @property {boolean} going @property {string[]} hint @property {string[]} won
 * @property {Record<string, Worth>} worth by move, if that was asked for
 */
/** @typedef {[string, string, string, number]} Worth of a move: in a few signs, words, class names, score */

const page = () => /** @type {HTMLElement} */ (one("[data-game]"));
const svg = () => /** @type {Element} */ (one("#board svg"));
/** The button of a square. @param {string} square */
const cellOf = (square) => one(`.cell[data-square="${CSS.escape(square)}"]`);

/** @type {Snapshot} */
let snap;
/** The board at each ply. @type {Look[][]} */
let boards = [];
/** The ply that is shown. */
let ply = 0;
/** The steps of the move that is being made. @type {string[]} */
let steps = [];
/** Squares that were clicked too soon: they wait for the next position. @type {string[]} */
let queue = [];
/** The own move that is shown before the server has said yes. @type {{ move: Move, after: number, lost: boolean } | null} */
let pending = null;
/** Whether the board is turned round here. */
let turned = false;

/** The most squares that wait. */
const LONGEST_QUEUE = 8;

const newest = () => snap.plies.length - 1;
const mine = () => snap.mine && !pending && ply === newest();
/** Whether clicks that come too soon are kept: for the answer of a program, or of the server. */
const early = () => snap.going && snap.sides.length > 0 && (snap.kind === "solo" || Boolean(pending && snap.kind === "shared"));

// --- the move that is being made: as `papan.core.moves.Partial` has it -----------------------------

/** @typedef {{ steps: string[], moves: Move[] }} Begun */

/** @param {string[]} names @returns {Begun} */
function begun(names) {
  let found = { steps: /** @type {string[]} */ ([]), moves: snap.moves };
  for (const name of names) found = after(found, name);
  return found;
}

/** The steps that can come next, each with the moves that go on so. @param {Begun} here @returns {Map<string, Move[]>} */
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

/** The move that is meant, as soon as only one is left. @param {Begun} here @returns {Move | undefined} */
function settled({ steps, moves }) {
  if (!steps.length || moves.length !== 1) return undefined;
  return steps.length > 1 || moves[0][1].slice(1).every(isWord) ? moves[0] : undefined;
}

/** What a touch makes of the move: a step more, back before one, or afresh; nothing if it means nothing. @param {Begun} here @param {string} name */
function touched(here, name) {
  if (following(here).has(name)) return after(here, name);
  if (here.steps.includes(name)) return begun(here.steps.slice(0, here.steps.indexOf(name)));
  const afresh = here.steps.length && following(begun([])).has(name) ? after(begun([]), name) : undefined;
  return afresh && !settled(afresh) ? afresh : undefined;
}

/** The state of each square that does something: `target` or `source`. @param {Begun} here @returns {Map<string, string>} */
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

/** Buttons beside the board: [label, field, value]. @param {Begun} here @returns {[string, string, string][]} */
function words(here) {
  /** @type {[string, string, string][]} */
  const found = here.moves.filter((move) => move[1].length === here.steps.length).map(([text]) => [text, "move", text]);
  for (const [name, moves] of following(here)) {
    if (!isWord(name) || (!here.steps.length && moves[0][2].length)) continue;
    const move = settled(after(here, name));
    found.push(move ? [move[0], "move", move[0]] : [name, "step", name]);
  }
  return found;
}

// --- drawing -----------------------------------------------------------------------------------------

/** @param {Look[]} board @param {number[] | null} changes place and look in turn */
function applied(board, changes) {
  const found = [...board];
  for (let i = 0; i < (changes?.length ?? 0); i += 2) found[changes?.[i] ?? 0] = snap.looks[changes?.[i + 1] ?? 0];
  return found;
}

/** Whose piece is drawn, or nothing. @param {Look} look */
const owner = (look) => /class="piece (\w+)/.exec(look[1])?.[1] ?? "";

const shown = () => (pending && ply === newest() ? applied(boards[ply], pending.move[3]) : boards[ply]);

/** @param {string} name */
const lookAt = (name) => shown()[snap.places.indexOf(name)];

/** The squares of a move that change sides by it. @param {Move} move */
function turnedBy([, named, , changes]) {
  const [old, now] = [boards[newest()], applied(boards[newest()], changes)];
  return snap.places.filter((name, i) => {
    const [then, by] = [owner(old[i]), owner(now[i])];
    return then && by && then !== by && !named.includes(name);
  });
}

/** The squares that a move names, or else those that it changes. @param {Move} move */
function namedBy([, named, , changes]) {
  const places = named.filter((name) => !isWord(name));
  return places.length ? places : (changes ?? []).filter((_, i) => i % 2 === 0).map((place) => snap.places[place]);
}

/** What is drawn on each square now: not drawn again if it is the same. @type {Map<string, string>} */
const drawn = new Map();

/** Draws the board as it is to be. @param {boolean} [lively] what has changed is set in motion */
function paint(lively = true) {
  const before = lively && drawn.size ? standing(svg()) : null;
  const here = begun(mine() ? steps : []);
  const states = mine() ? actions(here) : new Map();
  const [, , last, changed] = snap.plies[ply];
  const waiting = pending && ply === newest() ? pending.move : null;
  const dots = new Set([...states].filter(([, state]) => state === "target").map(([name]) => name));
  if (mine() && !steps.length && snap.falls) {
    dots.clear();
    for (const move of snap.moves) for (const name of namedBy(["", [], [], move[3]])) dots.add(name);
  }
  /** @type {[string, (name: string) => boolean][]} */
  const kinds = [
    ["last", (name) => (waiting ? namedBy(waiting) : last).includes(name)],
    ["was-turned", (name) => (waiting ? turnedBy(waiting) : changed).includes(name)],
    ["target", (name) => dots.has(name)],
    ["selected", (name) => mine() && steps.includes(name)],
    ["won", (name) => ply === newest() && !pending && snap.won.includes(name)],
    ["hint", (name) => mine() && snap.hint.includes(name)],
  ];
  const board = shown();
  const next = mine() ? following(here) : new Map();
  for (const square of svg().querySelectorAll(":scope > g[data-square]")) {
    const name = square.getAttribute("data-square") ?? "";
    const look = board[snap.places.indexOf(name)];
    const marks = kinds.filter(([, holds]) => holds(name)).map(([kind]) => kind);
    draw(square, name, look, marks);
    label(name, look, marks, states.get(name) ?? "", worthOf(name, next.get(name) ?? []));
  }
  if (before) animate(svg(), before, snap.falls);
  say(here);
}

/** The worth of the best move that goes on with a place; of a column, on the place where the piece will lie. @param {string} name @param {Move[]} moves @returns {Worth | undefined} */
function worthOf(name, moves) {
  const meant = snap.falls && !steps.length ? moves.filter((move) => namedBy(["", [], [], move[3]]).includes(name)) : moves;
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
  const away = square.querySelector(":scope > .piece.away");
  square.innerHTML = text;
  drawn.set(name, text);
  if (away) square.querySelector(":scope > .piece")?.classList.add("away");
}

/** Makes a square's button say and do what is meant by it now. @param {string} name @param {Look} look @param {string[]} marks @param {string} state @param {Worth} [worth] */
function label(name, look, marks, state, worth) {
  const cell = cellOf(name);
  if (!cell) return;
  const word = marks.includes("selected") ? "selected" : state;
  const parts = [name, look[2], marks.includes("last") && snap.says.last, word && snap.says[word], marks.includes("hint") && snap.says.hint, marks.includes("won") && snap.says.won, worth?.[1]];
  cell.ariaLabel = parts.filter(Boolean).join(", ");
  cell.className = `cell ${state}${queue.includes(name) ? " queued" : ""} ${worth?.[2] ?? ""}`.trimEnd();
  if (worth) cell.dataset.worth = worth[0];
  else delete cell.dataset.worth;
  cell.toggleAttribute("aria-disabled", ply !== newest());
}

/** Puts what can be said beside the board. @param {Begun} here */
function say(here) {
  const form = one("#words");
  if (!form) return;
  const buttons = (mine() ? words(here) : []).map(([text, field, value]) => {
    const button = document.createElement("button");
    [button.className, button.name, button.value, button.textContent] = ["button small", field, value, text];
    return button;
  });
  const told = all("button", form);
  if (told.map((one) => one.textContent).join() === buttons.map((one) => one.textContent).join()) return;
  for (const button of told) button.remove();
  form.append(...buttons);
  form.hidden = !buttons.length;
}

/** Shows what belongs to the ply beside the board. */
function tell() {
  const here = snap.plies[ply];
  page().dataset.ply = String(ply);
  const status = one("#status");
  const text = snap.history.replace("{ply}", String(ply)).replace("{plies}", String(newest()));
  if (status) status.textContent = ply === newest() ? snap.status : text;
  document.title = `${snap.status} ${one("#heading")?.textContent}`;
  for (const link of all("#moves a[data-ply]")) {
    if (Number(link.dataset.ply) === ply) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
  }
  for (const link of all("a[data-at]")) link.setAttribute("href", (link.getAttribute("href") ?? "").replace(/ply=\d+/, `ply=${ply}`));
  for (const link of all("a[data-step]")) {
    const there = WAYS[link.dataset.step ?? ""]();
    link.setAttribute("href", addressOf(there));
    if (there === ply) link.setAttribute("aria-disabled", "true");
    else link.removeAttribute("aria-disabled");
  }
  ["#plate-x .number", "#plate-o .number", ".title .hint strong"].forEach((selector, i) => {
    all(selector).forEach((number, j) => (number.textContent = String(here[4][i][j] ?? "")));
  });
  const over = ply === newest() && page().dataset.over;
  for (const side of ["x", "o"]) {
    const turn = !over && here[0] === side;
    one(`#plate-${side}`)?.classList.toggle("turn", turn);
    one(`#plate-${side} .badge.on`)?.toggleAttribute("hidden", !turn);
  }
  one(".table")?.classList.toggle("turned", turned);
  if (turned) one(".table")?.classList.toggle("flipped", !page().dataset.flipped);
  scrollMoves();
}

function scrollMoves() {
  const list = one("#moves");
  const here = one("#moves [aria-current]") ?? list?.lastElementChild;
  if (list instanceof HTMLElement && here instanceof HTMLElement) {
    list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

// --- history: all of it is here ----------------------------------------------------------------------

/** @type {Record<string, () => number>} */
const WAYS = {
  first: () => 0,
  back: () => Math.max(0, ply - 1),
  forward: () => Math.min(newest(), ply + 1),
  last: newest,
};

/** @param {number} there */
const addressOf = (there) => `${page().dataset.address}${there === newest() ? "" : `?ply=${there}`}`;

/** Shows another ply. @param {number} there */
function goTo(there) {
  if (there === ply) return;
  ply = there;
  steps = [];
  history.replaceState(null, "", addressOf(ply));
  paint();
  tell();
  rove();
}

/** Turns the board round. */
function flip() {
  turned = !turned;
  turnRound(svg(), snap.area);
  const form = one("form.cells");
  form?.append(...all(".cell", form).reverse());
  one(".table")?.classList.toggle("flipped", turned === !page().dataset.flipped);
  tell();
}

// --- playing -----------------------------------------------------------------------------------------

/** A square was touched, or a word said. @param {string} name */
function touch(name) {
  if (ply !== newest()) return goTo(newest());
  if (!mine()) return early() ? wait(name) : void refuse(name);
  const found = touched(begun(steps), name);
  if (!found) return void refuse(name);
  const move = settled(found);
  if (move) return play(move);
  steps = found.steps;
  notice("");
  paint();
  rove();
}

/** Keeps a click for the next position; on a square that waits already, lets all go. @param {string} name */
function wait(name) {
  queue = queue.includes(name) ? [] : [...queue, name].slice(0, LONGEST_QUEUE);
  paint();
}

/** Makes the clicks that have waited, as far as they mean something. */
function catchUp() {
  while (queue.length && mine()) {
    const [name, ...rest] = queue;
    const found = touched(begun(steps), name);
    [queue, steps] = found ? [rest, found.steps] : [[], []];
    const move = found && settled(found);
    if (move) return play(move);
  }
  if (!snap.going) queue = [];
}

/** Shows the own move at once, and sends it. @param {Move} move */
function play(move) {
  pending = { move, after: newest(), lost: false };
  steps = [];
  notice("");
  paint();
  sound("move");
  post();
}

/** Sends the move that is shown already. */
function post() {
  if (!pending) return;
  const body = { ply: String(pending.after), move: pending.move[0] };
  return ask(movesTo(), { method: "POST", body: new URLSearchParams(body) });
}

/** Asks the server why nothing can be done there. @param {string} name */
function refuse(name) {
  const body = new URLSearchParams({ ply: String(newest()), from: steps.join(), step: name });
  return ask(movesTo(), { method: "POST", body });
}

const movesTo = () => /** @type {HTMLFormElement} */ (one("form.cells")).action;

/** Lets go of a chosen piece, and of clicks that wait. */
function letGo() {
  if (!steps.length && !queue.length) return;
  [steps, queue] = [[], []];
  paint();
}

// --- the server --------------------------------------------------------------------------------------

/** Asks for a page of ours and shows it. @param {string} address @param {RequestInit} [init] */
async function ask(address, init = {}) {
  let response, text;
  try {
    response = await fetch(address, { ...init, headers: { ...FRAGMENT, ...init.headers } });
    text = await response.text();
  } catch {
    if (pending) pending.lost = true;
    notice(page().dataset.offline ?? "");
    lost(true);
    return;
  }
  if (response.redirected && !new URL(response.url).pathname.startsWith(page().dataset.address ?? "?")) {
    location.href = response.url;
    return;
  }
  show(text, !response.ok);
}

/** Shows a fragment of the page. @param {string} html @param {boolean} [refused] what was sent is taken back */
function show(html, refused = false) {
  const found = new DOMParser().parseFromString(html, "text/html");
  const fresh = /** @type {HTMLElement | null} */ (found.querySelector("[data-game]"));
  if (!fresh) {
    pending = null;
    paint();
    return notice(found.querySelector("[data-text]")?.textContent ?? html.slice(0, 200));
  }
  if (Number(fresh.dataset.version) < Number(page().dataset.version)) return;
  if (refused) pending = null;
  const was = { ...page().dataset };
  morph(page(), fresh);
  read(was);
}

/** Takes in the snapshot of the page. @param {DOMStringMap} [was] what the page said before */
function read(was) {
  const followed = !was || ply === newest();
  const before = was ? newest() : -1;
  snap = JSON.parse(one("#snapshot")?.textContent ?? "");
  boards = [snap.start.map((look) => snap.looks[look])];
  for (const [, changes] of snap.plies.slice(1)) boards.push(applied(boards[boards.length - 1], changes));
  if (newest() !== before) steps = [];
  const played = pending && newest() > pending.after;
  if (pending && newest() !== pending.after) pending = null;
  ply = was ? (followed ? newest() : Math.min(ply, newest())) : Number(page().dataset.ply);
  paint(Boolean(was));
  tell();
  if (was) heard(was, Boolean(played));
  catchUp();
  paint();
  rove();
  tick();
}

/** @param {DOMStringMap} was @param {boolean} played the own move was heard already */
function heard(was, played) {
  const now = page().dataset;
  const more = Number(now.plies) - Number(was.plies);
  if (more && !(played && more === 1)) sound(more > 0 ? "move" : "undo");
  if (now.over && !was.over) announce();
  if (!now.over) winner().close();
  if (one("#notice")?.textContent) sound("no");
}

const winner = () => /** @type {HTMLDialogElement} */ (one("#winner"));

/** Names the winner in a dialog, once the last piece has arrived. */
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

/** Says that the connection is lost, or no more. @param {boolean} gone */
function lost(gone) {
  one("#lost")?.toggleAttribute("hidden", !gone);
}

/** Waits between attempts to connect again, in milliseconds. */
const PATIENCE = [500, 1000, 2000, 5000];

/** @param {number} failures */
function listen(failures = 0) {
  const address = new URL(page().dataset.live ?? "", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("version", page().dataset.version ?? "");
  const socket = new WebSocket(address);
  let tries = failures;
  socket.addEventListener("open", () => {
    tries = 0;
    if (one("#lost:not([hidden])")) notice("");
    lost(false);
    if (pending?.lost) {
      pending.lost = false;
      post();
    }
  });
  socket.addEventListener("message", (event) => show(String(event.data)));
  socket.addEventListener("close", (event) => {
    if (event.code === 1008) return;
    lost(true);
    setTimeout(() => listen(tries + 1), PATIENCE[Math.min(tries, PATIENCE.length - 1)]);
  });
}

// --- hands: forms, links, keys -----------------------------------------------------------------------

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form.closest("[data-game]") || form.method !== "post") return;
  event.preventDefault();
  form.closest("details")?.removeAttribute("open");
  if (button?.classList.contains("cell")) return dragged ? undefined : touch(button.dataset.square ?? "");
  if (form.id === "words" && button) return speak(button);
  button?.setAttribute("aria-busy", "true");
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  ask(form.action, { method: "POST", body }).finally(() => button?.removeAttribute("aria-busy"));
});

/** @param {HTMLButtonElement} button */
function speak(button) {
  const move = button.name === "move" && snap.moves.find(([text]) => text === button.value);
  if (move && mine()) play(move);
  else touch(button.value);
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLElement | null} */ (target.closest("a[data-ply], a[data-step]"));
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    goTo(link.dataset.ply ? Number(link.dataset.ply) : WAYS[link.dataset.step ?? ""]());
  }
  if (target.closest("[data-no]")) event.preventDefault();
  if (target.closest("[data-flip]")) flip();
  for (const open of all("details[data-confirm][open]")) {
    if (!open.contains(target) || target.closest("[data-no]")) open.removeAttribute("open");
  }
});

/** Leaves one square in the order of Tab: the focused one, or the last one that was. */
let current = "";

function rove() {
  const cells = all(".cell");
  const here = cells.find((cell) => cell.dataset.square === current) ?? one(".cell.target") ?? one(".cell.source") ?? cells[0];
  for (const cell of cells) cell.tabIndex = cell === here ? 0 : -1;
}

document.addEventListener("focusin", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (!cell.classList?.contains("cell")) return;
  current = cell.dataset.square ?? "";
  rove();
  preview(cell);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, textarea, select") || one("dialog:modal")) return;
  const onBoard = target.classList.contains("cell");
  if (event.key === "Escape") letGo();
  else if (onBoard && event.key in ARROWS) {
    event.preventDefault();
    neighbour(all(".cell"), target, event.key)?.focus();
  } else if (event.key in KEYS && (event.key.length === 1 || !onBoard)) {
    event.preventDefault();
    KEYS[event.key](target);
  }
});

/** What keys do. @type {Record<string, (target: Element) => void>} */
const KEYS = {
  "[": () => goTo(WAYS.back()),
  "]": () => goTo(WAYS.forward()),
  ArrowLeft: () => goTo(WAYS.back()),
  ArrowRight: () => goTo(WAYS.forward()),
  Home: () => goTo(0),
  End: () => goTo(newest()),
  f: flip,
  h: () => one("[data-action=hint]:enabled")?.click(),
  u: () => one("[data-action=undo]:enabled")?.click(),
  "?": () => /** @type {HTMLDialogElement | null} */ (one("#keys"))?.showModal(),
};

// --- what a move would turn --------------------------------------------------------------------------

/** @param {Element | null} cell */
function preview(cell) {
  for (const other of all(".cell.turns")) other.classList.remove("turns");
  const name = cell instanceof HTMLElement ? cell.dataset.square ?? "" : "";
  if (!mine() || !cell?.classList.contains("target")) return;
  const move = settled(after(begun(steps), name));
  for (const square of move ? turnedBy(move) : []) cellOf(square)?.classList.add("turns");
}

document.addEventListener("pointerover", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (event.pointerType === "mouse") preview(cell.closest?.(".cell"));
});

// --- dragging a piece --------------------------------------------------------------------------------

/** The pointer moves so far before a press is a drag, in pixels. */
const THRESHOLD = 6;
/** @type {{ cell: HTMLElement, x: number, y: number, flying: HTMLElement | null } | null} */
let drag = null;
/** Whether the click that follows is the end of a drag. */
let dragged = false;

document.addEventListener("pointerdown", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (event.button === 0 && cell.classList?.contains("source")) drag = { cell, x: event.clientX, y: event.clientY, flying: null };
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  const name = drag.cell.dataset.square ?? "";
  if (!drag.flying) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
    if (!steps.includes(name)) touch(name);
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
    if (over && over !== last.cell) touch(over.dataset.square ?? "");
  });
}

/** A copy of the piece on a square that follows the pointer. @param {HTMLElement} cell */
function lift(cell) {
  const flying = document.createElement("div");
  flying.className = "flying";
  const piece = one(`#board g.square[data-square="${cell.dataset.square}"] g.piece`);
  const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  picture.setAttribute("viewBox", "0 0 60 60");
  picture.setAttribute("class", "papan-board");
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

// --- clocks ------------------------------------------------------------------------------------------

/** @type {number | undefined} */
let ticking;
/** When the clocks were last told by the server. */
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

/** Tells how long the program is still compiled. */
function drawPreparation() {
  const bar = /** @type {HTMLProgressElement | null} */ (one("#preparing")), status = one("#status");
  if (!bar || !status || ply !== newest()) return;
  const left = Math.max(1, Number(bar.dataset.left) - (performance.now() - told) / 1000);
  bar.value = bar.max - left;
  status.textContent = (bar.dataset.says ?? "").replace("{seconds}", String(Math.ceil(left)));
}

read();
listen();

export {};
