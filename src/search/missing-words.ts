import type { Queryable } from "../store/database.ts";
import { findMissing } from "./chunk-table.ts";
import type { CandidateDocument } from "./readable-ranks.ts";
import type { UnderstoodQuery } from "./understand-query.ts";

/** Words of a question that do not occur as typed in the matching parts of these documents. */
export async function findMissingWords(
  on: Queryable,
  found: { readonly query: UnderstoodQuery; readonly documents: readonly CandidateDocument[] },
): Promise<string[]> {
  const { typed } = found.query;
  const nos = found.documents.flatMap(({ chunks }) => chunks).map(({ no }) => no);
  const known = typed.flatMap(({ word, stems }) => (stems === null ? [] : { word, stems }));
  const missing = new Set(known.length === 0 ? [] : await findMissing(on, nos, known));
  return typed
    .filter(({ word, stems }) => stems === null || missing.has(word))
    .map(({ word }) => word);
}
