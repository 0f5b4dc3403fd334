// Time that can be taken hold of: seek, one request back, the first refusal; two runs of one moment side by side.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible, screenshot } from "../lib/harness.mjs";
import { bar, says, statement, step, useScenes } from "../lib/scene.mjs";

const { withScene } = useScenes((page) => moment(page).waitFor());

const moment = (page) => bar(page).getByRole("slider", { name: "Moment" });
/** Waits until the slider says so. */
const stands = (page, text) => page.locator(`[role=slider][aria-valuetext="${text}"]`).waitFor();
const FULL = "took 1,000 of 1,000 write units this second and refused 4,000";

describe("seek", () => {
  test("by keyboard, all lenses move together, and what is known stays", () =>
    withScene("hot-key", {}, async (page) => {
      const details = page.getByRole("complementary");
      await step(page, 12);
      await stands(page, "12 s of 12 s");
      await says(details, "47,000 so far");
      await moment(page).focus();
      await page.keyboard.press("ArrowLeft");
      await stands(page, "11 s of 12 s");
      await says(details, "43,000 so far");
      await page.keyboard.press("PageDown");
      await stands(page, "1 s of 12 s");
      await says(statement(page), "took 2,000 write units this second, a full bucket");
      await says(details, "3,000 so far");
      await page.getByText("The last ten seconds as a table").click();
      assert.equal(await page.locator(".history-table tbody tr").count(), 1, "the table ends at the moment");
      assert.equal(await page.locator(".history-later").count(), 2, "what lies past it is there, and faded");
      await moment(page).press("Home");
      await stands(page, "0 s of 12 s");
      await says(statement(page), "are about to arrive under one key");
      await page.keyboard.press("Shift+ArrowRight");
      await stands(page, "10 s of 12 s");
      await says(statement(page), FULL);
      await page.keyboard.press("End");
      await stands(page, "12 s of 12 s");
      await says(details, "47,000 so far");
      assert.equal(await page.locator(".history-later").count(), 0);
      await page.keyboard.press("ArrowRight");
      await stands(page, "12 s of 12 s");
      assert.ok(await moment(page).evaluate((slider) => slider === document.activeElement), "it keeps the focus");
    }));

  test("by dragging; nothing jumps and nothing is selected", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 20);
      const slider = moment(page);
      const place = await slider.boundingBox();
      const before = await bar(page).boundingBox();
      await page.mouse.move(place.x + (place.width * 20) / 30, place.y + place.height / 2);
      await page.mouse.down();
      await page.mouse.move(place.x + (place.width * 15) / 30, place.y + place.height / 2, { steps: 5 });
      await stands(page, "15 s of 20 s");
      await page.mouse.move(place.x + (place.width * 4) / 30, place.y - 40, { steps: 5 });
      await stands(page, "4 s of 20 s");
      await says(statement(page), FULL);
      await page.mouse.move(place.x + place.width + 50, place.y, { steps: 5 });
      await stands(page, "20 s of 20 s");
      await page.mouse.move(place.x + (place.width * 4) / 30, place.y, { steps: 5 });
      await page.mouse.up();
      await stands(page, "4 s of 20 s");
      await page.mouse.move(place.x + place.width / 2, place.y + 10);
      await stands(page, "4 s of 20 s");
      assert.deepEqual(await slider.boundingBox(), place);
      assert.deepEqual(await bar(page).boundingBox(), before);
      assert.equal(await page.evaluate(() => String(getSelection())), "");
      await screenshot(page, "time-earlier-1440");
    }));

  test("by touch: the target is high enough, and dragging does not scroll", () =>
    withScene("hot-key", { width: 375, height: 812, hasTouch: true, isMobile: true }, async (page) => {
      await step(page, 6);
      const place = await moment(page).boundingBox();
      assert.ok(place.height >= 44 && place.width > 200, JSON.stringify(place));
      assert.equal(await moment(page).evaluate((slider) => getComputedStyle(slider).touchAction), "none");
      await page.touchscreen.tap(place.x + (place.width * 3) / 30, place.y + place.height / 2);
      await stands(page, "3 s of 6 s");
      await says(statement(page), FULL);
      await page.getByRole("button", { name: "first refusal" }).tap();
      await stands(page, "0.2 s of 6 s");
      await screenshot(page, "time-earlier-375");
    }));

  test("to just before the first refusal, then one request at a time, there and back", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 5);
      await bar(page).getByRole("button", { name: /first refusal/ }).press("Enter");
      await says(page.getByRole("timer"), "0.2500 s");
      await says(statement(page), "So far this second all 1,250 writes were taken");
      await page.getByRole("button", { name: "Step one request" }).click();
      await says(statement(page), "refused 1");
      await page.getByRole("button", { name: "Step back one request" }).click();
      await says(statement(page), "So far this second all 1,250 writes were taken");
      await page.getByRole("button", { name: "Step back one request" }).click();
      await says(statement(page), "So far this second all 1,249 writes were taken");
      await moment(page).press("End");
      await says(statement(page), FULL);
    }));

  test("played from an earlier moment it is the same run again, with what was changed on the way", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      await page.getByRole("button", { name: "Double the table" }).click();
      await step(page, 3);
      await says(statement(page), "The table as a whole used 15 %");
      await moment(page).press("Home");
      await stands(page, "0 s of 6 s");
      await step(page, 2);
      await says(statement(page), "The table as a whole used 30 %");
      await stands(page, "2 s of 6 s");
      await step(page, 2);
      await says(statement(page), "The table as a whole used 15 %");
      await step(page, 3);
      await stands(page, "7 s of 7 s");
    }));

  test("a change at an earlier moment lets the rest go, and says so", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 5);
      await moment(page).press("PageDown");
      await stands(page, "0 s of 5 s");
      const key = page.getByRole("combobox", { name: "Key template" });
      await key.fill("PENDING#{0..9}");
      await key.press("Enter");
      await page.getByText("The run goes on from 0.0 s; what it had been up to 5.0 s was let go. Fork keeps both.").waitFor();
      await stands(page, "0 s of 0 s");
      await step(page, 4); // until the buckets of P2 are empty
      await says(statement(page), "P2 and P3 refused 1,500");
    }));

  test("a link keeps the moment that is looked at, and what comes after it", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      await page.getByRole("button", { name: "Double the table" }).click();
      await step(page, 3);
      await moment(page).press("Home");
      await stands(page, "0 s of 6 s");
      await page.waitForTimeout(1_200); // the address is written a moment later
      await page.reload();
      await stands(page, "0 s of 6 s");
      await moment(page).press("End");
      await says(statement(page), "The table as a whole used 15 %");
    }));

  test("prices are those of every moment", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      await moment(page).press("Home");
      await stands(page, "0 s of 3 s");
      const price = page.getByRole("textbox", { name: "Write unit, provisioned" });
      await price.fill("0.001");
      await price.press("Enter");
      await moment(page).press("End");
      await stands(page, "3 s of 3 s");
      assert.equal(await price.inputValue(), "0.001");
    }));

  test("what is undone takes the clock with it, and says so", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 2);
      await page.getByRole("button", { name: "Double the table" }).click();
      const key = page.getByRole("combobox", { name: "Key template" });
      await key.fill("PENDING#{0..9}");
      await key.press("Enter");
      await step(page, 3);
      await page.getByRole("button", { name: "Undo the last change" }).click();
      await page.getByText("The clock went back to 2.0 s, with the traffic of then.").waitFor();
      assert.equal(await key.inputValue(), "PENDING");
    }));
});

