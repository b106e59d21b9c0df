/**
 * Makes text of all languages comparable: lower case, no accents, one output character per input character,
 * so that positions in the folded text are those in the printed text.
 */

const SPECIAL: Record<string, string> = {
  ß: "s",
  æ: "a",
  Æ: "a",
  ø: "o",
  Ø: "o",
  œ: "o",
  Œ: "o",
  ł: "l",
  Ł: "l",
  đ: "d",
  Đ: "d",
  ı: "i",
  "’": "'",
  "‘": "'",
  "´": "'",
  "`": "'",
  "−": "-",
  "–": "-",
  "—": "-",
  "‐": "-",
  "‑": "-",
  "\u00a0": " ",
  "\u202f": " ",
  "\u2009": " ",
  "\t": " ",
};

// A seven-bit German print stream prints umlauts as brackets.
const SEVEN_BIT: Record<string, string> = { "{": "a", "|": "o", "}": "u", "~": "s" };

const cache = new Map<string, string>();

function foldChar(char: string): string {
  const special = SPECIAL[char];
  if (special !== undefined) return special;
  const base = char.normalize("NFD")[0] ?? char;
  const lower = base.toLowerCase();
  return lower.length === 1 ? lower : base;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 191;
}

/** The result always has the length of the input. */
export function fold(text: string): string {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 97 && code <= 122) out += text[i];
    else if (code >= 65 && code <= 90) out += String.fromCharCode(code + 32);
    else if (code >= 123 && code <= 126) out += foldSevenBit(text, i);
    else if (code < 128 && code !== 96 && code !== 9) out += text[i];
    else out += foldCached(text[i]!);
  }
  return out;
}

function foldSevenBit(text: string, i: number): string {
  const inWord = i > 0 && isLetter(text.charCodeAt(i - 1)) && isLetter(text.charCodeAt(i + 1));
  return inWord ? SEVEN_BIT[text[i]!]! : text[i]!;
}

// The cache holds at most one entry per UTF-16 unit, so hostile input cannot make it grow.
function foldCached(char: string): string {
  const known = cache.get(char);
  if (known !== undefined) return known;
  const folded = foldChar(char);
  cache.set(char, folded);
  return folded;
}
