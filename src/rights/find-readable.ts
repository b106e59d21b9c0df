import { Fault } from "../lib/fault.ts";
import type { DataverseClient } from "../microsoft/dataverse/dataverse-client.ts";

/** How many documents are checked in one query. */
export const READABLE_MAX = 200;

/** A later response does not count. */
const ASK_MS_MAX = 20_000;

/** Stands for no document: the question takes as long and fails in the same way, whether or not something was found. */
const NO_DOCUMENT = "00000000-0000-0000-0000-000000000000";

/**
 * Which of these documents the caller may read now, in one request: Dataverse lists only rows that the caller may
 * read. Throws if Dataverse gives no complete answer, and then nothing may be shown.
 */
export async function findReadable(
  dataverse: DataverseClient,
  documentIds: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (documentIds.length > READABLE_MAX) throw new Error("too many documents for one question");
  const ids = documentIds.length === 0 ? [NO_DOCUMENT] : documentIds;
  const quotedIds = ids.map((id) => `'${id}'`).join(",");
  const filter = `Microsoft.Dynamics.CRM.In(PropertyName='sprk_documentid',PropertyValues=[${quotedIds}])`;
  const limit = AbortSignal.timeout(ASK_MS_MAX);
  const answer = await dataverse.call<{ value?: { sprk_documentid?: unknown }[] }>({
    path: `sprk_documents?$select=sprk_documentid&$filter=${encodeURIComponent(filter)}`,
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  if (!Array.isArray(answer?.value))
    throw new Fault("dataverse.unavailable", "Dataverse did not say what may be read");
  const asked = new Set(documentIds);
  const readable = answer.value.map(({ sprk_documentid: id }) => String(id).toLowerCase());
  // Ids that were not asked about do not count.
  return new Set(readable.filter((id) => asked.has(id)));
}
