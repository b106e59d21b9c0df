/**
 * Cross-validation by groups of families: leaves one group out, fits on the others and judges the one left
 * out.
 */
import {
  type Expected,
  type Fitted,
  fitLogistic,
  logit,
  type Ridge,
  type Sample,
} from "./logistic.ts";

interface Member {
  family: string;
  /** Families with the same group are left out together. */
  group: string;
  file: string;
  features: Readonly<Record<string, number>>;
}

/**
 * Weights that keep a long statement from counting like fifty documents, and a bank with many documents like
 * many banks. Their mean is one.
 */
export function familyWeights(rows: readonly Member[]): number[] {
  const perFile = countBy(rows, (row) => row.file);
  const first = rows.map((row) => perFile.get(row.file)! ** -0.7);
  const perFamily = new Map<string, number>();
  rows.forEach((row, i) => {
    perFamily.set(row.family, (perFamily.get(row.family) ?? 0) + first[i]!);
  });
  const second = rows.map((row, i) => first[i]! / Math.sqrt(perFamily.get(row.family)!));
  const mean = second.reduce((sum, weight) => sum + weight, 0) / rows.length;
  return second.map((weight) => weight / mean);
}

function countBy<T>(rows: readonly T[], key: (row: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  return counts;
}

export function samplesOf<T extends Member>(
  rows: readonly T[],
  isTrue: (row: T) => boolean,
): Sample[] {
  const weights = familyWeights(rows);
  return rows.map((row, i) => ({
    features: row.features,
    isTrue: isTrue(row),
    weight: weights[i]!,
  }));
}

/**
 * The log odds of every row, from a fit that has not seen its group. `counts` selects the rows that may be
 * fitted on.
 */
export function crossValidate<T extends Member>(
  rows: readonly T[],
  expected: Expected,
  ridge: Ridge,
  isTrue: (row: T) => boolean,
  counts: (row: T) => boolean = () => true,
  apply: (fitted: Fitted, features: T["features"]) => number = logit,
): number[] {
  const fits = new Map<string, Fitted>();
  for (const group of new Set(rows.map((row) => row.group))) {
    const others = rows.filter((row) => row.group !== group && counts(row));
    fits.set(group, fitLogistic(samplesOf(others, isTrue), expected, ridge));
  }
  return rows.map((row) => apply(fits.get(row.group)!, row.features));
}
