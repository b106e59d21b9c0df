import { once } from "node:events";
import { connect } from "node:net";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { aPerson, documentSettings } from "../documents/scene.ts";
import { anApp } from "../helpers/app.ts";
import { readStream } from "./read-stream.ts";
import { aMail, anOfficeScene, base64, type OfficeScene } from "./scene.ts";

let scene: OfficeScene;
beforeAll(async () => {
  scene = await anOfficeScene();
});
beforeEach(() => scene.app.database.query("DELETE FROM postroom.office_call"));

const finish = () => scene.app.jobs.workUntilIdle();
const MB = 1024 * 1024;

describe("the stream of a save", () => {
  it("shows every stage in order from any server, continues after the last event seen, and ends with the result", async () => {
    const second = await anApp(
      scene.tenant,
      { ...documentSettings(scene.tenant), DATABASE_URL: scene.app.database.url },
      { roles: ["api"] },
    );
    const { json } = await scene.save(aMail(scene.matterId));
    const url = `${second.url}${json["streamUrl"]}`;
    const [events] = await Promise.all([readStream(url, scene.nina.headers), finish()]);
    expect(events[0]).toMatchObject({ event: "connected", data: { retry: 3_000 } });
    const stages = events.filter(({ event }) => event === "stage-update");
    expect(stages.map(({ data }) => data["progress"])).toEqual([10, 30, 40, 50, 60, 65, 75, 85]);
    expect(events.filter(({ event }) => event === "progress")).toHaveLength(stages.length);
    expect(events.at(-1)).toMatchObject({
      event: "job-complete",
      data: { status: "Completed", progress: 100 },
    });
    const seen = stages[3]!.id!;
    expect(seen).toMatch(new RegExp(`^${json["jobId"]}:\\d+$`));
    const rest = await readStream(`${scene.app.url}${json["streamUrl"]}`, {
      ...scene.nina.headers,
      "last-event-id": seen,
    });
    expect(
      rest.filter(({ event }) => event === "stage-update").map(({ data }) => data["progress"]),
    ).toEqual([60, 65, 75, 85]);
    expect(rest.at(-1)!.event).toBe("job-complete");
  });

  it("of somebody else looks identical to one that does not exist [X-11]", async () => {
    const { json } = await scene.save(aMail(scene.matterId));
    const omar = aPerson(scene.tenant, 2);
    const other = await scene.get(json["statusUrl"], omar);
    const missing = await scene.get("/office/jobs/00000000-0000-4000-8000-000000000000", omar);
    expect([other.status, other.json["errorCode"]]).toEqual([404, "OFFICE_008"]);
    expect([missing.status, missing.json["errorCode"]]).toEqual([404, "OFFICE_008"]);
    expect((await scene.get(`${json["statusUrl"]}/stream`, omar)).status).toBe(404);
    await finish();
  });
});

