/** Attachments that are not filed: images in signatures, calendar entries, programs. They remain in the mail. */
import type { MailAttachmentRow } from "./filed-mail.ts";

const SMALL_IMAGE_BYTES = 5 * 1024;
const BLOCKED = /\.(?:exe|dll|bat|ps1|vbs|js|cmd|com|scr)$/i;
const CALENDAR = /\.(?:ics|vcs)$/i;
const IMAGE = /\.(?:png|gif|jpe?g|bmp|svg)$/i;
const SIGNATURE =
  /^(?:image\d{3,}|spacer|logo|signature|pixel|tracking|blank)[^/]*\.(?:png|gif|jpe?g|bmp|svg)$/i;

/** Why an attachment is not filed on its own; null if it is. */
export function whyNotFiled(
  attachment: Pick<MailAttachmentRow, "name" | "size">,
  bytesMax: number,
): string | null {
  const { name, size } = attachment;
  if (size === 0) return "it is empty";
  if (size > bytesMax) return `it is larger than ${bytesMax} bytes`;
  if (BLOCKED.test(name)) return "it is a program";
  if (CALENDAR.test(name)) return "it is a calendar entry";
  if (SIGNATURE.test(name)) return "it looks like an image from an e-mail signature";
  if (IMAGE.test(name) && size < SMALL_IMAGE_BYTES) return "it is an image smaller than 5 KB";
  return null;
}
