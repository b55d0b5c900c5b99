// 375 px by touch: the same story, tapped; targets of 44 px.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENS, useBrowser } from "./harness.mjs";
import { PRESSES, byTouch, hijack, stageOf } from "./stage.mjs";

const browser = useBrowser();
const phone = { viewport: SCREENS.phone, touch: true };

test("four taps lead to HIJACKED", async () => {
  const { page } = await browser.open(phone);
  await hijack(page, byTouch);
});

test("what is to be tapped is 44 px high", async () => {
  const { page } = await browser.open(phone);
  const stage = stageOf(page);
  for (const name of [PRESSES.overflow, PRESSES.allocate]) {
    const { height } = await stage.button(name).boundingBox();
    assert.ok(height >= 44, `${name} is ${height} px high`);
  }
});

test("a slider under the lens aims", async () => {
  const { page } = await browser.open(phone);
  const stage = stageOf(page);
  await stage.grip.focus();
  await page.keyboard.press("Shift+ArrowRight");
  await stage.button(PRESSES.write).tap();
  await stage.count("6 / 8").waitFor();
});
