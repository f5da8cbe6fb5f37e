// @ts-check
/**
 * The back end of a game page without a server. Rules and searches run in workers (`engine.js`);
 * this file keeps the game, lets programs move, and answers each action with a changed page, as the
 * server does. The texts and drawings are in the page (`papan.web.export.site`).
 */

import { all, one } from "./papan.js";
import "./looks.js"; // chooses the language of the page, before anything is read from it
import { board, hooks } from "./board.js";
import { start } from "./game.js";

/** @typedef {{ text: string, steps: string[], targets: string[], changes: number[][] | null }} LegalMove */
/** @typedef {{ side: string, over: boolean, winner: string, contents: number[][], won: string[], facts: number[], moves: LegalMove[] }} Shown */
/** @typedef {{ move: string, value: number, chance: number, win: number | null, proven: boolean }} Value */

const facts = JSON.parse(one("#export")?.textContent ?? "{}");
const language = document.documentElement.lang;
const texts = facts.texts[language];
const base = facts.snapshots[language];
const skeleton = /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (one("[data-game]")).cloneNode(true));

/** Returns a text. @param {string} name @param {Record<string, string | number>} [values] */
function say(name, values = {}) {
  return texts.say[`web.${name}`].replace(/\{(\w+)\}/g, (/** @type {string} */ all, /** @type {string} */ key) => values[key] ?? all);
}

// --- the workers -----------------------------------------------------------------------------------

/** @param {string} text base64 */
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;

/** Returns the bytes of a file, which is in the page or beside it. @param {{ url?: string, base64?: string } | null} file */
async function contentOf(file) {
  if (!file) return null;
  if (file.base64 !== undefined) return bytesOf(file.base64);
  const response = await fetch(file.url ?? "");
  if (!response.ok) throw new Error(`${file.url}: ${response.status}`);
  return response.arrayBuffer();
}

const parts = Promise.all([contentOf(facts.wasm), contentOf(facts.weights)]);
const script = facts.engine.text === undefined ? facts.engine.url : URL.createObjectURL(new Blob([facts.engine.text], { type: "text/javascript" }));
/** The compiled module, which all workers share. @type {WebAssembly.Module | undefined} */
let compiled;

/** A worker with the game. A search can only be stopped by ending its worker. */
class Thinker {
  constructor() {
    /** @type {Map<number, { done: (result: any) => void, failed: (error: any) => void, progress: (found: any) => void }>} */
    this.waiting = new Map();
    this.number = 0;
    this.begin();
  }

  begin() {
    this.worker = new Worker(script);
    this.worker.addEventListener("message", ({ data: { id, result, progress, error } }) => {
      const asked = this.waiting.get(id);
      if (!asked) return;
      if (progress) return asked.progress(progress);
      this.waiting.delete(id);
      if (error) asked.failed(error);
      else asked.done(result);
    });
    this.worker.addEventListener("error", ({ message }) => fail(say("export.failed", { text: message ?? "worker" })));
    this.loaded = this.load();
  }

  async load() {
    const [wasm, weights] = await parts;
    const { module } = await this.post("load", { data: facts.data, wasm: compiled ?? wasm, weights });
    compiled = module;
  }

  /** @param {string} command @param {object} request @param {(found: any) => void} [progress] @returns {Promise<any>} */
  post(command, request, progress = () => {}) {
    const id = ++this.number;
    return new Promise((done, failed) => {
      this.waiting.set(id, { done, failed, progress });
      this.worker?.postMessage({ id, command, ...request });
    });
  }

  /** Returns the result of a command. @param {string} command @param {object} request @param {(found: any) => void} [progress] */
  async ask(command, request, progress) {
    await this.loaded;
    return this.post(command, request, progress);
  }

  /** Ends what is running; its result never comes. */
  stop() {
    if (!this.waiting.size) return;
    this.worker?.terminate();
    this.waiting.clear();
    this.begin();
  }
}

