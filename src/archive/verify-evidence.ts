import { lstat, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { orNull } from "../files/disk.ts";
import { sha256Hex } from "../lib/hash.ts";
import {
  type EvidenceEntry,
  hashBlocks,
  linkOf,
  MANIFEST_FILE,
  type Manifest,
  ManifestSchema,
  manifestText,
  SUMS_FILE,
  startOf,
  sumsText,
} from "./evidence-manifest.ts";

export interface ByteRange {
  /** First and last byte, counted from 0. */
  readonly first: number;
  readonly last: number;
}

export interface EvidenceProblem {
  readonly kind: "changed" | "missing" | "extra" | "reordered" | "replaced";
  readonly path: string;
  readonly message: string;
  /** Where the file differs, as precisely as the manifest allows. */
  readonly bytes?: readonly ByteRange[];
}

export interface EvidenceReport {
  readonly isIntact: boolean;
  readonly head: string | null;
  readonly fileCount: number;
  readonly problems: readonly EvidenceProblem[];
}

/**
 * Checks a folder using nothing but the folder. Somebody who rebuilds the whole folder can make it consistent; only a
 * head that was kept elsewhere reveals that, so pass it if you have it.
 */
export async function verifyEvidence(
  folder: string,
  options: { readonly expectedHead?: string } = {},
): Promise<EvidenceReport> {
  const text = await orNull(readFile(join(folder, MANIFEST_FILE), "utf8"));
  if (text === null) return broken("missing", "there is no manifest");
  const manifest = parseManifest(text);
  if (manifest === null) return broken("changed", "the manifest cannot be read");
  const problems = [
    ...checkText(MANIFEST_FILE, Buffer.from(text), manifestText(manifest)),
    ...checkChain(manifest),
    ...checkHead(manifest, options.expectedHead),
    ...(await checkFiles(folder, manifest)),
  ];
  return {
    isIntact: problems.length === 0,
    head: manifest.head,
    fileCount: manifest.entries.length,
    problems,
  };
}

function broken(kind: "missing" | "changed", message: string): EvidenceReport {
  const problems: EvidenceProblem[] = [{ kind, path: MANIFEST_FILE, message }];
  return { isIntact: false, head: null, fileCount: 0, problems };
}

function parseManifest(text: string): Manifest | null {
  try {
    return ManifestSchema.parse(JSON.parse(text));
  } catch {
    return null; // not JSON, or not of our shape: either way it is not what we wrote
  }
}

function checkHead(manifest: Manifest, expectedHead: string | undefined): EvidenceProblem[] {
  if (expectedHead === undefined || expectedHead === manifest.head) return [];
  const message = `the head is ${manifest.head} but should be ${expectedHead}`;
  return [{ kind: "replaced", path: MANIFEST_FILE, message }];
}

function checkChain(manifest: Manifest): EvidenceProblem[] {
  const { header, entries } = manifest;
  const inManifest = (kind: EvidenceProblem["kind"], message: string): EvidenceProblem => ({
    kind,
    path: MANIFEST_FILE,
    message,
  });
  const problems: EvidenceProblem[] = [];
  if (startOf(header) !== manifest.start) {
    problems.push(inManifest("changed", "the header was changed"));
  }
  const counts = new Map<number, number>();
  for (const entry of entries) counts.set(entry.index, (counts.get(entry.index) ?? 0) + 1);
  for (let index = 1; index <= header.entryCount; index += 1) {
    if (!counts.has(index)) problems.push(inManifest("missing", `entry ${index} is missing`));
  }
  for (const [position, entry] of entries.entries()) {
    const named = `entry ${entry.index} (${entry.path})`;
    const before = entries[position - 1];
    const previous = before === undefined ? manifest.start : before.link;
    const isNext = entry.index === (before?.index ?? 0) + 1;
    if (entry.index > header.entryCount || (counts.get(entry.index) ?? 0) > 1) {
      problems.push(inManifest("extra", `${named} was added`));
    } else if (before !== undefined && entry.index < before.index) {
      problems.push(inManifest("reordered", `${named} stands after entry ${before.index}`));
    } else if (isNext && linkOf(previous, entry) !== entry.link) {
      // Later links are checked against the link that this entry states, so that only the changed entry is
      // reported.
      problems.push(inManifest("changed", `${named} was changed`));
    }
  }
  if ((entries.at(-1)?.link ?? manifest.start) !== manifest.head && problems.length === 0) {
    problems.push(inManifest("changed", "the head does not fit the last entry"));
  }
  return problems;
}

async function checkFiles(folder: string, manifest: Manifest): Promise<EvidenceProblem[]> {
  const problems: EvidenceProblem[] = [];
  const known = new Set(manifest.entries.map((entry) => entry.path));
  const found = new Set<string>();
  for await (const { path, isPlain } of walk(folder, "")) {
    if (!isPlain) {
      problems.push({ kind: "extra", path, message: "is neither a plain file nor a folder" });
    } else if (known.has(path) || path === SUMS_FILE || path === MANIFEST_FILE) {
      found.add(path);
    } else {
      problems.push({ kind: "extra", path, message: "is in the folder and not in the manifest" });
    }
  }
  const sums = found.has(SUMS_FILE) ? await readFile(join(folder, SUMS_FILE)) : null;
  if (sums === null) {
    problems.push({ kind: "missing", path: SUMS_FILE, message: "is not in the folder" });
  } else problems.push(...checkText(SUMS_FILE, sums, sumsText(manifest)));
  for (const entry of manifest.entries) {
    if (found.has(entry.path)) problems.push(...(await checkFile(folder, entry)));
    else problems.push({ kind: "missing", path: entry.path, message: "is not in the folder" });
  }
  return problems;
}

async function checkFile(folder: string, entry: EvidenceEntry): Promise<EvidenceProblem[]> {
  const bytes = await readFile(join(folder, entry.path));
  if (bytes.length === entry.size && sha256Hex(bytes) === entry.sha256) return [];
  const ranges = changedRanges(bytes, entry);
  const size =
    bytes.length === entry.size ? "" : `, ${bytes.length} bytes instead of ${entry.size}`;
  const where = ranges.map(({ first, last }) => `${first}–${last}`).join(", ");
  const message = `was changed in bytes ${where}${size}`;
  return [{ kind: "changed", path: entry.path, message, bytes: ranges }];
}

/** Joins neighbouring blocks that differ, including bytes added to or missing from the end of the file. */
function changedRanges(bytes: Buffer, entry: EvidenceEntry): ByteRange[] {
  const expected = entry.blocks.match(/.{16}/g) ?? [];
  const actual = hashBlocks(bytes, entry.blockBytes);
  const size = Math.max(bytes.length, entry.size);
  const ranges: { first: number; last: number }[] = [];
  for (let n = 0; n < Math.max(expected.length, actual.length); n += 1) {
    if (expected[n] === actual[n]) continue;
    const first = n * entry.blockBytes;
    const last = Math.min(first + entry.blockBytes, size) - 1;
    const before = ranges.at(-1);
    if (before !== undefined && before.last + 1 === first) before.last = last;
    else ranges.push({ first, last });
  }
  // If all blocks match but the whole does not, the entry of the manifest was changed.
  return ranges.length > 0 ? ranges : [{ first: 0, last: Math.max(size - 1, 0) }];
}

/** The manifest determines these files completely, so the difference is known to the byte. */
function checkText(path: string, actual: Buffer, expectedText: string): EvidenceProblem[] {
  const expected = Buffer.from(expectedText);
  if (actual.equals(expected)) return [];
  let first = 0;
  while (first < actual.length && actual[first] === expected[first]) first += 1;
  let same = 0;
  const shorter = Math.min(actual.length, expected.length) - first;
  while (same < shorter && actual.at(-1 - same) === expected.at(-1 - same)) same += 1;
  const last = Math.max(first, actual.length - same - 1);
  const message = `was changed in bytes ${first}–${last}`;
  return [{ kind: "changed", path, message, bytes: [{ first, last }] }];
}

/** Does not follow links: a folder from outside must not make us read other files. */
async function* walk(root: string, at: string): AsyncIterable<{ path: string; isPlain: boolean }> {
  const names = (await orNull(readdir(join(root, at)))) ?? [];
  for (const name of names.sort()) {
    const path = at === "" ? name : `${at}/${name}`;
    const found = await lstat(join(root, path));
    if (found.isDirectory()) yield* walk(root, path);
    else yield { path, isPlain: found.isFile() };
  }
}
