// Links, reload, lesson, theme, and the page against a native run of its own journal.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { assertAccessible, newPage, screenshot, useSite } from "../lib/harness.mjs";

const site = useSite();

const open = async (path, options = {}) => {
  const session = await newPage(site.browser, { width: 1440, height: 900, ...options });
  await session.page.goto(site.address + path);
  return session;
};

const setField = async (page, name, text) => {
  const field = page.getByLabel(name, { exact: typeof name === "string" }).first();
  await field.fill(text);
  await field.press("Enter");
  await field.blur();
};

test("a link made by Share opens to the same picture", async () => {
  const { page, assertQuiet, close } = await open("?scene=orders");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Next page" }).first().click();
  await page.getByRole("button", { name: "Share" }).click();
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  assert.match(link, /#s=1\.[A-Za-z0-9_-]+$/, "only characters that chat tools leave alone");
  assert.ok(link.length < 4000, `the link has ${link.length} characters`);
  await page.getByRole("button", { name: "Close" }).click();
  const seen = await page.getByRole("region", { name: "Figure" }).innerText();
  const other = await open("");
  await other.page.goto("about:blank");
  await other.page.goto(link);
  await other.page.getByRole("button", { name: "Next page" }).first().waitFor();
  await other.page.waitForFunction(
    (wanted) => document.querySelector("section.figure")?.innerText === wanted,
    seen,
    { timeout: 5000 },
  );
  await screenshot(other.page, "link-opened");
  other.assertQuiet();
  assertQuiet();
  await other.close();
  await close();
});

test("a damaged, a foreign and an exploding link leave a working page and a plain sentence", async () => {
  const bomb = await (async () => {
    const { deflateRawSync } = await import("node:zlib");
    return "1." + deflateRawSync(Buffer.alloc(64 << 20, 32)).toString("base64url");
  })();
  for (const [payload, sentence] of [
    ["1.AAAA____not-deflate", /damaged/],
    ["9.AAAA", /version 9/],
    ["nonsense", /no readable state/],
    [bomb, /unfolds to more than|longer than any/],
  ]) {
    const { page, assertQuiet, close } = await open(`?scene=orders#s=${payload}`);
    await page.getByRole("status").getByText(sentence).first().waitFor();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByRole("button", { name: "Next page" }).first().waitFor();
    assertQuiet();
    await close();
  }
});

test("a reload brings the work back, and typing adds no history", async () => {
  const { page, assertQuiet, close } = await open("?scene=orders");
  const before = await page.evaluate(() => history.length);
  await setField(page, /^Partition key/, "TENANT#42#CUST#8");
  await page.waitForFunction(() => location.hash.startsWith("#s=1."));
  assert.equal(await page.evaluate(() => history.length), before);
  await page.reload();
  await page.waitForFunction(
    () => [...document.querySelectorAll("input")].some((input) => input.value === "TENANT#42#CUST#8"),
  );
  assertQuiet();
  await close();
});

test("the lesson: predict, do, and the machine agrees", async () => {
  const { page, assertQuiet, close } = await open("?lesson=limit-filter-cursor");
  await page.getByRole("heading", { level: 1, name: "What Limit counts" }).waitFor();
  await page.getByRole("button", { name: "10", exact: true }).click();
  await page.getByText("Limit counts what is read, not what is shown.").waitFor();
  await page.getByText("Right: Ten are read").waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByText("Done. The machine agrees.").waitFor();
  await screenshot(page, "lesson");
  await assertAccessible(page);
  // Progress survives a reload.
  await page.goto(site.address + "?lesson=limit-filter-cursor");
  await page.getByText("Done before.").waitFor();
  await page.getByRole("button", { name: "Next step" }).last().click();
  await page.getByRole("heading", { level: 1, name: "Where the page stopped" }).waitFor();
  assertQuiet();
  await close();
});

test("a lesson's link opens the lesson on a phone too", async () => {
  const { page, assertQuiet, close } = await open("?lesson=limit-filter-cursor", { width: 375, height: 812 });
  await page.getByRole("heading", { level: 1, name: "What Limit counts" }).waitFor();
  await page.getByRole("button", { name: "Lesson", exact: true }).waitFor();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "What Limit counts" }).waitFor({ state: "hidden" });
  assertQuiet();
  await close();
});

test("on a phone the statement and its figure come before the controls", async () => {
  const { page, assertQuiet, close } = await open("?scene=hot-key", { width: 375, height: 812 });
  const top = async (part) => (await part.boundingBox()).y;
  const controls = await top(page.getByRole("group", { name: "Traffic" }));
  assert.ok((await top(page.getByLabel("Partitions", { exact: true }).first())) < controls);
  assertQuiet();
  await close();
});

test("the text folds away and comes back", async () => {
  const { page, assertQuiet, close } = await open("?scene=orders");
  const heading = page.getByRole("heading", { level: 1, name: "Ten read, two shown" });
  await heading.waitFor();
  await page.getByRole("button", { name: "Hide text" }).click();
  await heading.waitFor({ state: "hidden" });
  await page.getByRole("button", { name: "Show text" }).click();
  await heading.waitFor();
  assertQuiet();
  await close();
});

