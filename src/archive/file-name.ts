const NAME_BYTES_MAX = 150;

// Invisible characters and those that turn the direction of writing: a name must look like what it is.
const INVISIBLE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;
const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// Forbidden by some system, or read as a wildcard, an escape or a fragment by some tool.
const AWKWARD = /[:*?"<>|#%[\]\ufffd]/g;
const RESERVED = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * A name from outside as one plain part of a path, without the ending `.pdf`. Whatever stood before the
 * last slash or backslash is dropped. The answer is never empty and never longer than 150 bytes.
 */
export function toSafeFileName(filename: string): string {
  const last = filename.split(/[/\\]/).filter(hasContent).at(-1) ?? "";
  // Cut before anything is searched in it, so that a hostile name costs no time.
  const visible = cutToBytes(last, 4 * NAME_BYTES_MAX)
    .normalize("NFC")
    .replace(INVISIBLE, "");
  const plain = withoutEnds(visible.replace(AWKWARD, "_"));
  const name = withoutEnds(cutToBytes(plain, NAME_BYTES_MAX));
  if (name === "") return "document";
  return RESERVED.test(name) ? `_${name}` : name;
}

function hasContent(part: string): boolean {
  return !/^[.\s]*$/.test(part);
}

/**
 * Takes away every ending `.pdf`, since one is put back, and the dots and blanks at either end: hidden
 * files on one system, lost characters on another.
 */
function withoutEnds(name: string): string {
  const shorter = name.replace(/[.\s]+$/, "").replace(/\.pdf$/i, "");
  return shorter === name ? name.replace(/^[.\s]+/, "") : withoutEnds(shorter);
}

/** As many whole characters as fit. Half of a surrogate pair becomes U+FFFD, which every store takes. */
export function cutToBytes(text: string, bytesMax: number): string {
  let bytes = 0;
  let kept = "";
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > bytesMax) break;
    kept += character;
  }
  return kept.replace(LONE_SURROGATE, "\ufffd");
}
