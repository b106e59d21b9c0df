/**
 * Logistic regression with prior expectations: every feature has an expected weight, the ridge penalty pulls
 * towards it, and a weight that would change its sign becomes zero. Uses standardised features and a fast
 * projected gradient, without randomness.
 */
export interface Sample {
  features: Readonly<Record<string, number>>;
  isTrue: boolean;
  weight: number;
}

/** Expected log odds that one unit of each feature adds; `bias` is the value without any feature. */
export type Expected = Readonly<Record<string, number>>;
export type Fitted = Record<string, number>;

const STEPS_MAX = 2_000;
const SMALL = 1e-6;
/** A weak penalty: the data alone decide how common right candidates are. */
const FREE = 0.02;

/**
 * Strength of the penalty, measured in standard deviations of each feature or in its own units; in own units,
 * rare features keep their expected weight.
 */
export interface Ridge {
  readonly strength: number;
  readonly in: "spreads" | "units";
}

export function fitLogistic(samples: readonly Sample[], expected: Expected, ridge: Ridge): Fitted {
  const names = Object.keys(expected).filter((name) => name !== "bias");
  const { z, mean, spread } = standardise(samples, names, ridge.in === "units");
  const y = samples.map((sample) => +sample.isTrue);
  const w = samples.map((sample) => sample.weight);
  const width = names.length + 1;
  const bound = 0.25 * largestCurvature(z, w, width) + ridge.strength;
  const opinion = Float64Array.from([
    names.reduce((sum, name, k) => sum + expected[name]! * mean[k]!, expected["bias"] ?? 0),
    ...names.map((name, k) => expected[name]! * spread[k]!),
  ]);
  const sign = [0, ...names.map((name) => Math.sign(expected[name]!))];
  let now = opinion.slice();
  let ahead = now.slice();
  let momentum = 1;
  for (let step = 0; step < STEPS_MAX; step++) {
    const slope = gradient(z, y, w, ahead, opinion, ridge.strength);
    const next = ahead.map((value, k) => {
      const moved = value - slope[k]! / bound;
      return sign[k] === 1 ? Math.max(0, moved) : sign[k] === -1 ? Math.min(0, moved) : moved;
    });
    const grown = (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
    ahead = next.map((value, k) => value + ((momentum - 1) / grown) * (value - now[k]!));
    const moved = next.reduce((most, value, k) => Math.max(most, Math.abs(value - now[k]!)), 0);
    now = next;
    momentum = grown;
    if (moved < SMALL) break;
  }
  return unstandardise(now, names, mean, spread);
}

export function logit(fitted: Fitted, features: Readonly<Record<string, number>>): number {
  let sum = fitted["bias"] ?? 0;
  for (const [name, weight] of Object.entries(fitted))
    if (name !== "bias") sum += weight * (features[name] ?? 0);
  return sum;
}

function standardise(samples: readonly Sample[], names: readonly string[], isRaw: boolean) {
  const mean = names.map(
    (name) =>
      samples.reduce((sum, { features }) => sum + (features[name] ?? 0), 0) / samples.length,
  );
  const spread = names.map((name, k) => {
    if (isRaw) return 1;
    const squares = samples.reduce(
      (sum, { features }) => sum + ((features[name] ?? 0) - mean[k]!) ** 2,
      0,
    );
    return Math.sqrt(squares / samples.length) + SMALL;
  });
  const z = samples.map(({ features }) =>
    Float64Array.from([
      1,
      ...names.map((name, k) => ((features[name] ?? 0) - mean[k]!) / spread[k]!),
    ]),
  );
  return { z, mean, spread };
}

function gradient(
  z: readonly Float64Array[],
  y: readonly number[],
  w: readonly number[],
  at: Float64Array,
  opinion: Float64Array,
  ridge: number,
): Float64Array {
  const out = at.map((value, k) => (k === 0 ? FREE : 1) * ridge * (value - opinion[k]!));
  for (let i = 0; i < z.length; i++) {
    const row = z[i]!;
    let sum = 0;
    for (let k = 0; k < row.length; k++) sum += row[k]! * at[k]!;
    const miss = w[i]! * (1 / (1 + Math.exp(-sum)) - y[i]!);
    for (let k = 0; k < row.length; k++) out[k]! += miss * row[k]!;
  }
  return out;
}

/** Estimates the largest eigenvalue of the weighted moments by power iteration, rounded up for safety. */
function largestCurvature(z: readonly Float64Array[], w: readonly number[], width: number): number {
  let vector = new Float64Array(width).fill(1);
  let size = 1;
  for (let round = 0; round < 60; round++) {
    const next = new Float64Array(width);
    z.forEach((row, i) => {
      let sum = 0;
      for (let k = 0; k < width; k++) sum += row[k]! * vector[k]!;
      for (let k = 0; k < width; k++) next[k]! += w[i]! * sum * row[k]!;
    });
    size = Math.sqrt(next.reduce((sum, value) => sum + value * value, 0));
    vector = next.map((value) => value / (size || 1));
  }
  return size * 1.05;
}

function unstandardise(
  fitted: Float64Array,
  names: readonly string[],
  mean: readonly number[],
  spread: readonly number[],
): Fitted {
  const out: Fitted = { bias: fitted[0]! };
  names.forEach((name, k) => {
    const weight = fitted[k + 1]! / spread[k]!;
    out["bias"]! -= weight * mean[k]!;
    if (Math.abs(weight) > 5e-5) out[name] = weight;
  });
  return out;
}
