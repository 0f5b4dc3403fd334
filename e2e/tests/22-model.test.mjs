// The model: every constant, the fidelity card, why a request was refused and what may be tried, keys that light up,
// the saved burst, CloudWatch's minutes, prices.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible, newPage, screenshot } from "../lib/harness.mjs";
import { says, statement, step, useScenes } from "../lib/scene.mjs";

const { site, withScene } = useScenes((page) => details(page).getByRole("button", { name: /^Model/ }).waitFor());

const details = (page) => page.getByRole("complementary");
const part = (page, name) => details(page).getByRole("region", { name });
const openModel = async (page, what) => {
  await page.getByRole("region", { name: "Figure" }).getByRole("button", { name: "Model", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "The model" });
  await dialog.waitFor();
  if (what) await dialog.getByRole("button", { name: what }).click();
  return dialog;
};
/** Opens the first line of the throttle log. */
const openLine = async (page) => {
  await part(page, "Refusals").getByRole("button", { name: /why\?/ }).first().click();
  return part(page, "Refusals").getByRole("list", { name: "Why it was refused" });
};

describe("the constants", () => {
  test("one that is changed begins the scene again, keeps what was set, and is said to be scaled wherever it shows", () =>
    withScene("hot-key", {}, async (page) => {
      await says(page.locator(".model-line"), "A teaching model, with AWS’s figures.");
      await page.getByRole("textbox", { name: "Rate" }).fill("2,000");
      await page.getByRole("textbox", { name: "Rate" }).press("Enter");
      await step(page, 3);
      const dialog = await openModel(page, "Every constant");
      await dialog.getByText("A change begins the scene again at 0 s.").waitFor();
      const field = dialog.getByRole("textbox", { name: "Writes of one partition" });
      assert.equal(await field.inputValue(), "1,000");
      await field.fill("500");
      await field.press("Enter");
      await dialog.getByText("scaled: AWS 1,000").waitFor();
      await dialog.getByText("One figure is scaled.").waitFor();
      await screenshot(page, "model-constants");
      await dialog.getByRole("button", { name: "Close" }).click();
      await says(page.locator(".model-line"), "Writes of one partition: 500 write units a second here, AWS 1,000.");
      assert.equal(await page.getByRole("timer").innerText(), "0.0 s");
      assert.equal(await page.getByRole("textbox", { name: "Rate" }).inputValue(), "2,000");
      await step(page, 3);
      await says(statement(page), "took 500 of 500 write units this second and refused 1,500");
      // The address holds it: a reload brings it back.
      await page.waitForFunction(() => location.hash.startsWith("#s="));
      await page.reload();
      await says(page.locator(".model-line"), "500 write units a second here, AWS 1,000.");
      assert.equal(await page.getByRole("textbox", { name: "Rate" }).inputValue(), "2,000");
    }));

  test("it is kept in the address although nothing else was done", () =>
    withScene("hot-key", {}, async (page) => {
      const dialog = await openModel(page, "Every constant");
      await dialog.getByRole("combobox", { name: "Adaptive capacity" }).selectOption("off");
      await dialog.getByText("scaled: AWS on").waitFor();
      await page.waitForFunction(() => location.hash.startsWith("#s="));
      await dialog.getByRole("button", { name: "Reset Adaptive capacity" }).click();
      await dialog.getByText("scaled: AWS on").waitFor({ state: "detached" });
    }));

  test("what the model cannot take is refused in words, and nothing is lost", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      const dialog = await openModel(page, "Every constant");
      const field = dialog.getByRole("textbox", { name: "Unused capacity kept" });
      for (const [typed, complaint] of [
        ["0", "`burst_seconds` is a whole number from 1 to 1000000000000, not 0"],
        ["soon", "`soon` is no whole number"],
      ]) {
        await field.fill(typed);
        await field.press("Enter");
        await dialog.getByText(complaint).waitFor();
        assert.equal(await field.inputValue(), typed);
        assert.equal(await field.getAttribute("aria-invalid"), "true");
      }
      await field.fill("60");
      await field.press("Enter");
      await dialog.getByText("scaled: AWS 300").waitFor();
      await dialog.getByRole("button", { name: "Close" }).click();
      await says(part(page, "Saved burst"), "60 of 60 s");
    }));

  test("Classroom scales many, and Reset takes one's own back", () =>
    withScene("hot-key", {}, async (page) => {
      const dialog = await openModel(page, "Every constant");
      await dialog.getByRole("combobox", { name: "Preset" }).selectOption("classroom");
      await dialog.getByText(/^\d+ figures are scaled\.$/).waitFor();
      assert.equal(await dialog.getByRole("textbox", { name: "Writes of one partition" }).inputValue(), "10");
      await dialog.getByRole("textbox", { name: "Writes of one partition" }).fill("1,000");
      await dialog.getByRole("textbox", { name: "Writes of one partition" }).press("Enter");
      await dialog.getByRole("button", { name: "Reset all" }).click();
      await dialog.getByText("scaled: AWS 1,000").waitFor();
      assert.ok(await dialog.getByRole("button", { name: "Reset all" }).isDisabled());
      await page.keyboard.press("Escape");
      await says(page.locator(".model-line"), "Scaled: Classroom figures. Writes of one partition: 10 write units a second here, AWS 1,000.");
    }));
});