// --- the game --------------------------------------------------------------------------------------

const rules = new Thinker();
/** @type {Record<"player" | "analyst", Thinker | undefined>} */
const thinkers = { player: undefined, analyst: undefined };

/** @param {"player" | "analyst"} name @returns {Thinker} */
const thinker = (name) => (thinkers[name] ??= new Thinker());

/** The program that plays first: level 3, in games that have it. @type {string} */
const PROGRAM = facts.program;
/** Seconds of the strongest player, of hints and of values. */
const [BEST_SECONDS, HINT_SECONDS, SOLVE_SECONDS] = [2, 1, 10];
/** Milliseconds between two moves of programs that are watched. */
const PACE = 700;

/** The players of a new page. @type {Record<string, string>} */
const USUAL = facts.players ?? { x: "", o: PROGRAM };

const state = {
  /** 0, or the number of the puzzle. */
  start: 0,
  /** @type {string[]} */
  moves: [],
  /** The position at each ply. @type {Shown[]} */
  shown: [],
  /** The program of each side; empty for a person. @type {Record<string, string>} */
  players: USUAL,
  resigned: "",
  hint: "",
  /** @type {Value[]} */
  values: [],
  notice: "",
  paused: false,
  thinking: false,
  version: 1,
};

const last = () => state.shown[state.shown.length - 1];
const winner = () => (state.resigned ? { x: "o", o: "x" }[state.resigned] : last().winner) ?? "";
const persons = () => ["x", "o"].filter((side) => !state.players[side]);
const kind = () => /** @type {const} */ (["watch", "solo", "shared"])[persons().length];
const isMine = () => !winner() && !state.players[last().side];
const seed = () => Math.floor(Math.random() * 2 ** 31);

/** @param {string} side */
function nameOf(side) {
  if (state.players[side]) return texts.players[state.players[side]];
  return kind() === "shared" ? texts.sides[side] : (facts.me ?? texts.me);
}

/** Starts a game, and makes moves. @param {number} first @param {string[]} moves */
async function open(first, moves) {
  const position = await rules.ask("position", { start: first, moves, all: true });
  Object.assign(state, { start: first, moves: [...moves], shown: position.plies, resigned: "", notice: "" });
  forget();
}

/** Forgets what was found about the last position. */
function forget() {
  Object.assign(state, { hint: "", values: [], thinking: false });
  thinkers.player?.stop();
}

/** @param {string} text */
async function make(text) {
  const moves = [...state.moves, text];
  const position = await rules.ask("position", { start: state.start, moves });
  state.moves = moves;
  state.shown = [...state.shown, position];
  forget();
  tryPuzzle(text);
}

/** Goes back to an earlier ply. @param {number} ply */
async function goBack(ply) {
  state.moves = state.moves.slice(0, ply);
  state.shown = [...state.shown.slice(0, ply), await rules.ask("position", { start: state.start, moves: state.moves })];
  state.resigned = "";
  forget();
}

/** Returns the last ply at which a person moved; −1 if there is none. */
function undoable() {
  for (let ply = state.moves.length - 1; ply >= 0; ply--) if (!state.players[state.shown[ply].side]) return ply;
  return -1;
}

/** Lets the program move whose turn it is. */
async function go() {
  if (winner() || state.paused || state.thinking || isMine()) return;
  state.thinking = true;
  publish();
  const { version, moves, start: first } = state;
  const begun = performance.now();
  const player = state.players[last().side];
  const { move } = await thinker("player").ask("choose", { start: first, moves, player, seconds: BEST_SECONDS, seed: seed() });
  if (kind() === "watch") await new Promise((done) => setTimeout(done, PACE - (performance.now() - begun)));
  if (state.version !== version || !state.thinking) return;
  await make(move);
  publish();
  go();
}

// --- puzzles -----------------------------------------------------------------------------------------

const puzzle = () => facts.puzzles[state.start - 1];

