import type { EvidenceBundle, EvidenceSelector } from "../../archive/evidence.ts";
import { answerOf } from "../../client/index.ts";
import { ApiError, withApi } from "../base/client.ts";

/** Loads the contents of an evidence folder from the running server; null if the server has none. */
export async function loadEvidence(subject: EvidenceSelector): Promise<EvidenceBundle | null> {
  const bundle = await withApi((api) =>
    answerOf(api.client.GET("/api/evidence", { params: { query: subject } })),
  ).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  });
  if (bundle === null) return null;
  const toBytes = (text: string | null) => (text === null ? null : Buffer.from(text, "base64"));
  return {
    ...bundle,
    messages: bundle.messages.map((message) => ({ ...message, eml: toBytes(message.eml) })),
    documents: bundle.documents.map((document) => ({
      ...document,
      bytes: toBytes(document.bytes),
    })),
  };
}
