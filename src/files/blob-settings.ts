import { Fault } from "../lib/fault.ts";
import type { Secret } from "../lib/redact.ts";
import type { BlobSettings } from "./open-blob-store.ts";

/**
 * The archive's store in one line: `disk`, `disk:/a/folder`, `gs://bucket`, `s3://bucket?region=eu-west-1` or
 * `azure://container`. `gs` takes `projectId`, `keyFile` and `endpoint`, `s3` takes `endpoint`. Keys are
 * never part of the line: the SDKs of Google and Amazon find their own, and Azure's address and key have their own setting.
 */
export function parseBlobSettings(
  text: string,
  given: {
    readonly folder: string;
    readonly connectionString?: Secret | null;
    readonly authorityOrigin?: string;
  },
  setting = "ARCHIVE_STORE",
): BlobSettings {
  const bad = (what: string) => new Fault("settings.bad", `${setting} ${what}`);
  if (text === "disk") return { kind: "disk", folder: given.folder };
  if (text.startsWith("disk:/")) return { kind: "disk", folder: text.slice("disk:".length) };
  const url = URL.canParse(text) ? new URL(text) : null;
  const name = url?.host ?? "";
  if (url === null || name === "" || url.username !== "" || !["", "/"].includes(url.pathname)) {
    throw bad("must be one of disk, gs://bucket, s3://bucket?region=…, azure://container");
  }
  const parameter = (key: string) => url.searchParams.get(key) || undefined;
  switch (url.protocol) {
    case "gs:": {
      const [projectId, keyFile, endpoint] = ["projectId", "keyFile", "endpoint"].map(parameter);
      return { kind: "gcs", bucket: name, projectId, keyFile, endpoint };
    }
    case "s3:": {
      const region = parameter("region");
      if (region === undefined) throw bad("needs a region: s3://bucket?region=eu-west-1");
      return { kind: "s3", bucket: name, region, endpoint: parameter("endpoint") };
    }
    case "azure:":
      if (!given.connectionString)
        throw bad("needs the storage account's connection string in ARCHIVE_CONNECTION_STRING");
      return {
        kind: "azure",
        container: name,
        connectionString: given.connectionString,
        ...(given.authorityOrigin === undefined ? {} : { authorityOrigin: given.authorityOrigin }),
      };
    default:
      throw bad("names an unknown store");
  }
}
