import { describe, expect, it } from "vitest";
import { loadConfig } from "../config.ts";
import { createQuickXor } from "../lib/quick-xor.ts";
import { systemRandom } from "../lib/random.ts";
import { createSeal } from "../lib/seal.ts";
import { bindParent, checkContainerId, parseParent, readParent } from "./container.ts";
import { contentTypeOf } from "./content-type.ts";
import { mayUploadTo } from "./may-upload-to.ts";
import { toRecord } from "./record.ts";

const ID = "58dd5db4-8043-4676-9d3c-0123456789ab";
const SETTINGS = {
  TENANT_ID: "t",
  API_APP_ID: "a",
  API_CLIENT_SECRET: "a-secret",
  Dataverse__ServiceUrl: "https://org.crm.dynamics.com/",
};
const problemOf = (settings: Record<string, string>): string => {
  try {
    loadConfig(settings);
    return "";
  } catch (error) {
    return (error as Error).message;
  }
};

describe("a parent in a request", () => {
  it("may be absent, and is refused if it names no table and id", () => {
    expect(readParent(undefined)).toBeNull();
    expect(readParent(`sprk_matter:${ID}`)).toEqual({ table: "sprk_matter", id: ID });
    expect(() => readParent("sprk_matter")).toThrow(
      "the parent must be a table and an ID, such as sprk_matter:",
    );
  });
});

describe("a container in a request", () => {
  it("is a drive id and nothing else", () => {
    const id = `b!${"x".repeat(20)}`;
    expect(checkContainerId(id)).toBe(id);
    for (const other of [ID, "b!", `${id}/x`, `${id}\n`, ""])
      expect(() => checkContainerId(other), other).toThrow("by its drive ID");
  });
});

describe("the default container", () => {
  it("is named by its drive id; a GUID, or an incomplete set of settings, is refused at startup [DOC-01] [DOC-02] [AUTH-02]", () => {
    const name = "EmailProcessing__DefaultContainerId";
    expect(problemOf({ ...SETTINGS, [name]: ID })).toMatch(new RegExp(`${name}.*b!`));
    expect(problemOf(SETTINGS)).toContain(`${name}: missing`);
    const { documents } = loadConfig({ ...SETTINGS, [name]: "b!abc" });
    expect(documents).toMatchObject({
      defaultContainerId: "b!abc",
      dataverseOrigin: "https://org.crm.dynamics.com",
      defaultAction: "AutoSave",
    });
  });
});

describe("a parent", () => {
  it.each([
    `sprk_matter:${ID}`,
    `sprk_matters(${ID})`,
    `/sprk_matters(${ID})`,
    `sprk_matter:{${ID.toUpperCase()}}`,
  ])("may be written as %s, and is bound with its case [DOC-14]", (text) => {
    const parent = parseParent(text)!;
    expect(bindParent(parent)).toEqual({ "sprk_Matter@odata.bind": `/sprk_matters(${ID})` });
  });

  it.each([
    "",
    "sprk_matter",
    `systemuser:${ID}`,
    "sprk_matter:1",
    `sprk_matter:${ID})/x(`,
    `sprk_matter:${"-".repeat(36)}`,
  ])("%j is not a parent", (text) => expect(parseParent(text)).toBeNull());
});

describe("an upload session's address", () => {
  const settings = { graphOrigin: "https://graph.microsoft.com", uploadHosts: [".sharepoint.com"] };
  it.each([
    ["https://contoso.sharepoint.com/x", true],
    ["http://contoso.sharepoint.com/x", false],
    ["https://contoso.sharepoint.com:444/x", false],
    ["https://contoso.sharepoint.com.evil.test/x", false],
    ["https://evilsharepoint.com/x", false],
    ["https://169.254.169.254/x", false],
    ["http://localhost/x", false],
  ])("%s is used: %s [H-09] [S47]", (url, is) =>
    expect(mayUploadTo(new URL(url), settings)).toBe(is),
  );

  it.each([
    ["http://127.0.0.1:8011/upload", true],
    ["http://127.0.0.1:8012/upload", false],
    ["http://contoso.sharepoint.com:8011/upload", false],
  ])("beside a tenant on this machine, %s is used: %s [H-09] [S47]", (url, is) => {
    const local = { ...settings, graphOrigin: "http://127.0.0.1:8011" };
    expect(mayUploadTo(new URL(url), local)).toBe(is);
  });
});

describe("the type of a file", () => {
  it.each([
    ["x.pdf", "%PDF-1.7", "application/pdf"],
    ["x.pdf", "MZ\u0090", "application/vnd.microsoft.portable-executable"],
    [
      "x.docx",
      "PK\u0003\u0004",
      "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ],
    ["x.zip", "PK\u0003\u0004", "application/zip"],
    ["x.csv", "a,b", "text/csv"],
    ["x.csv", "a\u0000b", "application/octet-stream"],
  ])("%s that begins with %j is %s [H-18]", (name, start, type) => {
    expect(contentTypeOf(name, Buffer.from(start, "latin1"))).toBe(type);
  });
});

describe("a record", () => {
  it("refuses a size that its column cannot hold, and never writes the file's type [DOC-21] [DOC-22]", () => {
    const filing = { size: 2_147_483_647, name: "x", columns: {} } as Parameters<
      typeof toRecord
    >[0];
    expect(toRecord(filing)["sprk_filesize"]).toBe(2_147_483_647);
    expect(toRecord(filing)).not.toHaveProperty("sprk_filetype");
    expect(() => toRecord({ ...filing, size: 2_147_483_648 })).toThrow("bytes");
  });
});

describe("helpers", () => {
  it("the drive's hash of an empty file and of a word match OneDrive's", () => {
    const hashOf = (text: string) => {
      const hash = createQuickXor();
      for (const letter of text) hash.update(Buffer.from(letter));
      return hash.digest();
    };
    expect(hashOf("")).toBe("AAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    expect(hashOf("hello")).toBe("aCgDG9jwBgAAAAAABQAAAAAAAAA=");
  });

  it("a sealed text opens only with its own secret", () => {
    const seal = createSeal("one", systemRandom);
    const closed = seal.close("https://x/y");
    expect(seal.open(closed)).toBe("https://x/y");
    expect(createSeal("two", systemRandom).open(closed)).toBeNull();
    expect(seal.open(closed.subarray(1))).toBeNull();
  });
});
