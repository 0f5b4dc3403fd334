// Finds the Chromium that the browser tests use. Run as a program, it prints where it is.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome.exe"];
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** The path of Chromium or Chrome. A missing browser is an error, never a reason to skip a test. */
export function findBrowser() {
  const named = process.env.CHROMIUM;
  if (named) {
    if (existsSync(named)) return named;
    throw new Error(`CHROMIUM names ${named}, which does not exist`);
  }
  const folders = (process.env.PATH ?? "").split(delimiter);
  const candidates = [...folders.flatMap((folder) => NAMES.map((name) => join(folder, name))), ...PLACES];
  const found = candidates.find((path) => existsSync(path));
  if (found) return found;
  throw new Error("no Chromium was found; install Chromium or Chrome, or name it in CHROMIUM");
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    console.log(findBrowser());
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
