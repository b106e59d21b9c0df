/** Scenarios that show on the screens what Postroom does when something goes wrong. Each takes a few seconds at most. */
import type { TenantScenario, TenantSteering } from "../../api/console/tenant-routes.ts";

export interface Play extends TenantScenario {
  play(tenant: TenantSteering): Promise<string[]>;
}

const NOTES_AT_ONCE = 10;

export const PLAYS: readonly Play[] = [
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
        ...{ kind: "throttle", times: 5 },
        ...{ where: { part: "graph" }, options: { retryAfterSeconds: 2 } },
      });
      const { subject } = await tenant.send({ to, isNote: true });
      return ["armed: the next five requests to Graph get 429", `sent “${subject}” to ${to}`];
    },
  },
];

/** Contract notes are ingested from this one. */
async function firstMailbox(tenant: TenantSteering): Promise<string> {
  const { mailboxes } = await tenant.state();
  return mailboxes[0]!;
}
