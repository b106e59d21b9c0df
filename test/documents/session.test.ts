import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { storeSession } from "../../src/filing/filing-table.ts";
import { reserveForUpload } from "../../src/filing/reserve-for-upload.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { anApp } from "../helpers/app.ts";
import { aDocumentScene, type DocumentScene, documentSettings, type Person } from "./scene.ts";

const CHUNK = 10 * 1024 * 1024;
const UNIT = 320 * 1024;
let scene: DocumentScene;

beforeAll(async () => {
  scene = await aDocumentScene({
    tenant: { switches: { journalRequests: true, uploadSessionLifetimeMs: 3_600_000 } },
  });
});

const begin = async (body: object, person: Person = scene.nina, server = scene.app.server) => {
  const answer = await server.inject({
    method: "POST",
    url: "/upload/session",
    headers: person.headers,
    payload: body,
  });
  return { status: answer.statusCode, json: answer.json(), text: answer.body };
};

const send = async (
  url: string,
  first: number,
  bytes: Buffer,
  total: number,
  options: {
    person?: Person;
    headers?: Record<string, string>;
    server?: typeof scene.app.server;
  } = {},
) => {
  const answer = await (options.server ?? scene.app.server).inject({
    method: "PUT",
    url,
    headers: {
      ...(options.person ?? scene.nina).headers,
      "content-type": "application/octet-stream",
      "content-range": `bytes ${first}-${first + bytes.length - 1}/${total}`,
      ...options.headers,
    },
    payload: bytes,
  });
  return { status: answer.statusCode, json: answer.json(), text: answer.body };
};

