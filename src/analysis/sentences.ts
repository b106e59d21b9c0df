/** Sentences of a text whose lines may end anywhere, as those of a PDF do, each under its heading. */
export interface Sentence {
  readonly text: string;
  /** Null before the first heading. */
  readonly heading: string | null;
  /** Whether it is the first one under its heading. */
  readonly isFirst: boolean;
}

export interface Prose {
  readonly sentences: readonly Sentence[];
  /** The subject of a mail, or else the first heading; null if the text begins at once. */
  readonly title: string | null;
  /** Without the title, in their order; one that occurs twice is there twice. */
  readonly headings: readonly string[];
}

const HEADING_LENGTH_MAX = 70;
/** What our own reader writes above a message. */
const MAIL_FIELD = /^(?:From|To|Cc|Date|Attached): /;
const SUBJECT = "Subject: ";
const LETTER = /\p{L}/u;
const SENTENCE_ENDS = /[.!?…:;,]["'”’»)\]]*$/u;
/** Not after an abbreviation, a single letter or a day: `No. 4`, `J. Ford`, `1. März`. */
const BETWEEN_SENTENCES =
  /(?<=[.!?…]["'”’»)\]]?)(?<!(?:^|[\s(])(?:\p{L}|\d{1,2}|No|Nr|Dr|Mr|Mrs|Ms|Art|Abs|Str|Sr|Sra|Mme|St)\.) +(?=[\p{Lu}\p{N}"'„“«¿¡([])/u;

export function readProse(text: string): Prose {
  const sentences: Sentence[] = [];
  const headings: string[] = [];
  let title: string | null = null;
  let heading: string | null = null;
  let isFirst = true;
  let paragraph: string[] = [];
  const endParagraph = () => {
    for (const sentence of joined(paragraph).split(BETWEEN_SENTENCES)) {
      if (sentence.trim() === "") continue;
      sentences.push({ text: sentence.trim(), heading, isFirst });
      isFirst = false;
    }
    paragraph = [];
  };
  const lines = text.split("\n").map((each) => each.trim());
  for (const [number, line] of lines.entries()) {
    if (MAIL_FIELD.test(line)) continue;
    if (line.startsWith(SUBJECT)) title ??= line.slice(SUBJECT.length);
    else if (line === "") endParagraph();
    else if (isHeading(line, paragraph.at(-1), lines[number + 1])) {
      endParagraph();
      if (title === null && sentences.length === 0) title = line;
      else if (line !== title) {
        headings.push(line);
        heading = line;
        isFirst = true;
      }
    } else paragraph.push(line);
  }
  endParagraph();
  return { sentences, title, headings };
}

/** A short line between two sentences; one that goes on in lower case is the beginning of a sentence. */
const isHeading = (line: string, before: string | undefined, after: string | undefined): boolean =>
  line.length <= HEADING_LENGTH_MAX &&
  LETTER.test(line) &&
  !SENTENCE_ENDS.test(line) &&
  !/^\p{Ll}/u.test(line) &&
  !/^\p{Ll}/u.test(after ?? "") &&
  (before === undefined || SENTENCE_ENDS.test(before));

/** A word that is split between two lines is put together again. */
const joined = (lines: readonly string[]): string =>
  lines
    .join("\n")
    .replace(/(?<=\p{Ll})-\n(?=\p{Ll})/gu, "")
    .replaceAll("\n", " ");