describe("the fidelity card", () => {
  test("it admits what is simplified and not public, of the parts this scene uses", () =>
    withScene("hot-key", {}, async (page) => {
      await details(page).getByRole("button", { name: "Model: what is true, and every constant" }).click();
      const dialog = page.getByRole("dialog", { name: "The model" });
      for (const text of [
        "some 9,000 eventually consistent queries a second",
        "Modelled as documented",
        "Simplified, or ours",
        "Not public",
        "Writes of one partition: 1,000 write units a second. Every partition takes up to 1,000 write units a second",
        "It uses: where a key lies, ceilings and admission, saved burst, splits, traffic, metrics, prices.",
        "Not in this scene: on-demand, replicas, indexes, auto scaling, retries, caches and regions, pages.",
      ]) {
        await dialog.getByText(text).first().waitFor();
      }
      await assertAccessible(page, { selector: ".model" });
      await screenshot(page, "model-card");
      await page.emulateMedia({ media: "print" });
      await screenshot(page, "model-card-print", { fullPage: true });
    }));
});

describe("why it was refused", () => {
  test("a line opens into seven steps, and time stands", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 4);
      const steps = await openLine(page);
      for (const text of [
        "P0 gave 1,000 of its 1,000 write units in second 3. 4,000 requests found its bucket empty",
        "ProvisionedThroughputExceededException, HTTP 400. The SDKs retry it by themselves",
        "The client of this traffic gives up at once.",
        "TableWriteKeyRangeThroughputExceeded",
        "arn:aws:dynamodb:us-east-1:000000000000:table/jobs",
        "WriteKeyRangeThroughputThrottleEvents, and WriteThrottleEvents with it: 4,000 more in the minute that ends at 1 min 00 s.",
        "the table as a whole used 30 %. Paying for more moves the table’s line, not the partition’s.",
        "100 % of these refusals; 100 % of the load of the last 4 s",
        "It will not help: the bill doubles, the partition’s ceiling stays where it is.",
      ]) {
        await says(steps, text);
      }
      assert.equal(await steps.getByRole("heading").count(), 7);
      await assertAccessible(page, { selector: ".details" });
      await screenshot(page, "model-why", { fullPage: true });
      await part(page, "Refusals").getByRole("button", { name: /why\?/ }).first().click();
      await steps.waitFor({ state: "detached" });
    }));

  test("a remedy is tried, its effect told in figures, and undone", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 4);
      let steps = await openLine(page);
      await steps.getByRole("button", { name: "Double the table" }).click();
      await step(page, 2);
      await says(part(page, "Refusals"), "Double the table, tried at 4.0 s. The table refused 4,000 in second 3, and 4,000 in second 5. It changed nothing.");
      await part(page, "Refusals").getByRole("button", { name: "Undo it" }).click();
      await part(page, "Refusals").getByText("tried at").waitFor({ state: "detached" });
      assert.equal(await page.getByRole("textbox", { name: "Provisioned units" }).inputValue(), "3,333");
      await step(page, 1);
      steps = await openLine(page);
      await steps.getByRole("button", { name: "Shard ×10" }).click();
      assert.equal(await page.getByRole("combobox", { name: "Key template" }).inputValue(), "PENDING#{0..9}");
      await step(page, 2);
      await says(part(page, "Refusals"), "Shard ×10, tried at 7.0 s. The table refused 4,000 in second 6, and");
      await screenshot(page, "model-tried");
      // What is changed later is not of its doing, and stays when it is undone.
      const rate = page.getByRole("textbox", { name: "Rate" });
      await rate.fill("2000");
      await rate.press("Enter");
      await step(page, 2);
      await says(part(page, "Refusals"), /in second 8, the last before something else was changed\./);
      await part(page, "Refusals").getByRole("button", { name: "Undo it" }).click();
      assert.equal(await page.getByRole("combobox", { name: "Key template" }).inputValue(), "PENDING");
      assert.equal(await rate.inputValue(), "2,000");
    }));

  test("what was tried is told in its own run only", () =>
    withScene("hot-key", {}, async (page) => {
      const time = page.getByRole("group", { name: "Time" });
      await step(page, 3);
      await time.getByRole("button", { name: "Fork" }).click();
      await (await openLine(page)).getByRole("button", { name: "Shard ×10" }).click();
      await says(part(page, "Refusals"), "Shard ×10, tried at 3.0 s.");
      await page.getByRole("button", { name: "Change A" }).click();
      await part(page, "Refusals").getByText("tried at").waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Change B" }).click();
      await says(part(page, "Refusals"), "Shard ×10, tried at 3.0 s.");
      await page.getByRole("button", { name: "keep A" }).click();
      await part(page, "Refusals").getByText("tried at").waitFor({ state: "detached" });
    }));

  test("a remedy is not credited with what was changed just before it, and a fork keeps its box", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      const rate = page.getByRole("textbox", { name: "Rate" });
      await rate.fill("1500");
      await rate.press("Enter");
      await (await openLine(page)).getByRole("button", { name: "Double the table" }).click();
      await step(page, 2);
      await says(part(page, "Refusals"), "and 500 in second 4, but not by this alone: something else was changed between them.");
      await page.getByRole("group", { name: "Time" }).getByRole("button", { name: "Fork" }).click();
      await says(part(page, "Refusals"), "Double the table, tried at 3.0 s.");
    }));

  test("the second that is shown stays as it was when the table changes", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      await page.getByRole("button", { name: "Double the table" }).first().click();
      await says(statement(page), "P0 took 1,000 of 1,000 write units this second and refused 4,000. The table as a whole used 30 %.");
      await step(page, 1);
      await says(statement(page), "used 15 %");
    }));

  test("where several keys share a partition, doubling says how many partitions it makes", () =>
    withScene("hot-key", {}, async (page) => {
      const key = page.getByRole("combobox", { name: "Key template" });
      await key.fill("PENDING#{0..9}");
      await key.press("Enter");
      await step(page, 4);
      await says(await openLine(page), "It makes 7 of 4 partitions and the bill doubles.");
    }));

  test("time that ran stands while a line is open, and runs on", async () => {
    const tab = await newPage(site.browser, { width: 1440, height: 900 });
    await tab.page.goto(`${site.address}?scene=hot-key`);
    await says(statement(tab.page), "refused");
    const line = part(tab.page, "Refusals").getByRole("button", { name: /why\?/ }).first();
    await line.click();
    await tab.page.getByRole("button", { name: "Play" }).waitFor();
    await line.click();
    await tab.page.getByRole("button", { name: "Pause" }).waitFor();
    tab.assertQuiet();
    await tab.close();
  });
});

