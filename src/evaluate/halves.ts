/**
 * The families of a corpus in sorted order: every third is set aside. Its documents are scored and never
 * looked at, so that the figure tells of banks that nobody has seen.
 */
export function familiesAside(rows: readonly { family?: string }[]): Set<string> {
  const families = [...new Set(rows.map((row) => row.family ?? ""))].sort();
  return new Set(families.filter((_, index) => index % 3 === 2));
}
