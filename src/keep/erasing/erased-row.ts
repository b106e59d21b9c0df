/** One line of the report of an erasure. */
export interface ErasedRow {
  /** `index` and `file` are outside the database: the caller removes them. */
  readonly action: "erased" | "redacted" | "kept" | "file" | "index";
  readonly place: string;
  readonly item: string | null;
  readonly count: number;
  readonly reason: string | null;
}

export const toErased = (place: string, count: number): ErasedRow => ({
  action: "erased",
  place,
  item: null,
  count,
  reason: null,
});

export const toRedacted = (place: string, count: number): ErasedRow => ({
  action: "redacted",
  place,
  item: null,
  count,
  reason: null,
});

export const toKept = (place: string, item: string, reason: string): ErasedRow => ({
  action: "kept",
  place,
  item,
  count: 1,
  reason,
});

export const toOutside = (action: "file" | "index", place: string, item: string): ErasedRow => ({
  action,
  place,
  item,
  count: 1,
  reason: null,
});
