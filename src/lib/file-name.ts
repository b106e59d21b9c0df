/** File names come from strangers. A safe one is recognisable to a person and valid in every file system. */
import { cutToBytes } from "./cut-to-bytes.ts";

export interface FileNameRules {
  readonly bytesMax: number;
  /** Removed: characters that nobody sees, or that reverse the direction of reading. */
  readonly invisible: RegExp;
  /** Replaced by `_`. */
  readonly awkward: RegExp;
  /** Turns every run of blanks into a single space. */
  readonly joinsBlanks: boolean;
  /** Removed from the beginning and from the end. */
  readonly leading: RegExp;
  readonly trailing: RegExp;
  /** A long name is cut in front of its ending. */
  readonly keepsEnding: boolean;
  /** A name that says nothing becomes `document`. */
  readonly empty: RegExp;
  /** Names that a system keeps for itself get a `_` in front. */
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
 * For paths in the archive, without the ending `.pdf`, which the path puts back. These rules decide where
 * a document lies: a change would archive the same document a second time.
 */
export const ARCHIVE_NAMES: FileNameRules = {
  bytesMax: 150,
  invisible:
    /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu,
  // Some tools read brackets as wildcards. Half of a surrogate pair has no bytes of its own.
  awkward: /[:*?"<>|#%[\]\ufffd\ud800-\udfff]/gu,
  joinsBlanks: false,
  leading: /^[.\s]+/u,
  trailing: /(?:\.pdf|[.\s])+$/iu,
  keepsEnding: false,
  empty: /^$/u,
  reserved: /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/iu,
};

const FALLBACK = "document";
/** A hostile name is cut to this many times its final length before anything searches in it. */
const READ_FACTOR = 4;

/** One plain part of a path, never empty. Everything up to the last slash or backslash is dropped. */
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

/** A safe name for a drive with exactly one `.pdf` at its end, however many there were. */
export function pdfFileName(name: string): string {
  const stem = safeFileName(name).replace(/(?:\.pdf)+$/iu, "");
  return cut(`${stem === "" ? FALLBACK : stem}.pdf`, DRIVE_NAMES.bytesMax, DRIVE_NAMES);
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
  const stem = hasEnding ? name.slice(0, dot) : name;
  return cutToBytes(stem, bytesMax - Buffer.byteLength(ending)).trimEnd() + ending;
}