describe("an upload in chunks", () => {
  it("creates the file and its record, and never shows Graph's URL [DOC-19] [DOC-17] [H-09]", async () => {
    const matter = await scene.aMatter();
    const bytes = randomBytes(CHUNK + 1_000);
    const { status, json, text } = await begin({
      fileName: "big.bin",
      size: bytes.length,
      parent: `sprk_matter:${matter}`,
    });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      uploadUrl: `/upload/session/${json.uploadId}`,
      chunkSize: CHUNK,
      nextExpectedRanges: ["0-"],
    });
    const first = await send(json.uploadUrl, 0, bytes.subarray(0, CHUNK), bytes.length);
    expect(first).toMatchObject({ status: 202, json: { nextExpectedRanges: [`${CHUNK}-`] } });
    const last = await send(json.uploadUrl, CHUNK, bytes.subarray(CHUNK), bytes.length);
    expect(last).toMatchObject({
      status: 201,
      json: { documentId: json.uploadId, size: bytes.length },
    });
    for (const shown of [text, first.text, last.text])
      expect(shown).not.toContain("/upload/drive/");
    const record = scene.tenant.dataverse.admin.get("sprk_document", json.uploadId)!;
    expect(record.values).toMatchObject({
      sprk_graphitemid: last.json.id,
      sprk_filesize: bytes.length,
      sprk_matter: { id: matter },
    });
    expect(sha256Hex(scene.bytesAt("documents/big.bin")!)).toBe(sha256Hex(bytes));
    scene.tenant.journal.clear();
    const again = await send(json.uploadUrl, CHUNK, bytes.subarray(CHUNK), bytes.length);
    expect(again).toMatchObject({ status: 201, json: { id: last.json.id } });
    const paths = scene.tenant.journal.entries().map((entry) => String(entry["path"]));
    expect(paths.filter((path) => path.includes("sprk_documents"))).toEqual([]);
  });

  it("can be continued only by its sender, and ignores a URL in a header [H-09] [S54]", async () => {
    const { json } = await begin({ fileName: "mine.bin", size: UNIT });
    const other = await send(json.uploadUrl, 0, Buffer.alloc(UNIT), UNIT, { person: scene.omar });
    expect(other.status).toBe(404);
    scene.tenant.journal.clear();
    const headers = { "upload-session-url": "http://127.0.0.1:1/elsewhere" };
    expect((await send(json.uploadUrl, 0, Buffer.alloc(UNIT), UNIT, { headers })).status).toBe(201);
    const unknown = "/upload/session/58dd5db4-8043-4676-9d3c-0123456789ab";
    expect((await send(unknown, 0, Buffer.alloc(10), 10)).status).toBe(404);
    const used = scene.tenant.journal
      .entries()
      .filter((entry) => String(entry["path"]).startsWith("/upload/drive/"));
    expect(used).toHaveLength(1);
  });

  it.each([
    ["no range [S52]", "", 10],
    ["a range of another length [S52]", `bytes 0-99/${2 * UNIT}`, 10],
    ["a range that ends before it begins [S52]", `bytes 9-0/${2 * UNIT}`, 10],
    ["a negative range [S52]", `bytes -10--1/${2 * UNIT}`, 10],
    ["a huge range [S52]", `bytes 0-${"9".repeat(30)}/${2 * UNIT}`, 10],
    ["a range beyond the end [S52]", `bytes ${2 * UNIT}-${2 * UNIT + 9}/${2 * UNIT}`, 10],
    ["an open range [S52]", `bytes */${2 * UNIT}`, 10],
    ["another total [S52]", `bytes 0-${UNIT - 1}/${3 * UNIT}`, UNIT],
    ["a chunk that is no multiple of 320 KiB [S53]", `bytes 0-9/${2 * UNIT}`, 10],
  ])("with %s is refused", async (_what, range, length) => {
    const { json } = await begin({ fileName: "wrong.bin", size: 2 * UNIT });
    const headers = { "content-range": range };
    expect((await send(json.uploadUrl, 0, Buffer.alloc(length), length, { headers })).status).toBe(
      400,
    );
  });

  it("answers 416 and the start of the next chunk if a chunk leaves a gap or overlaps [S52]", async () => {
    const total = 3 * UNIT;
    const { json } = await begin({ fileName: "gap.bin", size: total });
    const gap = await send(json.uploadUrl, UNIT, Buffer.alloc(UNIT), total);
    expect(gap).toMatchObject({ status: 416, json: { nextExpectedRanges: ["0-"] } });
    expect((await send(json.uploadUrl, 0, Buffer.alloc(UNIT), total)).status).toBe(202);
    const overlap = await send(json.uploadUrl, 0, Buffer.alloc(2 * UNIT), total);
    expect(overlap).toMatchObject({ status: 416, json: { nextExpectedRanges: [`${UNIT}-`] } });
  });

  it("says where the next chunk begins, on request and after a repeated chunk [DOC-19]", async () => {
    const total = 2 * UNIT;
    const { json } = await begin({ fileName: "again.bin", size: total });
    expect((await send(json.uploadUrl, 0, Buffer.alloc(UNIT), total)).status).toBe(202);
    const again = await send(json.uploadUrl, 0, Buffer.alloc(UNIT), total);
    expect(again.json.nextExpectedRanges).toEqual([`${UNIT}-`]);
    const status = await scene.app.server.inject({
      url: json.uploadUrl,
      headers: scene.nina.headers,
    });
    expect(status.json().nextExpectedRanges).toEqual([`${UNIT}-`]);
    expect((await send(json.uploadUrl, UNIT, Buffer.alloc(UNIT), total)).status).toBe(201);
  });

  it("creates one file if the last response is lost [H-07]", async () => {
    const { json } = await begin({ fileName: "lost.bin", size: UNIT });
    scene.tenant.faults.arm({
      kind: "lost-answer",
      where: { method: "PUT", path: "/upload/drive/*" },
      remaining: 1,
    });
    const last = await send(json.uploadUrl, 0, Buffer.alloc(UNIT), UNIT);
    expect(last).toMatchObject({ status: 201, json: { name: "lost.bin" } });
    expect(scene.files().filter((path) => path.includes("lost"))).toEqual(["documents/lost.bin"]);
  });

  it("that has ended does not take another file at its path for its own", async () => {
    const { json } = await begin({ fileName: "other.bin", size: UNIT });
    const { actors, filing } = scene.app.documents!;
    const { drives } = actors.app;
    await drives.putSmall(scene.containerId, "documents/other.bin", Buffer.from("short"), "fail");
    const { rows } = await scene.app.database.query<{ session: Buffer }>(
      "SELECT session FROM postroom.filing WHERE id = $1",
      [json.uploadId],
    );
    await actors.sessions.cancel(filing.seal.open(rows[0]!.session)!);
    expect((await send(json.uploadUrl, 0, Buffer.alloc(UNIT), UNIT)).status).toBe(410);
    expect(scene.bytesAt("documents/other.bin")?.toString()).toBe("short");
  });

  it("that is not complete does not take another file at its path for its own", async () => {
    const total = 2 * UNIT;
    const { json } = await begin({ fileName: "meanwhile.bin", size: total });
    const { drives } = scene.app.documents!.actors.app;
    const theirs = Buffer.alloc(total, 1);
    await drives.putSmall(scene.containerId, "documents/meanwhile.bin", theirs, "fail");
    const first = await send(json.uploadUrl, 0, Buffer.alloc(UNIT), total);
    expect(first).toMatchObject({ status: 202, json: { nextExpectedRanges: [`${UNIT}-`] } });
  });

  it("continues in another process from the URL that was stored sealed [R31] [H-09]", async () => {
    const total = 2 * UNIT;
    const { json } = await begin({ fileName: "moved.bin", size: total });
    await send(json.uploadUrl, 0, Buffer.alloc(UNIT), total);
    const { rows } = await scene.app.database.query<{ session: Buffer }>(
      "SELECT session FROM postroom.filing WHERE id = $1",
      [json.uploadId],
    );
    expect(rows[0]!.session.toString("latin1")).not.toContain("upload");
    const second = await anApp(
      scene.tenant,
      { ...documentSettings(scene.tenant), DATABASE_URL: scene.app.database.url },
      { roles: ["api"] },
    );
    const last = await send(json.uploadUrl, UNIT, Buffer.alloc(UNIT), total, {
      server: second.server,
    });
    expect(last).toMatchObject({ status: 201, json: { document: { state: "recorded" } } });
  });

  it("can be cancelled, and says when it has expired", async () => {
    const { json } = await begin({ fileName: "given-up.bin", size: UNIT });
    const { uploadUrl: url } = json;
    const headers = scene.nina.headers;
    expect((await scene.app.server.inject({ method: "DELETE", url, headers })).statusCode).toBe(
      204,
    );
    expect((await send(url, 0, Buffer.alloc(UNIT), UNIT)).status).toBe(404);
    scene.tenant.switches.uploadSessionLifetimeMs = 0;
    const late = await begin({ fileName: "late.bin", size: UNIT });
    scene.tenant.switches.uploadSessionLifetimeMs = 3_600_000;
    expect((await send(late.json.uploadUrl, 0, Buffer.alloc(UNIT), UNIT)).status).toBe(410);
    const anew = await begin({ fileName: "late.bin", size: UNIT });
    expect(anew.json.uploadId).toBe(late.json.uploadId);
    expect((await send(anew.json.uploadUrl, 0, Buffer.alloc(UNIT), UNIT)).status).toBe(201);
  });

  it("has expired if its URL is no longer known", async () => {
    const { json } = await begin({ fileName: "forgotten.bin", size: UNIT });
    await storeSession(scene.app.database, json.uploadId, null);
    const { uploadUrl: url } = json;
    expect((await send(url, 0, Buffer.alloc(UNIT), UNIT)).status).toBe(410);
    const { headers } = scene.nina;
    expect((await scene.app.server.inject({ url, headers })).statusCode).toBe(410);
    expect((await scene.app.server.inject({ method: "DELETE", url, headers })).statusCode).toBe(
      204,
    );
  });

  it("is not undone by a cancellation that comes too late", async () => {
    const { json } = await begin({ fileName: "finished.bin", size: UNIT });
    const { uploadUrl: url } = json;
    const { headers } = scene.nina;
    expect((await send(url, 0, Buffer.alloc(UNIT), UNIT)).status).toBe(201);
    const late = await scene.app.server.inject({ method: "DELETE", url, headers });
    expect(late.statusCode).toBe(204);
    const view = await scene.app.server.inject({ url, headers });
    expect(view.json()).toMatchObject({ document: { state: "recorded" } });
  });

  it("is refused before it begins if the size does not fit the column of the record [DOC-21]", async () => {
    expect((await begin({ fileName: "huge.bin", size: 2_147_483_648 })).status).toBe(413);
    expect((await begin({ fileName: "almost.bin", size: 2_147_483_647 })).status).toBe(201);
  });
});