const compare = (page) => page.getByRole("region", { name: "Compare" });
const row = (page, name) => compare(page).getByRole("row", { name });

describe("two runs of one moment", () => {
  test("twice the capacity in B: the same is refused, and it costs twice", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 2);
      await bar(page).getByRole("button", { name: "Fork" }).click();
      await page.getByText("B is a second run of this moment.").waitFor();
      const change = page.getByRole("group", { name: "Run to change" });
      assert.equal(await change.getByRole("button", { name: "Change B" }).getAttribute("aria-pressed"), "true");
      await row(page, "Refused 4,000 4,000 the same").waitFor();
      await page.getByRole("button", { name: "Double the table" }).click();
      await step(page, 3);
      await row(page, "Refused 4,000 4,000 the same").waitFor();
      await row(page, "Of the table used 30 % 15 % −15 points").waitFor();
      await row(page, "Price of a month $1,591 $3,173 +$1,582 A").waitFor();
      await says(compare(page).getByRole("article", { name: "A", exact: true }), "provisioned, 3,333 write units a second");
      await says(compare(page).getByRole("article", { name: "B", exact: true }), "provisioned, 6,666 write units a second");
      await screenshot(page, "compare-doubled-1440");
    }));

  test("ten suffixes in B: 1,500 are refused, and reading costs ten requests", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 2);
      await bar(page).getByRole("button", { name: "Fork" }).click();
      const key = page.getByRole("combobox", { name: "Key template" });
      await key.fill("PENDING#{0..9}");
      await key.press("Enter");
      await step(page, 4); // P2 gets 1,500 a second and lives on its full bucket for two
      await row(page, "Refused 4,000 1,500 −2,500 B").waitFor();
      await row(page, "Taken, write units 1,000 3,500 +2,500 B").waitFor();
      await row(page, "Requests to read all of it back 1 10 +9 A").waitFor();
      const [a, b] = ["A", "B"].map((name) => compare(page).getByRole("article", { name, exact: true }));
      await says(a, "refused 4,000");
      await says(b, "P2 and P3 refused 1,500");
      await b.getByRole("img", { name: /P3 took 1,000 of 1,000, refused 1,000$/ }).waitFor();

      // The sentence and the figure below are those of the run that is chosen.
      await page.getByRole("button", { name: "Change A" }).click();
      assert.equal(await key.inputValue(), "PENDING");
      await says(statement(page), FULL);
      await page.getByRole("button", { name: "Change B" }).click();
      assert.equal(await key.inputValue(), "PENDING#{0..9}");

      // One clock: both move back, and forth again.
      await moment(page).press("ArrowLeft");
      await stands(page, "5 s of 6 s");
      await row(page, "Refused 4,000 1,500 −2,500 B").waitFor();
      await moment(page).press("Home");
      await row(page, "Refused 0 0 the same").waitFor();
      await moment(page).press("End");
      await row(page, "Refused 4,000 1,500 −2,500 B").waitFor();

      // As text the partitions are rows.
      await compare(page).getByRole("button", { name: "Compare as text" }).click();
      await b.getByRole("row", { name: /^P3 1,000 1,000 0 PENDING#\d$/ }).waitFor();
      await screenshot(page, "compare-text-1440");

      // Both from the beginning: the first second has full buckets in both.
      await compare(page).getByRole("button", { name: "Restart both" }).click();
      await step(page, 1);
      await row(page, "Taken, write units 2,000 5,000 +3,000 B").waitFor();

      await compare(page).getByRole("button", { name: "keep B" }).click();
      await compare(page).waitFor({ state: "detached" });
      await page.getByText("B goes on alone; A was let go.").waitFor();
      assert.equal(await key.inputValue(), "PENDING#{0..9}");
      await bar(page).getByRole("button", { name: "Fork" }).waitFor();
    }));

  test("a fork at an earlier moment keeps the later run as A", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 3);
      await page.getByRole("button", { name: "Double the table" }).click();
      await step(page, 3);
      await bar(page).getByRole("button", { name: /first refusal/ }).click();
      await bar(page).getByRole("button", { name: "Fork" }).click();
      await stands(page, "0.2 s of 0.2 s");
      await page.getByRole("button", { name: "Change A" }).click();
      await stands(page, "0.2 s of 6 s");
      await page.getByRole("button", { name: "Change B" }).click();
      await step(page, 5);
      // A was doubled at 3 s; B never was.
      await row(page, "Of the table used 15 % 30 % +15 points").waitFor();
    }));

  test("both run under one clock, and the link brings both back", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 1);
      await bar(page).getByRole("button", { name: "Fork" }).click();
      const key = page.getByRole("combobox", { name: "Key template" });
      await key.fill("PENDING#{0..9}");
      await key.press("Enter");
      await bar(page).getByRole("button", { name: "Play" }).click();
      await row(page, "Refused 4,000 1,500 −2,500 B").waitFor();
      await bar(page).getByRole("button", { name: "Pause" }).click();
      await step(page, 1);
      await page.waitForFunction(() => location.hash.startsWith("#s=1."));
      const spoken = await moment(page).getAttribute("aria-valuetext");
      await page.waitForTimeout(1_200); // the address is written a moment later
      await page.reload();
      await row(page, "Refused 4,000 1,500 −2,500 B").waitFor();
      assert.equal(await moment(page).getAttribute("aria-valuetext"), spoken);
      assert.equal(await page.getByRole("button", { name: "Change B" }).getAttribute("aria-pressed"), "true");
      assert.equal(await key.inputValue(), "PENDING#{0..9}");
    }));

  test("a constant is changed in both, and both begin again", () =>
    withScene("hot-key", {}, async (page) => {
      await bar(page).getByRole("button", { name: "Fork" }).click();
      await page.getByRole("button", { name: "Double the table" }).click();
      await step(page, 3);
      await page.getByRole("region", { name: "Figure" }).getByRole("button", { name: "Model", exact: true }).click();
      await page.getByRole("dialog", { name: "The model" }).getByRole("button", { name: "Every constant" }).click();
      const units = page.getByRole("textbox", { name: "Writes of one partition" });
      await units.fill("500");
      await units.press("Enter");
      await page.keyboard.press("Escape");
      await step(page, 3);
      await row(page, "Refused 4,500 4,500 the same").waitFor();
      await row(page, "Of the table used 15 % 7.5 %").waitFor();
    }));

  test("the scene's own traffic comes back in one of the two, and the other stays", () =>
    withScene("hot-key", {}, async (page) => {
      await bar(page).getByRole("button", { name: "Fork" }).click();
      await page.getByRole("button", { name: "Ten suffixes" }).click();
      await page.getByRole("button", { name: "As it was" }).click();
      await page.getByText("B has the scene’s own traffic and capacity again.").waitFor();
      await compare(page).waitFor();
      assert.equal(await page.getByRole("combobox", { name: "Key template" }).inputValue(), "PENDING");
    }));

  test("by keyboard alone", () =>
    withScene("hot-key", {}, async (page) => {
      await step(page, 2);
      await bar(page).getByRole("button", { name: "Fork" }).press("Enter");
      await compare(page).waitFor();
      const names = [];
      await page.getByRole("button", { name: "Change A" }).focus();
      for (let tab = 0; tab < 90; tab++) {
        names.push(
          await page.evaluate(() => (document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).trim()),
        );
        await page.keyboard.press("Tab");
      }
      const wanted = [
        "Change A",
        "Change B",
        "Operation",
        "Rate",
        "Key template",
        "Compare as text",
        "Restart both",
        "keep A",
        "keep B",
        "Play",
        "Step back one request",
        "Step one request",
        "Moment",
        "Speed",
      ];
      let from = 0;
      for (const name of wanted) {
        const at = names.indexOf(name, from);
        assert.ok(at >= from, `${name} comes after ${names.slice(0, from).at(-1)}: ${names.join(", ")}`);
        from = at;
      }
    }));
});

