// @ts-check
/**
 * A game and its engine in the browser: the worker of a page without a server.
 *
 * The rules and searches are the same kernels as in Python, compiled to WebAssembly
 * (`papan.jit.wasm`). This file is what Python does around them: it replays moves, deepens a search,
 * draws a level's move, closes in on a value. With the same seed, nodes and table it gives the same
 * results (`tests/wasm`, and `tests/browser/test_engine.py`).
 *
 * A worker gets `{id, command, ...}` and posts `{id, progress}`, then `{id, result}` or
 * `{id, error}`. The methods of `Engine` are the commands.
 */

const INFINITY = 1 << 24;
const PAGE = 65536;
/** Largest memory of a module in bytes. */
const MOST_MEMORY = 2 ** 30;
/** Number of rows of the table of changes. */
const CHANGE_ROWS = 1 << 13;
/** Milliseconds between looks at the clock. */
const POLL = 4;
const MASK = (1n << 64n) - 1n;

/** Status of a node of the tree of simulations. */
const [OPEN, LOST, DRAWN, WON] = [0, 1, 2, 3];
/** Values of `stop`: the table of proofs is full, or the search too deep. */
const [FULL, DEEP] = [2, 3];

/** An error with a name that the page knows. */
class Refused extends Error {
  /** @param {string} name @param {string} [text] */
  constructor(name, text = "") {
    super(text);
    this.name = name;
  }
}

/** @typedef {[string, string, any]} Leaf name, kind, value; see `papan.browser.image` */
/** @typedef {Record<string, number | bigint | bigint[] | { at: number, length: number }>} Values by name of a leaf */

/** @param {number[]} numbers */
const product = (numbers) => numbers.reduce((all, one) => all * one, 1);

/** The memory and the functions of a module. */
class Machine {
  /** @param {any} data @param {WebAssembly.Instance} instance */
  constructor(data, instance) {
    this.data = data;
    this.exports = /** @type {any} */ (instance.exports);
    /** @type {WebAssembly.Memory} */
    this.memory = this.exports.memory;
    this.end = Number(this.exports.__heap_base.value);
    /** @type {Map<string, { at: number, bytes: number }>} */
    this.regions = new Map();
    this.words = this.region("words", 8 * 4096).at;
    this.workspace = this.region("workspace", data.workspace.bytes).at;
    this.constants = 0;
  }

  /** Returns a region of memory; a larger one than before is new and empty. @param {string} name @param {number} bytes */
  region(name, bytes) {
    const known = this.regions.get(name);
    if (known && known.bytes >= bytes) return known;
    const at = (this.end + 63) & ~63;
    if (at + bytes > MOST_MEMORY) throw new Refused("memory");
    const missing = at + bytes - this.memory.buffer.byteLength;
    if (missing > 0) {
      try {
        this.memory.grow(Math.ceil(missing / PAGE));
      } catch {
        throw new Refused("memory");
      }
    }
    this.end = at + bytes;
    const fresh = { at, bytes };
    this.regions.set(name, fresh);
    return fresh;
  }

  /** Returns an array in memory as a value of a leaf. @param {string} name @param {number} length @param {number} item bytes of an element */
  array(name, length, item) {
    return { at: this.region(name, length * item).at, length };
  }

  get view() {
    return new DataView(this.memory.buffer);
  }

  /** Fills a region with zeros. @param {number} at @param {number} bytes */
  clear(at, bytes) {
    new Uint8Array(this.memory.buffer, at, bytes).fill(0);
  }

  /** @param {number} at @param {number} length */
  longs(at, length) {
    return new BigInt64Array(this.memory.buffer, at, length);
  }

  /**
   * Calls a kernel; returns its result as a signed number.
   * @param {string} name @param {Values} values by name of a leaf, or of a whole argument; others have their example values
   */
  call(name, values) {
    const view = this.view;
    let at = this.words + 8;
    /** @param {bigint} word */
    const put = (word) => {
      view.setBigUint64(at, word & MASK, true);
      at += 8;
    };
    const state = /** @type {bigint[]} */ (values.state);
    let stateAt = 0;
    for (const [leaf, kind, value] of /** @type {Leaf[]} */ (this.data.leaves[name])) {
      const own = values[leaf];
      if (leaf.startsWith("state.")) {
        for (let i = kind === "wide" ? value.length : 1; i > 0; i--) put(state[stateAt++]);
      } else if (kind === "record") put(BigInt(/** @type {number} */ (own ?? this.workspace)));
      else if (kind === "array") {
        const [item, shape, offset = 0, known] = value;
        const array = /** @type {{ at: number, length: number } | undefined} */ (own);
        const sizes = array ? [array.length / product(shape.slice(1)), ...shape.slice(1)] : shape;
        for (const word of [0, 0, product(sizes), item, array ? array.at : this.constants + offset, ...sizes]) put(BigInt(word));
        const strides = known ?? sizes.map((/** @type {any} */ _, /** @type {number} */ i) => item * product(sizes.slice(i + 1)));
        for (const stride of strides) put(BigInt(stride));
      } else if (kind === "float") {
        view.setFloat64(at, Number(own ?? value), true);
        at += 8;
      } else if (kind === "wide") for (const word of value) put(BigInt(word));
      else put(BigInt(/** @type {any} */ (own ?? value)));
    }
    const status = this.exports[`entry.${name}`](this.words);
    if (status) throw new Refused("rule", name);
    return Number(this.view.getBigInt64(this.words, true));
  }
}

/** @typedef {{ state: bigint[], past: bigint[], key: bigint, positionKey: bigint, over: boolean, side: number, final: number, left: number, win: number, value: number, facts: number[], codes: number[], winner: string }} Position */

