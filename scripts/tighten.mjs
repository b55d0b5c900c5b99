// Makes a release build lighter on the wire; trunk runs it as a hook, in the folder that it has filled (Trunk.toml):
//
//   TRUNK_PROFILE=release TRUNK_STAGING_DIR=dist node scripts/tighten.mjs
//
// Program and script call each other by names that wasm-bindgen gives, long ones that end in a hash, which gzip cannot
// make small. wasm-opt gives them short ones and says which; terser writes the script anew with the same. Then the
// program's functions are put in an order that gzip likes.
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { alike } from "./alike.mjs";
import { functionsOf, named } from "./wasm.mjs";

/** What index.html tells wasm-opt, for a program that has been through it. */
const OPTIONS = [
  ...["--enable-bulk-memory", "--enable-nontrapping-float-to-int", "--enable-reference-types", "--enable-multivalue"],
  ...["-Oz", "--low-memory-unused", "--dealign", "--strip-target-features"],
];

/** The module from npm, or nothing where the packages are not installed: the page does without being lighter. */
function installed(name) {
  try {
    return createRequire(import.meta.url)(name);
  } catch {
    return undefined;
  }
}

/** Rewrites the program by wasm-opt with one more pass; what that prints. */
function rewrite(program, pass) {
  return execFileSync("wasm-opt", [...OPTIONS, pass, program, "-o", program], { encoding: "utf8" });
}

/** Renames what the program imports and exports; the old names, each with its new one. */
function renameLinks(program) {
  const { imports, exports } = JSON.parse(rewrite(program, "--minify-imports-and-exports-and-modules"));
  // What is imported from is the script: wasm-opt calls the one module "a", and does not say so.
  const [[script]] = imports;
  return new Map([[script, "a"], ...imports.map(([, old, name]) => [old, name]), ...exports]);
}

/** Puts functions that are alike next to each other: wasm-opt sorts them by names, so each is named after its place. */
function sortFunctions(program) {
  const bytes = readFileSync(program);
  const { imported, bodies } = functionsOf(bytes);
  const places = alike(bodies).map((index, place) => [imported + index, String(place).padStart(6, "0")]);
  writeFileSync(program, named(bytes, places));
  rewrite(program, "--reorder-functions-by-name");
}

/** The script, with short names for all that it keeps to itself and the program's own for what they share. */
async function rewritten(terser, script, names) {
  const escaped = [...names.keys()].map((name) => name.replace(/[.$]/g, "\\$&"));
  const { code } = await terser.minify(script, {
    module: true,
    compress: { passes: 2 },
    // "memory" is a name of the browser's too; here it is the program's.
    mangle: { properties: { builtins: true, regex: new RegExp(`^(?:${escaped.join("|")})$`) } },
    nameCache: { props: { props: Object.fromEntries([...names].map(([old, name]) => [`$${old}`, name])) } },
  });
  return code;
}

async function tighten(folder) {
  const terser = installed("terser");
  if (!terser) {
    console.log("tighten: left as it is, some 12 KB heavier: `npm ci --ignore-scripts` brings what it takes");
    return;
  }
  const files = readdirSync(folder).map((name) => join(folder, name));
  const program = files.find((name) => name.endsWith("_bg.wasm"));
  const script = files.find((name) => name.endsWith(".js"));
  const names = renameLinks(program);
  sortFunctions(program);
  writeFileSync(script, await rewritten(terser, readFileSync(script, "utf8"), names));
}

if (process.env.TRUNK_PROFILE === "release") await tighten(process.env.TRUNK_STAGING_DIR);
