// What a change costs on the page: the DOM nodes that it touches are counted and gated, times are reported.
//
//   node --test --test-reporter=spec tests/browser/cost.test.mjs      after `trunk build --release`
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { stageOf } from "./stage.mjs";

const browser = useBrowser();

const OBJECTS = 4096;
const COMMANDS = OBJECTS - 4;

/** 64 slabs of 64 objects, all but the last four in use. */
async function openFullBench() {
  const { page } = await browser.open();
  const lines = Array.from({ length: COMMANDS }, (_, nth) => `n${nth} = kmalloc 64`);
  await page.evaluate(
    (script) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", script);
      document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    `slabscope 1\ntitle Full\nkernel 5.6\nluck 7\nopen ${COMMANDS}\n\n${lines.join("\n")}\n`,
  );
  await stageOf(page).count(`${COMMANDS} / ${COMMANDS}`).waitFor();
  return page;
}

/** Where things are drawn that a command can change, each with words of its own; an arrow's are where it runs. */
const PLACES = {
  cells: ".map .cells .drawn",
  bars: ".map .bars .drawn",
  arrows: ".map .arrow",
  "lens boxes": ".lens .drawn",
  "next out": ".next-out .drawn",
  elsewhere: ".elsewhere .place",
};

/** What the page says on the stage once, whatever it shows: two sentences, how many are in use, and where time is. */
const ONCE = 8;

/** Presses a key on the stage: nodes that are touched, things in each place that say something else. */
function touched(page, key) {
  return page.evaluate(
    async ([pressed, places]) => {
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const said = (selector) =>
        new Map(
          [...document.querySelectorAll(selector)].map((thing, nth) => {
            const words = thing.ariaLabel ?? thing.innerHTML;
            return [thing.id || (thing.ariaLabel ? nth : words), words];
          }),
        );
      const all = () => Object.entries(places).map(([place, selector]) => [place, said(selector)]);
      await frame();
      await frame();
      const before = Object.fromEntries(all());
      const everything = { subtree: true, childList: true, attributes: true, characterData: true };
      const records = [];
      const watch = new MutationObserver((seen) => records.push(...seen));
      watch.observe(document.getElementById("slabscope"), everything);
      const event = new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true });
      document.getElementById("stage").dispatchEvent(event);
      await frame();
      await frame();
      records.push(...watch.takeRecords());
      watch.disconnect();
      const nodes = new Set(
        records.flatMap((record) =>
          record.type === "childList" ? [...record.addedNodes, ...record.removedNodes] : [record.target],
        ),
      );
      const changed = all().map(([place, now]) => {
        const keys = new Set([...before[place].keys(), ...now.keys()]);
        return [place, [...keys].filter((key) => before[place].get(key) !== now.get(key)).length];
      });
      return { nodes: nodes.size, changed: Object.fromEntries(changed) };
    },
    [key, PLACES],
  );
}

test(`with ${OBJECTS} objects in view a command touches what it changed and no more`, async (t) => {
  const page = await openFullBench();
  // An object that somebody took stays in hand, and so does what can be done with it.
  await page.getByRole("group", { name: "Map", exact: true }).getByRole("button").first().click();
  for (const key of ["a", "a", "a", "a", "a", "ArrowLeft", "ArrowLeft", "ArrowRight"]) {
    const { nodes, changed } = await touched(page, key);
    const things = Object.values(changed).reduce((sum, count) => sum + count);
    const places = Object.entries(changed).filter(([, count]) => count > 0);
    t.diagnostic(`${key}: ${nodes} nodes touched; changed: ${places.map(([place, count]) => `${count} ${place}`).join(", ")}`);
    assert.ok(changed.cells > 0, `${key} changes an object`);
    assert.ok(nodes <= ONCE + 2 * things, `${key} touches ${nodes} nodes for ${things} things that changed`);
  }
});

/** Presses a key on the stage: ms until what it did is seen, and of them those until the page stands as it will. */
function timed(page, key) {
  return page.evaluate(async (pressed) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    await frame();
    await frame();
    let drawn = 0;
    const watch = new MutationObserver(() => (drawn = performance.now()));
    watch.observe(document.getElementById("slabscope"), { subtree: true, childList: true, attributes: true, characterData: true });
    const start = performance.now();
    const event = new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true });
    document.getElementById("stage").dispatchEvent(event);
    // The first frame draws; when the second begins, its pixels are on their way.
    await frame();
    await frame();
    const ms = performance.now() - start;
    watch.disconnect();
    return { ms, drawn: drawn - start };
  }, key);
}

test(`from a command to pixels with ${OBJECTS} objects in view`, async (t) => {
  const page = await openFullBench();
  const times = [];
  for (let nth = 0; nth < 100; nth += 1) times.push(await timed(page, nth < 50 ? "ArrowLeft" : "ArrowRight"));
  assert.ok(times.every(({ drawn }) => drawn > 0), "every step is drawn");
  const told = (of) => {
    const sorted = times.map(of).sort((one, other) => one - other);
    return `median ${sorted[50].toFixed(1)} ms, 95th percentile ${sorted[95].toFixed(1)} ms`;
  };
  t.diagnostic(`from a command to pixels, two frames of waiting included: ${told(({ ms }) => ms)}`);
  t.diagnostic(`of that until all is in the page: ${told(({ drawn }) => drawn)}`);
});

test("from a local load to a page that answers", async (t) => {
  const { page, context } = await browser.open();
  await context.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.getElementById("grip")) return;
      observer.disconnect();
      globalThis.answersAt = performance.now();
    });
    observer.observe(document, { subtree: true, childList: true });
  });
  const times = [];
  for (let nth = 0; nth < 5; nth += 1) {
    await page.reload();
    await stageOf(page).grip.waitFor();
    times.push(await page.evaluate(() => globalThis.answersAt));
  }
  assert.ok(times.every((ms) => ms > 0));
  t.diagnostic(`interactive after ${times.map((ms) => ms.toFixed(0)).join(", ")} ms`);
});
