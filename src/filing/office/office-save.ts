/** What a person saves from Outlook or Word, and the rules that need nothing but the request. */
import { canonicalJson } from "../../lib/canonical-json.ts";
import { sha256Hex } from "../../lib/hash.ts";
import type { Parent } from "../container.ts";
import { OfficeRefusal } from "./office-refusal.ts";

/** The tables that the add-in offers. */
export const TARGETS = [
  "account",
  "contact",
  "sprk_matter",
  "sprk_project",
  "sprk_invoice",
] as const satisfies readonly Parent["table"][];
export type TargetTable = (typeof TARGETS)[number];

export interface Target {
  readonly table: TargetTable;
  readonly id: string;
}

export const SAVED_KINDS = ["Email", "Attachment", "Document"] as const;
export type SavedKind = (typeof SAVED_KINDS)[number];

/** A file of the request, whose bytes are in the spool. */
export interface SavedFile {
  readonly name: string;
  readonly mimeType: string | null;
  readonly size: number;
  readonly sha256: string;
  readonly contentId?: string | null;
  readonly isInline?: boolean;
}

/** A message as its reader sees it. */
export interface SavedMail {
  readonly subject: string | null;
  readonly from: string | null;
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** ISO time. */
  readonly sentDate: string | null;
  readonly receivedDate: string | null;
  readonly internetMessageId: string | null;
  readonly conversationId: string | null;
}

export interface AiOptions {
  readonly profileSummary: boolean;
  readonly ragIndex: boolean;
  readonly deepAnalysis: boolean;
}

export interface OfficeSave {
  readonly kind: SavedKind;
  readonly target: Target;
  readonly containerId: string | undefined;
  readonly folderPath: string | undefined;
  /** The mail itself, the attachment or the document. */
  readonly main: SavedFile;
  /** Only of a message. */
  readonly attachments: readonly SavedFile[];
  /** Of a message and of an attachment. */
  readonly mail: SavedMail | null;
  /** Null if nothing but file and record is wanted. */
  readonly ai: AiOptions | null;
}

const MEGABYTE = 1024 * 1024;
export const FILE_BYTES_MAX = 25 * MEGABYTE;
export const SAVE_BYTES_MAX = 100 * MEGABYTE;

/** Files that run when somebody opens them. */
const BLOCKED =
  /\.(?:ade|adp|app|bat|chm|cmd|com|cpl|dll|exe|hta|inf|ins|isp|jar|js|jse|lnk|mde|msc|msi|msp|mst|pif|ps1|reg|scr|sct|shb|sys|vb|vbe|vbs|wsc|wsf|wsh)$/i;

export function isBlockedName(name: string): boolean {
  return BLOCKED.test(name.trim().replace(/[.\s]+$/u, ""));
}

/** A Windows program, whatever its name says. */
export const isProgram = (start: Uint8Array): boolean => start[0] === 0x4d && start[1] === 0x5a;

export function assertSizes(files: readonly Pick<SavedFile, "name" | "size">[]): void {
  const large = files.find(({ size }) => size > FILE_BYTES_MAX);
  if (large !== undefined)
    throw new OfficeRefusal("OFFICE_004", `${large.name} is larger than 25 MB`);
  if (files.reduce((sum, { size }) => sum + size, 0) > SAVE_BYTES_MAX)
    throw new OfficeRefusal("OFFICE_005", "all files together are larger than 100 MB");
}

/** Two requests with the same digest ask for the same thing. */
export function digestOf(save: OfficeSave): string {
  return sha256Hex(canonicalJson(save));
}

/** What is saved, and where: a message by its message id, a file by its name and content. */
export function contentKeyOf({ kind, target, main, mail }: OfficeSave): string {
  const id = kind === "Email" ? mail?.internetMessageId : null;
  const what = id ?? `${main.name}\n${main.sha256}`;
  return sha256Hex(canonicalJson([target.table, target.id, kind, what]));
}
