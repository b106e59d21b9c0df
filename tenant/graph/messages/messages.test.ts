import { describe, expect, it } from "vitest";
import { ALEX, BLAIR, createGraphBench, type Loose, NOBODY } from "../testing/graph-bench.ts";

const IMMUTABLE = { Prefer: 'IdType="ImmutableId"' };
const MESSAGES = `/v1.0/users/${ALEX}/messages`;

describe("reading messages", () => {
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

  it("shows headers and the unique body only when they are selected", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX, subject: "Hello", body: "Dear all" });
    const plain = await bench.get(`${MESSAGES}/${mail!.id}`);
    expect(plain.json).toMatchObject({
      subject: "Hello",
      bodyPreview: "Dear all",
      isRead: false,
      hasAttachments: false,
      parentFolderId: mail!.folderId,
      body: { contentType: "html" },
    });
    expect(plain.json["@odata.etag"]).toBe(`W/"${plain.json.changeKey}"`);
    expect(plain.json).not.toHaveProperty("internetMessageHeaders");
    expect(plain.json).not.toHaveProperty("uniqueBody");
    const selected = await bench.get(
      `${MESSAGES}/${mail!.id}?$select=internetMessageHeaders,uniqueBody`,
    );
    expect(selected.json.internetMessageHeaders.map((each: Loose) => each.name)).toContain(
      "Message-ID",
    );
    expect(selected.json).toHaveProperty("uniqueBody");
    expect(selected.json).not.toHaveProperty("subject");
  });

  it("gives the body as text on request and says so", async () => {
    const bench = createGraphBench();
    const body = { contentType: "html" as const, content: "<p>Fish &amp; chips</p>" };
    const [mail] = await bench.admin.sendMail({ to: ALEX, body });
    const answer = await bench.get(`${MESSAGES}/${mail!.id}`, {
      Prefer: 'outlook.body-content-type="text"',
    });
    expect(answer.json.body).toMatchObject({ contentType: "text" });
    expect(answer.json.body.content.trim()).toBe("Fish & chips");
    expect(answer.headers!["preference-applied"]).toBe('outlook.body-content-type="text"');
  });

  it("the whole mailbox is listed with the deleted items but without the recoverable ones", async () => {
    const bench = createGraphBench();
    const [soft] = await bench.admin.sendMail({ to: ALEX, subject: "soft" });
    const [hard] = await bench.admin.sendMail({ to: ALEX, subject: "hard" });
    bench.admin.softDelete(ALEX, soft!.id);
    expect((await bench.call("DELETE", `${MESSAGES}/${hard!.id}`)).status).toBe(204);
    const list = await bench.get(`${MESSAGES}?$select=subject`);
    expect(list.json.value.map((each: Loose) => each.subject)).toEqual(["soft"]);
    const truth = bench.admin.mailboxTruth(ALEX);
    expect(truth.map((each) => each.folder)).toEqual(["deleteditems", "recoverableitemsdeletions"]);
  });

  it("a reply goes where a Reply-To header asks for it", async () => {
    const bench = createGraphBench();
    const headers = [{ name: "Reply-To", value: "Desk <replies@broker.example>" }];
    const [mail] = await bench.admin.sendMail({ to: ALEX, subject: "note", headers });
    const { json } = await bench.get(`${MESSAGES}/${mail!.id}?$select=replyTo`);
    const desk = { emailAddress: { name: "Desk", address: "replies@broker.example" } };
    expect(json.replyTo).toEqual([desk]);
    const reply = await bench.call("POST", `${MESSAGES}/${mail!.id}/createReply`);
    expect(reply.json.toRecipients).toEqual([desk]);
  });

  it.each([
    ["an id that is none", `${MESSAGES}/nonsense`, 400, "ErrorInvalidIdMalformed"],
    [
      "an unknown folder name",
      `/v1.0/users/${ALEX}/mailFolders/nowhere`,
      400,
      "ErrorInvalidIdMalformed",
    ],
    [
      "an unknown user",
      "/v1.0/users/who@contoso.example/messages",
      404,
      "Request_ResourceNotFound",
    ],
    [
      "a user without a mailbox",
      `/v1.0/users/${NOBODY}/messages`,
      404,
      "MailboxNotEnabledForRESTAPI",
    ],
    ["an unknown property", `${MESSAGES}?$select=colour`, 400, "RequestBroker--ParseUri"],
    ["a page of nothing", `${MESSAGES}?$top=0`, 400, "ErrorInvalidUrlQuery"],
    ["a page too large", `${MESSAGES}?$top=1001`, 400, "ErrorInvalidUrlQuery"],
    ["a filter that ends early", `${MESSAGES}?$filter=isRead eq`, 400, "RequestBroker--ParseUri"],
    [
      "a filter with a stray character",
      `${MESSAGES}?$filter=isRead ^ true`,
      400,
      "RequestBroker--ParseUri",
    ],
    ["an unknown segment", `/v1.0/users/${ALEX}/letters`, 400, "BadRequest"],
    ["me without a user", "/v1.0/me/messages", 400, "BadRequest"],
  ])("%s gets Graph's error", async (_title, path, status, code) => {
    const answer = await createGraphBench().get(path);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
    expect(answer.json.error.innerError["request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("an id of another mailbox, a cut id and a changed letter's case are not found", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: BLAIR });
    expect((await bench.get(`${MESSAGES}/${mail!.id}`)).status).toBe(400);
    const [own] = await bench.admin.sendMail({ to: ALEX });
    expect((await bench.get(`${MESSAGES}/${own!.id.toLowerCase()}`)).status).toBe(400);
  });
});

