/** Lists that the server gives in pages: commands show all of them, or say that there are more. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ingestMail } from "../../src/flows/specs/ingestion.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { Tenant } from "../../tenant/index.ts";
import { documentSettings } from "../documents/scene.ts";
import { anApp, aTenant, type TestApp, until, watch } from "../helpers/app.ts";
import { commandsFor, type Ran } from "../helpers/cli.ts";

let tenant: Tenant;
let app: TestApp;
let run: (typed: string | readonly string[]) => Promise<Ran>;
/** In front of the same server, which then gives one row at a time. */
let narrow: Server;
let runNarrow: typeof run;
/** Called before each request; true breaks its connection. */
let breaks: (url: URL) => boolean = () => false;
const NINA = "nina.berg@ashdown.example";
const folder = mkdtempSync(join(tmpdir(), "postroom-pages-"));

/** Each has several rows. */
const LISTS = [
  "mailbox list",
  "sub list",
  "events list",
  "jobs list",
  "dlq list",
  "documents list",
  "review list",
  "orders list",
  "senders list",
  "people list",
  "ingest mails",
  "sinks list",
  "hold list",
];
const LIMITED = ["events list", "jobs list", "dlq list", "documents list", "ingest mails"];

beforeAll(async () => {
  tenant = await aTenant();
  app = await anApp(tenant, documentSettings(tenant));
  run = commandsFor(app);
  await watch(app, tenant, ["operations", "nina"], "Inbox");
  await seed();
  narrow = createServer((incoming, answer) => {
    const url = new URL(incoming.url!, `http://127.0.0.1:${app.port}`);
    if (breaks(url)) return void incoming.socket.destroy();
    if (incoming.method === "GET" && !/audit|doctor/.test(url.pathname))
      url.searchParams.set("limit", "1");
    const options = { method: incoming.method!, headers: incoming.headers };
    const passed = request(url, options, (given) => {
      answer.writeHead(given.statusCode!, given.headers);
      given.pipe(answer);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>((done) => narrow.listen(0, "127.0.0.1", done));
  const { port } = narrow.address() as AddressInfo;
  writeFileSync(join(folder, "operator-key"), app.operatorKey);
  runNarrow = commandsFor({ home: folder, port });
}, 120_000);
afterAll(async () => {
  await new Promise((done) => narrow.close(done));
  rmSync(folder, { recursive: true });
});

async function seed(): Promise<void> {
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const orders = "reference,username,direction,quantity,placedOn,ticker\n";
  const order = (n: number) => `o${n},nina,BUY,${n},2026-01-0${n},ABC\n`;
  for (const call of [
    "senders approve a@one.example",
    "senders approve b@two.example",
    "sinks add one --outbox",
    "sinks add two --outbox",
    "hold set a@one.example --why x",
    "hold set b@two.example --why x",
    `orders import ${file("orders.csv", orders + order(1) + order(2))}`,
    `people import ${file("people.csv", "email,name\na@one.example,A\nb@two.example,B\n")}`,
    `documents file ${file("one.txt", "one")}`,
    `documents file ${file("two.txt", "two")}`,
  ])
    expect(await run(call)).toMatchObject({ code: 0 });
  for (const seed of ["one", "two"]) {
    const note = await makeNote({ seed, kind: "buy", language: "en" });
    const attachments = [{ name: note.fileName, bytes: note.pdf }];
    await tenant.graph.admin.sendMail({ to: NINA, from: "stranger@x.example", attachments });
  }
  // They cannot be done, whatever is tried.
  await app.database.transaction((tx) =>
    app.jobs.queue.add(
      tx,
      ingestMail,
      ["one", "two"].map((key) => ({
        ...{ subjectId: key, idempotencyKey: key },
        payload: { mailbox: NINA, messageId: key.repeat(100) },
      })),
    ),
  );
  await until("two rows of each list", async () => {
    for (const list of LISTS) if ((await rowsOf(list)).length < 2) return false;
    return true;
  });
}

async function rowsOf(list: string, through = run): Promise<string[]> {
  const { code, out } = await through(`${list} --json`);
  expect(code).toBe(0);
  return out.split("\n").filter(Boolean);
}

const keyOf = (row: string): unknown => {
  const { id, jobId, seq, address, pattern, email, messageId, name } = JSON.parse(row);
  return jobId ?? seq ?? messageId ?? id ?? address ?? pattern ?? email ?? name;
};

describe("a list that is longer than a page", () => {
  it.each(LISTS)("postroom %s shows every row once", async (list) => {
    const whole = await rowsOf(list);
    const paged = await rowsOf(list, runNarrow);
    expect(paged.map(keyOf)).toEqual(whole.map(keyOf));
    expect(new Set(paged.map(keyOf)).size).toBe(paged.length);
  });

  it.each(LIMITED)("postroom %s says if there are more, and --all shows them", async (list) => {
    const limited = await runNarrow(`${list} --limit 1`);
    expect(limited.err).toBe("only the newest one is shown; --all shows all of them\n");
    const all = await runNarrow(`${list} --all`);
    expect(all).toMatchObject({ code: 0, err: "" });
    expect(all.out.length).toBeGreaterThan(limited.out.length);
  });
});

describe("a server that stops while a list is read", () => {
  it.each(LISTS)(
    "postroom %s prints nothing, rather than a part that looks whole",
    async (list) => {
      breaks = (url) => url.searchParams.has("cursor");
      const { code, out, err } = await runNarrow(`${list} --json`);
      breaks = () => false;
      expect({ code, out }).toEqual({ code: 75, out: "" });
      expect(JSON.parse(err).error).toMatchObject({ exitCode: 75, code: "try-later" });
      expect(JSON.parse(err).error.message).toContain("stopped answering");
    },
  );
});