/** The rules: positions, their moves and results. */
class Rules {
  /** @param {Machine} machine */
  constructor(machine) {
    const { data } = machine;
    this.machine = machine;
    this.data = data;
    this.names = new Map(data.places);
    this.places = machine.array("places", data.places.length, 8);
    machine.longs(this.places.at, this.places.length).set(data.places.map((/** @type {[number, string]} */ [number]) => BigInt(number)));
    const start = data.leaves.describe.filter((/** @type {Leaf} */ [leaf]) => leaf.startsWith("state.")).flatMap((/** @type {Leaf} */ [, , value]) => value);
    this.starts = [{ state: start, past: [] }, ...(data.starts ?? [])];
    /** The positions of the last game that was asked about, and the moves between them.
     * @type {{ start: number, moves: string[], positions: Position[] }} */
    this.known = { start: -1, moves: [], positions: [] };
    this.begin(0);
  }

  /** Chooses the first position of games: 0 for the start of the game, else a puzzle. @param {number} start */
  begin(start) {
    if (this.known.start === start) return;
    const { state, past } = this.starts[start];
    const words = state.map((/** @type {string} */ word) => BigInt(word) & MASK);
    this.known = { start, moves: [], positions: [this.describe(words, past.map(BigInt))] };
  }

  /** @param {bigint[]} state @param {bigint[]} past position keys before it @returns {Position} */
  describe(state, past) {
    const { machine, data } = this;
    const numbers = machine.array("numbers", data.facts, 8);
    const keys = machine.array("keys", 2, 8);
    machine.call("describe", { state, numbers, keys });
    const [over, final, side, left, win, limit, value, ...facts] = [...machine.longs(numbers.at, data.facts)].map(Number);
    const [key, positionKey] = [0, 8].map((offset) => machine.view.getBigUint64(keys.at + offset, true));
    const times = past.filter((one) => one === positionKey).length;
    const isDraw = !over && limit > 0 && past.length >= limit - 1 && times >= limit - 1;
    const position = { state, past, key, positionKey, side, final, left, win, value, facts, over: Boolean(over), codes: /** @type {number[]} */ ([]), winner: isDraw ? "draw" : "" };
    if (!isDraw) position.codes = this.moves(position);
    if (over || (data.forbids && !isDraw && !position.codes.length)) {
      position.over = true;
      position.winner = final ? "xo"[final > 0 ? side : 1 - side] : "draw";
    }
    return position;
  }

  /** @param {Position} position */
  moves({ state, key, positionKey, past }) {
    const { machine, data } = this;
    const [found, keys] = ["found", "foundKeys"].map((name) => machine.array(name, data.mostMoves, 8));
    const count = Math.min(machine.call("moves", { state, key, found, keys }), data.mostMoves);
    const codes = [...machine.longs(found.at, count)].map(Number);
    if (!data.forbids) return codes;
    const stood = new Set([...past, positionKey]);
    return codes.filter((_, i) => !stood.has(machine.view.getBigUint64(keys.at + 8 * i, true)));
  }

  /** Returns the position after a legal move. @param {Position} position @param {number} move */
  after({ state, past, positionKey }, move) {
    const { machine, data } = this;
    const words = machine.array("state", state.length, 8);
    machine.call("play", { state, move, words });
    const next = [...new BigUint64Array(machine.memory.buffer, words.at, state.length)];
    return this.describe(next, data.remembers ? [...past, positionKey] : past);
  }

  /** Returns the positions of a game. @param {string[]} moves */
  positions(moves) {
    const { known } = this;
    let same = 0;
    while (same < moves.length && moves[same] === known.moves[same]) same++;
    known.moves.length = same;
    known.positions.length = same + 1;
    for (const text of moves.slice(same)) {
      const here = known.positions[known.positions.length - 1];
      const move = here.codes.find((code) => this.text(code) === text);
      if (move === undefined) throw new Refused("illegal", `${known.moves.length + 1}: ${text}`);
      known.positions.push(this.after(here, move));
      known.moves.push(text);
    }
    return known.positions;
  }

  /** @param {string[]} moves */
  position(moves) {
    const positions = this.positions(moves);
    return positions[positions.length - 1];
  }

  /** Returns the steps of a move: names of places, and words. @param {number} move @returns {string[]} */
  steps(move) {
    const { walk, bits, ways, words, steps } = this.data.notation;
    if (steps[move]) return steps[move];
    const field = 2 ** bits;
    const named = (/** @type {number[]} */ ...numbers) => numbers.filter((one) => this.names.has(one)).map((one) => this.names.get(one));
    if (walk === "place") return named(move);
    if (walk === "pair") return named(Math.floor(move / field), move % field);
    if (walk === "choice") {
      const [way, choice] = [Math.floor(move / 8), move % 8];
      return [...named(Math.floor(way / field), way % field), ...(choice && choice <= words.length ? [words[choice - 1]] : [])];
    }
    if (walk === "then") {
      const way = Math.floor(move / field);
      return named(Math.floor(way / field), way % field, move % field);
    }
    const jumps = move & 15;
    const places = [move >> 22];
    for (let i = 0; i < Math.max(jumps, 1); i++) places.push(places[i] + ways[(move >> (20 - 2 * i)) & 3] * (jumps ? 2 : 1));
    return named(...places);
  }