/** @param {string} move */
function tryPuzzle(move) {
  if (!puzzle() || state.moves.length !== 1) return;
  state.notice = move === puzzle().move ? say("puzzles.solved", { side: texts.sides[state.shown[0].side] }) : say("puzzles.wrong", { move });
}

/** Returns what is to be found. @param {{ outcome: string, plies: number | null }} puzzle @param {string} side */
function taskOf({ outcome, plies }, side) {
  const values = { side: texts.sides[side], plies: plies ?? "" };
  return say(outcome === "draw" ? "puzzles.draw" : plies ? "puzzles.win-in" : "puzzles.win", values);
}

// --- the page ----------------------------------------------------------------------------------------

/** @type {(page: HTMLElement) => void} */
let take = () => {};

/** Shows a change. */
function publish() {
  state.version += 1;
  take(fresh());
  history.replaceState(null, "", address());
  analyse();
  record();
}

/** True if the result of this game was sent to the server. */
let recorded = false;

/** Sends a finished game to the server, if the page is one of a server; it arrives even if the page is left at once. */
async function record() {
  if (!winner()) recorded = false;
  if (!facts.record || recorded || !winner() || kind() !== "solo") return;
  recorded = true;
  const side = persons()[0];
  const fields = { game: facts.spec, side, name: nameOf(side), opponent: state.players[side === "x" ? "o" : "x"], moves: state.moves.join(" "), resigned: state.resigned ? "1" : "" };
  await fetch(facts.record, { method: "POST", body: new URLSearchParams(fields), keepalive: true }).catch(() => (recorded = false));
}

/** The address of the shown game. */
function address(ply = state.moves.length) {
  const words = state.moves.map(encodeURIComponent).join(",");
  const shown = ply === state.moves.length ? "" : `&ply=${ply}`;
  const players = ["x", "o"].filter((side) => state.players[side] !== USUAL[side]).map((side) => `&${side}=${state.players[side]}`);
  return `#${state.start ? `puzzle=${state.start}&` : ""}moves=${words}${players.join("")}${shown}`;
}

/** Returns the number of the drawing of a place. @param {number} place @param {number} piece @param {number} number */
function lookOf(place, piece, number) {
  const table = facts.looks.table[facts.looks.bases[place]];
  return table[number < 0 ? piece : `${piece} ${number}`] ?? table[piece];
}

/** Returns the changes between two boards as the snapshot lists them. @param {number[][]} before @param {number[][]} after */
const changesOf = (before, after) =>
  after.flatMap(([piece, number], place) => (before[place][0] === piece && before[place][1] === number ? [] : [place, lookOf(place, piece, number)]));

/** @param {number[]} content */
const ownerOf = ([piece]) => facts.data.owners[piece];

/** Returns a ply of the snapshot. @param {number} ply */
function plyOf(ply) {
  const { side, contents, facts: numbers } = state.shown[ply];
  const before = ply ? state.shown[ply - 1].contents : contents;
  const changes = changesOf(before, contents);
  const made = ply ? state.shown[ply - 1].moves.find(({ text }) => text === state.moves[ply - 1]) : undefined;
  const named = (made?.steps ?? []).filter((name) => base.places.includes(name));
  const changed = changes.filter((_, i) => i % 2 === 0).map((place) => base.places[place]);
  const latest = ply ? (named.length ? named : changed) : [];
  const turned = changed.filter((name) => {
    const place = base.places.indexOf(name);
    const [then, now] = [ownerOf(before[place]), ownerOf(contents[place])];
    return then && now && then !== now && !latest.includes(name);
  });
  /** @type {Record<string, number[]>} */
  const beside = { x: [], o: [], "": [] };
  facts.factSides.forEach((/** @type {string} */ owner, /** @type {number} */ i) => beside[owner].push(numbers[i]));
  return [side, changes, latest, turned, Object.values(beside)];
}

