// An order in which functions that are alike stand close to each other: gzip writes what it has seen less than 32 KiB
// ago as a short reference, and the nearer, the shorter.

/** Bytes that are compared as one: about an instruction with its operand. */
const RUN = 5;
/** Functions that the next one is compared with, and what each counts, the last one most. */
const BACK = 6;
const FADE = 0.8;
/** Runs in this many functions or more are in all code, and tell nothing. */
const COMMON = 200;
/** Half-way from "shares most" to "shares most of its own": long functions share much with all. */
const fairness = (runs) => (runs + 20) ** 0.6;

/** The different runs of a function's bytes, each as a number. */
function runsOf(body) {
  const runs = new Set();
  for (let at = 0; at + RUN <= body.length; at += 1) {
    let hash = 0;
    for (let nth = 0; nth < RUN; nth += 1) hash = Math.imul(hash, 0x01000193) ^ body[at + nth];
    runs.add(hash);
  }
  return [...runs];
}

/** For each run the functions that have it. */
function holdersOf(all) {
  const holders = new Map();
  all.forEach((runs, index) => {
    for (const run of runs) {
      if (!holders.has(run)) holders.set(run, []);
      holders.get(run).push(index);
    }
  });
  return holders;
}

/** The indexes of `bodies` in such an order, from the first on: each time the one that is most like the last few. */
export function alike(bodies) {
  const runs = bodies.map(runsOf);
  const holders = holdersOf(runs);
  const left = new Set(bodies.keys());
  const order = [];

  const next = () => {
    const shared = new Map();
    order.slice(-BACK).reverse().forEach((before, distance) => {
      for (const run of runs[before]) {
        const others = holders.get(run);
        if (others.length >= COMMON) continue;
        for (const other of others) shared.set(other, (shared.get(other) ?? 0) + FADE ** distance);
      }
    });
    let [best, most] = [undefined, 0];
    for (const index of left) {
      const likeness = (shared.get(index) ?? 0) / fairness(runs[index].length);
      // Where nothing is alike, the first one that is left.
      if (best === undefined || likeness > most) [best, most] = [index, likeness];
    }
    return best;
  };

  while (left.size > 0) {
    const index = next();
    left.delete(index);
    order.push(index);
  }
  return order;
}
