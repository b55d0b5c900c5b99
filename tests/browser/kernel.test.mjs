// The kernel's answers: a switch re-runs the same commands and keeps the step; a grey one says why.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { PRESSES, byMouse, hijack, stageOf } from "./stage.mjs";

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
