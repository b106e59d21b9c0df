import { createHash } from "node:crypto";
import { loadDriver } from "../lib/load-driver.ts";
import type { Secret } from "../lib/redact.ts";
import { orAbsent, statusOf, toBlobFault } from "./blob-fault.ts";
import { fromHeaders, toHeaders } from "./blob-header.ts";
import {
  type BlobStore,
  type NewBlob,
  probeByWriting,
  putOnce,
  storedMetadata,
  toHead,
} from "./blob-store.ts";

export interface S3Settings {
  readonly kind: "s3";
  readonly bucket: string;
  readonly region: string;
  /** A service other than Amazon's, addressed as `endpoint/bucket/key`. */
  readonly endpoint?: string;
  /** By default the machine's own identity is used. */
  readonly accessKeyId?: string;
  readonly secretAccessKey?: Secret;
}

const STORE = "S3";

export async function openS3BlobStore(settings: S3Settings): Promise<BlobStore> {
  const sdk = await loadDriver(
    "an archive on S3",
    ["@aws-sdk/client-s3"],
    () => import("@aws-sdk/client-s3"),
  );
  const client = new sdk.S3Client({
    region: settings.region,
    endpoint: settings.endpoint,
    forcePathStyle: settings.endpoint !== undefined,
    maxAttempts: 3, // our jobs retry for longer and survive a restart
    // Newer checksums need a framing that older services would store as content.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
    credentials: keyOf(settings),
  });
  const at = (path: string) => ({ Bucket: settings.bucket, Key: path });

  const create = async (blob: NewBlob): Promise<boolean> => {
    try {
      await client.send(
        new sdk.PutObjectCommand({
          ...at(blob.path),
          Body: blob.bytes,
          IfNoneMatch: "*",
          ContentType: blob.contentType,
          ContentMD5: createHash("md5").update(blob.bytes).digest("base64"),
          Metadata: toHeaders(storedMetadata(blob)),
        }),
      );
      return true;
    } catch (error) {
      // 409: somebody else is writing the same object right now.
      if (statusOf(error) === 412 || statusOf(error) === 409) return false;
      throw toBlobFault(STORE, "write", error);
    }
  };

  const store: BlobStore = {
    kind: "s3",
    put: (blob) => putOnce(store, blob, () => create(blob)),
    get: (path) =>
      orAbsent(STORE, "read", async () => {
        const answer = await client.send(new sdk.GetObjectCommand(at(path)));
        return Buffer.from(await answer.Body!.transformToByteArray());
      }),
    head: (path) =>
      orAbsent(STORE, "look up", async () => {
        const answer = await client.send(new sdk.HeadObjectCommand(at(path)));
        const size = answer.ContentLength ?? 0;
        const version = answer.VersionId ?? answer.ETag?.replaceAll('"', "") ?? "";
        return toHead(
          { path, size, contentType: answer.ContentType, version },
          fromHeaders(answer.Metadata ?? {}),
        );
      }),
    async *list(prefix) {
      const pages = sdk.paginateListObjectsV2(
        { client },
        { Bucket: settings.bucket, Prefix: prefix },
      );
      try {
        for await (const page of pages) {
          for (const object of page.Contents ?? []) yield object.Key!;
        }
      } catch (error) {
        throw toBlobFault(STORE, "list", error);
      }
    },
    async remove(path) {
      await orAbsent(STORE, "remove", () => client.send(new sdk.DeleteObjectCommand(at(path))));
    },
    probe: () => probeByWriting(store),
    close: async () => client.destroy(),
  };
  return store;
}

function keyOf(settings: S3Settings) {
  if (settings.accessKeyId === undefined || settings.secretAccessKey === undefined) {
    return undefined;
  }
  return {
    accessKeyId: settings.accessKeyId,
    secretAccessKey: settings.secretAccessKey.reveal(),
  };
}
