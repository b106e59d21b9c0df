/** The add-in as Microsoft's own packages see it: its manifests, and the members of Office.js that it may use. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { documentManifest, mailManifest, unifiedManifest } from "../../src/api/office/manifest.ts";
import { installPackages } from "../servers/packages.ts";

let packages: string;
let folder: string;
beforeAll(async () => {
  packages = await installPackages("office-packages");
  folder = await mkdtemp(join(tmpdir(), "postroom-manifest-"));
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

interface ReadManifest {
  readonly id: string;
  readonly displayName: string;
  readonly officeAppType?: string;
  readonly hosts?: readonly string[];
  readonly permissions?: string;
  readonly version: string;
}

async function load(name: string, content: string): Promise<ReadManifest> {
  const { OfficeAddinManifest } = createRequire(join(packages, "package.json"))(
    "office-addin-manifest",
  ) as { OfficeAddinManifest: { readManifestFile(path: string): Promise<ReadManifest> } };
  await writeFile(join(folder, name), content);
  return OfficeAddinManifest.readManifestFile(join(folder, name));
}

const ORIGIN = "https://postroom.example";
const facts = {
  origin: ORIGIN,
  identity: {
    clientId: "11111111-1111-4111-8111-111111111111",
    apiAppId: "22222222-2222-4222-8222-222222222222",
  },
};

describe("the manifests", () => {
  it("are read by Microsoft's package, each with an id of its own", async () => {
    const mail = await load("mail.xml", mailManifest(facts));
    expect(mail).toMatchObject({
      ...{ displayName: "Postroom", officeAppType: "MailApp", hosts: ["Mailbox"] },
      ...{ permissions: "ReadWriteItem", highResolutionIconUrl: `${ORIGIN}/addin/icon-128.png` },
    });
    const documents = await load("documents.xml", documentManifest(facts));
    expect(documents).toMatchObject({
      ...{ displayName: "Postroom", officeAppType: "TaskPaneApp", permissions: "ReadDocument" },
      hosts: ["Document", "Workbook", "Presentation"],
      defaultSettings: { sourceLocation: `${ORIGIN}/addin/index.html` },
    });
    const unified = await load("manifest.json", JSON.stringify(unifiedManifest(facts)));
    expect(unified.id).toMatch(/^[0-9a-f-]{36}$/);
    expect(new Set([mail.id, documents.id, unified.id]).size).toBe(3);
  });

  it("that are cut off are not", async () => {
    const broken = mailManifest(facts).replace("</OfficeApp>", "");
    await expect(load("broken.xml", broken)).rejects.toThrow();
  });
});

/** What is played, and its type in Office.js. */
const TYPES = {
  context: "Context",
  requirements: "RequirementSetSupport",
  mailbox: "Mailbox",
  itemRead: "MessageRead",
  itemCompose: "MessageCompose",
  body: "Body",
  document: "Document",
  file: "File",
} as const;

describe("the page that plays Office", () => {
  it("knows exactly the members that Microsoft's types have", async () => {
    const types = join(packages, "node_modules/@types/office-js/index.d.ts");
    const checker = ts.createProgram([types], { noLib: true, types: [] }).getTypeChecker();
    const office = checker.resolveName("Office", undefined, ts.SymbolFlags.Namespace, false)!;
    const symbols = checker.getExportsOfModule(office);
    const listed = (found: readonly ts.Symbol[]) =>
      [...new Set(found.map(({ name }) => name))].sort().join(" ");
    const membersOf = (name: string) => {
      const type = checker.getDeclaredTypeOfSymbol(symbols.find((each) => each.name === name)!);
      return listed(type.getProperties());
    };
    const members = {
      Office: listed(symbols.filter(({ flags }) => (flags & ts.SymbolFlags.Value) !== 0)),
      ...Object.fromEntries(Object.entries(TYPES).map(([kind, name]) => [kind, membersOf(name)])),
    };
    await expect(`${JSON.stringify(members, null, 2)}\n`).toMatchFileSnapshot(
      "../../console/src/addin/play/members.json",
    );
  });
});
