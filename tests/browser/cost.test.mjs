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

/** Presses a key on the stage: nodes that are touched, objects whose cell says something else, ms until it is seen. */
function press(page, key) {
  return page.evaluate(async (pressed) => {
    const frame = () => new Promise((done) => requestAnimationFrame(done));
    const labels = () => new Map([...document.querySelectorAll(".cells .hit")].map((cell) => [cell.id, cell.ariaLabel]));
    await frame();
    await frame();
    const before = labels();
    const everything = { subtree: true, childList: true, attributes: true, characterData: true };
    const records = [];
    const watch = new MutationObserver((seen) => records.push(...seen));
    watch.observe(document.getElementById("slabscope"), everything);
    const start = performance.now();
    const event = new KeyboardEvent("keydown", { key: pressed, bubbles: true, cancelable: true });
    document.getElementById("stage").dispatchEvent(event);
    // The first frame draws; when the second begins, its pixels are on their way.
    await frame();
    await frame();
    const ms = performance.now() - start;
    records.push(...watch.takeRecords());
    watch.disconnect();
    const nodes = new Set(
      records.flatMap((record) =>
        record.type === "childList" ? [...record.addedNodes, ...record.removedNodes] : [record.target],
      ),
    );
    const changed = [...labels()].filter(([id, label]) => before.get(id) !== label).length;
    return { nodes: nodes.size, changed, ms };
  }, key);
}

test(`with ${OBJECTS} objects in view a command touches what it changed and no more`, async (t) => {
  const page = await openFullBench();
  // What is shown once on the stage, and an object's share in map, lens, next out and the slab's bar.
  const [once, each] = [32, 8];
  for (const key of ["a", "a", "ArrowLeft", "ArrowRight"]) {
    const { nodes, changed } = await press(page, key);
    t.diagnostic(`${key}: ${nodes} nodes touched, ${changed} objects changed`);
    assert.ok(changed > 0, `${key} changes an object`);
    assert.ok(nodes <= once + each * changed, `${key} touches ${nodes} nodes for ${changed} objects`);
  }
});

test(`from a command to pixels with ${OBJECTS} objects in view`, async (t) => {
  const page = await openFullBench();
  const times = [];
  for (let nth = 0; nth < 100; nth += 1) {
    const { ms, changed } = await press(page, nth % 2 === 0 ? "ArrowLeft" : "ArrowRight");
    assert.ok(changed > 0, "every step changes an object");
    times.push(ms);
  }
  times.sort((one, other) => one - other);
  t.diagnostic(`from a command to pixels: median ${times[50].toFixed(1)} ms, 95th percentile ${times[95].toFixed(1)} ms`);
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
