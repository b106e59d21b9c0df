/**
 * `npm run bench` runs every benchmark, `npm run bench -- intake events` some of them.
 *
 *   --quick      seconds instead of minutes; shows that they work, without judging the figures
 *   --full       the largest sizes
 *   --repeats n  how often each way is measured (5, at least 5 for figures to be published)
 *   --json       one JSON line for each comparison on the standard output
 *   --list       the names
 *
 * BENCH_PROFILE=folder leaves a processor profile of each child process there.
 *
 * The table in docs/performance.md is made from such lines:
 *   npm run --silent bench -- --json > run.jsonl && node --import tsx bench/report.ts run.jsonl
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { type BenchOptions, type Figure, note, REPEATS, round } from "./harness.ts";
import { toTable } from "./report.ts";

const BENCHES: Record<string, (options: BenchOptions) => Promise<Given[]>> = {
  intake: async (options) => (await import("./intake.ts")).benchIntake(options),
  events: async (options) => (await import("./events.ts")).benchEvents(options),
  delta: async (options) => (await import("./delta.ts")).benchDelta(options),
  jobs: async (options) => (await import("./jobs.ts")).benchJobs(options),
  extract: async (options) => (await import("./extract.ts")).benchExtract(options),
  pdf: async (options) => (await import("./pdf.ts")).benchPdf(options),
  tenant: async (options) => (await import("./tenant.ts")).benchTenant(options),
  console: async (options) => (await import("./console/console.ts")).benchConsole(options),
  search: async (options) => (await import("./search.ts")).benchSearch(options),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: "boolean", default: false },
    full: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    repeats: { type: "string" },
  },
});
const known = Object.keys(BENCHES);
const unknown = positionals.filter((name) => !known.includes(name));
if (values.list) {
  console.log(known.join("\n"));
} else if (unknown.length > 0) {
  console.error(`no benchmark is called ${unknown.join(", ")}; there are ${known.join(", ")}`);
  process.exitCode = 2;
} else {
  await runAll(positionals.length > 0 ? positionals : known);
}

async function runAll(names: readonly string[]): Promise<void> {
  const repeats = values.repeats === undefined ? undefined : Number(values.repeats);
  const options: BenchOptions = {
    quick: values.quick,
    full: values.full,
    ...(repeats === undefined ? {} : { repeats }),
  };
  const figures: Figure[] = [];
  for (const name of names) {
    const load = loadavg()[0]!.toFixed(1);
    note(`${name} (${repeats ?? (options.quick ? "few" : REPEATS)} repeats, load ${load} before)`);
    for (const figure of await runOrReport(name, options)) {
      figures.push(figure);
      if (values.json) console.log(JSON.stringify({ ...figure, ...machine(load) }));
    }
  }
  if (!values.json) console.log([toTable(figures), ...notesOf(figures)].join("\n"));
  const missed = figures.filter((figure) => !figure.holds);
  if (missed.length > 0 && !values.quick) process.exitCode = 1;
}

/** What the table has no column for. */
function notesOf(figures: readonly Figure[]): string[] {
  return figures.flatMap((figure) =>
    figure.note === undefined ? [] : [`${figure.bench}, ${figure.case}: ${figure.note}`],
  );
}

/** The load before the benchmark began shows what else was running. */
function machine(load: string): object {
  return { load: Number(load), cores: cpus().length, node: process.version, quick: values.quick };
}

/** One failing benchmark does not affect the figures of the others. */
async function runOrReport(name: string, options: BenchOptions): Promise<Figure[]> {
  try {
    return (await BENCHES[name]!(options)).map(toFigure);
  } catch (error) {
    console.error(`${name} failed:`, error);
    process.exitCode = 1;
    return [];
  }
}

type Given = Partial<Figure> & { peakChildMiB?: number };

/** Benchmarks without a comparison omit its fields. */
function toFigure({ peakChildMiB, ...given }: Given): Figure {
  return {
    bench: "",
    case: "",
    unit: "1/s",
    against: null,
    theirs: null,
    ratio: null,
    floor: null,
    holds: true,
    ...given,
    ours: round(given.ours!, given.ours! < 100 ? 1 : 0),
    spread: given.spread == null ? null : round(given.spread, 2),
    peakRssMb: given.peakRssMb ?? peakChildMiB ?? null,
  };
}
