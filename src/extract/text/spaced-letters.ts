/**
 * Some print streams put spaces between the letters of a line. Such a line is joined column by column, then
 * split again where the kind of character changes and where the lexicon knows the words.
 */
import { fold } from "../lexicon/fold.ts";
import { lexicon } from "../lexicon/index.ts";

const COLUMN_GAP = "     ";
const WORD_LENGTH_MAX = 80;

/** Returns null if the line is printed normally. */
export function joinSpacedLetters(text: string): string | null {
  if (!isSpaced(text)) return null;
  return text
    .split(COLUMN_GAP)
    .map((column) => joinColumn(column))
    .filter((column) => column !== "")
    .join("   ");
}

function isSpaced(text: string): boolean {
  let short = 0;
  let all = 0;
  let length = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && text[i] !== " ") {
      length += 1;
      continue;
    }
    if (length > 0) {
      all += 1;
      if (length <= 2) short += 1;
    }
    length = 0;
  }
  return all >= 5 && short >= 5 && short * 10 >= all * 7;
}

/** A code that is printed without spaces stays whole: "US0000000000  E X A M P L E". */
function joinColumn(column: string): string {
  const code = /(^|[ :])([A-Z]{2}[A-Z0-9]{9}[0-9])(?= {1,2}[^ ])/.exec(column);
  if (code) {
    const end = code.index + code[0].length;
    const parts = [
      joinRun(column.slice(0, end - code[2]!.length)),
      code[2]!,
      joinRun(column.slice(end)),
    ];
    return parts.filter((part) => part !== "").join(" ");
  }
  return joinRun(column);
}

function joinRun(column: string): string {
  const glued = column.replaceAll(" ", "").replaceAll("_", "");
  if (glued === "") return "";
  const words: string[] = [];
  let start = 0;
  for (let i = 1; i <= glued.length; i++) {
    if (i < glued.length && !isEdge(glued, i)) continue;
    words.push(...cut(glued.slice(start, i)));
    start = i;
  }
  return words.join(" ");
}

/**
 * True at a capital after a lower-case letter, a digit after a letter, a letter after a digit, and at a
 * colon.
 */
function isEdge(text: string, at: number): boolean {
  const [before, after] = [text[at - 1]!, text[at]!];
  const beyond = text[at - 2] ?? "";
  if (before === ":") return !(isNumeric(beyond) && isNumeric(after));
  if (after === ":") return !(isNumeric(before) && isNumeric(text[at + 1] ?? ""));
  if (before === "." && isAlpha(beyond) && isNumeric(after)) return true;
  const [wasLetter, isLetter] = [isAlpha(before), isAlpha(after)];
  if (wasLetter && isLetter)
    return before === before.toLowerCase() && after !== after.toLowerCase();
  const [wasDigit, isDigit] = [isNumeric(before), isNumeric(after)];
  // Codes mix capitals and digits and stay whole; a word or a currency before digits does not.
  if (wasLetter && isDigit)
    return lettersBefore(text, at) >= 3 || (lettersBefore(text, at) === 2 && isSixDigits(text, at));
  return (
    (wasDigit && isLetter && (after === after.toLowerCase() || hasSeparator(text, at))) ||
    (wasLetter && (after === "-" || after === "+") && isNumeric(text[at + 1] ?? ""))
  );
}

/** A WKN (German securities number) after the name of a company: "AG723610". */
function isSixDigits(text: string, at: number): boolean {
  return /^[0-9]{6}$/.test(text.slice(at, at + 6)) && at + 6 === text.length;
}

/** Counts the letters of the word that ends here; a capital after a lower-case letter begins a new word. */
function lettersBefore(text: string, at: number): number {
  let count = 0;
  while (at - count > 0 && isAlpha(text[at - count - 1]!)) {
    count += 1;
    const [before, first] = [text[at - count - 1] ?? "", text[at - count]!];
    if (isAlpha(before) && before === before.toLowerCase() && first !== first.toLowerCase()) break;
  }
  return count;
}

function hasSeparator(text: string, at: number): boolean {
  for (let i = at - 1; i >= 0 && !isAlpha(text[i]!); i--)
    if (text[i] === "," || text[i] === ".") return true;
  return false;
}

function isAlpha(char: string): boolean {
  return char.toLowerCase() !== char.toUpperCase();
}

function isNumeric(char: string): boolean {
  return char >= "0" && char <= "9";
}

/** Splits a run of letters into known words, or leaves it whole. */
function cut(run: string): string[] {
  const folded = fold(run);
  if (run.length < 5 || run.length > WORD_LENGTH_MAX || lexicon.words.has(folded)) return [run];
  // reach[i] is the length of the last word of the best cut of the first i letters; fewest words win.
  const count = new Array<number>(run.length + 1).fill(Number.POSITIVE_INFINITY);
  const last = new Array<number>(run.length + 1).fill(0);
  count[0] = 0;
  for (let end = 1; end <= run.length; end++) {
    for (let length = 2; length <= Math.min(end, 30); length++) {
      if (
        count[end - length]! + 1 < count[end]! &&
        lexicon.words.has(folded.slice(end - length, end))
      ) {
        count[end] = count[end - length]! + 1;
        last[end] = length;
      }
    }
  }
  if (!Number.isFinite(count[run.length]!)) return [run];
  const words: string[] = [];
  for (let end = run.length; end > 0; end -= last[end]!)
    words.unshift(run.slice(end - last[end]!, end));
  return words;
}