describe("ids and moves", () => {
  it("a move gives a new default id and keeps the immutable one", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX, subject: "moving" });
    const moved = await bench.post(`${MESSAGES}/${mail!.id}/move`, { destinationId: "archive" });
    expect(moved.status).toBe(201);
    expect(moved.json.id).not.toBe(mail!.id);
    const old = await bench.get(`${MESSAGES}/${mail!.id}`);
    expect([old.status, old.json.error.code]).toEqual([404, "ErrorItemNotFound"]);
    const stable = await bench.get(`${MESSAGES}/${mail!.immutableId}`, IMMUTABLE);
    expect(stable.json).toMatchObject({ id: mail!.immutableId, subject: "moving" });
  });

  it("a copy is another message with the same Message-ID", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    const copy = await bench.post(
      `${MESSAGES}/${mail!.id}/copy`,
      { destinationId: "archive" },
      IMMUTABLE,
    );
    expect(copy.status).toBe(201);
    expect(copy.json.id).not.toBe(mail!.immutableId);
    expect(copy.json.internetMessageId).toBe(mail!.internetMessageId);
  });

  it("translates default ids to immutable ones and leaves out what is gone", async () => {
    const bench = createGraphBench();
    const [kept] = await bench.admin.sendMail({ to: ALEX });
    const [gone] = await bench.admin.sendMail({ to: ALEX });
    bench.admin.hardDelete(ALEX, gone!.id);
    const answer = await bench.post(`/v1.0/users/${ALEX}/translateExchangeIds`, {
      inputIds: [kept!.id, gone!.id],
      sourceIdType: "restId",
      targetIdType: "restImmutableEntryId",
    });
    expect(answer.json.value).toEqual([{ sourceId: kept!.id, targetId: kept!.immutableId }]);
  });

  it("a draft keeps its immutable id when it is sent, and the recipient gets a separate copy", async () => {
    const bench = createGraphBench();
    const draft = await bench.post(
      MESSAGES,
      {
        subject: "Order",
        body: { contentType: "text", content: "Buy" },
        toRecipients: [{ emailAddress: { address: "blair@contoso.example" } }],
      },
      IMMUTABLE,
    );
    expect([draft.status, draft.json.isDraft]).toEqual([201, true]);
    expect((await bench.post(`${MESSAGES}/${draft.json.id}/send`)).status).toBe(202);
    const sent = await bench.get(`/v1.0/users/${ALEX}/mailFolders/sentitems/messages`, IMMUTABLE);
    expect(sent.json.value.map((each: Loose) => [each.id, each.isDraft])).toEqual([
      [draft.json.id, false],
    ]);
    const arrived = await bench.get(`/v1.0/users/${BLAIR}/mailFolders/inbox/messages`);
    expect(arrived.json.value[0]).toMatchObject({
      subject: "Order",
      isRead: false,
      from: { emailAddress: { address: "alex@contoso.example" } },
    });
  });
});

