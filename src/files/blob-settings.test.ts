import { describe, expect, it } from "vitest";
import { Secret } from "../lib/redact.ts";
import { parseBlobSettings } from "./blob-settings.ts";

const folder = "/home/postroom/archive";

describe("the archive's store in one line", () => {
  it("the archive is a folder in Postroom's home by default, or a folder that you name", () => {
    expect(parseBlobSettings("disk", { folder })).toEqual({ kind: "disk", folder });
    expect(parseBlobSettings("disk:/mnt/a b", { folder })).toEqual({
      kind: "disk",
      folder: "/mnt/a b",
    });
  });

  it("the archive may be a bucket or a container", () => {
    expect(parseBlobSettings("gs://my_bucket.x?projectId=p", { folder })).toMatchObject({
      kind: "gcs",
      bucket: "my_bucket.x",
      projectId: "p",
    });
    const s3 = "s3://bucket?region=eu-west-1&endpoint=http://127.0.0.1:9000";
    expect(parseBlobSettings(s3, { folder })).toEqual({
      kind: "s3",
      bucket: "bucket",
      region: "eu-west-1",
      endpoint: "http://127.0.0.1:9000",
    });
    const connectionString = new Secret("AccountKey=x");
    expect(parseBlobSettings("azure://notes", { folder, connectionString })).toEqual({
      kind: "azure",
      container: "notes",
      connectionString,
    });
  });

  it("an invalid setting is refused with the reason", () => {
    for (const text of [
      "",
      "s3://bucket",
      "azure://notes",
      "ftp://x",
      "gs://",
      "s3://k:s@b",
      "gs://b/c",
    ]) {
      expect(() => parseBlobSettings(text, { folder })).toThrow(/^ARCHIVE_STORE /);
    }
  });
});
