// Keys beside the storyboard's: help, export, held keys, the focus along time.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { stageOf } from "./stage.mjs";

const browser = useBrowser();

test("? shows the keys, and Escape closes them", async () => {
  const { page } = await browser.open();
  await page.keyboard.press("?");
  const keys = page.getByRole("group", { name: "All keys" });
  await keys.getByText("aim an overflow").waitFor();
  await browser.expectAccessible("drawer-keys-light");
  await page.keyboard.press("Escape");
  await keys.waitFor({ state: "hidden" });
});

async function exported(page, name) {
  const coming = page.waitForEvent("download");
  await page.getByRole("region", { name: "Export" }).getByRole("button", { name, exact: true }).click();
  const download = await coming;
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), "utf8") };
}

test("E exports the stage as a picture that stands alone, the script, and the numbers", async () => {
  const { page, context } = await browser.open({ theme: "dark" });
  await page.keyboard.press("e");
  await browser.expectAccessible("drawer-export-dark");
  const picture = await exported(page, "Picture");
  assert.equal(picture.name, "slabscope-step-5.svg");
  assert.match(picture.text, /^<svg [^>]*role="img"><title>Eight bytes too many, Linux 5\.6<\/title><desc>v is free/);
  assert.doesNotMatch(picture.text, /foreignObject|light-dark/);
  const script = await exported(page, "Script");
  assert.match(script.text, /^slabscope 1\ntitle Eight bytes too many\nkernel 5\.6\n/);
  assert.match((await exported(page, "Numbers")).text, /^slabinfo - version: 2\.1\n/);

  const alone = await context.newPage();
  await alone.setContent(picture.text);
  const seen = await alone.evaluate(() => {
    const svg = document.querySelector("svg");
    const full = svg.querySelector(".f-alloc");
    return { errors: document.querySelectorAll("parsererror").length, full: getComputedStyle(full).fill };
  });
  assert.deepEqual(seen, { errors: 0, full: "rgb(86, 180, 233)" });
});

test("the focus follows the step along time", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: /^Step 5:/ }).focus();
  await page.keyboard.press("ArrowLeft");
  await stageOf(page).count("4 / 8").waitFor();
  const focused = await page.evaluate(() => document.activeElement.getAttribute("aria-label"));
  assert.match(focused, /^Step 4:/);
});

test("a held key jumps, a single one moves", async () => {
  const { page } = await browser.open({ address: "#lesson=3&step=1" });
  const moves = () => page.evaluate(() => document.querySelector(".page").classList.contains("steps"));
  const press = (repeat) =>
    page.evaluate(
      (held) =>
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", repeat: held, bubbles: true })),
      repeat,
    );
  await press(false);
  await stageOf(page).count("2 / 8").waitFor();
  assert.equal(await moves(), true);
  await press(true);
  await stageOf(page).count("3 / 8").waitFor();
  assert.equal(await moves(), false);
});
