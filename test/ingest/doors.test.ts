/** Trades, questions, orders and the shared table over HTTP and on the command line. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import Fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registerIngestRoutes } from "../../src/api/ingest-routes.ts";
import { registerOrderRoutes } from "../../src/api/orders-routes.ts";
import { handleErrors, ProblemError } from "../../src/api/problem.ts";
import { registerReviewRoutes } from "../../src/api/review-routes.ts";
import { registerTradeRoutes } from "../../src/api/trades-routes.ts";
import { ingestCommand } from "../../src/cli/ingest.ts";
import { ordersCommand } from "../../src/cli/orders.ts";
import { createOutput, type Output } from "../../src/cli/output.ts";
import { readFacts, reviewCommand } from "../../src/cli/review.ts";
import { tradesCommand } from "../../src/cli/trades.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { rowOf } from "../claims/scene.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

let shop: Workshop;
let app: FastifyInstance;
let notes = 0;

beforeAll(async () => {
  shop = await openWorkshop();
  app = Fastify();
  handleErrors(app);
  const authorize = async (request: { headers: { authorization?: string } }) => {
    const token = request.headers.authorization?.slice(7);
    if (token === undefined) throw new ProblemError({ status: 401, title: "Unauthorized" });
    return { id: token === "key" ? "operator" : token, isOperator: token === "key" };
  };
  const needs = { ...shop.needs, authorize, table: shop.needs.table };
  registerTradeRoutes(app, needs);
  registerReviewRoutes(app, needs);
  registerOrderRoutes(app, needs);
  registerIngestRoutes(app, needs);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const home = join(shop.folder, "home");
  await mkdir(home);
  await writeFile(join(home, "operator-key"), "key");
  await writeFile(join(home, "server.json"), JSON.stringify({ url }));
  process.env["POSTROOM_HOME"] = home;
});
afterAll(async () => {
  delete process.env["POSTROOM_HOME"];
  await app.close();
});

const call = async (
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  body?: object,
  token = "key",
) => {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() as never };
};

/** Runs a verb; its words and data, and the error that it ended with. */
async function run(make: (output: Output) => Command, ...args: string[]) {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const command = make(createOutput(write, write));
  const silence = (each: Command): void => {
    each.exitOverride().configureOutput({ writeErr: write, writeOut: write });
    each.commands.forEach(silence);
  };
  silence(command);
  const error = await command.parseAsync(args, { from: "user" }).then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  return { text, error };
}

/** A mail with one note arrives and is worked off; answers its id and its open questions. */
async function arrive(change: Parameters<typeof aTrade>[0] & { confidence?: number } = {}) {
  notes += 1;
  const { confidence = 0.95, ...facts } = change;
  const trade = {
    ...aTrade({ reference: `D-${notes}`, account: `D${notes}`, ...facts }),
    confidence,
  };
  const id = await shop.send({ files: [await plainPdf({ trades: [trade] })] });
  await shop.ingest(id);
  const [trade0] = await findTrades(shop.database, { messageId: id });
  return { id, trade: trade0 ?? null };
}

const oldest = async () => (await findReviews(shop.database, { status: "open" }))[0]!;

/** Answers over HTTP and waits for the answer to be carried out. */
async function answer(id: number, decision: object) {
  const { status, body } = await call("POST", `/api/reviews/${id}/decision`, { decision });
  await shop.jobs.workUntilIdle();
  return {
    status,
    body,
    review: (await call("GET", `/api/reviews/${id}`)).body as {
      status: string;
      refusal: string | null;
    },
  };
}

