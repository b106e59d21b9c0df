/** Idempotency keys that other programs know too; their form is fixed. */

/** Each stage of a piece of work is done once, whatever becomes of the others. */
export const stageKey = (jobId: string, stage: string): string => `${jobId}-${stage}`;

/** A document is indexed once for each version of its row. */
export const documentIndexKey = (documentId: string, rowVersion: string | number): string =>
  `doc-${documentId}-v${rowVersion}`;

/**
 * A document is analysed once for each kind of analysis and, where the caller knows it, for each
 * version of its content: without one, a changed document would count as done for a week.
 */
export const analysisKey = (documentId: string, kind: string, version?: string): string =>
  version === undefined
    ? `analysis-${documentId}-${kind}`
    : `analysis-${documentId}-${kind}-${version}`;
