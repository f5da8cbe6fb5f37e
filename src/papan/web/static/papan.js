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
 * Makes `old` equal to `fresh` and keeps every node that can stay; what is marked `data-kept` a
 * script of the page's own draws.
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

// --- a board by keyboard: one stop of the Tab key, arrows inside --------------------------------------

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Weight of the sideways distance against the forward distance in the search for the next square. */
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

// --- live connections -----------------------------------------------------------------------------------

/** Waits between attempts to connect again, in milliseconds. */
const PATIENCE = [500, 1000, 2000, 5000];
/** The server closes a connection with this code if it refuses it. */
const REFUSED = 1008;

/**
 * Keeps a live connection, and opens it again when it is cut, until it is closed or refused.
 * @param {() => string} address @param {(text: string) => void} hear @param {(up: boolean) => void} [tell]
 * @returns {() => void} closes it
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

/** Saves a drawn board as a picture of points. @param {string} address */
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

export { ARROWS, FRAGMENT, all, connect, morph, neighbour, one, sound };

/** Tells times as the reader's clock has them. */
function tellTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("time[datetime]"))) {
    const when = new Date(time.dateTime);
    if (!Number.isNaN(when.valueOf())) time.textContent = when.toLocaleString(root.lang, { dateStyle: "medium", timeStyle: "short" });
  }
  for (const zone of all("[data-zone]")) zone.hidden = true;
}

document.addEventListener("papan-put", tellTimes);
root.classList.add("script");
tellTimes();
watchSplash();
watchOptions();
for (const button of all("[data-png], [data-copy-button]")) button.hidden = !("png" in button.dataset || navigator.clipboard);
