/**
 * Returns every third family of a corpus, in sorted order: these are held out. Their documents are scored but never
 * inspected, so that the figures hold for banks that the rules have not seen.
 */
export function familiesAside(rows: readonly { family?: string }[]): Set<string> {
  const families = [...new Set(rows.map((row) => row.family ?? ""))].sort();
  return new Set(families.filter((_, index) => index % 3 === 2));
}
