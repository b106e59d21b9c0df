import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import { findSenders, findTimeline } from "../mailbox/events/event-statistics.ts";
import { EVENTS_PAGE_MAX, type EventFilter, findEvents } from "../mailbox/events/event-table.ts";
import type { Database } from "../store/database.ts";
import type { Caller } from "./access/auth.ts";
import { hasRole } from "./access/roles.ts";
import { parse } from "./http/parse.ts";
import { badRequest } from "./http/problem.ts";
import { type EventStream, openStream } from "./http/stream.ts";

export interface EventRoutesNeeds {
  readonly database: Database;
  readonly clock: Clock;
}

const date = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => new Date(text));

const Query = z.object({
  mailbox: z.string().optional(),
  type: z.string().optional(),
  senderDomain: z.string().optional(),
  seenBy: z.enum(["push", "delta", "poll", "audit"]).optional(),
  folder: z.string().optional(),
  messageId: z.string().optional(),
  text: z.string().max(200).optional(),
  since: date.optional(),
  until: date.optional(),
  unread: z.enum(["true", "false"]).optional(),
  after: z.coerce.number().int().nonnegative().optional(),
  order: z.enum(["newest", "oldest"]).optional(),
  limit: z.coerce.number().int().min(1).max(EVENTS_PAGE_MAX).optional(),
});

const TAIL_PAUSE_MS = 500;

export function registerEventRoutes(app: FastifyInstance, needs: EventRoutesNeeds): void {
  app.get("/api/events", { config: { access: "person" } }, async (request) => {
    const filter = toFilter(request, request.caller);
    const events = await findEvents(needs.database, filter);
    const last = events.at(-1);
    return {
      events,
      next: events.length === (filter.limit ?? 50) && last !== undefined ? last.seq : null,
    };
  });

  app.get("/api/events/senders", { config: { access: "person" } }, async (request) =>
    findSenders(needs.database, toFilter(request, request.caller)),
  );

  app.get("/api/events/timeline", { config: { access: "person" } }, async (request) =>
    findTimeline(needs.database, toFilter(request, request.caller)),
  );

  /** New events as they are written; `Last-Event-ID` continues where a broken connection ended. */
  app.get("/api/events/tail", { config: { access: "person" } }, async (request, reply) => {
    const filter = toFilter(request, request.caller);
    const header = request.headers["last-event-id"];
    let after = typeof header === "string" ? Number(header) : filter.after;
    if (after === undefined) after = (await findEvents(needs.database, { limit: 1 }))[0]?.seq ?? 0;
    if (!Number.isSafeInteger(after))
      throw badRequest("Last-Event-ID must be the number of an event");
    const stream = openStream(request, reply);
    try {
      await follow(needs, stream, { ...filter, after });
    } finally {
      // A reader that is let go comes back with its last id; one that is kept waiting would miss events.
      stream.close();
    }
  });
}

async function follow(
  needs: EventRoutesNeeds,
  stream: EventStream,
  filter: EventFilter & { readonly after: number },
): Promise<void> {
  let { after } = filter;
  while (!stream.isClosed) {
    const page = { ...filter, order: "oldest", after, limit: EVENTS_PAGE_MAX } as const;
    const events = await findEvents(needs.database, page);
    for (const event of events) stream.send("event", event, String(event.seq));
    after = events.at(-1)?.seq ?? after;
    if (events.length < EVENTS_PAGE_MAX) await needs.clock.sleep(TAIL_PAUSE_MS, stream.signal);
  }
}

/** People see their own mailboxes; an operator sees all. */
function toFilter(request: FastifyRequest, caller: Caller): EventFilter {
  const { unread, ...rest } = parse(Query, request.query);
  return {
    ...rest,
    ...(unread === undefined ? {} : { isUnread: unread === "true" }),
    ...(hasRole(caller, "viewer") ? {} : { ownerId: caller.id }),
  };
}
