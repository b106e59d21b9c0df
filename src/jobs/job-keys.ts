import { sha256Hex } from "../lib/hash.ts";
import { toStorableText } from "../store/database.ts";

const KEY_BYTES_MAX = 1_000;
const KEY_START = 200;

/**
 * A key as it is stored. An index cannot hold long keys, so those are truncated and end in a hash of the
 * whole key.
 */
export function toStoredKey(key: string): string {
  const text = toStorableText(key, Number.MAX_SAFE_INTEGER);
  if (text.length <= KEY_BYTES_MAX / 3 || Buffer.byteLength(text) <= KEY_BYTES_MAX) return text;
  return `${toStorableText(text, KEY_START)}…${sha256Hex(text)}`;
}

// The format of these keys is fixed because other programs use it too.

/** Each stage of a piece of work is done once, independently of the others. */
export const stageKey = (jobId: string, stage: string): string => `${jobId}-${stage}`;

/** A document is indexed once for each version of its row. */
export const documentIndexKey = (documentId: string, rowVersion: string | number): string =>
  `doc-${documentId}-v${rowVersion}`;

/**
 * A document is analysed once for each kind of analysis and, if the caller knows it, for each version of its
 * content: without one, a changed document would count as done for a week.
 */
export const analysisKey = (documentId: string, kind: string, version?: string): string =>
  version === undefined
    ? `analysis-${documentId}-${kind}`
    : `analysis-${documentId}-${kind}-${version}`;
