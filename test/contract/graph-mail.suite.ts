import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ask, type GraphTarget, IMMUTABLE, type Loose, makeMessage } from "./graph-target.ts";

const API = "https://learn.microsoft.com/graph/api";
const COLOUR = "String {66f5a359-4659-4830-9070-00047ec6ac6e} Name Color";
const PALETTE = "StringArray {66f5a359-4659-4830-9070-00050ec6ac6e} Name Palette";

/** Replies, extended properties, search, ids and options. Each case cites its page. */
export function testMail(
  name: string,
  open: () => Promise<GraphTarget>,
  can: readonly "incoming"[],
): void {
  describe(name, () => {
    let target: GraphTarget;
    let messages: string;
    beforeAll(async () => {
      target = await open();
      messages = `/users/${target.mailbox}/messages`;
    });
    const post = (path: string, body: unknown = {}) => ask(target, path, { method: "POST", body });
    const list = async (query: string): Promise<string[]> => {
      const answer = await ask(target, `${messages}?${query}`);
      expect([query, answer.status]).toEqual([query, 200]);
      return answer.json.value.map((each: Loose) => each.subject);
    };
    const enc = encodeURIComponent;

    it(`createReply drafts an answer to the sender in the same conversation (${API}/message-createreply)`, async () => {
      const made = await makeMessage(target, `reply ${randomUUID()}`);
      await ask(target, `${messages}/${made.id}`, {
        method: "PATCH",
        headers: IMMUTABLE,
        body: { from: { emailAddress: { address: "desk@broker.example", name: "Desk" } } },
      });
      const reply = await post(`${messages}/${made.id}/createReply`, { comment: "Thanks" });
      expect(reply.status).toBe(201);
      expect(reply.json).toMatchObject({
        isDraft: true,
        subject: `RE: ${made.subject}`,
        conversationId: made.conversationId,
        toRecipients: [{ emailAddress: { address: "desk@broker.example" } }],
      });
      expect(reply.json.body.content).toContain("Thanks");
    });

    it(`createReplyAll also addresses the other recipients, but not the mailbox itself (${API}/message-createreplyall)`, async () => {
      const made = await makeMessage(target, `all ${randomUUID()}`);
      await ask(target, `${messages}/${made.id}`, {
        method: "PATCH",
        headers: IMMUTABLE,
        body: {
          from: { emailAddress: { address: "desk@broker.example" } },
          toRecipients: [{ emailAddress: { address: "b@x.example" } }],
          ccRecipients: [{ emailAddress: { address: "c@x.example" } }],
        },
      });
      const reply = await post(`${messages}/${made.id}/createReplyAll`);
      const addresses = (people: Loose[]) => people.map((each) => each.emailAddress.address);
      expect(addresses(reply.json.toRecipients)).toEqual(["desk@broker.example", "b@x.example"]);
      expect(addresses(reply.json.ccRecipients)).toEqual(["c@x.example"]);
    });

    it(`forward sends the message and its attachments on, and needs somebody to send it to (${API}/message-forward)`, async () => {
      const made = await makeMessage(target, `forward ${randomUUID()}`);
      await ask(target, `${messages}/${made.id}/attachments`, {
        method: "POST",
        headers: IMMUTABLE,
        body: {
          "@odata.type": "#microsoft.graph.fileAttachment",
          name: "note.txt",
          contentBytes: "eA==",
        },
      });
      const to = [{ emailAddress: { address: "someone@x.example" } }];
      const sent = await post(`${messages}/${made.id}/forward`, {
        toRecipients: to,
        comment: "FYI",
      });
      expect(sent.status).toBe(202);
      const found = await ask(
        target,
        `${messages}?$filter=${enc(`subject eq 'FW: ${made.subject}'`)}&$expand=attachments`,
      );
      expect(found.json.value[0]).toMatchObject({
        isDraft: false,
        attachments: [{ name: "note.txt" }],
      });
      expect((await post(`${messages}/${made.id}/forward`, { comment: "to nobody" })).status).toBe(
        400,
      );
    });

    it(`a comment and a body exclude each other (${API}/message-reply)`, async () => {
      const made = await makeMessage(target, "both");
      const body = { comment: "x", message: { body: { contentType: "text", content: "y" } } };
      expect((await post(`${messages}/${made.id}/createReply`, body)).status).toBe(400);
      expect((await post(`${messages}/${made.id}/createReply`, { remark: "x" })).status).toBe(400);
    });

    it(`an extended property is kept, and shown when it is expanded by its id (${API}/singlevaluelegacyextendedproperty-get)`, async () => {
      const property = { id: COLOUR, value: "Green" };
      const made = await post(messages, {
        subject: "green",
        singleValueExtendedProperties: [property],
      });
      expect(made.status).toBe(201);
      const expand = (id: string) =>
        `$expand=${enc(`singleValueExtendedProperties($filter=id eq '${id}')`)}`;
      const read = await ask(
        target,
        `${messages}/${made.json.id}?$select=subject&${expand(COLOUR)}`,
      );
      expect(read.json.singleValueExtendedProperties).toEqual([property]);
      const other = await ask(
        target,
        `${messages}/${made.json.id}?${expand(COLOUR.replace("Color", "Shape"))}`,
      );
      expect(other.json).not.toHaveProperty("singleValueExtendedProperties");
      expect(
        (await ask(target, `${messages}/${made.json.id}?$expand=singleValueExtendedProperties`))
          .status,
      ).toBe(400);
    });

    it(`messages are found by an extended property (${API}/singlevaluelegacyextendedproperty-get#example-2)`, async () => {
      const colour = randomUUID();
      await post(messages, {
        subject: "coloured",
        singleValueExtendedProperties: [{ id: COLOUR, value: colour }],
      });
      const filter = `singleValueExtendedProperties/Any(ep: ep/id eq '${COLOUR}' and ep/value eq '${colour}')`;
      expect(await list(`$filter=${enc(filter)}`)).toEqual(["coloured"]);
    });

    it(`a property with several values is kept as a list (${API}/multivaluelegacyextendedproperty-get)`, async () => {
      const property = { id: PALETTE, value: ["Green", "Aqua"] };
      const made = await post(messages, {
        subject: "palette",
        multiValueExtendedProperties: [property],
      });
      const expand = enc(`multiValueExtendedProperties($filter=id eq '${PALETTE}')`);
      const read = await ask(target, `${messages}/${made.json.id}?$expand=${expand}`);
      expect(read.json.multiValueExtendedProperties).toEqual([property]);
    });

    it(`PATCH changes one extended property and leaves the others (${API}/singlevaluelegacyextendedproperty-post-singlevalueextendedproperties)`, async () => {
      const other = COLOUR.replace("Color", "Shape");
      const both = [
        { id: COLOUR, value: "Red" },
        { id: other, value: "Round" },
      ];
      const made = await post(messages, { subject: "two", singleValueExtendedProperties: both });
      await ask(target, `${messages}/${made.json.id}`, {
        method: "PATCH",
        body: { singleValueExtendedProperties: [{ id: COLOUR, value: "Blue" }] },
      });
      const expand = enc(
        `singleValueExtendedProperties($filter=id eq '${COLOUR}' or id eq '${other}')`,
      );
      const read = await ask(target, `${messages}/${made.json.id}?$expand=${expand}`);
      expect(
        read.json.singleValueExtendedProperties.map((each: Loose) => each.value).sort(),
      ).toEqual(["Blue", "Round"]);
    });

    it(`an id that is not one of an extended property is refused (${API}/resources/extended-properties-overview)`, async () => {
      const body = {
        subject: "x",
        singleValueExtendedProperties: [{ id: "Color", value: "Green" }],
      };
      expect((await post(messages, body)).status).toBe(400);
    });

    it(`ids are translated to entry ids and back (${API}/user-translateexchangeids)`, async () => {
      const made = await makeMessage(target, "translated to MAPI");
      const translate = async (id: string, sourceIdType: string, targetIdType: string) =>
        (
          await post(`/users/${target.mailbox}/translateExchangeIds`, {
            inputIds: [id],
            sourceIdType,
            targetIdType,
          })
        ).json.value[0].targetId;
      const entryId = await translate(made.id, "restImmutableEntryId", "entryId");
      expect(Buffer.from(entryId, "base64url")).toHaveLength(70);
      expect(entryId).toMatch(/^AAAAA/);
      expect(await translate(entryId, "entryId", "restImmutableEntryId")).toBe(made.id);
      const restId = await translate(made.id, "restImmutableEntryId", "restId");
      const ewsId = await translate(restId, "restId", "ewsId");
      expect(ewsId.replaceAll("/", "-").replaceAll("+", "_")).toBe(restId);
      const wrong = await post(`/users/${target.mailbox}/translateExchangeIds`, {
        inputIds: [entryId],
        sourceIdType: "restId",
        targetIdType: "ewsId",
      });
      expect(wrong.status).toBe(400);
    });

    if (can.includes("incoming")) {
      it(`$search finds attachments, people, dates and combinations (https://learn.microsoft.com/graph/search-query-parameter#using-search-on-message-collections)`, async () => {
        const mark = `kql${randomUUID().slice(0, 6)}`;
        await target.deliver!({
          subject: `${mark} one`,
          body: "apples",
          attachments: [{ name: `${mark}.pdf`, bytes: Buffer.from("x") }],
        });
        await target.deliver!({ subject: `${mark} two`, body: "pears" });
        const search = (text: string) => list(`$search=${enc(`"${text}"`)}&$select=subject`);
        expect(await search(`attachment:${mark}.pdf`)).toEqual([`${mark} one`]);
        expect(await search(`subject:${mark} AND hasAttachments:true`)).toEqual([`${mark} one`]);
        expect(await search(`subject:${mark} NOT body:apples`)).toEqual([`${mark} two`]);
        expect((await search(`${mark} AND (apples OR pears)`)).sort()).toEqual([
          `${mark} one`,
          `${mark} two`,
        ]);
        expect(await search(`subject:${mark} AND received>=2100-01-01`)).toEqual([]);
        expect((await ask(target, `${messages}?$search=${enc('"colour:red"')}`)).status).toBe(400);
        expect(
          (await ask(target, `${messages}?$search=x&$filter=${enc("isRead eq true")}`)).status,
        ).toBe(400);
      });

      it(`PidTagTransportMessageHeaders contains the headers of received mail (https://learn.microsoft.com/office/client-developer/outlook/mapi/pidtagtransportmessageheaders-canonical-property)`, async () => {
        const sent = await target.deliver!({ subject: "headers" });
        const expand = enc("singleValueExtendedProperties($filter=id eq 'String 0x007D')");
        const read = await ask(target, `${messages}/${sent.id}?$expand=${expand}`);
        expect(read.json.singleValueExtendedProperties[0].value).toContain(
          "Authentication-Results: ",
        );
      });

      it(`attachments are counted and filtered (${API}/message-list-attachments)`, async () => {
        const sent = await target.deliver!({
          subject: "counted",
          attachments: [
            { name: "a.pdf", bytes: Buffer.from("a") },
            { name: "b.png", bytes: Buffer.from("b"), isInline: true, contentId: "b" },
          ],
        });
        const path = `${messages}/${sent.id}/attachments`;
        expect(String((await ask(target, `${path}/$count`)).bytes)).toBe("2");
        const filtered = await ask(
          target,
          `${path}?$filter=${enc("isInline eq false")}&$select=name`,
        );
        expect(filtered.json.value.map((each: Loose) => each.name)).toEqual(["a.pdf"]);
      });
    }

    it(`a change under an old change key is 412 (https://learn.microsoft.com/graph/api/resources/message, @odata.etag)`, async () => {
      const made = await makeMessage(target, "etag");
      const change = () =>
        ask(target, `${messages}/${made.id}`, {
          method: "PATCH",
          headers: { ...IMMUTABLE, "if-match": made["@odata.etag"] },
          body: { isRead: false },
        });
      expect((await change()).status).toBe(200);
      const stale = await change();
      expect([stale.status, stale.json.error.code]).toEqual([412, "ErrorIrresolvableConflict"]);
    });

    it(`folders expand their child folders and are counted (${API}/user-list-mailfolders)`, async () => {
      const parent = await post(`/users/${target.mailbox}/mailFolders`, {
        displayName: `p-${randomUUID()}`,
      });
      await post(`/users/${target.mailbox}/mailFolders/${parent.json.id}/childFolders`, {
        displayName: "child",
      });
      const read = await ask(
        target,
        `/users/${target.mailbox}/mailFolders/${parent.json.id}?$expand=childFolders($select=displayName)`,
      );
      expect(read.json.childFolders).toMatchObject([{ displayName: "child" }]);
      expect(
        Number(String((await ask(target, `/users/${target.mailbox}/mailFolders/$count`)).bytes)),
      ).toBeGreaterThan(5);
      expect(
        (await ask(target, `/users/${target.mailbox}/mailFolders?$expand=messages`)).status,
      ).toBe(400);
    });

    it(`delta honours $expand of the first request in every round (${API}/message-delta)`, async () => {
      const folder = (
        await post(`/users/${target.mailbox}/mailFolders`, { displayName: `d-${randomUUID()}` })
      ).json.id;
      const inside = `/users/${target.mailbox}/mailFolders/${folder}/messages`;
      const property = { id: COLOUR, value: "Green" };
      await post(inside, { subject: "first", singleValueExtendedProperties: [property] });
      const expand = enc(`singleValueExtendedProperties($filter=id eq '${COLOUR}')`);
      let page = await ask(target, `${inside}/delta?$select=subject&$expand=${expand}`);
      expect(page.json.value[0].singleValueExtendedProperties).toEqual([property]);
      while (page.json["@odata.nextLink"]) page = await ask(target, page.json["@odata.nextLink"]);
      await post(inside, { subject: "second", singleValueExtendedProperties: [property] });
      const changes = await ask(target, page.json["@odata.deltaLink"]);
      expect(changes.json.value[0].singleValueExtendedProperties).toEqual([property]);
      expect((await ask(target, `${inside}/delta?$expand=nothing`)).status).toBe(400);
    });

    it(`rules, the focused inbox and mailbox settings are refused by name (${API}/mailfolder-list-messagerules, ${API}/inferenceclassification-list-overrides)`, async () => {
      for (const path of [
        "mailFolders/inbox/messageRules",
        "inferenceClassification/overrides",
        "outlook/masterCategories",
        "mailboxSettings",
      ]) {
        const answer = await ask(target, `/users/${target.mailbox}/${path}`);
        expect([path, answer.status, answer.json.error.code]).toEqual([
          path,
          501,
          "NotImplemented",
        ]);
      }
    });

    it(`system options work without their dollar sign, and unknown ones are refused (https://learn.microsoft.com/graph/query-parameters)`, async () => {
      await makeMessage(target, "dollar");
      const plain = await ask(target, `${messages}?select=subject&top=1`);
      expect(plain.json.value).toHaveLength(1);
      expect(plain.json.value[0]).not.toHaveProperty("body");
      for (const query of [
        "$apply=x",
        "$compute=x",
        "$format=json",
        "colour=red",
        "$top=1&$top=2",
        "$levels=2",
      ]) {
        expect([query, (await ask(target, `${messages}?${query}`)).status]).toEqual([query, 400]);
      }
    });
  });
}
