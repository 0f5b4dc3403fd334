// What the browser tests share: the server, the browser, pages that notice errors, pictures, axe.
//
//     const site = useSite();
//     const tab = await newPage(site.browser, { width: 390, height: 844, colorScheme: "dark" });
//     await tab.page.goto(site.address);
//     tab.assertQuiet();
//
// Each test file has a server and a browser of its own, from before its first test until after its last.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { findBrowser } from "./browser.mjs";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const ARTEFACTS = fileURLToPath(new URL("../artefacts/", import.meta.url));
const SERVER_START_MS_MAX = 120_000; // it may have to be compiled first
const ACTION_MS_MAX = 10_000;

/** What a careful host sends; the page must work under it. */
export const STRICT_CSP = [
  "default-src 'self'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
].join("; ");

/**
 * Serves `dist/` by `cargo xtask serve --no-build`.
 * @param {{ base?: string, csp?: string, wasmType?: string }} options
 */
export async function startServer({ base, csp, wasmType } = {}) {
  const options = ["serve", "--no-build", "--port", "0"];
  if (base) options.push("--base", base);
  if (csp) options.push("--csp", csp);
  if (wasmType) options.push("--wasm-type", wasmType);
  const program = process.env.DYNASCOPE_XTASK;
  const [command, ...words] = program ? [program] : ["cargo", "run", "--quiet", "--package", "xtask", "--"];
  const child = spawn(command, [...words, ...options], { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  const stopAtExit = () => child.kill();
  process.once("exit", stopAtExit);
  const ended = new Promise((resolve) => child.once("close", resolve));
  return {
    /** Ends with a slash. */
    address: await printedAddress(child),
    async stop() {
      process.off("exit", stopAtExit);
      child.kill();
      await ended;
    },
  };
}

function printedAddress(child) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the server did not start in time")), SERVER_START_MS_MAX);
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const found = /Dynascope is at (http:\S+)\s/.exec(text);
      if (!found) return;
      clearTimeout(timer);
      resolve(found[1]);
    });
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(timer);
      reject(new Error(`the server ended with code ${code}: ${text}`));
    });
  });
}

export function openBrowser() {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** Server and browser of a test file; they are there when its first test begins. */
export function useSite() {
  const site = {};
  let server;
  before(async () => {
    [server, site.browser] = await Promise.all([startServer(), openBrowser()]);
    site.address = server.address;
  });
  after(async () => {
    await site.browser?.close();
    await server?.stop();
  });
  return site;
}

/**
 * A page with storage of its own. It remembers every error and warning on its console, every
 * uncaught exception, every request that failed, and every request to another host.
 */
export async function newPage(browser, options = {}) {
  const { width = 1280, height = 800, colorScheme = "light", reducedMotion = "no-preference", ...more } = options;
  const context = await browser.newContext({ viewport: { width, height }, colorScheme, reducedMotion, ...more });
  const page = await context.newPage();
  page.setDefaultTimeout(ACTION_MS_MAX);
  const complaints = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`uncaught: ${error.message}`));
  page.on("requestfailed", (request) => {
    // A page that is left drops what it was still fetching.
    const reason = request.failure()?.errorText ?? "";
    if (reason !== "net::ERR_ABORTED") complaints.push(`request failed: ${request.url()} ${reason}`);
  });
  page.on("request", (request) => {
    const { protocol, hostname } = new URL(request.url());
    const isLocal = ["data:", "blob:", "about:"].includes(protocol) || hostname === "127.0.0.1";
    if (!isLocal) complaints.push(`request to another host: ${request.url()}`);
  });
  return {
    page,
    complaints,
    /** Fails if anything went wrong on the page so far. `expected` names complaints that must have come, by a part of their text. */
    assertQuiet(expected = []) {
      for (const part of expected) {
        assert.ok(complaints.some((text) => text.includes(part)), `expected a complaint with: ${part}`);
      }
      const others = complaints.filter((text) => !expected.some((part) => text.includes(part)));
      assert.deepEqual(others, [], "the page complains");
    },
    close: () => context.close(),
  };
}

/** Keeps a picture of the page in `e2e/artefacts/` and answers its path. */
export async function screenshot(page, name, options = {}) {
  mkdirSync(ARTEFACTS, { recursive: true });
  const path = join(ARTEFACTS, `${name}.png`);
  await page.screenshot({ path, ...options });
  return path;
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Fails, naming rule and element, if axe finds fault with the page or with the part of it that `selector` names. */
export async function assertAccessible(page, { selector, disabledRules = [] } = {}) {
  await page.evaluate(axeSource); // not a script tag, which a strict policy would refuse
  const rules = Object.fromEntries(disabledRules.map((rule) => [rule, { enabled: false }]));
  const violations = await page.evaluate(
    async ([selector, rules]) => (await globalThis.axe.run(selector ?? document, { rules })).violations,
    [selector, rules],
  );
  const faults = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `    ${node.target.join(" ")}: ${node.failureSummary}`).join("\n")}`,
  );
  assert.deepEqual(faults, [], "axe finds fault with the page");
}
