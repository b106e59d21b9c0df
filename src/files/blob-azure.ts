import { createHash } from "node:crypto";
import { openAzureCredential } from "../lib/azure-credential.ts";
import { Fault } from "../lib/fault.ts";
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

export interface AzureSettings {
  readonly kind: "azure";
  readonly container: string;
  /** The storage account's connection string: with its key, with a shared access signature, or with neither. */
  readonly connectionString: Secret;
  readonly authorityOrigin?: string;
}

const STORE = "Azure Blob";

// Our jobs retry for longer and survive a restart.
const PIPELINE = {
  retryOptions: {
    maxTries: 3,
    retryDelayInMs: 200,
    maxRetryDelayInMs: 2_000,
    tryTimeoutInMs: 60_000,
  },
};

export async function openAzureBlobStore(settings: AzureSettings): Promise<BlobStore> {
  const { ContainerClient } = await loadDriver(
    "an archive on Azure Blob",
    ["@azure/storage-blob"],
    () => import("@azure/storage-blob"),
  );
  const connectionString = settings.connectionString.reveal();
  const address = addressWithoutKey(connectionString);
  const container =
    address === null
      ? new ContainerClient(connectionString, settings.container, PIPELINE)
      : new ContainerClient(
          `${address}/${settings.container}`,
          await openAzureCredential("a storage account without a key", settings.authorityOrigin),
          PIPELINE,
        );

  const create = async (blob: NewBlob): Promise<boolean> => {
    try {
      const client = container.getBlockBlobClient(blob.path);
      const answer = await client.upload(blob.bytes, blob.bytes.length, {
        conditions: { ifNoneMatch: "*" },
        blobHTTPHeaders: { blobContentType: blob.contentType },
        metadata: toHeaders(storedMetadata(blob), toAzureName),
      });
      assertArrivedWhole(blob, answer.contentMD5);
      return true;
    } catch (error) {
      // Azure answers 409 BlobAlreadyExists; the other stores answer 412.
      if (statusOf(error) === 412 || isTaken(error)) return false;
      throw toBlobFault(STORE, "write", error);
    }
  };

  const store: BlobStore = {
    kind: "azure",
    put: (blob) => putOnce(store, blob, () => create(blob)),
    get: (path) => orAbsent(STORE, "read", () => container.getBlobClient(path).downloadToBuffer()),
    head: (path) =>
      orAbsent(STORE, "look up", async () => {
        const found = await container.getBlobClient(path).getProperties();
        const size = found.contentLength ?? 0;
        const version = found.versionId ?? found.etag?.replaceAll('"', "") ?? "";
        return toHead(
          { path, size, contentType: found.contentType, version },
          fromHeaders(found.metadata ?? {}, fromAzureName),
        );
      }),
    async *list(prefix) {
      try {
        for await (const blob of container.listBlobsFlat({ prefix })) yield blob.name;
      } catch (error) {
        throw toBlobFault(STORE, "list", error);
      }
    },
    async remove(path) {
      await orAbsent(STORE, "remove", () => container.getBlobClient(path).delete());
    },
    probe: () => probeByWriting(store),
    close: async () => {},
  };
  return store;
}

/**
 * Azure returns the hash of what it stored. A damaged object keeps its name; the next try reports a conflict.
 */
function assertArrivedWhole(blob: NewBlob, stored: Uint8Array | undefined): void {
  if (stored === undefined) return;
  const sent = createHash("md5").update(blob.bytes).digest();
  if (sent.equals(stored)) return;
  throw new Fault("blob.unavailable", "an object was damaged in transit", {
    facts: { store: STORE, path: blob.path },
  });
}

function isTaken(error: unknown): boolean {
  return statusOf(error) === 409 && (error as { code?: string }).code === "BlobAlreadyExists";
}

/** Azure's names are identifiers of C#, so `sender-email` is `sender_email` there. */
const toAzureName = (name: string) => name.replaceAll("-", "_");
const fromAzureName = (name: string) => name.toLowerCase().replaceAll("_", "-");

/** The account's address if its connection string has no key; null if it has one. */
export function addressWithoutKey(connectionString: string): string | null {
  const parts = new Map(
    connectionString.split(";").map((part) => {
      const at = part.indexOf("=");
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()] as const;
    }),
  );
  if (parts.has("accountkey") || parts.has("sharedaccesssignature")) return null;
  const endpoint = parts.get("blobendpoint")?.replace(/\/$/, "");
  const name = parts.get("accountname");
  if (endpoint !== undefined || name === undefined) return endpoint ?? null;
  return `https://${name}.blob.${parts.get("endpointsuffix") ?? "core.windows.net"}`;
}
