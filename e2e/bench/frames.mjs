// Work of the main thread in each frame while 50,000 generated requests a second flow to 64 partitions with all charts
// open: release build, headless, alone and with two runs compared. Measures, does not judge: the budget is 12 ms at p95.
//
//     node e2e/bench/frames.mjs [seconds]
//
// A frame's work is what runs from its animation callback until the next task: script, what it set off, style, layout,
// and the paint record. `script` is the callback with what it set off, alone.
import { deflateRawSync } from "node:zlib";
import { newPage, openBrowser, startServer } from "../lib/harness.mjs";

const SECONDS = Number(process.argv[2] ?? 60);
const PARTITIONS = 64;
const RATE = 50_000;

const scenario = {
  version: 1,
  title: "64 partitions",
  seed: 7,
  constants: { account_units: 200_000 },
  tables: [
    {
      create: {
        TableName: "load",
        BillingMode: "PAY_PER_REQUEST",
        WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: PARTITIONS * 1_000 },
        AttributeDefinitions: [{ AttributeName: "pk", AttributeType: "S" }],
        KeySchema: [{ AttributeName: "pk", KeyType: "HASH" }],
      },
      items: [],
    },
  ],
  traffic: [{ table: "load", operation: "PutItem", key: "USER#{random 0..99999}", item_bytes: 1024, rate_per_second: RATE }],
};
const state = { recording: { scenario, journal: [] }, table: "load", lens: "partitions" };
const link = `#s=1.${deflateRawSync(JSON.stringify(state)).toString("base64url")}`;

/** Runs in the page before anything else: notes what each frame costs. */
function watchFrames() {
  const frames = [];
  window.frames_ = frames;
  const native = window.requestAnimationFrame.bind(window);
  const channel = new MessageChannel();
  let running = null;
  channel.port1.onmessage = () => {
    if (running) frames.push({ ...running, work: performance.now() - running.start });
    running = null;
  };
  window.requestAnimationFrame = (callback) =>
    native((at) => {
      const start = performance.now();
      callback(at);
      // What the callback set off runs as microtasks before this one's third successor.
      Promise.resolve()
        .then(() => {})
        .then(() => {})
        .then(() => {
          running = { start, script: performance.now() - start };
          channel.port2.postMessage(0);
        });
    });
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
const spread = (values) => {
  const sorted = values.toSorted((a, b) => a - b);
  return [0.5, 0.95, 0.99].map((share) => `p${share * 100} ${at(sorted, share).toFixed(1)}`).join("  ");
};

const [server, browser] = await Promise.all([startServer(), openBrowser()]);
for (const compared of [false, true]) {
  const { page, close } = await newPage(browser, { width: 1440, height: 900, reducedMotion: "reduce" });
  await page.addInitScript(watchFrames);
  await page.goto(`${server.address}${link}`);
  await page.getByRole("slider", { name: "Moment" }).waitFor();
  if (compared) {
    await page.getByRole("button", { name: "Fork" }).click();
    await page.getByRole("region", { name: "Compare" }).waitFor();
  }
  const partitions = await page.locator(".cmp-others, .parts-axis").allInnerTexts();
  await page.getByRole("button", { name: "Step one second" }).click();
  await page.evaluate(() => document.querySelectorAll("details").forEach((one) => (one.open = true)));
  await page.getByRole("button", { name: "Play" }).click();
  await page.waitForTimeout(2_000);
  const clock = () => page.getByRole("slider", { name: "Moment" }).getAttribute("aria-valuenow").then(Number);
  await page.evaluate(() => void (window.frames_.length = 0));
  const [from, started] = [await clock(), Date.now()];
  await page.waitForTimeout(SECONDS * 1_000);
  const [to, ended] = [await clock(), Date.now()];
  const frames = await page.evaluate(() => window.frames_);
  const real = (ended - started) / 1_000;
  console.log(`${compared ? "two runs compared" : "one run"}, ${PARTITIONS} partitions, ${RATE} requests/s each (${partitions.join(" / ")})`);
  console.log(`  frames ${frames.length} in ${real.toFixed(1)} s, ${(frames.length / real).toFixed(1)} a second; speed ×${((to - from) / real).toFixed(2)}`);
  console.log(`  work   ${spread(frames.map((frame) => frame.work))} ms`);
  console.log(`  script ${spread(frames.map((frame) => frame.script))} ms`);
  if (process.env.PICTURE) await page.screenshot({ path: `${process.env.PICTURE}-${compared ? "two" : "one"}.png` });
  await close();
}
await browser.close();
await server.stop();
