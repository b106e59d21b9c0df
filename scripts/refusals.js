/**
 * Removes every refusal of the token door, the webhooks, the filing walk and the routing of trades, one at a time: what
 * it would have thrown, returned or counted as a doubt does not happen. Each removal must make a test fail.
 *
 * A first run notes which test files reach which refusal; each removal is then tried on those only, two at a time.
 * `--sample N` tries N removals, spread over all; `--match TEXT` those whose name contains it; `--list` only names them.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBench, ROOT, sampleOf } from "./mutants/bench.js";
import { findRefusals } from "./mutants/find-refusals.js";

/** Each door with the quickest tests that knock on it. */
const DOORS = [
  {
    targets: ["src/api/access/auth.ts", "src/api/access/access.ts"],
    tests: ["src/api/access/auth.test.ts", "src/api/access/access.test.ts"],
  },
  {
    targets: [
      ...["graph-notifications", "handshake", "find-genuine", "read-notifications"],
      ...["open-content", "receive-content", "validation-tokens"],
    ].map((name) => `src/intake/${name}.ts`),
    tests: [
      ...["read-notifications", "open-content", "validation-tokens"].map(
        (name) => `src/intake/${name}.test.ts`,
      ),
      "src/intake/graph-notifications.test.ts",
      "src/intake/receive-content.test.ts",
      "test/watching/content.test.ts",
      "test/watching/gate.test.ts",
    ],
  },
  {
    targets: [
      ...[
        "intake/dataverse-webhook",
        "intake/execution-context",
        "flows/documents/upload-document",
      ],
      ...["container", "content", "finish-filing", "original-mail", "reserve-for-upload"].map(
        (name) => `filing/${name}`,
      ),
      ...["send-chunk", "settle-upload", "upload-content"].map((name) => `filing/${name}`),
    ].map((name) => `src/${name}.ts`),
    tests: [
      "src/intake/dataverse-webhook.test.ts",
      "src/intake/execution-context.test.ts",
      ...["container", "content", "original-mail"].map((name) => `src/filing/${name}.test.ts`),
      ...["taken-places", "upload", "session", "strangers", "mail", "faults"].map(
        (name) => `test/documents/${name}.test.ts`,
      ),
    ],
  },
  {
    targets: [
      ...["judge-trade", "match-trader", "place-trade-line", "route-trade-line"].map(
        (name) => `src/trades/routing/${name}.ts`,
      ),
      ...["authenticate", "sender", "trust-sender"].map((name) => `src/trades/senders/${name}.ts`),
      "src/trades/answers/approve-and-confirm.ts",
    ],
    tests: [
      ...["judge-trade", "match-trader", "place-trade-line"].map(
        (name) => `src/trades/routing/${name}.test.ts`,
      ),
      ...["authenticate", "sender"].map((name) => `src/trades/senders/${name}.test.ts`),
      "test/trades/routing.test.ts",
      "test/trades/trust.test.ts",
    ],
  },
];

const { values: options } = parseArgs({
  options: {
    sample: { type: "string" },
    match: { type: "string", multiple: true },
    list: { type: "boolean" },
  },
});

const nameOf = ({ file, line, what }) => `${file}:${line}  ${what}`;
const refusals = [];
for (const { targets, tests } of DOORS) {
  for (const file of targets) {
    const found = findRefusals(await readFile(join(ROOT, file), "utf8"));
    refusals.push(...found.map((refusal) => ({ file, tests, ...refusal })));
  }
}
for (const [id, refusal] of refusals.entries()) refusal.id = id;
const matching = refusals.filter(
  (refusal) => options.match?.some((text) => nameOf(refusal).includes(text)) ?? true,
);
const chosen = options.sample === undefined ? matching : sampleOf(matching, Number(options.sample));
if (options.list) {
  for (const refusal of chosen) console.log(nameOf(refusal));
  console.log(`${chosen.length} refusals`);
  process.exit(0);
}

/** Which test files reach which refusal, by its id. */
async function findReach(bench) {
  const hits = join(bench.folder, "hits");
  await writeFile(hits, "");
  const idOf = new Map(chosen.flatMap(({ id, marks }) => marks.map((mark) => [mark, id])));
  const originals = new Map();
  for (const file of new Set(chosen.map((refusal) => refusal.file))) {
    const original = await readFile(join(bench.folder, file), "utf8");
    originals.set(file, original);
    const marks = chosen.filter((refusal) => refusal.file === file).flatMap(({ marks }) => marks);
    // From the end, so that the places before stay true.
    let text = original;
    for (const mark of marks.sort((one, other) => other.at - one.at))
      text = text.slice(0, mark.at) + mark.text(idOf.get(mark)) + text.slice(mark.at + mark.skip);
    await writeFile(join(bench.folder, file), text);
  }
  const passed = await bench.testsPass([...new Set(chosen.flatMap(({ tests }) => tests))], hits);
  for (const [file, original] of originals) await writeFile(join(bench.folder, file), original);
  if (!passed) throw new Error("the tests fail without any change");
  const reach = new Map();
  for (const line of new Set((await readFile(hits, "utf8")).split("\n").filter(Boolean))) {
    const [id, test] = JSON.parse(line);
    reach.set(id, [...(reach.get(id) ?? []), test]);
  }
  return reach;
}

/** The tests that reach it, the quickest files first. */
async function isNoticed(bench, refusal, reached) {
  for (const test of refusal.tests.filter((one) => reached.includes(one)))
    if (!(await bench.testsPass([test]))) return true;
  return false;
}

async function work(bench, queue, reach, survivors) {
  for (let refusal = queue.shift(); refusal !== undefined; refusal = queue.shift()) {
    const reached = reach.get(refusal.id) ?? [];
    const path = join(bench.folder, refusal.file);
    const original = await readFile(path, "utf8");
    await writeFile(path, refusal.text);
    const noticed = await isNoticed(bench, refusal, reached);
    await writeFile(path, original);
    if (!noticed) survivors.push(refusal);
    const how = noticed ? "noticed" : reached.length === 0 ? "NOT REACHED" : "SURVIVED";
    console.log(`${how}  ${nameOf(refusal)}`);
  }
}

const started = performance.now();
const benches = [await openBench(), await openBench()];
const survivors = [];
try {
  const reach = await findReach(benches[0]);
  const queue = [...chosen];
  await Promise.all(benches.map((bench) => work(bench, queue, reach, survivors)));
} finally {
  for (const bench of benches) await bench.close();
}
const minutes = ((performance.now() - started) / 60_000).toFixed(1);
console.log(
  `${chosen.length - survivors.length} of ${chosen.length} removed refusals noticed in ${minutes} minutes`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
