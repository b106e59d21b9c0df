import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import type { AzureSettings } from "./blob-azure.ts";
import type { GcsSettings } from "./blob-gcs.ts";
import type { S3Settings } from "./blob-s3.ts";
import type { BlobStore } from "./blob-store.ts";

export interface DiskSettings {
  readonly kind: "disk";
  readonly folder: string;
}

export type BlobSettings = DiskSettings | GcsSettings | S3Settings | AzureSettings;

/** Opens the store that the settings name. Only its SDK is loaded, to keep startup fast. */
export async function openBlobStore(
  needs: { readonly clock: Clock; readonly random: Random },
  settings: BlobSettings,
): Promise<BlobStore> {
  switch (settings.kind) {
    case "disk":
      return (await import("./blob-disk.ts")).openDiskBlobStore({ ...needs, ...settings });
    case "gcs":
      return (await import("./blob-gcs.ts")).openGcsBlobStore(settings);
    case "s3":
      return (await import("./blob-s3.ts")).openS3BlobStore(settings);
    case "azure":
      return (await import("./blob-azure.ts")).openAzureBlobStore(settings);
  }
}
