// The embed in other people's pages: its own frame, a sandbox without storage, an article.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { describe, test } from "node:test";
import { assertAccessible, newPage, screenshot, startServer, useSite } from "../lib/harness.mjs";

const WIDTHS = [320, 375, 480, 640, 832];
const SCENES = ["hot-key", "buckets", "orders"];
const SNIPPET_HEIGHT = 420;

const site = useSite();

/** A page of another origin with `body`, opened. */
async function onHost(body, options, use, prepare = async () => {}) {
  const host = createServer((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(`<!doctype html><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">${body}`);
  });
  host.listen(0, "127.0.0.1");
  await once(host, "listening");
  const tab = await newPage(site.browser, options);
  try {
    await prepare(tab.page);
    await tab.page.goto(`http://127.0.0.1:${host.address().port}/`);
    await use(tab.page, tab);
    tab.assertQuiet();
  } finally {
    await tab.close();
    host.close();
  }
}

const embed = (query) => `${site.address}embed.html?${query}`;
const says = (frame, text) => frame.locator(".state").filter({ hasText: text }).waitFor();

describe("alone", () => {
  test("the hot key: statement, figure, control", async () => {
    const tab = await newPage(site.browser, { width: 720, height: SNIPPET_HEIGHT });
    await tab.page.goto(embed("scene=hot-key"));
    await says(tab.page, "Partition P0 took 1,000 of 1,000 write units this second and refused 4,000.");
    for (let press = 0; press < 3; press++) await tab.page.getByRole("button", { name: "More suffixes" }).click();
    assert.equal(await tab.page.getByRole("slider", { name: "Suffixes" }).getAttribute("aria-valuetext"), "10 suffixes");
    await says(tab.page, "P2 and P3 refused 1,500");
    await screenshot(tab.page, "embed-hot-key-720");
    await tab.page.getByRole("button", { name: "Text view" }).click();
    await tab.page.getByRole("rowheader", { name: "P3", exact: true }).waitFor();
    await tab.page.getByRole("button", { name: "Reset" }).click();
    await says(tab.page, "Partition P0 took");
    const link = tab.page.getByRole("link", { name: "Open the scene" });
    await link.focus();
    await tab.page.locator('a[href^="./#s=1."]').waitFor();
    tab.assertQuiet();
    await tab.close();
  });

  test("buckets and orders", async () => {
    const tab = await newPage(site.browser, { width: 640, height: SNIPPET_HEIGHT });
    await tab.page.goto(embed("scene=buckets"));
    await tab.page.getByRole("button", { name: "8 times" }).click();
    await says(tab.page, "Eight items, one bucket");
    await tab.page.goto(embed("scene=orders"));
    await says(tab.page, "Ten read, two shown. The filter dropped eight that were paid for; the cursor stands after #910.");
    for (let press = 0; press < 3; press++) await tab.page.getByRole("button", { name: "Next page" }).click();
    await says(tab.page, "The end, on page four: 31 read and six shown in all.");
    await tab.page.getByRole("textbox", { name: "Limit" }).fill("4");
    await tab.page.getByRole("textbox", { name: "Limit" }).press("Enter");
    await says(tab.page, "Nothing to show, and still more to come.");
    tab.assertQuiet();
    await tab.close();
  });

  test("a question fetches one program, the hot key its machine", async () => {
    const looks = [
      ["orders", "Ten read, two shown.", []],
      ["hot-key", "Partition P0 took", ["machine"]],
    ];
    for (const [scene, text, parts] of looks) {
      const tab = await newPage(site.browser, { width: 640, height: SNIPPET_HEIGHT });
      const fetched = [];
      tab.page.on("request", (request) => fetched.push(new URL(request.url()).pathname.split("/").pop()));
      await tab.page.goto(embed(`scene=${scene}`));
      await says(tab.page, text);
      await tab.page.waitForLoadState("networkidle");
      const programs = fetched.filter((name) => name.endsWith(".wasm")).map((name) => name.split("-")[0]);
      // What two chunks share is a file without a name, and comes with either.
      const named = programs.filter((name) => parts.length === 0 || !name.startsWith("chunk_"));
      assert.deepEqual(named, ["embed", ...parts], fetched.join(", "));
      assert.equal(await tab.page.locator("#poster").count(), 0);
      tab.assertQuiet();
      await tab.close();
    }
  });

  test("a machine that does not come is told, and can be asked for again; the still stands until then", async () => {
    const tab = await newPage(site.browser, { width: 640, height: SNIPPET_HEIGHT });
    await tab.page.route("**/machine-*.wasm", (route) => route.abort());
    await tab.page.goto(embed("scene=hot-key"));
    const again = tab.page.getByRole("button", { name: "Try again" });
    await again.waitFor();
    await tab.page.locator("#poster .poster-state").waitFor();
    await assertAccessible(tab.page);
    await tab.page.unroute("**/machine-*.wasm");
    await again.click();
    await says(tab.page, "Partition P0 took");
    assert.deepEqual([await again.count(), await tab.page.locator("#poster").count()], [0, 0]);
    await tab.close();
  });

  test("a link opens with the chunk for links", async () => {
    const tab = await newPage(site.browser, { width: 640, height: SNIPPET_HEIGHT });
    await tab.page.goto(embed("scene=orders"));
    await tab.page.getByRole("button", { name: "Next page" }).click();
    await tab.page.getByRole("link", { name: "Open the scene" }).focus();
    const packed = tab.page.locator('a[href^="./#s=1."]');
    await packed.waitFor();
    const stated = await tab.page.locator(".state").innerText();
    const state = (await packed.getAttribute("href")).slice(2);
    await tab.page.goto("about:blank");
    await tab.page.goto(embed(`scene=orders${state}`));
    await says(tab.page, stated);
    await tab.page.goto("about:blank");
    await tab.page.goto(embed("scene=hot-key#s=1.damaged"));
    await says(tab.page, "Partition P0 took");
    tab.assertQuiet();
    await tab.close();
  });

  test("it does not start where it shall not", async () => {
    const tab = await newPage(site.browser, { width: 720, height: SNIPPET_HEIGHT });
    await tab.page.goto(embed("scene=hot-key&run=never"));
    await says(tab.page, "about to arrive");
    await tab.page.waitForTimeout(500);
    await tab.page.getByRole("button", { name: "Play" }).waitFor();
    assert.equal(await tab.page.getByRole("timer").innerText(), "0.0 s");
    tab.assertQuiet();
    await tab.close();
  });

  for (const colorScheme of ["light", "dark"]) {
    test(`axe, ${colorScheme}`, async () => {
      for (const scene of SCENES) {
        const tab = await newPage(site.browser, { width: 360, height: SNIPPET_HEIGHT, colorScheme, reducedMotion: "reduce" });
        await tab.page.goto(embed(`scene=${scene}`));
        await tab.page.locator(".embed h1").waitFor();
        await assertAccessible(tab.page);
        await screenshot(tab.page, `embed-${scene}-360-${colorScheme}`);
        tab.assertQuiet();
        await tab.close();
      }
    });
  }
});

