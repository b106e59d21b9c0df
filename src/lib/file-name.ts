/** File names come from strangers. A safe one is recognisable to a person and valid in every file system. */
import { cutToBytes } from "./cut-to-bytes.ts";

export interface FileNameRules {
  readonly bytesMax: number;
  /** Removed: invisible characters, and those that reverse the reading direction. */
  readonly invisible: RegExp;
  /** Replaced by `_`. */
  readonly awkward: RegExp;
  /** Turns every run of whitespace into a single space. */
  readonly joinsBlanks: boolean;
  /** Removed from the beginning and from the end. */
  readonly leading: RegExp;
  readonly trailing: RegExp;
  /** Truncates a long name before its extension. */
  readonly keepsEnding: boolean;
  /** A name without meaningful characters becomes `document`. */
  readonly empty: RegExp;
  /** Names that an operating system reserves get a `_` in front. */
  readonly reserved: RegExp;
}

/** For drives and downloads: what Windows or SharePoint forbid, or what has a meaning in a URL. */
export const DRIVE_NAMES: FileNameRules = {
  bytesMax: 255,
  invisible:
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ud800-\udfff\ufeff]/gu,
  awkward: /[:*?"<>|#%]/gu,
  joinsBlanks: true,
  leading: /^[\s~]+/u,
  trailing: /[\s.]+$/u,
  keepsEnding: true,
  empty: /^[._]*$/u,
  reserved: /^(?:con|prn|aux|nul|com\d|lpt\d|\.lock|desktop\.ini|_vti_.*)(?:\.|$)/iu,
};

/**
 * For paths in the archive, without the extension `.pdf`, which the path adds again. These rules decide where
 * a document is stored: a change would archive the same document a second time.
 */
export const ARCHIVE_NAMES: FileNameRules = {
  bytesMax: 150,
  invisible:
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu,
  // Some tools read brackets as wildcards. Half of a surrogate pair has no encoding of its own.
  awkward: /[:*?"<>|#%[\]\ufffd\ud800-\udfff]/gu,
  joinsBlanks: false,
  leading: /^[.\s]+/u,
  trailing: /(?:\.pdf|[.\s])+$/iu,
  keepsEnding: false,
  empty: /^$/u,
  reserved: /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu,
};

const FALLBACK = "document";
/** A hostile name is truncated to this many times its final length before anything searches it. */
const READ_FACTOR = 4;

/** Returns one plain part of a path, never empty. Drops everything up to the last slash or backslash. */
export function safeFileName(name: string, rules: FileNameRules = DRIVE_NAMES): string {
  const last = name.split(/[/\\]/u).findLast(hasContent) ?? "";
  const visible = cut(last, READ_FACTOR * rules.bytesMax, rules)
    .normalize("NFC")
    .replace(rules.invisible, "")
    .replace(rules.awkward, "_");
  const plain = trim(rules.joinsBlanks ? visible.replace(/\s+/gu, " ") : visible, rules);
  const safe = trim(cut(plain, rules.bytesMax, rules), rules);
  if (rules.empty.test(safe)) return FALLBACK;
  return rules.reserved.test(safe) ? cut(`_${safe}`, rules.bytesMax, rules) : safe;
}

/** A safe name for a drive that ends with exactly one `.pdf`, however many there were. */
export function pdfFileName(name: string): string {
  const baseName = safeFileName(name).replace(/(?:\.pdf)+$/iu, "");
  return cut(`${baseName === "" ? FALLBACK : baseName}.pdf`, DRIVE_NAMES.bytesMax, DRIVE_NAMES);
}

function hasContent(part: string): boolean {
  return !/^[.\s]*$/u.test(part);
}

function trim(name: string, { leading, trailing }: FileNameRules): string {
  return name.replace(trailing, "").replace(leading, "");
}

const ENDING_LENGTH_MAX = 10;

function cut(name: string, bytesMax: number, { keepsEnding }: FileNameRules): string {
  if (Buffer.byteLength(name) <= bytesMax) return name;
  const dot = name.lastIndexOf(".");
  const hasEnding = keepsEnding && dot > 0 && name.length - dot <= ENDING_LENGTH_MAX;
  const ending = hasEnding ? name.slice(dot) : "";
  const baseName = hasEnding ? name.slice(0, dot) : name;
  return cutToBytes(baseName, bytesMax - Buffer.byteLength(ending)).trimEnd() + ending;
}
