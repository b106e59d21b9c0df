/** Text without layout: plain, HTML, CSV and RTF. */
import { hasByteOrderMark } from "./document-text.ts";

/** UTF-8 or UTF-16 if the bytes are valid, otherwise the Western European code page of Windows. */
export function plainText(bytes: Uint8Array): string {
  if (hasByteOrderMark(bytes))
    return new TextDecoder(bytes[0] === 0xff ? "utf-16le" : "utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes); // older programs write it, and it is never invalid
  }
}

/** The visible text: no scripts, styles, pictures or addresses of links. */
export async function htmlText(html: string): Promise<string> {
  const { convert } = await import("html-to-text");
  return convert(html, {
    wordwrap: false,
    limits: { maxDepth: 200, maxChildNodes: 50_000, maxInputLength: 16 * 2 ** 20 },
    selectors: [
      { selector: "a", options: { ignoreHref: true } },
      { selector: "img", format: "skip" },
      { selector: "h1", options: { uppercase: false } },
      { selector: "h2", options: { uppercase: false } },
      { selector: "h3", options: { uppercase: false } },
      { selector: "table", options: { uppercaseHeaderCells: false } },
    ],
  });
}

/** One line per row, with its cells separated by bars. */
export async function csvText(text: string): Promise<string> {
  const { parse } = await import("csv-parse/sync");
  const delimiter = /^[^\n]*;/.test(text) && !/^[^\n]*,/.test(text) ? ";" : ",";
  const rows = parse(text, { delimiter, relaxColumnCount: true, relaxQuotes: true }) as string[][];
  return rows.map((row) => row.join(" | ")).join("\n");
}

/** Groups whose text is not shown. */
const HIDDEN =
  /^\\(?:\*|fonttbl|colortbl|stylesheet|info|pict|object|themedata|datastore|header|footer|xmlnstbl|listtable|listoverridetable|rsidtbl|generator)\b/;
/** Control words that end a line or separate cells. */
const BREAKS: Readonly<Record<string, string>> = {
  par: "\n",
  line: "\n",
  sect: "\n",
  page: "\n",
  row: "\n",
  cell: " | ",
  tab: "\t",
  emdash: "—",
  endash: "–",
  lquote: "‘",
  rquote: "’",
  ldblquote: "“",
  rdblquote: "”",
  bullet: "•",
};
const TOKEN = /\\([a-z]+)(-?\d+)? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|([^\\{}]+)/giy;

/**
 * The packages for RTF on npm are unmaintained or need a browser. The format without its looks is small: groups,
 * control words and escaped characters.
 */
export function rtfText(rtf: string): string {
  const western = new TextDecoder("windows-1252");
  const out: string[] = [];
  const groups: { isHidden: boolean; skip: number }[] = [{ isHidden: false, skip: 1 }];
  let toSkip = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(rtf); match !== null; match = TOKEN.exec(rtf)) {
    const [, word, number, hex, symbol, brace, text] = match;
    const group = groups.at(-1)!;
    if (brace === "{") {
      const isHidden =
        group.isHidden || HIDDEN.test(rtf.slice(TOKEN.lastIndex, TOKEN.lastIndex + 30));
      groups.push({ ...group, isHidden });
    } else if (brace === "}") {
      if (groups.length > 1) groups.pop();
    } else if (word === "uc") group.skip = Number(number ?? 1);
    else if (group.isHidden) continue;
    else if (word === "u") {
      out.push(String.fromCodePoint((Number(number) + 65_536) % 65_536));
      toSkip = group.skip; // what follows is for readers without Unicode
    } else if (word !== undefined) out.push(BREAKS[word] ?? "");
    else if (hex !== undefined) {
      if (toSkip > 0) toSkip -= 1;
      else out.push(western.decode(Uint8Array.of(Number.parseInt(hex, 16))));
    } else if (symbol !== undefined)
      out.push(symbol === "~" ? " " : /[\\{}]/.test(symbol) ? symbol : "");
    else if (text !== undefined) {
      const plain = text.replace(/[\r\n]/g, "");
      out.push(plain.slice(toSkip));
      toSkip = Math.max(0, toSkip - plain.length);
    }
  }
  return out.join("");
}
