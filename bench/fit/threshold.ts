/** From judged confidences to the one from which no person is asked. */

export interface Judgement {
  confidence: number;
  isRight: boolean;
}

/**
 * The lowest confidence above which wrong ones stay under `target`. Half a wrong one is added to those
 * counted, so that a short run of luck does not suffice.
 */
export function chooseThreshold(judged: readonly Judgement[], target: number): number {
  const sorted = [...judged].sort((a, b) => b.confidence - a.confidence);
  let wrong = 0;
  let best = 1;
  sorted.forEach(({ confidence, isRight }, i) => {
    if (!isRight) wrong += 1;
    const next = sorted[i + 1]?.confidence ?? 0;
    if (next < confidence && (wrong + 0.5) / (i + 1) <= 1 - target) best = confidence;
  });
  return best;
}

const SHARES = [0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

export function describeCurve(judged: readonly Judgement[]): string[] {
  const sorted = [...judged].sort((a, b) => b.confidence - a.confidence);
  return SHARES.map((share) => {
    const kept = sorted.slice(0, Math.round(share * sorted.length));
    const right = kept.filter((row) => row.isRight).length;
    const precision = ((100 * right) / Math.max(1, kept.length)).toFixed(2);
    return `  ${(100 * share).toFixed(0)} % kept, from ${(kept.at(-1)?.confidence ?? 1).toFixed(4)}: ${precision} % right, ${kept.length - right} wrong`;
  });
}
