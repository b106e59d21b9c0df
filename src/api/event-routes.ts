import type { Clock } from "../lib/clock.ts";
import { findSenders, findTimeline } from "../mailbox/events/event-statistics.ts";
import { EVENTS_PAGE_MAX, type EventFilter, findEvents } from "../mailbox/events/event-table.ts";
import type { Database } from "../store/database.ts";
import type { Caller } from "./access/auth.ts";
import { hasRole } from "./access/roles.ts";
import { badRequest } from "./http/problem.ts";
import { type EventStream, openStream } from "./http/stream.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/events.ts";

export interface EventRoutesNeeds {
  readonly database: Database;
  readonly clock: Clock;
}

const TAIL_PAUSE_MS = 500;

export function registerEventRoutes(app: ApiScope, needs: EventRoutesNeeds): void {
  app.get(
    "/api/events",
    { config: { access: "person" }, schema: schemas.listEvents },
    async (request) => {
      const filter = toFilter(request.query, request.caller);
      const events = await findEvents(needs.database, filter);
      const last = events.at(-1);
      return {
        events,
        next: events.length === (filter.limit ?? 50) && last !== undefined ? last.seq : null,
      };
    },
  );

  app.get(
    "/api/events/senders",
    { config: { access: "person" }, schema: schemas.listEventSenders },
    async (request) => findSenders(needs.database, toFilter(request.query, request.caller)),
  );

  app.get(
    "/api/events/timeline",
    { config: { access: "person" }, schema: schemas.listEventDays },
    async (request) => findTimeline(needs.database, toFilter(request.query, request.caller)),
  );

  /** New events as they are written; `Last-Event-ID` continues where a broken connection ended. */
  app.get(
    "/api/events/tail",
    { config: { access: "person" }, schema: schemas.tailEvents },
    async (request, reply) => {
      const filter = toFilter(request.query, request.caller);
      const header = request.headers["last-event-id"];
      let after = typeof header === "string" ? Number(header) : filter.after;
      if (after === undefined)
        after = (await findEvents(needs.database, { limit: 1 }))[0]?.seq ?? 0;
      if (!Number.isSafeInteger(after))
        throw badRequest("Last-Event-ID must be the number of an event");
      const stream = openStream(request, reply);
      try {
        await follow(needs, stream, { ...filter, after });
      } finally {
        // A disconnected reader continues from its last id; one that is kept waiting would miss events.
        stream.close();
      }
    },
  );
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

/** People see their own mailboxes; an operator sees all of them. */
function toFilter({ unread, ...rest }: schemas.EventQuery, caller: Caller): EventFilter {
  return {
    ...rest,
    ...(unread === undefined ? {} : { isUnread: unread }),
    ...(hasRole(caller, "viewer") ? {} : { ownerId: caller.id }),
  };
}
