// What the core costs in WebAssembly beside the host, in one run: node tests/cost/run.mjs MODULE COMMAND
// Both take turns, and of the turns the least counts, cell by cell.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [module, command] = process.argv.slice(2);
const TURNS = 3;
const KINDS = ["kmalloc", "kfree", "pair"];

function onHost() {
  const lines = execFileSync(command, ["bench", "--config", "plain", "--json"], { encoding: "utf8" });
  return lines.trim().split("\n").map((line) => {
    const row = JSON.parse(line);
    return { size: row.size, ...Object.fromEntries(KINDS.map((kind) => [kind, row[kind].ns])) };
  });
}

// A process of its own each time: a module runs once.
function inWasm() {
  const script = `require(${JSON.stringify(module)}); console.log(globalThis.slabscopeCost)`;
  return JSON.parse(execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }));
}

const least = (rows, more) =>
  rows.map((row, at) => ({ ...row, ...Object.fromEntries(KINDS.map((kind) => [kind, Math.min(row[kind], more[at][kind])])) }));

let [host, wasm] = [onHost(), inWasm()];
let seeks = wasm.seeks;
wasm = wasm.slab_test;
for (let turn = 1; turn < TURNS; turn += 1) {
  host = least(host, onHost());
  const more = inWasm();
  wasm = least(wasm, more.slab_test);
  seeks = seeks.map((milliseconds, at) => Math.min(milliseconds, more.seeks[at]));
}

console.log("slab_test, plain, nanoseconds a call: host, WebAssembly, times as long");
console.log(`size   ${KINDS.map((kind) => kind.padEnd(21)).join("")}`);
const logs = [];
host.forEach((row, at) => {
  const cells = KINDS.map((kind) => {
    const times = wasm[at][kind] / row[kind];
    logs.push(Math.log(times));
    return `${row[kind].toFixed(1).padStart(6)} ${wasm[at][kind].toFixed(1).padStart(6)} ${times.toFixed(2).padStart(5)}  `;
  });
  console.log(`${String(row.size).padStart(4)} ${cells.join("")}`);
});
const mean = Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
console.log(`geometric mean ${mean.toFixed(2)}`);
seeks.sort((a, b) => a - b);
const at = (share) => seeks[Math.min(seeks.length - 1, Math.floor(share * seeks.length))].toFixed(2);
console.log(`\n${seeks.length} seeks in a timeline of 100,000 commands, milliseconds in WebAssembly:`);
console.log(`median ${at(0.5)}, 95th percentile ${at(0.95)}, longest ${at(1)}`);
console.log(`module ${(readFileSync(module.replace(/\.js$/, "_bg.wasm")).length / 1024).toFixed(0)} KB`);