function snapshot() {
  const { moves, won } = last();
  const looks = facts.looks.looks.map((/** @type {any[]} */ look, /** @type {number} */ i) => [look[0], look[1], texts.looks[i], look[3], look[4]]);
  const flat = (/** @type {number[][] | null} */ changes) => changes && changes.flatMap(([place, piece, number]) => [place, lookOf(place, piece, number)]);
  const hint = moves.find(({ text }) => text === state.hint);
  return {
    ...base,
    looks,
    marks: facts.looks.marks,
    start: state.shown[0].contents.map(([piece, number], place) => lookOf(place, piece, number)),
    plies: state.shown.map((_, ply) => plyOf(ply)),
    moves: isMine() ? moves.map(({ text, steps, targets, changes }) => [text, steps, targets, flat(changes)]) : [],
    won: winner() ? won : [],
    hint: isMine() && hint ? (hint.steps.some((name) => base.places.includes(name)) ? hint.steps : (hint.changes ?? []).map(([place]) => base.places[place])) : [],
    worth: isMine() ? worths() : {},
    mine: isMine(),
    sides: persons(),
    kind: kind(),
    going: !winner(),
    status: status(),
  };
}

function status() {
  const over = winner();
  if (over) return over === "draw" ? say("verdict.draw") : say("verdict.won", { name: nameOf(over) });
  const { side } = last();
  if (state.players[side]) return say("status.thinking", { name: nameOf(side) });
  if (puzzle() && !state.moves.length) return taskOf(puzzle(), side);
  const turn = kind() === "solo" ? say("status.yours") : say("status.turn", { name: nameOf(side) });
  return state.hint ? `${turn} ${say("status.hint", { move: state.hint })}` : turn;
}

/** Returns the page of the game. */
function fresh() {
  const page = /** @type {HTMLElement} */ (skeleton.cloneNode(true));
  const plies = state.moves.length;
  const put = (/** @type {string} */ selector, /** @type {string} */ text) => {
    const place = one(selector, page);
    if (place) place.textContent = text;
  };
  Object.assign(page.dataset, { version: String(state.version), ply: String(plies), plies: String(plies), over: winner() });
  put("#snapshot", JSON.stringify(snapshot()));
  put("#status", status());
  put("#notice", state.notice);
  const move = plies && say("announce.move", { name: nameOf(state.shown[plies - 1].side), move: state.moves[plies - 1] });
  put("#announcement", [move, status()].filter(Boolean).join(" "));
  for (const side of ["x", "o"]) {
    one(`#plate-${side}`, page)?.setAttribute("aria-label", nameOf(side));
    put(`#plate-${side} .who strong`, nameOf(side));
    one(`#plate-${side} .you`, page)?.toggleAttribute("hidden", kind() !== "solo" || Boolean(state.players[side]));
  }
  one(".moves", page)?.replaceChildren(...listed());
  const tool = (/** @type {string} */ name, /** @type {boolean} */ there, on = true) => {
    for (const form of all(`#tools [data-action=${name}], #tools [data-of=${name}]`, page)) {
      const outer = /** @type {HTMLElement} */ (form.closest("form, details"));
      outer.hidden = !there;
      if (form instanceof HTMLButtonElement) form.disabled = !on;
    }
  };
  const watched = kind() === "watch";
  tool("undo", !watched, undoable() >= 0);
  for (const name of ["hint", "values"]) tool(name, !watched && !winner(), isMine());
  tool("resign", kind() !== "watch" && !winner());
  tool("pause", watched && !winner() && !state.paused);
  tool("steady", watched && !winner() && state.paused);
  tool("step", watched && !winner(), state.paused);
  tool("reset", true, plies > 0 || Boolean(winner()));
  tool("puzzle", facts.puzzles.length > 0);
  for (const place of all("#result, #winner", page)) result(place);
  one("[data-analysis]", page)?.setAttribute("href", `${facts.analysis}&moves=${encodeURIComponent(state.moves.join(" "))}`);
  return page;
}

