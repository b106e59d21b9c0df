import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { lineOf, type Page, type Reading, readingOf, type Word } from "./reading.ts";
import { isolate } from "./sandbox-command.ts";

/** Reads pages that are pictures. */
export interface Ocr {
  /** Null if there is no text. */
  read(bytes: Uint8Array, signal?: AbortSignal): Promise<Reading | null>;
}

export interface OcrOptions {
  /** Folders to search for the programs, in order. */
  folders?: readonly string[];
  /** Languages by Tesseract's names; their data must be installed. */
  languages?: readonly string[];
  pagesMax?: number;
  pageMsMax?: number;
}

const FOLDERS = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
/** Programs and their data: fonts, languages, and everything else that they need. */
const SYSTEM = [
  ...["/bin", "/usr/bin", "/usr/local/bin", "/usr/local/lib"],
  ...["/usr/share", "/usr/local/share", "/etc/fonts", "/etc/alternatives", "/dev/null"],
];
const DOTS_PER_INCH = 200;
/** Points per inch. */
const POINTS = 72;

/**
 * OCR with `pdftoppm` and `tesseract`, as processes without network or files: content goes in and words come
 * out through pipes. Null if either program is not installed.
 */
export function findTesseract(options: OcrOptions = {}): Ocr | null {
  const folders = options.folders ?? FOLDERS;
  const find = (name: string) => folders.map((folder) => join(folder, name)).find(existsSync);
  const painter = find("pdftoppm");
  const recogniser = find("tesseract");
  if (painter === undefined || recogniser === undefined) return null;
  const languages = (options.languages ?? ["eng"]).join("+");
  const run = createRunner(options.pageMsMax ?? 30_000);

  return {
    async read(bytes, signal) {
      const pages: Page[] = [];
      for (let number = 1; number <= (options.pagesMax ?? 10); number++) {
        const range = ["-f", String(number), "-l", String(number)];
        const paint = [painter, "-q", "-r", String(DOTS_PER_INCH), "-gray", "-png", ...range, "-"];
        const picture = await run(paint, bytes, signal);
        // There is no picture after the last page.
        if (picture === null || picture.length === 0) break;
        const table = await run(
          [recogniser, "stdin", "stdout", "-l", languages, "tsv"],
          picture,
          signal,
        );
        pages.push(pageOf(number, picture, table?.toString("utf8") ?? ""));
      }
      return pages.some((page) => page.lines.length > 0) ? readingOf(pages) : null;
    },
  };
}

/** Runs a program on the given input; null if it fails or times out. */
function createRunner(msMax: number) {
  return (command: string[], input: Uint8Array, signal?: AbortSignal): Promise<Buffer | null> => {
    const [program] = command;
    const { file, args } = isolate(
      command,
      [...SYSTEM.filter(existsSync), program!],
      ["/usr/bin/test", "-x", program!],
    );
    const limits = { timeout: msMax, killSignal: "SIGKILL", maxBuffer: 64 * 2 ** 20 } as const;
    return new Promise((resolve, reject) => {
      const options = { ...limits, env: {}, cwd: "/", encoding: "buffer", signal } as const;
      const child = execFile(file, args, options, (error, stdout) => {
        if (signal?.aborted) reject(signal.reason);
        else resolve(error === null ? stdout : null);
      });
      // A program may close its input early; only its output counts.
      child.stdin?.on("error", () => {});
      child.stdin?.end(input);
    });
  };
}

/** Width and height of a PNG are at fixed positions of its first chunk. */
function pageOf(number: number, picture: Buffer, table: string): Page {
  const scale = POINTS / DOTS_PER_INCH;
  const width = picture.length >= 24 ? picture.readUInt32BE(16) * scale : 0;
  const height = picture.length >= 24 ? picture.readUInt32BE(20) * scale : 0;
  return { number, width, height, lines: linesOf(table, scale) };
}

/**
 * Tesseract's table has these columns: level, page, block, paragraph, line, word, left, top, width, height,
 * confidence, text. Words of one line share the values of the columns up to `line`.
 */
function linesOf(table: string, scale: number): Page["lines"] {
  const lines = new Map<string, Word[]>();
  for (const row of table.split("\n").slice(1)) {
    const columns = row.split("\t");
    const text = columns[11]?.trim() ?? "";
    if (columns[0] !== "5" || text === "") continue;
    const [x, y, width, height] = columns.slice(6, 10).map((value) => Number(value) * scale);
    const key = columns.slice(1, 5).join("/");
    const word = { text, x: x!, y: y!, width: width!, height: height! };
    lines.set(key, [...(lines.get(key) ?? []), word]);
  }
  const byTop = [...lines.values()].sort((a, b) => a[0]!.y - b[0]!.y);
  return byTop.map((words) => lineOf(words.sort((a, b) => a.x - b.x)));
}
