// Answers requests about one game, one JSON object a line: ask.mjs ENGINE DATA WASM WEIGHTS.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [, , script, data, wasm, weights] = process.argv;
const { Engine } = await import(script);
const tables = readFileSync(weights);
const engine = await Engine.load({
  data: JSON.parse(readFileSync(data, "utf8")),
  wasm: readFileSync(wasm),
  weights: tables.buffer.slice(tables.byteOffset, tables.byteOffset + tables.byteLength),
});
for await (const line of createInterface({ input: process.stdin })) {
  const { command, ...request } = JSON.parse(line);
  let reply;
  try {
    reply = { result: await engine[command](request, () => {}) };
  } catch (error) {
    reply = { error: { name: error.name, text: error.message } };
  }
  console.log(JSON.stringify(reply));
}
