import { describe, expect, it } from "vitest";
import { ALEX, createGraphBench, type Loose, toRequest } from "../testing/graph-bench.ts";

const PDF = Buffer.from("%PDF-1.4 test");

async function sent(attachments: Loose[]) {
  const bench = createGraphBench();
  const [mail] = await bench.admin.sendMail({ to: ALEX, attachments });
  const base = `/v1.0/users/${ALEX}/messages/${mail!.id}`;
  const list = await bench.get(`${base}/attachments`);
  return { bench, base, list: list.json.value as Loose[] };
}

describe("attachments", () => {
  it("lists without bytes on request and gives the bytes by $value", async () => {
    const { bench, base } = await sent([{ name: "note.pdf", bytes: PDF }]);
    const list = await bench.get(`${base}/attachments?$select=id,name,contentType,size,isInline`);
    const [file] = list.json.value;
    expect(file).toMatchObject({
      "@odata.type": "#microsoft.graph.fileAttachment",
      name: "note.pdf",
      contentType: "application/pdf",
    });
    expect(file).not.toHaveProperty("contentBytes");
    expect((await bench.get(`${base}/attachments/${file.id}/$value`)).body).toEqual(PDF);
    const whole = await bench.get(`${base}/attachments/${file.id}`);
    expect(Buffer.from(whole.json.contentBytes, "base64")).toEqual(PDF);
  });

  it("hasAttachments is false for a message with an inline PDF only", async () => {
    const { bench, base, list } = await sent([
      { name: "inline.pdf", bytes: PDF, isInline: true, contentId: "one" },
    ]);
    expect((await bench.get(`${base}?$select=hasAttachments`)).json.hasAttachments).toBe(false);
    expect(list[0]).toMatchObject({ isInline: true, contentId: "one" });
  });

  it("an attached message opens by $expand and comes as MIME by $value", async () => {
    const item = {
      subject: "Inner",
      body: "inside",
      from: "in@x.example",
      attachments: [{ name: "deep.pdf", bytes: PDF }],
    };
    const { bench, base, list } = await sent([{ name: "Inner", item }]);
    expect(list[0]).toMatchObject({
      "@odata.type": "#microsoft.graph.itemAttachment",
      contentType: null,
    });
    expect(list[0]).not.toHaveProperty("item");
    const open = await bench.get(
      `${base}/attachments/${list[0].id}?$expand=microsoft.graph.itemattachment/item`,
    );
    expect(open.json.item).toMatchObject({
      "@odata.type": "#microsoft.graph.message",
      subject: "Inner",
    });
    expect(Buffer.from(open.json.item.attachments[0].contentBytes, "base64")).toEqual(PDF);
    const mime = await bench.get(`${base}/attachments/${list[0].id}/$value`);
    expect(String(mime.body)).toContain(PDF.toString("base64"));
  });

  it("come with the message by $expand, with what was selected of them", async () => {
    const { bench, base } = await sent([{ name: "note.pdf", bytes: PDF }]);
    const whole = await bench.get(`${base}?$select=subject&$expand=attachments($select=id,name)`);
    expect(whole.json.attachments).toMatchObject([{ name: "note.pdf" }]);
    expect(whole.json.attachments[0]).not.toHaveProperty("contentBytes");
    const list = await bench.get(`/v1.0/users/${ALEX}/messages?$expand=attachments`);
    expect(list.json.value[0].attachments[0]).toHaveProperty("contentBytes");
    expect((await bench.get(`${base}?$expand=relatives`)).status).toBe(400);
  });

  it("a reference has no raw contents", async () => {
    const { bench, base, list } = await sent([
      { name: "shared.docx", sourceUrl: "https://files.example/x" },
    ]);
    expect(list[0]["@odata.type"]).toBe("#microsoft.graph.referenceAttachment");
    expect((await bench.get(`${base}/attachments/${list[0].id}/$value`)).status).toBe(405);
  });

  it("distinguishes an empty file from two files with the same name", async () => {
    const { bench, base, list } = await sent([
      { name: "a.txt", bytes: Buffer.alloc(0) },
      { name: "same.pdf", bytes: PDF },
      { name: "same.pdf", bytes: Buffer.from("other") },
    ]);
    const bodies = await Promise.all(
      list.map(async (each) =>
        String((await bench.get(`${base}/attachments/${each.id}/$value`)).body),
      ),
    );
    expect(bodies).toEqual(["", String(PDF), "other"]);
  });

  it("keeps ids apart: no attachment by a message's id, none after it was deleted", async () => {
    const { bench, base, list } = await sent([{ name: "a.pdf", bytes: PDF }]);
    expect((await bench.get(`${base}/attachments/nonsense`)).status).toBe(400);
    expect((await bench.call("DELETE", `${base}/attachments/${list[0].id}`)).status).toBe(204);
    expect((await bench.get(`${base}/attachments/${list[0].id}`)).status).toBe(404);
  });
});

