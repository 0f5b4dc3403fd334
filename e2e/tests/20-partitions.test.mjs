// The partition lens: traffic, statement, figure and its text, a key to look up, time.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible, newPage, screenshot } from "../lib/harness.mjs";
import { says, statement, step, useScenes } from "../lib/scene.mjs";

const REASON = "TableWriteKeyRangeThroughputExceeded";

const { site, withScene } = useScenes();

describe("the hot key", () => {
  test("one partition is full, and the table is not", () =>
    withScene("hot-key", {}, async (page) => {
      await says(statement(page), "about to arrive under one key");
      await step(page, 1);
      await says(statement(page), "took 2,000 write units this second, a full bucket");
      await step(page, 3);
      await says(
        statement(page),
        "Partition P0 took 1,000 of 1,000 write units this second and refused 4,000. The table as a whole used 30 %.",
      );
      const details = page.getByRole("complementary");
      await details.getByText(REASON).waitFor();
      await details.getByText("ProvisionedThroughputExceededException").waitFor();
      await details.getByText("WriteKeyRangeThroughputThrottleEvents").waitFor();
      await details.getByText("first refusal at 0.25 s").waitFor();
      await details.getByRole("listitem").filter({ hasText: "partition key range" }).filter({ hasText: "refusing" }).waitFor();
      const bars = page.getByRole("figure", { name: "Partitions" }).getByRole("listitem");
      assert.equal(await bars.count(), 4);
      await says(bars.first(), "P0: 1,000 of 1,000 write units taken, 4,000 refused, 0 items, hottest key PENDING");
      await screenshot(page, "partitions-hot-key");
    }));

  test("twice the price changes nothing for the key", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      await page.getByRole("button", { name: "Double the table" }).click();
      await step(page, 2);
      await says(statement(page), "took 1,000 of 1,000 write units this second and refused 4,000. The table as a whole used 15 %.");
      assert.equal(await page.getByRole("figure", { name: "Partitions" }).getByRole("listitem").count(), 7);
    }));

  test("ten suffixes are not ten partitions", () =>
    withScene("hot-key", {}, async (page) => {
      const key = page.getByRole("combobox", { name: "Key template" });
      await key.fill("PENDING#{0..9}");
      await key.press("Enter");
      await step(page, 4);
      await says(statement(page), "3,500 of 5,000 writes were taken this second; P2 and P3 refused 1,500.");
      await says(page.locator(".why").first(), "Ten suffixes are not ten partitions: they fall on four partitions as 1, 2, 3, 4.");
      await key.fill("PENDING#{0..");
      await page.getByText("at character 9: this brace is never closed").waitFor();
      await says(statement(page), "P2 and P3 refused 1,500.");
      await key.fill("PENDING");
      await key.press("Enter");
      await page.getByText("never closed").waitFor({ state: "detached" });
      await step(page, 3);
      await says(statement(page), "took 1,000 of 1,000 write units this second and refused 4,000");
    }));

  test("the sentence can be worked by keyboard alone", () =>
    withScene("hot-key", {}, async (page) => {
      await page.getByRole("button", { name: "Rate: less" }).focus();
      await page.keyboard.press("Enter");
      assert.equal(await page.getByRole("textbox", { name: "Rate" }).inputValue(), "2,000");
      await page.getByRole("textbox", { name: "Rate" }).focus();
      await page.keyboard.press("ArrowDown");
      assert.equal(await page.getByRole("textbox", { name: "Rate" }).inputValue(), "1,000");
      await step(page, 2);
      await says(statement(page), "All 1,000 writes were taken this second");
      await page.getByRole("combobox", { name: "Operation" }).selectOption("strong");
      await page.getByText("each under the key").waitFor();
      await step(page, 2);
      await says(statement(page), "The table as a whole used");
      await page.getByRole("combobox", { name: "Billing mode" }).selectOption("on-demand");
      await page.getByRole("textbox", { name: "Provisioned units" }).waitFor({ state: "detached" });
    }));

  test("the text says what the figure shows", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 4);
      const figure = await page.getByRole("figure", { name: "Partitions" }).getByRole("listitem").allInnerTexts();
      await page.getByRole("button", { name: "as text" }).click();
      const rows = page.getByRole("table", { name: /Partitions in second 3/ }).getByRole("row");
      assert.deepEqual(
        (await rows.allInnerTexts()).map((row) => row.split("\t").map((cell) => cell.trim())),
        [
          ["Partition", "Hash range", "Taken, write units", "Refused", "Items", "Hottest key"],
          ["P0", "0000 … 3fff", "1,000", "4,000", "0", "PENDING"],
          ["P1", "4000 … 7fff", "0", "0", "0", "–"],
          ["P2", "8000 … bfff", "0", "0", "0", "–"],
          ["P3", "c000 … ffff", "0", "0", "0", "–"],
          ["Whole table", "", "1,000", "4,000", "0", ""],
        ],
      );
      assert.ok(figure[0].includes("1,000 of 1,000 write units taken, 4,000 refused"), figure[0]);
      await page.getByText("The last ten seconds as a table").click();
      await page.getByRole("row", { name: "0 s 2,000 3,000" }).waitFor();
    }));
});

