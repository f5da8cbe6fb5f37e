// @ts-check
/**
 * What the pages do with script. Everything works without it: forms and links. With it, the same
 * forms and links are asked for in the background, and only what has changed is put in place, so
 * that focus, scrolling and animation survive. The server renders all HTML.
 */

const FRAGMENT = { "Papan-Fragment": "1" };
const root = document.documentElement;

/** @template {Element} [T=HTMLElement] @param {string} selector @param {ParentNode} within @returns {T | null} */
function one(selector, within = document) {
  return /** @type {T | null} */ (within.querySelector(selector));
}

/** @param {string} selector @param {ParentNode} within @returns {HTMLElement[]} */
function all(selector, within = document) {
  return /** @type {HTMLElement[]} */ ([...within.querySelectorAll(selector)]);
}

// --- putting new HTML in place -------------------------------------------------------------------

/** Attributes that belong to the page at hand, not to the server. */
const OURS = new Set(["tabindex", "open"]);

/**
 * Makes `old` equal to `fresh` and keeps every node that can stay.
 * @param {Element} old
 * @param {Element} fresh
 */
function morph(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OURS.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (!OURS.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLInputElement && old !== document.activeElement) {
    old.value = fresh.getAttribute("value") ?? "";
  }
  const rest = [...old.childNodes];
  let next = 0;
  for (const child of [...fresh.childNodes]) {
    const found = match(rest, next, child);
    if (found < 0) {
      old.insertBefore(child, rest[next] ?? null);
      continue;
    }
    while (next < found) rest[next++].remove();
    const kept = rest[next++];
    if (kept instanceof Element) morph(kept, /** @type {Element} */ (child));
    else if (kept.nodeValue !== child.nodeValue) kept.nodeValue = child.nodeValue;
  }
  while (next < rest.length) rest[next++].remove();
}

/**
 * The place of the first old node that can become `child`, or −1.
 * @param {ChildNode[]} rest @param {number} from @param {ChildNode} child
 */
function match(rest, from, child) {
  const id = child instanceof Element ? child.id : "";
  for (let i = from; i < rest.length; i++) {
    const node = rest[i];
    if (node.nodeName !== child.nodeName) {
      if (!id) return -1;
      continue;
    }
    if (!(node instanceof Element) || node.id === id) return i;
    if (!id) return -1;
  }
  return -1;
}

/** The button of a square. @param {string} square @returns {HTMLElement | null} */
const cellOf = (square) => one(`.cell[data-square="${CSS.escape(square)}"]`);

// --- the game page ---------------------------------------------------------------------------------

/** @returns {HTMLElement | null} */
const game = () => one("[data-game]");

/** Which side stands on each square now, to see what a change has done. @returns {Map<string, string>} */
function pieces() {
  const found = new Map();
  for (const group of all("#board g.square")) {
    const piece = one("g.piece", group);
    found.set(group.dataset.square, piece ? (piece.classList.contains("x") ? "x" : "o") : "");
  }
  return found;
}

/** The newest number of a fragment that was asked for: answers that come late are left out. */
let asked = 0;

/**
 * Shows a fragment of the game page.
 * @param {string} html
 * @param {{ focus?: string, held?: Element | null }} [how] the square that gets the focus, if it is
 *     still where it was when the page was asked for
 */
function show(html, how = {}) {
  const old = game();
  const fresh = /** @type {HTMLElement | null} */ (
    new DOMParser().parseFromString(html, "text/html").querySelector("[data-game]")
  );
  if (!old || !fresh) return;
  const before = pieces();
  const was = { ...old.dataset };
  morph(old, fresh);
  animate(before);
  forgetPreviews();
  const stayed = document.activeElement === how.held || document.activeElement === document.body;
  if (how.focus && stayed) cellOf(how.focus)?.focus();
  afterChange(was);
}

/** @param {Map<string, string>} before */
function animate(before) {
  for (const group of all("#board g.square")) {
    const piece = one("g.piece", group);
    const then = before.get(group.dataset.square ?? "");
    piece?.classList.remove("turned-now", "new-now");
    if (!piece || then === undefined) continue;
    const now = piece.classList.contains("x") ? "x" : "o";
    if (then && then !== now) piece.classList.add("turned-now");
    else if (!then) piece.classList.add("new-now");
  }
}

/** @param {DOMStringMap} was */
function afterChange(was) {
  const now = game()?.dataset;
  if (!now) return;
  if (now.plies !== was.plies && now.ply === now.plies) sound(Number(now.plies) > Number(was.plies) ? "move" : "undo");
  if (now.over && !was.over) sound("end");
  if (one("#notice")?.textContent) sound("no");
  rove();
  announceResult();
  scrollMoves();
  tick();
}

