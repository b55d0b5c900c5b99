// The presenter: a clicker's keys step, B blanks, a reload comes back to the same step.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ready, useBrowser } from "./harness.mjs";
import { becomes, says, stageOf } from "./stage.mjs";

const browser = useBrowser();

test("PageDown and PageUp step, through the whole lesson and back", async () => {
  const { page } = await browser.open({ address: "?present" });
  const stage = stageOf(page);
  await stage.count("5 / 8").waitFor();
  const first = await stage.sentence.innerText();
  // The armed write is a step of its own for a speaker.
  const click = async (key) => {
    const told = await stage.sentence.innerText();
    await page.keyboard.press(key);
    await becomes(async () => (await stage.sentence.innerText()) !== told, true, key);
  };
  for (let clicks = 0; clicks < 6 && !(await stage.stamp("HIJACKED").count()); clicks += 1) await click("PageDown");
  await stage.stamp("HIJACKED").waitFor();
  for (let clicks = 0; clicks < 6 && (await stage.sentence.innerText()) !== first; clicks += 1) await click("PageUp");
  assert.equal(await stage.sentence.innerText(), first);
});

test("a reload comes back to the same step, in the presenter", async () => {
  const { page } = await browser.open({ address: "?present" });
  const stage = stageOf(page);
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  await stage.count("6 / 8").waitFor();
  const before = await stage.sentence.innerText();
  await page.reload();
  await ready(page);
  await stage.count("6 / 8").waitFor();
  assert.equal(await stage.sentence.innerText(), before);
  assert.equal(await stage.button("Script").count(), 0);
});

test("P opens it and P leaves it; B blanks the screen and shows it again", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await page.keyboard.press("p");
  await stage.button("Script").waitFor({ state: "hidden" });
  await page.keyboard.press("b");
  await stage.sentence.waitFor({ state: "hidden" });
  await page.keyboard.press("b");
  await says(page, /\S/);
  await page.keyboard.press("p");
  await stage.button("Script").waitFor();
});
