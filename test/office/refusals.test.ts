/** Every refusal that depends on people and on services outside, each with its exact code, and nothing half saved. */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { armKillPoint } from "../../src/lib/kill-points.ts";
import { aPerson, documentSettings, type Person } from "../documents/scene.ts";
import { anApp, type TestApp } from "../helpers/app.ts";
import { aMail, anOfficeScene, base64, type OfficeScene } from "./scene.ts";

let scene: OfficeScene;
beforeAll(async () => {
  // Without a worker; one starts later.
  scene = await anOfficeScene({ app: { roles: ["api"] } });
});
beforeEach(() => scene.app.database.query("DELETE FROM postroom.office_call"));

/** All that a save could leave behind. */
async function traces() {
  const { rows } = await scene.app.database.query(
    `SELECT (SELECT count(*) FROM postroom.office_save) AS saves,
            (SELECT count(*) FROM postroom.filing) AS filings,
            (SELECT count(*) FROM postroom.job WHERE type = 'UploadFinalization') AS jobs`,
  );
  const tables = ["sprk_document", "sprk_emailartifact", "sprk_attachmentartifact", "sprk_matter"];
  return [...tables.map((table) => scene.rows(table).length), scene.files(), rows[0]];
}

async function quickCreate(person: Person) {
  const answer = await scene.app.server.inject({
    method: "POST",
    url: "/office/quickcreate/sprk_matter",
    headers: person.headers,
    payload: { name: "A new matter" },
  });
  return { status: answer.statusCode, json: answer.json() };
}

describe("while no worker runs", () => {
  it("a save is refused at once and nothing is stored; the health says so [X-11]", async () => {
    const before = await traces();
    const answer = await scene.save(aMail(scene.matterId));
    expect([answer.status, answer.json["errorCode"]]).toEqual([503, "OFFICE_015"]);
    expect(answer.headers["retry-after"]).toBe("30");
    expect(await traces()).toEqual(before);
    const { body } = await scene.app.server.inject({ url: "/office/health" });
    expect(JSON.parse(body)).toEqual({ status: "degraded", workers: false });
  });
});

describe("with a worker", () => {
  let worker: TestApp;
  beforeAll(async () => {
    const shared = { ...documentSettings(scene.tenant), DATABASE_URL: scene.app.database.url };
    worker = await anApp(scene.tenant, shared, { roles: ["worker"] });
  });
  beforeEach(() => worker.jobs.workUntilIdle());

  it("of three people, one may not see the matter, one only read it, and one save to it [X-11]", async () => {
    const { admin } = scene.tenant.dataverse;
    const [stranger, reader, writer] = [3, 4, 5].map((index) => aPerson(scene.tenant, index));
    for (const { user } of [stranger!, reader!, writer!]) admin.setScope(user.id, "user");
    admin.share(reader!.user.id, "sprk_matter", scene.matterId, ["ReadAccess", "WriteAccess"]);
    admin.share(writer!.user.id, "sprk_matter", scene.matterId, ["ReadAccess", "AppendToAccess"]);
    const mail = aMail(scene.matterId);
    const before = await traces();
    const unknown = aMail("00000000-0000-4000-8000-00000000dead");
    const hidden = await scene.save(mail, { person: stranger! });
    const missing = await scene.save(unknown, { person: writer! });
    const denied = await scene.save(mail, { person: reader! });
    const codes = [hidden, missing, denied].map(({ status, json }) => [status, json["errorCode"]]);
    expect(codes).toEqual([
      [404, "OFFICE_007"],
      [404, "OFFICE_007"],
      [403, "OFFICE_009"],
    ]);
    expect(hidden.json["title"]).toBe(missing.json["title"]);
    expect(await traces()).toEqual(before);
    expect((await scene.save(mail, { person: writer! })).status).toBe(202);
  });

  it.each([
    ["Dataverse is down", 502, "OFFICE_014", "dataverse", "GET", "server-error", {}],
    ["the drive fails", 502, "OFFICE_012", "graph", "PUT", "server-error", {}],
    ["Graph throttles", 502, "OFFICE_013", "graph", "PUT", "throttle", { retryAfterSeconds: 600 }],
    ["the drive refuses", 403, "OFFICE_009", "graph", "PUT", "server-error", { status: 403 }],
  ])(
    "a save while %s is refused with its code and leaves nothing; once over, the same save succeeds [X-11]",
    async (_, status, code, part, method, kind, options) => {
      const before = await traces();
      const mail = aMail(scene.matterId);
      const { id } = scene.tenant.faults.arm({ kind, where: { part, method }, options });
      const refused = await scene.save(mail, { key: `${code}-${part}` });
      scene.tenant.faults.disarm(id);
      expect([refused.status, refused.json["errorCode"]]).toEqual([status, code]);
      if (kind === "throttle") expect(refused.headers["retry-after"]).toMatch(/^(?:600|59\d)$/);
      expect(refused.json["detail"]).not.toMatch(/https?:|b!/);
      expect(await traces()).toEqual(before);
      expect((await scene.save(mail, { key: `${code}-${part}` })).status).toBe(202);
    },
  );

  it("a mail of which only the first file is stored leaves no file", async () => {
    const before = await traces();
    const where = { part: "graph", method: "PUT" };
    const disarm = armKillPoint("filing.item-stored", () => {
      scene.tenant.faults.arm({ kind: "server-error", where });
    });
    const refused = await scene.save(aMail(scene.matterId));
    disarm();
    scene.tenant.faults.disarm();
    expect([refused.status, refused.json["errorCode"]]).toEqual([502, "OFFICE_012"]);
    expect(await traces()).toEqual(before);
  });

  it("a mail with one blocked attachment is refused as a whole", async () => {
    const before = await traces();
    const mail = aMail(scene.matterId, {
      attachments: [
        { fileName: "fine.txt", contentBase64: base64("fine") },
        { fileName: "program.js", contentBase64: base64("alert()") },
      ],
    });
    const blocked = await scene.save(mail);
    expect([blocked.status, blocked.json["errorCode"]]).toEqual([400, "OFFICE_006"]);
    expect(await traces()).toEqual(before);
  });

  it("a person who may not create a row is told so [X-11]", async () => {
    const before = await traces();
    const { id } = scene.tenant.faults.arm({
      ...{ kind: "server-error", where: { part: "dataverse", method: "PATCH" } },
      options: { status: 403 },
    });
    const answer = await quickCreate(scene.omar);
    scene.tenant.faults.disarm(id);
    expect([answer.status, answer.json.errorCode]).toEqual([403, "OFFICE_010"]);
    expect(await traces()).toEqual(before);
    expect((await quickCreate(scene.omar)).status).toBe(201);
  });

  it("the operator's key saves nothing, because it is nobody's", async () => {
    const answer = await scene.app.server.inject({
      ...{ method: "POST", url: "/office/save", payload: aMail(scene.matterId) },
      headers: { authorization: `Bearer ${scene.app.operatorKey}` },
    });
    expect(answer.statusCode).toBe(403);
  });
});
