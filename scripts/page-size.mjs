// What the built page weighs on the wire: node scripts/page-size.mjs FOLDER LIMIT
// Every file of the folder, gzipped one by one, in bytes; fails over the limit.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { gzipSync } from "node:zlib";

const [folder, limit] = [process.argv[2], Number(process.argv[3])];

function filesBelow(path) {
  return statSync(path).isDirectory() ? readdirSync(path).flatMap((name) => filesBelow(join(path, name))) : [path];
}

const sizes = filesBelow(folder).map((path) => {
  const bytes = readFileSync(path);
  return { name: relative(folder, path), plain: bytes.length, gzipped: gzipSync(bytes, { level: 9 }).length };
});
const total = sizes.reduce((sum, size) => sum + size.gzipped, 0);
for (const { name, plain, gzipped } of sizes) {
  console.log(`${String(plain).padStart(9)} ${String(gzipped).padStart(9)} gzipped  ${name}`);
}
console.log(`${String(total).padStart(19)} gzipped, of ${limit} allowed`);
// An empty folder is a build that went wrong, not a light page.
process.exit(total > 0 && total <= limit ? 0 : 1);
