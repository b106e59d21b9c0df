/** Scenarios that show on the screens what Postroom does when something goes wrong. Each takes a few seconds at most. */
import type { NoteRequest } from "../../../tenant/content/notes/note.ts";
import type {
  TenantMail,
  TenantScenario,
  TenantSteering,
} from "../../api/console/tenant-routes.ts";

/** A broker's mail with a note of one's own choice, which the page cannot send. */
export type NoteToSend = Pick<TenantMail, "to" | "from" | "auth"> & {
  readonly note: NoteRequest;
  /** Instead of the name that the broker gives it. */
  readonly fileName?: string;
  /** The same words in another file. */
  readonly isReprint?: boolean;
};

export interface Stage extends TenantSteering {
  sendNote(mail: NoteToSend): Promise<{ readonly subject: string }>;
}

export interface Play extends TenantScenario {
  play(tenant: Stage): Promise<string[]>;
}

const NOTES_AT_ONCE = 10;

const FAULTS: readonly Play[] = [
  {
    name: "notes-at-once",
    title: "Ten notes at once",
    text: "Ten contract notes arrive together. Each is booked once, or becomes a question.",
    async play(tenant) {
      const to = await firstMailbox(tenant);
      const sent = await Promise.all(
        Array.from({ length: NOTES_AT_ONCE }, () => tenant.send({ to, isNote: true })),
      );
      return sent.map(({ subject }) => `sent “${subject}” to ${to}`);
    },
  },
  {
    name: "forged-sender",
    title: "A forged sender",
    text: "A note says that it comes from a trusted broker, and Exchange says that it does not. It must not be booked.",
    async play(tenant) {
      const to = await firstMailbox(tenant);
      const { subject } = await tenant.send({ to, isNote: true, auth: "fail" });
      return [`sent “${subject}” to ${to}, with a failed check of the sender`];
    },
  },
  {
    name: "lost-notification",
    title: "A lost notification",
    text: "Graph does not notify Postroom of a new note. Postroom finds it when it next reads the folder.",
    async play(tenant) {
      const to = await firstMailbox(tenant);
      await tenant.arm({ kind: "drop-notification", times: 1, where: { mailbox: to } });
      const { subject } = await tenant.send({ to, isNote: true });
      return ["armed: the next notification is lost", `sent “${subject}” to ${to}`];
    },
  },
  {
    name: "throttled",
    title: "Graph slows Postroom down",
    text: "Graph refuses five requests with 429, and a note arrives meanwhile. It is late, and it is not lost.",
    async play(tenant) {
      const to = await firstMailbox(tenant);
      await tenant.arm({
        kind: "throttle",
        times: 5,
        where: { part: "graph" },
        options: { retryAfterSeconds: 2 },
      });
      const { subject } = await tenant.send({ to, isNote: true });
      return ["armed: the next five requests to Graph get 429", `sent “${subject}” to ${to}`];
    },
  },
];

/** What a reviewer meets first: `postroom up` plays it once. */
const QUESTIONS: Play = {
  name: "questions",
  title: "Notes with a question",
  text: "A new sender, a locked file, a stranger's trade, a forged note, and a reference that is booked with other figures. A second copy of a booked note asks nothing.",
  async play(tenant) {
    const to = await firstMailbox(tenant);
    // Another one each time.
    const { now } = (await tenant.state()).clock;
    const note = (seed: string): NoteRequest => ({
      seed: `${now}/${seed}`,
      kind: "buy",
      language: "en",
      skin: "lindenquell",
      client: "Nina Berg",
      tradeDate: workdayBefore(now),
    });
    const reference = `CN-${String(Date.parse(now)).slice(-6)}`;
    const known = { reference, account: "4711-118204" };
    // Of two that belong together, the one that is read first is booked.
    const mails: readonly (readonly [what: string, mail: Omit<NoteToSend, "to">])[] = [
      ["is booked", { note: note("first") }],
      ["a second copy of it", { note: note("first"), isReprint: true }],
      ["a stranger's trade", { note: { ...note("stranger"), client: "Jonas Achterberg" } }],
      ["a new sender", { note: note("new"), from: "desk@brightwater.example", auth: "pass" }],
      ["forged", { note: note("forged"), auth: "fail" }],
      ["is booked", { note: { ...note("second"), ...known } }],
      ["its reference, with other figures", { note: { ...note("other"), ...known } }],
      // The name tells the password, so that everybody who tries Postroom can open the file.
      [
        "a locked file",
        {
          note: { ...note("locked"), variant: "encrypted" },
          fileName: "Locked, the password is sample-password.pdf",
        },
      ],
    ];
    const done: string[] = [];
    for (const [what, mail] of mails) {
      const { subject } = await tenant.sendNote({ to, ...mail });
      done.push(`sent “${subject}” to ${to}: ${what}`);
    }
    return done;
  },
};

function workdayBefore(now: string): string {
  const day = new Date(now);
  do day.setUTCDate(day.getUTCDate() - 1);
  while (day.getUTCDay() % 6 === 0);
  return day.toISOString().slice(0, 10);
}

export const PLAYS: readonly Play[] = [...FAULTS, QUESTIONS];

/** Contract notes are ingested from this one. */
async function firstMailbox(tenant: TenantSteering): Promise<string> {
  const { mailboxes } = await tenant.state();
  return mailboxes[0]!;
}