describe("time", () => {
  test("it runs by itself, pauses, and steps", async () => {
    const tab = await newPage(site.browser, { width: 1440, height: 900 });
    await tab.page.goto(`${site.address}?scene=hot-key`);
    const bar = tab.page.getByRole("group", { name: "Time" });
    await says(statement(tab.page), "took 1,000 of 1,000 write units this second");
    await bar.getByText("0.25 s first refusal").waitFor();
    await bar.getByRole("button", { name: "Pause" }).press("Space");
    const clock = bar.getByRole("timer");
    const stood = await clock.innerText();
    await bar.getByRole("button", { name: "Step one second" }).click();
    assert.notEqual(await clock.innerText(), stood);
    await bar.getByRole("button", { name: "Restart" }).click();
    await bar.getByRole("button", { name: "Pause" }).click();
    await bar.getByRole("combobox", { name: "Speed" }).selectOption("6000");
    await bar.getByRole("button", { name: "Play" }).click();
    await clock.filter({ hasText: "min" }).waitFor();
    tab.assertQuiet();
    await tab.close();
  });

  test("a single request is seen to arrive", () =>
    withScene("hot-key", {}, async (page) => {
      const one = page.getByRole("button", { name: "Step one request" });
      for (let request = 0; request < 4; request++) await one.click();
      await says(statement(page), "So far this second all 4 writes were taken; P0 took the most, 4 write units.");
    }));

  test("a hot partition is split after a while, the refusals end, and the column tells of both", () =>
    withScene("warm-keys", {}, async (page) => {
      const next = page.getByRole("button", { name: "Go to the next event" });
      const splits = page.getByRole("complementary").getByRole("listitem").filter({ hasText: "for heat" });
      // Five minutes at nine tenths of the ceiling, minute by minute; then the split itself is the next event.
      for (let minute = 0; minute < 5; minute++) await next.click();
      await says(statement(page), "refused 500");
      await says(splits.first(), "P0 will be split at 9 min 29 s, for heat");
      await next.click();
      await says(page.getByRole("timer"), "9 min 29 s");
      await says(splits.first(), "P0 became P1 and P2, for heat");
      await step(page, 2);
      await says(statement(page), "All 1,500 writes were taken this second");
    }));

  test("the minute's graph shows 31 %, while four writes in five are refused in each second", () =>
    withScene("hot-key", {}, async (page) => {
      await page.getByRole("button", { name: "Go to the next event" }).click();
      await says(statement(page), "took 1,000 of 1,000 write units this second and refused 4,000");
      // 2,000 in the first second and 1,000 in each of the other 59: 61,000 / 60 = 1,016.7 of 3,333.
      await page.getByRole("row", { name: "0 1,017 31 % 239,000" }).waitFor();
      await page.getByText("Provisioned as it is: $").waitFor();
    }));

  test("nothing moves for readers who want no motion", () =>
    withScene("hot-key", {}, async (page) => {
      await page.waitForTimeout(600);
      await page.getByRole("button", { name: "Play" }).waitFor();
      assert.equal(await page.getByRole("timer").innerText(), "0.0 s");
      await says(statement(page), "about to arrive");
    }));
});

describe("where a key lands", () => {
  test("eight times the same key, one bucket; with a number they spread", () =>
    withScene("buckets", {}, async (page) => {
      const key = page.getByRole("textbox", { name: "Partition key" });
      await key.fill("VIDEO#42");
      const told = await page.getByText(/stands at 0\.\d{4} of the hash line, on P\d/).innerText();
      const partition = /P\d/.exec(told)[0];
      await page.getByRole("button", { name: "Write it 8 times" }).click();
      await says(statement(page), `Eight items, one bucket: ${partition} holds all of them.`);
      const bars = page.getByRole("figure", { name: "Partitions" }).getByRole("listitem");
      assert.equal(await bars.count(), 8);
      await bars.filter({ hasText: `${partition}:` }).filter({ hasText: "8 items" }).waitFor();
      await key.fill("VIDEO#42#{0..7}");
      await page.getByText(/Eight keys, on P\d/).waitFor();
      await page.getByRole("button", { name: "Write it 8 times" }).click();
      await says(statement(page), /16 items in (three|four|five|six|seven|eight) of eight buckets/);
      await screenshot(page, "partitions-buckets");
    }));

  test("traffic can be started where there is none", () =>
    withScene("buckets", {}, async (page) => {
      await page.getByRole("button", { name: "Start 1,000 writes a second" }).click();
      await page.getByRole("group", { name: "Traffic" }).waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
    }));
});

describe("for everybody", () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [375, 1440]) {
      test(`axe, ${colorScheme}, ${width} px`, () =>
        withScene("hot-key", { colorScheme, width, height: 812 }, async (page) => {
          await step(page, 3);
          await assertAccessible(page, { selector: ".lens" });
          await assertAccessible(page, { selector: ".time" });
          const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.equal(wide, 0, "no sideways scrolling");
          await screenshot(page, `partitions-${width}-${colorScheme}`);
        }));
    }
  }

  test("320 px", () =>
    withScene("hot-key", { width: 320, height: 640 }, async (page) => {
      await step(page, 2);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
    }));
});
