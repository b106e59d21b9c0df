import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { aDocumentScene, type DocumentScene } from "./scene.ts";

const MB = 1024 * 1024;
let scene: DocumentScene;

beforeAll(async () => {
  scene = await aDocumentScene({
    tenant: { switches: { journalRequests: true, deliveryDelayMs: 0 } },
  });
});

const requests = () =>
  scene.tenant.journal
    .entries()
    .filter((entry) => entry.kind === "request")
    .map((entry) => `${entry["method"]} ${entry["path"]}`);

describe("a file sent to a path", () => {
  it("is stored on the drive, and the response names it [DOC-09] [DOC-24]", async () => {
    const { status, json } = await scene.put("documents/plain.txt", "some text");
    expect(status).toBe(201);
    expect(json).toMatchObject({ name: "plain.txt", size: 9, driveId: scene.containerId });
    expect(json["id"]).toMatch(/^01/);
    expect(json["webUrl"]).toMatch(/^http/);
    expect(json["documentId"]).toBeNull();
    expect(scene.bytesAt("documents/plain.txt")?.toString()).toBe("some text");
    expect(scene.records().map(({ values }) => values["sprk_filename"])).not.toContain("plain.txt");
  });

  it("for a matter gets a record with exactly its columns [DOC-07] [DOC-08] [DOC-10] [DOC-20] [DOC-22] [DOC-23]", async () => {
    const matter = await scene.aMatter();
    const { json } = await scene.put("documents/note.pdf", "%PDF-1.7 a note", {
      query: `?parent=sprk_matter:${matter}`,
    });
    const record = scene.tenant.dataverse.admin.get("sprk_document", json["documentId"])!;
    expect(record.values).toMatchObject({
      sprk_filename: "note.pdf",
      sprk_filesize: 15,
      sprk_mimetype: "application/pdf",
      sprk_graphitemid: json["id"],
      sprk_graphdriveid: scene.containerId,
      sprk_filepath: json["webUrl"],
      sprk_hasfile: true,
      sprk_matter: { table: "sprk_matter", id: matter },
    });
    expect(record.values["sprk_filetype"] ?? null).toBeNull();
    expect(record.values["createdby"]).toEqual({
      table: "systemuser",
      id: scene.tenant.dataverse.admin.userIdOf(scene.nina.user.id),
    });
  });

  it.each(["sprk_matter", "sprk_project", "sprk_event"])(
    "can belong to a %s [DOC-14]",
    async (table) => {
      const { id } = await scene.tenant.dataverse.admin.create(table, { sprk_name: "P" });
      const { json } = await scene.put(`documents/of-${table}.txt`, "x", {
        query: `?parent=${table}:${id}`,
      });
      const record = scene.tenant.dataverse.admin.get("sprk_document", json["documentId"])!;
      expect(record.values[table]).toEqual({ table, id });
    },
  );

  it("goes in one request below 4 MB, and in chunks of 10 MB above [DOC-16] [DOC-17]", async () => {
    scene.tenant.journal.clear();
    await scene.put("documents/below.bin", Buffer.alloc(4 * MB - 1, 1));
    expect(requests().filter((line) => /\/content|createUploadSession/.test(line))).toEqual([
      expect.stringMatching(/^PUT .*below\.bin:\/content/),
    ]);
    scene.tenant.journal.clear();
    await scene.put("documents/from.bin", Buffer.alloc(4 * MB, 2));
    expect(requests().filter((line) => line.includes("createUploadSession"))).toHaveLength(1);
    expect(requests().filter((line) => line.startsWith("PUT /upload/drive/"))).toHaveLength(1);
    scene.tenant.journal.clear();
    await scene.put("documents/large.bin", Buffer.alloc(21 * MB, 3));
    expect(requests().filter((line) => line.startsWith("PUT /upload/drive/"))).toHaveLength(3);
    expect(scene.bytesAt("documents/large.bin")?.length).toBe(21 * MB);
  });

  it("that is sent again is the same file and record, and different content is refused [H-07]", async () => {
    const query = "?record=true";
    const first = await scene.put("documents/twice.txt", "once", { query });
    const second = await scene.put("documents/twice.txt", "once", { query });
    expect(second.json["documentId"]).toBe(first.json["documentId"]);
    expect(second.json["id"]).toBe(first.json["id"]);
    const other = await scene.put("documents/twice.txt", "else", { query });
    expect(other).toMatchObject({ status: 409, json: { errorCode: "drive.conflict" } });
    expect(scene.bytesAt("documents/twice.txt")?.toString()).toBe("once");
    const replaced = await scene.put("documents/twice.txt", "else!", {
      query: `${query}&conflictBehavior=replace`,
    });
    expect(replaced.json).toMatchObject({ id: first.json["id"], size: 5 });
    expect(scene.records().filter(({ values }) => values["sprk_filename"] === "twice.txt")).toEqual(
      [expect.objectContaining({ values: expect.objectContaining({ sprk_filesize: 5 }) })],
    );
  });

  it("is refused or renamed, as requested, if its path is taken", async () => {
    await scene.put("documents/shared.txt", "Nina's");
    const refused = await scene.put("documents/shared.txt", "Omar's", { person: scene.omar });
    expect(refused.status).toBe(409);
    const renamed = await scene.put("documents/shared.txt", "Omar's", {
      person: scene.omar,
      query: "?conflictBehavior=rename",
    });
    expect(renamed.json["name"]).toBe("shared 1.txt");
    expect(scene.bytesAt("documents/shared.txt")?.toString()).toBe("Nina's");
  });

  it.each([
    ["%2e%2e/x.txt"],
    ["a/..%5Cx.txt"],
    ["documents/"],
    ["documents/a%00b.txt"],
    ["documents/con"],
    ["documents/a%3Ab.txt"],
    ["documents/%E2%80%AEtxt.exe"],
    [`documents/${"x".repeat(420)}.txt`],
  ])("to %s is refused before anything is sent", async (path) => {
    scene.tenant.journal.clear();
    const { status } = await scene.put(path, "x");
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(requests().filter((line) => line.includes("/drives/"))).toEqual([]);
  });

  it("that is empty, or to a container by its GUID, is refused [DOC-02]", async () => {
    expect((await scene.put("documents/empty.txt", "")).status).toBe(411);
    const container = "58dd5db4-8043-4676-9d3c-0123456789ab";
    const { status, json } = await scene.put("documents/x.txt", "x", { container });
    expect([status, json["detail"]]).toEqual([400, expect.stringContaining("b!")]);
  });

  it("from a person who may not write there leaves no file and no record [DOC-07] [DOC-28]", async () => {
    const closed = scene.tenant.drives.admin.createContainer({ members: [] });
    const before = scene.records().length;
    const answer = await scene.put("documents/x.txt", "x", {
      container: closed.id,
      query: "?record=true",
    });
    expect(answer).toMatchObject({ status: 403, json: { errorCode: "graph.denied" } });
    expect(scene.records()).toHaveLength(before);
  });

  it("for a parent that the sender may not see is refused, and no file is sent", async () => {
    const matter = await scene.aMatter();
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "user");
    const answer = await scene.put("documents/secret.txt", "x", {
      person: scene.omar,
      query: `?parent=sprk_matter:${matter}`,
    });
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "organization");
    expect(answer.status).toBe(400);
    expect(scene.files()).not.toContain("documents/secret.txt");
  });

  it("requires a token [AUTH-04]", async () => {
    const answer = await scene.app.server.inject({
      method: "PUT",
      url: `/api/containers/${scene.containerId}/files/documents/x.txt`,
      payload: "x",
    });
    expect(answer.statusCode).toBe(401);
  });

  it("whose record Dataverse refuses stays on the drive and is reported as refused [R32]", async () => {
    scene.tenant.faults.arm({
      kind: "server-error",
      where: { part: "dataverse", method: "PATCH" },
      options: { status: 400 },
      remaining: 1,
    });
    const answer = await scene.put("documents/renamed-column.txt", "x", { query: "?record=true" });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.json["errorCode"]).toBe("dataverse.rejected");
    const list = await scene.app.server.inject({
      url: "/api/documents?state=refused",
      headers: scene.nina.headers,
    });
    expect(list.json().documents).toEqual([
      expect.objectContaining({ name: "renamed-column.txt", state: "refused", hasRecord: false }),
    ]);
    const again = await scene.put("documents/renamed-column.txt", "x", { query: "?record=true" });
    expect(again).toMatchObject({ status: 201, json: { document: { state: "recorded" } } });
  });
});

