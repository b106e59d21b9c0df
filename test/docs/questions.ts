/** The mail behind the pages about review: for each answer on a page there is a question that it fits. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import type { NoteRequest } from "../../tenant/content/notes/note.ts";
import { until } from "../helpers/app.ts";

export interface Questions {
  /** Puts the number of a question in place of the 7 of the pages. */
  fillIn(line: string): string;
  /** What the pages call the trade, its message and the order. */
  readonly names: Readonly<Record<string, string>>;
}

export interface Place {
  readonly folder: string;
  readonly home: string;
  readonly url: string;
  readonly steer: (path: string, body: object) => Promise<Response>;
}

/** As many as the pages answer. */
const LINES = 8;
const LOCKED = 2;
const WATCHED = "operations@ashdown.example";
const NINA = "nina.berg@ashdown.example";

interface Asked {
  readonly id: number;
  readonly subject: "line" | "document" | "order";
}

export async function askQuestions(place: Place): Promise<Questions> {
  const key = (await readFile(join(place.home, "operator-key"), "utf8")).trim();
  const headers = { authorization: `Bearer ${key}` };
  const get = async <T>(path: string): Promise<T> =>
    (await (await fetch(`${place.url}/api/${path}`, { headers })).json()) as T;
  const send = async (from: string, request: NoteRequest) => {
    const { pdf, fileName, password } = await makeNote({ kind: "buy", language: "en", ...request });
    const contentBytes = Buffer.from(pdf).toString("base64");
    const attachments = [{ name: fileName, contentBytes }];
    await place.steer("/mail", { to: WATCHED, from, subject: "Contract note", attachments });
    return password;
  };

  // An order that fits nothing, so that a booked trade asks for its own.
  const csv =
    "reference,username,direction,quantity,placedOn,ticker\nO-6,nina.berg,SELL,1,2026-01-01,ORD6\n";
  await fetch(`${place.url}/api/orders/import`, {
    ...{ method: "POST", headers: { ...headers, "content-type": "application/json" } },
    body: JSON.stringify({ csv }),
  });
  await send(NINA, { seed: "booked" });
  for (let n = 0; n < LINES; n += 1) {
    // Its sender is all that is asked about.
    await send(`desk@broker-${n}.example`, { seed: `docs-${n}`, client: "Nina Berg" });
  }
  for (let n = 0; n < LOCKED; n += 1) {
    const password = await send(NINA, { seed: `locked-${n}`, variant: "encrypted" });
    await writeFile(join(place.folder, "pass.txt"), `${password}\n`);
  }
  const asked = await until(
    "the questions",
    async () => {
      const { reviews } = await get<{ reviews: Asked[] }>("reviews?limit=100");
      return reviews.length === LINES + LOCKED + 1 && reviews;
    },
    180_000,
  );
  const idsOf = (subject: Asked["subject"]) =>
    asked.filter((each) => each.subject === subject).map(({ id }) => id);
  const [lines, locked, [ofOrder]] = [idsOf("line"), idsOf("document"), idsOf("order")];
  const { trades } = await get<{ trades: { tradeKey: string }[] }>("trades");
  const { mails } = await get<{ mails: { messageId: string; sender: string }[] }>("ingest/mails");
  const { orders } = await get<{ orders: { id: number }[] }>("orders");

  let rejected = 0;
  const questionFor = (verb: string, line: string): number => {
    if (verb === "undo") return rejected;
    if (verb === "give") return locked.shift()!;
    if (line.includes("--order")) return ofOrder!;
    const id = verb === "show" ? lines[0]! : lines.shift()!;
    if (verb === "reject") rejected = id;
    return id;
  };
  return {
    names: {
      "omar.haddad-20260130-USZ8T41K1008-BUY-2.45667": trades[0]!.tradeKey,
      "AAMkADc0bjbgmiVowAAAAAABAAAAAAAACZVg=": mails.find(({ sender }) => sender === NINA)!
        .messageId,
      "--order 3": `--order ${orders[0]!.id}`,
    },
    fillIn(line) {
      const [, verb] = /^postroom review ([\w-]+) 7\b/.exec(line) ?? [];
      if (verb === undefined) return line;
      const id = questionFor(verb, line);
      const answered = `until postroom review show ${id} --json | jq -e '.status == "applied"' >found; do :; done; `;
      return `${verb === "undo" ? answered : ""}${line.replace(" 7", ` ${id}`)}`;
    },
  };
}
