/**
 * The console in Chromium: how soon a reader can use it and how soon the next page is painted, beside an empty page of
 * the same server; and what the page of events holds in memory when the log is large or the day is long.
 */
import { type BenchOptions, type Figure, note, REPEATS, round } from "../harness.ts";
import { type Closers, closeAll } from "../throwaway.ts";
import { measureDay, measureHeap } from "./memory.ts";
import { aPage, openScene, type Scene } from "./scene.ts";

export async function benchConsole(options: BenchOptions): Promise<Figure[]> {
  const closers: Closers = [];
  try {
    const scene = await openScene(closers);
    const repeats = options.repeats ?? (options.quick ? 2 : REPEATS);
    return [
      ...(await measureTimes(scene, repeats)),
      await measureDay(scene, options.quick === true),
      ...(await measureHeap(scene, options.quick === true)),
    ];
  } finally {
    await closeAll(closers);
  }
}

/** With an empty cache each time; the ways take turns. */
async function measureTimes(scene: Scene, repeats: number): Promise<Figure[]> {
  const times = { empty: [] as number[], first: [] as number[], next: [] as number[] };
  for (let repeat = -1; repeat < repeats; repeat++) {
    const empty = await emptyPage(scene);
    const { first, next } = await consolePage(scene);
    if (repeat < 0) continue;
    times.empty.push(empty);
    times.first.push(first);
    times.next.push(next);
    note(`  ${repeat + 1}/${repeats} empty ${ms(empty)}, first ${ms(first)}, next ${ms(next)}`);
  }
  const figure = (name: string, mine: readonly number[]): Figure => ({
    ...{ bench: "console", case: name, unit: "ms", floor: null, holds: true },
    ours: round(median(mine), 0),
    against: "an empty page of the same server",
    theirs: round(median(times.empty), 0),
    ratio: round(median(mine) / median(times.empty), 2),
    spread: round((Math.max(...mine) - Math.min(...mine)) / median(mine), 2),
  });
  return [
    figure("time to interactive, overview", times.first),
    figure("paint after a change of page", times.next),
  ];
}

async function emptyPage(scene: Scene): Promise<number> {
  const page = await aPage(scene);
  await page.goto(`${scene.url}/healthz`);
  const took = await page.evaluate("untilPainted(0, () => document.readyState === 'complete')");
  await page.context().close();
  return Number(took);
}

async function consolePage(scene: Scene): Promise<{ first: number; next: number }> {
  const page = await aPage(scene);
  await page.goto(scene.url);
  const first = await page.evaluate(
    "untilPainted(0, () => document.querySelector('main h2') && !document.querySelector('main [aria-busy]'))",
  );
  const next = await page.evaluate(`(() => {
    const link = [...document.querySelectorAll("nav a")].find((each) => each.textContent.includes("Events"));
    const start = performance.now();
    link.click();
    return untilPainted(start, () => document.querySelector("h1")?.textContent === "Events");
  })()`);
  await page.context().close();
  return { first: Number(first), next: Number(next) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

const ms = (value: number): string => `${Math.round(value)} ms`;
