import pc from "picocolors";

/** Where a command writes. Data goes to stdout, messages to stderr. */
export interface Output {
  /** One JSON object per line. */
  json(value: unknown): void;
  line(text?: string): void;
  /** Rows as aligned columns; the last one may be long. */
  table(heads: readonly string[], rows: readonly (readonly string[])[]): void;
  note(text: string): void;
}

export function createOutput(
  write: (text: string) => void = (text) => void process.stdout.write(text),
  writeNote: (text: string) => void = (text) => void process.stderr.write(text),
): Output {
  return {
    json: (value) => write(`${JSON.stringify(value)}\n`),
    line: (text = "") => write(`${text}\n`),
    table(heads, rows) {
      const widths = heads.map((head, column) =>
        Math.min(
          60,
          Math.max(head.length, ...rows.map((row) => visible(row[column] ?? "").length)),
        ),
      );
      const format = (row: readonly string[]) =>
        row
          .map((cell, column) =>
            column === row.length - 1
              ? cell
              : cell + " ".repeat(Math.max(0, widths[column]! - visible(cell).length)),
          )
          .join("  ")
          .trimEnd();
      write(`${pc.dim(format(heads))}\n`);
      for (const row of rows) write(`${format(row)}\n`);
    },
    note: (text) => writeNote(`${text}\n`),
  };
}

/** Text from outside may hold terminal control codes; a terminal must not execute them. */
export function plain(text: string | null | undefined): string {
  return (text ?? "").replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, " ");
}

const ESCAPES = /\u001b\[[0-9;]*m/g;

function visible(text: string): string {
  return text.replace(ESCAPES, "");
}

/** `2026-11-15 09:30:12`, in UTC. */
export function shortTime(time: string | Date | null | undefined): string {
  if (time === null || time === undefined) return "–";
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
