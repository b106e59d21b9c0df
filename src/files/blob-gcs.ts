import type { Bucket, File } from "@google-cloud/storage";
import { loadDriver } from "../lib/load-driver.ts";
import { orAbsent, statusOf, toBlobFault } from "./blob-fault.ts";
import {
  type BlobStore,
  type NewBlob,
  probeByWriting,
  putOnce,
  storedMetadata,
  toHead,
} from "./blob-store.ts";

export interface GcsSettings {
  readonly kind: "gcs";
  readonly bucket: string;
  readonly projectId?: string;
  /** A service account's key; by default the machine's own identity is used. */
  readonly keyFile?: string;
  /** An address other than Google's; used without credentials. */
  readonly endpoint?: string;
}

const STORE = "Google Cloud Storage";

export async function openGcsBlobStore(settings: GcsSettings): Promise<BlobStore> {
  const { bucket, checksum } = await openBucket(settings);

  const create = async (blob: NewBlob): Promise<boolean> => {
    try {
      await bucket.file(blob.path).save(blob.bytes as Buffer, {
        resumable: false,
        preconditionOpts: { ifGenerationMatch: 0 },
        // Google checks the checksum before the object exists. The SDK checks afterwards and deletes the
        // object if the checksums differ, which an archive must not do.
        validation: false,
        metadata: {
          contentType: blob.contentType,
          crc32c: checksum(blob.bytes),
          metadata: storedMetadata(blob),
        },
      });
      return true;
    } catch (error) {
      if (statusOf(error) === 412) return false;
      throw toBlobFault(STORE, "write", error);
    }
  };

  const store: BlobStore = {
    kind: "gcs",
    put: (blob) => putOnce(store, blob, () => create(blob)),
    get: (path) =>
      orAbsent(
        STORE,
        "read",
        async () => (await bucket.file(path).download({ validation: "crc32c" }))[0],
      ),
    head: (path) =>
      orAbsent(STORE, "look up", async () => {
        const [found] = await bucket.file(path).getMetadata();
        return toHead(
          {
            path,
            size: Number(found.size),
            contentType: found.contentType,
            version: String(found.generation),
          },
          textsOf(found.metadata ?? {}),
        );
      }),
    async *list(prefix) {
      let pageToken: string | undefined;
      do {
        const [files, next] = await listPage(bucket, prefix, pageToken);
        for (const file of files) yield file.name;
        pageToken = next;
      } while (pageToken !== undefined);
    },
    async remove(path) {
      await orAbsent(STORE, "remove", () => bucket.file(path).delete());
    },
    probe: () => probeByWriting(store),
    close: async () => {},
  };
  return store;
}

async function openBucket(settings: GcsSettings) {
  const { CRC32C, IdempotencyStrategy, Storage } = await loadDriver(
    "an archive on Google Cloud Storage",
    ["@google-cloud/storage"],
    () => import("@google-cloud/storage"),
  );
  const storage = new Storage({
    projectId: settings.projectId ?? "postroom",
    keyFilename: settings.keyFile,
    apiEndpoint: settings.endpoint,
    timeout: 60_000,
    retryOptions: {
      maxRetries: 1, // our jobs retry for longer and survive a restart
      maxRetryDelay: 2,
      totalTimeout: 30,
      idempotencyStrategy: IdempotencyStrategy.RetryConditional,
    },
  });
  const checksum = (bytes: Uint8Array) => {
    const crc32c = new CRC32C();
    crc32c.update(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return crc32c.toString();
  };
  return { bucket: storage.bucket(settings.bucket), checksum };
}

async function listPage(
  bucket: Bucket,
  prefix: string,
  pageToken: string | undefined,
): Promise<[File[], string | undefined]> {
  try {
    const [files, next] = await bucket.getFiles({
      prefix,
      pageToken,
      autoPaginate: false,
      fields: "items(name),nextPageToken",
    });
    return [files, (next as { pageToken?: string } | null)?.pageToken];
  } catch (error) {
    throw toBlobFault(STORE, "list", error);
  }
}

function textsOf(metadata: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, `${value}`]));
}
