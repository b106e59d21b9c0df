/**
 * Sends the example of every operation and compares the answer with what the description declares. Two groups need
 * another installation: the local tenant's page, which would steer this test's tenant (`src/cli/console/`), and what
 * needs a model, an index and a mail: Office, batches of e-mails, analyses and the index (`test/answers/examples.test.ts`).
 */
import { beforeAll, describe, expect, it } from "vitest";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { aPerson, documentSettings } from "../../test/documents/scene.ts";
import { anApp, aTenant, type TestApp, until } from "../../test/helpers/app.ts";
import { type DescribedOperation, type Given, sendExamples } from "../../test/helpers/examples.ts";
import { ingestMail } from "../flows/specs/ingestion.ts";

const ELSEWHERE = ["/office/", "/api/v1/emails/", "/api/ai/", "/api/analysis/"];
const PERSON = "5b0e9a52-3d0c-4c53-9d0a-7a2f1c9e4b11";
const NINA = "nina.berg@ashdown.example";

let tenant: Tenant;
let app: TestApp;
let headers: { authorization: string };

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, documentSettings(tenant), {
    consoleFiles: Promise.resolve({ missing: "this test has no console" }),
    sampleSignIn: {
      people: [{ id: PERSON, name: "Nina Berg", address: NINA, role: "admin" }],
      tokenFor: async () => ({ token: "a token", expiresInSeconds: 60 }),
    },
  });
  Object.assign(tenant.users[1]!, {
    appRoles: { [tenant.apps[1]!.appId]: ["Postroom.Admin"] },
  });
  headers = aPerson(tenant, 1).headers;
}, 120_000);

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function call<T>(method: Method, url: string, payload?: object): Promise<T> {
  const answer = await app.server.inject({
    ...{ method, url, headers },
    ...(payload === undefined ? {} : { payload }),
  });
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300);
  return answer.json() as T;
}

const PDF = Buffer.from("%PDF-1.4 a letter");

function aForm(fields: Record<string, string>, file: Buffer): Given {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `${parts.join("")}--x\r\ncontent-disposition: form-data; name="file"; filename="form.pdf"\r\ncontent-type: application/pdf\r\n\r\n`;
  return {
    headers: { "content-type": "multipart/form-data; boundary=x" },
    body: Buffer.concat([Buffer.from(head), file, Buffer.from("\r\n--x--\r\n")]),
  };
}

interface Question {
  readonly id: number;
  readonly subject: string;
}

/** Notes that become a trade, two questions because nobody approved their sender, and two because they are locked. */
async function seedMail() {
  await call("POST", "/api/people/import", { csv: `email,name\n${NINA},Nina Berg\n` });
  await call("POST", "/api/senders", { sender: NINA });
  await call("POST", "/api/mailboxes", { address: NINA, ingestFolder: "Inbox" });
  let password = "";
  for (const [seed, from, variant] of [
    ["booked", NINA, "plain"],
    ["asked", "stranger@broker.example", "plain"],
    ["answered", "stranger@broker.example", "plain"],
    ["locked", NINA, "encrypted"],
    ["closed", NINA, "encrypted"],
  ] as const) {
    const note = await makeNote({ seed, kind: "buy", language: "en", variant });
    password = note.password ?? password;
    const attachments = [{ name: note.fileName, bytes: note.pdf }];
    await tenant.graph.admin.sendMail({ to: NINA, from, attachments });
  }
  const { trades } = await until("a trade", async () => {
    const found = await call<{ trades: { id: string }[] }>("GET", "/api/trades");
    return found.trades.length > 0 && found;
  });
  const { reviews } = await until("four questions", async () => {
    const found = await call<{ reviews: Question[] }>("GET", "/api/reviews");
    return found.reviews.length === 4 && found;
  });
  const of = (subject: string) =>
    reviews.filter((each) => each.subject === subject).map((each) => String(each.id));
  const [review, answered] = of("line");
  await call("POST", `/api/reviews/${answered}/decision`, {
    decision: { action: "reject", reason: "not ours" },
  });
  await until("an answer that was carried out", async () => {
    const { status } = await call<{ status: string }>("GET", `/api/reviews/${answered}`);
    return status === "applied";
  });
  const { mails } = await call<{ mails: { messageId: string }[] }>("GET", "/api/ingest/mails");
  const message = mails[0]!.messageId;
  const { documents } = await call<{ documents: { id: string }[] }>(
    "GET",
    `/api/ingest/mails/${encodeURIComponent(message)}`,
  );
  return {
    ...{ trade: trades[0]!.id, message, note: documents[0]!.id },
    ...{ review: review!, answered: answered!, locked: of("document"), password },
  };
}