describe("upload sessions", () => {
  const SIZE = 3 * 1024 * 1024 + 10;

  async function draft() {
    const bench = createGraphBench();
    const made = await bench.post(`/v1.0/users/${ALEX}/messages`, { subject: "big" });
    const base = `/v1.0/users/${ALEX}/messages/${made.json.id}/attachments`;
    const open = (size: number) =>
      bench.post(`${base}/createUploadSession`, {
        AttachmentItem: { attachmentType: "file", name: "big.bin", size },
      });
    const put = async (
      url: string,
      first: number,
      bytes: Buffer,
      headers: Record<string, string> = {},
    ) => {
      const range = `bytes ${first}-${first + bytes.length - 1}/${SIZE}`;
      const request = toRequest("PUT", url, { body: bytes, headers: { "content-range": range } });
      const { authorization: _none, ...rest } = request.headers;
      const answer = await bench.part.handle({ ...request, headers: { ...rest, ...headers } });
      return answer! as Loose;
    };
    return { bench, base, open, put };
  }

  it("takes ranges in order without a token and names the attachment at the end", async () => {
    const { bench, base, open, put } = await draft();
    const session = await open(SIZE);
    expect(session.status).toBe(201);
    expect(session.json.nextExpectedRanges).toEqual(["0-"]);
    const url = session.json.uploadUrl;
    expect(new URL(url).hostname).not.toBe("127.0.0.1");
    const half = 2 * 1024 * 1024;
    const first = await put(url, 0, Buffer.alloc(half, 1));
    expect(first).toMatchObject({
      status: 200,
      body: {
        nextExpectedRanges: ["2097152"],
        expirationDateTime: session.json.expirationDateTime,
      },
    });
    expect((await put(url, 0, Buffer.alloc(half, 1))).status).toBe(416);
    const last = await put(url, half, Buffer.alloc(SIZE - half, 2));
    expect(last.status).toBe(201);
    expect(last.headers.location).toMatch(/\/attachments\('.+'\)$/);
    const list = await bench.get(`${base}?$select=id,name`);
    const bytes = (await bench.get(`${base}/${list.json.value[0].id}/$value`)).body as Buffer;
    expect([bytes.length, bytes[0], bytes.at(-1)]).toEqual([SIZE, 1, 2]);
    expect((await put(url, 0, Buffer.alloc(1))).status).toBe(404);
  });

  it("refuses a token on the upload, sizes out of bounds and an expired session", async () => {
    const { bench, open, put } = await draft();
    expect((await open(1000)).status).toBe(400);
    expect((await open(151 * 1024 * 1024)).status).toBe(400);
    const session = await open(SIZE);
    const refused = await put(session.json.uploadUrl, 0, Buffer.alloc(10), {
      authorization: "Bearer app",
    });
    expect(refused.status).toBe(401);
    await bench.clock.advance(2 * 3_600_000);
    expect((await put(session.json.uploadUrl, 0, Buffer.alloc(10))).status).toBe(404);
  });
});
