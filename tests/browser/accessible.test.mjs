// axe on every screen of the story, in both themes; the first view has a file of its own.
import { test } from "node:test";
import { SCREENS, ready, useBrowser } from "./harness.mjs";
import { PRESSES, byMouse, byTouch, hijack, stageOf } from "./stage.mjs";

const browser = useBrowser();

for (const theme of ["light", "dark"]) {
  test(`the story is accessible in ${theme}`, async () => {
    const { page } = await browser.open({ theme });
    const stage = stageOf(page);
    await stage.button(PRESSES.overflow).click();
    await stage.button(PRESSES.write).waitFor();
    await browser.expectAccessible(`armed-${theme}`);
    await stage.button("Cancel").click();
    await hijack(page, byMouse);
    await browser.expectAccessible(`hijacked-${theme}`);
    await stage.switch(PRESSES.middle).click();
    await stage.stamp("MISSED").waitFor();
    await browser.expectAccessible(`flipped-${theme}`);
  });

  test(`the drawer and its error are accessible in ${theme}`, async () => {
    const { page } = await browser.open({ theme });
    for (const part of ["Log", "Numbers", "Table", "More", "Script"]) {
      await page.getByRole("button", { name: part, exact: true }).click();
      await browser.expectAccessible(`drawer-${part.toLowerCase()}-${theme}`);
    }
    const line = page.getByRole("textbox", { name: /command|line/i });
    await line.fill("overflw a 8 target");
    await line.press("Enter");
    await page.getByRole("alert").filter({ hasText: /\S/ }).waitFor();
    await browser.expectAccessible(`error-${theme}`);
  });

  test(`the presenter is accessible in ${theme}`, async () => {
    const { page } = await browser.open({ theme, address: "?present" });
    await ready(page);
    await browser.expectAccessible(`presenter-${theme}`);
  });

  test(`the phone is accessible in ${theme}`, async () => {
    const { page } = await browser.open({ theme, viewport: SCREENS.phone, touch: true });
    const stage = stageOf(page);
    await stage.button(PRESSES.overflow).tap();
    await stage.button(PRESSES.write).waitFor();
    await browser.expectAccessible(`phone-armed-${theme}`);
    await stage.button("Cancel").tap();
    await hijack(page, byTouch);
    await browser.expectAccessible(`phone-hijacked-${theme}`);
  });
}
