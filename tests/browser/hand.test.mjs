// The overflow handle: letting go arms and writes nothing; it can be given up; keys move it as the mouse does.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { PRESSES, becomes, byMouse, hijack, says, stageOf } from "./stage.mjs";

const browser = useBrowser();

/** The lens: 6 px are a byte. */
const PX_PER_BYTE = 6;

async function drag(page, grip, bytes, pxPerByte = PX_PER_BYTE) {
  const box = await grip.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + bytes * pxPerByte, y, { steps: 8 });
  await page.mouse.up();
}

test("a drag arms, and only Write writes", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await drag(page, stage.grip, 8);
  await says(page, /returns target/);
  await stage.count("5 / 8").waitFor();
  await stage.button(PRESSES.write).click();
  await stage.count("6 / 8").waitFor();
});

test("Escape and Cancel give the aim up", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  const before = await stage.sentence.innerText();
  for (const giveUp of [() => page.keyboard.press("Escape"), () => stage.button("Cancel").click()]) {
    await drag(page, stage.grip, 8);
    await stage.button(PRESSES.write).waitFor();
    await giveUp();
    await stage.button(PRESSES.overflow).waitFor();
    assert.equal(await stage.sentence.innerText(), before);
  }
});

test("the slider's keys move by one byte, by eight, and home", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await stage.grip.focus();
  const length = () => stage.grip.getAttribute("aria-valuenow");
  for (const [key, bytes] of [["ArrowRight", "1"], ["Shift+ArrowRight", "9"], ["ArrowLeft", "8"]]) {
    await page.keyboard.press(key);
    await becomes(length, bytes, key);
  }
  assert.match(await stage.grip.getAttribute("aria-valuetext"), /^8 bytes: .*pointer/);
  await page.keyboard.press("Home");
  await becomes(length, "0");
  await stage.count("5 / 8").waitFor();
});

test("an object with red zones has the same handle: by mouse, by keys, and what is written is caught", async () => {
  const { page } = await browser.open({ address: "#lesson=11&step=3" });
  const stage = stageOf(page);
  const grip = page.getByRole("slider", { name: "Overflow b" });
  await drag(page, grip, 3, 10);
  assert.match(await grip.getAttribute("aria-valuetext"), /^3 bytes: right red of b/);
  await page.keyboard.press("Escape");
  // Given up, the focus goes back to the step, once that is drawn.
  await page.waitForFunction(() => document.activeElement.id === "tick-now");
  await grip.focus();
  for (const [key, bytes] of [["ArrowRight", "1"], ["PageDown", "8"], ["PageDown", "16"], ["Home", "0"], ["PageDown", "8"]]) {
    await page.keyboard.press(key);
    await becomes(() => grip.getAttribute("aria-valuenow"), bytes, key);
  }
  await browser.expectAccessible("armed-checked");
  await stage.button(PRESSES.write).click();
  await stage.button("Free b").click();
  await stage.stamp("CAUGHT").waitFor();
});

test("arrow keys move the focus from object to object, in map and lens", async () => {
  const { page } = await browser.open();
  const focused = () => page.evaluate(() => document.activeElement.id);
  for (const name of ["Map", "Lens"]) {
    const objects = page.getByRole("group", { name, exact: true }).getByRole("button");
    await objects.first().focus();
    await page.keyboard.press("ArrowRight");
    await becomes(focused, await objects.nth(1).getAttribute("id"), name);
  }
});

test("once written, or given up, arrows step through time again, from the step that has the focus", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  const focusIs = (name) => page.waitForFunction((label) => document.activeElement.ariaLabel?.startsWith(label), name);
  await page.keyboard.press("o");
  await focusIs("Overflow a");
  await page.keyboard.press("Enter");
  await stage.count("6 / 8").waitFor();
  await focusIs("Step 6:");
  await page.keyboard.press("ArrowLeft");
  await stage.count("5 / 8").waitFor();
  await page.keyboard.press("o");
  await focusIs("Overflow a");
  await page.keyboard.press("Escape");
  await focusIs("Step 5:");
  assert.match(await focused(), /^Step 5:/);
});

test("a reload comes back to the object in hand, and to how far up the stage looks", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await hijack(page, byMouse);
  const map = page.getByRole("group", { name: "Map", exact: true });
  const inHand = (name) => map.getByRole("button", { name, pressed: true }).waitFor();
  await inHand(/^a,/);
  await page.reload();
  await stage.stamp("HIJACKED").waitFor();
  await inHand(/^a,/);
  await map.getByRole("button", { name: /^w,/ }).click();
  await page.waitForURL(/hand=w/);
  await page.getByRole("button", { name: "memory", exact: true }).click();
  await page.waitForURL(/view=memory/);
  await page.reload();
  await stage.stamp("HIJACKED").waitFor();
  await page.getByRole("group", { name: "From above" }).waitFor();
  await page.getByRole("button", { name: "slab", exact: true }).click();
  await inHand(/^w,/);
});

test("an object keeps the focus when it changes, and has its new name", async () => {
  const { page } = await browser.open();
  const object = page.getByRole("group", { name: "Map", exact: true }).getByRole("button").nth(2);
  await object.focus();
  await page.keyboard.press("Delete");
  await says(page, "w is free");
  const focused = page.locator(":focus");
  assert.equal(await focused.getAttribute("id"), await object.getAttribute("id"));
  await page.getByRole("button", { name: "w, free, 1st in list, +0x080, changed" }).first().waitFor();
});
