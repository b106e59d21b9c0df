/** Every screen of the console, with something on it: where it is, and what is there once it is complete. */
import type { Route } from "playwright-core";
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
  /** Clicked once the page is there: a selector. */
  readonly button?: string;
}

/** A screen in a state that it is seldom in. */
export interface State extends Screen {
  /** Who looks, if not the operator of the demo. */
  readonly person?: string;
  /** The title is longer than a window, so that it may end in dots. */
  readonly hasLongTitle?: boolean;
  /** What the network makes of the calls that match. */
  readonly network?: readonly [calls: RegExp, act: (route: Route) => unknown];
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

const LONG = "Ausführungsbestätigung_Wertpapierkauf_".repeat(5);

/** Waiting, failing, refused, empty, long and in bulk; what no screen above shows. */
export async function findStates(app: Console): Promise<Record<string, State>> {
  const note = { kind: "buy", language: "en" } as const;
  const [question, filed, cause, replay] = await Promise.all([
    askAbout(app, `${LONG}.pdf`, { ...note, seed: "long" }),
    fileAs(app, "Nina Berg", { name: `${LONG}.txt`, body: "a long name" }),
    addDeadLetters(app, { count: 1_234, message: `the folder ${LONG} cannot be created` }),
    replayOne(app),
  ]);
  await app.steer("/mail", { to: OPERATIONS, from: `${LONG}@x.example`, subject: LONG });
  const { seq } = await until("the long message", async () => {
    const { events } = await app.ask<{ events: { seq: number }[] }>(
      `/api/events?text=${encodeURIComponent(LONG)}`,
    );
    return events[0];
  });
  const answer = (status: number, body: object) => (route: Route) =>
    route.fulfill({ status, contentType: "application/json", body: JSON.stringify(body) });
  const problem = { detail: "the filter is not valid", correlationId: filed.documentId };
  const change = (changes: object) => async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), ...changes } });
  };
  const dialog = "[role=dialog] input";
  return {
    loading: { path: "/trades", ready: "text=Still loading", network: [/api\/trades/, () => {}] },
    failed: { path: "/jobs", ready: "[role=alert]", network: [/api\/jobs/, answer(400, problem)] },
    silent: {
      path: "/documents",
      ready: "text=No answer from the server.",
      network: [/\/(api\/(overview|mailboxes|documents)|healthz)/, answer(503, {})],
    },
    forbidden: { path: "/jobs", ready: "main [role=alert]", person: "Settlements" },
    noRole: { path: "/", ready: "main h2", person: "Settlements" },
    noEvents: { path: "/events?text=nobody-wrote-this", ready: "text=No events match." },
    noResults: { path: "/search?q=zzyzxqq", ready: "text=No document that you may read" },
    noDeadLetters: {
      path: "/dead-letters",
      ready: "text=No dead letters.",
      network: [/dlq\/causes/, answer(200, { causes: [], next: null })],
    },
    noQuestions: {
      path: "/review",
      ready: "text=No questions.",
      network: [/api\/reviews/, answer(200, { reviews: [], open: 0, next: null })],
    },
    noMailboxes: {
      path: "/",
      ready: "text=No mailbox is watched.",
      network: [/api\/mailboxes/, answer(200, { mailboxes: [], next: null })],
    },
    inBulk: {
      path: `/dead-letters?cause=${cause}`,
      ready: "text=1,234 jobs would",
      button: "aside button:has-text('Replay')",
    },
    replaying: {
      path: `/replays/${replay}`,
      ready: "text=The replay is running.",
      network: [/dlq\/replays/, change({ finishedAt: null, total: 1_234, replayed: 400 })],
    },
    longQuestion: {
      path: `/review/${question.id}`,
      ready: "canvas[data-drawn]",
      hasLongTitle: true,
    },
    longDocument: {
      path: `/documents/${filed.documentId}`,
      ready: "text=Only PDFs",
      hasLongTitle: true,
    },
    longEvent: { path: `/events?event=${seq}`, ready: "aside" },
    approve: { path: "/senders", ready: dialog, button: "text=Approve sender" },
    import: { path: "/orders", ready: dialog, button: "text=Import CSV" },
    account: { path: "/", ready: "[role=dialog]", button: "nav >> text=Nina Berg" },
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
