/**
 * A Graph with canned responses in a separate process, so cheap that it does not affect the outcome:
 * single messages, `$batch`, and the delta pages of one huge folder.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { answerParent } from "./child.ts";

const DIGITS = "000000000000";
const PAGE_SIZE = 10;
/** Larger than every count here, so that multiplying scatters ids without repeating one. */
const PRIME = 999_999_999_989;
const SCATTER = 7_919_333;

let messagesTotal = 0;
let origin = "";
const pageTemplates = new Map<number, Template>();

interface Template {
  readonly bytes: Buffer;
  /** The positions of the digits, message by message. */
  readonly places: readonly (readonly number[])[];
}

const server = createServer((request, response) => {
  const answer = (body: string | Buffer): void => {
    response.writeHead(200, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
    });
    response.end(body);
  };
  const url = request.url!;
  if (url.includes("$batch")) return void readBody(request).then((body) => answer(batchOf(body)));
  if (url.includes("/oauth2/")) return void readBody(request).then(() => answer(token()));
  if (url.includes("/messages/delta")) return answer(deltaPage(url, request));
  const id = idIn(url);
  if (id !== null) return answer(messageOf(id));
  response.writeHead(404).end("{}");
});

function idIn(url: string): string | null {
  const found = /\/messages\/([^/?]+)/.exec(url)?.[1];
  return found === undefined ? null : decodeURIComponent(found);
}

async function readBody(request: IncomingMessage): Promise<string> {
  let text = "";
  request.setEncoding("utf8");
  for await (const chunk of request) text += chunk;
  return text;
}

function token(): string {
  return JSON.stringify({ token_type: "Bearer", expires_in: 86_399, access_token: "bench" });
}

function batchOf(body: string): string {
  const { requests } = JSON.parse(body) as { requests: { id: string; url: string }[] };
  const responses = requests.map(({ id, url }) => {
    const messageId = idIn(url);
    return messageId === null
      ? `{"id":"${id}","status":404,"body":{}}`
      : `{"id":"${id}","status":200,"body":${messageOf(messageId)}}`;
  });
  return `{"responses":[${responses.join(",")}]}`;
}

/** About a kilobyte, with the properties that are selected and a few headers. */
function messageOf(id: string): string {
  return JSON.stringify({
    "@odata.etag": `W/"CQAAABYAAAB${id.slice(-16)}"`,
    id,
    subject: `Contract note ${id.slice(-14)} of yesterday's trades`,
    from: { emailAddress: { name: "Broker Desk", address: "desk@broker.example" } },
    receivedDateTime: "2026-11-02T08:15:30Z",
    lastModifiedDateTime: "2026-11-02T08:15:31Z",
    isRead: false,
    isDraft: false,
    importance: "normal",
    hasAttachments: true,
    conversationId: `AAQkAGI2TH${id.slice(-20)}`,
    categories: [],
    parentFolderId: "inbox-folder",
    internetMessageId: `<${id.slice(-24)}@mail.broker.example>`,
    internetMessageHeaders: [
      { name: "Received", value: "from mail.broker.example by mx.contoso.example with ESMTPS" },
      { name: "Date", value: "Mon, 2 Nov 2026 08:15:28 +0000" },
      { name: "MIME-Version", value: "1.0" },
    ],
    flag: { flagStatus: "notFlagged" },
    changeKey: `CQAAABYAAAB${id.slice(-16)}`,
  });
}

const messageId = (digits: string): string =>
  `AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A${"Zt3mJ8kQ".repeat(9)}${digits}AAA=`;

function deltaPage(url: string, request: IncomingMessage): Buffer {
  const from = Number(/skiptoken=(\d+)/.exec(url)?.[1] ?? 0);
  const asked = /maxpagesize=(\d+)/.exec(String(request.headers["prefer"]))?.[1];
  const size = Math.min(Number(asked ?? PAGE_SIZE), messagesTotal - from);
  const list = fill(templateOf(size), from);
  const next = from + size;
  const base = `${origin}/v1.0/users/x/mailFolders/inbox-folder/messages/delta`;
  const link =
    next < messagesTotal
      ? `"@odata.nextLink":"${base}?$skiptoken=${next}"`
      : `"@odata.deltaLink":"${base}?$deltatoken=${next}"`;
  return Buffer.concat([Buffer.from(`{${link},"value":[`), list, Buffer.from("]}")]);
}

function templateOf(size: number): Template {
  let template = pageTemplates.get(size);
  if (template === undefined) {
    const one = messageOf(messageId(DIGITS));
    const bytes = Buffer.from(Array.from({ length: size }, () => one).join(","));
    const places = Array.from({ length: size }, (_, index) =>
      placesIn(one).map((place) => place + index * (one.length + 1)),
    );
    template = { bytes, places };
    pageTemplates.set(size, template);
  }
  return template;
}

function placesIn(text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(DIGITS); at >= 0; at = text.indexOf(DIGITS, at + 1)) places.push(at);
  return places;
}

function fill(template: Template, from: number): Buffer {
  const page = Buffer.from(template.bytes);
  for (const [index, places] of template.places.entries()) {
    const digits = String(((from + index + 1) * SCATTER) % PRIME).padStart(DIGITS.length, "0");
    for (const place of places) page.write(digits, place, "latin1");
  }
  return page;
}

answerParent({
  async start(given: { messages: number }) {
    messagesTotal = given.messages;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { origin };
  },
});
