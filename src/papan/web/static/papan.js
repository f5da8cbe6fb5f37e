// @ts-check
/**
 * Script of all pages. The server renders all HTML, and everything works without script, with forms
 * and links. With script, the same forms and links load in the background and only the changed
 * nodes are replaced, so that focus, scroll position and animations survive.
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

// --- updating the page with new HTML -------------------------------------------------------------

/** Attributes that the browser page sets itself; the server's values never replace them. */
const OURS = new Set(["tabindex", "open"]);

/**
 * Makes `old` equal to `fresh` and reuses existing nodes where possible. Elements with `data-kept`
 * are skipped, because a script of the page draws them.
 * @param {Element} old
 * @param {Element} fresh
 */
function morph(old, fresh) {
  if (old.hasAttribute("data-kept")) return;
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OURS.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (!OURS.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLInputElement && old !== document.activeElement) {
    old.value = fresh.getAttribute("value") ?? "";
  }
  const rest = [...old.childNodes].filter((node) => !(node instanceof Element && node.classList.contains("ghost")));
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
 * Returns the index of the first old node that can become `child`, or −1. Only an element with an
 * id may skip nodes: other nodes match their next node or none.
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

// --- keyboard on a board: one tab stop, arrow keys inside ----------------------------------------------

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Weight of the sideways distance against the forward distance in the search for the next square. */
const ASIDE = 3;

/**
 * Returns the square that an arrow key moves to: the nearest one ahead, on a board of any shape.
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

// --- live connections -----------------------------------------------------------------------------------

/** Delays before attempts to reconnect, in milliseconds; the last one repeats. */
const PATIENCE = [500, 1000, 2000, 5000];
/** Close code of connections that the server refuses. */
const REFUSED = 1008;

/**
 * Opens a live connection and reconnects after failures, until it is closed or refused.
 * @param {() => string} address @param {(text: string) => void} hear called with each message
 * @param {(up: boolean) => void} [tell] called with true when connected, false when the connection is lost
 * @returns {() => void} a function that closes the connection
 */
function connect(address, hear, tell = () => {}) {
  let [tries, closed] = [0, false];
  /** @type {WebSocket} */
  let socket;
  const open = () => {
    if (closed) return;
    const where = new URL(address(), location.href);
    where.protocol = where.protocol.replace("http", "ws");
    socket = new WebSocket(where);
    socket.addEventListener("open", () => {
      tries = 0;
      tell(true);
    });
    socket.addEventListener("message", (event) => closed || hear(String(event.data)));
    socket.addEventListener("close", (event) => {
      if (closed || event.code === REFUSED) return;
      tell(false);
      setTimeout(open, PATIENCE[Math.min(tries++, PATIENCE.length - 1)]);
    });
  };
  open();
  return () => {
    closed = true;
    socket.close();
  };
}

// --- sound: short tones, no files ----------------------------------------------------------------------

/** The tones of each sound: frequencies in hertz, played one after the other. */
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

// --- splash, options -----------------------------------------------------------------------

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

// --- the chooser of games ----------------------------------------------------------------------

/**
 * Shows the games that match a search and a kind.
 * @param {HTMLFormElement} form
 */
function filterGames(form) {
  const list = /** @type {HTMLElement} */ (form.parentElement);
  const [find, kind] = ["find", "kind"].map((name) => String(new FormData(form).get(name)).trim().toLowerCase());
  const games = all("[data-words]", list);
  for (const game of games) {
    const { words = "", kinds = "" } = game.dataset;
    game.hidden = !words.includes(find) || (kind !== "" && !kinds.split(" ").includes(kind));
  }
  const nothing = one("[data-nothing]", list);
  if (nothing) nothing.hidden = games.some((game) => !game.hidden);
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, (event) => {
    const form = /** @type {HTMLElement} */ (event.target).closest("form");
    if (form && "finder" in form.dataset) filterGames(form);
  });
}

document.addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (!("finder" in form.dataset)) return;
  event.preventDefault();
  one("[data-words]:not([hidden]) .game-card", /** @type {HTMLElement} */ (form.parentElement))?.click();
});

// --- copying, and pictures ---------------------------------------------------------------------

document.addEventListener("focusin", (event) => {
  const field = /** @type {HTMLElement} */ (event.target);
  if (field instanceof HTMLInputElement && "copy" in field.dataset) field.select();
});

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target);
  const { copyButton, png, done = "" } = button.dataset ?? {};
  if (png) return savePng(png);
  const field = /** @type {HTMLInputElement | null} */ (copyButton === undefined ? null : one(`#${copyButton}`));
  if (!field) return;
  await navigator.clipboard.writeText(field.value).catch(() => field.select());
  button.textContent = done;
});

/** Saves the SVG of a board as a PNG file. @param {string} address */
async function savePng(address) {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [picture.naturalWidth, picture.naturalHeight];
  canvas.getContext("2d")?.drawImage(picture, 0, 0);
  const link = document.createElement("a");
  [link.href, link.download] = [canvas.toDataURL("image/png"), "papan-board.png"];
  link.click();
}

/** Returns the texts that this browser keeps under a name; it may forbid to read them. @param {string} key @returns {Record<string, string>} */
function keptTexts(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

export { ARROWS, FRAGMENT, all, connect, keptTexts, morph, neighbour, one, sound };

/** Shows times in the reader's time zone. */
function tellTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[datetime]"))) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.valueOf())) time.textContent = when.toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });
  }
  for (const zone of all("[data-zone]")) zone.hidden = true;
}

document.addEventListener("papan-put", tellTimes);
root.classList.add("script");
// Says in forms that this browser can play against programs by itself.
for (const field of all("[data-here]")) field.setAttribute("value", "WebAssembly" in window ? "1" : "");
tellTimes();
watchSplash();
watchOptions();
for (const button of all("[data-png], [data-copy-button]")) button.hidden = !("png" in button.dataset || navigator.clipboard);
