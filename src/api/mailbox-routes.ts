import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import type { Connections } from "../mailbox/connections.ts";
import { ensureSubscriptions, type SubscriptionNeeds } from "../mailbox/ensure-subscriptions.ts";
import { findCoverage } from "../mailbox/event-statistics.ts";
import { findFolders } from "../mailbox/folder-table.ts";
import { userPath } from "../mailbox/graph-mail.ts";
import {
  findMailboxes,
  getMailboxByAddress,
  type Mailbox,
  removeMailbox,
  setMailboxStatus,
  upsertMailbox,
} from "../mailbox/mailbox-table.ts";
import { findSubscriptions } from "../mailbox/subscription-table.ts";
import type { Database } from "../store/database.ts";
import { type Authorize, badRequest, type Caller, forbidden, notFound } from "./auth.ts";

export interface MailboxRoutesNeeds {
  readonly database: Database;
  readonly authorize: Authorize;
  readonly connections: Connections;
  readonly clock: Clock;
  readonly subscriptions: SubscriptionNeeds;
  readonly readNow: (mailbox: Mailbox, reason: string) => Promise<void>;
}

const NewMailbox = z.object({
  address: z.email(),
  connection: z.string().default("default"),
  observes: z.boolean().default(true),
  ingestFolder: z.string().min(1).nullable().default(null),
  ownerId: z.string().min(1).optional(),
});

const DAY_MS = 24 * 60 * 60 * 1_000;

export function registerMailboxRoutes(app: FastifyInstance, needs: MailboxRoutesNeeds): void {
  const load = async (address: string, caller: Caller): Promise<Mailbox> => {
    const mailbox = await getMailboxByAddress(needs.database, address);
    if (mailbox === null || !maySee(caller, mailbox)) throw notFound(`${address} is not watched`);
    return mailbox;
  };
  const operator = async (request: Parameters<Authorize>[0]): Promise<Caller> => {
    const caller = await needs.authorize(request);
    if (!caller.isOperator) throw forbidden("only an operator may change mailboxes");
    return caller;
  };

  app.get("/api/mailboxes", async (request) => {
    const caller = await needs.authorize(request);
    const since = new Date(needs.clock.now() - DAY_MS);
    const [mailboxes, subscriptions, coverage] = await Promise.all([
      findMailboxes(needs.database),
      findSubscriptions(needs.database),
      findCoverage(needs.database, since),
    ]);
    return mailboxes
      .filter((mailbox) => maySee(caller, mailbox))
      .map((mailbox) => ({
        ...toView(mailbox),
        subscription:
          subscriptions.find((row) => row.mailbox === mailbox.id && row.status === "active") ??
          null,
        coverage: coverage.find((row) => row.mailbox === mailbox.address) ?? null,
      }));
  });

  app.post("/api/mailboxes", async (request, reply) => {
    await operator(request);
    const parsed = NewMailbox.safeParse(request.body);
    if (!parsed.success) throw badRequest(z.prettifyError(parsed.error));
    const graphUserId = await findUser(needs, parsed.data.connection, parsed.data.address);
    const mailbox = await upsertMailbox(needs.database, {
      ...parsed.data,
      graphUserId,
      ownerId: parsed.data.ownerId ?? graphUserId,
    });
    const [report] = (await ensureSubscriptions(needs.subscriptions, mailbox.id)) ?? [];
    await needs.readNow(mailbox, "a mailbox was added");
    return reply.code(201).send({
      ...toView(mailbox),
      subscription: report?.result ?? "in progress",
      error: report?.error,
    });
  });

  app.get<{ Params: { address: string } }>("/api/mailboxes/:address", async (request) => {
    const mailbox = await load(request.params.address, await needs.authorize(request));
    return {
      ...toView(mailbox),
      folders: (await findFolders(needs.database, mailbox.id)).map(({ deltaLink, ...folder }) => ({
        ...folder,
        hasCursor: deltaLink !== null,
      })),
    };
  });

  app.post<{ Params: { address: string } }>("/api/mailboxes/:address/verify", async (request) => {
    const mailbox = await load(request.params.address, await operator(request));
    const graphUserId = await findUser(needs, mailbox.connection, mailbox.address);
    await needs.connections.graph(mailbox.connection).call({
      mailbox: mailbox.address,
      path: `${userPath(mailbox)}/mailFolders/inbox?$select=id`,
    });
    return { address: mailbox.address, graphUserId, isReadable: true };
  });

  for (const [verb, status] of [
    ["pause", "paused"],
    ["resume", "active"],
  ] as const) {
    app.post<{ Params: { address: string } }>(
      `/api/mailboxes/:address/${verb}`,
      async (request) => {
        const mailbox = await load(request.params.address, await operator(request));
        await setMailboxStatus(
          needs.database,
          mailbox.id,
          status,
          status === "paused" ? "by an operator" : null,
        );
        if (status === "active") await needs.readNow(mailbox, "resumed");
        return { address: mailbox.address, status };
      },
    );
  }

  app.post<{ Params: { address: string } }>("/api/mailboxes/:address/resync", async (request) => {
    const mailbox = await load(request.params.address, await operator(request));
    await needs.database.query("UPDATE postroom.folder SET delta_link = NULL WHERE mailbox = $1", [
      mailbox.id,
    ]);
    await needs.database.query(
      "UPDATE postroom.mailbox SET folders_delta_link = NULL WHERE id = $1",
      [mailbox.id],
    );
    await needs.readNow(mailbox, "an operator asked for a full resync");
    return { address: mailbox.address, resync: "queued" };
  });

  app.delete<{ Params: { address: string } }>("/api/mailboxes/:address", async (request) => {
    const mailbox = await load(request.params.address, await operator(request));
    await removeMailbox(needs.database, mailbox.id);
    return { address: mailbox.address, removed: true };
  });

  app.get("/api/subscriptions", async (request) => {
    await operator(request);
    return findSubscriptions(needs.database);
  });

  app.post("/api/subscriptions/ensure", async (request) => {
    await operator(request);
    return (await ensureSubscriptions(needs.subscriptions)) ?? [];
  });
}

function maySee(caller: Caller, mailbox: Mailbox): boolean {
  return caller.isOperator || caller.id === mailbox.ownerId;
}

function toView({ foldersDeltaLink: _, ...mailbox }: Mailbox) {
  return mailbox;
}

async function findUser(
  needs: MailboxRoutesNeeds,
  connection: string,
  address: string,
): Promise<string> {
  const user = await needs.connections
    .graph(connection)
    .call<{ id: string }>({ path: `/users/${encodeURIComponent(address)}?$select=id` });
  return user.id;
}