describe("trades", () => {
  it("are listed with their documents as JSON and as CSV that runs no formula", async () => {
    await arrive({ name: "=cmd()|x", ticker: "CSV1" });
    const { body } = await call(
      "GET",
      "/api/trades?status=confirmed&needsAudit=false&since=2020-01-01",
    );
    const { trades } = body as {
      trades: { ticker: string; documents: { archivePath: string }[] }[];
    };
    const found = trades.find((trade) => trade.ticker === "CSV1")!;
    expect(found.documents[0]!.archivePath).toMatch(/^archive\//);
    const listed = await run(tradesCommand, "list", "--json");
    expect(
      listed.text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line).ticker),
    ).toContain("CSV1");
    const csv = await run(tradesCommand, "list", "--csv");
    expect(csv.text).toContain("'=cmd()|x");
    expect(csv.text.split("\r\n")[0]).toMatch(/^tradeKey,status,username/);
    expect((await run(tradesCommand, "list")).text).toContain("ldeburna-20260204-CSV1-BUY-100");
  });

  it("are shown with every decision, and the last one can be taken back, after a rehearsal", async () => {
    const { trade } = await arrive({ ticker: "UNDO" });
    const shown = await run(tradesCommand, "show", trade!.tradeKey);
    expect(shown.text).toMatch(/confirm by postroom: confidence 0.95/);
    expect(JSON.parse((await run(tradesCommand, "show", trade!.id, "--json")).text)).toMatchObject({
      occurrence: 1,
    });
    const dry = await run(tradesCommand, "undo", trade!.id, "--why", "test", "--dry-run");
    expect(dry.text).toContain("would take back");
    const done = await run(tradesCommand, "undo", trade!.id, "--why", "test");
    expect(done.text).toContain("taken back");
    const [again] = await findTrades(shop.database, { messageId: trade!.id });
    expect(again).toBeUndefined();
    expect((await run(tradesCommand, "undo", trade!.id, "--why", "test")).error).toMatch(
      /no such decision/,
    );
    expect((await run(tradesCommand, "show", "nothing")).error).toBe("there is no such trade");
    await answer((await oldest()).id, { action: "reject", reason: "done with it" });
  });

  it("are for operators alone [H-10]", async () => {
    for (const url of [
      "/api/trades",
      "/api/trades/x",
      "/api/reviews",
      "/api/reviews/1",
      "/api/orders",
      "/api/ingest",
      "/api/ingest/mails",
    ]) {
      expect((await call("GET", url, undefined, "somebody")).status).toBe(403);
      expect((await app.inject({ url })).statusCode).toBe(401);
    }
  });
});

