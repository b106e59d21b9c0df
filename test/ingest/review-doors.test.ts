import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Output } from "../../src/cli/base/output.ts";
import { evidenceCommand } from "../../src/cli/trades/evidence.ts";
import { loadEvidence } from "../../src/cli/trades/load-evidence.ts";
import { readFacts } from "../../src/cli/trades/read-facts.ts";
import { reviewCommand } from "../../src/cli/trades/review.ts";
import { traceCommand } from "../../src/cli/trades/trace.ts";
import { tradesCommand } from "../../src/cli/trades/trades.ts";
import { findTrades, getTrade } from "../../src/trades/trade-table.ts";
import { rowOf } from "../claims/scene.ts";
import { answer, app, arrive, call, closeDoors, oldest, openDoors, run, shop } from "./doors.ts";

beforeAll(openDoors);
afterAll(closeDoors);

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

  it("are found by the user name or the address of their person, and by an ISIN in any case", async () => {
    const { trade } = await arrive({ ticker: "WHOSE", isin: "US88160R1014" });
    await shop.database.query(
      `INSERT INTO postroom.person (source, email, name, username, accounts)
       VALUES ('import', 'jörg@firm.example', 'Jörg', $1, '{}')`,
      [trade!.username],
    );
    const found = async (query: string) => {
      const { body } = await call("GET", `/api/trades?isin=us88160r1014&username=${query}`);
      return (body as { trades: { id: string }[] }).trades.map(({ id }) => id);
    };
    const byName = await found(trade!.username.toUpperCase());
    const byAddress = await found(encodeURIComponent("Jörg@firm.example"));
    // The other tests' notes belong to somebody with another address.
    await shop.database.query("DELETE FROM postroom.person WHERE source = 'import'");
    expect([byName, byAddress]).toEqual([[trade!.id], [trade!.id]]);
    expect(await found(encodeURIComponent("Jörg@firm.example"))).toEqual([]);
  });

  it("are shown with every decision, and the last one can be undone, after a dry run", async () => {
    const { trade } = await arrive({ ticker: "UNDO" });
    const shown = await run(tradesCommand, "show", trade!.tradeKey);
    expect(shown.text).toMatch(/confirm by postroom: confidence 0.95/);
    expect(shown.text).toMatch(/direction +BUY\n +quantity +100\n +trade date +2026-02-04\n/);
    expect(shown.text).toMatch(/gross +[\d.]+ [A-Z]{3}\n/);
    expect(JSON.parse((await run(tradesCommand, "show", trade!.id, "--json")).text)).toMatchObject({
      occurrence: 1,
    });
    const dry = await run(tradesCommand, "undo", trade!.id, "--why", "test", "--dry-run");
    expect(dry.text).toContain("would undo");
    const done = await run(tradesCommand, "undo", trade!.id, "--why", "test");
    expect(done.text).toContain("undone");
    const [again] = await findTrades(shop.database, { messageId: trade!.id });
    expect(again).toBeUndefined();
    expect((await run(tradesCommand, "undo", trade!.id, "--why", "test")).error).toMatch(
      /every decision about trade .* is already undone/,
    );
    expect((await run(tradesCommand, "show", "nothing")).error).toContain(
      "there is no trade nothing; ",
    );
    await answer((await oldest()).id, { action: "reject", reason: "done with it" });
  });

  it("are listed to the end, page by page, and by security and time", async () => {
    const first = await arrive({ isin: "US5949181045", ticker: "MSFT" });
    const all = await run(tradesCommand, "list", "--all", "--json");
    const pages = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body } = await call("GET", `/api/trades?limit=1${cursor}`);
      const { trades, next } = body as { trades: { id: string }[]; next: string | null };
      pages.push(trades[0]!.id);
      cursor = next === null ? null : `&cursor=${next}`;
    }
    const listed = all.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).id);
    expect(pages).toEqual(listed);
    const csv = await run(tradesCommand, "list", "--all", "--csv");
    expect(csv.text.trim().split("\r\n")).toHaveLength(listed.length + 1);
    const ofOne = await run(tradesCommand, "list", "--isin", "US5949181045", "--json");
    expect(JSON.parse(ofOne.text).id).toBe(first.trade!.id);
    const none = await run(tradesCommand, "list", "--until", "2020-01-01");
    expect(none.text).toContain("no trade matches");
    const limited = await run(tradesCommand, "list", "--limit", "1");
    expect(limited.text).toContain("only the newest one is shown; --all shows all of them");
  });

  it("an amended trade names its successor, and the successor what it amends", async () => {
    const old = await arrive({ ticker: "AMND", reference: "AM-1", account: "AMEND" });
    const { id } = await arrive({
      ...{ ticker: "AMND", reference: "AM-2", account: "AMEND", refersTo: "AM-1" },
      ...{ isAmendment: true, price: 181, gross: 18_100, net: 18_109.95 },
    });
    const [successor] = await findTrades(shop.database, { messageId: id });
    expect((await run(tradesCommand, "show", old.trade!.id)).text).toContain(
      `amended by ${successor!.id}`,
    );
    expect((await run(tradesCommand, "show", successor!.id)).text).toContain(
      `amends     ${old.trade!.id}`,
    );
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
  it("show reason, age and assignee, and can be assigned to a person", async () => {
    await arrive({ confidence: 0.2 });
    const { id } = await oldest();
    expect((await run(reviewCommand, "assign", String(id), "vera")).text).toContain("vera");
    const listed = await run(reviewCommand, "list");
    expect(listed.text).toMatch(
      /BUY 100 US0378331005 on 2026-02-04 ref. D-\d+ +note\S*\.pdf +\S+@\S+ +0 min +vera +confidence 0.20 is below 0.5/,
    );
    const shownTo = await run(reviewCommand, "show", String(id));
    expect(shownTo.text).toMatch(/archived +archive\/\S+/);
    expect(shownTo.text).toMatch(/postroom evidence export --message \S+ --to FOLDER/);
    expect((await call("GET", "/api/reviews/next")).status).toBe(404);
    expect((await run(reviewCommand, "assign", String(id), "--json")).text).toBe(
      `{"id":${id},"assignee":null}\n`,
    );
    expect((await run(reviewCommand, "next")).text).toContain(`question ${id}`);
    expect(JSON.parse((await run(reviewCommand, "show", String(id), "--json")).text)).toMatchObject(
      { line: { confidence: 0.2 } },
    );
    expect((await run(reviewCommand, "accept", String(id), "--dry-run")).text).toContain(
      "the answer would be applied; nothing was changed",
    );
    const accepted = await run(reviewCommand, "accept", String(id));
    expect(accepted.error).toBeNull();
    expect(accepted.text).toMatch(
      /^question \d+: accept, applied: confirmed, trade [0-9a-f-]{36}\n$/,
    );
    const twice = await run(reviewCommand, "accept", String(id));
    expect(twice.error).toBe(
      `question ${id} is already decided, by operator; postroom review undo ${id} takes the answer back`,
    );
    expect((await run(reviewCommand, "show", String(id))).text).toMatch(
      /^ {2}answered {2}accept by operator at 20\d\d-\S+Z$/m,
    );
  });

  it("accept, correct and reject settle a trade line; an impossible answer opens the question again with the reason", async () => {
    const first = await arrive({ direction: null });
    const { id } = await oldest();
    const rehearsed = await run(reviewCommand, "accept", String(id), "--dry-run");
    expect(rehearsed.error).toBe("missing: direction");
    expect((await oldest()).refusal).toBeNull();
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

  it("split makes several trades of one trade line, or none at all", async () => {
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
    const { text } = await run(reviewCommand, "split", String(id), file);
    const trades = await findTrades(shop.database, { messageId: mail });
    expect(trades.map((trade) => trade.facts.quantity)).toEqual([50, 50]);
    for (const trade of trades) expect(text).toContain(`confirmed, trade ${trade.id}`);
  });

  it("link connects a trade line with a known trade", async () => {
    const known = await arrive({});
    const { id: mail } = await arrive({ confidence: 0.1 });
    const { id } = await oldest();
    expect((await run(reviewCommand, "link", String(id))).error).toBe("use --trade or --order");
    await run(reviewCommand, "link", String(id), "--trade", known.trade!.id);
    expect((await findTrades(shop.database, { messageId: mail })).map((trade) => trade.id)).toEqual(
      [known.trade!.id],
    );
  });

  it("a document that could not be read is typed in and archived, and its mail succeeds", async () => {
    const id = await shop.send({
      files: [{ name: "scan.pdf", bytes: Buffer.from("%PDF-1.4 scan\n%%EOF") }],
    });
    await shop.ingest(id);
    const review = await oldest();
    expect(review.subject).toBe("document");
    for (const more of [["--dry-run"], []])
      expect((await run(reviewCommand, "accept", String(review.id), ...more)).error).toContain(
        "nothing was read from this document, so there is nothing to accept",
      );
    expect(await oldest()).toMatchObject({ id: review.id, status: "open" });
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

  it("not-a-note closes a document with all its questions", async () => {
    await arrive({ confidence: 0.1 });
    const { id } = await oldest();
    await run(reviewCommand, "not-a-note", String(id), "--why", "spam");
    expect((await call("GET", `/api/reviews/${id}`)).body).toMatchObject({ status: "applied" });
    expect((await run(reviewCommand, "list")).text).toBe("no questions found\n");
    expect((await call("GET", "/api/reviews/999999")).status).toBe(404);
    expect((await call("GET", "/api/reviews/x")).status).toBe(404);
  });

  it("facts on the command line are read as numbers, text or null", () => {
    expect(readFacts(["quantity=1.5", "ticker=A=B", "isCancelled=true", "net="])).toEqual({
      quantity: 1.5,
      ticker: "A=B",
      isCancelled: true,
      net: null,
    });
    expect(readFacts(["isin=US0378331005", "isAmendment=false"])).toEqual({
      isin: "US0378331005",
      isAmendment: false,
    });
  });

  it.each([
    ["quantity", "quantity must have the form name=value"],
    ["price=abc", 'the trade cannot have price "abc": it must be a number'],
    ["price= ", 'the trade cannot have price " ": it must be a number'],
    ["isCancelled=yes", 'the trade cannot have isCancelled "yes": it must be true or false'],
    ["colour=red", "the trade has no fact colour; there are direction, tradeDate"],
    ["tradeDate=31.1.2026", "it must be a date such as 2026-01-31"],
    ["currency=eur", "it must be three capital letters"],
  ])("a wrong fact is refused before anything is sent: %s", async (fact, words) => {
    const { error } = await run(reviewCommand, "correct", "7", fact);
    expect(error).toContain(words);
  });

  it("a cancellation that is linked to a trade cancels it, once", async () => {
    const known = await arrive({});
    await arrive({ isCancelled: true, refersTo: "UNKNOWN-1", confidence: 0.9 });
    const { id, reason } = await oldest();
    expect(reason).toBe("the trade with reference UNKNOWN-1, which it cancels, is not known");
    const linked = await run(reviewCommand, "link", String(id), "--trade", known.trade!.tradeKey);
    expect(linked.error).toContain("trades are called");
    const byId = await run(reviewCommand, "link", String(id), "--trade", known.trade!.id);
    expect(byId.text).toContain(`applied: cancels, trade ${known.trade!.id}`);
    expect(await getTrade(shop.database, known.trade!.id)).toMatchObject({ status: "cancelled" });
    await arrive({ isCancelled: true, refersTo: "UNKNOWN-2", confidence: 0.9 });
    const second = String((await oldest()).id);
    const again = await run(reviewCommand, "link", second, "--trade", known.trade!.id);
    expect(again.error).toContain("is already cancelled");
    await run(reviewCommand, "reject", second, "--why", "done with it");
  });

  it("an undone correction asks again with what was read and with the first reasons", async () => {
    const { id: mail } = await arrive({ confidence: 0.3, price: 180.5, ticker: "ASKS" });
    const first = await oldest();
    await run(reviewCommand, "correct", String(first.id), "price=99", "gross=", "net=");
    const [trade] = await findTrades(shop.database, { messageId: mail });
    expect(trade!.facts.price).toBe(99);
    await run(tradesCommand, "undo", trade!.id, "--why", "wrong price");
    const second = await oldest();
    expect(second.reasons).toEqual(["undone by operator: wrong price", ...first.reasons]);
    const shown = JSON.parse((await run(reviewCommand, "show", String(second.id), "--json")).text);
    expect(shown.line.facts).toMatchObject({ price: 180.5, net: 18_059.95 });
    await run(reviewCommand, "reject", String(second.id), "--why", "done with it");
  });

  it.each([
    ["accept", { action: "accept" }],
    ["correct", { action: "correct", facts: { quantity: 90, gross: null, net: null } }],
    ["reject", { action: "reject", reason: "a quote" }],
    ["not-a-note", { action: "not-a-note", reason: "spam" }],
  ])(
    "an answer of %s can be taken back, and the question is asked again as it was",
    async (_, decision) => {
      const { id: mail } = await arrive({ confidence: 0.3 });
      const first = await oldest();
      await answer(first.id, decision);
      const { text } = await run(reviewCommand, "undo", String(first.id), "--why", "the wrong key");
      const again = await oldest();
      expect(text).toBe(
        `question ${first.id}: its answer is undone, and it is asked again as question ${again.id}\n`,
      );
      expect(again).toMatchObject({ subject: "line", lineId: first.lineId });
      expect(again.reasons).toEqual(["undone by operator: the wrong key", ...first.reasons]);
      const booked = await findTrades(shop.database, { messageId: mail });
      expect(booked.filter(({ status }) => status === "confirmed")).toEqual([]);
      const twice = await call("POST", `/api/reviews/${first.id}/undo`, { reason: "again" });
      expect(twice).toMatchObject({
        status: 409,
        body: { detail: "nothing of this answer is left to undo" },
      });
      expect((await answer(again.id, { action: "accept" })).review.status).toBe("applied");
      expect(
        await findTrades(shop.database, { messageId: mail, status: "confirmed" }),
      ).toHaveLength(1);
    },
  );

  it("a note that was linked to a trade by mistake is a question again, and the trade stays", async () => {
    const known = await arrive({});
    await arrive({ confidence: 0.1 });
    const { id, lineId } = await oldest();
    await answer(id, { action: "link", tradeId: known.trade!.id });
    const undone = await call("POST", `/api/reviews/${id}/undo`, { reason: "two fills" });
    expect(undone).toMatchObject({ status: 200, body: { id, asked: 1 } });
    expect(await oldest()).toMatchObject({ lineId });
    expect(await getTrade(shop.database, known.trade!.id)).toMatchObject({ status: "confirmed" });
    await answer((await oldest()).id, { action: "reject", reason: "done with it" });
  });

  it("a question about a second fill names the trade that is booked, with its documents", async () => {
    const same = { reference: null, account: "FILLS", isin: null, ticker: "FILL" };
    const known = await arrive({ ...same, name: "First wording" });
    await arrive({ ...same, name: "Second wording" });
    const { id, reason } = await oldest();
    expect(reason).toMatch(/the same trade, or a second fill\?$/);
    const { body } = await call("GET", `/api/reviews/${id}`);
    expect(body).toMatchObject({
      candidates: [{ id: known.trade!.id, account: "FILLS", documents: [{ isPrimary: true }] }],
    });
    expect((await run(reviewCommand, "show", String(id))).text).toContain(
      `booked  ${known.trade!.tradeKey} ${known.trade!.id}`,
    );
    await answer(id, { action: "link", tradeId: known.trade!.id });
    expect((await call("GET", `/api/reviews/${id}`)).body).toMatchObject({ candidates: [] });
  });

  it("an answer that was not carried out, or that made several trades, cannot be taken back as one", async () => {
    await arrive({ confidence: 0.1 });
    const { id } = await oldest();
    const undo = () => call("POST", `/api/reviews/${id}/undo`, { reason: "test" });
    expect(await undo()).toMatchObject({
      status: 409,
      body: { detail: `question ${id} has no answer that was carried out` },
    });
    const half = { quantity: 50, gross: null, net: null };
    await answer(id, { action: "split", lines: [half, half] });
    expect(await undo()).toMatchObject({
      status: 409,
      body: { detail: "the answer made several trades; undo each of them on its own" },
    });
    expect((await call("POST", `/api/reviews/${id}/undo`, { reason: "x" }, "viewer")).status).toBe(
      403,
    );
  });

  it("a key that several trades have is refused with the candidates, and nothing is undone", async () => {
    const one = await arrive({ ticker: "TWIN", isin: null, tradeTime: "09:30" });
    const two = await arrive({ ticker: "TWIN", isin: null, tradeTime: "10:30" });
    expect(one.trade!.tradeKey).toBe(two.trade!.tradeKey);
    const evidence = (output: Output) => evidenceCommand({ ...shop.needs, loadEvidence, output });
    const to = join(shop.folder, "case");
    for (const [command, ...verb] of [
      [tradesCommand, "show"],
      [tradesCommand, "undo", "--why", "test"],
      [traceCommand],
      [evidence, "export", "--to", to, "--trade"],
    ] as const) {
      const { error } = await run(command, ...verb, one.trade!.tradeKey);
      expect(error).toContain(`2 trades are called ${one.trade!.tradeKey}; use the ID of one: `);
      expect(error).toContain(one.trade!.id);
      expect(error).toContain(two.trade!.id);
    }
    for (const { trade } of [one, two])
      expect(await getTrade(shop.database, trade!.id)).toMatchObject({ status: "confirmed" });
    // What identifies one of them is accepted everywhere.
    for (const name of [one.trade!.id, one.trade!.facts.reference!]) {
      expect((await run(traceCommand, name)).error).toBeNull();
      expect((await run(evidence, "export", "--to", to, "--dry-run", "--trade", name)).error).toBe(
        null,
      );
    }
  });
});
