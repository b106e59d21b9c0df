/**
 * Widths of the printable ASCII characters in thousandths of the type size, as in Helvetica and
 * the faces made to its measure. Only their proportions matter: they tell where inside a run of
 * known width a word begins.
 */
const ASCII = [
  278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
  556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
  611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
  667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
  222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];
const OTHER = 556;

const LATIN = Uint16Array.from({ length: 0x250 }, (_, code) => {
  const base = String.fromCharCode(code).normalize("NFD").charCodeAt(0);
  if (base === 0xa0) return ASCII[0]!;
  return ASCII[base - 0x20] ?? OTHER;
});

/** The width of a text in an unknown face, in units that are only good for comparing. */
export function typicalWidth(text: string, isMonospaced: boolean): number {
  if (isMonospaced) return text.length;
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += LATIN[text.charCodeAt(index)] ?? OTHER;
  return sum;
}