describe("a large file in one request", () => {
  /** As a process leaves it that died after the first chunk. */
  async function leaveHalf(path: string, bytes: Buffer): Promise<void> {
    const { actors, filing } = scene.app.documents!;
    const { drives } = actors.as({ id: scene.nina.user.id, token: scene.nina.token });
    const { uploadUrl } = await drives.createUploadSession(scene.containerId, path, "fail");
    await actors.sessions.put(uploadUrl, 0, bytes.subarray(0, CHUNK), bytes.length);
    const columns = { sprk_sourcetype: 659490000 };
    const made = await reserveForUpload(
      scene.app,
      {
        ...{ driveId: scene.containerId, path, size: bytes.length, columns, source: "upload" },
        ...{ ownerId: scene.nina.user.id, name: path.split("/").at(-1)!, mimeType: null },
        ...{ sha256: null, isSpooled: false, wantsRecord: true },
      },
      "fail",
    );
    await storeSession(scene.app.database, made!.filing.id, filing.seal.close(uploadUrl));
  }

  it("that was interrupted continues where it stopped [R31] [DOC-17]", async () => {
    const bytes = randomBytes(CHUNK + 5);
    await leaveHalf("documents/cut.bin", bytes);
    scene.tenant.journal.clear();
    const answer = await scene.put("documents/cut.bin", bytes, { query: "?record=true" });
    expect(answer).toMatchObject({ status: 201, json: { document: { state: "recorded" } } });
    const paths = scene.tenant.journal
      .entries()
      .map((entry) => `${entry["method"]} ${entry["path"]}`);
    expect(paths.filter((line) => line.includes("createUploadSession"))).toEqual([]);
    expect(paths.filter((line) => line.startsWith("PUT /upload/drive/"))).toHaveLength(1);
    expect(sha256Hex(scene.bytesAt("documents/cut.bin")!)).toBe(sha256Hex(bytes));
  });

  const urlOf = async (path: string): Promise<string> => {
    const { rows } = await scene.app.database.query<{ session: Buffer }>(
      "SELECT session FROM postroom.filing WHERE path = $1",
      [path],
    );
    return scene.app.documents!.filing.seal.open(rows[0]!.session)!;
  };

  it("that is refused a chunk continues where it stopped", async () => {
    const path = "documents/refused-chunk.bin";
    const bytes = randomBytes(CHUNK + 5);
    await leaveHalf(path, bytes);
    scene.tenant.faults.arm({
      ...{ kind: "server-error", remaining: 1 },
      where: { method: "PUT", path: "/upload/drive/*" } as never,
      options: { status: 403 } as never,
    });
    expect((await scene.put(path, bytes, { query: "?record=true" })).status).toBe(403);
    scene.tenant.journal.clear();
    expect((await scene.put(path, bytes, { query: "?record=true" })).status).toBe(201);
    const paths = scene.tenant.journal.entries().map((entry) => String(entry["path"]));
    expect(paths.filter((one) => one.includes("createUploadSession"))).toEqual([]);
  });

  it("is one file if the response to its last chunk is lost [H-07]", async () => {
    const path = "documents/answer-lost.bin";
    const bytes = randomBytes(4 * 1024 * 1024);
    scene.tenant.faults.arm({
      kind: "lost-answer",
      where: { method: "PUT", path: "/upload/drive/*" },
      remaining: 1,
    });
    expect((await scene.put(path, bytes)).status).toBe(201);
    expect(scene.files().filter((one) => one.includes("answer-lost"))).toEqual([path]);
  });

  it("whose name was taken before its last byte is refused", async () => {
    const path = "documents/taken-late.bin";
    const bytes = randomBytes(CHUNK + 5);
    await leaveHalf(path, bytes);
    const { app, sessions } = scene.app.documents!.actors;
    await app.drives.putSmall(scene.containerId, path, Buffer.from("theirs"), "fail");
    const rest = bytes.subarray(CHUNK);
    await expect(sessions.put(await urlOf(path), CHUNK, rest, bytes.length)).rejects.toMatchObject({
      code: "drive.conflict",
    });
    expect((await scene.put(path, bytes, { query: "?record=true" })).status).toBe(409);
    expect(scene.bytesAt(path)?.toString()).toBe("theirs");
  });

  it("whose session has expired begins again", async () => {
    const path = "documents/expired.bin";
    const bytes = randomBytes(CHUNK + 5);
    await leaveHalf(path, bytes);
    await scene.app.documents!.actors.sessions.cancel(await urlOf(path));
    expect((await scene.put(path, bytes, { query: "?record=true" })).status).toBe(201);
    expect(sha256Hex(scene.bytesAt(path)!)).toBe(sha256Hex(bytes));
  });

  it("that continues with different bytes is removed, not mixed [R31]", async () => {
    const path = "documents/mixed.bin";
    await leaveHalf(path, randomBytes(CHUNK + 5));
    const other = randomBytes(CHUNK + 5);
    expect((await scene.put(path, other, { query: "?record=true" })).status).toBe(409);
    expect(scene.files()).not.toContain(path);
    const filings = "SELECT FROM postroom.filing WHERE path = $1";
    expect((await scene.app.database.query(filings, [path])).rowCount).toBe(0);
    expect((await scene.put(path, other, { query: "?record=true" })).status).toBe(201);
    expect(sha256Hex(scene.bytesAt(path)!)).toBe(sha256Hex(other));
  });
});
