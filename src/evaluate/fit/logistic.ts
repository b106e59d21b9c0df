/**
 * Logistic regression with prior expectations: every feature has an expected weight, the ridge penalty pulls
 * towards it, and a weight that would change its sign becomes zero. Uses centred features and Newton's
 * method, without randomness.
 */
export interface Sample {
  features: Readonly<Record<string, number>>;
  isTrue: boolean;
  weight: number;
}

/** Expected log odds that one unit of each feature adds; `bias` is the value without any feature. */
export type Expected = Readonly<Record<string, number>>;
export type Fitted = Record<string, number>;

const STEPS_MAX = 60;
const SWEEPS_MAX = 500;
const HALVINGS_MAX = 20;
/** Steps smaller than this change nothing that matters. */
const SMALL = 1e-6;
/** Smaller weights are left out of the file. */
const WEIGHT_MIN = 5e-5;
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
  const { inputs, mean, spread } = standardise(samples, names, ridge.in === "units");
  const labels = samples.map((sample) => +sample.isTrue);
  const weights = samples.map((sample) => sample.weight);
  const prior = Float64Array.from([
    names.reduce((sum, name, k) => sum + expected[name]! * mean[k]!, expected["bias"] ?? 0),
    ...names.map((name, k) => expected[name]! * spread[k]!),
  ]);
  const signs = [0, ...names.map((name) => Math.sign(expected[name]!))];
  const problem: Problem = { inputs, labels, weights, prior, signs, ridge: ridge.strength };
  let now: Float64Array = prior.slice();
  for (let step = 0; step < STEPS_MAX; step++) {
    const next = newtonStep(problem, now);
    const moved = next.reduce((most, value, k) => Math.max(most, Math.abs(value - now[k]!)), 0);
    now = next;
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
  const inputs = samples.map(({ features }) =>
    Float64Array.from([
      1,
      ...names.map((name, k) => ((features[name] ?? 0) - mean[k]!) / spread[k]!),
    ]),
  );
  return { inputs, mean, spread };
}

interface Problem {
  /** The centred features of each sample, after a 1 for the bias. */
  inputs: readonly Float64Array[];
  /** 1 for a true sample, 0 for a false one. */
  labels: readonly number[];
  /** How much each sample counts. */
  weights: readonly number[];
  prior: Float64Array;
  /** The sign that each weight must keep, or 0. */
  signs: readonly number[];
  ridge: number;
}

function penaltyOf({ ridge }: Problem, k: number): number {
  return k === 0 ? FREE * ridge : ridge;
}

/** Minimises the quadratic model around `at`; takes a shorter step where the model overestimates the gain. */
function newtonStep(problem: Problem, at: Float64Array): Float64Array {
  const { slope, curve } = derivatives(problem, at);
  const target = boxMinimum(slope, curve, at, problem.signs);
  const before = loss(problem, at);
  let next = target;
  for (let halving = 0; halving < HALVINGS_MAX; halving++) {
    if (loss(problem, next) <= before) return next;
    next = next.map((value, k) => (value + at[k]!) / 2);
  }
  return at;
}

function derivatives(problem: Problem, at: Float64Array) {
  const { inputs, labels, weights, prior } = problem;
  const width = at.length;
  const slope = at.map((value, k) => penaltyOf(problem, k) * (value - prior[k]!));
  const curve = Array.from({ length: width }, (_, k) => {
    const row = new Float64Array(width);
    row[k] = penaltyOf(problem, k);
    return row;
  });
  for (let i = 0; i < inputs.length; i++) {
    const row = inputs[i]!;
    const predicted = 1 / (1 + Math.exp(-dot(row, at)));
    const miss = weights[i]! * (predicted - labels[i]!);
    const weight = weights[i]! * predicted * (1 - predicted);
    for (let k = 0; k < width; k++) {
      slope[k]! += miss * row[k]!;
      const part = weight * row[k]!;
      const own = curve[k]!;
      for (let j = 0; j <= k; j++) own[j]! += part * row[j]!;
    }
  }
  for (let k = 0; k < width; k++) for (let j = 0; j < k; j++) curve[j]![k] = curve[k]![j]!;
  return { slope, curve };
}

/** Moves one weight after the other to its best place within its sign, until none moves. */
function boxMinimum(
  slope: Float64Array,
  curve: readonly Float64Array[],
  at: Float64Array,
  signs: readonly number[],
): Float64Array {
  const minimum = at.slice();
  const rest = slope.slice();
  for (let sweep = 0; sweep < SWEEPS_MAX; sweep++) {
    let most = 0;
    for (let k = 0; k < minimum.length; k++) {
      const free = minimum[k]! - rest[k]! / curve[k]![k]!;
      const sign = signs[k]!;
      const kept = sign > 0 ? Math.max(0, free) : sign < 0 ? Math.min(0, free) : free;
      const change = kept - minimum[k]!;
      if (change === 0) continue;
      minimum[k] = kept;
      const row = curve[k]!;
      for (let j = 0; j < minimum.length; j++) rest[j]! += row[j]! * change;
      most = Math.max(most, Math.abs(change));
    }
    if (most < SMALL / 10) break;
  }
  return minimum;
}

function loss(problem: Problem, at: Float64Array): number {
  const { inputs, labels, weights, prior } = problem;
  let sum = at.reduce(
    (total, value, k) => total + (penaltyOf(problem, k) * (value - prior[k]!) ** 2) / 2,
    0,
  );
  for (let i = 0; i < inputs.length; i++) {
    const odds = dot(inputs[i]!, at) * (labels[i]! === 1 ? -1 : 1);
    // The logarithm of 1 + e^odds, without overflow.
    sum += weights[i]! * (Math.max(0, odds) + Math.log1p(Math.exp(-Math.abs(odds))));
  }
  return sum;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k]! * b[k]!;
  return sum;
}

function unstandardise(
  fitted: Float64Array,
  names: readonly string[],
  mean: readonly number[],
  spread: readonly number[],
): Fitted {
  const weights: Fitted = { bias: fitted[0]! };
  names.forEach((name, k) => {
    const weight = fitted[k + 1]! / spread[k]!;
    weights["bias"]! -= weight * mean[k]!;
    if (Math.abs(weight) > WEIGHT_MIN) weights[name] = weight;
  });
  return weights;
}
