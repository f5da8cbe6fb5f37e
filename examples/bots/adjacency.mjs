// An Adjacency bot in JavaScript (Node.js) that speaks UGI: of the moves that turn most pieces,
// the first one, from the top left.
//
//     papan match adjacency "ugi:node examples/bots/adjacency.mjs" random --games 10
import { createInterface } from "node:readline";

const START = "6oo/6oo/8/8/8/8/xx6/xx6 x 56";

/** A position: rows from the top, each an array of "x", "o" and ".". */
class Board {
  constructor(line) {
    const [board, side] = line.split(" ");
    const filled = board.replace(/\d/g, (digit) => ".".repeat(Number(digit)));
    this.rows = filled.split("/").map((row) => [...row]);
    this.side = side;
  }

  get other() {
    return this.side === "x" ? "o" : "x";
  }

  /** The opposing pieces that a move turns. */
  turned(row, column) {
    const around = [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]];
    return around.filter(([r, c]) => this.rows[r]?.[c] === this.other);
  }

  play(move) {
    const row = this.rows.length - Number(move[1]);
    const column = move.charCodeAt(0) - "a".charCodeAt(0);
    for (const [r, c] of [[row, column], ...this.turned(row, column)]) {
      this.rows[r][c] = this.side;
    }
    this.side = this.other;
  }

  bestMove() {
    let best = "";
    let most = -1;
    this.rows.forEach((cells, row) =>
      cells.forEach((cell, column) => {
        const turns = this.turned(row, column).length;
        if (cell === "." && turns > most) {
          most = turns;
          best = "abcdefgh"[column] + (this.rows.length - row);
        }
      }),
    );
    return best;
  }
}

/** The board of `position startpos|fen <line> [moves …]`. */
function readPosition(words) {
  const board = new Board(words[1] === "startpos" ? START : words.slice(2, 5).join(" "));
  const from = words.indexOf("moves");
  for (const move of from < 0 ? [] : words.slice(from + 1)) board.play(move);
  return board;
}

let board = new Board(START);
const input = createInterface({ input: process.stdin });
input.on("line", (line) => {
  const words = line.trim().split(/\s+/);
  switch (words[0]) {
    case "ugi":
      console.log("id name Turner in JavaScript\nid author Papan\nugiok");
      break;
    case "isready":
      console.log("readyok");
      break;
    case "position":
      board = readPosition(words);
      break;
    case "go":
      console.log(`bestmove ${board.bestMove()}`);
      break;
    case "quit":
      process.exit(0);
  }
});
input.on("close", () => process.exit(0));