/** Asks for a page of ours and shows it. @param {string} address @param {RequestInit} [init] @param {{ focus?: string, keep?: boolean }} [how] */
async function ask(address, init = {}, how = {}) {
  const number = ++asked;
  const held = document.activeElement;
  let response;
  try {
    response = await fetch(address, { ...init, headers: { ...FRAGMENT, ...init.headers } });
  } catch {
    notice(game()?.dataset.offline ?? "");
    return;
  }
  const text = await response.text();
  if (number !== asked) return;
  if (response.redirected && !new URL(response.url).pathname.startsWith(game()?.dataset.address ?? "?")) {
    location.href = response.url;
    return;
  }
  const problem = new DOMParser().parseFromString(text, "text/html").querySelector("[data-sorry] [data-text]");
  if (problem || !text.includes("data-game")) notice(problem?.textContent ?? text.slice(0, 200));
  else show(text, { ...how, held });
}

/** @param {string} text */
function notice(text) {
  const place = one("#notice");
  if (place) place.textContent = text;
  if (text) sound("no");
}

/** Sends a form in the background. @param {HTMLFormElement} form @param {HTMLElement | null} button */
function send(form, button) {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) body.append(name, String(value));
  if (button instanceof HTMLButtonElement && button.name) body.set(button.name, button.value);
  const square = button?.dataset.square;
  button?.setAttribute("aria-busy", "true");
  return ask(form.action, { method: "POST", body }, { focus: square }).finally(() => button?.removeAttribute("aria-busy"));
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!form.closest("[data-game]") || form.method !== "post") return;
  event.preventDefault();
  form.closest("details")?.removeAttribute("open");
  if (dragged) return;
  send(form, /** @type {HTMLElement | null} */ (event.submitter));
});

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest("a[data-ply], a[data-step]"));
  if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    goTo(link.href);
  }
  if (target.matches(".cell[aria-disabled]")) travel("last");
  for (const open of all("details[data-confirm][open]")) {
    if (!open.contains(target)) open.removeAttribute("open");
  }
});

/** Shows another ply of the game. @param {string} address */
function goTo(address) {
  history.replaceState(null, "", address);
  return ask(address);
}

// --- the board by keyboard: one stop of the Tab key, arrows inside ---------------------------------

/** Leaves one square in the order of Tab: the focused one, or the last one that was. */
let current = "";

function rove() {
  const cells = all(".cell");
  if (!cells.length) return;
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

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A way aside counts so many times as much as one ahead, when the next square is looked for. */
const ASIDE = 3;

/**
 * The square that an arrow key leads to: the nearest one ahead, on a board of any shape.
 * @param {HTMLElement[]} cells @param {HTMLElement} cell @param {string} key @returns {HTMLElement | undefined}
 */
function neighbour(cells, cell, key) {
  const [dx, dy] = ARROWS[key];
  const [x, y] = middle(cell);
  const found = [];
  for (const other of cells) {
    const [right, down] = [middle(other)[0] - x, middle(other)[1] - y];
    const ahead = right * dx + down * dy;
    const aside = Math.abs(right * dy) + Math.abs(down * dx);
    if (ahead > 1 && aside < 2 * ahead) found.push({ other, way: ahead + ASIDE * aside });
  }
  return found.sort((a, b) => a.way - b.way)[0]?.other;
}

/** @param {Element} thing @returns {[number, number]} */
function middle(thing) {
  const box = thing.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

document.addEventListener("keydown", (event) => {
  const page = game();
  if (!page || event.ctrlKey || event.metaKey || event.altKey) return;
  const target = /** @type {HTMLElement} */ (event.target);
  if (target.matches("input, textarea, select") || one("dialog:modal")) return;
  if (target.classList.contains("cell")) {
    if (event.key in ARROWS) {
      event.preventDefault();
      neighbour(all(".cell"), target, event.key)?.focus();
    } else if (event.key === "Escape") letGo();
  } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
    event.preventDefault();
    travel(event.key === "ArrowLeft" ? "back" : "forward");
  }
  if (event.key === "[" || event.key === "]") travel(event.key === "[" ? "back" : "forward");
  if (event.key === "Home" && target.closest(".moves")) travel("first");
  if (event.key === "End" && target.closest(".moves")) travel("last");
});

/** @param {string} where */
function travel(where) {
  const link = /** @type {HTMLAnchorElement | null} */ (one(`a[data-step="${where}"]`));
  if (link && !link.hasAttribute("aria-disabled")) goTo(link.href);
}

/** Lets go of a chosen piece. */
function letGo() {
  if (one("#board .selected")) ask(game()?.dataset.address ?? "", {}, { focus: current });
}

// --- what a move would turn ------------------------------------------------------------------------

/** @type {Promise<{ ply: number, moves: Record<string, string[]> }> | null} */
let previewing = null;

function forgetPreviews() {
  previewing = null;
  unpreview();
}

function unpreview() {
  for (const cell of all(".cell.turns")) cell.classList.remove("turns");
}

/** @param {HTMLElement} cell */
async function preview(cell) {
  const page = game();
  unpreview();
  if (!page || page.dataset.mine !== "yes" || !cell.classList.contains("target")) return;
  previewing ??= fetch(page.dataset.previews ?? "").then((response) => response.json());
  const found = await previewing.catch(() => null);
  if (!found || String(found.ply) !== game()?.dataset.plies) return;
  if (!cell.matches(":hover, :focus")) return;
  unpreview();
  for (const square of found.moves[/** @type {HTMLButtonElement} */ (cell).value] ?? []) {
    cellOf(square)?.classList.add("turns");
  }
}

document.addEventListener("pointerover", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (event.pointerType === "mouse" && cell.classList?.contains("cell")) preview(cell);
});
document.addEventListener("pointerout", (event) => {
  if (/** @type {HTMLElement} */ (event.target).classList?.contains("cell")) unpreview();
});

