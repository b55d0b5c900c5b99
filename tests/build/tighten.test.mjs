// What makes a release build light: functions in an order, their names, and what stands in dist/ in the end.
//
//   node --test tests/build/*.test.mjs      after `trunk build --release`
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import binaryen from "binaryen";
import { alike } from "../../scripts/alike.mjs";
import { functionsOf, named } from "../../scripts/wasm.mjs";

const body = (seed, length = 64) => Uint8Array.from({ length }, (_, at) => Math.imul(seed + at, 0x9e3779b1) >>> 24);

test("every function keeps a place, and twins stand side by side", () => {
  const bodies = [body(1000), body(70), body(300), body(70), body(1000), new Uint8Array(0), Uint8Array.of(1, 2)];
  const order = alike(bodies);
  assert.deepEqual(order.toSorted(), [...bodies.keys()]);
  const apart = (one, other) => Math.abs(order.indexOf(one) - order.indexOf(other));
  assert.equal(apart(0, 4), 1);
  assert.equal(apart(1, 3), 1);
  assert.deepEqual(alike([]), []);
});

const MODULE = `(module
  (import "env" "one" (func $one (param i32)))
  (import "env" "two" (func $two))
  (memory 1)
  (func $call (export "call") (call $one (i32.const 300)) (call $two))
  (func $sum (export "sum") (param i32 i32) (result i32) (i32.add (local.get 0) (local.get 1))))`;

test("a program's functions are read, and named ones are still the same program", () => {
  const program = Buffer.from(binaryen.parseText(MODULE).emitBinary());
  const { imported, bodies } = functionsOf(program);
  assert.equal(imported, 2);
  assert.equal(bodies.length, 2);
  const names = bodies.map((_, index) => [imported + index, `f${index}`]).reverse();
  const read = binaryen.readBinary(named(program, names));
  assert.equal(read.validate(), 1);
  for (const [, name] of names) assert.notEqual(read.getFunction(name), 0, name);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(named(program, names)), { env: { one() {}, two() {} } });
  assert.equal(exports.sum(40, 2), 42);
});

test("what else a program imports is refused by name of its place", () => {
  const program = Buffer.from(binaryen.parseText('(module (import "env" "room" (memory 1)))').emitBinary());
  assert.throws(() => functionsOf(program), /import 0 is not a function/);
});

test("no long name of wasm-bindgen is left in the built page", () => {
  const files = readdirSync("dist").filter((name) => /\.(js|wasm)$/.test(name));
  assert.equal(files.length, 2);
  for (const name of files) {
    const text = readFileSync(`dist/${name}`, "latin1");
    assert.doesNotMatch(text, /__wbg_\w+_[0-9a-f]{16}/, name);
  }
});
