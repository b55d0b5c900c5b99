// What is given to the page: a dropped file or pasted text takes the bench; what is no script is told, and changes nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { says, stageOf } from "./stage.mjs";

const browser = useBrowser();

const SCRIPT = "slabscope 1\ntitle Two\nkernel 5.6\nluck 7\nopen 3\n\na = kmalloc 64\nb = kmalloc 64\nfree a\n";

/** Drops a file of these bytes where `over` is. */
async function drop(page, over, bytes, name = "script.txt") {
  const dataTransfer = await page.evaluateHandle(
    ([content, called]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(content)], called));
      return transfer;
    },
    [[...bytes], name],
  );
  for (const event of ["dragover", "drop"]) await over.dispatchEvent(event, { dataTransfer });
}

test("a script that is dropped takes the bench, and undo gives the old one back", async () => {
  const { page } = await browser.open();
  const stage = stageOf(page);
  const before = await stage.sentence.innerText();
  await drop(page, page.getByRole("group", { name: "Lens" }), Buffer.from(SCRIPT));
  await stage.count("3 / 3").waitFor();
  await page.keyboard.press("z");
  await stage.count("5 / 8").waitFor();
  assert.equal(await stage.sentence.innerText(), before);
});

test("a script with a wrong line opens on that line", async () => {
  const { page } = await browser.open();
  await drop(page, page.getByRole("main"), Buffer.from(SCRIPT.replace("free", "fre")));
  await page.getByRole("alert").filter({ hasText: /line 9, column 1\b.*free/s }).waitFor();
  await stageOf(page).count("5 / 8").waitFor();
});

for (const [kind, bytes, told] of [
  ["is too long", Buffer.alloc(1_048_577, "#"), /longer than 1 MiB/],
  ["is no text", Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0xff]), /no text/],
]) {
  test(`a file that ${kind} is told, and the page stays as it was`, async () => {
    const { page } = await browser.open();
    await drop(page, page.getByRole("main"), bytes);
    await says(page, told);
    await stageOf(page).count("5 / 8").waitFor();
  });
}

test("text pasted outside of a field is a script", async () => {
  const { page } = await browser.open();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, SCRIPT);
  await stageOf(page).count("3 / 3").waitFor();
});

test("a script with a target that nothing makes is played, and that is told", async () => {
  const { page } = await browser.open();
  await drop(page, page.getByRole("main"), Buffer.from(SCRIPT.replace("open 3", "open 3\ntarget q")));
  await says(page, /line 6, column 8.*makes `q`/s);
  await stageOf(page).count("3 / 3").waitFor();
});
