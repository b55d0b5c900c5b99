// The first sixty seconds: load to HIJACKED in four presses, MISSED in a fifth; luck is fixed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { PRESSES, becomes, byMouse, byTab, hijack, says, stageOf } from "./stage.mjs";

const browser = useBrowser();

test("by mouse, each press says what it did and offers the next", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await says(page, /free/);
  await stage.count("5 / 8").waitFor();

  await stage.button(PRESSES.overflow).click();
  await says(page, /returns target/);
  await stage.count("5 / 8").waitFor();

  await stage.button(PRESSES.write).click();
  await stage.count("6 / 8").waitFor();
  await stage.button(PRESSES.allocate).click();
  await says(page, /\bv\b/);
  await stage.button(PRESSES.allocate).click();
  await stage.stamp("HIJACKED").waitFor();
  await says(page, /kmalloc\(64\) returned target/);
  await stage.count("8 / 8").waitFor();

  await stage.switch(PRESSES.middle).click();
  await stage.stamp("MISSED").waitFor();
  await page.getByText("the write ended 24 bytes before the pointer").first().waitFor();
  await stage.count("8 / 8").waitFor();
  await stage.button(PRESSES.howFar).waitFor();
});

test("from MISSED, the handle shows how far the write would have to go", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await hijack(page, byMouse);
  await stage.switch(PRESSES.middle).click();
  await stage.button(PRESSES.howFar).click();
  await stage.grip.focus();
  for (let bytes = 8; bytes < 40; bytes += 8) await page.keyboard.press("Shift+ArrowRight");
  await becomes(() => stage.grip.getAttribute("aria-valuenow"), "40");
  await says(page, /returns target/);
});

test("by keyboard, Tab reaches each control in turn", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await hijack(page, byTab);
  await byTab(stage.switch(PRESSES.middle), "Space");
  await stage.stamp("MISSED").waitFor();
});

test("by letters, O aims, Enter writes, A allocates", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await page.keyboard.press("o");
  await stage.button(PRESSES.write).waitFor();
  await page.keyboard.press("Enter");
  await stage.count("6 / 8").waitFor();
  await page.keyboard.press("a");
  await stage.count("7 / 8").waitFor();
  await page.keyboard.press("a");
  await stage.stamp("HIJACKED").waitFor();
});

test("every load tells the same story at the same addresses", async () => {
  const seen = [];
  for (let load = 0; load < 2; load += 1) {
    const { page } = await browser.open();
    await hijack(page, byMouse);
    seen.push(await page.getByRole("main").innerText());
  }
  assert.equal(seen[0], seen[1]);
});