// --- dragging a piece --------------------------------------------------------------------------------

/** The pointer moves so far before a press is a drag, in pixels. */
const THRESHOLD = 6;
/** @type {{ cell: HTMLButtonElement, x: number, y: number, flying: HTMLElement | null, from: string } | null} */
let drag = null;
/** Whether the click that follows is the end of a drag. */
let dragged = false;

document.addEventListener("pointerdown", (event) => {
  const cell = /** @type {HTMLButtonElement} */ (event.target);
  if (event.button === 0 && cell.classList?.contains("source")) {
    drag = { cell, x: event.clientX, y: event.clientY, flying: null, from: chosen(cell.form) };
  }
});

document.addEventListener("pointermove", (event) => {
  if (!drag) return;
  if (!drag.flying) {
    if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < THRESHOLD) return;
    drag.flying = lift(drag.cell);
    const held = drag.from.split(",").includes(drag.cell.dataset.square ?? "");
    if (drag.cell.form && !held) send(drag.cell.form, drag.cell);
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
    if (over && over.dataset.square !== last.cell.dataset.square) drop(last.cell, over);
  });
}

/** The steps of the move that is being made. @param {HTMLFormElement | null} form */
const chosen = (form) => /** @type {HTMLInputElement | null} */ (form?.elements.namedItem("from"))?.value ?? "";

/** Ends a drag on a square: the second step of a move, if the piece may go there. @param {HTMLButtonElement} from @param {HTMLButtonElement} to */
function drop(from, to) {
  const form = to.form;
  if (!form) return;
  const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  body.set("from", from.dataset.square ?? "");
  body.set("step", to.dataset.square ?? "");
  ask(form.action, { method: "POST", body }, { focus: to.dataset.square });
}

/** A copy of the piece on a square that follows the pointer. @param {HTMLElement} cell */
function lift(cell) {
  const flying = document.createElement("div");
  flying.className = "flying";
  const piece = one(`#board g.square[data-square="${cell.dataset.square}"] g.piece`);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 60 60");
  svg.setAttribute("class", "papan-board");
  const edge = cell.getBoundingClientRect().width;
  svg.setAttribute("width", String(edge));
  svg.setAttribute("height", String(edge));
  if (piece) svg.append(piece.cloneNode(true));
  flying.append(svg);
  document.body.append(flying);
  return flying;
}

/** @param {PointerEvent} event @returns {HTMLButtonElement | null} */
function cellAt(event) {
  const found = document.elementFromPoint(event.clientX, event.clientY);
  return /** @type {HTMLButtonElement | null} */ (found?.closest(".cell") ?? null);
}

// --- news from the server ----------------------------------------------------------------------------

/** Waits between attempts to connect again, in milliseconds. */
const PATIENCE = [500, 1000, 2000, 5000];

