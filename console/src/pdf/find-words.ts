/** Where words are on a page, found in the page's own text: spaces and line ends do not count. */
import type { Box } from "../data/reviews.ts";

/** A run of text as pdf.js gives it, with its matrix in points from the top left of the page. */
export interface TextRun {
  readonly text: string;
  readonly matrix: readonly number[];
  readonly width: number;
  /** How far along the run, from 0 to 1, its first so many characters reach. */
  share(characters: number): number;
}

interface Letter {
  readonly letter: string;
  readonly run: number;
  readonly at: number;
}

/** Enough for every place of a common word on a page, and few enough to draw. */
const BOXES_MAX = 200;
/** A shorter part of a passage would be found everywhere. */
const PART_MIN = 8;

/** The boxes of each phrase. A passage that the page breaks or orders otherwise is found in parts. */
export function findWords(runs: readonly TextRun[], phrases: readonly string[]): Box[] {
  const letters = runs.flatMap((run, index) => lettersOf(run.text, index));
  const page = letters.map(({ letter }) => letter).join("");
  const boxes = phrases.flatMap((phrase) => {
    const whole = placesOf(runs, letters, page, phrase);
    if (whole.length > 0) return whole;
    return phrase
      .split(/\n|(?<=[.;:])\s+/)
      .filter((part) => squeeze(part).length >= PART_MIN && part !== phrase)
      .flatMap((part) => placesOf(runs, letters, page, part));
  });
  return boxes.slice(0, BOXES_MAX);
}

function placesOf(
  runs: readonly TextRun[],
  letters: readonly Letter[],
  page: string,
  phrase: string,
): Box[] {
  const wanted = squeeze(phrase);
  if (wanted === "") return [];
  const boxes: Box[] = [];
  for (let at = page.indexOf(wanted); at !== -1; at = page.indexOf(wanted, at + wanted.length)) {
    const found = letters.slice(at, at + wanted.length);
    if (isWhole(runs, found)) boxes.push(...boxesOf(runs, found));
  }
  return boxes;
}

const squeeze = (text: string): string =>
  lettersOf(text, 0)
    .map(({ letter }) => letter)
    .join("");

/** Ligatures and full-width forms count as the letters that they stand for. */
function lettersOf(text: string, run: number): Letter[] {
  return [...text].reduce<{ letters: Letter[]; at: number }>(
    ({ letters, at }, character) => {
      const plain = character
        .normalize("NFKC")
        .toLowerCase()
        .replace(/[\s\u00ad]/g, "");
      for (const letter of plain) letters.push({ letter, run, at });
      return { letters, at: at + character.length };
    },
    { letters: [], at: 0 },
  ).letters;
}

/** `rent` is not found inside `current`. */
function isWhole(runs: readonly TextRun[], found: readonly Letter[]): boolean {
  const first = found[0]!;
  const last = found.at(-1)!;
  const before = runs[first.run]!.text.slice(0, first.at).at(-1) ?? " ";
  const after = runs[last.run]!.text.slice(last.at + 1).at(0) ?? " ";
  return !(isWordy(before) && isWordy(first.letter)) && !(isWordy(after) && isWordy(last.letter));
}

const isWordy = (character: string): boolean => /[\p{L}\p{N}]/u.test(character);

/** One box for each run that the words pass. */
function boxesOf(runs: readonly TextRun[], found: readonly Letter[]): Box[] {
  const passed = [...new Set(found.map(({ run }) => run))];
  return passed.map((index) => {
    const inRun = found.filter(({ run }) => run === index);
    const run = runs[index]!;
    return boxOf(run, run.share(inRun[0]!.at), run.share(inRun.at(-1)!.at + 1));
  });
}

/** The upright box around a piece of a run, which may be turned. */
function boxOf({ matrix, width }: TextRun, from: number, to: number): Box {
  const [a = 1, b = 0, c = 0, d = -1, x = 0, y = 0] = matrix;
  const length = Math.hypot(a, b) || 1;
  const along = { x: a / length, y: b / length };
  const corners = [from, to].flatMap((share) =>
    // From a little below the baseline to the height of capitals.
    [-0.22, 0.8].map((up) => ({
      x: x + along.x * width * share + c * up,
      y: y + along.y * width * share + d * up,
    })),
  );
  const left = Math.min(...corners.map((corner) => corner.x));
  const top = Math.min(...corners.map((corner) => corner.y));
  return {
    x: left,
    y: top,
    width: Math.max(...corners.map((corner) => corner.x)) - left,
    height: Math.max(...corners.map((corner) => corner.y)) - top,
  };
}