  /** Returns the text of a move. @param {number} move @returns {string} */
  text(move) {
    const { walk, bits, joints, texts } = this.data.notation;
    if (texts[move]) return texts[move];
    let between = joints;
    if (walk === "chain") between = move & 15 ? joints.slice(-1) : joints.slice(0, 1);
    else if (walk === "then" && !this.names.has(Math.floor(move / 2 ** (2 * bits)))) between = joints.slice(-1);
    return this.steps(move).reduce((text, step, i) => text + between[Math.min(i - 1, between.length - 1)] + step);
  }

  /** Returns the changes of each legal move, and the contents before them. @param {Position} position */
  changes(position) {
    const { machine, data } = this;
    const places = this.places;
    const before = machine.array("before", 2 * places.length, 8);
    const table = machine.array("changes", 4 * CHANGE_ROWS, 8);
    const count = machine.call("changes", { state: position.state, places, before, table });
    const numbers = machine.longs(before.at, 2 * data.places.length);
    const contents = data.places.map((/** @type {any} */ _, /** @type {number} */ i) => [Number(numbers[2 * i]), Number(numbers[2 * i + 1])]);
    /** @type {Map<number, number[][]>} */
    const changes = new Map();
    const rows = machine.longs(table.at, 4 * Math.min(count, CHANGE_ROWS));
    for (let i = 0; i < rows.length; i += 4) {
      const [move, ...change] = [...rows.subarray(i, i + 4)].map(Number);
      changes.set(move, [...(changes.get(move) ?? []), change]);
    }
    return { contents, changes: count > CHANGE_ROWS ? null : changes };
  }

  /** Returns what a page shows of a position. @param {Position} position @param {boolean} withMoves */
  shown(position, withMoves) {
    const { contents, changes } = this.changes(position);
    const touches = this.data.notation.touches;
    const moves = (withMoves ? position.codes : []).map((code) => ({
      text: this.text(code),
      steps: this.steps(code),
      targets: touches[code] ?? [],
      changes: changes ? (changes.get(code) ?? []) : null,
    }));
    const { side, winner, facts } = position;
    return { side: "xo"[side], over: Boolean(winner), winner, contents, won: this.won(position, contents), facts, moves };
  }

  /** Returns the names of the places that show how a game was won. @param {Position} position @param {number[][]} contents */
  won({ winner }, contents) {
    const { rows, chain, places, owners } = this.data;
    if (winner !== "x" && winner !== "o") return [];
    const own = new Set(places.filter((/** @type {any} */ _, /** @type {number} */ i) => owners[contents[i][0]] === winner).map((/** @type {[number, string]} */ [number]) => number));
    const full = rows.filter((/** @type {number[]} */ row) => row.every((place) => own.has(place))).flat();
    const way = chain ? shortest(own, chain.edges[winner], chain.neighbours) : [];
    return [...new Set([...full, ...way])].map((place) => this.names.get(place));
  }
}

/** Returns a shortest way between two edges. @param {Set<number>} own @param {number[][]} edges @param {Record<number, number[]>} neighbours */
function shortest(own, [first, last], neighbours) {
  const before = new Map(first.filter((place) => own.has(place)).map((place) => [place, -1]));
  for (const here of before.keys()) {
    if (last.includes(here)) {
      const way = [here];
      for (let place = before.get(here) ?? -1; place >= 0; place = before.get(place) ?? -1) way.push(place);
      return way;
    }
    for (const place of neighbours[here]) if (own.has(place) && !before.has(place)) before.set(place, here);
  }
  return [];
}

/** @typedef {{ depth?: number, nodes?: number, seconds?: number }} Limits */

/** One search: its limits, and what it found. */
class Search {
  /** @param {Rules} rules @param {Position} position @param {Limits} limits */
  constructor(rules, position, { nodes = Infinity, seconds = Infinity }) {
    const { machine } = rules;
    this.rules = rules;
    this.machine = machine;
    this.position = position;
    this.layout = machine.data.workspace;
    this.nodeLimit = Math.min(nodes, 2 ** 62);
    this.slice = seconds < Infinity ? 256 : Infinity;
    this.started = performance.now();
    this.deadline = this.started + 1000 * seconds;
    this.looked = this.started;
    machine.clear(machine.workspace, this.layout.bytes);
    this.setLimit(0);
    this.enterPast();
  }

  /** @param {string} field @param {number} [index] in bytes */
  at(field, index = 0) {
    return this.machine.workspace + this.layout.offsets[field] + index;
  }

  /** @param {string} field */
  get(field) {
    return Number(this.machine.view.getBigInt64(this.at(field), true));
  }

  /** @param {string} field @param {bigint} value */
  set(field, value) {
    this.machine.view.setBigUint64(this.at(field), value & MASK, true);
  }

  /** @param {number} nodes visited so far */
  setLimit(nodes) {
    this.set("node_limit", BigInt(Math.min(this.nodeLimit, nodes + this.slice, 2 ** 62)));
  }

  /** Writes the earlier positions of the game, as `papan.search.workspace.new_workspace` does. */
  enterPast() {
    const { past: longest, slots } = this.layout;
    const { threshold } = this.rules.data;
    const past = this.position.past.slice(-longest);
    const view = this.machine.view;
    this.set("root", BigInt(past.length));
    past.forEach((key, i) => {
      view.setBigUint64(this.at("path", 8 * i), key, true);
      const slot = this.at("seen", 2 * Number(key % BigInt(slots)));
      view.setUint16(slot, view.getUint16(slot, true) + 1, true);
    });
    if (!this.rules.data.remembers) return;
    const times = new Map();
    for (const key of this.position.past) times.set(key, (times.get(key) ?? 0) + 1);
    let combined = 0n;
    for (const [key, count] of times) if (count >= threshold - 1) combined ^= key;
    this.set("history_hash", combined ? scrambled((combined + 0x9e3779b97f4a7c15n) & MASK) : 0n);
  }

