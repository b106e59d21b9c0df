/** Where SQL may be: each table has one file that writes it, and few other files read across tables. */
import { importsOf, isTest, type Source, withoutComments } from "./sources.ts";

/** They read across tables to explain, measure, prove or decide what is erased, and write nothing. */
export const READERS: readonly string[] = [
  "src/flows/ingestion/gather-evidence.ts",
  "src/ingestion/ingestion-view.ts",
  "src/jobs/status/worker-views.ts",
  "src/jobs/worker/metrics.ts",
  "src/keep/erasing/find-kept.ts",
  "src/keep/erasing/scope.ts",
  "src/mailbox/events/event-statistics.ts",
  "src/mailbox/operating/mailbox-metrics.ts",
  "src/mailbox/operating/trace-mail.ts",
  "src/trades/count-notes.ts",
  "src/trades/drift/decided-documents.ts",
  "src/trades/drift/sender-yield.ts",
  "src/trades/trace-trades.ts",
];

/**
 * They write a table whose name is filled in: the shared table, a table that holds leases, whichever table is restored.
 * Nobody else may, because such a name does not say which table it is.
 */
export const FILL_IN_NAMES: readonly string[] = [
  "src/ingestion/ingestion-table.ts",
  "src/keep/dump-table.ts",
  "src/store/lease.ts",
];

/** `schema.table`, `${schema}.table`, `${table.name}`; a bare name only where SQL can mean nothing else. */
const NAME = String.raw`((?:"?\w+"?|\$\{[^}]+\})\."?\w+"?|\$\{[^}]+\})`;
const WRITE = new RegExp(
  String.raw`\b(?:INSERT\s+INTO|(?<!FOR\s|DO\s|BEFORE\s|AFTER\s|KEY\s)UPDATE(?:\s+ONLY)?|DELETE\s+FROM(?:\s+ONLY)?|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+${NAME}`,
  "gi",
);
const BARE_WRITE =
  /\b(?:INSERT\s+INTO|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE\s+TABLE)\s+"?([a-z_]+)"?(?=[\s(;`"]|$)/g;
const READ = /\b(?:SELECT\b[\s\S]*?\bFROM|JOIN)\s+(?:\w+\.\w+|\$\{|\()|\bSELECT\s+\w+\.\w+\(/;

/** Names of the tables that the text writes. */
function tablesWrittenIn(text: string): string[] {
  const names = [...text.matchAll(WRITE), ...text.matchAll(BARE_WRITE)].map((match) =>
    match[1]!.replaceAll('"', "").toLowerCase(),
  );
  return [...new Set(names)];
}

const isRelevant = (source: Source) => source.path.startsWith("src/") && !isTest(source.path);

/** Tables that several files write. */
export function sharedTables(sources: readonly Source[]): string[] {
  const writers = new Map<string, string[]>();
  for (const { path, text } of sources.filter(isRelevant)) {
    for (const table of tablesWrittenIn(withoutComments(text)))
      writers.set(table, [...(writers.get(table) ?? []), path]);
  }
  return [...writers]
    .filter(([, paths]) => paths.length > 1)
    .map(([table, paths]) => `${table} is written by ${paths.join(", ")}`);
}

/** Files that write a table whose name is filled in, and could be a second writer unseen. */
export function hiddenTables(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => isRelevant(source) && !FILL_IN_NAMES.includes(source.path))
    .flatMap((source) =>
      tablesWrittenIn(withoutComments(source.text))
        .filter((table) => table.includes("${"))
        .map((table) => `${source.path} writes ${table}: name the table`),
    );
}

const statementsOf = (source: Source): string[] =>
  withoutComments(source.text).match(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g) ?? [];

/** Statements whose text other programs run too, and the one file that runs them here. */
const AGREED = { text: "src/ingestion/shared-table.ts", runs: "src/ingestion/ingestion-table.ts" };

/** A second file with the agreed text would be a second writer of the shared table. */
export function strayAgreedText(sources: readonly Source[]): string[] {
  return sources
    .filter((source) => isRelevant(source) && source.path !== AGREED.runs)
    .filter((source) => importsOf(source).some(({ target }) => target === AGREED.text))
    .map((source) => `${source.path} imports ${AGREED.text}: use ${AGREED.runs}`);
}

/** PostgreSQL refuses some text that JSON can write; `toJson` makes it storable. */
export function unstorableJson(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => path.endsWith("-table.ts"))
    .filter(({ text }) => withoutComments(text).includes("JSON.stringify"))
    .map(({ path }) => `${path} calls JSON.stringify: use toJson`);
}

/** SQL outside the tables and the listed files, and listed readers that write. */
export function straySql(
  sources: readonly Source[],
  readers: readonly string[] = READERS,
): string[] {
  const known = new Set(sources.map((source) => source.path));
  const gone = readers.filter((path) => !known.has(path)).map((path) => `${path} is not there`);
  const wrong = sources.filter(isRelevant).flatMap((source) => {
    const writes = statementsOf(source).flatMap(tablesWrittenIn);
    if (readers.includes(source.path))
      return writes.map((table) => `${source.path} is listed as a reader and writes ${table}`);
    if (isHomeOfSql(source.path)) return [];
    const hasSql = writes.length > 0 || statementsOf(source).some((text) => READ.test(text));
    return hasSql ? [`${source.path} has SQL: move it to a *-table.ts`] : [];
  });
  return [...gone, ...wrong];
}

/** The store's mechanisms (migrations, leases, time) do not know the product's tables. */
const isHomeOfSql = (path: string): boolean =>
  path.endsWith("-table.ts") || path.startsWith("src/store/");
