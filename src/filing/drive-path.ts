/** Paths of files on a drive: a flat layout, and names that SharePoint accepts. */
import { safeFileName } from "../lib/file-name.ts";

const PATH_LENGTH_MAX = 400;
const PART_BYTES_MAX = 255;
const FORBIDDEN = /[\u0000-\u001f\u007f-\u009f"*:<>?\\|\u202a-\u202e\u2066-\u2069]/u;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|\.lock|desktop\.ini|.*_vti_.*|~\$.*)$/iu;

/** Checks the path that a caller asks for. A bad path is refused, not corrected: the caller must know where the file is. */
export function checkDrivePath(wanted: string): { path: string } | { problem: string } {
  const path = wanted.normalize("NFC").replace(/^\/+/, "");
  if (path === "" || path.endsWith("/")) return { problem: "the path must end with a file name" };
  if (path.length > PATH_LENGTH_MAX)
    return { problem: `the path is longer than ${PATH_LENGTH_MAX} characters` };
  const bad = path.split("/").find((part) => !isGoodName(part));
  if (bad !== undefined)
    return { problem: `SharePoint does not accept the name ${JSON.stringify(bad)}` };
  return { path };
}

function isGoodName(part: string): boolean {
  return (
    part !== "" &&
    !FORBIDDEN.test(part) &&
    !/[\ud800-\udfff]/u.test(part) &&
    !RESERVED.test(part) &&
    part === part.trim() &&
    !part.endsWith(".") &&
    Buffer.byteLength(part) <= PART_BYTES_MAX
  );
}

/** The last part of a path. */
export const nameIn = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

export const uploadPath = (name: string): string => `documents/${safeFileName(name)}`;

const EML_NAME_MAX = 100;

/** `2026-02-17_Fee_note.eml`: spaces and forbidden characters become underscores. */
export function emlFileName(date: Date, subject: string | null): string {
  const day = date.toISOString().slice(0, 10);
  const plain = (subject ?? "")
    .normalize("NFC")
    .replace(/[^\p{L}\p{N}.,()&'+=@!$;[\]{}^~-]+/gu, "_")
    .replace(/_+/g, "_")
    .replace(/^[._]+|[._]+$/g, "");
  const baseName = `${day}_${plain === "" ? "No_Subject" : plain}`;
  const cut = [...baseName].slice(0, EML_NAME_MAX - ".eml".length).join("");
  return `${cut.replace(/[._]+$/, "")}.eml`;
}

export const emlPath = (date: Date, subject: string | null): string =>
  `emails/${emlFileName(date, subject)}`;

export const attachmentPath = (documentId: string, name: string): string =>
  `emails/attachments/${documentId.replaceAll("-", "")}/${safeFileName(name)}`;

const NAMES_TRIED_MAX = 100;

/** `a.pdf`, `a 1.pdf`, `a 2.pdf` …: the names to try, in order. */
export function* otherPaths(path: string): Generator<string> {
  const slash = path.lastIndexOf("/") + 1;
  const dot = path.lastIndexOf(".");
  const end = dot > slash ? dot : path.length;
  yield path;
  for (let number = 1; number < NAMES_TRIED_MAX; number++)
    yield `${path.slice(0, end)} ${number}${path.slice(end)}`;
}

/** The path with a part of the filing's id after the name, so that every worker arrives at the same one. */
export function markedPath(path: string, id: string): string {
  const dot = path.lastIndexOf(".");
  const end = dot > path.lastIndexOf("/") ? dot : path.length;
  return `${path.slice(0, end)}_${id.slice(0, 8)}${path.slice(end)}`;
}
