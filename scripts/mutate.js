/**
 * Breaks the claim code on purpose, one small change at a time, and counts how many of the changes the
 * claim tests notice. Works on a copy, against one PostgreSQL. `--sample N` tries N changes, `--match TEXT`
 * those whose name contains it, `--list` only names them, `--at LEAST` sets the share that must be noticed
 * (default 0.9).
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openBench, ROOT, sampleOf } from "./mutants/bench.js";

const TARGETS = [
  ...["claim-mail", "finish-mail", "keep-claims", "lease-table", "ingestion-table", "guard"].map(
    (n) => `src/ingestion/${n}.ts`,
  ),
  "src/store/lease.ts",
  "src/store/keep-lease.ts",
];
const TESTS = [
  ...["statements", "claim", "finish", "guard", "keep-claims"].map(
    (n) => `test/claims/${n}.test.ts`,
  ),
  "src/store/lease.test.ts",
];

const { values: options } = parseArgs({
  options: {
    sample: { type: "string" },
    match: { type: "string", multiple: true },
    list: { type: "boolean" },
    at: { type: "string", default: "0.9" },
  },
});

/** Patterns and their replacements; each match is a separate mutant. */
const OPERATORS = [
  [/ === /g, " !== "],
  [/ !== /g, " === "],
  [/ > (?=[\d$a-z])/g, " < "],
  [/ <= /g, " > "],
  [/\btrue\b/g, "false"],
  [/\bfalse\b/g, "true"],
  // A connection runs its queries in order, so an await matters only if its result is used.
  [/(?<== |\(|!)await (?=[a-z])/g, ""],
  [/ && /g, " || "],
  [/ \?\? /g, " && "],
  [/if \((?!!)/g, "if (!"],
  [/if \(!(?=[(a-z])/g, "if (("],
  [/throw new/g, "void new"],
  [/ \+ /g, " - "],
  [/ \/ 3/g, " * 3"],
  [/\b(\d[\d_]*)(?=[,;)\s])/g, (n) => String(Number(n.replaceAll("_", "")) + 1)],
  // The same in SQL.
  [/ AND /g, " OR "],
  [/ NOT /g, " "],
  [/ FOR UPDATE/g, ""],
  [/ = (?=\$\d)/g, " <> "],
  [/ = (?=')/g, " <> "],
  [/'processing'/g, "'failed'"],
  [/'success'/g, "'failed'"],
  [/'failed'/g, "'skipped'"],
  [/'skipped'/g, "'failed'"],
  [/nextval\('postroom\.ingest_token'\)/g, "l.token"],
  [/next_attempt_at = NULL/g, "next_attempt_at = next_attempt_at"],
  [/DELETE FROM (?=postroom)/g, "SELECT FROM "],
];

function mutantsOf(file, source) {
  const mutants = [];
  for (const [pattern, change] of OPERATORS) {
    for (const match of source.matchAll(pattern)) {
      if (isInert(source, match.index)) continue;
      const put = typeof change === "string" ? change : change(match[0]);
      const end = match.index + match[0].length;
      let text = source.slice(0, match.index) + put + source.slice(end);
      if (put === "if ((") text = closeBracket(text, match.index + put.length);
      const line = source.slice(0, match.index).split("\n").length;
      mutants.push({ file, line, what: `${match[0].trim()} → ${put.trim() || "nothing"}`, text });
    }
  }
  return mutants;
}

/** Comments, imports and types have no effect at run time. */
function isInert(source, at) {
  const line = source.slice(source.lastIndexOf("\n", at) + 1, source.indexOf("\n", at)).trim();
  return /^(\*|\/|\||import|export type|readonly)/.test(line);
}

/** `if (!x)` became `if ((x)`: closes the additional bracket at the end of the line. */
function closeBracket(text, from) {
  const end = text.indexOf("\n", from);
  const last = text.lastIndexOf(")", end);
  const at = text.slice(from, end).includes(") ") ? text.indexOf(") ", from) : last;
  return `${text.slice(0, at)})${text.slice(at)}`;
}

const all = [];
for (const file of TARGETS) {
  all.push(...mutantsOf(file, await readFile(join(ROOT, file), "utf8")));
}
const nameOf = ({ file, line, what }) => `${file}:${line}  ${what}`;
const matching = all.filter(
  (mutant) => options.match?.some((text) => nameOf(mutant).includes(text)) ?? true,
);
const chosen = options.sample === undefined ? matching : sampleOf(matching, Number(options.sample));
if (options.list) {
  for (const mutant of chosen) console.log(nameOf(mutant));
  console.log(`${chosen.length} mutants`);
  process.exit(0);
}

const bench = await openBench();
const survivors = [];
try {
  if (!(await bench.testsPass(TESTS))) throw new Error("the tests fail without any change");
  for (const [n, mutant] of chosen.entries()) {
    const path = join(bench.folder, mutant.file);
    const original = await readFile(path, "utf8");
    await writeFile(path, mutant.text);
    const survived = await bench.testsPass(TESTS);
    await writeFile(path, original);
    if (survived) survivors.push(mutant);
    const sign = survived ? "SURVIVED" : "noticed";
    console.log(`${n + 1}/${chosen.length} ${sign}  ${nameOf(mutant)}`);
  }
} finally {
  await bench.close();
}
const share = 1 - survivors.length / chosen.length;
console.log(
  `${chosen.length - survivors.length} of ${chosen.length} noticed: ${(share * 100).toFixed(1)} %`,
);
process.exitCode = share >= Number(options.at) ? 0 : 1;
