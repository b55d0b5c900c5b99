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

test("a finger drags the grip, reads what it would hit above the finger, and lets go to arm", async () => {
  const { page } = await browser.open(phone);
  const stage = stageOf(page);
  const box = await stage.grip.boundingBox();
  const touch = await page.context().newCDPSession(page);
  const finger = { x: box.x + 22, y: box.y + box.height / 2 };
  const send = (type, touchPoints) => touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", [finger]);
  for (let moved = 5; moved <= 45; moved += 5) {
    await send("touchMove", [{ ...finger, x: finger.x + moved }]);
  }
  const readout = page.locator(".readout");
  await readout.waitFor();
  const { x, y, width, height } = await readout.boundingBox();
  assert.ok(x >= 0 && x + width <= SCREENS.phone.width, `the read-out lies from ${x} to ${x + width}`);
  assert.ok(y + height <= finger.y - 40, `the read-out ends at ${y + height}, the finger is at ${finger.y}`);
  await send("touchEnd", []);
  await stage.button(/^Write \d+ bytes?/).waitFor();
});

test("the grip and the time row keep to the screen, at 320 px too", async () => {
  for (const viewport of [SCREENS.phone, SCREENS.narrow]) {
    const { page } = await browser.open({ viewport, touch: true, address: "#lesson=6&step=12" });
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    assert.ok(await fits(), `nothing is wider than ${viewport.width} px`);
    await page.goto(`${page.url().split("#")[0]}#lesson=3&step=5`);
    const grip = page.getByRole("slider", { name: /^Overflow/ });
    await page.getByRole("button", { name: /^Overflow a by/ }).tap();
    for (const key of ["Home", "End"]) {
      await grip.press(key);
      // Its circle is 45 px wide.
      const { x, width } = await grip.boundingBox();
      const middle = x + width / 2;
      assert.ok(middle >= 23 && middle <= viewport.width - 23, `${key}: the grip's middle is at ${middle}`);
    }
    assert.ok(await fits(), `armed, nothing is wider than ${viewport.width} px`);
  }
});
