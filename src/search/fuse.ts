/** Merges lists of hits by reciprocal rank: hits that rank high in several lists come first, whatever their scores mean. */
export interface RankedList {
  readonly hits: readonly Ranked[];
  /** How much its ranks count: 1, or less for a list that is known to be worse than others. */
  readonly weight: number;
}

export interface Ranked {
  readonly no: number;
  readonly documentId: string;
  /** The row that the document belongs to. */
  readonly parentId: string | null;
}

export interface Fused extends Ranked {
  /** The weighted sum of the reciprocal ranks. */
  readonly strength: number;
  /** 1 for the first hit of a list that counts fully, falling with the rank; comparable between questions. */
  readonly score: number;
}

/** The usual constant: the first ranks differ little, so that two lists outvote one. */
const RANK_OFFSET = 60;

export function fuse(lists: readonly RankedList[]): Fused[] {
  const fused = new Map<number, Fused>();
  for (const { hits, weight } of lists)
    for (const [rank, { no, documentId, parentId }] of hits.entries()) {
      const known = fused.get(no);
      fused.set(no, {
        no,
        documentId,
        parentId,
        strength: (known?.strength ?? 0) + weight / (RANK_OFFSET + rank + 1),
        score: Math.max(known?.score ?? 0, (weight * (RANK_OFFSET + 1)) / (RANK_OFFSET + rank + 1)),
      });
    }
  return [...fused.values()].sort((a, b) => b.strength - a.strength || a.no - b.no);
}
