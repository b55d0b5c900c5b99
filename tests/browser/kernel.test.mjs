// The kernel's answers: a switch re-runs the same commands and keeps the step; a grey one says why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { PRESSES, becomes, byMouse, hijack, says, stageOf } from "./stage.mjs";

const browser = useBrowser();

test("flipping back and forth keeps the step and the story", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await hijack(page, byMouse);
  for (const word of ["MISSED", "HIJACKED"]) {
    await stage.switch(PRESSES.middle).click();
    await stage.stamp(word).waitFor();
    await stage.count("8 / 8").waitFor();
  }
});

test("hidden pointers end the same commands in a crash, and it can be stepped back from", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await hijack(page, byMouse);
  await stage.switch(/^Hidden (pointer|ptr)/).click();
  await stage.stamp("CRASHED").waitFor();
  await stage.button("One step back").click();
  await stage.stamp("CRASHED").waitFor({ state: "hidden" });
});

test("a switch that a version lacks is grey and says why", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: /^Kernel/ }).click();
  await page.getByRole("button", { name: /^4\.12\b/ }).click();
  const hidden = stageOf(page).switch(/^Hidden (pointer|ptr)/);
  assert.equal(await hidden.getAttribute("aria-disabled"), "true");
  await hidden.focus();
  await page.getByRole("tooltip").filter({ hasText: /4\.14/ }).waitFor();
});

test("undo takes back a switch as it takes back a command", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await hijack(page, byMouse);
  await stage.switch(PRESSES.middle).click();
  await stage.stamp("MISSED").waitFor();
  await page.keyboard.press("z");
  await stage.stamp("HIJACKED").waitFor();
});

test("a version is found by typing it", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: /^Kernel/ }).click();
  await page.keyboard.type("6.1");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Kernel: Linux 6.1", exact: true }).waitFor();
  await page.getByRole("button", { name: /^Kernel/ }).click();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Kernel: Linux 6.2", exact: true }).waitFor();
});

test("a boot line is taken as far as it is about slabs; a wrong word is told and changes nothing", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: "More", exact: true }).click();
  const line = page.getByRole("textbox", { name: "Boot line" });
  await line.fill("quiet init_on_free=1");
  await line.press("Enter");
  await says(page, /Nothing of slabs is said by quiet/);
  await becomes(() => stageOf(page).switch("init_on_free").getAttribute("aria-checked"), "true");
  await line.fill("init_on_free=perhaps");
  await line.press("Enter");
  await says(page, /init_on_free is 0 or 1/);
  await becomes(() => stageOf(page).switch("init_on_free").getAttribute("aria-checked"), "true");
});

test("an era is a choice of More", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("combobox", { name: "Era" }).selectOption({ label: "7.0: sheaves for all" });
  await page.getByRole("button", { name: "Kernel: Linux 7.3", exact: true }).waitFor();
  // How that version was checked is said beside the era.
  await page.getByRole("heading", { name: "Era recorded", exact: true }).waitFor();
});

test("what SLUB_TINY leaves out is off, grey, and says why", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  await page.getByRole("button", { name: /^Kernel/ }).click();
  await page.keyboard.type("6.12");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "More", exact: true }).click();
  await becomes(() => stage.switch("CPU partial lists").getAttribute("aria-checked"), "true");
  await stage.switch("SLUB_TINY").click();
  for (const name of ["CPU partial lists", "Random list", "SLUB_STATS", "slub_debug"]) {
    const excluded = stage.switch(name).last();
    await excluded.focus();
    await page.getByRole("tooltip").filter({ hasText: "CONFIG_SLUB_TINY" }).first().waitFor();
    await becomes(() => excluded.getAttribute("aria-checked"), "false", name);
    assert.equal(await excluded.getAttribute("aria-disabled"), "true", name);
  }
  await browser.expectAccessible("drawer-more-tiny");
});

test("a letter of slub_debug that means nothing is skipped as a kernel does, and told", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: "More", exact: true }).click();
  const line = page.getByRole("textbox", { name: "Boot line" });
  await line.fill("slub_debug=FQ");
  await line.press("Enter");
  await says(page, /“Q” is skipped.*slub_debug option 'Q' unknown\. skipped/s);
  await becomes(() => stageOf(page).switch("slub_debug").getAttribute("aria-checked"), "true");
});
