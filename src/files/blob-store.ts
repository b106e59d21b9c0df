import assert from "node:assert/strict";
import { Fault } from "../lib/fault.ts";
import { sha256Hex } from "../lib/hash.ts";

/**
 * Stores objects under a path, each written once. Disk, Google Cloud Storage, S3 and Azure Blob pass the same
 * suite.
 */
export interface BlobStore {
  readonly kind: "disk" | "gcs" | "s3" | "azure";
  /** Never replaces an object: if the path is taken, the stored bytes are compared with the new ones. */
  put(blob: NewBlob): Promise<PutResult>;
  /** Null if there is no such object. */
  get(path: string): Promise<Buffer | null>;
  /** Null if there is no such object. */
  head(path: string): Promise<BlobHead | null>;
  /** Paths that begin with `prefix`, in any order. */
  list(prefix: string): AsyncIterable<string>;
  /** Removing a missing object is not an error. */
  remove(path: string): Promise<void>;
  /** Throws a Fault unless the store can be written and really refuses to overwrite. */
  probe(): Promise<void>;
  close(): Promise<void>;
}

export interface NewBlob {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Names are lower-case words joined by hyphens; each store spells them in its own way. */
  readonly metadata: Readonly<Record<string, string>>;
}

export type PutResult =
  | "created"
  /** The same bytes were already there: a repeated write, or one whose response was lost. */
  | "exists"
  /** Different bytes are there; they are kept. */
  | "conflict";

export interface BlobHead {
  readonly path: string;
  readonly size: number;
  /** Null if another program wrote the object without a hash. */
  readonly sha256: string | null;
  readonly contentType: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Changes if the bytes under a path change: Google's generation, or the store's own version or ETag. */
  readonly version: string;
}

/** The name under which each store keeps the hash beside the caller's metadata. */
const SHA256_FIELD = "sha256";

/** The metadata as a cloud stores it: the caller's, and the hash of the bytes. */
export function storedMetadata(blob: NewBlob): Record<string, string> {
  return { ...blob.metadata, [SHA256_FIELD]: sha256Hex(blob.bytes) };
}

/** Builds a head from a cloud's response. */
export function toHead(
  found: Pick<BlobHead, "path" | "size" | "version"> & { contentType: string | undefined },
  stored: Readonly<Record<string, string>>,
): BlobHead {
  const { [SHA256_FIELD]: sha256 = null, ...metadata } = stored;
  return { ...found, contentType: found.contentType ?? UNKNOWN_TYPE, sha256, metadata };
}

export const UNKNOWN_TYPE = "application/octet-stream";

/** What all three clouds accept as a name. */
const PATH_BYTES_MAX = 1024;

const METADATA_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const PROBE_PATH = "postroom-probe.txt";

/** Checks that the caller has made path and metadata safe: raw names from outside must never get this far. */
function assertBlob(blob: NewBlob): void {
  assertPath(blob.path);
  for (const name of Object.keys(blob.metadata)) {
    assert.match(name, METADATA_NAME, "a metadata name is lower-case words joined by hyphens");
    assert.notEqual(name, SHA256_FIELD, "the store itself keeps the hash");
  }
}

export function assertPath(path: string): void {
  const isSafe =
    path !== "" &&
    Buffer.byteLength(path) <= PATH_BYTES_MAX &&
    !/[\u0000-\u001f\u007f\\\uFFFD]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(
      path,
    ) &&
    path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  assert.ok(isSafe, "a blob path is made of plain parts");
}

/**
 * Finds out why a create was refused. The bytes themselves are compared, because metadata may be missing or
 * wrong. Returns null if the object has disappeared meanwhile; the caller then tries again.
 */
async function compareStored(
  store: Pick<BlobStore, "get">,
  blob: NewBlob,
): Promise<"exists" | "conflict" | null> {
  const stored = await store.get(blob.path);
  if (stored === null) return null;
  return sha256Hex(stored) === sha256Hex(blob.bytes) ? "exists" : "conflict";
}

/** Creates the object, or says what is already there. `create` returns false if the path is taken. */
export async function putOnce(
  store: Pick<BlobStore, "get">,
  blob: NewBlob,
  create: () => Promise<boolean>,
): Promise<PutResult> {
  assertBlob(blob);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    if (await create()) return "created";
    const found = await compareStored(store, blob);
    if (found !== null) return found;
  }
  throw new Fault("blob.unavailable", "an object does not exist but cannot be created", {
    facts: { path: blob.path },
  });
}

/**
 * Writes one small object twice. A service that answers "created" both times ignores the precondition
 * and would overwrite evidence, so it is refused. The object stays, because a store with a retention policy
 * does not allow its removal.
 */
export async function probeByWriting(store: Pick<BlobStore, "kind" | "put">): Promise<void> {
  const blob: NewBlob = {
    path: PROBE_PATH,
    bytes: Buffer.from("Postroom can write here.\n"),
    contentType: "text/plain",
    metadata: {},
  };
  await store.put(blob);
  const second = await store.put(blob);
  if (second === "created") {
    throw new Fault("settings.bad", "the archive's service ignores create-only writes", {
      facts: { store: store.kind },
    });
  }
}
