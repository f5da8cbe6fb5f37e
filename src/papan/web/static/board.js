// @ts-check
/**
 * Motion on boards: pieces slide, drop, turn, come and go, on every page that shows one.
 *
 * A board is drawn as it is to be at once; what moves is a copy in front of it, which goes when it
 * has arrived. So nothing that is drawn meanwhile cuts a motion short or begins it again.
 */

/** @typedef {{ piece: Element, key: string, owner: string }} Standing a piece as it stood */

const SVG = "http://www.w3.org/2000/svg";

/** Copies that are still on their way. */
let moving = 0;
/** What waits until nothing moves. @type {(() => void)[]} */
const waiting = [];
/** The pieces that have arrived in the board but not yet for the eye, by their squares' groups.
 * @type {WeakMap<Element, Element>} */
const flights = new WeakMap();

/** @param {Element} svg @returns {Element[]} */
const squares = (svg) => [...svg.querySelectorAll(":scope > g[data-square]")];

/** What stands on each square of a board, to be compared when it has changed. @param {Element} svg */
export function standing(svg) {
  return new Map(squares(svg).map((square) => [square.getAttribute("data-square"), standingOn(square)]));
}

/** @param {Element} square @returns {Standing | null} */
function standingOn(square) {
  const piece = square.querySelector(":scope > .piece");
  if (!piece) return null;
  const owner = piece.classList.contains("x") ? "x" : piece.classList.contains("o") ? "o" : "neutral";
  return { piece: /** @type {Element} */ (piece.cloneNode(true)), key: owner + piece.innerHTML, owner };
}

/** Whether anything may move: it is wanted, and somebody looks. */
const lively = () =>
  document.documentElement.dataset.animation !== "off" && !document.hidden && !matchMedia("(prefers-reduced-motion: reduce)").matches;

/** @typedef {{ square: Element, old: Standing | null, now: Standing | null }} Change */

/**
 * Sets in motion what has changed on a board.
 * @param {Element} svg @param {ReturnType<typeof standing>} before @param {boolean} [falls] new pieces drop from the top
 */
export function animate(svg, before, falls = false) {
  if (!lively()) return;
  /** @type {Change[]} */
  const changes = [];
  for (const square of squares(svg)) {
    const old = before.get(square.getAttribute("data-square")) ?? null;
    const now = standingOn(square);
    if (old?.key === now?.key) continue;
    land(square);
    changes.push({ square, old, now });
  }
  const left = changes.filter(({ old, now }) => old && old.owner !== now?.owner);
  // A piece that moves comes to an empty square, or takes; what changes sides is turned.
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

/** Where a piece has come from: it stands there no more, nor anything of its side. @param {Change[]} left @param {Change} change */
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
  const piece = square.querySelector(":scope > .piece");
  if (!now || !piece) return;
  const flight = ghost(svg, square, now.piece, manner, from, () => land(square, flight));
  piece.classList.add("away");
  flights.set(square, flight);
}

/** Shows the piece on a square: its copy is there, or is wanted no more. @param {Element} square @param {Element} [flight] */
function land(square, flight = flights.get(square)) {
  if (!flight || flights.get(square) !== flight) return;
  flights.delete(square);
  flight.classList.add("away");
  square.querySelector(":scope > .piece")?.classList.remove("away");
}

/** @param {Element} thing @returns {[number, number]} */
function corner(thing) {
  const [x = "0", y = "0"] = thing.getAttribute("transform")?.match(/-?[\d.]+/g) ?? [];
  return [Number(x), Number(y)];
}

/**
 * A copy of a piece that moves once and goes.
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

/** Ends when no piece moves any more. @returns {Promise<void>} */
export const arrived = () => new Promise((done) => (moving ? waiting.push(done) : done()));

/** Turns a drawn board half round, or back. @param {Element} svg @param {number[]} area its edges: left, top, right, bottom */
export function turnRound(svg, [left, top, right, bottom]) {
  for (const square of squares(svg)) {
    const [x, y] = corner(square);
    square.setAttribute("transform", `translate(${left + right - 60 - x} ${top + bottom - 60 - y})`);
  }
  for (const label of svg.querySelectorAll(":scope > text")) {
    const [x, y] = [Number(label.getAttribute("x")), Number(label.getAttribute("y")) - 5];
    // Names beside the board stay on their side of it.
    if (x > left && x < right) label.setAttribute("x", String(left + right - x));
    if (y > top && y < bottom) label.setAttribute("y", String(top + bottom - y + 5));
  }
  const round = `rotate(180 ${(left + right) / 2} ${(top + bottom) / 2})`;
  for (const line of svg.querySelectorAll(":scope > .line")) {
    if (line.hasAttribute("transform")) line.removeAttribute("transform");
    else line.setAttribute("transform", round);
  }
}