test("leaving a scene keeps the work one step back in the history", async () => {
  const { page, assertQuiet, close } = await open("?scene=orders");
  await setField(page, /^Partition key/, "TENANT#42#CUST#9");
  await page.getByRole("combobox", { name: "Scene" }).selectOption("hot-key");
  await page.getByRole("heading", { level: 1, name: "One status, five thousand writes" }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Ten read, two shown" }).waitFor();
  await page.waitForFunction(
    () => [...document.querySelectorAll("input")].some((input) => input.value === "TENANT#42#CUST#9"),
  );
  assertQuiet();
  await close();
});

test("at 200 % zoom and at 320 px nothing scrolls sideways", async () => {
  for (const [width, height] of [
    [720, 450],
    [320, 640],
  ]) {
    for (const scene of ["orders", "hot-key", "buckets"]) {
      const { page, close } = await open(`?scene=${scene}`, { width, height });
      await page.getByRole("button", { name: "Share" }).waitFor();
      const over = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      assert.ok(over <= 0, `${scene} at ${width} px is ${over} px too wide`);
      await close();
    }
  }
});

test("a lesson that is not there says so", async () => {
  const { page, close } = await open("?lesson=no-such-lesson");
  await page.getByText(/could not be fetched/).waitFor();
  await page.getByRole("button", { name: "Back to the scene" }).click();
  await page.getByRole("button", { name: "Take the lesson" }).waitFor();
  await close();
});

test("theme: system, dark, light, kept over a reload", async () => {
  const { page, assertQuiet, close } = await open("?scene=orders", { colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Theme: auto" }).click();
  const dark = await ground();
  assert.notEqual(light, dark);
  await page.reload();
  await page.getByRole("button", { name: "Theme: dark" }).waitFor();
  assert.equal(await ground(), dark);
  assertQuiet();
  await close();
});

test("storage that throws is no reason to stop", async () => {
  const { page, assertQuiet, close } = await newPage(site.browser, { width: 1440, height: 900 });
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("blocked", "SecurityError");
      },
    });
  });
  await page.goto(site.address + "?scene=orders");
  await page.getByRole("button", { name: "Theme: auto" }).click();
  await page.getByRole("status").getByText(/keeps nothing here/).waitFor();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await page.getByRole("button", { name: "Next page" }).first().waitFor();
  assertQuiet();
  await close();
});

test("key, rate and capacity that stand in no scene: page and native run of its journal agree", async () => {
  const { page, assertQuiet, close } = await open("?scene=hot-key", { reducedMotion: "reduce" });
  await setField(page, "Key template", "TICKET#{1..3}");
  await setField(page, "Rate", "2600");
  await setField(page, "Provisioned units", "1700");
  for (let second = 0; second < 4; second += 1) {
    await page.getByRole("button", { name: "Step one second" }).click();
  }
  // What the page says: the statement, the log, and the figure as text.
  const figure = page.getByRole("region", { name: "Figure" });
  const bars = await figure.getByRole("img", { name: "Partitions" }).or(figure.getByLabel("Partitions")).first().innerText();
  const words = await figure.innerText();
  const log = await page.getByRole("complementary", { name: "Table and details" }).innerText();
  await page.getByRole("button", { name: "as text", exact: true }).click();
  const rows = await page
    .getByRole("table", { name: /^Partitions in second/ })
    .locator("tbody tr")
    .evaluateAll((trs) => trs.map((tr) => [...tr.children].map((cell) => cell.innerText.trim())));
  await page.getByRole("button", { name: "Share" }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Save as file" }).click(),
  ]);
  const native = JSON.parse(
    execFileSync("cargo", ["run", "--quiet", "-p", "dynascope-engine", "--example", "replay"], {
      cwd: new URL("../..", import.meta.url),
      input: readFileSync(await download.path()),
      maxBuffer: 64 << 20,
    }).toString(),
  );
  const telemetry = native.telemetry.find((one) => one.table === "jobs" && one.index === null);
  const count = (number) => number.toLocaleString("en-US");
  assert.equal(telemetry.now, 4_000_000);
  assert.ok(telemetry.total.refused_writes > 0, "the test means to see refusals");
  assert.deepEqual(
    rows.map((row) => [row[0], row[2], row[3]]),
    telemetry.partitions.map((partition) => [
      `P${partition.id}`,
      count(partition.second.write / 2),
      count(partition.second.refused_writes),
    ]),
  );
  const refused = telemetry.partitions.reduce((sum, partition) => sum + partition.second.refused_writes, 0);
  for (const partition of telemetry.partitions) {
    assert.ok(bars.includes(count(partition.second.write / 2)), `${bars} / P${partition.id}`);
  }
  assert.ok(words.includes(count(refused)), `${words} / ${refused} refused`);
  assert.ok(log.includes(`${count(telemetry.total.refused_writes)} so far`), log);
  assertQuiet();
  await close();
});
