/** Chooses, from judged trades, the confidence from which trades are booked without the mark for an audit. */

export interface Judgement {
  confidence: number;
  isRight: boolean;
}

/** Safety margin: this share of the passing ones, the least certain, is dropped, because a wrong one is just below them, */
const GIVEN_UP = 0.05;
/** or because the next document may be the first wrong one. */
const GIVEN_UP_FAULTLESS = 0.02;

/**
 * The confidence above which at least the share `target` is right. The count of wrong ones starts at one half,
 * so that a short lucky run is not enough.
 */
export function chooseThreshold(judged: readonly Judgement[], target: number): number {
  const sorted = [...judged].sort((a, b) => b.confidence - a.confidence);
  let wrong = 0;
  let passing = 0;
  sorted.forEach(({ isRight }, i) => {
    if (!isRight) wrong += 1;
    if ((wrong + 0.5) / (i + 1) <= 1 - target) passing = i + 1;
  });
  const givenUp = wrong === 0 ? GIVEN_UP_FAULTLESS : GIVEN_UP;
  return passing === 0 ? 1 : sorted[Math.ceil(passing * (1 - givenUp)) - 1]!.confidence;
}

/** The same margin if nothing wrong may pass. */
const GIVEN_UP_STRICTLY = 0.12;

/** The confidence above which nothing is wrong, and above the least certain of those that pass. */
export function chooseStrictly(judged: readonly Judgement[]): number {
  const sorted = [...judged].sort((a, b) => b.confidence - a.confidence);
  const first = sorted.findIndex(({ isRight }) => !isRight);
  const passing = Math.floor((first < 0 ? sorted.length : first) * (1 - GIVEN_UP_STRICTLY));
  return passing === 0 ? 1 : sorted[passing - 1]!.confidence;
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
