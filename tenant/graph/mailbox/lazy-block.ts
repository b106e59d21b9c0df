/**
 * A large number of messages that exist only as a rule: message `index` is generated when it is read and then
 * forgotten. A message that is changed or moved becomes an ordinary message of the store, and leaves a hole
 * here.
 */
import type { MessageDraft } from "./mail-model.ts";

export interface LazyBlock {
  readonly firstKey: number;
  readonly count: number;
  readonly generate: (index: number) => MessageDraft;
  /** Indexes of messages that are now ordinary ones. */
  readonly holes: Set<number>;
  /** The same in ascending order, so that a position can be found by counting. */
  readonly sortedHoles: number[];
}

export function createLazyBlock(
  firstKey: number,
  count: number,
  generate: (index: number) => MessageDraft,
): LazyBlock {
  return { firstKey, count, generate, holes: new Set(), sortedHoles: [] };
}

export function remaining(block: LazyBlock): number {
  return block.count - block.holes.size;
}

export function has(block: LazyBlock, key: number): boolean {
  const index = key - block.firstKey;
  return index >= 0 && index < block.count && !block.holes.has(index);
}

export function makeHole(block: LazyBlock, index: number): void {
  if (block.holes.has(index)) return;
  block.holes.add(index);
  let at = block.sortedHoles.length;
  while (at > 0 && block.sortedHoles[at - 1]! > index) at -= 1;
  block.sortedHoles.splice(at, 0, index);
}

/** The index of the n-th message from the newest end, or -1 if there are fewer. */
export function indexFromEnd(block: LazyBlock, position: number): number {
  let index = block.count - 1 - position;
  for (let at = block.sortedHoles.length - 1; at >= 0; at--) {
    if (block.sortedHoles[at]! >= index) index -= 1;
    else break;
  }
  return index;
}
