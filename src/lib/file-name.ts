/** Names come from strangers. What stays is what a person would recognise and no file system minds. */

const BYTES_MAX = 255;
/** Controls, marks that turn the reading direction, halves of surrogate pairs. */
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff]/gu;
/** Forbidden by Windows or SharePoint, or with a meaning in an address. */
const FORBIDDEN = /[:*?"<>|#%]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|\.lock|desktop\.ini|_vti_.*)(?:\.|$)/iu;

/** A name without folders that every store takes, at most 255 bytes long; its ending is kept. */
export function safeFileName(name: string, fallback = "document"): string {
  const lastPart = name.normalize("NFC").split(/[/\\]/u).at(-1)!;
  const visible = lastPart.replace(INVISIBLE, "").replace(FORBIDDEN, "_");
  const trimmed = visible.replace(/\s+/gu, " ").replace(/^[\s~]+|[\s.]+$/gu, "");
  if (trimmed === "" || /^[._]+$/u.test(trimmed)) return fallback;
  return shorten(RESERVED.test(trimmed) ? `_${trimmed}` : trimmed);
}

/** The same with exactly one `.pdf` at its end, however many or in whatever case there were. */
export function pdfFileName(name: string): string {
  const stem = safeFileName(name).replace(/(?:\.pdf)+$/iu, "");
  return shorten(`${stem === "" ? "document" : stem}.pdf`);
}

/** Cuts whole characters from before the ending until the name fits. */
function shorten(name: string): string {
  if (Buffer.byteLength(name) <= BYTES_MAX) return name;
  const dot = name.lastIndexOf(".");
  const ending = dot > 0 && name.length - dot <= 10 ? name.slice(dot) : "";
  const stem = [...name.slice(0, name.length - ending.length)];
  let left = BYTES_MAX - Buffer.byteLength(ending);
  let kept = "";
  for (const char of stem) {
    left -= Buffer.byteLength(char);
    if (left < 0) break;
    kept += char;
  }
  return kept.trimEnd() + ending;
}
