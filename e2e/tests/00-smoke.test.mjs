// The release site opens, on friendly and on unfriendly hosts.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { newPage, openBrowser, screenshot, startServer, STRICT_CSP } from "../lib/harness.mjs";

const PAGES = ["", "embed.html"];

let browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser?.close());

/** Opens each page and sees its heading, and nothing to complain of. */
async function opens(server, checks = async () => {}) {
  for (const name of PAGES) {
    const tab = await newPage(browser);
    await tab.page.goto(server.address + name);
    await tab.page.getByRole("heading").first().waitFor();
    await checks(tab.page, name);
    tab.assertQuiet();
    await tab.close();
  }
}

async function withServer(options, use) {
  const server = await startServer(options);
  try {
    await use(server);
  } finally {
    await server.stop();
  }
}

describe("the release site opens", () => {
  test("at the root", () =>
    withServer({}, (server) =>
      opens(server, (page, name) => screenshot(page, `smoke-${name || "index.html"}`)),
    ));

  test("the first look fetches no chunk, and a chunk that does not come is told and can be asked for again", () =>
    withServer({}, async (server) => {
      const tab = await newPage(browser);
      const fetched = [];
      tab.page.on("request", (request) => fetched.push(new URL(request.url()).pathname.split("/").pop()));
      await tab.page.goto(server.address);
      await tab.page.getByRole("button", { name: "Run", exact: true }).waitFor();
      await tab.page.waitForLoadState("networkidle");
      assert.deepEqual(fetched.filter((name) => name.endsWith(".wasm")).length, 1, fetched.join(", "));
      await tab.page.route("**/machine-*.wasm", (route) => route.abort());
      await tab.page.getByRole("combobox", { name: "Scene" }).selectOption("hot-key");
      const again = tab.page.getByRole("region", { name: "Figure" }).getByRole("button", { name: "Try again" });
      await again.waitFor();
      // Nothing of the scene before stands under the new one's name.
      assert.equal(await tab.page.getByText("TENANT#42").count(), 0);
      await tab.page.unroute("**/machine-*.wasm");
      await again.click();
      await tab.page.getByText("each under the key").waitFor();
      await tab.page.getByText("0.25 s first refusal").waitFor();
      await tab.close();
    }));

  test("under a path", () =>
    withServer({ base: "/a/b/" }, async (server) => {
      assert.ok(server.address.endsWith("/a/b/"));
      await opens(server);
    }));

  test("under a strict policy", () => withServer({ csp: STRICT_CSP }, opens));

  test("when the host does not know what wasm is", () =>
    withServer({ wasmType: "application/octet-stream" }, async (server) => {
      const answer = await fetch(server.address);
      assert.equal(answer.headers.get("access-control-allow-origin"), "*");
      for (const name of PAGES) {
        const tab = await newPage(browser);
        await tab.page.goto(server.address + name);
        await tab.page.getByRole("heading").first().waitFor();
        tab.assertQuiet(["MIME type"]);
        await tab.close();
      }
    }));

  test("in another site's frame, with an origin of its own", () =>
    withServer({}, async (server) => {
      const host = createServer((_, response) => {
        response.setHeader("content-type", "text/html");
        response.end(
          `<!doctype html><title>Host</title><link rel="icon" href="data:,">
           <iframe title="Embed" sandbox="allow-scripts" src="${server.address}embed.html"></iframe>`,
        );
      });
      host.listen(0, "127.0.0.1");
      await once(host, "listening");
      const tab = await newPage(browser);
      try {
        await tab.page.goto(`http://127.0.0.1:${host.address().port}/`);
        await tab.page.frameLocator("iframe").getByRole("heading").first().waitFor();
        tab.assertQuiet();
      } finally {
        await tab.close();
        host.close();
      }
    }));
});
