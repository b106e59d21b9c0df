/**
 * Widths of the printable ASCII characters in thousandths of the type size, as in Helvetica, Times and
 * fonts with the same metrics. Only the proportions matter: they show where a word begins inside a run of
 * known width.
 */
const SANS = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const SERIF = [
  250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500,
  500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611,
  556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722,
  722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500,
  278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];
const OTHER = 540;

export type Face = "sans-serif" | "serif" | "monospace";

const TABLES: Record<Face, Uint16Array | null> = {
  "sans-serif": widenToLatin(SANS),
  serif: widenToLatin(SERIF),
  monospace: null,
};

/** An accented letter is as wide as the plain one. */
function widenToLatin(ascii: readonly number[]): Uint16Array {
  return Uint16Array.from({ length: 0x250 }, (_, code) => {
    const base = String.fromCharCode(code).normalize("NFKD").charCodeAt(0);
    return ascii[base - 0x20] ?? OTHER;
  });
}

/** The width of a text in such a face, in units that are useful only for comparisons. */
export function typicalWidth(text: string, face: Face): number {
  const table = TABLES[face];
  if (table === null) return text.length;
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += table[text.charCodeAt(index)] ?? OTHER;
  return sum;
}
