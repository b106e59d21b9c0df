import { link, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { cutToBytes } from "../lib/cut-to-bytes.ts";
import { sha256Hex } from "../lib/hash.ts";
import type { Random } from "../lib/random.ts";
import {
  assertPath,
  type BlobStore,
  type NewBlob,
  probeByWriting,
  putOnce,
  UNKNOWN_TYPE,
} from "./blob-store.ts";
import {
  codeOf,
  ensureFolder,
  orNull,
  removeLeftOvers,
  syncFolder,
  toDiskFault,
  writeAside,
} from "./disk.ts";

export interface DiskBlobStoreOptions {
  readonly folder: string;
  readonly clock: Clock;
  readonly random: Random;
}

interface Described {
  readonly path: string;
  readonly contentType: string;
  readonly metadata: Record<string, string>;
}

/**
 * Opens a blob store in a folder of plain files: `objects/` holds each object under its own path, readable
 * with any tool; `metadata/` describes it; `incoming/` holds files that are being written.
 *
 * Unlike in cloud storage, one object cannot be the folder of another (`a` beside `a/b`).
 */
export async function openDiskBlobStore(options: DiskBlobStoreOptions): Promise<BlobStore> {
  const objects = join(options.folder, "objects");
  const metadata = join(options.folder, "metadata");
  const incoming = join(options.folder, "incoming");
  for (const folder of [objects, metadata, incoming]) await ensureFolder(folder);
  await removeLeftOvers(incoming, options.clock);

  const objectOf = (path: string) => join(objects, toDiskPath(path));
  const describedOf = (path: string) => join(metadata, toDiskPath(path));

  /** Writes the metadata file. It is named after the hash of the content, so that the loser of a race never describes the winner's bytes. */
  const describe = (blob: NewBlob): Promise<boolean> => {
    const { path, contentType } = blob;
    const text = JSON.stringify({ path, contentType, metadata: blob.metadata }, null, 2);
    const target = join(describedOf(path), `${sha256Hex(blob.bytes)}.json`);
    return writeIfFree(target, Buffer.from(text));
  };

  /** Hard-linking puts a finished file in place atomically, and fails if the name is taken. */
  const writeIfFree = async (target: string, bytes: Uint8Array): Promise<boolean> => {
    const aside = await writeAside(incoming, bytes, options.random);
    try {
      await ensureFolder(dirname(target));
      await link(aside, target);
      await syncFolder(dirname(target));
      return true;
    } catch (error) {
      if (codeOf(error) === "EEXIST") return false;
      throw toDiskFault(error);
    } finally {
      await rm(aside, { force: true });
    }
  };

  const create = async (blob: NewBlob): Promise<boolean> => {
    const target = objectOf(blob.path);
    if ((await orNull(stat(target))) !== null) return false;
    await describe(blob);
    return writeIfFree(target, blob.bytes);
  };

  const store: BlobStore = {
    kind: "disk",
    put: (blob) => putOnce(store, blob, () => create(blob)),
    get: (path) => orNull(readFile(objectOf(path))),
    async head(path) {
      const bytes = await store.get(path);
      if (bytes === null) return null;
      const sha256 = sha256Hex(bytes);
      const text = await orNull(readFile(join(describedOf(path), `${sha256}.json`), "utf8"));
      const described = text === null ? null : (JSON.parse(text) as Described);
      return {
        path,
        size: bytes.length,
        sha256,
        contentType: described?.contentType ?? UNKNOWN_TYPE,
        metadata: described?.metadata ?? {},
        version: sha256.slice(0, 16),
      };
    },
    async *list(prefix) {
      const start = toDiskPath(prefix.slice(0, prefix.lastIndexOf("/") + 1).replace(/\/$/, ""));
      for await (const diskPath of walk(objects, start)) {
        const path = await toBlobPath(metadata, diskPath);
        if (path.startsWith(prefix)) yield path;
      }
    },
    async remove(path) {
      await rm(objectOf(path), { force: true });
      await rm(describedOf(path), { recursive: true, force: true });
    },
    probe: () => probeByWriting(store),
    close: async () => {},
  };
  return store;
}

const PART_BYTES_MAX = 200; // file systems allow 255
const KEPT_BYTES = 100;
const SHORTENED = /~[0-9a-f]{32}$/;

/**
 * A part that is too long for a file system is truncated and gets a hash, as does a part that looks like a
 * truncated one.
 */
function toDiskPath(path: string): string {
  if (path === "") return "";
  assertPath(path);
  const parts = path.split("/").map((part) => {
    if (Buffer.byteLength(part) <= PART_BYTES_MAX && !SHORTENED.test(part)) return part;
    return `${cutToBytes(part, KEPT_BYTES)}~${sha256Hex(part).slice(0, 32)}`;
  });
  return parts.join("/");
}

async function toBlobPath(metadata: string, diskPath: string): Promise<string> {
  if (!diskPath.split("/").some((part) => SHORTENED.test(part))) return diskPath;
  const folder = join(metadata, diskPath);
  const [name] = (await orNull(readdir(folder))) ?? [];
  if (name === undefined) return diskPath;
  return (JSON.parse(await readFile(join(folder, name), "utf8")) as Described).path;
}

async function* walk(root: string, at: string): AsyncIterable<string> {
  const entries = (await orNull(readdir(join(root, at), { withFileTypes: true }))) ?? [];
  for (const entry of entries) {
    const path = at === "" ? entry.name : `${at}/${entry.name}`;
    if (entry.isDirectory()) yield* walk(root, path);
    else if (entry.isFile()) yield path;
  }
}