describe("keys", () => {
  test("a click lights a key wherever it shows, and says where it lies", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 2);
      const key = part(page, "Hottest keys").getByRole("button", { name: "PENDING" }).first();
      await key.click();
      assert.equal(await key.getAttribute("aria-pressed"), "true");
      await says(part(page, "Hottest keys"), "PENDING is marked wherever it shows. It stands at 0.2007 of the hash line, on P0.");
      const marked = () =>
        page.evaluate(() => [...document.querySelectorAll('[data-key="PENDING"]')].map((node) => getComputedStyle(node).outlineStyle));
      assert.ok((await marked()).length >= 3, "pin, log and list");
      assert.ok((await marked()).every((style) => style === "solid"));
      await screenshot(page, "model-lit");
      await key.click();
      await says(part(page, "Hottest keys").getByRole("button", { name: "PENDING", pressed: false }).first(), "PENDING");
      assert.ok((await marked()).every((style) => style !== "solid"));
      await part(page, "Hottest keys").getByText("The last 2 s, as Contributor Insights").click();
      // 2,000 and 1,000 accepted, three for each unit; 3,000 and 4,000 refused.
      await says(part(page, "Hottest keys"), "9,000 · 100 %");
      await says(part(page, "Hottest keys"), "7,000 · 100 %");
    }));
});