/** Returns the list of moves, two in a row. */
function listed() {
  if (!state.moves.length) {
    const none = document.createElement("li");
    [none.className, none.textContent] = ["none", say("history.none")];
    return [none];
  }
  /** @type {HTMLElement[]} */
  const rows = [];
  let full = true;
  state.moves.forEach((move, i) => {
    const { side } = state.shown[i];
    const link = document.createElement("a");
    Object.assign(link, { href: address(i + 1), className: side, textContent: move });
    link.dataset.ply = String(i + 1);
    if (full || side === "x") rows.push(document.createElement("li"));
    if ((full || side === "x") && side === "o") rows[rows.length - 1].append(Object.assign(document.createElement("span"), { textContent: "…" }));
    rows[rows.length - 1].append(link);
    full = side === "o";
  });
  return rows;
}

/** Fills the place of the result. @param {HTMLElement} place */
function result(place) {
  const over = winner();
  if (place.id === "result") place.hidden = !over;
  const [title, reason] = [one("h2", place), one("p", place)];
  if (title) title.textContent = over ? status() : "";
  if (reason) reason.textContent = state.resigned ? say("ended.resignation", { name: nameOf(state.resigned) }) : say("ended.rules");
}

// --- values ------------------------------------------------------------------------------------------

/** Losses of winning chance of the best, good and fair moves. */
const GRADES = /** @type {[number, string][]} */ ([[0.01, "best"], [0.05, "good"], [0.15, "fair"]]);

/** Returns the labels of the values of moves. */
function worths() {
  const best = Math.max(...state.values.map(({ chance }) => chance));
  return Object.fromEntries(state.values.map((value) => [value.move, worthOf(value, best)]));
}

/** @param {Value} found @param {number} best @returns {import("./board.js").Worth} */
function worthOf(found, best) {
  const { value, chance, win, proven } = found;
  const grade = GRADES.find(([loss]) => best - chance < loss)?.[1] ?? "bad";
  const words = inWordsOf(found);
  if (!proven) return [String(percent(chance)), words, `worth ${grade} estimate`, value];
  const outcome = value > 0 ? "win" : value < 0 ? "loss" : "draw";
  const shade = Math.min(5, 1 + Math.floor((win ?? 0) / 4));
  return [short(found), words, `worth ${grade} proven ${outcome} shade-${shade}`, value];
}

/** @param {{ value: number, win: number | null }} found */
const short = ({ value, win }) => (win !== null ? `${value > 0 ? "✓" : "✗"}${win}` : value ? `${value > 0 ? "+" : "−"}${Math.round(100 * Math.abs(value)) / 100}` : "=");

/** @param {number} chance */
const percent = (chance) => Math.max(1, Math.min(99, Math.round(100 * chance)));

/** Returns a value in words. @param {{ value: number, chance: number, win: number | null, proven: boolean }} found @param {string} [side] the side to move */
function inWordsOf({ value, chance, win, proven }, side = last().side) {
  const better = texts.sides[value >= 0 === (side === "x") ? "x" : "o"];
  if (win !== null) return say("value.wins", { side: better, plies: win });
  if (proven) return value ? say("value.margin", { side: better, points: Math.abs(value) }) : say("value.draw");
  const share = percent(Math.max(chance, 1 - chance));
  return share < 55 ? say("value.level") : say("value.better", { side: texts.sides[chance >= 0.5 === (side === "x") ? "x" : "o"], chance: share });
}

// --- analysis ----------------------------------------------------------------------------------------

const SECONDS = 8;
/** The position that is analysed. */
let analysed = "";
/** What the analysis found there. @type {Found | null} */
let lastFound = null;

const isOn = () => Boolean(/** @type {HTMLInputElement | null} */ (one("#analyse"))?.checked);

