import type { StoredAttachment } from "./mail-model.ts";

/** Exchange counts its own wrapping too, so this is near the length of the file and seldom equal. */
const WRAPPING_BYTES = 178;

export function sizeOf(attachment: StoredAttachment): number {
  if (attachment.bytes !== null) return attachment.bytes.length + WRAPPING_BYTES;
  if (attachment.item !== null) return attachment.item.body.content.length + 2 * WRAPPING_BYTES;
  return (attachment.sourceUrl?.length ?? 0) + WRAPPING_BYTES;
}
