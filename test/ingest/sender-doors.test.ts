/** Whom we trust, as a person manages it: the verbs `senders`, `people` and `review approve-sender`, and their routes. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { peopleCommand } from "../../src/cli/trades/people.ts";
import { reviewCommand } from "../../src/cli/trades/review.ts";
import { sendersCommand } from "../../src/cli/trades/senders.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { aTrade } from "../trades/scene.ts";
import { app, call, closeDoors, openDoors, run, shop } from "./doors.ts";
import { plainPdf } from "./plain-note.ts";

beforeAll(openDoors);
afterAll(closeDoors);

const listed = async (verb: typeof sendersCommand) =>
  (await run(verb, "list", "--json")).text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe("postroom senders", () => {
  it("approves an address or a domain, lists it with who, when and until when, and revokes it", async () => {
    const approved = await run(sendersCommand, "approve", "Desk@Broker.example");
    expect(approved).toEqual({ error: null, text: "desk@broker.example: approved\n" });
    await run(sendersCommand, "approve", "@bank.example", "--until", "2999-06-30");
    expect(await listed(sendersCommand)).toMatchObject([
      { pattern: "@bank.example", approvedBy: "operator", until: "2999-06-30" },
      { pattern: "desk@broker.example", approvedBy: "operator", until: null },
    ]);
    expect((await run(sendersCommand, "list")).text).toMatch(
      /@bank\.example\s+operator\s.*2999-06-30/,
    );
    const revoked = await run(sendersCommand, "revoke", "DESK@broker.example");
    expect(revoked).toEqual({ error: null, text: "desk@broker.example: revoked\n" });
    expect(await listed(sendersCommand)).toHaveLength(1);
    const again = await run(sendersCommand, "revoke", "desk@broker.example");
    expect(again.error).toBe(
      "desk@broker.example is not approved; postroom senders list shows those that are",
    );
    await run(sendersCommand, "revoke", "@bank.example");
    expect((await run(sendersCommand, "list")).text).toContain("no sender is approved yet");
  });

  it("only checks with --dry-run, and prints JSON with --json", async () => {
    const dry = await run(sendersCommand, "approve", "@broker.example", "--dry-run");
    expect(dry.text).toBe("@broker.example: can be approved\n");
    expect(await listed(sendersCommand)).toEqual([]);
    const json = await run(sendersCommand, "approve", "@broker.example", "--json");
    expect(JSON.parse(json.text)).toMatchObject({ pattern: "@broker.example", until: null });
    const dryRevoke = await run(sendersCommand, "revoke", "@broker.example", "--dry-run");
    expect(dryRevoke.text).toBe("@broker.example: can be revoked\n");
    expect(await listed(sendersCommand)).toHaveLength(1);
    const nobody = await run(sendersCommand, "revoke", "@other.example", "--dry-run");
    expect(nobody.error).toBe(
      "@other.example is not approved; postroom senders list shows those that are",
    );
    const gone = await run(sendersCommand, "revoke", "@broker.example", "--json");
    expect(JSON.parse(gone.text)).toEqual({ pattern: "@broker.example", revoked: true });
  });

  it.each([
    [["@gmail.com"], /^anybody can get an address at gmail.com/],
    [["broker.example"], /neither an address nor @domain/],
    [["@broker.example", "--until", "2020-01-01"], /^2020-01-01 is past/],
    [["@broker.example", "--until", "tomorrow"], /until/],
  ])("refuses %s, also as a dry run, and approves nobody", async (args, why) => {
    for (const more of [[], ["--dry-run"]]) {
      const { error } = await run(sendersCommand, "approve", ...args, ...more);
      expect(error).toMatch(why);
    }
    expect(await listed(sendersCommand)).toEqual([]);
  });
});

describe("postroom people", () => {
  const fileOf = async (csv: string) => {
    const path = join(shop.folder, "people.csv");
    await writeFile(path, csv);
    return path;
  };
  const imported = async () =>
    (await listed(peopleCommand)).filter((person) => person.source === "import");

  it("imports a file in place of the one before, and lists people with where they are known from", async () => {
    const file = await fileOf(
      "email,name,accounts\nnina@firm.example,Nina Berg,77-1;78-2\nomar@firm.example,Omar,",
    );
    expect((await run(peopleCommand, "import", file, "--dry-run")).text).toBe(
      "2 people could be imported\n",
    );
    expect(await imported()).toEqual([]);
    expect((await run(peopleCommand, "import", file)).text).toBe("2 people imported\n");
    expect((await run(peopleCommand, "list")).text).toMatch(
      /nina@firm\.example\s+Nina Berg\s+77-1 78-2\s+import/,
    );
    const next = await fileOf("email,name\nvera@firm.example,Vera");
    expect(JSON.parse((await run(peopleCommand, "import", next, "--json")).text)).toEqual({
      people: 1,
    });
    expect(await imported()).toMatchObject([{ email: "vera@firm.example", name: "Vera" }]);
  });

  it("a file with a wrong row changes nobody, and names the row", async () => {
    const before = await imported();
    const file = await fileOf("email,name\nzoe@firm.example,Zoe\nnobody,Nobody");
    expect((await run(peopleCommand, "import", file)).error).toMatch(/line 3: email/);
    expect(await imported()).toEqual(before);
  });
});

describe("the routes of senders and people", () => {
  it("are for people with a role: strangers learn nothing and change nothing", async () => {
    const sender = { sender: "@evil.example" };
    for (const [method, url, body] of [
      ["GET", "/api/senders"],
      ["POST", "/api/senders", sender],
      ["POST", "/api/senders", { ...sender, dryRun: true }],
      ["DELETE", "/api/senders/%40evil.example"],
      ["DELETE", "/api/senders/%40evil.example?dryRun=true"],
      ["GET", "/api/people"],
      ["POST", "/api/people/import", { csv: "email,name\nmallory@evil.example,Mallory" }],
    ] as const) {
      const signedIn = await call(method, url, body, "mallory");
      expect([url, signedIn.status]).toEqual([url, 403]);
      const payload = body === undefined ? {} : { payload: body };
      expect((await app.inject({ method, url, ...payload })).statusCode).toBe(401);
    }
    expect(await listed(sendersCommand)).toEqual([]);
    expect(JSON.stringify(await listed(peopleCommand))).not.toContain("mallory");
  });

  it.each([
    ["viewer", 200, 403, 403],
    ["reviewer", 200, 200, 403],
    ["operator", 200, 200, 200],
  ])("a %s may read: %i, approve: %i, import: %i", async (role, read, approve, importing) => {
    const dryRun = true;
    expect([
      (await call("GET", "/api/senders", undefined, role)).status,
      (await call("GET", "/api/people", undefined, role)).status,
      (await call("POST", "/api/senders", { sender: "@broker.example", dryRun }, role)).status,
      (await call("POST", "/api/people/import", { csv: "email,name", dryRun }, role)).status,
    ]).toEqual([read, read, approve, importing]);
  });
});

describe("review approve-sender", () => {
  let notes = 0;
  beforeAll(async () => {
    const csv = "email,name\nlaura@home.example,Laura de Burna";
    expect((await call("POST", "/api/people/import", { csv })).status).toBe(200);
  });
  /** A note from this sender becomes a question; answers its id. */
  async function ask(
    from: string,
    facts: Parameters<typeof aTrade>[0] & { confidence?: number } = {},
  ) {
    notes += 1;
    const { confidence = 0.95, ...rest } = facts;
    const trade = {
      ...aTrade({ reference: `S-${notes}`, account: `S${notes}`, ...rest }),
      confidence,
    };
    const mail = await shop.send({ from, files: [await plainPdf({ trades: [trade] })] });
    await shop.ingest(mail);
    const open = await findReviews(shop.database, { status: "open" });
    return { mail, id: open.at(-1)!.id };
  }
  const stateOf = async (id: number) =>
    (await call("GET", `/api/reviews/${id}`)).body as { status: string; refusal: string | null };
  const approve = (id: number) =>
    run(reviewCommand, "approve-sender", String(id), "--until", "2999-12-31");
  const tradesOf = (messageId: string) => findTrades(shop.database, { messageId });

  it("books the note and approves the address; other notes of the sender stay questions", async () => {
    const first = await ask("new@broker.example");
    const second = await ask("new@broker.example");
    expect(await approve(first.id)).toMatchObject({ error: null });
    expect(await stateOf(first.id)).toMatchObject({ status: "applied" });
    expect(await tradesOf(first.mail)).toHaveLength(1);
    expect(await listed(sendersCommand)).toMatchObject([
      { pattern: "new@broker.example", approvedBy: "operator", until: "2999-12-31" },
    ]);
    expect(await stateOf(second.id)).toMatchObject({ status: "open" });
    expect(await tradesOf(second.mail)).toEqual([]);
  });

  it.each([
    ["it is read with little confidence", { confidence: 0.2 }, "confidence 0.20"],
    ["its holder is unknown", { holder: "Eve Stranger" }, "whose trade it is"],
    ["it cancels a trade", { isCancelled: true, refersTo: "S-1" }, "cancels"],
  ])("approves the sender but answers no other doubt: %s", async (_, facts, doubt) => {
    const from = `other-${notes}@broker.example`;
    const { mail, id } = await ask(from, facts);
    const { error } = await approve(id);
    expect(error).toMatch(new RegExp(`${from} is approved, but the note also asks: ${doubt}`));
    expect(await stateOf(id)).toMatchObject({ status: "open" });
    expect(await tradesOf(mail)).toEqual([]);
    expect((await listed(sendersCommand)).map(({ pattern }) => pattern)).toContain(from);
  });
});