describe("questions", () => {
  it("show reason, age and assignee, and are given to a person", async () => {
    await arrive({ confidence: 0.2 });
    const { id } = await oldest();
    expect((await run(reviewCommand, "assign", String(id), "vera")).text).toContain("vera");
    const listed = await run(reviewCommand, "list");
    expect(listed.text).toMatch(/line\s+0 min\s+vera\s+confidence 0.20 is below 0.5/);
    expect((await call("GET", "/api/reviews/next")).status).toBe(404);
    await run(reviewCommand, "assign", String(id));
    expect((await run(reviewCommand, "next")).text).toContain(`question ${id}`);
    expect(JSON.parse((await run(reviewCommand, "show", String(id), "--json")).text)).toMatchObject(
      { line: { confidence: 0.2 } },
    );
    expect((await run(reviewCommand, "accept", String(id), "--dry-run")).text).toContain(
      "could be answered",
    );
    const accepted = await run(reviewCommand, "accept", String(id));
    expect(accepted).toMatchObject({ error: null, text: `question ${id}: accept, applied\n` });
    const twice = await run(reviewCommand, "accept", String(id));
    expect(twice.error).toBe("it was decided by operator");
  });

  it("accept, correct and reject end a line; what is impossible opens it again with the reason", async () => {
    const first = await arrive({ direction: null });
    const { id } = await oldest();
    const refused = await answer(id, { action: "accept" });
    expect(refused).toMatchObject({
      status: 202,
      review: { status: "open", refusal: "missing: direction" },
    });
    const corrected = await run(
      reviewCommand,
      "correct",
      String(id),
      "direction=SELL",
      "quantity=90",
    );
    expect(corrected.text).toContain("applied");
    const [trade] = await findTrades(shop.database, { messageId: first.id });
    expect(trade).toMatchObject({
      confirmedBy: "operator",
      facts: { direction: "SELL", quantity: 90 },
    });

    const second = await arrive({ confidence: 0.1 });
    await run(reviewCommand, "reject", String((await oldest()).id), "--why", "a quote");
    expect(await findTrades(shop.database, { messageId: second.id })).toEqual([]);
  });

  it("split makes several trades of one line, all or none", async () => {
    const { id: mail } = await arrive({ confidence: 0.1 });
    const { id } = await oldest();
    const half = { quantity: 50, gross: null, net: null };
    expect(
      (await answer(id, { action: "split", lines: [half, { ...half, isin: "US0000000000" }] }))
        .review,
    ).toMatchObject({ status: "open" });
    expect(await findTrades(shop.database, { messageId: mail })).toEqual([]);
    const file = join(shop.folder, "parts.json");
    await writeFile(file, JSON.stringify([half, half]));
    await run(reviewCommand, "split", String(id), file);
    expect(
      (await findTrades(shop.database, { messageId: mail })).map((trade) => trade.facts.quantity),
    ).toEqual([50, 50]);
  });

  it("link says that a line tells of a known trade", async () => {
    const known = await arrive({});
    const { id: mail } = await arrive({ confidence: 0.1 });
    const { id } = await oldest();
    expect((await run(reviewCommand, "link", String(id))).error).toBe("link needs tradeId");
    await run(reviewCommand, "link", String(id), "--trade", known.trade!.id);
    expect((await findTrades(shop.database, { messageId: mail })).map((trade) => trade.id)).toEqual(
      [known.trade!.id],
    );
  });

  it("a document that could not be read is typed in, archived, and its mail ends well", async () => {
    const id = await shop.send({
      files: [{ name: "scan.pdf", bytes: Buffer.from("%PDF-1.4 scan\n%%EOF") }],
    });
    await shop.ingest(id);
    const review = await oldest();
    expect(review.subject).toBe("document");
    const wrong = await call("POST", `/api/reviews/${review.id}/decision`, {
      decision: { action: "correct", facts: { colour: "red" } },
    });
    expect(wrong.status).toBe(400);
    const facts = {
      direction: "BUY",
      tradeDate: "2026-02-04",
      isin: "US5949181045",
      quantity: 3,
      price: 400,
      priceCurrency: "USD",
      currency: "USD",
      net: 1_200,
    };
    await answer(review.id, { action: "correct", facts });
    expect(await findTrades(shop.database, { messageId: id })).toHaveLength(1);
    const row = await rowOf(shop.database, id);
    expect(row).toMatchObject({ status: "success", trades_extracted: 1 });
    expect(row!["archive_gcs_paths"]).toHaveLength(1);
  });

  it("not-a-note ends a document with all its questions", async () => {
    await arrive({ confidence: 0.1 });
    const { id } = await oldest();
    await run(reviewCommand, "not-a-note", String(id), "--why", "spam");
    expect((await call("GET", `/api/reviews/${id}`)).body).toMatchObject({ status: "applied" });
    expect((await run(reviewCommand, "list")).text).toBe("no question is open\n");
    expect((await call("GET", "/api/reviews/999999")).status).toBe(404);
    expect((await call("GET", "/api/reviews/x")).status).toBe(404);
  });

  it("facts on the command line are read as numbers, words and nothing", () => {
    expect(readFacts(["quantity=1.5", "ticker=A=B", "isCancelled=true", "net="])).toEqual({
      quantity: 1.5,
      ticker: "A=B",
      isCancelled: true,
      net: null,
    });
    expect(() => readFacts(["quantity"])).toThrow("not name=value");
  });
});

