import { readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { ensureFolder, orNull, syncFolder, toDiskFault, writeNew } from "../files/disk.ts";
import { canonicalJson, toPlain } from "../lib/canonical-json.ts";
import type { Clock } from "../lib/clock.ts";
import { type CsvValue, toCsv } from "../lib/csv.ts";
import { Fault } from "../lib/fault.ts";
import type { Random } from "../lib/random.ts";
import { isSecretName } from "../lib/redact.ts";
import {
  buildManifest,
  type EntryKind,
  type EvidenceFile,
  MANIFEST_FILE,
  manifestText,
  SUMS_FILE,
  sumsText,
} from "./evidence-manifest.ts";

export interface EvidenceSelector {
  readonly kind: "message" | "trade";
  readonly id: string;
}

export type EvidenceRow = Readonly<Record<string, unknown>>;

/** Everything that shows how a message became trades, or where a trade came from. */
export interface EvidenceBundle {
  readonly subject: EvidenceSelector;
  readonly messages: readonly {
    readonly messageId: string;
    readonly mailbox: string | null;
    /** The mail as it was received. Null if it is gone; `missing` then says why. */
    readonly eml: Uint8Array | null;
  }[];
  readonly documents: readonly {
    readonly documentId: string;
    readonly filename: string;
    readonly archivePath: string | null;
    readonly bytes: Uint8Array | null;
    /** What was read from the document; null if it was not read. */
    readonly extraction: unknown;
  }[];
  readonly decisions: readonly EvidenceRow[];
  readonly trades: readonly EvidenceRow[];
  readonly notifications: readonly EvidenceRow[];
  readonly events: readonly EvidenceRow[];
  /** What should be here but is missing. */
  readonly missing: readonly { readonly what: string; readonly why: string }[];
}

export interface ExportedEvidence {
  readonly folder: string;
  /** Represents the whole folder. Kept elsewhere, it proves that the folder was not rebuilt. */
  readonly head: string;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The files of a bundle in the order of the chain. The same bundle gives the same bytes. */
export function evidenceFiles(bundle: EvidenceBundle): EvidenceFile[] {
  const files: EvidenceFile[] = [];
  const add = (
    path: string,
    kind: EntryKind,
    content: Uint8Array | string,
    about: EvidenceFile["about"] = {},
  ) => files.push({ path, kind, about, bytes: Buffer.from(content) });

  for (const [n, { messageId, mailbox, eml }] of bundle.messages.entries()) {
    if (eml !== null) add(`messages/${numbered(n)}.eml`, "message", eml, { messageId, mailbox });
  }
  for (const [n, document] of bundle.documents.entries()) {
    const { documentId, filename, archivePath } = document;
    const about = { documentId, filename, archivePath };
    if (document.bytes !== null) {
      add(`documents/${numbered(n)}.pdf`, "document", document.bytes, about);
    }
    if (document.extraction !== null) {
      const text = `${JSON.stringify(toPlain(document.extraction), null, 2)}\n`;
      add(`extractions/${numbered(n)}.json`, "extraction", text, about);
    }
  }
  for (const kind of ["decisions", "notifications", "events"] as const) {
    add(`${kind}.jsonl`, kind, bundle[kind].map(toLine).join(""));
  }
  const trades = bundle.trades.map(withoutSecrets);
  add("trades.json", "trades", `${JSON.stringify(toPlain(trades), null, 2)}\n`);
  add("trades.csv", "trades", tradesCsv(trades));
  return files;
}

/**
 * Writes the bundle as a folder that can be verified without Postroom. The folder appears complete or not at all; a
 * folder that is not empty is refused.
 */
export async function exportEvidence(
  needs: { readonly clock: Clock; readonly random: Random },
  bundle: EvidenceBundle,
  target: string,
): Promise<ExportedEvidence> {
  const folder = resolve(target);
  const present = await orNull(readdir(folder));
  if (present !== null && present.length > 0) {
    throw new Fault("request.bad", `${folder} is not empty`);
  }
  const files = evidenceFiles(bundle);
  const exportedAt = new Date(needs.clock.now()).toISOString();
  const { subject, missing } = bundle;
  const manifest = buildManifest({ subject, missing: [...missing], exportedAt }, files);
  const aside = join(dirname(folder), `.${basename(folder)}-${needs.random.uuid()}`);
  try {
    for (const { path, bytes } of files) {
      await ensureFolder(dirname(join(aside, path)));
      await writeNew(join(aside, path), bytes);
    }
    await writeNew(join(aside, SUMS_FILE), Buffer.from(sumsText(manifest)));
    await writeNew(join(aside, MANIFEST_FILE), Buffer.from(manifestText(manifest)));
    await rename(aside, folder);
    await syncFolder(dirname(folder));
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    throw toDiskFault(error);
  }
  const written = files.map(({ path, bytes }) => ({ path, size: bytes.length }));
  return { folder, head: manifest.head, files: written };
}

function numbered(position: number): string {
  return String(position + 1).padStart(3, "0");
}

function toLine(row: EvidenceRow): string {
  return `${canonicalJson(withoutSecrets(row))}\n`;
}

/** A row may hold every column of a table, but the folder is passed on to others, so it must not contain secrets. */
function withoutSecrets(row: EvidenceRow): EvidenceRow {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      isSecretName(name) && value !== null ? "[hidden]" : value,
    ]),
  );
}

function tradesCsv(trades: readonly EvidenceRow[]): string {
  const rows = trades.map(toCsvRow);
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return toCsv(columns, rows);
}

/** One plain column per fact of the trade; lists and objects are in trades.json. */
function toCsvRow({ trade, ...others }: EvidenceRow): Record<string, CsvValue> {
  const facts = toPlain({ ...(trade as object | undefined), ...others }) as Record<string, unknown>;
  const plain = Object.entries(facts).filter(
    ([, value]) => typeof value !== "object" || value === null,
  );
  return Object.fromEntries(plain) as Record<string, CsvValue>;
}
