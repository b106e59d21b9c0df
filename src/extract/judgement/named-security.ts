/**
 * Some statements list the names of securities with their codes first; the rows below print the name only, often
 * cut short or wrapped.
 */
import type { TextLine } from "../layout/text-line.ts";

interface Listed {
  words: string[];
  /** The line with the code. */
  line: TextLine;
  code: string;
}

/** Fewer words or letters in common may be those of the bank that issues all of its funds under its own name. */
const WORDS_MIN = 2;
const LETTERS_MIN = 8;

/** The listed line whose name the row prints; null if there is no list, or if two names fit as well. */
export function listedFor(lines: readonly TextLine[], row: TextLine): TextLine | null {
  const listed = listOf(lines).filter(({ line }) => line.index < row.index);
  if (new Set(listed.map(({ code }) => code)).size < 2) return null;
  const words = row.words.map(({ text }) => text);
  let best: Listed | null = null;
  let most = 0;
  let isTied = false;
  for (const one of listed) {
    const letters = lettersShared(one.words, words);
    if (letters === 0 || letters < most) continue;
    isTied = letters === most && one.code !== best?.code;
    best = one;
    most = letters;
  }
  return isTied ? null : (best?.line ?? null);
}

/** Letters of the words that begin the name and are side by side in the row; 0 if too few. */
function lettersShared(name: readonly string[], row: readonly string[]): number {
  let most = 0;
  for (let at = 0; at < row.length; at++) {
    let count = 0;
    let letters = 0;
    while (count < name.length && row[at + count] === name[count]) {
      letters += name[count]!.length;
      count += 1;
    }
    if (count >= WORDS_MIN && letters >= LETTERS_MIN) most = Math.max(most, letters);
  }
  return most;
}

const listsBefore = new WeakMap<readonly TextLine[], Listed[]>();

/** The names before codes on lines without amounts, or alone on the line above; cached for all rows of a document. */
function listOf(lines: readonly TextLine[]): Listed[] {
  const known = listsBefore.get(lines);
  if (known) return known;
  const found: Listed[] = [];
  for (const line of lines) {
    const code = line.codes.find(({ kind }) => kind === "isin");
    if (!code || hasAmount(line)) continue;
    const own = line.words.filter(({ end }) => end <= code.start);
    const above = lines[line.index - 1];
    const words = own.length >= WORDS_MIN ? own : above && !hasAmount(above) ? above.words : [];
    if (words.length >= WORDS_MIN)
      found.push({ words: words.map(({ text }) => text), line, code: code.text });
  }
  listsBefore.set(lines, found);
  return found;
}

function hasAmount(line: TextLine): boolean {
  return line.numbers.some((token) => token.hasDecimals);
}
