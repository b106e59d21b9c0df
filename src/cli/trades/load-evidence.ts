import type { EvidenceBundle, EvidenceSelector } from "../../archive/evidence.ts";
import { ApiError, withApi } from "../base/client.ts";

type Transported = Omit<EvidenceBundle, "messages" | "documents"> & {
  messages: (Omit<EvidenceBundle["messages"][number], "eml"> & { eml: string | null })[];
  documents: (Omit<EvidenceBundle["documents"][number], "bytes"> & { bytes: string | null })[];
};

/** Loads the contents of an evidence folder from the running server; null if the server has none. */
export async function loadEvidence(subject: EvidenceSelector): Promise<EvidenceBundle | null> {
  const bundle = await withApi((api) =>
    api.get<Transported>("/api/evidence", { ...subject }),
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
