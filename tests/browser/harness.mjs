// What every flow stands on: the built page below a path of a static server, a real browser without a network, axe.
//
//   const browser = useBrowser();
//   test("…", async () => {
//     const { page } = await browser.open({ viewport: SCREENS.desk, theme: "dark" });
//     …
//     await browser.expectAccessible("armed");
//   });
//
// Each test has a context of its own. When it ends, what its pages complained about fails it.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { after, afterEach, before } from "node:test";
import { chromium } from "playwright-core";
import { serve } from "./server.mjs";

const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
const SHOTS = fileURLToPath(new URL("../../test-results/screens/", import.meta.url));
const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Not the root: the page must work from any path. */
const PATH = "/some/where/";

/** How long one thing may take to appear, on a machine that is busy with other work. */
const PATIENCE_MS = 20_000;

/** The screens that visual.md draws. */
export const SCREENS = {
  desk: { width: 1280, height: 720 },
  projector: { width: 1280, height: 600 },
  phone: { width: 375, height: 667 },
  narrow: { width: 320, height: 568 },
};

/** Registers the hooks of a test file, and gives its browser. */
export function useBrowser() {
  const held = { contexts: [], problems: [] };

  before(async () => {
    mkdirSync(SHOTS, { recursive: true });
    held.server = await serve(DIST, PATH);
    held.chromium = await launch();
  });
  after(async () => {
    await held.chromium?.close();
    await held.server?.stop();
  });
  afterEach(async () => {
    const problems = held.problems.splice(0);
    await Promise.all(held.contexts.splice(0).map((context) => context.close()));
    assert.deepEqual(problems, [], "the page complained");
  });

  return {
    open: (options) => open(held, options),
    expectAccessible: (name) => expectAccessible(held.page, name),
    shot: (name) => shot(held.page, name),
  };
}

function launch() {
  return chromium.launch({
    executablePath: process.env.SLABSCOPE_CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      // No name resolves: what the page needs, it must have brought.
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}

/**
 * Opens the page and waits until the allocator runs.
 * `address` is what follows the folder's address: "?present", "#…".
 */
async function open(held, { viewport = SCREENS.desk, theme = "light", touch = false, address = "" } = {}) {
  const context = await held.chromium.newContext({
    viewport,
    colorScheme: theme,
    hasTouch: touch,
    isMobile: touch,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  held.contexts.push(context);
  await refuseOutside(held, context);
  const page = await context.newPage();
  held.page = page;
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) held.problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => held.problems.push(`uncaught: ${error.message}`));
  page.on("response", (response) => {
    if (response.status() >= 400) held.problems.push(`${response.status()}: ${response.url()}`);
  });
  await page.goto(held.server.base + address);
  await ready(page);
  return { page, context };
}

/** The sentence is the page's one voice: it speaks as soon as the allocator runs. */
export async function ready(page) {
  await page.getByRole("status").filter({ hasText: /\S/ }).first().waitFor();
}

async function refuseOutside(held, context) {
  const inside = new URL(held.server.base).origin;
  await context.route("**/*", async (route) => {
    const url = route.request().url();
    if (url.startsWith(`${inside}/`) || url.startsWith("data:") || url.startsWith("blob:")) return route.continue();
    held.problems.push(`asked outside: ${url}`);
    return route.abort();
  });
}

/** Runs axe with every WCAG 2.2 A and AA rule, target-size among them, and keeps a picture of what it saw. */
async function expectAccessible(page, name) {
  await shot(page, name);
  await page.evaluate(await readFile(AXE, "utf8"));
  const violations = await page.evaluate(async () => {
    const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    const options = { runOnly: { type: "tag", values: tags }, rules: { "target-size": { enabled: true } } };
    const result = await globalThis.axe.run(document, options);
    return result.violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll(/\s+/g, " ")}`),
    );
  });
  assert.deepEqual(violations, [], `axe on "${name}"`);
}

async function shot(page, name) {
  await page.screenshot({ path: `${SHOTS}${name}.png` });
}
