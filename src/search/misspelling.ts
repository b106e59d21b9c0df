/** How far a word is from a known stem, as typing errors go. */

/** A word is longer than its stem; this much of its end does not count. */
const ENDING_MAX = 3;

/**
 * The least number of errors that turn the stem into the word: a letter missing, added, wrong, or two swapped. The end
 * of the word beyond the stem is free, up to three letters.
 */
export function errorsBetween(word: string, stem: string): number {
  const [a, b] = [[...word], [...stem]];
  if (a.length - b.length > ENDING_MAX || b.length - a.length > 2) return Number.POSITIVE_INFINITY;
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  for (const [i, letter] of a.entries()) {
    const last = rows[i]!;
    const row = [i + 1];
    for (const [j, other] of b.entries()) {
      let least = Math.min(last[j]! + (letter === other ? 0 : 1), last[j + 1]! + 1, row[j]! + 1);
      const isSwapped = i > 0 && j > 0 && letter === b[j - 1] && a[i - 1] === other;
      if (isSwapped) least = Math.min(least, rows[i - 1]![j - 1]! + 1);
      row.push(least);
    }
    rows.push(row);
  }
  // Only as much of the end is free as the word is longer than the stem, or would be with the letter that it lacks.
  const free = Math.min(ENDING_MAX, Math.max(0, a.length - b.length) + 1);
  return Math.min(...rows.slice(rows.length - 1 - free).map((row) => row[b.length]!));
}

/** One error in a short word, two in a long one; more make it another word. A stem of four letters is near to many words. */
export function errorsAllowed(word: string, stem: string): number {
  if (stem.length < 5) return 0;
  return word.length < 8 ? 1 : 2;
}
