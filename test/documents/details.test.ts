/** What is shown beside a document: versions, who may open it, its history and its profile, each as the caller. */
import { beforeAll, describe, expect, it } from "vitest";
import { aDocumentScene, type DocumentScene, type Person } from "./scene.ts";

let scene: DocumentScene;
let documentId: string;
let closed: string;

beforeAll(async () => {
  scene = await aDocumentScene();
  const { admin } = scene.tenant.drives;
  closed = admin.createContainer({
    members: [
      { userId: scene.nina.user.id, role: "owner" as const },
      { userId: scene.omar.user.id, role: "reader" as const },
    ],
  }).id;
  const put = (body: string, query: string) =>
    scene.put("documents/lease.txt", body, { container: closed, query });
  documentId = String((await put("one", "?record=true")).json["documentId"]);
  expect((await put("three", "?record=true&conflictBehavior=replace")).status).toBe(201);
});

async function ask(person: Person, part: string) {
  const answer = await scene.app.server.inject({
    url: `/api/documents/${documentId}/${part}`,
    headers: person.headers,
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  return { status: answer.statusCode, json: answer.json() as any };
}

describe("a document", () => {
  it("shows its versions, newest first, with who saved them", async () => {
    const { json } = await ask(scene.nina, "versions");
    const by = scene.nina.user.displayName;
    expect(json.versions).toMatchObject([
      { id: "2.0", by, size: 5 },
      { id: "1.0", by, size: 3 },
    ]);
  });

  it("shows an owner of the drive everybody who may open it, and another person only themselves", async () => {
    const names = async (person: Person) =>
      (await ask(person, "readers")).json.readers.map((each: { name: string }) => each.name);
    const [nina, omar] = [scene.nina, scene.omar].map(({ user }) => user.displayName);
    expect((await names(scene.nina)).sort()).toEqual([nina, omar].sort());
    expect(await names(scene.omar)).toEqual([omar]);
    const { json } = await ask(scene.nina, "readers");
    expect(json.recordOwner).toBe(nina);
    expect(json.readers[0]).toMatchObject({ kind: "person", isInherited: true, until: null });
  });

  it("shows that a sharing link exists, but never the link", async () => {
    const item = scene.records().find(({ id }) => id === documentId)!.values[
      "sprk_graphitemid"
    ] as string;
    const container = scene.tenant.drives.admin.containers().find(({ id }) => id === closed)!;
    container.drive.items.get(item)!.permissions = [
      {
        ...{ id: "a", roles: ["read"], userIds: [], appId: "x", expiresMs: null },
        link: { type: "view", scope: "organization", token: "a-secret-token" },
      },
    ];
    const { json } = await ask(scene.nina, "readers");
    expect(json.readers[0]).toMatchObject({ kind: "link", name: "Everyone in the tenant" });
    expect(JSON.stringify(json)).not.toContain("a-secret-token");
    container.drive.items.get(item)!.permissions = [];
  });

  it("tells what happened to it, in order, and that its record was refused", async () => {
    const whats = async () =>
      (await ask(scene.nina, "history")).json.steps.map((step: { what: string }) => step.what);
    expect((await whats())[0]).toBe("filed");
    expect(await whats()).toContain("record-created");
    await scene.app.database.query(
      "UPDATE postroom.filing SET state = 'refused', reason = 'no such matter' WHERE id = $1",
      [documentId],
    );
    const { steps } = (await ask(scene.nina, "history")).json;
    expect(steps).toContainEqual(
      expect.objectContaining({ what: "refused", detail: "no such matter" }),
    );
    await scene.app.database.query("UPDATE postroom.filing SET state = 'recorded' WHERE id = $1", [
      documentId,
    ]);
  });

  it("shows its profile from the record", async () => {
    expect((await ask(scene.nina, "profile")).json.summarizedAt).toBeNull();
    await scene.tenant.dataverse.admin.update("sprk_document", documentId, {
      ...{ sprk_filetldr: "A lease.", sprk_filesummarydate: "2026-01-31T08:00:00Z" },
    });
    expect((await ask(scene.nina, "profile")).json).toMatchObject({
      ...{ tldr: "A lease.", summarizedAt: "2026-01-31T08:00:00.000Z" },
    });
  });

  it("shows none of this to a person who may not read its record", async () => {
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "user");
    for (const part of ["versions", "readers", "history", "profile"])
      expect([part, (await ask(scene.omar, part)).status]).toEqual([part, 403]);
  });
});