describe("a save that is too large", () => {
  const document = (bytes: number) => ({
    contentType: "Document",
    targetEntity: { entityType: "sprk_matter", entityId: scene.matterId },
    document: { fileName: "large.bin", contentBase64: Buffer.alloc(bytes).toString("base64") },
  });

  it("is refused at 25 MB and a byte, and accepted at 25 MB [X-11]", async () => {
    const over = await scene.save(document(25 * MB + 1));
    expect([over.status, over.json["errorCode"]]).toEqual([400, "OFFICE_004"]);
    const exact = await scene.save(document(25 * MB));
    expect(exact.status).toBe(202);
    await finish();
    expect((await scene.get(exact.json["statusUrl"])).json["status"]).toBe("Completed");
  });

  it("is refused at 100 MB and a byte in total, and leaves no file [X-11]", async () => {
    const before = scene.files().length;
    const quarter = Buffer.alloc(25 * MB).toString("base64");
    const mail = aMail(scene.matterId, {
      attachments: [0, 1, 2, 3].map((n) => ({ fileName: `${n}.bin`, contentBase64: quarter })),
    });
    mail.email.attachments.push({ fileName: "one.bin", contentBase64: base64("x") });
    const answer = await scene.save(mail);
    expect([answer.status, answer.json["errorCode"]]).toEqual([400, "OFFICE_005"]);
    expect(scene.files()).toHaveLength(before);
  });

  it("by its Content-Length is refused before its body is read", async () => {
    const socket = connect(scene.app.port, "127.0.0.1");
    socket.write(
      `POST /office/save HTTP/1.1\r\nhost: x\r\nauthorization: ${scene.nina.headers.authorization}\r\ncontent-type: application/json\r\ncontent-length: ${160 * MB}\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    socket.destroy();
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.toString()).toContain("OFFICE_005");
  });
});

describe("the limit of calls", () => {
  it("is per person and kind: the eleventh save in a minute is refused with 429, another person's is not", async () => {
    const bad = { contentType: "Nothing" };
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1) statuses.push((await scene.save(bad)).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    const over = await scene.save(bad);
    expect(over).toMatchObject({
      json: { errorCode: "OFFICE_THROTTLED" },
      headers: { "retry-after": "10" },
    });
    expect((await scene.save(bad, { person: scene.omar })).status).toBe(400);
    expect((await scene.get("/office/recent")).status).toBe(200);
  });
});

describe("looking up", () => {
  it("finds rows and documents that the caller may read, suggests where a mail belongs, and says that it is saved", async () => {
    const numbered = await scene.aMatter({ sprk_name: "Fees 2026", sprk_number: "M-2026-014" });
    const mail = aMail(scene.matterId, { senderEmail: "only@sender.example" });
    const { json } = await scene.save(mail);
    await finish();
    const { json: found } = await scene.get("/office/search/entities?q=brown&type=sprk_matter");
    expect(found["results"]).toMatchObject([{ id: scene.matterId, name: "Brown v. Smith" }]);
    const { json: documents } = await scene.get(
      `/office/search/documents?q=${encodeURIComponent(mail.email.subject)}`,
    );
    const { json: job } = await scene.get(json["statusUrl"]);
    expect(documents["results"]).toMatchObject([{ documentId: job["result"].artifact.id }]);
    const query = new URLSearchParams({
      sender: "ONLY@sender.example",
      subject: "Re: fees in M-2026-014",
      internetMessageId: mail.email.internetMessageId,
    });
    const { json: recent } = await scene.get(`/office/recent?${query}`);
    expect(recent["suggested"].map(({ id }: { id: string }) => id)).toEqual([
      numbered,
      scene.matterId,
    ]);
    expect(recent["filed"]).toMatchObject([
      { documentId: job["result"].artifact.id, target: { id: scene.matterId } },
    ]);

    const stranger = aPerson(scene.tenant, 5);
    scene.tenant.dataverse.admin.setScope(stranger.user.id, "user");
    const { json: hidden } = await scene.get(`/office/recent?${query}`, stranger);
    expect(hidden).toMatchObject({ recent: [], suggested: [], filed: [] });
    const { json: none } = await scene.get("/office/search/entities?q=brown", stranger);
    expect(none["results"]).toEqual([]);
  });

  it("quotes what people type", async () => {
    const { status, json } = await scene.get("/office/search/entities?q=O'Brien') or true");
    expect([status, json["results"]]).toEqual([200, []]);
  });

  it("creates a row that can be saved to, shares links and files with the caller's rights", async () => {
    const post = async (url: string, payload: object, person = scene.nina) => {
      const { server } = scene.app;
      const answer = await server.inject({ method: "POST", url, payload, headers: person.headers });
      return { status: answer.statusCode, json: answer.json() };
    };
    const made = await post("/office/quickcreate/sprk_project", { name: "New premises" });
    expect(made).toMatchObject({ status: 201, json: { name: "New premises" } });
    const wrong = await post("/office/quickcreate/lead", { name: "x y" });
    expect(wrong).toMatchObject({ status: 400, json: { errorCode: "OFFICE_002" } });
    const { json } = await scene.save({
      contentType: "Document",
      targetEntity: { entityType: "sprk_project", entityId: made.json.id },
      document: { fileName: "plan.txt", contentBase64: base64("the plan") },
    });
    await finish();
    const { json: job } = await scene.get(json["statusUrl"]);
    const documentId = job["result"].artifact.id;
    const { json: shared } = await post("/office/share/links", { documentIds: [documentId] });
    expect(shared.links).toMatchObject([{ documentId, name: "plan.txt", url: expect.any(String) }]);
    const { json: attached } = await post("/office/share/attach", { documentId });
    expect(Buffer.from(attached.contentBase64, "base64").toString()).toBe("the plan");
    const stranger = aPerson(scene.tenant, 5);
    scene.tenant.dataverse.admin.setScope(stranger.user.id, "user");
    const refused = await post("/office/share/attach", { documentId }, stranger);
    expect([refused.status, refused.json.errorCode]).toEqual([404, "OFFICE_007"]);
  });

  it("says whether workers run, without a token", async () => {
    const { statusCode, body } = await scene.app.server.inject({ url: "/office/health" });
    expect([statusCode, JSON.parse(body)]).toEqual([200, { status: "healthy", workers: true }]);
  });
});