/** @param {number} failures */
function listen(failures = 0) {
  const page = game();
  if (!page?.dataset.live) return;
  const address = new URL(page.dataset.live, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  address.searchParams.set("version", page.dataset.version ?? "");
  const socket = new WebSocket(address);
  let tries = failures;
  socket.addEventListener("open", () => (tries = 0));
  socket.addEventListener("message", (event) => receive(String(event.data)));
  socket.addEventListener("close", (event) => {
    if (event.code === 1008) return;
    setTimeout(() => listen(tries + 1), PATIENCE[Math.min(tries, PATIENCE.length - 1)]);
  });
}

/** @param {string} html */
function receive(html) {
  const page = game();
  const version = Number(/data-version="(\d+)"/.exec(html)?.[1]);
  if (!page || drag || version < Number(page.dataset.version)) return;
  const browsing = page.dataset.ply !== page.dataset.plies;
  const choosing = one("#board .selected") && version === Number(page.dataset.version);
  if (browsing) ask(location.href);
  else if (!choosing && version !== Number(page.dataset.version)) show(html);
}

// --- clocks, results, lists --------------------------------------------------------------------------

/** @type {number | undefined} */
let ticking;
/** When the clocks were last told by the server. */
let told = 0;

function tick() {
  clearInterval(ticking);
  told = performance.now();
  if (one("[data-ticking]")) ticking = setInterval(drawClocks, 200);
}

function drawClocks() {
  for (const clock of all("[data-ticking]")) {
    const left = Math.max(0, Number(clock.dataset.left) - (performance.now() - told) / 1000);
    clock.textContent = left < 10 ? `0:${left.toFixed(1).padStart(4, "0")}` : `${Math.floor(left / 60)}:${String(Math.floor(left % 60)).padStart(2, "0")}`;
    clock.classList.toggle("low", left < 20);
  }
}

/** Shows who has won, once for each result. */
function announceResult() {
  const box = /** @type {HTMLDialogElement | null} */ (one("#result"));
  if (!box || box.matches(":modal")) return;
  const seen = `papan-${box.dataset.result}`;
  box.close();
  if (sessionStorage.getItem(seen)) return;
  sessionStorage.setItem(seen, "1");
  box.showModal();
}

function scrollMoves() {
  const list = one("#moves");
  const here = one("#moves [aria-current]") ?? list?.lastElementChild;
  if (list instanceof HTMLElement && here instanceof HTMLElement) {
    list.scrollTop = here.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
}

// --- sound: short tones, no files ----------------------------------------------------------------------

/** What is heard: frequencies in hertz, one after the other. */
const TONES = { move: [392], undo: [330], no: [196, 185], end: [392, 494, 587] };
/** @type {AudioContext | null} */
let audio = null;

/** @param {keyof typeof TONES} name */
function sound(name) {
  if (root.dataset.sound !== "on" || !navigator.userActivation?.hasBeenActive) return;
  audio ??= new AudioContext();
  TONES[name].forEach((frequency, order) => tone(/** @type {AudioContext} */ (audio), frequency, order * 0.11));
}

/** @param {AudioContext} context @param {number} frequency @param {number} delay */
function tone(context, frequency, delay) {
  const [voice, volume] = [context.createOscillator(), context.createGain()];
  const start = context.currentTime + delay;
  voice.type = "triangle";
  voice.frequency.value = frequency;
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(0.12, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.16);
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + 0.18);
}

// --- splash, options, invitation -----------------------------------------------------------------------

function watchSplash() {
  const splash = /** @type {HTMLElement | null} */ (one("[data-splash]"));
  if (!splash) return;
  const bar = /** @type {HTMLProgressElement | null} */ (one("progress", splash));
  const events = new EventSource(splash.dataset.events ?? "");
  const leave = () => {
    events.close();
    splash.classList.add("gone");
    splash.inert = true;
  };
  events.addEventListener("message", (event) => {
    const { done, steps } = JSON.parse(event.data);
    if (bar && steps) [bar.max, bar.value] = [steps, done];
    if (done >= steps) setTimeout(leave, 350);
  });
  one("[data-splash-skip]", splash)?.addEventListener("click", leave);
  splash.addEventListener("keydown", (event) => event.key === "Escape" && leave());
}

function watchOptions() {
  const form = /** @type {HTMLFormElement | null} */ (one("[data-autosubmit]"));
  form?.addEventListener("change", async (event) => {
    const choice = /** @type {HTMLInputElement} */ (event.target);
    const body = new URLSearchParams(/** @type {any} */ (new FormData(form)));
    const response = await fetch(form.action, { method: "POST", body });
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const { name, value } of fresh.documentElement.attributes) root.setAttribute(name, value);
    morph(document.body, fresh.body);
    for (const radio of all("input[type=radio]")) {
      /** @type {HTMLInputElement} */ (radio).checked = radio.hasAttribute("checked");
    }
    one(`input[name="${choice.name}"]:checked`)?.focus();
  });
}

function watchInvitation() {
  document.addEventListener("focusin", (event) => {
    const field = /** @type {HTMLElement} */ (event.target);
    if (field instanceof HTMLInputElement && "copy" in field.dataset) field.select();
  });
  document.addEventListener("click", async (event) => {
    const button = /** @type {HTMLElement} */ (event.target);
    const field = /** @type {HTMLInputElement | null} */ (one("[data-copy]"));
    if (!("copyButton" in button.dataset) || !field) return;
    await navigator.clipboard.writeText(field.value).catch(() => field.select());
    button.textContent = button.dataset.done ?? "";
  });
}

export { ARROWS, all, morph, neighbour, one };

watchSplash();
watchOptions();
watchInvitation();
if (game()) {
  rove();
  tick();
  scrollMoves();
  announceResult();
  listen();
  for (const button of all("[data-copy-button]")) button.hidden = !navigator.clipboard;
}
