/** Completes what a person types, from the names of documents and matters that this person may read now. */
import type { Sender } from "../../filing/actors.ts";
import { findNamed } from "../../search/indexed-document-table.ts";
import type { Suggestion } from "../specs/search.ts";
import { askRights, type SearchNeeds } from "./search-documents.ts";

export async function suggestDocuments(
  needs: SearchNeeds,
  caller: Sender,
  text: string,
  limit: number,
  signal?: AbortSignal,
): Promise<Suggestion[]> {
  const found = await findNamed(needs.database, needs.tenantId, text);
  const ids = found.map(({ documentId }) => documentId);
  const readable = await askRights(needs, caller, ids, signal);
  const suggestions = new Map<string, Suggestion>();
  for (const { documentId, name, parentId, parentName } of found) {
    if (!readable.has(documentId)) continue;
    const isName = name.toLowerCase().includes(text.toLowerCase());
    const suggestion: Suggestion = isName
      ? { type: "document", id: documentId, text: name }
      : { type: "parent", id: parentId!, text: parentName! };
    suggestions.set(suggestion.id, suggestion);
  }
  return [...suggestions.values()].slice(0, limit);
}
