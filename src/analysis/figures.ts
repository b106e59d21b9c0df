/** Figures in a model's text must occur in its source. */

/** Thousands may be separated by a space. */
const FIGURE =
  /\p{Nd}+(?:[.,'’/-]\p{Nd}+)*(?:[ \u00a0\u202f]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)?/gu;
/** The number of a line in a list, and of a passage in brackets. */
const LIST_NUMBER = /^[^\p{L}\p{N}\n]*(?:\p{L}+ )?\p{Nd}(?=[.):](?!\p{N}))|\[\p{Nd}\]/gmu;

/** Words that stand for a digit, in the languages that search knows best; `six` is also in `sixty`, which is good enough. */
const DIGIT_WORDS: Readonly<Record<string, RegExp>> = {
  "0": /\b(?:zero|null|zéro|cero|none|kein)/iu,
  "1": /\b(?:one|once|single|first|ein|erst|un|premi|primer)/iu,
  "2": /\b(?:two|second|both|twice|zwei|deux|dos)/iu,
  "3": /\b(?:three|third|drei|dritt|trois|tres|tercer)/iu,
  "4": /\b(?:four|vier|quatr|cuatro|cuart)/iu,
  "5": /\b(?:five|fifth|fünf|cinq|cinco|quint)/iu,
  "6": /\b(?:six|sechs|seis|sext)/iu,
  "7": /\b(?:seven|sieb|sept|siete|sépt)/iu,
  "8": /\b(?:eight|acht|huit|ocho|octav)/iu,
  "9": /\b(?:nine|ninth|neun|neuf|neuv|nueve|noven)/iu,
};

/** The same digits in other scripts and widths are the same figure; invisible characters do not split one. */
const plain = (text: string): string => text.normalize("NFKC").replace(/\p{Cf}/gu, "");

const digitsOf = (text: string): string => text.replace(/\P{Nd}/gu, "");
const withoutZeros = (digits: string): string => digits.replace(/^0+(?=.)/u, "");

/**
 * What a figure may mean: `4,200` is 4200 or 4.2, but `42.00` is never 4200. Dates and reference numbers are only their
 * digits.
 */
function readingsOf(figure: string): string[] {
  const parts = figure.match(/\p{Nd}+/gu)!;
  const signs = figure.match(/\P{Nd}/gu) ?? [];
  const [last, ...before] = signs.toReversed();
  if (last === undefined) return [withoutZeros(figure)];
  const readings: string[] = [];
  if (isGrouped(parts, signs)) readings.push(withoutZeros(parts.join("")));
  const isDecimal = /[.,]/.test(last) && !before.includes(last);
  if (isDecimal && isGrouped(parts.slice(0, -1), before)) {
    const whole = withoutZeros(parts.slice(0, -1).join(""));
    const rest = parts.at(-1)!.replace(/0+$/u, "");
    readings.push(rest === "" ? whole : `${whole}.${rest}`);
  }
  return readings.length > 0 ? readings : [`digits ${parts.join("")}`];
}

/** Groups of three digits, all separated by the same character. */
function isGrouped([first, ...more]: readonly string[], signs: readonly string[]): boolean {
  if (more.length === 0) return true;
  const isOneSign = new Set(signs).size === 1 && /[.,'’\s]/u.test(signs[0]!);
  return isOneSign && first!.length <= 3 && more.every(({ length }) => length === 3);
}

/** `12.03.2026` is also 2026, and `5 200` may be two figures. */
function partsOf(figure: string): string[] {
  const isDate = /^\p{Nd}{1,4}[./-]\p{Nd}{1,2}[./-]\p{Nd}{2,4}$/u.test(figure);
  return figure.split(isDate ? /[./-]/ : /[ \u00a0\u202f/-]/u);
}

/** Digits of the first figure that no source contains; null if there is none. */
export function strayFigure(text: string, sources: readonly string[]): string | null {
  const plainSources = sources.map(plain);
  const found = plainSources.flatMap((source) => source.match(FIGURE) ?? []);
  const known = new Set(
    found.flatMap((figure) => [figure, ...partsOf(figure)]).flatMap(readingsOf),
  );
  const isKnown = (figure: string): boolean =>
    readingsOf(figure).some((reading) => known.has(reading)) ||
    plainSources.some((source) => DIGIT_WORDS[figure]?.test(source));
  const stray = (plain(text).replace(LIST_NUMBER, "").match(FIGURE) ?? []).find((figure) => {
    // Two known figures with a space between them could be read as one that is not known.
    if (isKnown(figure)) return false;
    const parts = partsOf(figure);
    return /\s/u.test(figure) || parts.length === 1 || !parts.every(isKnown);
  });
  return stray === undefined ? null : digitsOf(stray);
}
