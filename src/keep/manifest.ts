/** What a backup says about itself. */
import type { DumpedTable, SequenceState } from "./dump-table.ts";

export interface Manifest {
  readonly postroom: string;
  readonly takenAt: string;
  readonly migrations: readonly string[];
  readonly tables: readonly (DumpedTable & { readonly rows: number; readonly sha256: string })[];
  readonly sequences: readonly SequenceState[];
}

export const MANIFEST = "manifest.json";
export const fileOf = (name: string): string => `${name.replaceAll('"', "")}.jsonl.gz`;

export interface BackupResult {
  readonly tables: number;
  readonly rows: number;
}

export const countOf = ({ tables }: Manifest): BackupResult => ({
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
});
