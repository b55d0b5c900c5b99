// The drawer: closed at first; a typed line does what a click does; a bad one says where, and nothing is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENS, useBrowser } from "./harness.mjs";
import { byMouse, hijack, says, stageOf } from "./stage.mjs";

const browser = useBrowser();

async function openScript(page) {
  await page.getByRole("button", { name: "Script", exact: true }).click();
  return page.getByRole("textbox", { name: /command|line/i });
}

test("a typed line does what a click does", async () => {
  const { page } = await browser.open();
  const line = await openScript(page);
  await line.fill("overflow a 8 target");
  await line.press("Enter");
  await stageOf(page).count("6 / 8").waitFor();
  // The line has left the field: pressing on sends nothing.
  assert.equal(await line.inputValue(), "");
  await line.press("Enter");
  await line.pressSequentially("free nobody");
  await line.press("Enter");
  await page.getByRole("alert").filter({ hasText: /column 6\b.*nobody/s }).waitFor();
  await stageOf(page).count("6 / 8").waitFor();
});

test("a bad line says where it is wrong and what would be right, and stays to be mended", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  const line = await openScript(page);
  await line.fill("overflw a 8 target");
  await line.press("Enter");
  const told = page.getByRole("alert");
  await told.filter({ hasText: /column 1\b.*overflw.*overflow/s }).waitFor();
  assert.equal(await line.inputValue(), "overflw a 8 target");
  await stage.count("5 / 8").waitFor();

  await line.fill("overflow a 8 target");
  await line.press("Enter");
  await stage.count("6 / 8").waitFor();
  await told.waitFor({ state: "hidden" });
});

test("Numbers are the kernel's own files", async () => {
  const { page } = await browser.open();
  await hijack(page, byMouse);
  await page.getByRole("button", { name: "Numbers", exact: true }).click();
  const text = await page.getByLabel("Numbers", { exact: true }).locator("visible=true").last().innerText();
  for (const line of [/^# cat \/proc\/slabinfo$/m, /^kmalloc-64 +64 +64 +64 /m, /^objs_per_slab:64$/m, /^Node 0, zone +DMA32 /m]) {
    assert.match(text, line);
  }
});

test("Numbers open where the line of the cache in hand is seen", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: "Numbers", exact: true }).click();
  const numbers = page.getByLabel("Numbers", { exact: true }).locator("visible=true").last();
  const line = numbers.getByText(/^kmalloc-64 /);
  const [around, place] = [await numbers.boundingBox(), await line.boundingBox()];
  assert.ok(place.y >= around.y && place.y + place.height <= around.y + around.height, "the line is in sight");
  assert.equal(await numbers.evaluate((element) => element.scrollLeft), 0);
});

test("each part opens, one at a time, and Escape closes it", async () => {
  const { page } = await browser.open();
  await hijack(page, byMouse);
  for (const part of ["Script", "Log", "Numbers", "Table"]) {
    await page.getByRole("button", { name: part, exact: true }).click();
    const open = page.getByRole("button", { expanded: true });
    assert.deepEqual(await open.allInnerTexts(), [part]);
  }
  await page.keyboard.press("Escape");
  assert.equal(await page.getByRole("button", { expanded: true }).count(), 0);
  await says(page, /target/);
});

test("a line leaves the field however it was written, twice if need be, and a typed line has no number", async () => {
  const { page } = await browser.open();
  const line = await openScript(page);
  let step = 5;
  for (const typed of ["b2=kmalloc 0x40 # a comment", "grace", "grace"]) {
    await line.pressSequentially(typed);
    assert.equal(await line.inputValue(), typed);
    await line.press("Enter");
    step += 1;
    await stageOf(page).count(`${step} / ${step}`).waitFor();
    assert.equal(await line.inputValue(), "", typed);
  }
  await line.fill("free nobody");
  await line.press("Enter");
  const told = await page.getByRole("alert").innerText();
  assert.match(told, /^column 6: /);
});

test("what is wrong in a long line is shown in the drawer", async () => {
  const { page } = await browser.open();
  const line = await openScript(page);
  await line.fill(`overflow a 8 target ${"x".repeat(60)} ${"y".repeat(300)}`);
  await line.press("Enter");
  const drawer = await page.getByRole("region", { name: "Script" }).boundingBox();
  const word = page.getByRole("alert").locator("u");
  const place = await word.boundingBox();
  assert.ok(place.x >= drawer.x && place.x + place.width <= drawer.x + drawer.width, "it lies in the drawer");
  assert.match(await word.innerText(), /^x+…$/);
});

test("the Log opens at the step that is shown, and what is long goes on in the next line", async () => {
  for (const [viewport, touch] of [[SCREENS.desk, false], [SCREENS.phone, true]]) {
    const { page } = await browser.open({ address: "#lesson=11&step=5", viewport, touch });
    await page.getByRole("button", { name: "Log", exact: true }).click();
    const log = page.getByRole("region", { name: "Log" });
    const list = log.getByRole("list");
    const [around, first] = [await list.boundingBox(), await list.getByRole("button", { name: "5 free b" }).boundingBox()];
    assert.ok(Math.abs(first.y - around.y) < 4, `the step's first line is at ${first.y}, the list at ${around.y}`);
    assert.ok(await list.evaluate((element) => element.scrollWidth <= element.clientWidth), "no line is cut");
  }
});
