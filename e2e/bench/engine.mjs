// How many generated requests a second the engine answers as WebAssembly, under Node: the same loads as in
// engine/benches, over 64 partitions or so many as a line says. Measures, does not judge: a million a second is wanted
// of the first two. `cargo xtask test --only wasm` builds what is measured.
import { createRequire } from "node:module";

const engine = createRequire(import.meta.url)("../../target/js/dynascope_engine.js");

const hash = (name) => [{ AttributeName: name, KeyType: "HASH" }];
const index = (name, key, projection) => ({
  IndexName: name,
  KeySchema: hash(key),
  Projection: { ProjectionType: projection },
  WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 64_000 },
});

const table = (partitions, indexes) => ({
  TableName: "wide",
  BillingMode: "PAY_PER_REQUEST",
  AttributeDefinitions: ["pk", ...indexes.map((each) => each.KeySchema[0].AttributeName)].map((name) => ({
    AttributeName: name,
    AttributeType: "S",
  })),
  KeySchema: hash("pk"),
  WarmThroughput: { ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: partitions * 1000 },
  ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes }),
});

const both = [index("byOwner", "owner", "ALL"), index("byState", "state", "KEYS_ONLY")];
const attributes = { owner: "o{0..99}", state: "s{hash 0..99 of {0..999}}" };
const loads = [
  ["repeating keys", 64, [], { key: "key#{0..999}" }],
  ["random keys", 64, [], { key: "key#{random 0..99999}" }],
  ["at random moments", 64, [], { key: "key#{0..999}", arrivals: "poisson" }],
  ["two indexes", 64, both, { key: "key#{0..999}", attributes }],
  ["ten million keys", 4, [], { key: "{random 0..9999999}" }],
  ["ten million keys", 64, [], { key: "{random 0..9999999}" }],
  ["ten million keys", 1000, [], { key: "{random 0..9999999}" }],
];

for (const [name, partitions, indexes, stream] of loads) {
  const rate = Math.min(partitions * 400, 30_000);
  const session = new engine.Session({
    version: 1,
    tables: [{ create: table(partitions, indexes) }],
    traffic: [{ table: "wide", item_bytes: 100, rate_per_second: rate, ...stream }],
  });
  const speeds = [];
  for (let run = 0; run < 6; run += 1) {
    const begun = performance.now();
    const { events } = session.advance((1000 * 500_000) / rate);
    speeds.push(events / (performance.now() - begun) / 1000);
  }
  // The first run warms up.
  const [best] = speeds.slice(1).sort((a, b) => b - a);
  console.log(`${name}, ${partitions} partitions: ${best.toFixed(2)} million requests a second`);
}
