// The read side of the page, as a person uses it: ask, run, page on, be refused, repair, write items.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { assertAccessible, newPage, screenshot, useSite } from "../lib/harness.mjs";

const site = useSite();

/** Opens the Orders scene, lets `use` do its work, and sees that the page did not complain. */
async function orders(use, options = {}) {
  const tab = await newPage(site.browser, { width: 1440, height: 900, ...options });
  try {
    await tab.page.goto(`${site.address}?scene=orders`);
    await run(tab.page).waitFor();
    await use(tab.page);
    tab.assertQuiet();
  } finally {
    await tab.close();
  }
}

const run = (page) => page.getByRole("button", { name: "Run", exact: true });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const cost = (page) => page.getByRole("region", { name: "What it costs" });
const filter = (page) => page.getByRole("textbox", { name: "FilterExpression" });
const limit = (page) => page.getByRole("textbox", { name: "Limit", exact: true });
const itemField = (page) => page.getByRole("textbox", { name: "Item as JSON" });

/** Waits until the text of a place says something. */
async function says(place, pattern) {
  const began = Date.now();
  for (;;) {
    const text = (await place.innerText()).replace(/\s+/g, " ");
    if (pattern.test(text)) return text;
    if (Date.now() - began > 5000) assert.match(text, pattern);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("asking", () => {
  test("ten are read, two shown, half a unit paid", () =>
    orders(async (page) => {
      await says(cost(page), /10 would read .* 2 would show .* 8 paid, dropped 0\.5 RCU .* nothing is charged/);
      await run(page).click();
      await says(cost(page), /10 read ScannedCount 2 shown Count 8 paid, dropped 0\.5 RCU .* charged/);
      await says(cost(page), /stopped at its Limit, not at the end/);
      assert.equal(await run(page).evaluate((element) => element === document.activeElement), true, "the focus stays");
      await page.keyboard.press("ArrowDown");
      const focused = await page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
      assert.equal(focused, "What was read", "one key leads to the result");
      const rows = page.getByRole("region", { name: "Result" }).getByRole("listitem");
      assert.equal(await rows.count(), 10);
      assert.match(await rows.nth(0).innerText(), /#901[\s\S]*paid ≠ cancelled/);
      assert.match(await rows.nth(4).innerText(), /#905[\s\S]*matches/);
      await says(page.getByRole("region", { name: "Cursor" }), /TENANT#42#ORDER#910/);
    }));

  test("the next page goes on from the cursor", () =>
    orders(async (page) => {
      await run(page).click();
      await button(page, "Next page").first().click();
      await says(cost(page), /In all, 2 pages: 20 read, 4 shown, 1 RCU/);
    }));

  test("to the end: four pages, six items, no cursor", () =>
    orders(async (page) => {
      await button(page, "Run to the end").click();
      await says(cost(page), /In all, 4 pages: 31 read, 6 shown, 2 RCU/);
      await says(page.getByRole("region", { name: "Cursor" }), /No LastEvaluatedKey came back/);
      assert.equal(await button(page, "Next page").first().isDisabled(), true);
    }));

  test("Limit by arrow keys moves the figure before anything is run", () =>
    orders(async (page) => {
      const grip = page.getByRole("slider", { name: "Drag Limit" });
      await grip.focus();
      for (let press = 0; press < 7; press += 1) await page.keyboard.press("ArrowLeft");
      assert.equal(await grip.getAttribute("aria-valuenow"), "3");
      await says(cost(page), /3 would read .* 0 would show .*Nothing to show, and still more to come/);
      assert.equal(await limit(page).inputValue(), "3");
      await button(page, "Limit: more").click();
      assert.equal(await grip.getAttribute("aria-valuenow"), "4");
      assert.equal(await run(page).isVisible(), true);
    }));

  test("dragging the grip keeps hold of it", () =>
    orders(async (page) => {
      const grip = page.getByRole("slider", { name: "Drag Limit" });
      await grip.scrollIntoViewIfNeeded();
      const box = await grip.boundingBox();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.move(x, y);
      await page.mouse.down();
      for (let step = 1; step <= 10; step += 1) await page.mouse.move(x + step * 22, y + 3);
      await page.mouse.up();
      const now = Number(await grip.getAttribute("aria-valuenow"));
      assert.ok(now >= 18 && now <= 22, `Limit is ${now}`);
    }));

  test("a Limit that meets the last item still leaves a cursor", () =>
    orders(async (page) => {
      await limit(page).fill("31");
      await run(page).click();
      await says(cost(page), /Limit met the last item/);
      await button(page, "Next page").first().click();
      await says(cost(page), /0 read .* The cursor led to nothing/);
    }));

  test("without a partition key it is a Scan, and says so", () =>
    orders(async (page) => {
      await page.getByRole("textbox", { name: "Partition key value" }).fill("");
      await says(page.getByRole("region", { name: "Ask" }), /Scan, because no partition key value is given/);
      await page.getByRole("combobox", { name: "Table or index" }).selectOption("");
      await button(page, "no Limit").click();
      await run(page).click();
      await says(cost(page), /34 read .* 6 shown .* end of data/);
    }));
});

describe("refusals", () => {
  test("a reserved word is underlined and repaired by one button", () =>
    orders(async (page) => {
      await filter(page).fill("status = :status");
      const ask = page.getByRole("region", { name: "Ask" });
      await says(ask, /Invalid FilterExpression: Attribute name is a reserved keyword; reserved keyword: status/);
      assert.equal(await page.locator(".code-wrong").innerText(), "status");
      await says(cost(page), /as before/);
      await button(page, "Use #status").click();
      assert.equal(await filter(page).inputValue(), "#status = :status");
      await says(cost(page), /10 would read/);
    }));

  test("the repair by keyboard, and Tab leaves the field", () =>
    orders(async (page) => {
      await filter(page).fill("#status = :other");
      await says(page.getByRole("region", { name: "Ask" }), /not defined in expression|is not defined/);
      await filter(page).press("Control+.");
      const value = page.getByRole("textbox", { name: ":other, value" });
      await page.waitForFunction(() => document.activeElement?.id === "holder-other-value");
      await value.fill("paid");
      await button(page, "not used, remove").click();
      await says(cost(page), /10 would read .* 8 would show/);
      await filter(page).focus();
      await page.keyboard.press("Tab");
      const inside = await filter(page).evaluate((element) => element === document.activeElement);
      assert.equal(inside, false);
    }));

  test("Enter runs, but not while an input method composes", () =>
    orders(async (page) => {
      await filter(page).focus();
      await filter(page).evaluate((field) => {
        const options = { key: "Enter", bubbles: true, cancelable: true, isComposing: true };
        field.dispatchEvent(new KeyboardEvent("keydown", options));
      });
      await says(cost(page), /nothing is charged/);
      await page.keyboard.press("Control+Enter");
      await says(cost(page), /10 read/);
    }));

  test("a strongly consistent read of a global index is refused, word for word", () =>
    orders(async (page) => {
      await page.getByRole("combobox", { name: "Consistency" }).selectOption("strong");
      await says(
        page.getByRole("region", { name: "Ask" }),
        /ValidationException: Consistent reads are not supported on global secondary indexes/,
      );
    }));

  test("a forged cursor is answered by the service", () =>
    orders(async (page) => {
      await run(page).click();
      await button(page, "Tamper").click();
      const cursor = page.getByRole("textbox", { name: "Cursor as JSON" });
      await cursor.fill((await cursor.inputValue()).replace("CUST#7", "CUST#8"));
      await button(page, "Send it as ExclusiveStartKey").click();
      await says(page.getByRole("region", { name: "Cursor" }), /starting key is outside query boundaries/);
    }));
});

describe("items", () => {
  test("a typed item appears in the list with its partition", () =>
    orders(async (page) => {
      await button(page, "Add item").click();
      await itemField(page).fill('{"PK": "TENANT#42#ORDER#777", "SK": "META", "status": "open"}');
      const dialog = page.getByRole("dialog");
      const told = await says(dialog, /plain JSON, \d+ bytes, 1 WCU, lands in P\d/);
      const [, partition] = /lands in (P\d)/.exec(told);
      await itemField(page).press("Control+Enter");
      const list = page.getByRole("list", { name: "Items by key" });
      const line = list.getByRole("button", { name: /777/ });
      await line.waitFor();
      assert.ok((await line.innerText()).includes(partition), `it lies in ${partition}`);
      await says(page.getByRole("region", { name: "Items", exact: true }), /35 items/);
      await line.click();
      await button(page, "Delete").click();
      await says(page.getByRole("region", { name: "Items", exact: true }), /34 items/);
    }));

  test("broken JSON keeps its text and says where", () =>
    orders(async (page) => {
      await button(page, "Add item").click();
      const text = '{"PK": "a",\n "SK" "b"}';
      await itemField(page).fill(text);
      await says(page.getByRole("dialog"), /line 2, column 7: expected `:` here/);
      assert.equal(await itemField(page).inputValue(), text);
      await page.keyboard.press("Escape");
      await button(page, "Add item").click();
      assert.equal(await itemField(page).inputValue(), text, "closing loses nothing");
    }));

  test("a number of 39 digits is refused in the service's words", () =>
    orders(async (page) => {
      await button(page, "Add item").click();
      await itemField(page).fill(`{"PK": "a", "SK": "b", "n": ${"1".repeat(39)}}`);
      await says(page.getByRole("dialog"), /Attempting to store more than 38 significant digits in a Number/);
    }));

  test("only if new: the condition fails, and nothing typed is lost", () =>
    orders(async (page) => {
      await button(page, "Add item").click();
      const text = '{"PK": "TENANT#42#ORDER#901", "SK": "META"}';
      await itemField(page).fill(text);
      await page.getByRole("checkbox").check();
      await button(page, "Save").click();
      await says(page.getByRole("dialog"), /ConditionalCheckFailedException: The conditional request failed/);
      assert.equal(await itemField(page).inputValue(), text);
    }));

  test("many items are imported, a bad one among them is reported", () =>
    orders(async (page) => {
      await button(page, "Paste").click();
      const lines = Array.from({ length: 60 }, (_, at) => `{"PK": "p${at}", "SK": "s", "n": ${at}}`);
      await page.getByRole("textbox", { name: "Items as JSON" }).fill([...lines, '{"PK": "only half a key"}'].join("\n"));
      await button(page, "Import").click();
      const dialog = page.getByRole("dialog");
      await says(dialog, /60 items of 61 stored, 60 WCU/);
      await says(dialog, /Missing the key SK in the item/);
    }));

  test("50 MB pasted: an answer with limit and size, and the text before it stays", () =>
    orders(async (page) => {
      await button(page, "Paste").click();
      const field = page.getByRole("textbox", { name: "Items as JSON" });
      await field.fill('{"PK": "kept"');
      const took = await field.evaluate((area) => {
        const data = new DataTransfer();
        data.setData("text/plain", "x".repeat(50_000_000));
        const began = performance.now();
        area.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        return performance.now() - began;
      });
      await says(page.getByRole("dialog"), /This text has 50\.0 MB; at most 8\.0 MB are read here/);
      assert.equal(await field.inputValue(), '{"PK": "kept"');
      assert.ok(took < 1000, `answered in ${took} ms`);
    }));

  test("items by template", () =>
    orders(async (page) => {
      await button(page, "Generate").click();
      await button(page, "Write 100 items").click();
      await says(page.getByRole("dialog"), /100 items of 100 stored/);
    }));
});

describe("for everyone", () => {
  for (const colorScheme of ["light", "dark"]) {
    for (const width of [1440, 375]) {
      test(`no fault at ${width} px, ${colorScheme}`, () =>
        orders(
          async (page) => {
            await run(page).click();
            await says(cost(page), /10 read/);
            await assertAccessible(page, { selector: ".figure" });
            if (width > 700) await assertAccessible(page, { selector: ".apparatus" });
            await button(page, "As text").click();
            await assertAccessible(page, { selector: ".figure" });
            const wide = await page.evaluate(() => document.documentElement.scrollWidth);
            assert.ok(wide <= width, `the page is ${wide} px wide`);
            await screenshot(page, `read-${width}-${colorScheme}`);
          },
          { width, height: width > 700 ? 900 : 812, colorScheme },
        ));
    }
  }

  test("nothing is wider than 320 px, and the form folds", () =>
    orders(
      async (page) => {
        await button(page, "Form").click();
        await filter(page).fill("status = :x");
        await button(page, "Use #status").waitFor();
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= 320, `the page is ${wide} px wide`);
        await assertAccessible(page, { selector: ".figure" });
      },
      { width: 320, height: 700 },
    ));

  test("the item dialog has no fault", () =>
    orders(async (page) => {
      await button(page, "Add item").click();
      await itemField(page).fill('{"PK": 1}');
      await assertAccessible(page, { selector: "dialog" });
    }));
});
