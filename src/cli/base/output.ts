import { processEnvironment } from "../../config.ts";
import { pc } from "./colours.ts";
import { type Column, layOut } from "./table.ts";

/** Where a command writes. Data goes to stdout, messages to stderr. */
export interface Output {
  /** One JSON object per line. */
  json(value: unknown): void;
  line(text?: string): void;
  /** Rows as aligned columns, or one below the other if the terminal is too narrow. */
  table(columns: readonly Column[], rows: readonly (readonly string[])[]): void;
  note(text: string): void;
  readonly terminal: Terminal;
}

export interface Terminal {
  write(text: string): void;
  writeNote(text: string): void;
  /** Null if nothing limits the length of a line, as in a file. */
  readonly columns: number | null;
  /** With `--json`, notes and errors are JSON too. */
  readonly isJson: boolean;
  /** Whether a person watches the progress of a command. */
  readonly isWatched: boolean;
}

export function createOutput(given: Partial<Terminal> = {}): Output {
  const terminal = { ...thisTerminal({ isJson: false }), ...given };
  const { write, writeNote, columns, isJson } = terminal;
  return {
    json: (value) => write(`${JSON.stringify(value)}\n`),
    line: (text = "") => write(`${text}\n`),
    table: (heads, rows) => {
      for (const line of layOut(heads, rows, columns)) write(`${line}\n`);
    },
    note: (text) => writeNote(isJson ? `${JSON.stringify({ note: text })}\n` : `${text}\n`),
    terminal,
  };
}

export function thisTerminal({ isJson }: { readonly isJson: boolean }): Terminal {
  const columns = Number(processEnvironment()["COLUMNS"]);
  return {
    write: (text) => void process.stdout.write(text),
    writeNote: (text) => void process.stderr.write(text),
    columns: columns > 0 ? columns : (process.stdout.columns ?? null),
    isJson,
    isWatched: process.stderr.isTTY === true && !isJson,
  };
}

/** An error message for a person, in the same form for every command. */
export function formatError(message: string): string {
  return `${pc.red("postroom:")} ${message}\n`;
}

/** Text from outside may contain terminal control codes; a terminal must not execute them. */
export function plain(text: string | null | undefined): string {
  return (text ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");
}

/** `2026-11-15T09:30:12Z`: with its zone, and in a format that options such as `--since` accept. */
export function shortTime(time: string | Date | null | undefined): string {
  if (time === null || time === undefined) return "–";
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** `1 page`, `2 pages`. */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : plural}`;
}
