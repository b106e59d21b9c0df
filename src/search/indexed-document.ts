/** A document as the index knows it. */
export interface DocumentFacts {
  readonly documentId: string;
  readonly tenantId: string;
  readonly name: string;
  /** The kind of file, such as `pdf`; null if it has no text. */
  readonly kind: string | null;
  readonly parentType: string | null;
  readonly parentId: string | null;
  readonly parentName: string | null;
  readonly sender: string | null;
  readonly mailbox: string | null;
  readonly datedAt: Date | null;
  readonly webUrl: string | null;
  readonly driveId: string | null;
  readonly itemId: string | null;
}

export interface IndexedDocument extends DocumentFacts {
  /** The row version in Dataverse that was read. */
  readonly version: string;
  readonly sha256: string;
  readonly generation: number;
  readonly language: string;
  readonly chunkCount: number;
  /** Why there is no text; null if there is some. */
  readonly reason: string | null;
  readonly createdAt: Date;
  readonly indexedAt: Date;
}

/** Chunk ids contain their generation, so that an id never refers to two texts. */
export const chunkId = (documentId: string, index: number, generation: number): string =>
  `${documentId}_${index}_v${generation}`;