describe("in a frame", () => {
  test("with an origin of its own and no storage", () =>
    onHost(
      `<iframe title="Embed" sandbox="allow-scripts" width="720" height="420" src="${embed("scene=hot-key")}"></iframe>`,
      {},
      async (page) => {
        const frame = page.frameLocator("iframe");
        await says(frame, "Partition P0 took 1,000 of 1,000 write units this second and refused 4,000.");
        await frame.getByRole("button", { name: "More suffixes" }).click();
      },
    ));

  test("no scroll bar of its own at the snippet's height", async () => {
    for (const scene of SCENES) {
      for (const width of WIDTHS) {
        const tab = await newPage(site.browser, { width, height: SNIPPET_HEIGHT });
        await tab.page.goto(embed(`scene=${scene}`));
        await tab.page.locator(".embed h1").waitFor();
        if (scene === "hot-key") {
          await says(tab.page, "Partition P0 took");
          for (let press = 0; press < 3; press++) await tab.page.getByRole("button", { name: "More suffixes" }).click();
          await says(tab.page, "refused 1,500");
        } else {
          await tab.page.getByRole("button", { name: /8 times|Next page/ }).click();
        }
        const [across, down] = await tab.page.evaluate(() => [
          document.documentElement.scrollWidth - innerWidth,
          document.documentElement.scrollHeight - innerHeight,
        ]);
        assert.deepEqual([across, down], [0, 0], `${scene} at ${width} px`);
        await tab.close();
      }
    }
  });

  test("the wheel moves the host's page, and the height settles", () =>
    onHost(
      `<script>
         window.heights = []; window.texts = [];
         addEventListener("message", ({ data }) => {
           if (data.type === "resize") heights.push(data.height);
           if (typeof data === "string") texts.push(JSON.parse(data));
         });
       </script>
       <iframe title="Embed" style="display:block;border:0" width="720" height="420" src="${embed("scene=hot-key&ref=a")}"></iframe>
       <div style="height: 3000px"></div>`,
      { width: 800, height: 600 },
      async (page) => {
        const frame = page.frameLocator("iframe");
        await says(frame, "Partition P0 took 1,000");
        for (const [x, y] of [[100, 60], [100, 180], [300, 360], [600, 200]]) {
          const before = await page.evaluate(() => scrollY);
          await page.mouse.move(x, y);
          await page.mouse.wheel(0, 40);
          await page.waitForFunction((before) => scrollY > before, before);
          await page.evaluate(() => scrollTo(0, 0));
        }
        await frame.getByRole("button", { name: "More suffixes" }).click();
        await page.waitForTimeout(1000);
        const [many, texts] = await page.evaluate(() => [window.heights.length, window.texts]);
        await page.waitForTimeout(1000);
        assert.equal(await page.evaluate(() => window.heights.length), many, "it has stopped telling heights");
        assert.ok(many > 0 && many < 20);
        assert.equal(texts[0].context, "iframe.resize");
      },
    ));

  test("it obeys its parent and tells what it counts", () =>
    onHost(
      `<script>
         window.states = [];
         addEventListener("message", ({ data }) => data.type === "state" && states.push(data));
       </script>
       <iframe id="a" title="Embed" width="720" height="420" src="${embed("scene=hot-key&ref=a")}"></iframe>
       <iframe id="b" title="Stranger" srcdoc="<script>parent.frames[0].postMessage({dynascope:1,type:'set',name:'suffixes',value:5}, '*')</script>"></iframe>`,
      {},
      async (page) => {
        const frame = page.frameLocator("#a");
        await says(frame, "Partition P0 took 1,000");
        const tell = (message) =>
          page.evaluate((message) => document.getElementById("a").contentWindow.postMessage({ dynascope: 1, ...message }, "*"), message);
        await frame.locator("output").filter({ hasText: "1 suffix" }).waitFor();
        await tell({ type: "set", name: "suffixes", value: "10" });
        await says(frame, "P2 and P3 refused 1,500");
        await tell({ type: "pause" });
        await frame.getByRole("button", { name: "Play" }).waitFor();
        await tell({ type: "theme", theme: "dark" });
        await frame.locator('html[data-theme="dark"]').waitFor();
        await page.waitForFunction(() => window.states.at(-1)?.refused > 4000 && window.states.at(-1).ref === "a");
        await page.waitForFunction(() => window.states.at(-1)?.suffixes === 10);
      },
    ));

  test("what it is told before it stands is done in its order when it does", async () => {
    let seeRequest, letGo;
    const asked = new Promise((resolve) => (seeRequest = resolve));
    const held = new Promise((resolve) => (letGo = resolve));
    await onHost(
      `<script>
         window.heard = [];
         addEventListener("message", ({ data }) => heard.push(data.type));
       </script>
       <iframe id="a" title="Embed" width="720" height="420" src="${embed("scene=hot-key&ref=a")}"></iframe>`,
      {},
      async (page) => {
        const frame = page.frameLocator("#a");
        await asked;
        await page.evaluate(() => {
          for (const value of [2, 10]) {
            const message = { dynascope: 1, type: "set", name: "suffixes", value };
            document.getElementById("a").contentWindow.postMessage(message, "*");
          }
        });
        await frame.locator("#poster").waitFor();
        // A height told now would be the still's, and the frame would move twice.
        assert.deepEqual(await page.evaluate(() => window.heard), []);
        letGo();
        await says(frame, "P2 and P3 refused 1,500");
        await page.waitForFunction(() => window.heard.includes("ready") && window.heard.includes("resize"));
      },
      (page) =>
        page.route("**/machine-*.wasm", async (route) => {
          seeRequest();
          await held;
          await route.continue();
        }),
    );
  });

  test("out of sight it stands still", () =>
    onHost(
      `<div style="height: 3000px"></div><iframe title="Embed" width="720" height="420" src="${embed("scene=hot-key")}"></iframe>`,
      { width: 800, height: 600 },
      async (page) => {
        const frame = page.frameLocator("iframe");
        await frame.getByRole("timer").waitFor({ state: "attached" });
        await page.waitForTimeout(800);
        assert.equal(await frame.getByRole("timer").innerText(), "0.0 s");
        await page.evaluate(() => scrollTo(0, 9999));
        await says(frame, "Partition P0 took");
      },
    ));
});

