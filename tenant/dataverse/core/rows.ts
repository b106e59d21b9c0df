import type { Random } from "../../random.ts";
import type { Table } from "../schema/schema.ts";

/** The value of a lookup. */
export interface Reference {
  readonly table: string;
  readonly id: string;
}

export type Value = string | number | boolean | null | Reference;

export interface Row {
  readonly id: string;
  /** Increases with every change anywhere; the ETag is derived from it. */
  version: number;
  values: Record<string, Value>;
}

/** What change tracking remembers about a deleted row. */
export interface Deletion {
  readonly id: string;
  readonly version: number;
}

export interface Rows {
  get(table: Table, id: string): Row | null;
  all(table: Table): Row[];
  /** The rows whose lookup points to a row. */
  childrenOf(table: Table, attribute: string, parentId: string): Row[];
  insert(table: Table, id: string, values: Record<string, Value>): Row;
  update(table: Table, row: Row, values: Record<string, Value>): void;
  remove(table: Table, row: Row): void;
  /** The row with these values in these columns, or null. */
  findByKey(table: Table, columns: readonly string[], values: Record<string, Value>): Row | null;
  newId(): string;
  /** The version of the newest change anywhere. */
  version(): number;
  /** Rows of a table that were deleted after a version, oldest first. */
  deletedSince(table: Table, version: number): readonly Deletion[];
  snapshot(): unknown;
  restore(state: unknown): void;
}

export function createRows(random: Random): Rows {
  const tables = new Map<string, Map<string, Row>>();
  /** For each alternate key: maps its values, as one text, to the row's id. */
  const keys = new Map<string, Map<string, string>>();
  const deletions = new Map<string, Deletion[]>();
  let version = 1_000_000;

  const rowsOf = (name: string) => {
    const known = tables.get(name) ?? new Map<string, Row>();
    tables.set(name, known);
    return known;
  };
  const indexOf = (table: Table, columns: readonly string[]) => {
    const name = `${table.name}/${columns.join(",")}`;
    let index = keys.get(name);
    if (index === undefined) {
      index = new Map();
      keys.set(name, index);
      for (const row of rowsOf(table.name).values()) enter(index, columns, row);
    }
    return index;
  };
  const enter = (index: Map<string, string>, columns: readonly string[], row: Row) => {
    const text = keyText(columns, row.values);
    if (text !== null) index.set(text, row.id);
  };
  const leave = (table: Table, row: Row) => {
    for (const { columns } of table.keys) {
      const text = keyText(columns, row.values);
      if (text !== null) indexOf(table, columns).delete(text);
    }
  };
  const enterAll = (table: Table, row: Row) => {
    for (const { columns } of table.keys) enter(indexOf(table, columns), columns, row);
  };

  return {
    get: (table, id) => rowsOf(table.name).get(id.toLowerCase()) ?? null,
    all: (table) => [...rowsOf(table.name).values()],
    childrenOf: (table, attribute, parentId) =>
      [...rowsOf(table.name).values()].filter(({ values }) => {
        const reference = values[attribute];
        return isReference(reference) && reference.id === parentId;
      }),
    insert(table, id, values) {
      const row = { id: id.toLowerCase(), version: ++version, values };
      rowsOf(table.name).set(row.id, row);
      enterAll(table, row);
      return row;
    },
    update(table, row, values) {
      leave(table, row);
      row.values = { ...row.values, ...values };
      row.version = ++version;
      enterAll(table, row);
    },
    remove(table, row) {
      leave(table, row);
      rowsOf(table.name).delete(row.id);
      const gone = deletions.get(table.name) ?? [];
      deletions.set(table.name, gone);
      gone.push({ id: row.id, version: ++version });
    },
    findByKey(table, columns, values) {
      const text = keyText(columns, values);
      const id = text === null ? undefined : indexOf(table, columns).get(text);
      return id === undefined ? null : (rowsOf(table.name).get(id) ?? null);
    },
    newId: () => random.uuid(),
    version: () => version,
    deletedSince: (table, since) =>
      (deletions.get(table.name) ?? []).filter(
        (gone) => gone.version > since && !rowsOf(table.name).has(gone.id),
      ),
    snapshot: () => ({
      version,
      tables: [...tables].map(([name, rows]) => [name, [...rows.values()]]),
      deletions: [...deletions],
    }),
    restore(state) {
      const saved = state as {
        version: number;
        tables: [string, Row[]][];
        deletions?: [string, Deletion[]][];
      };
      deletions.clear();
      for (const [name, gone] of saved.deletions ?? []) deletions.set(name, gone);
      tables.clear();
      keys.clear();
      version = saved.version;
      for (const [name, rows] of saved.tables) {
        tables.set(name, new Map(rows.map((row) => [row.id, row])));
      }
    },
  };
}

/** Null if one of the columns is empty: the key does not apply to such rows. */
function keyText(columns: readonly string[], values: Record<string, Value>): string | null {
  const parts = columns.map((column) => values[column] ?? null);
  if (parts.some((part) => part === null)) return null;
  return JSON.stringify(
    parts.map((part) => (isReference(part) ? part.id : String(part).toLowerCase())),
  );
}

export function isReference(value: Value | undefined): value is Reference {
  return typeof value === "object" && value !== null;
}

export function eTagOf(row: Row): string {
  return `W/"${row.version}"`;
}
