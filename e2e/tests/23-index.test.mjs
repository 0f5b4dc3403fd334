// The table and its indexes: whose partitions are seen, which index pushes back, what is on its way.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible, screenshot } from "../lib/harness.mjs";
import { says, statement, step, useScenes } from "../lib/scene.mjs";

const { withScene } = useScenes((page) => statement(page).waitFor());

const arms = (page) => page.getByRole("group", { name: "Whose partitions" });

describe("an index that pushes back", () => {
  test("the table refuses nothing itself; the index does, in its own name", () =>
    withScene("outbox", {}, async (page) => {
      await step(page, 4);
      await says(page.locator(".state"), "1,000 of 3,000 writes were taken this second; the index byTopic refused 2,000.");
      await arms(page).getByText("refuses 2,000 writes").waitFor();
      await screenshot(page, "index-table");
      await arms(page).getByRole("button", { name: /byTopic/ }).click();
      await says(page.locator(".state"), /Partition P\d took 1,000 of 1,000 write units this second and refused 2,000/);
      // 0.8 s of 1,000 entries a second.
      await says(page.getByRole("region", { name: "On the way to the index" }), "800 changes are on the way");
      await page.getByRole("complementary").getByText("IndexWriteKeyRangeThroughputExceeded").first().waitFor();
      await page.getByRole("figure", { name: "Partitions" }).getByText("whole index").waitFor();
      await page.getByRole("button", { name: "as text" }).click();
      await page.getByRole("rowheader", { name: "Whole index" }).waitFor();
      await page.getByRole("button", { name: "as text" }).click();
      await assertAccessible(page, { selector: ".lens" });
      await screenshot(page, "index-itself");
      // The choice is a button like any other, and goes back.
      await arms(page).getByRole("button", { name: /outbox/ }).press("Enter");
      await says(page.locator(".state"), "the index byTopic refused 2,000");
    }));

  test("the ruler's mark leads to just before the index's first refusal", () =>
    withScene("outbox", {}, async (page) => {
      await step(page, 3);
      const time = page.getByRole("group", { name: "Time" });
      await time.getByRole("button", { name: /first refusal/ }).click();
      // A bucket of 1,000 loses 2,000 a second.
      await time.getByRole("slider", { name: "Moment" }).and(page.locator('[aria-valuetext^="0.5 s"]')).waitFor();
      await says(page.locator(".state"), "So far this second all 1,500 writes were taken");
    }));

  test("its refusal explains itself, and its own key is what to try", () =>
    withScene("outbox", {}, async (page) => {
      await step(page, 3);
      const refusals = page.getByRole("region", { name: "Refusals" });
      await says(refusals, /Refusals [\d,]+ so far/);
      await refusals.getByRole("button", { name: /why\?/ }).first().click();
      await refusals.getByRole("button", { name: "Shard ×10" }).click();
      await step(page, 3);
      await says(refusals, /Shard ×10, tried at 3\.0 s\. The index byTopic refused 2,000 in second 2, and [\d,]+ in second 5\./);
      await says(page.locator(".state"), /^(?!.*1,000 of 3,000)/);
      await refusals.getByRole("button", { name: "Undo it" }).click();
      await step(page, 3);
      await says(page.locator(".state"), "1,000 of 3,000 writes were taken this second");
    }));

  test("compared, what it refuses is counted and its key is part of the design", () =>
    withScene("outbox", {}, async (page) => {
      await page.getByRole("group", { name: "Time" }).getByRole("button", { name: "Fork" }).click();
      await page.getByRole("button", { name: "Ten topics" }).click();
      await step(page, 4);
      const compare = page.getByRole("region", { name: "Compare" });
      await compare.getByRole("row", { name: /^Refused 2,000 / }).waitFor();
      await says(compare.getByRole("article", { name: "B", exact: true }), /#\{0\.\.9\}/);
    }));

  test("a link keeps which of them is looked at", () =>
    withScene("outbox", {}, async (page) => {
      await step(page, 2);
      const index = arms(page).getByRole("button", { name: /byTopic/ });
      await index.click();
      await page.waitForTimeout(1_200); // the address is written a moment later
      await page.reload();
      await page.getByRole("region", { name: "On the way to the index" }).waitFor();
      assert.equal(await index.getAttribute("aria-pressed"), "true");
    }));

  test("suffixes of the index's key spread it", () =>
    withScene("outbox", {}, async (page) => {
      await page.getByRole("button", { name: "Ten topics" }).click();
      await step(page, 5);
      await says(page.locator(".state"), /were taken this second/);
      await says(page.locator(".state"), /^(?!.*1,000 of 3,000)/);
    }));

  test("on a phone and in the dark", () =>
    withScene("outbox", { width: 375, height: 760, colorScheme: "dark" }, async (page) => {
      await step(page, 3);
      await arms(page).getByRole("button", { name: /byTopic/ }).click();
      await page.getByRole("region", { name: "On the way to the index" }).waitFor();
      const [inner, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.ok(inner <= width, "no scrolling sideways");
      await assertAccessible(page, { selector: ".lens" });
      await screenshot(page, "index-phone-dark");
    }));
});

describe("a late index", () => {
  test("has two seconds less than the table, and the next event is an arrival", () =>
    withScene("late-index", {}, async (page) => {
      await step(page, 5);
      // Four a second from 0 s on: twenty in the table; what was written up to 3 s is in the index: 0, 0.25 … 3 s.
      const items = async () => {
        await page.getByRole("button", { name: "as text" }).click();
        const cell = page.getByRole("row", { name: /^Whole/ }).getByRole("cell").nth(3);
        const text = await cell.textContent();
        await page.getByRole("button", { name: "as text" }).click();
        return text;
      };
      assert.equal(await items(), "20");
      await arms(page).getByRole("button", { name: /byStatus/ }).click();
      await says(page.getByRole("region", { name: "On the way to the index" }), "7 changes are on the way, the next in 0.25 s.");
      assert.equal(await items(), "13");
      await screenshot(page, "index-late");
      await page.getByRole("button", { name: "Go to the next event" }).click();
      await says(page.getByRole("region", { name: "On the way to the index" }), "7 changes are on the way");
      assert.equal(await items(), "14");
    }));
});

describe("one item that everybody reads", () => {
  test("eventual reads fit twice, a cache takes the load away", () =>
    withScene("front-page", {}, async (page) => {
      await step(page, 3);
      await says(page.locator(".state"), "took 3,000 of 3,000 read units this second and refused 5,000");
      await page.getByRole("button", { name: "Read eventually" }).click();
      await step(page, 3);
      await says(page.locator(".state"), "took 3,000 of 3,000 read units this second and refused 2,000");
      await page.getByRole("button", { name: "A cache of one second" }).click();
      await step(page, 2);
      await says(page.locator(".state"), "One request arrived this second; P3 took it.");
    }));
});
