import type { Step } from "./plan.ts";
import { type SimOptions, type Stage, simulate } from "./simulate.ts";

/** The numbers of the steps that are enough to fail, found by leaving out as many as possible. */
export async function shrink(
  stage: Stage,
  seed: number,
  plan: readonly Step[],
  options: SimOptions = {},
): Promise<number[]> {
  let kept = plan.map((_, index) => index);
  for (let size = Math.ceil(kept.length / 2); size >= 1; ) {
    const smaller = await withoutSome(stage, seed, plan, kept, size, options);
    if (smaller === null) size = size === 1 ? 0 : Math.ceil(size / 2);
    else kept = smaller;
  }
  return kept;
}

async function withoutSome(
  stage: Stage,
  seed: number,
  plan: readonly Step[],
  kept: readonly number[],
  size: number,
  options: SimOptions,
): Promise<number[] | null> {
  for (let from = 0; from < kept.length; from += size) {
    const tried = [...kept.slice(0, from), ...kept.slice(from + size)];
    const { problems } = await simulate(stage, seed, pick(plan, tried), options);
    if (problems.length > 0) return tried;
  }
  return null;
}

export function pick(plan: readonly Step[], numbers: readonly number[]): Step[] {
  return numbers.map((number) => plan[number]!).filter((step) => step !== undefined);
}

/** What to type to see a failure again. */
export function reproCommand(seed: number, numbers: readonly number[]): string {
  return `npm run repro -- --seed ${seed} --only ${numbers.join(",")}`;
}