async function seedJobs() {
  const job = (key: string, messageId: string, runAt?: Date) => ({
    ...{ subjectId: key, idempotencyKey: key, payload: { mailbox: NINA, messageId } },
    ...(runAt === undefined ? {} : { runAt }),
  });
  // The first cannot be done, whatever is tried; the second is not due.
  const [dead, later] = await app.database.transaction((tx) =>
    app.jobs.queue.add(tx, ingestMail, [
      job("dead", "x".repeat(300)),
      job("later", "later", new Date(Date.now() + 3_600_000)),
    ]),
  );
  await until("a dead letter", async () => {
    const { deadLetters } = await call<{ deadLetters: object[] }>("GET", "/api/dlq");
    return deadLetters.length > 0;
  });
  const { replayId } = await call<{ replayId: string }>("POST", "/api/dlq/replay", {
    ...{ code: "graph.unavailable", why: "Graph is back" },
  });
  return { dead: dead!, later: later!, replay: replayId };
}

async function seedDocuments() {
  const put = async (name: string, query: string) => {
    const answer = await app.server.inject({
      method: "PUT",
      url: `/api/containers/default/files/${name}${query}`,
      headers: { ...headers, "content-type": "application/octet-stream" },
      payload: PDF,
    });
    expect(answer.statusCode, answer.body).toBe(201);
    return answer.json() as { documentId: string; document: { id: string } };
  };
  const begin = (fileName: string) =>
    call<{ uploadId: string }>("POST", "/upload/session", { fileName, size: PDF.length });
  const matter = await tenant.dataverse.admin.create("sprk_matter", { sprk_name: "A matter" });
  return {
    recorded: await put("recorded.pdf", "?record=true"),
    bare: await put("bare.pdf", "?record=false"),
    matter: matter.id,
    uploads: [await begin("one.pdf"), await begin("two.pdf"), await begin("three.pdf")],
  };
}

/** The objects of the examples, by operation. Operations that are not named are sent as they are described. */
async function seed(): Promise<Readonly<Record<string, Given>>> {
  const { trade, review, answered, message, note, locked, password } = await seedMail();
  const { dead, later, replay } = await seedJobs();
  const { recorded, bare, matter, uploads } = await seedDocuments();
  const { rows } = await app.database.query<{ id: number }>(
    "INSERT INTO postroom.notice (person_id, text) VALUES ($1, 'read this') RETURNING id",
    [tenant.users[1]!.id],
  );
  const id = (value: string): Given => ({ params: { id: value } });
  const bytes = { "content-type": "application/octet-stream" };
  return {
    ...{ getTrade: id(trade), undoDecision: id(trade), trace: id(message) },
    ...{ getReview: id(review), assignReview: id(review), decideReview: id(review) },
    undoAnswer: id(answered),
    ...{ getMail: id(message), ingestAgain: { body: { mailbox: NINA, messageId: message } } },
    givePassword: { ...id(locked[0]!), body: { password } },
    giveFile: {
      ...id(locked[1]!),
      headers: bytes,
      body: (await makeNote({ seed: "closed", kind: "buy", language: "en" })).pdf,
    },
    getEvidence: { query: { kind: "trade", id: trade } },
    getNoteContent: { params: { documentId: note } },
    ...{ getJobStatus: id(dead), streamJob: id(dead), cancelJob: id(later) },
    ...{ explainDeadLetter: id(dead), getReplay: id(replay) },
    ...{ getDocument: id(recorded.document.id), endDocumentReview: id(recorded.document.id) },
    ...{ getPreviewUrl: id(recorded.documentId), getOfficeUrls: id(recorded.documentId) },
    ...{ getContent: id(recorded.documentId), listVersions: id(recorded.documentId) },
    ...{ listReaders: id(recorded.documentId), getDocumentProfile: id(recorded.documentId) },
    getDocumentHistory: id(recorded.documentId),
    seeNotice: id(String(rows[0]!.id)),
    addRecord: { ...id(bare.document.id), body: { parent: `sprk_matter:${matter}` } },
    putFile: { headers: bytes, body: PDF },
    sendForm: aForm({ containerId: tenant.drives.admin.defaultContainerId }, PDF),
    uploadNotes: aForm({}, (await makeNote({ seed: "form", kind: "buy", language: "en" })).pdf),
    ...{ getUpload: id(uploads[0]!.uploadId), cancelUpload: id(uploads[2]!.uploadId) },
    sendChunk: {
      ...id(uploads[1]!.uploadId),
      headers: { ...bytes, "content-range": `bytes 0-${PDF.length - 1}/${PDF.length}` },
      body: PDF,
    },
  };
}

const lastnessOf = ({ method, path }: DescribedOperation) =>
  method !== "delete" ? 0 : path === "/api/mailboxes/{address}" ? 2 : 1;

describe("the example of every operation", () => {
  it("is sent and answered as the description declares", { timeout: 300_000 }, async () => {
    const { sent, wrong } = await sendExamples({
      ...{ app, headers, given: await seed() },
      isSent: (path) => !ELSEWHERE.some((start) => path.startsWith(start)),
      // What others read is removed last, the mailbox after what belongs to it.
      lastnessOf,
    });
    expect(wrong).toEqual({});
    expect(sent.length).toBeGreaterThan(80);
  });
});
