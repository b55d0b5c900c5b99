// The views above a slab: the heading's parts lead up and down, by mouse and by keys.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENS, useBrowser } from "./harness.mjs";
import { byTab, says, stageOf } from "./stage.mjs";

const browser = useBrowser();

const crumb = (page, name) =>
  page.getByRole("navigation", { name: "From memory to the slab" }).getByRole("button", { name });
const view = (page) => page.getByRole("group", { name: "From above" });

test("a cache shows its lists; a click on a slab goes down to it", async () => {
  const { page } = await browser.open();
  await crumb(page, "kmalloc-64").click();
  await view(page).getByText("CPU 0", { exact: true }).waitFor();
  await view(page).getByText("No list", { exact: true }).waitFor();
  assert.equal(await stageOf(page).grip.count(), 0);
  await browser.expectAccessible("cache-light");
  await view(page).getByRole("button", { name: /^S1 at .*2 of 64 in use/ }).click();
  await stageOf(page).grip.waitFor();
});

test("memory shows every owner; another cache's slab can be gone down to", async () => {
  const { page } = await browser.open({ theme: "dark" });
  await crumb(page, "memory").click();
  await view(page).getByText("kernel", { exact: true }).waitFor();
  await browser.expectAccessible("memory-dark");
  await view(page).getByRole("button", { name: /^kmalloc-192, 1 page/ }).click();
  await crumb(page, "kmalloc-192").waitFor();
});

test("by keyboard: Tab reaches the heading, Enter goes up, Escape comes back", async () => {
  const { page } = await browser.open();
  await byTab(crumb(page, "kmalloc-64"));
  await view(page).waitFor();
  await page.keyboard.press("Escape");
  await view(page).waitFor({ state: "hidden" });
  await stageOf(page).grip.waitFor();
});

test("time goes on in a view from above, and what is aimed at is seen in its slab", async () => {
  const { page } = await browser.open({ address: "#lesson=3&step=4" });
  const stage = stageOf(page);
  await crumb(page, "kmalloc-64").click();
  await stage.button("One step on").click();
  await stage.count("5 / 8").waitFor();
  await view(page).waitFor();
  await stage.button("One step on").click();
  await stage.button("Write 8 bytes").waitFor();
  await says(page, /target/);
});

test("sheaves are arrays, filled to their tops", async () => {
  const { page } = await browser.open();
  await page.getByRole("button", { name: /^Lesson:/ }).click();
  await page.getByRole("button", { name: /^Lesson 14/ }).click();
  await page.getByRole("button", { name: "One step on" }).click();
  await view(page).getByRole("img", { name: /^main: 59 of 60/ }).waitFor();
  await view(page).getByText("Barn of node 0").waitFor();
  await browser.expectAccessible("sheaves-light");
});

for (const address of ["#lesson=3&step=5", "#lesson=14&step=5"]) {
  test(`on a phone the views from above do not run off the screen (${address})`, async () => {
    const { page } = await browser.open({ viewport: SCREENS.narrow, touch: true, address });
    for (const name of [/^kmalloc-64/, "memory"]) {
      await crumb(page, name).tap();
      await view(page).waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 320, `${wide} px`);
    }
    await browser.expectAccessible(`above-320-${address.slice(8, 10).replace("&", "")}`);
  });
}
