/**
 * What all benchmarks share. Different ways to do the same work take turns (A B C A B C …), so that other load on
 * the machine affects all of them equally; only ratios within one run are meaningful.
 */

export interface BenchOptions {
  /** Takes seconds instead of minutes: shows that it works, but says nothing about speed. */
  readonly quick?: boolean;
  /** Uses the largest sizes, if a benchmark has them. */
  readonly full?: boolean;
  readonly repeats?: number;
}

/** One line of the output. */
export interface Figure {
  readonly bench: string;
  readonly case: string;
  readonly ours: number;
  readonly unit: string;
  /** What it is compared with; null if the figure has its own limit. */
  readonly against: string | null;
  readonly theirs: number | null;
  readonly ratio: number | null;
  /** How much our repeats differ: (largest - smallest) / median. */
  readonly spread: number | null;
  /** The ratio that must be reached; for figures without a comparison, `ours` itself. */
  readonly floor: number | null;
  /** True if `ours` must stay below `floor`: waits, memory. */
  readonly isLimit?: boolean;
  readonly aim?: number | null;
  readonly holds: boolean;
  /** Processor time of our process and its database, for each item. */
  readonly cpuUsPerItem?: number | null;
  readonly peakRssMb?: number | null;
  readonly note?: string;
}

/** One measured repeat. */
export interface Run {
  readonly items: number;
  readonly seconds: number;
  readonly cpuMs?: number;
  readonly peakRssMb?: number;
}

export interface Way {
  readonly name: string;
  run(isWarmUp: boolean): Promise<Run>;
}

/** All repeats of one way. */
export interface Measured {
  /** Items a second, the median. */
  readonly rate: number;
  readonly spread: number;
  readonly cpuUsPerItem: number | null;
  readonly peakRssMb: number | null;
}

export const REPEATS = 5;

/** Runs each way once to warm up, and then all of them in turns. */
export async function takeTurns<Name extends string>(
  ways: readonly (Way & { readonly name: Name })[],
  repeats: number,
): Promise<Record<Name, Measured>> {
  const runs = new Map<Name, Run[]>(ways.map((way) => [way.name, []]));
  for (const way of ways) await way.run(true);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const way of ways) {
      const run = await way.run(false);
      runs.get(way.name)!.push(run);
      note(`  ${repeat + 1}/${repeats} ${way.name}: ${describeRun(run)}`);
    }
  }
  return Object.fromEntries([...runs].map(([name, ofWay]) => [name, summarize(ofWay)])) as Record<
    Name,
    Measured
  >;
}

export function summarize(runs: readonly Run[]): Measured {
  const rates = runs.map((run) => run.items / run.seconds);
  const cpu = runs.flatMap((run) =>
    run.cpuMs === undefined ? [] : [(run.cpuMs * 1_000) / run.items],
  );
  const rss = runs.flatMap((run) => run.peakRssMb ?? []);
  return {
    rate: median(rates),
    spread: spreadOf(rates),
    cpuUsPerItem: cpu.length === 0 ? null : round(median(cpu), 1),
    peakRssMb: rss.length === 0 ? null : Math.round(Math.max(...rss)),
  };
}

export interface Comparing {
  readonly bench: string;
  readonly case: string;
  readonly unit: string;
  readonly ours: Measured;
  readonly against: string;
  readonly theirs: Measured;
  readonly floor: number;
  readonly aim: number;
  readonly note?: string;
}

export function compare(of: Comparing): Figure {
  const ratio = of.ours.rate / of.theirs.rate;
  return {
    bench: of.bench,
    case: of.case,
    ours: Math.round(of.ours.rate),
    unit: of.unit,
    against: of.against,
    theirs: Math.round(of.theirs.rate),
    ratio: round(ratio, 2),
    spread: round(of.ours.spread, 2),
    floor: of.floor,
    aim: of.aim,
    holds: ratio >= of.floor,
    cpuUsPerItem: of.ours.cpuUsPerItem,
    peakRssMb: of.ours.peakRssMb,
    ...(of.note === undefined ? {} : { note: of.note }),
  };
}

/** A figure that has to stay below a limit. */
export function limited(of: {
  bench: string;
  case: string;
  unit: string;
  ours: number;
  limit: number;
  aim?: number;
  note?: string;
}): Figure {
  const { limit, aim, note: remark, ...rest } = of;
  return {
    ...rest,
    ours: round(of.ours, 1),
    against: null,
    theirs: null,
    ratio: null,
    spread: null,
    floor: limit,
    isLimit: true,
    aim: aim ?? null,
    holds: of.ours < limit,
    ...(remark === undefined ? {} : { note: remark }),
  };
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

export function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Prints progress for people; only the figures go to standard output. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

function spreadOf(values: readonly number[]): number {
  return (Math.max(...values) - Math.min(...values)) / median(values);
}

function describeRun(run: Run): string {
  const rate = Math.round(run.items / run.seconds).toLocaleString("en");
  const cpu =
    run.cpuMs === undefined ? "" : `, ${round((run.cpuMs * 1_000) / run.items, 1)} µs each`;
  const rss = run.peakRssMb === undefined ? "" : `, ${Math.round(run.peakRssMb)} MB`;
  return `${rate}/s${cpu}${rss}`;
}