describe("points that are switches", () => {
  it("a sent message may be in the Outbox before it appears in Sent Items, under one immutable id", async () => {
    const bench = createGraphBench({ switches: { sentItemsDelayMs: 30_000 } });
    const draft = bench.admin.createDraft(ALEX, { subject: "slow", to: "blair@contoso.example" });
    bench.admin.sendDraft(ALEX, draft.id);
    const folderOf = () => bench.admin.mailboxTruth(ALEX)[0]!.folder;
    expect(folderOf()).toBe("outbox");
    await bench.clock.advance(30_000);
    expect(folderOf()).toBe("sentitems");
    expect(bench.admin.mailboxTruth(ALEX)[0]!.immutableId).toBe(draft.immutableId);
  });

  it("DELETE may go to the Deleted Items", async () => {
    const bench = createGraphBench({ switches: { deleteTarget: "deleteditems" } });
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    await bench.call("DELETE", `${MESSAGES}/${mail!.id}`);
    expect(bench.admin.mailboxTruth(ALEX)[0]!.folder).toBe("deleteditems");
  });

  it("the size of an attachment may be exact, and MIME may have another type", async () => {
    const bench = createGraphBench({
      switches: { attachmentSize: "exact", mimeContentType: "message/rfc822" },
    });
    const [mail] = await bench.admin.sendMail({
      to: ALEX,
      attachments: [{ name: "a.txt", bytes: Buffer.from("12345") }],
    });
    const list = await bench.get(`${MESSAGES}/${mail!.id}/attachments`);
    expect(list.json.value[0].size).toBe(5);
    expect((await bench.get(`${MESSAGES}/${mail!.id}/$value`)).headers!["content-type"]).toBe(
      "message/rfc822",
    );
  });

  it("a change in delta may show only what can change", async () => {
    const bench = createGraphBench({ switches: { sparseDeltaUpdates: true } });
    const [mail] = await bench.admin.sendMail({ to: ALEX, subject: "sparse" });
    const path = `/v1.0/users/${ALEX}/mailFolders/inbox/messages/delta`;
    const first = await bench.get(path);
    bench.admin.markRead(ALEX, mail!.id);
    const next = await bench.get(first.json["@odata.deltaLink"]);
    expect(next.json.value[0]).toMatchObject({ id: mail!.id, isRead: true });
    expect(next.json.value[0]).not.toHaveProperty("body");
  });
});

describe("changing messages", () => {
  it("marks, flags and categorizes, each time with a new change key", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    const before = await bench.get(`${MESSAGES}/${mail!.id}`);
    const body = { isRead: true, flag: { flagStatus: "flagged" }, categories: ["Blue"] };
    const after = await bench.call("PATCH", `${MESSAGES}/${mail!.id}`, { body });
    expect(after.json).toMatchObject(body);
    expect(after.json.changeKey).not.toBe(before.json.changeKey);
    expect(bench.admin.mailboxTruth(ALEX)[0]).toMatchObject({
      isRead: true,
      flag: "flagged",
      categories: ["Blue"],
    });
  });

  it.each([
    ["an unknown property", { colour: "blue" }],
    ["a wrong type", { isRead: "yes" }],
    ["the body of a received message", { body: { contentType: "text", content: "other" } }],
  ])("refuses %s", async (_title, body) => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    expect((await bench.call("PATCH", `${MESSAGES}/${mail!.id}`, { body })).status).toBe(400);
  });

  it("keeps the folder's counts", async () => {
    const bench = createGraphBench();
    const [first] = await bench.admin.sendMail({ to: ALEX });
    await bench.admin.sendMail({ to: ALEX });
    bench.admin.markRead(ALEX, first!.id);
    const inbox = () => bench.get(`/v1.0/users/${ALEX}/mailFolders/inbox`);
    expect((await inbox()).json).toMatchObject({ totalItemCount: 2, unreadItemCount: 1 });
    bench.admin.move(ALEX, first!.id, "archive");
    expect((await inbox()).json).toMatchObject({ totalItemCount: 1, unreadItemCount: 1 });
  });

  it("renders MIME with the attachments inside, the same bytes each time", async () => {
    const bench = createGraphBench();
    const bytes = Buffer.from("%PDF-1.4 note");
    const [mail] = await bench.admin.sendMail({
      to: ALEX,
      subject: "Note",
      body: "see inside",
      attachments: [{ name: "note.pdf", bytes }],
    });
    const first = await bench.get(`${MESSAGES}/${mail!.id}/$value`);
    const text = String(first.body);
    expect(text).toContain("Subject: Note");
    expect(text).toContain("Received: ");
    expect(text).toContain(bytes.toString("base64"));
    expect(String((await bench.get(`${MESSAGES}/${mail!.id}/$value`)).body)).toBe(text);
  });

  it("accepts an .eml file unchanged", async () => {
    const bench = createGraphBench();
    const eml =
      "From: Ann <ann@x.example>\r\nTo: alex@contoso.example\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\nMessage-ID: <one@x.example>\r\nX-Mark: 7\r\n\r\nHi";
    const [mail] = await bench.admin.sendMail({ to: ALEX, eml });
    const shown = await bench.get(
      `${MESSAGES}/${mail!.id}?$select=subject,from,internetMessageId,internetMessageHeaders`,
    );
    expect(shown.json).toMatchObject({
      subject: "Café",
      internetMessageId: "<one@x.example>",
      from: { emailAddress: { name: "Ann", address: "ann@x.example" } },
    });
    expect(shown.json.internetMessageHeaders).toContainEqual({ name: "X-Mark", value: "7" });
  });
});