describe("the article", () => {
  test("a link in the prose spreads the key, and the prose counts along", async () => {
    const tab = await newPage(site.browser, { width: 1000, height: 900 });
    await tab.page.goto(`${site.address}demo/`);
    const hot = tab.page.frameLocator('iframe[title="Hot key, live"]');
    await says(hot, "Partition P0 took 1,000 of 1,000");
    await tab.page.locator(".refused").filter({ hasText: /\d,\d{3}/ }).waitFor();
    await screenshot(tab.page, "article", { fullPage: true });
    await tab.page.getByRole("link", { name: "Spread the key over ten suffixes" }).click();
    await says(hot, "P2 and P3 refused 1,500");
    await tab.page.getByRole("link", { name: "Limit of three" }).click();
    await says(tab.page.frameLocator('iframe[title="Limit and filter, live"]'), "Nothing to show, and still more to come.");
    await assertAccessible(tab.page);
    tab.assertQuiet();
    await tab.close();
  });

  test("without scripts the static text stays", async () => {
    const tab = await newPage(site.browser, { width: 390, height: 844, javaScriptEnabled: false });
    await tab.page.goto(`${site.address}demo/`);
    await tab.page.getByText("Partition P0 takes 1,000 of 1,000").waitFor();
    await tab.close();
  });

  test("where WebAssembly may not run, a sentence says so", async () => {
    const strict = await startServer({ csp: "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'" });
    const tab = await newPage(site.browser, { width: 720, height: SNIPPET_HEIGHT });
    try {
      await tab.page.goto(`${strict.address}embed.html`);
      await tab.page.getByText("The live figure has not started.").waitFor();
    } finally {
      await tab.close();
      await strict.stop();
    }
  });
});
