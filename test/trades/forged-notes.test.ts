/**
 * Notes of the factory's brokers, read as production reads them, then sent again with one thing wrong. Each forgery
 * has a twin without the fault, which must be booked: otherwise the forgery would prove nothing.
 */
import { beforeAll, expect, it } from "vitest";
import { evidenceOfMail } from "../../src/ingestion/sender-evidence.ts";
import { parsePdf } from "../../src/reading/parse-pdf.ts";
import { readingOf } from "../../src/reading/reading.ts";
import type { Database } from "../../src/store/database.ts";
import { extractContent } from "../../src/trades/content/content-of-extraction.ts";
import { judgeTrade } from "../../src/trades/routing/judge-trade.ts";
import { replacePeople } from "../../src/trades/senders/person-table.ts";
import { approveSender } from "../../src/trades/senders/sender-table.ts";
import type { TradeFacts } from "../../src/trades/trade.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { freshDatabase } from "../helpers/database.ts";
import { type Delivery, deliver, genuine } from "./scene.ts";

const FORGERIES = process.env["POSTROOM_LONG"] ? 1_000 : 100;
const HOLDER = "Nina Berg";
const NINA = "nina@home.example";
const KINDS = ["buy", "sell", "fx", "bond", "pence", "fraction"] as const;
const today = "2099-01-01";

interface Genuine {
  readonly facts: TradeFacts;
  readonly sender: string;
}
type Forgery = (note: Genuine) => Partial<Delivery> & { facts?: Partial<TradeFacts> };

const failing = (text: string) =>
  text.replace("compauth=pass reason=100", "compauth=fail reason=000");
const resultsOf = (sender: string, change?: (text: string) => string) => {
  const evidence = genuine(sender, change);
  return evidence.kind === "mail" ? evidence.authenticationResults! : "";
};
const header = (value: string) => ({ name: "Authentication-Results", value });

/** Each has exactly one fault. */
const ASKED: Readonly<Record<string, Forgery>> = {
  "a verdict that failed": ({ sender }) => ({ evidence: genuine(sender, failing) }),
  "a forged verdict below Exchange's": ({ sender }) => ({
    evidence: evidenceOfMail(
      [header(resultsOf(sender, failing)), header(resultsOf(sender))],
      sender,
    ),
  }),
  "a verdict about the forger's own domain": () => ({ evidence: genuine("mallory@evil.example") }),
  "a forged authserv-id": ({ sender }) => ({
    evidence: genuine(sender, (text) => `mx.firm.example; ${text}`),
  }),
  "a stranger's own mail": () => ({ sender: "mallory@evil.example" }),
  "a stranger with a lookalike domain": ({ sender }) => ({ sender: sender.replace("@", "@x") }),
  "a mail inside the broker's mail": () => ({ foundIn: "attached mail" }),
  "a spoofed colleague": () => ({ sender: NINA, evidence: genuine(NINA, failing) }),
  "a stranger's note that a colleague's rule forwards": () => ({
    sender: NINA,
    evidence: evidenceOfMail(
      [
        header(resultsOf(NINA)),
        { name: "X-MS-Exchange-Inbox-Rules-Loop", value: NINA },
        { name: "Auto-Submitted", value: "auto-generated" },
      ],
      NINA,
    ),
  }),
  "an unknown holder": () => ({ facts: { holder: "Zacharias Unbekannt" } }),
  "no holder": () => ({ facts: { holder: null } }),
  "an amendment by another approved broker": ({ facts }) => ({
    sender: "desk@other.example",
    facts: { isAmendment: true, refersTo: facts.reference },
  }),
  "an amendment in another account": ({ facts }) => ({
    facts: { isAmendment: true, refersTo: facts.reference, account: "OTHER-1" },
  }),
  "a cancellation": ({ facts }) => ({ facts: { isCancelled: true, refersTo: facts.reference } }),
};

let database: Database;
let notes: Genuine[];

beforeAll(async () => {
  database = await freshDatabase();
  const people = [{ email: NINA, name: HOLDER, username: "nina", accounts: [] }];
  await database.transaction((tx) => replacePeople(tx, "import", people));
  await approveSender(database, { pattern: "@other.example", by: "vera", until: null });
  const wanted = Math.ceil(FORGERIES / Object.keys(ASKED).length);
  notes = [];
  for (let n = 0; notes.length < wanted; n += 1) notes.push(...(await readNote(n)));
}, 900_000);

/**
 * Notes of one trade that nothing but its sender could hold up; the others are questions anyway. The extractor does not
 * read the client's name on these notes, so the holder is set here.
 */
async function readNote(n: number): Promise<Genuine[]> {
  const kind = KINDS[n % KINDS.length]!;
  const note = await makeNote({ seed: `forged-${n}`, kind, client: HOLDER });
  const read = await parsePdf(Uint8Array.from(note.pdf), { pagesMax: 10, charactersMax: 100_000 });
  if (!read.ok) throw new Error(read.detail);
  const { lines } = await extractContent(readingOf(read.pages));
  const [line] = lines;
  if (line === undefined || lines.length > 1 || line.doubts.length > 0) return [];
  const { account, reference } = line.facts;
  if (account === null || reference === null) return [];
  const certain = { userScore: 1, userReason: "", senderDoubts: [], today };
  if (judgeTrade({ ...line, ...certain }).kind === "review") return [];
  return [{ facts: { ...line.facts, holder: HOLDER }, sender: `documents@${note.skin}.example` }];
}

async function send(note: Genuine, change: ReturnType<Forgery>, reference: string) {
  const { facts, ...delivery } = change;
  const lines = [{ ...note.facts, reference, ...facts }];
  const [line] = await deliver(database, { sender: note.sender, today, ...delivery, lines });
  return line!;
}

it("genuine notes of approved senders are all booked, and not one forgery books, amends or cancels anything", {
  timeout: 900_000,
}, async () => {
  const statuses = async () =>
    new Map((await findTrades(database, { limit: 5_000 })).map(({ id, status }) => [id, status]));
  let forged = 0;
  for (const [n, note] of notes.entries()) {
    await approveSender(database, { pattern: note.sender, by: "vera", until: null });
    const first = await send(note, {}, note.facts.reference!);
    expect([first.outcome, first.questions[0]?.reasons]).toEqual(["confirmed", undefined]);
    const before = await statuses();
    for (const [name, forge] of Object.entries(ASKED)) {
      const line = await send(note, forge(note), `F${n}-${forged}`);
      forged += 1;
      expect([name, line.outcome]).toEqual([name, "review"]);
      expect(line.questions[0]!.reasons.length).toBeGreaterThan(0);
    }
    const replayed = await send(note, { sender: "mallory@evil.example" }, note.facts.reference!);
    expect(replayed).toMatchObject({ outcome: "same", tradeId: first.tradeId });
    expect(await statuses()).toEqual(before);
    expect(await send(note, {}, `G${n}`)).toMatchObject({ outcome: "confirmed" });
    const amends = { isAmendment: true, refersTo: note.facts.reference };
    expect(await send(note, { facts: amends }, `A${n}`)).toMatchObject({ outcome: "amends" });
  }
  expect(forged).toBeGreaterThanOrEqual(FORGERIES);
  console.log(`${notes.length} genuine notes booked, ${forged} forgeries asked about`);
});