describe("a sender who is slow", () => {
  /** Sends the head and the first byte of two; the rest is the caller's. */
  async function begin(request: string): Promise<{ socket: Socket; answer: Promise<string> }> {
    const socket = connect(scene.app.port, "127.0.0.1");
    await once(socket, "connect");
    const { authorization } = scene.nina.headers;
    socket.write(
      `${request} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{`,
    );
    let text = "";
    socket.on("data", (chunk) => {
      text += String(chunk);
    });
    socket.on("error", () => {});
    return { socket, answer: once(socket, "close").then(() => text) };
  }

  it("is disconnected, unless the request is a file", { timeout: 60_000 }, async () => {
    const file = await begin(`PUT /api/containers/${scene.containerId}/files/documents/slow.txt`);
    const other = await begin("POST /upload/session");
    expect(await other.answer).not.toContain("201");
    file.socket.write("}");
    expect(await file.answer).toContain("HTTP/1.1 201");
    expect(scene.bytesAt("documents/slow.txt")?.toString()).toBe("{}");
  });
});

describe("files that are sent before their parent exists", () => {
  const record = async (id: string, body: object, headers = scene.nina.headers) => {
    const url = `/api/documents/${id}/record`;
    const answer = await scene.app.server.inject({ method: "POST", url, headers, payload: body });
    return { status: answer.statusCode, json: answer.json() };
  };

  it("get their records afterwards without being moved [DOC-12] [DOC-13] [DOC-29]", async () => {
    const sent = [];
    for (const name of ["one", "two"])
      sent.push((await scene.put(`documents/before-${name}.txt`, name)).json);
    const matter = await scene.aMatter();
    const ids = sent.map((json) => String(json["document"]["id"]));
    expect((await record(ids[0]!, {}, scene.omar.headers)).status).toBe(403);
    const unseen = await record(ids[0]!, {
      parent: "sprk_matter:58dd5db4-8043-4676-9d3c-0123456789ab",
    });
    expect(unseen.status).toBe(400);
    expect(scene.records().filter(({ id }) => ids.includes(id))).toEqual([]);
    for (const id of ids)
      expect((await record(id, { parent: `sprk_matter:${matter}` })).status).toBe(201);
    const records = scene.records().filter(({ id }) => ids.includes(id));
    expect(records.map(({ values }) => values["sprk_graphitemid"]).sort()).toEqual(
      sent.map((json) => json["id"]).sort(),
    );
    expect(records.map(({ values }) => values["sprk_matter"])).toEqual([
      { table: "sprk_matter", id: matter },
      { table: "sprk_matter", id: matter },
    ]);
    expect(scene.files()).toContain("documents/before-one.txt");
  });
});