describe("orders", () => {
  it("are imported from a file, all or none, and listed; a trade without a fitting one asks for it [TRD-05] [X-06]", async () => {
    const file = join(shop.folder, "orders.csv");
    await writeFile(
      file,
      "reference,username,direction,quantity,placedOn,ticker\nO-7,ldeburna,BUY,77,2026-01-01,ORD7\nO-8,ldeburna,SELL,1,2026-01-01,ORD7\n",
    );
    expect((await run(ordersCommand, "import", file, "--dry-run")).text).toBe(
      "2 orders could be imported\n",
    );
    expect((await run(ordersCommand, "import", file)).text).toBe(
      "2 added, 0 changed, 0 unchanged\n",
    );
    expect((await run(ordersCommand, "import", file)).text).toBe(
      "0 added, 0 changed, 2 unchanged\n",
    );
    expect((await run(ordersCommand, "list", "--status", "open")).text).toMatch(
      /O-7\s+ldeburna\s+BUY 77 ORD7/,
    );
    await writeFile(file, "reference,username\nO-9,x\n");
    expect((await run(ordersCommand, "import", file)).error).toMatch(/^line 2: /);

    const { trade } = await arrive({ ticker: "ORD7", quantity: 78, gross: null, net: null });
    const review = await oldest();
    expect(review).toMatchObject({ subject: "order", tradeId: trade!.id });
    const shown = await run(reviewCommand, "show", String(review.id));
    expect(shown.text).toMatch(/O-7: 78 were traded, 77 ordered/);
    const { orders } = (await call("GET", "/api/orders?username=LdeBurna")).body as {
      orders: { id: number; reference: string }[];
    };
    await run(reviewCommand, "link", String(review.id), "--order", String(orders[0]!.id));
    const story = (await call("GET", `/api/trades/${trade!.id}`)).body;
    expect(story).toMatchObject({
      orderState: "linked",
      order: { reference: "O-7", status: "executed" },
    });
    expect((await run(ordersCommand, "cancel", "O-7")).error).toBe("the order was executed");
    expect((await run(ordersCommand, "cancel", "O-8")).text).toContain("cancelled");
    expect((await run(ordersCommand, "cancel", "O-99")).error).toBe("there is no such order");
    const put = {
      reference: "O-10",
      username: "new",
      direction: "sell",
      quantity: 2,
      placedOn: "2026-01-01",
    };
    expect((await call("POST", "/api/orders", put)).status).toBe(201);
    expect((await call("POST", "/api/orders", { ...put, quantity: 3 })).body).toMatchObject({
      change: "changed",
    });
    expect((await call("POST", "/api/orders", { ...put, quantity: -3 })).status).toBe(400);
  });
});

describe("the shared table", () => {
  it("shows its messages and the guard, which is installed and removed by a command", async () => {
    expect((await run(ingestCommand, "guard", "status")).text).toBe("guard: absent\n");
    expect((await run(ingestCommand, "guard", "install", "--dry-run")).text).toBe(
      "guard: absent, would install\n",
    );
    expect((await run(ingestCommand, "guard", "install")).text).toBe("guard: installed\n");
    expect((await run(ingestCommand, "status")).text).toMatch(
      /success.*\n.*bo_airflow\.email_ingestion_state.*\nguard: installed/,
    );
    expect((await run(ingestCommand, "guard", "remove")).text).toBe("guard: absent\n");
    await run(ingestCommand, "foreign-lease", "airflow-", "3600");
    expect((await call("GET", "/api/ingest")).body).toMatchObject({
      foreignLeases: [
        { workerPrefix: "", leaseSeconds: 7200 },
        { workerPrefix: "airflow-", leaseSeconds: 3600 },
      ],
    });
    expect((await run(ingestCommand, "mails", "--status", "success")).text).toContain(
      "Contract note",
    );
  });

  it("a skipped message is looked at again on request, and its trace is told [ING-07] [ING-16]", async () => {
    const id = await shop.send({});
    await shop.ingest(id);
    await run(ingestCommand, "again", shop.mailbox, id);
    await shop.jobs.workUntilIdle();
    const { body } = await call("GET", `/api/ingest/mails/${encodeURIComponent(id)}`);
    const { mail, steps } = body as { mail: { status: string }; steps: { name: string }[] };
    expect(mail.status).toBe("skipped");
    expect(steps.map((step) => step.name)).toEqual([
      "id",
      "check",
      "claim",
      "fetch",
      "mark",
      "id",
      "check",
      "claim",
      "fetch",
      "mark",
    ]);
    expect((await call("GET", "/api/ingest/mails/unknown")).status).toBe(404);
  });
});