describe("for everybody", () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [375, 700, 1100, 1440]) {
      test(`axe, ${colorScheme}, ${width} px`, () =>
        withScene("hot-key", { colorScheme, width, height: width < 700 ? 812 : 900 }, async (page) => {
          await step(page, 4);
          await bar(page).getByRole("button", { name: "Fork" }).click();
          const key = page.getByRole("combobox", { name: "Key template" });
          await key.fill("PENDING#{0..9}");
          await key.press("Enter");
          await step(page, 3);
          await row(page, "Refused 4,000 1,500 −2,500 B").waitFor();
          await moment(page).press("ArrowLeft");
          await stands(page, "6 s of 7 s");
          // The notice goes by itself too; the picture is to be without it.
          await page.locator(".notice").waitFor({ state: "detached", timeout: 20_000 });
          assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
          await assertAccessible(page, { selector: ".lens" });
          await assertAccessible(page, { selector: ".time" });
          await screenshot(page, `compare-${width}-${colorScheme}`);
        }));
    }
  }

  test("no line of the sentence begins with its comma", () =>
    withScene("hot-key", { width: 375, height: 812 }, async (page) => {
      for (let width = 320; width <= 480; width += 5) {
        await page.setViewportSize({ width, height: 812 });
        const stray = await page.locator(".traffic-ask").evaluate((sentence) => {
          const words = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT);
          const range = document.createRange();
          const left = sentence.getBoundingClientRect().left;
          while (words.nextNode()) {
            const at = words.currentNode.data.search(/[,.]/);
            if (at < 0 || words.currentNode.parentElement.closest("select")) continue;
            range.setStart(words.currentNode, at);
            range.setEnd(words.currentNode, at + 1);
            if (range.getBoundingClientRect().left - left < 2) return words.currentNode.data;
          }
          return null;
        });
        assert.equal(stray, null, `at ${width} px`);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `at ${width} px`);
      }
    }));
});