describe("a form", () => {
  async function post(parts: Record<string, string>, file: { name: string; body: Buffer }) {
    const form = new FormData();
    for (const [name, value] of Object.entries(parts)) form.append(name, value);
    form.append("file", new Blob([new Uint8Array(file.body)]), file.name);
    const request = new Request("http://x/", { method: "POST", body: form });
    const answer = await scene.app.server.inject({
      method: "POST",
      url: "/upload/file",
      headers: { ...scene.nina.headers, "content-type": request.headers.get("content-type")! },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    return { status: answer.statusCode, json: answer.json() };
  }

  it("without a parent files into the default container, flat [DOC-01] [DOC-06] [DOC-15] [DOC-18]", async () => {
    const { status, json } = await post(
      {},
      { name: "../Fee: note?.pdf", body: Buffer.from("%PDF-1.4") },
    );
    expect(status).toBe(201);
    expect(json).toMatchObject({ driveId: scene.containerId, name: "Fee_ note_.pdf" });
    expect(scene.files()).toContain("documents/Fee_ note_.pdf");
    expect(json.document.state).toBe("recorded");
  });

  it("with a parent uses the parent's container, unless the request names one [DOC-03] [DOC-05]", async () => {
    const own = scene.tenant.drives.admin.createContainer({});
    const matter = await scene.aMatter({ sprk_containerid: own.id });
    const ofParent = await post(
      { parent: `sprk_matter:${matter}` },
      { name: "a.txt", body: Buffer.from("a") },
    );
    expect(ofParent.json.driveId).toBe(own.id);
    const named = await post(
      { parent: `sprk_matter:${matter}`, containerId: scene.containerId },
      { name: "b.txt", body: Buffer.from("b") },
    );
    expect(named.json.driveId).toBe(scene.containerId);
  });

  it("that is sent twice makes one document, and two files with one name make two [H-07]", async () => {
    const first = await post({}, { name: "same.txt", body: Buffer.from("one") });
    const again = await post({}, { name: "same.txt", body: Buffer.from("one") });
    const other = await post({}, { name: "same.txt", body: Buffer.from("two") });
    expect(again.json.documentId).toBe(first.json.documentId);
    expect(other.json.name).toBe("same 1.txt");
  });

  it("with a file of 4 MB is refused and points to the upload session [DOC-16] [DOC-18]", async () => {
    expect((await post({}, { name: "x.bin", body: Buffer.alloc(4 * MB - 1) })).status).toBe(201);
    const { status, json } = await post({}, { name: "y.bin", body: Buffer.alloc(4 * MB) });
    expect([status, json.detail]).toEqual([413, expect.stringContaining("/upload/session")]);
  });
});

describe("a contract note from a person whose mailbox is not watched", () => {
  const PDF = "%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n";
  const upload = (headers: Record<string, string>) =>
    scene.app.server.inject({
      method: "POST",
      url: "/api/contract-notes",
      headers: { ...headers, "content-type": "multipart/form-data; boundary=x" },
      payload: `--x\r\ncontent-disposition: form-data; name="file"; filename="n.pdf"\r\ncontent-type: application/pdf\r\n\r\n${PDF}\r\n--x--\r\n`,
    });

  it("is that person's own, by the address in the directory [ARC-07]", async () => {
    const answer = await upload(scene.omar.headers);
    expect(answer.statusCode).toBe(202);
    const { rows } = await scene.app.database.query<{ payload: object }>(
      "SELECT payload FROM postroom.job WHERE id = $1",
      [answer.json().accepted[0].jobId],
    );
    expect(rows[0]!.payload).toMatchObject({ senderEmail: scene.omar.user.mail, isOwn: true });
  });

  it("is refused if the directory knows no address of the caller [ARC-07]", async () => {
    const headers = { authorization: `Bearer ${scene.app.operatorKey}` };
    expect((await upload(headers)).statusCode).toBe(400);
  });
});