describe("burst, minutes and prices", () => {
  test("the tank falls while it is drawn upon", () =>
    withScene("saved-burst", {}, async (page) => {
      await says(part(page, "Saved burst"), "300 of 300 s");
      await says(part(page, "Saved burst"), "Full: nothing more is saved.");
      await step(page, 2);
      await says(part(page, "Saved burst"), "Falls by 50 a second: empty in 14 min 58 s.");
      await page.getByRole("button", { name: "Go to the next event" }).click();
      await says(part(page, "Saved burst"), /2\d\d of 300 s/);
      await screenshot(page, "model-burst");
    }));

  test("with even shares each partition has its own", () =>
    withScene("hot-key", {}, async (page) => {
      const dialog = await openModel(page, "Every constant");
      await dialog.getByRole("combobox", { name: "Adaptive capacity" }).selectOption("off");
      await dialog.getByRole("button", { name: "Close" }).click();
      await says(part(page, "Saved burst"), "P0 249,900 of 249,900");
      await says(part(page, "Saved burst"), "none can lend");
    }));

  test("the minutes stand beside the seconds, dashed until they are due", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 1);
      const figure = page.getByRole("img", { name: /No minute has ended; the first is due at 1 min 00 s/ });
      await figure.waitFor();
      await page.getByRole("button", { name: "Go to the next event" }).click();
      // 61,000 units of the minute: 1,016.7 a second, 30.5 % of 3,333; 239,000 refused.
      await page
        .getByRole("img", { name: "The last whole minute: 1,017 write units a second, 31 % of what is paid for, 239,000 throttled. The next is due at 2 min" })
        .waitFor();
      for (const name of ["ConsumedWriteCapacityUnits", "ProvisionedWriteCapacityUnits", "WriteThrottleEvents"]) {
        await says(part(page, "CloudWatch"), name);
      }
      await screenshot(page, "model-minutes");
    }));

  test("a price that is changed is reckoned with at once", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 1);
      await says(part(page, "Price"), "us-east-1, since 2024-11");
      await says(part(page, "Price"), "Provisioned as it is: $1591.00 a month.");
      const field = part(page, "Price").getByRole("textbox", { name: /^Write unit, provisioned/ });
      await field.fill("0.0013");
      await field.press("Enter");
      // 3,333 × 730 × 0.0013 + 100 × 730 × 0.00013
      await says(part(page, "Price"), "Provisioned as it is: $3172.51 a month.");
      await field.fill("cheap");
      await field.press("Enter");
      await says(part(page, "Price"), "dollars, with at most six decimals");
      await says(part(page, "Price"), "$3172.51");
      await part(page, "Price").getByRole("button", { name: "As they were" }).click();
      await says(part(page, "Price"), "$1591.00");
      assert.equal(await field.inputValue(), "0.00065");
    }));
});

describe("for everybody", () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [375, 700, 1100, 1440]) {
      test(`axe, ${colorScheme}, ${width} px`, () =>
        withScene("hot-key", { colorScheme, width, height: 812 }, async (page) => {
          await step(page, 2);
          await openLine(page);
          await part(page, "Hottest keys").getByText("as Contributor Insights").click();
          await assertAccessible(page, { selector: ".details" });
          await screenshot(page, `model-details-${width}-${colorScheme}`, { fullPage: true });
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, "no sideways scrolling");
          const dialog = await openModel(page, "Every constant");
          await dialog.getByRole("combobox", { name: "Preset" }).selectOption("classroom");
          await dialog.getByText(/figures are scaled/).waitFor();
          await assertAccessible(page, { selector: ".model" });
          await screenshot(page, `model-constants-${width}-${colorScheme}`);
          await dialog.getByRole("button", { name: "What is true of it" }).click();
          await assertAccessible(page, { selector: ".model" });
          await screenshot(page, `model-card-${width}-${colorScheme}`);
          const wide = await dialog.evaluate((node) => node.scrollWidth - node.clientWidth);
          assert.equal(wide, 0, "no sideways scrolling in the dialog");
        }));
    }
  }

  test("the model is opened, read and closed by keyboard alone", () =>
    withScene("hot-key", {}, async (page) => {
      const door = details(page).getByRole("button", { name: /^Model/ });
      await door.focus();
      await page.keyboard.press("Enter");
      const dialog = page.getByRole("dialog", { name: "The model" });
      await dialog.waitFor();
      await page.keyboard.press("Tab");
      await page.keyboard.press("Escape");
      await dialog.waitFor({ state: "hidden" });
      assert.equal(await page.evaluate(() => document.activeElement?.dataset.do), "model");
    }));
});
