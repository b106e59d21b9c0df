import type { Field } from "./note.ts";

/** What a note says, before a skin decides how it looks. */
export type Block =
  | { kind: "heading"; text: Cell }
  | { kind: "paragraph"; text: Cell; isSmall?: boolean }
  | { kind: "facts"; facts: Fact[] }
  | { kind: "table"; columns: Column[]; rows: Cell[][] }
  | { kind: "sums"; sums: Sum[] }
  | { kind: "page-break" };

/** A value that is recorded as true: which trade and which field it prints. */
export interface Tagged {
  trade: number;
  field: Field;
  text: string;
}

export type Cell = (string | Tagged)[];

export interface Fact {
  label: string;
  value: Cell;
}

export interface Column {
  label: string;
  align: "left" | "right";
  /** The column's share of the width, relative to the sum of all shares. */
  share: number;
}

export interface Sum {
  label: string;
  value: Cell;
  isTotal?: boolean;
}

export function cellText(cell: Cell): string {
  return cell.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}