  /** Ends the search, or raises its limit: called from the module when the limit of nodes is reached. */
  atLimit() {
    const [now, nodes] = [performance.now(), this.get("nodes")];
    if (nodes >= this.nodeLimit || now >= this.deadline) return this.set("stop", 1n);
    if (now - this.looked < POLL) this.slice = Math.min(this.slice * 2, 1 << 20);
    else if (now - this.looked > 2 * POLL) this.slice = Math.max(1, this.slice / 2);
    this.looked = now;
    this.setLimit(nodes);
  }

  get stopped() {
    return this.get("stop") !== 0 || performance.now() >= this.deadline;
  }

  get seconds() {
    return (performance.now() - this.started) / 1000;
  }

  /** Returns the principal variation. */
  get pv() {
    const view = this.machine.view;
    const length = view.getInt32(this.at("pv_length"), true);
    return Array.from({ length }, (_, i) => view.getInt32(this.at("pv", 4 * i), true));
  }

  /** @param {number} value */
  isWin(value) {
    const { win } = this.position;
    return win > 0 && win - this.layout.plies <= Math.abs(value) && Math.abs(value) <= win;
  }

  /** Returns a value in points. @param {number} value */
  points(value) {
    return this.isWin(value) ? value : value / this.rules.data.unit;
  }

  /** @param {number} value @param {number} depth */
  isProven(value, depth) {
    return depth >= this.position.left || this.isWin(value);
  }

  /** Returns the expected score of the side to move for a value; null if the game is played for a margin. @param {number} value */
  chance(value) {
    if (this.isWin(value)) return value > 0 ? 1 : 0;
    const { chances, lead } = this.rules.data;
    const logit = chances ? this.points(value) : (Math.log(3) * this.points(value)) / lead;
    return 1 / (1 + Math.exp(-Math.max(-100, Math.min(100, logit))));
  }
}

