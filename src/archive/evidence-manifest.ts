/**
 * The manifest of an evidence folder. Its entries form a chain: each link is the hash of the previous link and the
 * entry, and the first is computed from the header, which states the number of entries. So nobody can change, remove,
 * add or move an entry without breaking the chain, and one short text, the head, represents the whole folder.
 */
import { z } from "zod";
import { canonicalJson, toPlain } from "../lib/canonical-json.ts";
import { sha256, sha256Hex } from "../lib/hash.ts";

const hash = z.string().regex(/^[0-9a-f]{64}$/);
/** Names that mean the same on every system and cannot escape the folder. */
const path = z.string().regex(/^(?:[a-z]+\/)?[a-z0-9]+\.[a-z0-9]+$/);

const EntrySchema = z.strictObject({
  index: z.int().min(1),
  path,
  kind: z.enum([
    "message",
    "document",
    "extraction",
    "decisions",
    "trades",
    "notifications",
    "events",
  ]),
  about: z.record(z.string(), z.string().nullable()),
  size: z.int().min(0),
  sha256: hash,
  blockBytes: z.int().min(1),
  /** The first 16 hex digits of each block's SHA-256, concatenated. They show where a file was changed. */
  blocks: z.string().regex(/^(?:[0-9a-f]{16})*$/),
  link: hash,
});

const HeaderSchema = z.strictObject({
  format: z.literal("postroom-evidence"),
  version: z.literal(1),
  subject: z.strictObject({ kind: z.enum(["message", "trade"]), id: z.string() }),
  exportedAt: z.iso.datetime(),
  entryCount: z.int().min(0),
  missing: z.array(z.strictObject({ what: z.string(), why: z.string() })),
});

export const ManifestSchema = z.strictObject({
  header: HeaderSchema,
  start: hash,
  entries: z.array(EntrySchema),
  head: hash,
});

export type EvidenceHeader = z.infer<typeof HeaderSchema>;
export type EvidenceEntry = z.infer<typeof EntrySchema>;
export type Manifest = z.infer<typeof ManifestSchema>;
export type EntryKind = EvidenceEntry["kind"];

export const MANIFEST_FILE = "manifest.json";
export const SUMS_FILE = "SHA256SUMS";

export interface EvidenceFile {
  readonly path: string;
  readonly kind: EntryKind;
  readonly about: Readonly<Record<string, string | null>>;
  readonly bytes: Uint8Array;
}

export function buildManifest(
  header: Omit<EvidenceHeader, "format" | "version" | "entryCount">,
  files: readonly EvidenceFile[],
): Manifest {
  const full: EvidenceHeader = {
    format: "postroom-evidence",
    version: 1,
    ...header,
    entryCount: files.length,
  };
  const start = startOf(full);
  let head = start;
  const entries = files.map((file, position) => {
    const entry = describeFile(file, position + 1);
    head = linkOf(head, entry);
    return { ...entry, link: head };
  });
  return { header: full, start, entries, head };
}

export function startOf(header: EvidenceHeader): string {
  return sha256Hex(canonicalJson(header));
}

export function linkOf(previous: string, entry: Omit<EvidenceEntry, "link">): string {
  const withoutLink = { ...entry, link: undefined }; // what is undefined is not written
  return sha256Hex(`${previous}\n${canonicalJson(withoutLink)}`);
}

function describeFile(file: EvidenceFile, index: number): Omit<EvidenceEntry, "link"> {
  const { path, kind, about, bytes } = file;
  const blockBytes = blockBytesFor(bytes.length);
  return {
    index,
    path,
    kind,
    about: { ...about },
    size: bytes.length,
    sha256: sha256Hex(bytes),
    blockBytes,
    blocks: hashBlocks(bytes, blockBytes).join(""),
  };
}

const BLOCK_BYTES_MIN = 256;
const BLOCKS_MAX = 1_024;

/** Small files get small blocks: a change is located precisely and the manifest stays small. */
function blockBytesFor(size: number): number {
  let blockBytes = BLOCK_BYTES_MIN;
  while (size / blockBytes > BLOCKS_MAX) blockBytes *= 2;
  return blockBytes;
}

export function hashBlocks(bytes: Uint8Array, blockBytes: number): string[] {
  const hashes: string[] = [];
  for (let at = 0; at < bytes.length; at += blockBytes) {
    hashes.push(
      sha256(bytes.subarray(at, at + blockBytes))
        .toString("hex")
        .slice(0, 16),
    );
  }
  return hashes;
}

/** The only valid text for a manifest, so that a change of a single character shows. */
export function manifestText(manifest: Manifest): string {
  return `${JSON.stringify(toPlain(manifest), null, 2)}\n`;
}

/** For people without Postroom: `sha256sum --check SHA256SUMS`. */
export function sumsText(manifest: Manifest): string {
  const lines = manifest.entries.map((entry) => `${entry.sha256}  ${entry.path}\n`);
  return `${lines.join("")}${sha256Hex(manifestText(manifest))}  ${MANIFEST_FILE}\n`;
}
