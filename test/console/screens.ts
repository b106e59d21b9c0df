/** Every screen of the console, with something on it: where it is, and what is there once it is complete. */
import { makeNote } from "../../tenant/content/notes/make-note.ts";
import { until } from "../helpers/app.ts";
import { addDeadLetters } from "./dead-letters.ts";
import { fileAs } from "./file-document.ts";
import type { Console } from "./open-console.ts";
import { askAbout, askAboutFill, decide } from "./questions.ts";

export interface Screen {
  readonly path: string;
  /** A selector of Playwright. */
  readonly ready: string;
  /** Pressed once the page is there. */
  readonly key?: string;
}

const OPERATIONS = "operations@ashdown.example";
const titled = (title: string): string => `h1:text-is("${title}")`;

export async function findScreens(app: Console): Promise<Record<string, Screen>> {
  const [question, locked, fill, answered, cause, replay, event, trade, filed] = await Promise.all([
    askAbout(app, "a note.pdf", { seed: "page", kind: "buy" }),
    askAbout(app, "locked.pdf", { seed: "locked-page", kind: "buy", variant: "encrypted" }),
    askAboutFill(app, "fill", "4711-000001"),
    askAbout(app, "answered.pdf", { seed: "answered-page", kind: "sell" }).then(async (asked) => {
      await decide(app, asked.id, { action: "reject", reason: "not ours" });
      return asked;
    }),
    addDeadLetters(app, { count: 3, message: "no rights to create it" }),
    replayOne(app),
    until("a message", async () => {
      const { events } = await app.ask<{ events: { messageId: string; seq: number }[] }>(
        `/api/events?mailbox=${OPERATIONS}&type=arrived`,
      );
      return events[0];
    }),
    until("a trade", async () => {
      const { trades } = await app.ask<{ trades: { id: string }[] }>("/api/trades");
      return trades[0];
    }),
    makeNote({ seed: "filed", kind: "sell" }).then(({ pdf }) =>
      fileAs(app, "Nina Berg", { name: "filed.pdf", body: pdf }),
    ),
  ]);
  const list = (title: string, path: string): Screen => ({ path, ready: titled(title) });
  return {
    overview: { path: "/", ready: "main canvas" },
    palette: { path: "/", ready: "[role=dialog] [role=option]", key: "Control+k" },
    keys: { path: "/", ready: "[role=dialog] kbd", key: "?" },
    review: list("Review", "/review"),
    question: { path: `/review/${question.id}`, ready: "canvas[data-drawn]" },
    reject: { path: `/review/${question.id}`, ready: "[role=dialog] input", key: "r" },
    split: { path: `/review/${question.id}`, ready: "[role=dialog] table", key: "s" },
    fill: { path: `/review/${fill.id}`, ready: "[aria-label='The booked trade'] table" },
    locked: { path: `/review/${locked.id}`, ready: "input[type=password]" },
    answered: { path: `/review/${answered.id}`, ready: "text=rejected this." },
    events: list("Events", "/events"),
    event: { path: `/events?event=${event.seq}`, ready: "aside" },
    trace: list("Trace", `/trace/${encodeURIComponent(event.messageId)}`),
    trades: list("Trades", "/trades"),
    trade: { path: `/trades/${trade.id}`, ready: "main section h2" },
    orders: list("Orders", "/orders"),
    documents: list("Documents", "/documents"),
    document: { path: `/documents/${filed.documentId}`, ready: "canvas[data-drawn]" },
    search: { path: "/search?q=warranty", ready: titled("Search") },
    ask: { path: "/ask?question=notice+period", ready: titled("Ask") },
    mailboxes: list("Mailboxes", "/mailboxes"),
    mailbox: list(OPERATIONS, `/mailboxes/${OPERATIONS}`),
    myMailbox: list("My mailbox", "/my-mailbox"),
    jobs: list("Jobs", "/jobs"),
    deadLetters: list("Dead letters", "/dead-letters"),
    deadLetter: { path: `/dead-letters?cause=${cause}`, ready: "aside" },
    replay: list("Replay", `/replays/${replay}`),
    evidence: list("Evidence", "/evidence"),
    senders: list("Senders", "/senders"),
    settings: list("Settings", "/settings"),
    tenant: list("Tenant", "/tenant"),
    design: list("Design", "/design"),
    notFound: list("Not found", "/nothing-here"),
  };
}

async function replayOne(app: Console): Promise<string> {
  const cause = await addDeadLetters(app, { count: 1, message: "it was replayed" });
  const { replayId } = await app.ask<{ replayId: string }>("/api/dlq/replay", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ cause, why: "to see the page" }),
  });
  return replayId;
}