/** Analyses the shown position, if analysis is on. */
async function analyse() {
  const [ply, finding] = [board.ply, one("#finding")];
  if (finding) finding.hidden = !isOn();
  const place = isOn() ? `${state.start} ${state.moves.slice(0, ply).join()}` : "";
  if (place === analysed) return drawArrows(lastFound?.lines ?? [], ply); // the page was redrawn, or flipped
  analysed = place;
  thinkers.analyst?.stop();
  draw(null, ply);
  if (!place || !state.shown[ply] || state.shown[ply].winner) return;
  const moves = state.moves.slice(0, ply);
  await thinker("analyst").ask("analyse", { start: state.start, moves, seconds: SECONDS, lines: 3 }, (found) => place === analysed && draw(found, ply));
}

/** @typedef {{ depth: number, nodes: number, proven: boolean, lines: any[] }} Found */

/** Draws what the analysis found. @param {Found | null} found @param {number} ply */
function draw(found, ply) {
  lastFound = found;
  const side = state.shown[ply]?.side ?? "x";
  const best = found?.lines[0];
  const chance = best ? (side === "x" ? best.chance : 1 - best.chance) : 0.5;
  const bar = one(".bar-x");
  bar?.setAttribute("width", String(100 * chance));
  const value = best && inWordsOf({ ...best, proven: found.proven }, side);
  one(".evalbar")?.setAttribute("aria-label", best ? say("analysis.bar", { value }) : say("analysis.bar-empty"));
  const put = (/** @type {string} */ id, /** @type {string} */ text) => {
    const place = one(id);
    if (place) place.textContent = text;
  };
  put(".evalnumber", best ? `${Math.round(100 * chance)}%` : "–");
  put("#verdict", best ? `${value}${found.proven ? ` · ${say("analysis.proven")}` : ""}` : "");
  put("#depth", found ? say("export.depth", { depth: found.depth, nodes: found.nodes.toLocaleString(language) }) : "");
  one("#lines")?.replaceChildren(
    ...(found?.lines ?? []).map((line, rank) => {
      const row = document.createElement("li");
      const [value, pv] = [document.createElement("span"), document.createElement("span")];
      [value.className, value.textContent] = ["value", line.win !== null || (found?.proven && !rank) ? short(line) : `${percent(line.chance)} %`];
      [pv.className, pv.textContent] = ["pv", line.moves.slice(0, 10).join(" ")];
      row.append(value, pv);
      return row;
    }),
  );
  drawArrows(found?.lines ?? [], ply);
}

const SVG = "http://www.w3.org/2000/svg";
/** Length of an arrow's head, and radius of a ring, in the picture's units. */
const [HEAD, RING] = [16, 25];

/** Draws arrows and rings for the best moves over the board. @param {{ moves: string[] }[]} lines @param {number} ply */
function drawArrows(lines, ply) {
  one("#layer")?.remove();
  const picture = one("#board .picture svg");
  if (!lines.length || !picture || board.ply !== ply) return;
  const layer = document.createElement("div");
  layer.id = "layer";
  layer.className = "layer";
  layer.setAttribute("aria-hidden", "true");
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", picture.getAttribute("viewBox") ?? "");
  svg.setAttribute("class", `${picture.getAttribute("class")} over`);
  for (const [rank, { moves }] of [...lines.entries()].reverse()) {
    const move = state.shown[ply].moves.find(({ text }) => text === moves[0]);
    const changed = (move?.changes ?? []).slice(0, 1).map(([place]) => base.places[place]);
    const steps = (move?.steps ?? []).filter((name) => base.places.includes(name));
    const places = (steps.length ? steps : changed).map(middleOf);
    if (places.length) svg.append(mark(places[0], places[places.length - 1], `choice-${rank + 1}`));
  }
  layer.append(svg);
  one("#board .surface")?.append(layer);
}

/** Returns the middle of a place in the picture. @param {string} name @returns {[number, number]} */
function middleOf(name) {
  const square = one(`#board g[data-square="${CSS.escape(name)}"]`);
  const [x = "0", y = "0"] = square?.getAttribute("transform")?.match(/-?[\d.]+/g) ?? [];
  return [Number(x) + 30, Number(y) + 30];
}

