import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose } from "./testing/graph-bench.ts";

const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' };

describe("messages", () => {
  it("lists ten at a time, newest first, and follows nextLink to the end", async () => {
    const bench = createGraphBench();
    for (let index = 0; index < 23; index++) {
      await bench.admin.sendMail({ to: ALEX, subject: `mail ${index}` });
      await bench.clock.advance(1000);
    }
    const subjects: string[] = [];
    let link = `/v1.0/users/${ALEX}/mailFolders/inbox/messages?$select=subject`;
    while (link) {
      const page = await bench.get(link);
      subjects.push(...page.json.value.map((each: Loose) => each.subject));
      link = page.json["@odata.nextLink"];
    }
    expect(subjects).toEqual(Array.from({ length: 23 }, (_, index) => `mail ${22 - index}`));
  });

  it("a move gives a new default id and keeps the immutable one [R12]", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX, subject: "moving" });
    const moved = await bench.post(`/v1.0/users/${ALEX}/messages/${mail!.id}/move`, {
      destinationId: "archive",
    });
    expect(moved.status).toBe(201);
    expect(moved.json.id).not.toBe(mail!.id);
    const old = await bench.get(`/v1.0/users/${ALEX}/messages/${mail!.id}`);
    expect(old.status).toBe(404);
    expect(old.json.error.code).toBe("ErrorItemNotFound");
    const stable = await bench.get(`/v1.0/users/${ALEX}/messages/${mail!.immutableId}`, IMMUTABLE);
    expect(stable.json).toMatchObject({ id: mail!.immutableId, subject: "moving" });
  });

  it("lists attachments without bytes on request and gives the bytes by $value", async () => {
    const bench = createGraphBench();
    const bytes = Buffer.from("%PDF-1.4 test");
    const [mail] = await bench.admin.sendMail({
      to: ALEX,
      attachments: [{ name: "note.pdf", bytes }],
    });
    const base = `/v1.0/users/${ALEX}/messages/${mail!.id}/attachments`;
    const list = await bench.get(`${base}?$select=id,name,contentType,size,isInline`);
    expect(list.json.value[0]).toMatchObject({
      "@odata.type": "#microsoft.graph.fileAttachment",
      name: "note.pdf",
      contentType: "application/pdf",
    });
    expect(list.json.value[0]).not.toHaveProperty("contentBytes");
    const value = await bench.get(`${base}/${list.json.value[0].id}/$value`);
    expect(value.body).toEqual(bytes);
  });

  it("finds folders by well-known name in any case and by the quoted form", async () => {
    const bench = createGraphBench();
    const byName = await bench.get(`/v1.0/users/${ALEX}/mailFolders/Inbox`);
    const quoted = await bench.get(`/v1.0/users('${ALEX}')/mailFolders('inbox')`);
    expect(byName.json.id).toBe(quoted.json.id);
    expect(byName.json.displayName).toBe("Inbox");
  });
});

describe("$batch", () => {
  it("answers each member for itself and fails what depends on a failure", async () => {
    const bench = createGraphBench();
    const answer = await bench.post("/v1.0/$batch", {
      requests: [
        { id: "1", method: "GET", url: `/users/${ALEX}/mailFolders/inbox` },
        { id: "2", method: "GET", url: `/users/${ALEX}/mailFolders/nowhere` },
        { id: "3", method: "GET", url: `/users/${ALEX}`, dependsOn: ["2"] },
      ],
    });
    expect(answer.json.responses.map((each: Loose) => [each.id, each.status])).toEqual([
      ["1", 200],
      ["2", 400],
      ["3", 424],
    ]);
  });
});
