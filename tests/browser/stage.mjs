// The stage as a reader knows it: by roles and names, never by classes.
import assert from "node:assert/strict";

/** What stands on the stage of `page`. */
export function stageOf(page) {
  return {
    sentence: page.getByRole("status"),
    grip: page.getByRole("slider", { name: /^Overflow a/ }),
    count: (text) => page.getByText(text, { exact: true }),
    button: (name) => page.getByRole("button", { name }),
    switch: (name) => page.getByRole("switch", { name }),
    stamp: (word) => page.getByRole("figure", { name: new RegExp(`^${word}\\b`) }),
  };
}

/** The five presses of the first minute, as names of what to press. */
export const PRESSES = {
  overflow: "Overflow a by 8 bytes",
  write: "Write 8 bytes",
  allocate: /^Allocate/,
  middle: /^Middle (pointer|ptr)/,
  howFar: "How far would it have to go?",
};

/** Waits until the sentence says `words`. */
export async function says(page, words) {
  await stageOf(page).sentence.filter({ hasText: words }).waitFor();
}

/** Waits until `read` gives `wanted`: the page draws what a press came to in a task of its own, and later on a busy machine. */
export async function becomes(read, wanted, message) {
  const end = Date.now() + 5_000;
  while ((await read()) !== wanted && Date.now() < end) await new Promise((done) => setTimeout(done, 20));
  assert.equal(await read(), wanted, message);
}

/** Load to HIJACKED in four presses; `press` is how this reader presses a control. */
export async function hijack(page, press) {
  const stage = stageOf(page);
  await press(stage.button(PRESSES.overflow));
  await press(stage.button(PRESSES.write));
  await press(stage.button(PRESSES.allocate));
  await press(stage.button(PRESSES.allocate));
  await stage.stamp("HIJACKED").waitFor();
}

export const byMouse = (control) => control.click();
export const byTouch = (control) => control.tap();

/** Reaches a control by Tab alone, from where the focus is, and presses it with `key`. */
export async function byTab(control, key = "Enter") {
  const page = control.page();
  await control.waitFor();
  for (let tabs = 0; tabs < 200; tabs += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return page.keyboard.press(key);
    await page.keyboard.press("Tab");
  }
  return assert.fail(`Tab never reaches ${control}`);
}
