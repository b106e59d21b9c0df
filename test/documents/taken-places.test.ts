import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contentOfStream } from "../../src/filing/content.ts";
import { aDocumentScene, type DocumentScene } from "./scene.ts";

const MB = 1024 * 1024;
/** Sent as a stream, which can be read only once. */
const large = (byte: number) => Buffer.alloc(4 * MB, byte);
const RENAME = { query: "?conflictBehavior=rename" };
let scene: DocumentScene;

beforeAll(async () => {
  scene = await aDocumentScene({ tenant: { switches: { deliveryDelayMs: 0 } } });
});
beforeEach(() => scene.tenant.faults.disarm());

const begin = async (fileName: string, size: number, more: object = {}) => {
  const answer = await scene.app.server.inject({
    method: "POST",
    url: "/upload/session",
    headers: scene.nina.headers,
    payload: { fileName, size, ...more },
  });
  return { status: answer.statusCode, json: answer.json() };
};
const filingsAt = async (path: string) => {
  const { rows } = await scene.app.database.query<{ id: string; state: string }>(
    "SELECT id, state FROM postroom.filing WHERE path = $1",
    [path],
  );
  return rows;
};

describe("a large file", () => {
  it("that is sent again is the same file, and other content of the same length is refused [H-07]", async () => {
    const first = await scene.put("documents/large.bin", large(1));
    expect((await scene.put("documents/large.bin", large(1))).json["id"]).toBe(first.json["id"]);
    const other = await scene.put("documents/large.bin", large(2));
    expect(other).toMatchObject({ status: 409, json: { errorCode: "drive.conflict" } });
    expect(scene.bytesAt("documents/large.bin")?.[0]).toBe(1);
  });

  it("that the drive refuses is not found again in somebody else's file with the same bytes", async () => {
    const { actors } = scene.app.documents!;
    const path = "documents/theirs.txt";
    await actors.app.drives.putSmall(scene.containerId, path, Buffer.from("same"), "fail");
    scene.tenant.faults.arm({
      kind: "server-error",
      where: { method: "PUT", path: "/v1.0/drives/*" } as never,
      options: { status: 403 } as never,
      remaining: 1,
    });
    expect((await scene.put(path, "same")).status).toBe(403);
    expect(await filingsAt(path)).toEqual([]);
  });

  it("gets another name before it is sent, if its own is taken", async () => {
    await scene.put("documents/big.bin", "small");
    const { json } = await scene.put("documents/big.bin", large(3), RENAME);
    expect(json["name"]).toBe("big 1.bin");
    expect(scene.bytesAt("documents/big 1.bin")?.length).toBe(4 * MB);
  });

  it("is refused if its name is taken while it is sent, because it cannot be read again", async () => {
    scene.tenant.faults.arm({
      kind: "server-error",
      where: { method: "POST", path: "/v1.0/drives/*" } as never,
      options: { status: 409 } as never,
      remaining: 1,
    });
    const answer = await scene.put("documents/raced.bin", large(4), RENAME);
    expect(answer).toMatchObject({ status: 409, json: { errorCode: "drive.conflict" } });
    expect(await filingsAt("documents/raced.bin")).toEqual([]);
  });

  it("for a container that the sender may not read is refused like one that is not there [S39]", async () => {
    const closed = scene.tenant.drives.admin.createContainer({ members: [] });
    const answer = await scene.put("documents/x.bin", large(5), {
      ...RENAME,
      container: closed.id,
    });
    expect(answer).toMatchObject({ status: 403, json: { errorCode: "graph.denied" } });
    expect(answer.json["detail"]).toContain("there is no such container");
  });
});

describe("a place that the sender's own unfinished upload holds", () => {
  it("is refused to another file, and the other file gets another name if it may", async () => {
    await begin("held.bin", 9 * MB);
    const [held] = await pendingOf("held.bin");
    expect(await scene.put(held!.path, "else")).toMatchObject({ status: 409 });
    const renamed = await scene.put(held!.path, "else", RENAME);
    expect(renamed.json["name"]).toBe("held 1.bin");
  });

  it("gives another upload of that name another place, and so does a finished one [DOC-19]", async () => {
    await begin("again.bin", 9 * MB);
    await begin("again.bin", 8 * MB);
    expect((await pendingOf("again")).map(({ path }) => path.split("/").at(-1))).toEqual([
      "again 1.bin",
      "again.bin",
    ]);
    await scene.app.database.query(
      "UPDATE postroom.filing SET state = 'uploaded' WHERE path LIKE '%/again.bin'",
    );
    expect((await begin("again.bin", 9 * MB)).status).toBe(201);
    expect((await pendingOf("again")).map(({ path }) => path.split("/").at(-1))).toContain(
      "again 2.bin",
    );
  });

  it("is no repeat for the same file under another matter, or sent in another way", async () => {
    const matter = await scene.aMatter();
    const first = await begin("twin.bin", 4 * MB);
    expect((await begin("twin.bin", 4 * MB)).json.uploadId).toBe(first.json.uploadId);
    const elsewhere = await begin("twin.bin", 4 * MB, { parent: `sprk_matter:${matter}` });
    expect(elsewhere.json.uploadId).not.toBe(first.json.uploadId);
    const [, held] = await pendingOf("twin");
    expect(await scene.put(held!.path, large(7))).toMatchObject({ status: 409 });
  });

  it("has no record yet to be asked for [DOC-12]", async () => {
    await begin("early.bin", 9 * MB);
    const [early] = await pendingOf("early.bin");
    const answer = await scene.app.server.inject({
      method: "POST",
      url: `/api/documents/${early!.id}/record`,
      headers: scene.nina.headers,
      payload: {},
    });
    expect(answer.statusCode).toBe(403);
  });

  it("is refused after a hundred names", async () => {
    await scene.app.database.query(
      `INSERT INTO postroom.filing (id, key, owner_id, drive_id, path, name, size, source, state)
       SELECT gen_random_uuid(), 'upload:full-' || n, $1, $2,
              'documents/full' || CASE n WHEN 0 THEN '' ELSE ' ' || n END || '.bin', 'full.bin', 1, 'session', 'pending'
         FROM generate_series(0, 99) n`,
      [scene.nina.user.id, scene.containerId],
    );
    expect((await begin("full.bin", 9 * MB)).json).toMatchObject({ errorCode: "drive.conflict" });
    const put = await scene.put("documents/full.bin", "x", RENAME);
    expect(put).toMatchObject({ status: 409, json: { errorCode: "drive.conflict" } });
  });
});

