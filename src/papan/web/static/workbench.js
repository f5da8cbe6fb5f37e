// @ts-check
/**
 * What the pages beside the game do with script: analysis, records, tournaments, the tree.
 *
 * A page has one part that changes, `[data-part]`. Forms and links in it that are marked
 * `data-in-place` are asked for in the background, and the part is put in place; its
 * `data-address` is what the browser shows as the address. With `data-live` the part is sent again
 * whenever what it shows has changed. Without script the same forms and links load pages.
 */

/** The page's own scripts: the same file is not loaded twice under two addresses. @param {string} name */
const script = (name) => /** @type {HTMLScriptElement} */ (document.querySelector(`script[src*="${name}"]`)).src;
/** @type {typeof import("./papan.js")} */
const { ARROWS, FRAGMENT, all, morph, neighbour, one } = await import(script("papan.js"));
/** @type {typeof import("./board.js")} */
const { animate, standing } = await import(script("board.js"));

/** @returns {HTMLElement | null} */
const part = () => one("[data-part]");

// --- the part that changes ---------------------------------------------------------------------------

/** The newest number of a part that was asked for: answers that come late are left out. */
let asked = 0;
/** The number of parts that are on their way. */
let underWay = 0;

/** True while something that was asked for has not come: what can wait waits, or that is left out. */
const isBusy = () => underWay > 0;

/**
 * Asks for a part and puts it in place.
 * @param {string} address @param {RequestInit} [init] @param {boolean} [travelled] the browser's own history has moved
 */
async function ask(address, init = {}, travelled = false) {
  const number = ++asked;
  let text;
  underWay += 1;
  try {
    const response = await fetch(address, { ...init, headers: { ...FRAGMENT, ...init.headers } });
    text = await response.text();
  } catch {
    return complain(part()?.dataset.offline ?? "");
  } finally {
    underWay -= 1;
  }
  if (number !== asked) return;
  if (!put(text)) return complain(sentence(text));
  const shown = part()?.dataset.address;
  if (shown && !travelled && shown !== location.pathname + location.search) history.pushState(null, "", shown);
  listen();
}

/** Puts a fragment in place; returns whether it is one. @param {string} html */
function put(html) {
  const old = part();
  const fresh = new DOMParser().parseFromString(html, "text/html").querySelector("[data-part]");
  if (!old || !fresh || old.id !== fresh.id) return false;
  const board = one(".board svg", old);
  const before = board && standing(board);
  morph(old, fresh);
  if (board?.isConnected && before) animate(board, before);
  const back = /** @type {HTMLInputElement | null} */ (one("input[name=back]"));
  if (back && old.dataset.address) back.value = old.dataset.address;
  rove();
  document.dispatchEvent(new Event("papan-put"));
  return true;
}

/** What an answer says that is no part of this page. @param {string} html */
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
  submit(form, /** @type {HTMLButtonElement | null} */ (event.submitter));
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
  ask(link.href);
});

window.addEventListener("popstate", () => part()?.dataset.address && ask(location.href, {}, true));

// --- news --------------------------------------------------------------------------------------------

/** Waits between attempts to connect again, in milliseconds. */
const PATIENCE = [500, 1000, 2000, 5000];
/** @type {{ address: string, socket: WebSocket } | null} */
let line = null;

/** Listens for news about what is shown now. @param {number} [failures] */
function listen(failures = 0) {
  const address = part()?.dataset.live ?? "";
  if (line && line.address === address) return;
  line?.socket.close();
  line = null;
  if (!address) return;
  const where = new URL(address, location.href);
  where.protocol = where.protocol.replace("http", "ws");
  const mine = (line = { address, socket: new WebSocket(where) });
  let tries = failures;
  mine.socket.addEventListener("message", (event) => {
    tries = 0;
    if (line === mine) put(String(event.data));
  });
  mine.socket.addEventListener("close", (event) => {
    if (line !== mine || event.code === 1008) return;
    line = null;
    setTimeout(() => listen(tries + 1), PATIENCE[Math.min(tries, PATIENCE.length - 1)]);
  });
}

// --- keyboard ----------------------------------------------------------------------------------------

/** The square that is one stop of the Tab key. */
let current = "";

function rove() {
  const cells = all("[data-roving] .cell");
  const here = cells.find((cell) => cell.dataset.square === current) ?? one("[data-roving] .cell.target") ?? cells[0];
  for (const cell of cells) cell.tabIndex = cell === here ? 0 : -1;
}

document.addEventListener("focusin", (event) => {
  const cell = /** @type {HTMLElement} */ (event.target);
  if (!cell.closest("[data-roving]")) return;
  current = cell.dataset.square ?? "";
  rove();
});

/** @type {Record<string, string>} */
const TRAVEL = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };

document.addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (!part() || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target.matches("input, textarea, select")) return;
  if (target.matches("[data-roving] .cell")) {
    if (!(event.key in ARROWS)) return;
    event.preventDefault();
    neighbour(all("[data-roving] .cell"), target, event.key)?.focus();
  } else if (event.key in TRAVEL && !target.closest("[data-keeps-keys]")) {
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

// --- a record that plays itself ------------------------------------------------------------------------

/** @type {number | undefined} */
let playing;

/** Shows the next ply, and so on to the end. @param {HTMLElement} button */
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

/** Exchanges the button's two labels. @param {HTMLElement} button */
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

// --- the interface for programs: its answers, in place -----------------------------------------------

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

rove();
listen();

export { ask, isBusy, part, submit };
