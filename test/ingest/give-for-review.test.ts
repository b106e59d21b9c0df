/** A document that could not be opened is read with the password, or in another file, that a reviewer gives. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { reviewCommand } from "../../src/cli/trades/review.ts";
import { findDocumentsOfMail } from "../../src/ingestion/document-table.ts";
import { sha256Hex } from "../../src/lib/hash.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { extractContent } from "../../src/trades/content/content-of-extraction.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { rowOf } from "../claims/scene.ts";
import { app, call, closeDoors, openDoorsWith, run, shop } from "./doors.ts";

beforeAll(() => openDoorsWith({ extract: extractContent }));
afterAll(closeDoors);

/** A locked note arrives and becomes a question. */
async function arriveLocked(seed: string) {
  const request = { seed, kind: "buy", language: "en" } as const;
  const [locked, open] = [
    await makeNote({ ...request, variant: "encrypted" }),
    await makeNote(request),
  ];
  const id = await shop.send({ files: [{ name: "locked.pdf", bytes: locked.pdf }] });
  await shop.ingest(id);
  const [document] = await findDocumentsOfMail(shop.database, id);
  const [review] = await findReviews(shop.database, { documentId: document!.id });
  return { id, locked, open, document: document!, review: review!.id };
}

const password = (review: number | string, text: string, token = "reviewer") =>
  call("POST", `/api/reviews/${review}/password`, { password: text }, token);

const give = async (review: number, bytes: Buffer, filename = "open.pdf") => {
  const answer = await app.inject({
    method: "PUT",
    url: `/api/reviews/${review}/file?filename=${filename}`,
    headers: { authorization: "Bearer reviewer", "content-type": "application/octet-stream" },
    payload: bytes,
  });
  return { status: answer.statusCode, body: answer.json() };
};

async function outcomeOf(id: string, review: number) {
  await shop.jobs.workUntilIdle();
  const [answered] = await findReviews(shop.database, { status: "applied" }).then((all) =>
    all.filter((each) => each.id === review),
  );
  return {
    decision: answered?.decision,
    by: answered?.decidedBy,
    status: (await rowOf(shop.database, id))!["status"],
    trades: (await findTrades(shop.database, { messageId: id })).map((trade) => trade.facts.isin),
  };
}

describe("the password of a locked note", () => {
  it("opens it: its trade is booked, and the password is kept nowhere", async () => {
    const { id, locked, review } = await arriveLocked("unlock");
    expect(await password(review, "a wrong one")).toMatchObject({
      status: 422,
      body: { detail: "the password does not open the file" },
    });
    expect(await password(review, locked.password!)).toMatchObject({
      status: 202,
      body: { id: review, decision: { action: "unlock" } },
    });
    expect(await outcomeOf(id, review)).toEqual({
      decision: { action: "unlock" },
      by: "reviewer",
      status: "success",
      trades: [locked.truth.trades[0]!.isin],
    });
    expect(await password(review, locked.password!)).toMatchObject({ status: 409 });
    expect(await tablesWith(locked.password!)).toEqual([]);
  });

  it("is refused for a question that needs none, an unknown question and a caller without the role", async () => {
    expect(await password("999999", "x")).toMatchObject({ status: 404 });
    expect(await password("seven", "x")).toMatchObject({ status: 404 });
    const { review } = await arriveLocked("roles");
    expect(await password(review, "x", "viewer")).toMatchObject({ status: 403 });
    expect(await password(review, "")).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: "/body/password" }] },
    });
  });
});

/** Every table that holds the text anywhere. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await shop.database.query<{ name: string }>(
    `SELECT table_schema || '.' || table_name AS name FROM information_schema.tables
      WHERE table_schema IN ('postroom', 'pgboss', 'bo_airflow') AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of rows) {
    const { rowCount } = await shop.database.query(
      `SELECT FROM ${name} AS t WHERE t::text LIKE '%' || $1 || '%'`,
      [text],
    );
    if (rowCount > 0) found.push(name);
  }
  return found;
}

describe("another file in place of a locked note", () => {
  it("is read and archived, and the sender of the mail is judged as before", async () => {
    const { id, locked, open, review } = await arriveLocked("replace");
    expect(await give(review, Buffer.from("not a PDF at all"))).toMatchObject({ status: 422 });
    expect(await give(review, locked.pdf)).toMatchObject({
      status: 422,
      body: { detail: "this is the file that could not be read" },
    });
    const given = await give(review, open.pdf);
    expect(given).toMatchObject({
      status: 202,
      body: { decision: { action: "replace", filename: "open.pdf", sha256: sha256Hex(open.pdf) } },
    });
    expect(await outcomeOf(id, review)).toMatchObject({
      status: "success",
      trades: [open.truth.trades[0]!.isin],
    });
    const archived = await shop.needs.blobs.get(given.body.decision.archivePath);
    expect(archived && sha256Hex(archived)).toBe(sha256Hex(open.pdf));
  });
});

describe("postroom review give", () => {
  it("takes the password from a file and the other file by its path", async () => {
    const one = await arriveLocked("by-file");
    const secret = join(shop.folder, "password.txt");
    await writeFile(secret, `${one.locked.password}\n`);
    const unlocked = await run(
      reviewCommand,
      "give",
      String(one.review),
      "--password-file",
      secret,
    );
    expect(unlocked).toMatchObject({ error: null });
    expect((await outcomeOf(one.id, one.review)).trades).toHaveLength(1);

    const two = await arriveLocked("by-path");
    const pdf = join(shop.folder, "sent again.pdf");
    await writeFile(pdf, two.open.pdf);
    const replaced = await run(reviewCommand, "give", String(two.review), "--file", pdf, "--json");
    expect(JSON.parse(replaced.text)).toMatchObject({
      decision: { action: "replace", filename: "sent again.pdf" },
    });
    expect((await outcomeOf(two.id, two.review)).trades).toHaveLength(1);
  });

  it("says what to do if neither, both or a wrong one is given", async () => {
    const { review } = await arriveLocked("misused");
    const secret = join(shop.folder, "wrong.txt");
    await writeFile(secret, "not this one");
    const id = String(review);
    expect((await run(reviewCommand, "give", id)).error).toBe(
      "use either --password-file or --file",
    );
    expect(
      (await run(reviewCommand, "give", id, "--password-file", secret, "--file", secret)).error,
    ).toBe("use either --password-file or --file");
    expect((await run(reviewCommand, "give", id, "--password-file", secret)).error).toBe(
      "the password does not open the file",
    );
  });
});
