/** Figures in a model's text must occur in its source. */

/** Thousands may be separated by a space. A single digit, such as a list number, says nothing about a document. */
const FIGURE =
  /\p{Nd}+(?:[.,'’/-]\p{Nd}+)*(?:[ \u00a0\u202f]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)?/gu;

const digitsOf = (text: string): string => text.replace(/\D/gu, "").replace(/^0+(?=\d)/, "");

/** Each figure with its parts: `12.03.2026` is also 2026, and `5 200` may be two figures. */
function figuresIn(text: string) {
  return (text.match(FIGURE) ?? []).map((figure) => ({
    whole: digitsOf(figure),
    parts: partsOf(figure).map(digitsOf),
    hasSpace: /\s/u.test(figure),
  }));
}

function partsOf(figure: string): string[] {
  const isDate = /^\d{1,4}[./-]\d{1,2}[./-]\d{2,4}$/.test(figure);
  return figure.split(isDate ? /[./-]/ : /[ \u00a0\u202f/-]/u);
}

/** Digits of the first figure that no source contains; null if there is none. Separators do not count. */
export function strayFigure(text: string, sources: readonly string[]): string | null {
  const known = new Set(
    sources.flatMap(figuresIn).flatMap(({ whole, parts }) => [whole, ...parts]),
  );
  const isKnown = (digits: string) => digits.length < 2 || known.has(digits);
  const stray = figuresIn(text).find(({ whole, parts, hasSpace }) => {
    // Two known figures with a space between them could be read as one that is not known.
    if (isKnown(whole)) return false;
    return hasSpace || parts.length === 1 || !parts.every(isKnown);
  });
  return stray?.whole ?? null;
}
