import { beforeAll, describe, expect, it } from "vitest";

/** A drive that may be filled with test files, local or real. */
export interface DriveTarget {
  /** `https://graph.microsoft.com`, or the address of a local tenant. */
  readonly graph: string;
  /** The drive (container) to write into. */
  readonly driveId: string;
  /** The container's type, for the cases about listing. */
  readonly containerTypeId: string;
  token(): Promise<string>;
}

const UNIT = 320 * 1024;

type Answer = { status: number; headers: Headers; json: Record<string, unknown> };

/** What Microsoft's documents say of uploads and reading back; nothing here is our own idea. */
export function testDriveUploads(name: string, open: () => Promise<DriveTarget>): void {
  describe(name, () => {
    let target: DriveTarget;
    let root: string;
    let count = 0;
    beforeAll(async () => {
      target = await open();
      root = `${target.graph}/v1.0/drives/${target.driveId}`;
    });
    const fileName = () => `conformance-${process.pid}-${++count}.bin`;

    const call = async (
      url: string,
      options: RequestInit & { isBare?: boolean } = {},
    ): Promise<Answer> => {
      const { isBare, ...init } = options;
      const headers = new Headers(init.headers);
      if (!isBare) headers.set("authorization", `Bearer ${await target.token()}`);
      if (typeof init.body === "string") headers.set("content-type", "application/json");
      const answer = await fetch(url, { redirect: "manual", ...init, headers });
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.includes("json") && text !== "";
      return {
        status: answer.status,
        headers: answer.headers,
        json: isJson ? JSON.parse(text) : {},
      };
    };
    const startSession = async (file: string, body: object = {}) => {
      const { json } = await call(`${root}/root:/${file}:/createUploadSession`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      return String(json["uploadUrl"]);
    };
    const sendRange = (
      url: string,
      first: number,
      length: number,
      total: number,
      more: RequestInit = {},
    ) =>
      call(url, {
        method: "PUT",
        isBare: true,
        ...more,
        body: Buffer.alloc(length, 7),
        headers: {
          "content-range": `bytes ${first}-${first + length - 1}/${total}`,
          ...more.headers,
        },
      });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession
    it("ranges are taken one after another, the last one answers with the item", async () => {
      const url = await startSession(fileName());
      const total = 2 * UNIT + 10;
      const first = await sendRange(url, 0, UNIT, total);
      expect(first.status).toBe(202);
      expect(first.json["nextExpectedRanges"]).toEqual([`${UNIT}-`]);
      expect((await sendRange(url, UNIT, UNIT, total)).status).toBe(202);
      const last = await sendRange(url, 2 * UNIT, 10, total);
      expect(last.status).toBe(201);
      expect(last.json).toMatchObject({ size: total });
    });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession (best practices)
    it("a range whose size is not a multiple of 320 KiB may fail only when the file is finished", async () => {
      const url = await startSession(fileName());
      expect((await sendRange(url, 0, 1000, 3000)).status).toBe(202);
      expect((await sendRange(url, 1000, 2000, 3000)).status).toBe(400);
    });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession (resume an in-progress upload)
    it("a range that was already received is 416, and the missing ranges can be requested", async () => {
      const url = await startSession(fileName());
      await sendRange(url, 0, UNIT, 2 * UNIT);
      expect((await sendRange(url, 0, UNIT, 2 * UNIT)).status).toBe(416);
      const status = await call(url, { isBare: true });
      expect(status.status).toBe(200);
      expect(status.json["nextExpectedRanges"]).toEqual([`${UNIT}-`]);
      expect((await sendRange(url, UNIT, UNIT, 2 * UNIT)).status).toBe(201);
    });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession (cancel an upload session)
    it("a cancelled session is gone", async () => {
      const url = await startSession(fileName());
      expect((await call(url, { method: "DELETE", isBare: true })).status).toBe(204);
      expect((await sendRange(url, 0, 10, 10)).status).toBe(404);
    });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession (upload bytes: remarks)
    it("an Authorization header on a range is 401", async () => {
      const url = await startSession(fileName());
      const authorization = `Bearer ${await target.token()}`;
      expect((await sendRange(url, 0, 10, 10, { headers: { authorization } })).status).toBe(401);
    });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession (handle upload errors)
    it("a name conflict shows at the last byte, and the upload can still be finished", async () => {
      const file = fileName();
      await call(`${root}/root:/${file}:/content`, { method: "PUT", body: Buffer.from("taken") });
      const conflict = "@microsoft.graph.conflictBehavior";
      const url = await startSession(file, { item: { [conflict]: "fail" } });
      const refused = await sendRange(url, 0, 10, 10);
      expect(refused.status).toBe(409);
      expect(refused.json).toMatchObject({ error: { code: "nameAlreadyExists" } });
      const finished = await call(`${root}/root:/${file}`, {
        method: "PUT",
        body: JSON.stringify({
          name: file,
          [conflict]: "rename",
          "@microsoft.graph.sourceUrl": url,
        }),
      });
      expect(finished.status).toBe(201);
      expect(finished.json).toMatchObject({ size: 10 });
    });

    // https://learn.microsoft.com/graph/api/driveitem-createuploadsession (deferCommit)
    it("a deferred upload becomes a file with an empty POST", async () => {
      const file = fileName();
      const url = await startSession(file, { deferCommit: true });
      expect((await sendRange(url, 0, 10, 10)).status).toBe(202);
      expect((await call(`${root}/root:/${file}`)).status).toBe(404);
      expect((await call(url, { method: "POST", isBare: true })).status).toBe(201);
      expect((await call(`${root}/root:/${file}`)).status).toBe(200);
    });

    // https://learn.microsoft.com/graph/api/driveitem-put-content
    it("a small file is new with 201 and has an id, a name and a web address", async () => {
      const file = fileName();
      const made = await call(`${root}/root:/${file}:/content`, {
        method: "PUT",
        body: Buffer.from("hi"),
      });
      expect(made.status).toBe(201);
      expect(made.json).toMatchObject({
        name: file,
        size: 2,
        webUrl: expect.stringMatching(/^https?:/),
      });
      expect(String(made.json["id"]).length).toBeGreaterThanOrEqual(20);
    });

    // https://learn.microsoft.com/graph/api/driveitem-get-content
    it("content redirects to a link that needs no token and supports ranges", async () => {
      const file = fileName();
      await call(`${root}/root:/${file}:/content`, {
        method: "PUT",
        body: Buffer.from("0123456789"),
      });
      const content = await call(`${root}/root:/${file}:/content`);
      expect(content.status).toBe(302);
      const part = await fetch(content.headers.get("location")!, {
        headers: { range: "bytes=2-4" },
      });
      expect([part.status, await part.text()]).toEqual([206, "234"]);
    });

    // https://learn.microsoft.com/graph/api/driveitem-update
    it("a change under a stale ETag is 412", async () => {
      const made = await call(`${root}/root:/${fileName()}:/content`, {
        method: "PUT",
        body: Buffer.from("1"),
      });
      const url = `${root}/items/${made.json["id"]}`;
      const headers = { "if-match": String(made.json["eTag"]) };
      const patch = (name: string) =>
        call(url, { method: "PATCH", headers, body: JSON.stringify({ name }) });
      expect((await patch(fileName())).status).toBe(200);
      expect((await patch(fileName())).status).toBe(412);
    });

    // https://learn.microsoft.com/graph/api/driveitem-delta
    it("delta shows a deletion with the deleted facet", async () => {
      const latest = await call(`${root}/root/delta?token=latest`);
      const made = await call(`${root}/root:/${fileName()}:/content`, {
        method: "PUT",
        body: Buffer.from("1"),
      });
      await call(`${root}/items/${made.json["id"]}`, { method: "DELETE" });
      const changes = await call(String(latest.json["@odata.deltaLink"]));
      const gone = (changes.json["value"] as { id: string; deleted?: object }[]).find(
        ({ id }) => id === made.json["id"],
      );
      expect(gone?.deleted).toBeDefined();
    });

    // https://learn.microsoft.com/graph/api/filestorage-list-containers
    it("containers are listed by type only", async () => {
      const url = `${target.graph}/v1.0/storage/fileStorage/containers`;
      expect((await call(url)).status).toBe(400);
      const filter = encodeURIComponent(`containerTypeId eq ${target.containerTypeId}`);
      const listed = await call(`${url}?$filter=${filter}`);
      expect(listed.status).toBe(200);
      expect(listed.json["value"]).toContainEqual(expect.objectContaining({ id: target.driveId }));
    });

    // https://learn.microsoft.com/graph/api/driveitem-preview
    it("a preview has at least one URL", async () => {
      const file = `conformance-${process.pid}-${++count}.txt`;
      const made = await call(`${root}/root:/${file}:/content`, {
        method: "PUT",
        body: Buffer.from("text"),
      });
      const shown = await call(`${root}/items/${made.json["id"]}/preview`, {
        method: "POST",
        body: "{}",
      });
      expect(shown.status).toBe(200);
      expect(shown.json["getUrl"] ?? shown.json["postUrl"]).toBeTruthy();
    });
  });
}
