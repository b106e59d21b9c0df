/**
 * Removes every check of the token door, the webhooks, the filing walk and the routing of trades, one at a time: what it
 * would have thrown, returned or counted as a doubt does not happen, or a part of a condition does not count. Each removal
 * must make a test fail.
 *
 * One copy of the sources has a switch for each refusal, so that nothing is transformed twice. A first run notes which
 * tests reach which refusal; each removal is then tried on those only, two at a time, until one of them fails.
 * `--sample N` tries N removals, spread over all; `--match TEXT` those whose name contains it; `--list` only names them.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBench, ROOT, sampleOf } from "./mutants/bench.js";
import { findRefusals, withSwitches } from "./mutants/find-refusals.js";
import { startWarmTests } from "./mutants/start-warm-tests.js";

/** Tests that take longer are tried after the others. */
const SLOW_MS = 1_500;

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
        "flows/documents/find-original",
      ],
      ...["container", "content", "drive-path", "finish-filing", "original-mail"].map(
        (name) => `filing/${name}`,
      ),
      ...["from-mail/same-mail", "reserve-for-upload", "send-chunk", "settle-upload"].map(
        (name) => `filing/${name}`,
      ),
      "filing/upload-content",
    ].map((name) => `src/${name}.ts`),
    tests: [
      "src/intake/dataverse-webhook.test.ts",
      "src/intake/execution-context.test.ts",
      ...["container", "content", "drive-path", "original-mail", "from-mail/same-mail"].map(
        (name) => `src/filing/${name}.test.ts`,
      ),
      ...["taken-places", "upload", "session", "strangers", "mail", "mailbox", "faults"].map(
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
      ...["authenticate", "sender", "trust-sender"].map(
        (name) => `src/trades/senders/${name}.test.ts`,
      ),
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

/** What each test file does without any change: how long its tests take, and which refusals they reach. */
async function tryUnchanged(runners) {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const known = new Map();
  await inParallel(runners, files, async (runner, file) => {
    const started = performance.now();
    const result = await runner.run({ file, isNoted: true });
    if (!result?.passes)
      throw new Error(`${file} fails without any change: ${result?.errors.join("; ")}`);
    const testMs = new Map(result.tests.map(({ name, ms }) => [name, ms]));
    const all = [...testMs.values()].reduce((sum, ms) => sum + ms, 0);
    const startMs = Math.max(0, performance.now() - started - all);
    known.set(file, { testMs, startMs, reached: result.reached });
  });
  return known;
}

/** The runs that may notice, the quickest first: of each file only the tests that reach it, slow ones apart. */
function attemptsFor(refusal, known) {
  const attempts = [];
  for (const file of refusal.tests) {
    const { testMs, startMs, reached } = known.get(file);
    const hits = reached.filter(([id]) => id === refusal.id).map(([, name]) => name);
    if (hits.length === 0) continue;
    // Without the name of a test, it is reached by what prepares all of them.
    const all = hits.every((name) => testMs.has(name)) ? hits : [...testMs.keys()];
    const quick = all.filter((name) => testMs.get(name) <= SLOW_MS);
    for (const names of [quick, all.filter((name) => !quick.includes(name))]) {
      const ms = names.reduce((sum, name) => sum + testMs.get(name), startMs);
      if (names.length > 0) attempts.push({ file, names, ms });
    }
  }
  return attempts.sort((one, other) => one.ms - other.ms);
}

const aloneResults = new Map();
/** Whether a test passes alone without any change; some need what the tests before them did. */
async function passesAlone(runner, file, names) {
  const key = JSON.stringify([file, names]);
  const result = aloneResults.get(key) ?? runner.run({ file, names });
  aloneResults.set(key, result);
  return (await result)?.passes === true;
}

async function isNoticed(runner, refusal, attempts) {
  for (const { file, names } of attempts) {
    const result = await runner.run({ file, names, off: refusal.id });
    if (result === null) return true;
    if (result.passes && result.tests.length !== names.length)
      throw new Error(`${file}: ${result.tests.length} of ${names.length} tests ran`);
    if (result.passes) continue;
    const failed = result.failed.slice(0, 1);
    if (await passesAlone(runner, file, failed.length > 0 ? failed : names)) return true;
    const whole = await runner.run({ file, off: refusal.id });
    if (!whole?.passes) return true;
  }
  return false;
}

/** Each runner takes the next as soon as it is free. */
async function inParallel(runners, items, work) {
  const queue = [...items];
  await Promise.all(
    runners.map(async (runner) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift())
        await work(runner, item);
    }),
  );
}

async function putSwitches(folder) {
  for (const file of new Set(chosen.map((refusal) => refusal.file))) {
    const own = chosen.filter((refusal) => refusal.file === file);
    await writeFile(
      join(folder, file),
      withSwitches(await readFile(join(folder, file), "utf8"), own),
    );
  }
}

const started = performance.now();
const minutes = () => ((performance.now() - started) / 60_000).toFixed(1);
const bench = await openBench();
const survivors = [];
const runners = [];
try {
  await putSwitches(bench.folder);
  for (const name of ["one", "other"]) runners.push(await startWarmTests(bench, name));
  const known = await tryUnchanged(runners);
  console.log(`the tests pass with all switches on, after ${minutes()} minutes`);
  await inParallel(runners, chosen, async (runner, refusal) => {
    const attempts = attemptsFor(refusal, known);
    const noticed = await isNoticed(runner, refusal, attempts);
    if (!noticed) survivors.push(refusal);
    const how = noticed ? "noticed" : attempts.length === 0 ? "NOT REACHED" : "SURVIVED";
    console.log(`${how}  ${nameOf(refusal)}`);
  });
} finally {
  for (const runner of runners) await runner.close();
  await bench.close();
}
console.log(
  `${chosen.length - survivors.length} of ${chosen.length} removed refusals noticed in ${minutes()} minutes`,
);
process.exitCode = survivors.length === 0 ? 0 : 1;