/** Returns an arrow, or a ring. @param {[number, number]} from @param {[number, number]} to @param {string} name */
function mark([x, y], [toX, toY], name) {
  const group = document.createElementNS(SVG, "g");
  const add = (/** @type {string} */ tag, /** @type {Record<string, string>} */ attributes) => {
    const shape = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) shape.setAttribute(key, value);
    group.append(shape);
  };
  const length = Math.hypot(toX - x, toY - y);
  group.setAttribute("class", length ? `arrow ${name}` : `choice ${name}`);
  if (!length) add("circle", { class: "ring", cx: String(x), cy: String(y), r: String(RING) });
  else {
    const [dx, dy] = [(HEAD * (toX - x)) / length, (HEAD * (toY - y)) / length];
    add("path", { class: "shaft", d: `M${x} ${y}L${toX - dx} ${toY - dy}` });
    add("path", { class: "head", d: `M${toX} ${toY}L${toX - dx - 0.6 * dy} ${toY - dy + 0.6 * dx}L${toX - dx + 0.6 * dy} ${toY - dy - 0.6 * dx}Z` });
  }
  return group;
}

/** Solves the shown position and shows its value. */
async function solve() {
  const [ply, button] = [board.ply, one("[data-solve]")];
  const place = one("#solution");
  if (!place || !button) return;
  button.setAttribute("aria-busy", "true");
  place.textContent = say("export.solving");
  const solver = thinker("player");
  solver.stop();
  const found = await solver.ask("solve", { start: state.start, moves: state.moves.slice(0, ply), seconds: SOLVE_SECONDS }).catch(() => ({ solved: false }));
  button.removeAttribute("aria-busy");
  const { side } = state.shown[ply];
  place.textContent = found.solved ? `${inWordsOf({ ...found, win: found.plies, chance: 0, proven: true }, side)}: ${found.moves.join(", ")}` : say("export.unsolved");
  go();
}

// --- actions -----------------------------------------------------------------------------------------

/** @type {Record<string, () => Promise<unknown> | void>} */
const ACTIONS = {
  undo: () => goBack(Math.max(0, undoable())),
  reset: () => open(state.start, []),
  resign: () => void (state.resigned = kind() === "solo" ? persons()[0] : last().side),
  hint: async () => {
    const { move } = await thinker("player").ask("choose", { start: state.start, moves: state.moves, player: "best", seconds: HINT_SECONDS, seed: 1 });
    state.hint = move;
  },
  values: async () => {
    state.values = (await thinker("player").ask("values", { start: state.start, moves: state.moves, seconds: HINT_SECONDS })).values;
  },
  pause: () => void (state.paused = true),
  steady: () => void (state.paused = false),
  step: async () => {
    const { move } = await thinker("player").ask("choose", { start: state.start, moves: state.moves, player: state.players[last().side], seconds: 1, seed: seed() });
    await make(move);
  },
  puzzle: async () => {
    state.players = { x: "", o: "" };
    await open((state.start % facts.puzzles.length) + 1, []);
    state.notice = say("puzzles.title", { number: state.start, count: facts.puzzles.length });
  },
};

/** Answers a form or a move. @param {string} where @param {RequestInit} init @returns {Promise<import("./game.js").Reply>} */
async function answer(where, init) {
  const action = new URL(where, location.href).hash.slice(1);
  const fields = /** @type {URLSearchParams} */ (init.body);
  state.notice = "";
  if (action in ACTIONS) {
    if (action !== "hint" && action !== "values") forget();
    await ACTIONS[action]();
  } else {
    const refused = await played(fields);
    if (refused) return { page: refuse(refused), text: "", refused: true };
  }
  publish();
  go();
  return { page: fresh(), text: "", refused: false };
}

