// Every lesson from its menu entry to its end, and the switch that it ends with.
import assert from "node:assert/strict";
import { test } from "node:test";
import { useBrowser } from "./harness.mjs";
import { says, stageOf } from "./stage.mjs";

const browser = useBrowser();

/** number, what the last step says, its stamp, the control that changes what comes of it, what is then said or stamped. */
const LESSONS = [
  { number: 1, steps: 7, end: /a comes back, as e/, flip: { role: "switch", name: /^Random list/ }, then: { says: /now e/ } },
  { number: 2, steps: 7, end: /b comes back as d/, flip: { role: "switch", name: /^Middle ptr/ }, then: { says: /now d/ } },
  {
    number: 6,
    steps: 12,
    end: /returned target/,
    stamp: "HIJACKED",
    flip: { role: "switch", name: /^Hidden ptr/ },
    then: { stamp: "CRASHED" },
  },
  {
    number: 9,
    steps: 10,
    end: /the check fires/,
    stamp: "CAUGHT",
    flip: { role: "switch", name: /^Hidden ptr/ },
    then: { stamp: "HIJACKED" },
  },
  {
    number: 10,
    steps: 10,
    end: /returned target/,
    stamp: "HIJACKED",
    flip: { role: "button", name: "Flip init_on_free" },
    then: { stamp: "HIJACKED" },
  },
  {
    number: 11,
    steps: 5,
    end: /found one byte changed/,
    stamp: "CAUGHT",
    flip: { role: "button", name: "Flip slub_debug" },
    then: { says: /b is free/ },
  },
  {
    number: 14,
    steps: 7,
    end: /one object, two owners/,
    stamp: "HIJACKED",
    flip: { role: "button", name: "On Linux 6.12" },
    then: { stamp: "CAUGHT" },
  },
];

async function openLesson(page, number) {
  await page.getByRole("button", { name: /^Lesson:/ }).click();
  await page.getByRole("button", { name: new RegExp(`^Lesson ${number}\\b`) }).click();
}

/** Steps on until the last command is done: an overflow takes two presses, as it is shown armed first. */
async function toTheEnd(page, steps) {
  const count = page.getByText(`${steps} / ${steps}`, { exact: true });
  for (let presses = 0; presses < 2 * steps && !(await count.count()); presses += 1) {
    await page.getByRole("button", { name: "One step on" }).click();
  }
  await count.waitFor();
}

for (const lesson of LESSONS) {
  test(`lesson ${lesson.number} goes from its first words to its last switch`, async () => {
    const { page } = await browser.open();
    const stage = stageOf(page);
    await openLesson(page, lesson.number);
    await says(page, /Your goal|how far|At \d+ bytes|Up to 5\.6/);
    await toTheEnd(page, lesson.steps);
    await says(page, lesson.end);
    if (lesson.stamp) await stage.stamp(lesson.stamp).waitFor();
    await page.getByRole(lesson.flip.role, { name: lesson.flip.name }).first().click();
    await page.getByText(`${lesson.steps} / ${lesson.steps}`, { exact: true }).waitFor();
    if (lesson.then.stamp) await stage.stamp(lesson.then.stamp).waitFor();
    if (lesson.then.says) await says(page, lesson.then.says);
  });
}

test("what is left in an object is said in the lens, and init_on_free takes it away", async () => {
  const { page } = await browser.open({ address: "#lesson=10&step=5" });
  await page.getByRole("button", { name: /^r\b.*holds 8 old pointer, 56 × “S”/ }).waitFor();
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("switch", { name: "init_on_free" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^r\b.*holds 64 × 0x00/ }).waitFor();
});

test("no free pointer is drawn in what lies in a sheaf", async () => {
  const { page } = await browser.open({ address: "#lesson=14&step=4" });
  await page.getByRole("button", { name: /^b, free, 1st in its sheaf.*holds 64 × “B”/ }).first().waitFor();
  const lens = page.getByRole("group", { name: "Lens" });
  const inUse = await lens.getByRole("button", { name: /^a, in use/ }).boundingBox();
  const marks = await lens.locator(".f-pointer").all();
  const left = await Promise.all(marks.map(async (mark) => (await mark.boundingBox()).x));
  assert.ok(left.length > 0 && left.every((x) => x > inUse.x), `${left} and a at ${inUse.x}`);
});

test("where the first minute ends there are three doors", async () => {
  const { page } = await browser.open({ address: "#lesson=3&step=8" });
  const stage = stageOf(page);
  await stage.switch(/^Middle ptr/).click();
  await stage.button("How far would it have to go?").click();
  await stage.grip.focus();
  for (let presses = 0; presses < 4; presses += 1) await page.keyboard.press("Shift+ArrowRight");
  const doors = page.getByRole("navigation", { name: "Where to go from here" });
  assert.deepEqual(await doors.getByRole("button").allInnerTexts(), [
    "How far for each size",
    "What is a slab?",
    "Your own bench",
  ]);
  await doors.getByRole("button", { name: "What is a slab?" }).click();
  await says(page, /Nothing is allocated yet/);
});

test("a line of the report and its bytes light each other up", async () => {
  const { page } = await browser.open({ address: "#lesson=11&step=5" });
  await page.getByRole("button", { name: "Log", exact: true }).click();
  const line = page.getByRole("button", { name: /Redzone ffff888004a29180: 00 cc/ });
  await page.getByRole("button", { name: /⋯ 4 lines: Redzone …100 to …13f, all cc/ }).waitFor();
  assert.equal(await page.locator("svg.lens .spoken-of").count(), 0);
  await line.focus();
  await page.locator("svg.lens .spoken-of").waitFor();
  await browser.expectAccessible("report-light");
  await page.getByRole("img", { name: /^padding of b/ }).hover();
  await page.getByRole("listitem").filter({ hasText: "Padding  ffff888004a291d4" }).and(page.locator(".lit")).waitFor();
});
