// As much of WebAssembly's binary format as scripts/tighten.mjs needs: sections, function bodies, and the names of
// functions. https://webassembly.github.io/spec/core/binary/modules.html

const HEADER = 8;
const [CUSTOM, IMPORT, CODE] = [0, 2, 10];
/** The kind of an import that is a function. */
const FUNCTION = 0;

/** Reads numbers and runs of bytes one after the other. */
class Reader {
  constructor(bytes, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  byte() {
    return this.bytes[this.at++];
  }

  /** An unsigned LEB128 number. */
  number() {
    for (let value = 0, scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  }

  /** Bytes with their length before them. */
  run() {
    const length = this.number();
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}

function leb(value) {
  const bytes = [];
  for (; value >= 0x80; value = Math.floor(value / 128)) bytes.push((value & 0x7f) | 0x80);
  return Buffer.from([...bytes, value]);
}

const withLength = (bytes) => Buffer.concat([leb(bytes.length), bytes]);

/** How many functions the section of imports brings. wasm-bindgen's programs import functions and no more. */
function importedIn(section) {
  const reader = new Reader(section);
  const count = reader.number();
  for (let nth = 0; nth < count; nth += 1) {
    reader.run();
    reader.run();
    if (reader.byte() !== FUNCTION) throw new Error(`import ${nth} is not a function`);
    reader.number();
  }
  return count;
}

function bodiesIn(section) {
  const reader = new Reader(section);
  return Array.from({ length: reader.number() }, () => reader.run());
}

/** The functions of a program: how many it imports, which have the first indexes, and the bodies of its own. */
export function functionsOf(program) {
  const reader = new Reader(program, HEADER);
  let [imported, bodies] = [0, []];
  while (reader.at < program.length) {
    const kind = reader.byte();
    const section = reader.run();
    if (kind === IMPORT) imported = importedIn(section);
    if (kind === CODE) bodies = bodiesIn(section);
  }
  return { imported, bodies };
}

/** The program with names for its functions: pairs of index and name. It must have none yet. */
export function named(program, names) {
  const sorted = [...names].sort(([one], [other]) => one - other);
  const entries = sorted.map(([index, name]) => Buffer.concat([leb(index), withLength(Buffer.from(name))]));
  const functions = withLength(Buffer.concat([leb(entries.length), ...entries]));
  const section = Buffer.concat([withLength(Buffer.from("name")), Buffer.from([1]), functions]);
  return Buffer.concat([program, Buffer.from([CUSTOM]), withLength(section)]);
}
