// The engine as WebAssembly against the engine on this machine: every golden script and every recorded case must
// give the same bytes. What the native run gives is committed beside them and checked by `cargo test`.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const engine = createRequire(import.meta.url)("../../target/js/dynascope_engine.js");
const tests = new URL("../../engine/tests/", import.meta.url);

const read = (path) => readFileSync(fileURLToPath(new URL(path, tests)), "utf8");
const files = (folder, ending) => {
  const names = readdirSync(fileURLToPath(new URL(folder, tests)), { recursive: true });
  const found = names.filter((name) => name.endsWith(ending));
  assert.notEqual(found.length, 0, `${folder} holds no *${ending}`);
  return found.sort();
};

for (const name of files("golden/", ".script")) {
  test(`script ${name} gives the native bytes`, () => {
    const script = read(`golden/${name}`);
    assert.equal(engine.runScript(script), script);
  });
}

const cases = files("cases/", ".json");

for (const name of cases) {
  test(`case ${name} gives the native bytes`, () => {
    const answer = read(`cases/answers/${name.replace(/json$/, "txt")}`);
    assert.equal(engine.runCase(read(`cases/${name}`)), answer);
  });
}

test("every recorded answer belongs to a case", () => {
  assert.deepEqual(files("cases/answers/", ".txt"), cases.map((name) => name.replace(/json$/, "txt")));
});

test("a script whose output is not what came of it is noticed", () => {
  const [name] = files("golden/", ".script");
  const script = read(`golden/${name}`).replace("RCU, P0", "RCU, P1");
  assert.match(script, /RCU, P1/);
  assert.notEqual(engine.runScript(script), script);
});

const hotKey = () => JSON.parse(readFileSync(new URL("../../public/scenes/hot-key.json", import.meta.url), "utf8"));

test("the class answers requests, moves the clock and tells how a table stands", () => {
  const session = new engine.Session(hotKey());
  assert.deepEqual(session.advance(2000), { events: 10_000, reached: true, now: 2_000_000 });
  const seen = session.telemetry("jobs");
  assert.equal(seen.consumed.writes, 1000);
  assert.equal(seen.consumed.refused_writes, 4000);
  assert.equal(session.telemetry("jobs", "nothing"), null);

  const key = { status: { S: "DONE" }, jobId: { S: "1" } };
  const put = session.send("PutItem", { TableName: "jobs", Item: { ...key, tries: { N: "12345678901234567890" } } });
  assert.equal(put.status, 200);
  // A hash has more digits than a JavaScript number.
  assert.match(put.trace.routes[0].hash, /^\d{17,20}$/);
  const got = session.send("GetItem", { TableName: "jobs", Key: key });
  assert.deepEqual(got.body, { Item: { ...key, tries: { N: "12345678901234567890" } } });

  const refused = session.send("PutItem", { TableName: "jobs", Item: { ...key, status: { S: "PENDING" } } });
  assert.equal(refused.status, 400);
  assert.equal(refused.body.ThrottlingReasons[0].reason, "TableWriteKeyRangeThroughputExceeded");
  const unknown = session.send("DropTable", {});
  assert.equal(unknown.body.__type, "com.amazon.coral.service#UnknownOperationException");
  assert.deepEqual(
    session.recording().journal.map((command) => Object.keys(command)[0]),
    ["advance", "send", "send", "send"],
  );
});

test("the clock may be moved in slices of any length", () => {
  const whole = new engine.Session(hotKey());
  whole.advance(1234);
  const sliced = new engine.Session(hotKey());
  for (const slice of [0, 1, 0.5, 332.5, 900]) {
    sliced.advance(slice);
  }
  assert.deepEqual(sliced.telemetry("jobs"), whole.telemetry("jobs"));
  assert.deepEqual(sliced.recording(), whole.recording());
});

test("arguments that are not what they should be are thrown back", () => {
  assert.throws(() => new engine.Session({ version: 99 }), /version 99/);
  const session = new engine.Session();
  assert.throws(() => session.advance(-1), /milliseconds/);
  assert.throws(() => session.advance(Number.NaN), /milliseconds/);
  assert.equal(session.send("PutItem", undefined).body.__type, "com.amazon.coral.service#SerializationException");
});
