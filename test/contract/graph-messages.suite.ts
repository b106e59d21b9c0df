import { beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  type GraphTarget,
  IMMUTABLE,
  type IncomingMail,
  type Loose,
  makeMessage,
} from "./graph-target.ts";

const PDF = Buffer.from("%PDF-1.4\nconformance");

/** Messages, their ids and their attachments. */
export function testMessages(
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

    // https://learn.microsoft.com/graph/outlook-immutable-id
    it("after a move the default id is not found, and the immutable one leads to the message", async () => {
      const made = await makeMessage(target, "moved by a rule");
      const byDefault = await ask(target, `${messages}/${made.id}`);
      const moved = await ask(target, `${messages}/${byDefault.json.id}/move`, {
        method: "POST",
        body: { destinationId: "archive" },
      });
      expect(moved.status).toBe(201);
      expect(moved.json.id).not.toBe(byDefault.json.id);
      const lost = await ask(target, `${messages}/${byDefault.json.id}`);
      expect([lost.status, lost.json.error.code]).toEqual([404, "ErrorItemNotFound"]);
      const found = await ask(target, `${messages}/${made.id}`, { headers: IMMUTABLE });
      expect(found.json).toMatchObject({
        id: made.id,
        subject: "moved by a rule",
        parentFolderId: moved.json.parentFolderId,
      });
    });

    // https://learn.microsoft.com/graph/api/user-translateexchangeids
    it("ids are translated in both directions", async () => {
      const made = await makeMessage(target, "translated");
      const byDefault = await ask(target, `${messages}/${made.id}?$select=id`);
      const translate = (inputId: string, sourceIdType: string, targetIdType: string) =>
        ask(target, `/users/${target.mailbox}/translateExchangeIds`, {
          method: "POST",
          body: { inputIds: [inputId], sourceIdType, targetIdType },
        });
      const there = await translate(byDefault.json.id, "restId", "restImmutableEntryId");
      expect(there.json.value).toEqual([{ sourceId: byDefault.json.id, targetId: made.id }]);
      const back = await translate(made.id, "restImmutableEntryId", "restId");
      expect(back.json.value[0].targetId).toBe(byDefault.json.id);
    });

    // https://learn.microsoft.com/graph/api/resources/message#properties
    it("headers and the unique body come only when selected", async () => {
      const made = await makeMessage(target, "selected");
      const plain = await ask(target, `${messages}/${made.id}`);
      expect(plain.json).not.toHaveProperty("uniqueBody");
      expect(plain.json).not.toHaveProperty("internetMessageHeaders");
      const selected = await ask(target, `${messages}/${made.id}?$select=uniqueBody`);
      expect(selected.json).toHaveProperty("uniqueBody");
    });

    // https://learn.microsoft.com/graph/api/user-list-messages#using-filter-and-orderby-in-the-same-query
    it("a sort order that the filter does not name first is inefficient", async () => {
      const refused = await ask(
        target,
        `${messages}?$filter=isRead eq false&$orderby=receivedDateTime desc`,
      );
      expect([refused.status, refused.json.error.code]).toEqual([400, "InefficientFilter"]);
    });

    // https://learn.microsoft.com/graph/json-batching
    it("a batch of twenty-one is too large, and what depends on a failure fails", async () => {
      const member = (id: string, url: string, dependsOn?: string[]) => ({
        id,
        method: "GET",
        url,
        ...(dependsOn ? { dependsOn } : {}),
      });
      const send = (requests: object[]) =>
        ask(target, "/$batch", { method: "POST", body: { requests } });
      const inbox = `/users/${target.mailbox}/mailFolders/inbox`;
      expect(
        (await send(Array.from({ length: 21 }, (_, index) => member(`${index}`, inbox)))).status,
      ).toBe(400);
      const { json } = await send([
        member("1", inbox),
        member("2", `${messages}/nonsense`),
        member("3", inbox, ["2"]),
      ]);
      const statuses = Object.fromEntries(
        json.responses.map((each: Loose) => [each.id, each.status]),
      );
      expect(statuses).toMatchObject({ "1": 200, "3": 424 });
    });

    if (can.includes("incoming")) {
      const receive = async (mail: IncomingMail) => {
        const { id } = await target.deliver!(mail);
        const path = `${messages}/${id}`;
        const list = await ask(
          target,
          `${path}/attachments?$select=id,name,contentType,size,isInline`,
        );
        const bytesOf = (at: number) =>
          ask(target, `${path}/attachments/${list.json.value[at].id}/$value`);
        return { path, list: list.json.value as Loose[], bytesOf };
      };

      // https://learn.microsoft.com/graph/api/resources/message#properties
      it("hasAttachments is false for a PDF that is only inline", async () => {
        const { path, list, bytesOf } = await receive({
          subject: "inline",
          attachments: [{ name: "in.pdf", bytes: PDF, isInline: true, contentId: "x" }],
        });
        expect((await ask(target, `${path}?$select=hasAttachments`)).json.hasAttachments).toBe(
          false,
        );
        expect(list[0].isInline).toBe(true);
        expect((await bytesOf(0)).bytes.equals(PDF)).toBe(true);
      });

      // https://learn.microsoft.com/graph/api/attachment-get
      it("a PDF inside an attached message is reached by $expand, and by the MIME of $value", async () => {
        const item: IncomingMail = {
          subject: "inner",
          attachments: [{ name: "deep.pdf", bytes: PDF }],
        };
        const { path, list, bytesOf } = await receive({
          subject: "outer",
          attachments: [{ name: "inner", item }],
        });
        expect(list[0]["@odata.type"]).toBe("#microsoft.graph.itemAttachment");
        expect(list[0].contentType).toBeNull();
        const open = await ask(
          target,
          `${path}/attachments/${list[0].id}?$expand=microsoft.graph.itemattachment/item`,
        );
        expect(open.json.item.subject).toBe("inner");
        expect((await bytesOf(0)).bytes.toString()).toContain(PDF.toString("base64"));
      });

      // https://learn.microsoft.com/graph/api/attachment-get
      it("the raw value of a reference is not allowed", async () => {
        const { bytesOf } = await receive({
          subject: "link",
          attachments: [{ name: "shared", sourceUrl: "https://files.example/x" }],
        });
        expect((await bytesOf(0)).status).toBe(405);
      });

      // https://learn.microsoft.com/graph/api/message-list-attachments
      it("an empty file and two files with the same name are distinguished", async () => {
        const { list, bytesOf } = await receive({
          subject: "odd",
          attachments: [
            { name: "empty.txt", bytes: Buffer.alloc(0) },
            { name: "same.pdf", bytes: PDF },
            { name: "same.pdf", bytes: Buffer.from("two") },
          ],
        });
        expect(new Set(list.map((each) => each.id)).size).toBe(3);
        const lengths = [
          (await bytesOf(0)).bytes.length,
          (await bytesOf(1)).bytes.length,
          (await bytesOf(2)).bytes.length,
        ];
        expect(lengths).toEqual([0, PDF.length, 3]);
      });

      // https://learn.microsoft.com/graph/outlook-get-mime-message
      it("the MIME of a message contains its attachments", async () => {
        const { path } = await receive({
          subject: "mime",
          attachments: [{ name: "a.pdf", bytes: PDF }],
        });
        const { status, bytes } = await ask(target, `${path}/$value`);
        expect(status).toBe(200);
        expect(bytes.toString()).toContain(PDF.toString("base64"));
      });
    }
  });
}
