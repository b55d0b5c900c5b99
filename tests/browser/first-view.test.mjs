// Whatever the page shows first: it loads from a sub-path without a network, says nothing to the console, and is accessible.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SCREENS, useBrowser } from "./harness.mjs";

const browser = useBrowser();

test("the page has its title, one heading and a sentence", async () => {
  const { page } = await browser.open();
  assert.match(await page.title(), /Slabscope/);
  assert.equal(await page.getByRole("heading", { level: 1 }).count(), 1);
  assert.equal(await page.getByRole("status").count(), 1);
});

for (const [screen, viewport] of Object.entries(SCREENS)) {
  for (const theme of ["light", "dark"]) {
    test(`the first view is accessible on the ${screen} screen in ${theme}`, async () => {
      await browser.open({ viewport, theme, touch: viewport.width < 600 });
      await browser.expectAccessible(`first-view-${screen}-${theme}`);
    });
  }
}

test("nothing hangs over the right edge", async () => {
  for (const viewport of Object.values(SCREENS)) {
    const { page } = await browser.open({ viewport });
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overhang <= 0, `${overhang} px at ${viewport.width}`);
  }
});

test("the desk and the projector scroll nowhere", async () => {
  for (const viewport of [SCREENS.desk, SCREENS.projector]) {
    const { page } = await browser.open({ viewport });
    const below = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    assert.ok(below <= 0, `${below} px at ${viewport.height}`);
  }
});