/** The output of splitmix64 for a state. @param {bigint} state */
function scrambled(state) {
  let z = ((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK;
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK;
  return z ^ (z >> 31n);
}

/** @typedef {{ move: number, value: number, moves: number[] }} Line */
/** @typedef {{ depth: number, nodes: number, value: number, proven: boolean, lines: Line[], stopped: boolean }} Found */

/** The engine: deepening, aspiration windows, several lines; the same as `papan.engine`. */
class AlphaBeta {
  /** @param {Rules} rules @param {number} megabytes of its table @param {number} lines */
  constructor(rules, megabytes, lines) {
    this.rules = rules;
    this.lines = lines;
    const slots = 2 ** Math.max(1, Math.floor(Math.log2((megabytes * 2 ** 20) / 24)));
    this.table = rules.machine.array("table", 3 * slots, 8);
    this.mask = slots - 1;
    this.generation = 0;
    this.forget();
  }

  forget() {
    this.rules.machine.clear(this.table.at, 8 * this.table.length);
  }

  /** Yields results of growing depth. @param {Position} position @param {Limits} limits @returns {Generator<Found>} */
  *search(position, limits) {
    const { rules } = this;
    const { machine } = rules;
    this.generation = (this.generation + 1) % 256;
    const task = new Search(rules, position, limits);
    current = task;
    const { offsets } = machine.data.workspace;
    new Uint8Array(machine.memory.buffer, machine.workspace + offsets.killers, offsets.history - offsets.killers).fill(255);
    let candidates = position.codes;
    const guesses = Array.from({ length: 2 }, () => Array(this.lines).fill(0));
    const deepest = Math.min(limits.depth ?? Infinity, task.layout.plies);
    for (let depth = 1; depth <= deepest; depth++) {
      const lines = [...this.found(task, depth, candidates, guesses[depth % 2])];
      const stopped = task.stopped;
      if (!lines.length || (stopped && this.lines > 1)) return;
      const best = lines.map(({ move }) => move);
      candidates = [...best, ...candidates.filter((move) => !best.includes(move))];
      guesses[depth % 2] = lines.map(({ value }) => value);
      lines.sort((one, other) => other.value - one.value);
      const proven = !stopped && task.isProven(lines[0].value, depth);
      yield { depth, nodes: task.get("nodes"), value: lines[0].value, proven, lines, stopped };
      const forced = limits.seconds !== undefined && limits.depth === undefined && candidates.length === 1 && depth >= 4;
      if (stopped || forced || lines.every(({ value }) => task.isProven(value, depth))) return;
    }
  }

  /** Yields the best lines, each without the first moves of earlier ones. @param {Search} task @param {number} depth @param {number[]} candidates @param {number[]} guesses @returns {Generator<Line>} */
  *found(task, depth, candidates, guesses) {
    let left = candidates;
    for (let number = 0; number < Math.min(this.lines, candidates.length); number++) {
      const value = this.aspire(task, depth, guesses[number] ?? 0, left);
      const moves = task.pv;
      if (!moves.length || (task.stopped && depth === 1)) return;
      yield { move: moves[0], value, moves };
      if (task.stopped) return;
      left = left.filter((move) => move !== moves[0]);
    }
  }

  /** @param {Search} task @param {number} depth @param {number} guess @param {number[]} moves */
  aspire(task, depth, guess, moves) {
    let width = depth >= 3 ? this.rules.data.unit : 0;
    let [low, high] = width ? [guess - width, guess + width] : [-INFINITY, INFINITY];
    for (;;) {
      const value = this.value(task, depth, low, high, moves);
      if (!width || task.stopped || (low < value && value < high)) return value;
      width *= 4;
      if (value <= low) low = Math.max(-INFINITY, value - width);
      else high = Math.min(INFINITY, value + width);
    }
  }

  /** @param {Search} task @param {number} depth @param {number} low @param {number} high @param {number[]} moves */
  value({ machine, position }, depth, low, high, moves) {
    const candidates = machine.array("candidates", moves.length, 8);
    machine.longs(candidates.at, moves.length).set(moves.map(BigInt));
    const table = "techniques.memory.table";
    return machine.call("search", {
      ...{ state: position.state, key: position.key, depth, "window.0": low, "window.1": high, candidates },
      [`${table}.slots`]: this.table,
      [`${table}.mask`]: this.mask,
      [`${table}.generation`]: this.generation,
    });
  }
}

/** Monte Carlo tree search: the same as `papan.search.mcts`. */
class TreeSearch {
  /** @param {Rules} rules @param {number} megabytes of its tree */
  constructor(rules, megabytes) {
    const { machine } = rules;
    this.rules = rules;
    this.layout = machine.data.tree;
    this.room = Math.floor((megabytes * 1e6) / 32);
    this.nodes = machine.array("nodes", this.room, this.layout.bytes);
    this.appeal = machine.array("appeal", this.room, this.layout.appealBytes);
    this.head = machine.region("head", this.layout.headBytes).at;
    this.notes = this.ofRave();
  }

  /** Returns the arrays of RAVE; none if the game does not use it. @returns {Values} */
  ofRave() {
    const { machine } = this.rules;
    const leaves = /** @type {Leaf[]} */ (machine.data.leaves.simulate);
    const own = leaves.filter(([name, kind]) => kind === "array" && name.startsWith("settings.selection."));
    const length = (/** @type {Leaf} */ [name, , [, shape]]) => (name.endsWith(".later") ? this.room : shape[0]);
    return Object.fromEntries(own.map((leaf) => [leaf[0], machine.array(leaf[0], length(leaf), leaf[2][0])]));
  }

  /** @param {number} index @param {string} field */
  node(index, field) {
    const { offsets, bytes } = this.layout;
    const at = this.nodes.at + index * bytes + offsets[field];
    const view = this.rules.machine.view;
    if (field === "total") return view.getFloat64(at, true);
    if (field === "count") return view.getInt16(at, true);
    return field === "status" || field === "again" ? view.getInt8(at) : view.getInt32(at, true);
  }

  /** Runs simulations of a position; yields after each batch. @param {Position} position @param {Limits & { simulations?: number, seed?: bigint }} limits */
  *search(position, limits) {
    const { machine } = this.rules;
    const { offsets, appealOffsets, headOffsets, bytes, headBytes } = this.layout;
    const task = new Search(this.rules, position, limits);
    current = task;
    const view = machine.view;
    machine.clear(this.head, headBytes);
    machine.clear(this.nodes.at, bytes);
    view.setBigInt64(this.head + headOffsets.used, 1n, true);
    view.setBigInt64(this.head + headOffsets.room, BigInt(this.room), true);
    view.setBigUint64(this.head + headOffsets.random, ((limits.seed ?? 1n) ^ position.key) & MASK, true);
    view.setInt32(this.nodes.at + offsets.move, -1, true);
    view.setFloat32(this.appeal.at + appealOffsets.average, 1e9, true);
    view.setFloat32(this.appeal.at + appealOffsets.spread, 0, true);
    const most = limits.simulations ?? 2 ** 31 - 1;
    for (let batch = 256; ; batch = this.visits) {
      this.simulate(task, Math.min(batch, most - this.visits));
      if (!this.node(0, "count")) return;
      yield task;
      if (task.stopped || this.visits >= most || this.proven) return;
    }
  }

  /** @param {Search} task @param {number} most */
  simulate({ machine, position, layout }, most) {
    const { remembers, longest } = this.rules.data;
    const room = layout.past + layout.plies + 2 - position.past.length - layout.plies - 1;
    machine.call("simulate", {
      ...{ state: position.state, key: position.key, most },
      ...{ "tree.nodes": this.nodes, "tree.appeal": this.appeal, "tree.head": this.head, ...this.notes },
      ...{ "settings.depth": layout.plies, "settings.cutoff": remembers ? Math.min(longest, room) : longest },
    });
  }

  get visits() {
    return this.node(0, "visits");
  }

  get proven() {
    return this.node(0, "status") !== OPEN;
  }

  /** The expected score of the side to move. */
  get score() {
    return 1 - (this.proven ? scoreOf(this.node(0, "status")) : this.mean(0));
  }

  /** @param {number} index */
  mean(index) {
    const visits = this.node(index, "visits");
    return visits ? this.node(index, "total") / visits : scoreOf(DRAWN);
  }

  /** The children of a node. @param {number} index */
  children(index) {
    const first = this.node(index, "first");
    return Array.from({ length: this.node(index, "count") }, (_, i) => first + i);
  }

  /** Returns the child to play; see `papan.search.mcts.tree.best_child`. @param {number} index */
  best(index) {
    const children = this.children(index);
    const status = (/** @type {number} */ child) => this.node(child, "status");
    const robust = (/** @type {number} */ child) => (status(child) === OPEN ? this.node(child, "visits") : -1);
    const most = (/** @type {(child: number) => number} */ rank) => children.reduce((best, child) => (rank(child) > rank(best) ? child : best));
    const best = most(robust);
    const won = children.find((child) => status(child) === WON);
    if (won !== undefined) return won;
    const drawn = children.find((child) => status(child) === DRAWN);
    if (drawn !== undefined && (status(best) !== OPEN || this.mean(best) < scoreOf(DRAWN))) return drawn;
    return status(best) === OPEN ? best : most((child) => this.node(child, "visits"));
  }

  /** The principal variation. */
  get pv() {
    const line = [];
    for (let index = 0; this.node(index, "count"); ) {
      index = this.best(index);
      if (line.length && !this.node(index, "visits")) break;
      line.push(this.node(index, "move"));
    }
    return line;
  }
}

/** @param {number} status */
const scoreOf = (status) => 0.5 * (status - LOST);

/** Exact solving by null windows; see `papan.solve.null_window` and `papan.solve.deepening`. */
class Solver {
  /** @param {Rules} rules @param {Position} position @param {Limits} limits */
  constructor(rules, position, limits) {
    this.rules = rules;
    this.task = new Search(rules, position, limits);
    current = this.task;
    this.machine = rules.machine;
    this.team = this.machine.array("team", 1 << 14, 8);
    this.slots = FIRST_PROOFS;
    this.proofs = this.newTable(this.slots);
  }

  /** @param {number} slots */
  newTable(slots) {
    const words = this.machine.array(`proofs${slots}`, 3 * slots, 8);
    this.machine.clear(words.at, 24 * slots);
    const used = this.machine.array(`used${slots}`, 2, 8);
    const grows = slots < MOST_PROOFS;
    this.machine.longs(used.at, 2).set([0n, grows ? BigInt(4 * slots) : 2n ** 62n]);
    return { words, mask: slots - 1, used, team: this.team, byReplies: slots > FIRST_PROOFS && this.rules.data.byReplies ? 1 : 0 };
  }

  /** @param {string} name @param {ReturnType<Solver["newTable"]>} table */
  leaves(name, { words, mask, used, team, byReplies }) {
    return { [`${name}.words`]: words, [`${name}.mask`]: mask, [`${name}.used`]: used, [`${name}.team.busy`]: team, [`${name}.by_replies`]: byReplies };
  }

  /** Returns a lower bound ≥ beta of the value, or an upper bound < beta. @param {Position} position @param {number} ply @param {number} beta */
  ask({ state }, ply, beta) {
    for (;;) {
      const bound = this.machine.call("prove", { state, ply, beta, ...this.leaves("proofs", this.proofs) });
      const stop = this.task.get("stop");
      if (!stop) return bound;
      if (stop !== FULL) throw new Refused(stop === DEEP ? "deep" : "unsolved");
      this.grow();
    }
  }

  grow() {
    this.task.set("stop", 0n);
    if (this.task.stopped) throw new Refused("unsolved");
    this.slots *= 8;
    const fresh = this.newTable(this.slots);
    this.machine.call("copyProofs", { ...this.leaves("old", this.proofs), ...this.leaves("new", fresh) });
    this.proofs = fresh;
  }

  /** Converts a value of the child to the view of the position, or back. @param {Position} position @param {Position} child @param {number} value */
  above(position, child, value) {
    return position.side === child.side ? value : -value;
  }

  /** Returns the beta for the child of the test whether the position has at least the value beta. @param {Position} position @param {Position} child @param {number} beta */
  below(position, child, beta) {
    return position.side === child.side ? beta : 1 - beta;
  }

  /** Returns the value of a position at a ply. @param {Position} position @param {number} ply @param {number} [guess] */
  exact(position, ply, guess) {
    if (this.rules.data.solver === "deepening") return this.deepened(position, ply);
    let [lower, upper, beta] = [-INFINITY, INFINITY, guess ?? 1];
    while (lower < upper) {
      const bound = this.ask(position, ply, beta);
      if (bound >= beta) lower = bound;
      else upper = bound;
      beta = bound >= beta ? lower + 1 : upper;
    }
    return lower;
  }

  /** @param {Position} position @param {number} ply */
  deepened(position, ply) {
    const { win, over } = position;
    let [lower, upper] = [ply + 1 - win, win - ply - 1];
    for (let plies = ply + 1; plies < this.task.layout.plies; plies++) {
      if (over) return this.ask(position, ply, 1);
      for (const beta of [win - plies, plies - win + 1]) {
        if (lower >= beta || beta > upper) continue;
        const bound = this.ask(position, ply, beta);
        if (bound >= beta) lower = bound;
        else upper = bound;
      }
      if (lower === upper) return lower;
    }
    throw new Refused("deep");
  }

  /** Returns the value of the position and all best moves. */
  solve() {
    const { rules, task } = this;
    const { position } = task;
    const value = this.exact(position, 0);
    const nodes = task.get("nodes");
    const moves = position.codes.filter((code) => {
      const child = rules.after(position, code);
      return this.above(position, child, this.ask(child, 1, this.below(position, child, value))) >= value;
    });
    const plies = position.win > 0 && value ? position.win - Math.abs(value) : null;
    return { solved: true, value, plies, moves: moves.map((move) => rules.text(move)), nodes, allNodes: task.get("nodes") };
  }
}

/** Largest number of slots of a table of proofs: 2²² take 96 MB. */
const MOST_PROOFS = 1 << 22;
/** Slots of the first table; in larger ones, moves with few replies come first where that helps. */
const FIRST_PROOFS = 1 << 13;

/** The search that runs, for the calls from the module. @type {Search | null} */
let current = null;

/** The commands of a page. */
class Engine {
  /** @param {{ data: any, wasm: BufferSource | WebAssembly.Module, weights?: ArrayBuffer | null }} parts */
  static async load({ data, wasm, weights }) {
    const imports = { env: { papan_at_limit: () => current?.atLimit(), log: Math.log, exp: Math.exp, pow: Math.pow } };
    const module = wasm instanceof WebAssembly.Module ? wasm : await WebAssembly.compile(wasm);
    const instance = await WebAssembly.instantiate(module, imports);
    const machine = new Machine(data, instance);
    if (weights?.byteLength) {
      machine.constants = machine.region("constants", weights.byteLength).at;
      new Uint8Array(machine.memory.buffer, machine.constants, weights.byteLength).set(new Uint8Array(weights));
    }
    return new Engine(new Rules(machine), module);
  }

  /** @param {Rules} rules @param {WebAssembly.Module} module */
  constructor(rules, module) {
    this.rules = rules;
    this.module = module;
    /** The searches of players, which keep their tables. @type {Map<string, AlphaBeta>} */
    this.engines = new Map();
  }

  /** @param {{ moves: string[], all?: boolean }} request */
  position({ moves, all }) {
    const positions = this.rules.positions(moves);
    const last = moves.length;
    const shown = (/** @type {number} */ ply) => this.rules.shown(positions[ply], Boolean(all) || ply === last);
    return all ? { ...shown(last), plies: positions.map((_, ply) => shown(ply)) } : shown(last);
  }

  /** @param {{ moves: string[], depth: number }} request */
  perft({ moves, depth }) {
    const { state, key } = this.rules.position(moves);
    current = new Search(this.rules, this.rules.position(moves), {});
    return { nodes: this.rules.machine.call("perft", { state, key, depth, ply: 0 }) };
  }

  /** Searches with alpha–beta; the values are those of the kernel. @param {{ moves: string[], hash?: number, lines?: number } & Limits} request */
  search({ moves, hash = 16, lines = 1, ...limits }) {
    const { rules } = this;
    /** @type {Found | undefined} */
    let last;
    for (const found of new AlphaBeta(rules, hash, lines).search(this.playable(moves), limits)) last = found;
    if (!last) return null;
    return { ...last, pv: last.lines[0].moves.map((move) => rules.text(move)), nodes: current?.get("nodes"), seconds: current?.seconds };
  }

  /** Runs simulations. @param {{ moves: string[], simulations?: number, seed?: number, memory?: number } & Limits} request */
  simulate({ moves, simulations, seed = 1, memory = 64, seconds, nodes }) {
    const search = new TreeSearch(this.rules, memory);
    for (const _ of search.search(this.playable(moves), { simulations, seconds, nodes, seed: BigInt(seed) }));
    const { visits, score, proven, pv } = search;
    return { simulations: visits, score, proven, pv: pv.map((move) => this.rules.text(move)), seconds: current?.seconds };
  }

  /** @param {{ moves: string[], player: string, seconds?: number, seed?: number }} request */
  choose({ moves, player, seconds = 1, seed = 1 }) {
    const position = this.playable(moves);
    const [name, number] = player.split(":");
    const chance = random(seed);
    if (name === "random") return this.chosen(position.codes[Math.floor(chance() * position.codes.length)]);
    if (name === "level") {
      const { levels } = this.rules.data;
      return this.level(position, levels[Math.min(Number(number), levels.length) - 1], chance);
    }
    return this.strongest(position, seconds, seed);
  }

  /** @param {number} move @param {number | null} [value] @param {number | null} [chance] */
  chosen(move, value = null, chance = null) {
    return { move: this.rules.text(move), value, chance };
  }

  /** Returns the move of the strongest search. @param {Position} position @param {number} seconds @param {number} seed */
  strongest(position, seconds, seed) {
    if (this.rules.data.best === "mcts") {
      const tree = new TreeSearch(this.rules, 128);
      for (const _ of tree.search(position, { seconds, seed: BigInt(seed) }));
      return tree.pv.length ? this.chosen(tree.pv[0], null, tree.score) : this.chosen(position.codes[0]);
    }
    const engine = this.engine("best", 64, 1);
    let best = this.chosen(position.codes[0]);
    for (const { value, lines } of engine.search(position, { seconds })) {
      best = this.chosen(lines[0].move, current?.points(value) ?? null, current?.chance(value) ?? null);
    }
    return best;
  }

  /** Returns an engine that keeps its table. @param {string} name @param {number} megabytes @param {number} lines */
  engine(name, megabytes, lines) {
    if (!this.engines.has(name)) {
      this.engines.clear(); // they share their memory
      this.engines.set(name, new AlphaBeta(this.rules, megabytes, lines));
    }
    return /** @type {AlphaBeta} */ (this.engines.get(name));
  }

  /** Returns a move as `papan.players.fallible` does. @param {Position} position @param {[string, number, number, number]} strength @param {() => number} chance */
  level(position, [search, nodes, noise, scale], chance) {
    const { rules } = this;
    if (chance() >= Math.min(noise, 0.15)) {
      const win = position.codes.find((code) => rules.after(position, code).winner === "xo"[position.side]);
      if (win !== undefined) return this.chosen(win, null, 1);
    }
    if (position.codes.length === 1) return this.chosen(position.codes[0]);
    /** @type {[number, number][]} */
    const candidates = search === "mcts" ? this.byTree(position, nodes, noise, chance) : this.byLines(position, nodes, noise, scale);
    const best = candidates.reduce((one, other) => (other[1] > one[1] ? other : one));
    if (!noise) return this.chosen(best[0], null, best[1]);
    const weights = candidates.map(([, score]) => Math.exp((score - best[1]) / noise));
    let left = chance() * weights.reduce((sum, weight) => sum + weight, 0);
    const index = weights.findIndex((weight) => (left -= weight) < 0);
    const [move, score] = candidates[index < 0 ? weights.length - 1 : index];
    return this.chosen(move, null, score);
  }

  /** @param {Position} position @param {number} nodes @param {number} noise @param {() => number} chance @returns {[number, number][]} */
  byTree(position, nodes, noise, chance) {
    const tree = new TreeSearch(this.rules, room(2000 * nodes));
    const seed = BigInt(Math.floor(chance() * 2 ** 32));
    for (const _ of tree.search(position, { simulations: nodes, seed }));
    const { score } = tree;
    const children = tree.children(0);
    if (!noise || !children.length) return [[tree.pv[0] ?? position.codes[0], score]];
    return children.map((child) => {
      const status = tree.node(child, "status");
      const guess = (tree.node(child, "total") + score) / (tree.node(child, "visits") + 1);
      return [tree.node(child, "move"), status === OPEN ? guess : scoreOf(status)];
    });
  }

  /** @param {Position} position @param {number} nodes @param {number} noise @param {number} scale @returns {[number, number][]} */
  byLines(position, nodes, noise, scale) {
    const lines = noise <= 0.01 ? 1 : noise > 0.05 ? 64 : 6;
    const engine = this.engine(`${nodes} ${lines}`, room(32 * nodes), lines);
    /** @type {Found | undefined} */
    let last;
    for (const found of engine.search(position, { nodes })) last = found;
    if (!last) for (const found of engine.search(position, { depth: 1 })) last = found;
    const task = /** @type {Search} */ (current);
    return (last?.lines ?? []).map(({ move, value }) => [move, this.rules.data.chances ? task.chance(value) : logistic(task, value, scale)]);
  }

  /** @param {{ moves: string[], seconds?: number, lines?: number }} request @param {(found: object) => void} progress */
  analyse({ moves, seconds = 1, lines = 3 }, progress) {
    const position = this.playable(moves);
    /** @type {any} */
    let result = { depth: 0, nodes: 0, seconds: 0, proven: false, lines: [] };
    for (const found of this.engine(`lines ${lines}`, 64, lines).search(position, { seconds })) {
      const task = /** @type {Search} */ (current);
      result = { depth: found.depth, nodes: found.nodes, seconds: task.seconds, proven: found.proven, lines: found.lines.map((line) => this.line(task, line)) };
      progress(result);
    }
    return result;
  }

  /** @param {Search} task @param {Line} line */
  line(task, { moves, value }) {
    const win = task.isWin(value) ? task.position.win - Math.abs(value) : null;
    return { moves: moves.map((move) => this.rules.text(move)), value: task.points(value), chance: task.chance(value), win };
  }

  /** @param {{ moves: string[], seconds?: number }} request */
  values({ moves, seconds = 1 }) {
    const position = this.playable(moves);
    /** @type {any[]} */
    let values = [];
    const count = position.codes.length;
    for (const { lines, depth } of this.engine(`values ${count}`, 64, count).search(position, { seconds })) {
      const task = /** @type {Search} */ (current);
      values = lines.map((line) => {
        const { value, chance, win } = this.line(task, line);
        return { move: this.rules.text(line.move), value, chance, win, proven: task.isProven(line.value, depth) };
      });
    }
    return { values };
  }

  /** @param {{ moves: string[], nodes?: number, seconds?: number }} request */
  solve({ moves, nodes, seconds }) {
    if (!this.rules.data.solver) return { solved: false, why: "no-solver" };
    try {
      return new Solver(this.rules, this.playable(moves), { nodes, seconds }).solve();
    } catch (error) {
      if (!(error instanceof Refused) || !["unsolved", "deep", "memory"].includes(error.name)) throw error;
      return { solved: false, why: error.name, nodes: current?.get("nodes") };
    }
  }

  /** @param {string[]} moves */
  playable(moves) {
    const position = this.rules.position(moves);
    if (position.winner) throw new Refused("over");
    return position;
  }
}

/** Returns the expected score of a value without a trained evaluation. @param {Search} task @param {number} value @param {number} scale */
function logistic(task, value, scale) {
  if (task.isWin(value)) return value > 0 ? 1 : 0;
  return 1 / (1 + Math.exp(-Math.log(3) * Math.max(-100, Math.min(100, task.points(value) / scale))));
}

/** Converts bytes to megabytes within the limits of a level. @param {number} bytes */
const room = (bytes) => Math.min(Math.max(bytes / 1e6, 0.5), 64);

/** Returns a generator of numbers from 0 to 1, without 1. @param {number} seed */
function random(seed) {
  let state = BigInt(seed) & MASK;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & MASK;
    return Number(scrambled(state) >> 11n) / 2 ** 53;
  };
}

// --- the worker ----------------------------------------------------------------------------------

/** @type {Promise<Engine> | undefined} */
let engine;

/** @param {{ data: any }} event */
async function answer({ data: { id, command, ...request } }) {
  const post = (/** @type {object} */ reply) => self.postMessage({ id, ...reply });
  try {
    if (command === "load") {
      engine = Engine.load(/** @type {any} */ (request));
      return post({ result: { module: (await engine).module } });
    }
    const machine = /** @type {any} */ (await engine);
    machine.rules.begin(request.start ?? 0);
    post({ result: await machine[command](request, (/** @type {object} */ progress) => post({ progress })) });
  } catch (error) {
    const { name, message } = /** @type {Error} */ (error);
    post({ error: { name, text: message } });
  }
}

if ("importScripts" in globalThis) self.addEventListener("message", answer);
