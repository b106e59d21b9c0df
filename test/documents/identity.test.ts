import { beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.ts";
import { claimsOf } from "../../src/microsoft/identity/app-token.ts";
import { createOnBehalfOf } from "../../src/microsoft/identity/on-behalf-of.ts";
import { aDocumentScene, aPerson, type DocumentScene, WEBHOOK_SECRET } from "./scene.ts";

const GRAPH = "https://graph.microsoft.com";
let scene: DocumentScene;
beforeAll(async () => {
  scene = await aDocumentScene({
    tenant: { switches: { journalRequests: true, deliveryDelayMs: 0 } },
    app: { roles: ["intake", "api", "worker"] },
  });
});

const get = async (url: string, headers: Record<string, string> = scene.nina.headers) => {
  const answer = await scene.app.server.inject({ url, headers });
  return { status: answer.statusCode, json: answer.json(), headers: answer.headers };
};
const exchanges = () =>
  scene.tenant.journal.entries().filter((entry) => String(entry["path"]).endsWith("/token")).length;

describe("acting for a person", () => {
  it("never mixes two of them, however their requests interleave [H-08] [AUTH-01] [AUTH-05] [DOC-28]", async () => {
    const people = [scene.nina, scene.omar, aPerson(scene.tenant, 3)];
    const sent = await Promise.all(
      Array.from({ length: 45 }, async (_, index) => {
        const person = people[index % people.length]!;
        const query = "?record=true";
        const { json } = await scene.put(`documents/mix-${index}.txt`, `of ${person.user.id}`, {
          person,
          query,
        });
        return { person, id: String(json["documentId"]), itemId: String(json["id"]) };
      }),
    );
    const container = scene.tenant.drives.admin
      .containers()
      .find(({ id }) => id === scene.containerId)!;
    for (const { person, id, itemId } of sent) {
      expect(container.drive.items.get(itemId)!.createdBy).toBe(person.user.id);
      const record = scene.tenant.dataverse.admin.get("sprk_document", id)!;
      const systemUser = scene.tenant.dataverse.admin.userIdOf(person.user.id);
      expect(record.values["createdby"]).toMatchObject({ id: systemUser });
    }
  });

  it("gets every token for the person who called, over a thousand interleaved exchanges of each of two [H-08] [S37]", async () => {
    const { settings } = scene.app.documents!;
    const onBehalfOf = createOnBehalfOf(settings, systemClock);
    const people = [scene.nina, scene.omar];
    const owners = await Promise.all(
      Array.from({ length: 2_000 }, async (_, n) => {
        const { user, token } = people[n % 2]!;
        const outgoing = await onBehalfOf.tokensFor({ id: user.id, token }, GRAPH)();
        return claimsOf(outgoing)["oid"] === user.id;
      }),
    );
    expect(owners.filter((isOwn) => !isOwn)).toEqual([]);
  });

  it("exchanges a token once for each resource, and again for another token [AUTH-01]", async () => {
    scene.tenant.journal.clear();
    const person = aPerson(scene.tenant, 4);
    for (const name of ["a", "b", "c"])
      await scene.put(`documents/once-${name}.txt`, name, { person, query: "?record=true" });
    expect(exchanges()).toBe(2);
    const again = aPerson(scene.tenant, 4);
    await scene.put("documents/once-d.txt", "d", { person: again, query: "?record=true" });
    expect(exchanges()).toBe(again.token === person.token ? 2 : 4);
  });

  it("passes on the claims that a policy requires, with 401 [AUTH-01] [SEC-05]", async () => {
    const claims = '{"access_token":{"capolids":{"essential":true,"values":["x"]}}}';
    const person = aPerson(scene.tenant, 5);
    scene.tenant.faults.arm({
      kind: "interaction-required",
      where: { user: person.user.userPrincipalName },
      options: { claims },
      remaining: 1,
    });
    const answer = await scene.put("documents/policy.txt", "x", { person });
    expect(answer).toMatchObject({
      status: 401,
      json: { claims, errorCode: "identity.interaction" },
    });
    const header = String(answer.headers["www-authenticate"]);
    expect(header).toContain('error="insufficient_claims"');
    expect(header).toContain(Buffer.from(claims).toString("base64"));
    expect((await scene.put("documents/policy.txt", "x", { person })).status).toBe(201);
  });

  it("passes on a challenge from Graph, and does not cache the refused token [AUTH-01] [S38]", async () => {
    const person = aPerson(scene.tenant, 3);
    scene.tenant.faults.arm({
      kind: "claims-challenge",
      where: { method: "PUT", path: "/v1.0/drives/*" },
      remaining: 2,
    });
    const answer = await scene.put("documents/cae.txt", "x", { person });
    expect(answer.status).toBe(401);
    expect(JSON.parse(String(answer.json["claims"]))).toHaveProperty("access_token.nbf");
    expect((await scene.put("documents/cae.txt", "x", { person })).status).toBe(201);
  });
});

describe("a document", () => {
  it("can be viewed by everyone who may read its record, and the log says so under the request's own id [DOC-25] [DOC-26] [AUTH-07] [OPS-09]", async () => {
    const { json } = await scene.put("documents/Report.docx", "PK\u0003\u0004", {
      query: "?record=true",
    });
    const traced = { ...scene.nina.headers, "x-correlation-id": "a-view" };
    const preview = await get(`/api/documents/${json["documentId"]}/preview-url`, traced);
    expect(preview.status).toBe(200);
    expect(preview.json.documentInfo.name).toBe("Report.docx");
    const url = new URL(preview.json.previewUrl);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      web: "1",
      action: "embedview",
      nb: "true",
    });
    const office = await get(`/api/documents/${json["documentId"]}/office`);
    expect(new URL(office.json.officeUrl).searchParams.get("action")).toBe("edit");
    expect(office.json.desktopUrl).toMatch(/^ms-word:ofe\|u\|http/);
    expect(scene.app.logLines).toContainEqual(
      expect.objectContaining({
        correlationId: "a-view",
        msg: `[FileAccess] GET preview-url for ${json["documentId"]} | Correlation: a-view`,
      }),
    );
  });

  it("of somebody else looks identical to one that does not exist, and an error grants no access [AUTH-07] [AUTH-08] [H-10] [SEC-05] [S39]", async () => {
    const { json } = await scene.put("documents/private.txt", "x", { query: "?record=true" });
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "user");
    const ask = (id: string) => get(`/api/documents/${id}/preview-url`, scene.omar.headers);
    const hidden = await ask(String(json["documentId"]));
    const unknown = await ask("58dd5db4-8043-4676-9d3c-0123456789ab");
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "organization");
    expect(hidden.status).toBe(403);
    const without = ({ instance, correlationId, ...rest }: Record<string, unknown>) => rest;
    expect(without(hidden.json)).toEqual(without(unknown.json));
    expect((await get(`/api/documents/${json["documentId"]}`, scene.omar.headers)).status).toBe(
      200,
    );
    scene.tenant.faults.arm({
      kind: "server-error",
      where: { part: "dataverse" },
      options: { status: 500 },
    });
    const broken = await ask(String(json["documentId"]));
    scene.tenant.faults.disarm();
    expect(broken.status).toBeGreaterThanOrEqual(502);
    expect(JSON.stringify(broken.json)).not.toContain("previewUrl");
    expect((await get("/api/documents/not-a-guid/preview-url")).json.errorCode).toBe("invalid_id");
    expect((await get(`/api/documents/${json["documentId"]}/preview-url`, {})).status).toBe(401);
  });

  it("is sent as bytes that no browser displays, and only to those who may read it [AUTH-07] [H-10]", async () => {
    const page = "<script>alert(1)</script>";
    const { json } = await scene.put("documents/page.html", page, { query: "?record=true" });
    const read = ({ headers }: { headers: Record<string, string> }) =>
      scene.app.server.inject({ url: `/api/documents/${json["documentId"]}/content`, headers });
    const answer = await read(scene.nina);
    expect([answer.statusCode, answer.body]).toEqual([200, page]);
    expect(answer.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="document"; filename*=UTF-8''page.html`,
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-store",
    });
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "user");
    const refused = await read(scene.omar);
    scene.tenant.dataverse.admin.setScope(scene.omar.user.id, "organization");
    expect([refused.statusCode, refused.json().errorCode]).toEqual([403, "document_not_found"]);
    expect((await read({ headers: {} })).statusCode).toBe(401);
  });

  it("of more than 25 MB is not read into memory to be sent", async () => {
    const { json } = await scene.put("documents/film.bin", "x", { query: "?record=true" });
    const film = Buffer.alloc(25 * 1024 * 1024 + 1);
    scene.tenant.drives.admin.putFile(scene.containerId, "documents/film.bin", film);
    const answer = await get(`/api/documents/${json["documentId"]}/content`);
    expect([answer.status, answer.json.errorCode]).toEqual([413, "file_too_large"]);
  });

  it("is listed only for its sender and for operators [H-10]", async () => {
    await scene.put("documents/listed.txt", "x");
    const names = async (headers: Record<string, string>) =>
      (await get("/api/documents?limit=1000", headers)).json.documents.map(
        (each: { name: string }) => each.name,
      );
    expect(await names(scene.nina.headers)).toContain("listed.txt");
    expect(await names(scene.omar.headers)).not.toContain("listed.txt");
    expect(await names({ authorization: `Bearer ${scene.app.operatorKey}` })).toContain(
      "listed.txt",
    );
  });
});

describe("the log", () => {
  it("contains no token, secret, session URL or content of a mail or file [SEC-06] [SEC-07] [SEC-03]", async () => {
    const canary = "canary-of-a-body-7f3a";
    await scene.put("documents/canary.txt", canary, { query: "?record=true" });
    await scene.put("documents/canary-large.bin", Buffer.alloc(4 * 1024 * 1024, canary));
    const { id } = await scene.tenant.dataverse.admin.create("email", {
      subject: "Quiet",
      description: canary,
      actualend: "2026-02-17T10:00:00Z",
    });
    scene.tenant.faults.arm({
      kind: "server-error",
      where: { part: "dataverse", method: "PATCH" },
      remaining: 6,
    });
    await scene.app.server.inject({
      method: "POST",
      url: `/api/v1/emails/webhook-trigger?code=${WEBHOOK_SECRET}`,
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ PrimaryEntityId: id, PrimaryEntityName: "email" }),
    });
    await scene.app.jobs.workUntilIdle(60_000);
    scene.tenant.faults.disarm();
    const text = scene.app.logLines.map((line) => JSON.stringify(line)).join("\n");
    expect(text.length).toBeGreaterThan(1_000);
    for (const secret of [
      canary,
      WEBHOOK_SECRET,
      scene.nina.token,
      scene.tenant.apps[1]!.secrets[0]!,
    ])
      expect(text.includes(secret)).toBe(false);
    expect(text).not.toMatch(/eyJ[\w-]{20,}/);
    expect(text).not.toContain("/upload/drive/");
    const { rows } = await scene.app.database.query("SELECT columns FROM postroom.filing");
    const jobs = await scene.app.database.query("SELECT payload, error_message FROM postroom.job");
    expect(JSON.stringify([rows, jobs.rows]).includes(canary)).toBe(false);
  });
});