describe("a dry run", () => {
  it("refuses a name that is taken, says which one is free, and files nothing", async () => {
    await scene.put("documents/there.txt", "x");
    const before = scene.files();
    const refused = await scene.put("documents/there.txt", "", { query: "?dryRun=true" });
    expect(refused).toMatchObject({ status: 409, json: { errorCode: "drive.conflict" } });
    const renamed = await scene.put("documents/there.txt", "", {
      query: "?dryRun=true&conflictBehavior=rename",
    });
    expect(renamed).toMatchObject({ status: 200, json: { path: "documents/there 1.txt" } });
    expect(await filingsAt("documents/there 1.txt")).toEqual([]);
    const replaced = await scene.put("documents/there.txt", "", {
      query: "?dryRun=true&conflictBehavior=replace",
    });
    expect(replaced).toMatchObject({ status: 200, json: { path: "documents/there.txt" } });
    expect(scene.files()).toEqual(before);
  });
});

describe("an upload that did not end well", () => {
  const failOnce = (status: number) =>
    scene.tenant.faults.arm({
      kind: "server-error",
      where: { method: "PUT", path: "/v1.0/drives/*" } as never,
      options: { status } as never,
      remaining: 20,
    });

  it("is refused if the drive opens no session, and takes no other name for it", async () => {
    scene.tenant.faults.arm({
      ...{ kind: "server-error", remaining: 1 },
      where: { method: "POST", path: "/v1.0/drives/*" } as never,
      options: { status: 403 } as never,
    });
    expect((await begin("no-session.bin", 9 * MB)).status).toBe(403);
    expect(await pendingOf("no-session")).toEqual([]);
  });

  it("keeps its place if the drive was only unavailable, and loses it if the sender was refused", async () => {
    failOnce(503);
    expect((await scene.put("documents/later.txt", "x")).status).toBeGreaterThanOrEqual(500);
    expect(await filingsAt("documents/later.txt")).toMatchObject([{ state: "pending" }]);
    scene.tenant.faults.disarm();
    failOnce(403);
    expect((await scene.put("documents/never.txt", "x")).status).toBe(403);
    expect(await filingsAt("documents/never.txt")).toEqual([]);
    // The first attempt of this one was interrupted; a refusal of the second does not forget it.
    expect((await scene.put("documents/later.txt", "x")).status).toBe(403);
    expect(await filingsAt("documents/later.txt")).toMatchObject([{ state: "pending" }]);
    scene.tenant.faults.disarm();
    expect((await scene.put("documents/later.txt", "x")).status).toBe(201);
  });
});

describe("a large file whose sender disconnects", () => {
  it("keeps its place, so that the sender can continue [R31]", async () => {
    async function* broken() {
      yield large(6).subarray(0, MB);
      throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    }
    const { uploads } = scene.app.documents!;
    const caller = { id: scene.nina.user.id, token: scene.nina.token };
    const file = { path: "documents/cut.bin", size: 4 * MB, parent: null };
    const sent = uploads.sendFile(caller, {
      ...{ ...file, containerId: scene.containerId, wantsRecord: false, whenTaken: "fail" },
      content: contentOfStream(broken(), 4 * MB),
    });
    await expect(sent).rejects.toThrow("aborted");
    expect(await filingsAt("documents/cut.bin")).toMatchObject([{ state: "pending" }]);
    expect((await scene.put("documents/cut.bin", large(6))).status).toBe(201);
  });
});

async function pendingOf(name: string) {
  const { rows } = await scene.app.database.query<{ id: string; path: string }>(
    "SELECT id, path FROM postroom.filing WHERE path LIKE $1 AND state = 'pending' ORDER BY path",
    [`%${name}%`],
  );
  return rows;
}