/** Makes the move of a form; returns the reason if it is refused. @param {URLSearchParams} fields */
async function played(fields) {
  const move = fields.get("move");
  if (Number(fields.get("ply")) !== state.moves.length) return say("refused.stale");
  if (!move || !isMine()) return say("analysis.no-move", { text: fields.get("step") ?? move ?? "" });
  await make(move);
  return "";
}

/** @param {string} reason */
function refuse(reason) {
  state.notice = reason;
  state.version += 1;
  return fresh();
}

document.addEventListener("change", async (event) => {
  const field = /** @type {HTMLInputElement} */ (event.target);
  if (field.id === "analyse") return analyse();
  if (field.form?.id !== "opponents") return;
  const chosen = new FormData(/** @type {HTMLFormElement} */ (field.form));
  const [opponent, side] = [String(chosen.get("opponent")), String(chosen.get("side"))];
  forget();
  if (opponent === "two") state.players = { x: "", o: "" };
  else if (opponent === "watch") state.players = { x: PROGRAM, o: "best" };
  else state.players = side === "x" ? { x: "", o: opponent } : { x: opponent, o: "" };
  state.paused = false;
  publish();
  go();
});

document.addEventListener("submit", (event) => {
  if (/** @type {HTMLFormElement} */ (event.target).method !== "dialog") event.preventDefault();
});

document.addEventListener("click", async (event) => {
  const button = /** @type {HTMLElement} */ (event.target);
  if (button.closest?.("[data-solve]")) solve();
  else if (button.closest?.("[data-share]")) {
    const link = new URL(address(board.ply), location.href).href;
    await navigator.clipboard?.writeText(link).catch(() => prompt("", link));
  }
});

Object.assign(hooks, {
  address: (/** @type {number} */ ply) => address(ply),
  shown: () => analyse(),
});

/** Opens the game in the address; the start if there is none. */
async function openAddress() {
  const fields = new URLSearchParams(location.hash.slice(1));
  const puzzle = Number(fields.get("puzzle") ?? 0);
  const first = facts.puzzles[puzzle - 1] ? puzzle : 0;
  state.players = { ...USUAL };
  for (const side of ["x", "o"]) {
    const player = fields.get(side);
    if (player === "" || (player && texts.players[player])) state.players[side] = player;
  }
  try {
    await open(first, (fields.get("moves") ?? "").split(",").filter(Boolean));
  } catch (error) {
    const { name, text } = /** @type {{ name: string, text: string }} */ (error);
    if (name !== "illegal") throw error;
    await open(first, []);
    state.notice = say("analysis.no-move", { text });
  }
  return Math.min(state.moves.length, Number(fields.get("ply") ?? state.moves.length) || 0);
}

/** Shows the reason why there is no game in place of the status. @param {string} reason */
function fail(reason) {
  const place = one("#status");
  if (place) place.textContent = reason;
}

/** Shows the players in the form. */
function showPlayers() {
  const [opponent, side] = ["opponent", "side"].map((name) => /** @type {HTMLSelectElement | null} */ (one(`#opponents [name=${name}]`)));
  const [first = "x"] = persons();
  const names = { shared: "two", watch: "watch", solo: state.players[first === "x" ? "o" : "x"] };
  if (opponent) opponent.value = names[kind()];
  if (side) side.value = first;
}

async function begin() {
  if (typeof WebAssembly === "undefined") return fail(say("export.no-wasm"));
  const ply = await openAddress();
  const page = fresh();
  page.dataset.ply = String(ply);
  one("[data-game]")?.replaceWith(page);
  start({
    ask: answer,
    listen(hear) {
      take = hear;
    },
  });
  showPlayers();
  go();
  document.documentElement.classList.add("ready");
}

addEventListener("hashchange", async () => {
  if (!/^#(moves|puzzle)=/.test(location.hash)) return; // a link within the page
  await openAddress();
  publish();
  showPlayers();
  go();
});

addEventListener("unhandledrejection", ({ reason }) => fail(say("export.failed", { text: reason?.text ?? String(reason?.message ?? reason?.name ?? reason) })));
begin();
