// What the tests of the partition lens share: a scene in which time stands still, and how it is moved and read.
import { newPage, useSite } from "./harness.mjs";

/**
 * Opens scenes of a site of the test file's own, with time standing still so that the test moves it, and sees that the
 * page did not complain. `ready` waits for what the tests of the file need besides the time bar.
 */
export function useScenes(ready = async () => {}) {
  const site = useSite();
  const withScene = async (scene, options, use) => {
    const tab = await newPage(site.browser, { width: 1440, height: 900, reducedMotion: "reduce", ...options });
    try {
      await tab.page.goto(`${site.address}?scene=${scene}`);
      await bar(tab.page).waitFor();
      await ready(tab.page);
      await use(tab.page, tab);
      tab.assertQuiet();
    } finally {
      await tab.close();
    }
  };
  return { site, withScene };
}

/** The time bar. */
export const bar = (page) => page.getByRole("group", { name: "Time" });

/** The largest text of the page. */
export const statement = (page) => page.locator(".state");

/** Moves time on by whole seconds. */
export async function step(page, seconds) {
  for (let second = 0; second < seconds; second++) await page.getByRole("button", { name: "Step one second" }).click();
}

/** Waits until a place says something. */
export async function says(locator, text) {
  await locator.filter({ hasText: text }).waitFor();
}
