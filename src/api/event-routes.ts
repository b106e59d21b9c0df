import type { Clock } from "../lib/clock.ts";
import { findSenders, findTimeline } from "../mailbox/events/event-statistics.ts";
import {
  EVENTS_PAGE_MAX,
  type EventConditions,
  type EventFilter,
  findEvents,
} from "../mailbox/events/event-table.ts";
import type { Database } from "../store/database.ts";
import type { Caller } from "./access/auth.ts";
import { hasRole } from "./access/roles.ts";
import { toPage } from "./http/paging.ts";
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
      const { cursor, after, limit, order, ...conditions } = request.query;
      const found = await findEvents(needs.database, {
        ...toFilter(conditions, request.caller),
        ...{ after: cursor ?? after, order, limit: limit + 1 },
      });
      const { rows: events, next } = toPage("events", limit, found, ({ seq }) => seq);
      return { events, next };
    },
  );

  app.get(
    "/api/events/senders",
    { config: { access: "person" }, schema: schemas.listEventSenders },
    async (request) => {
      const { limit, ...conditions } = request.query;
      return findSenders(needs.database, { ...toFilter(conditions, request.caller), limit });
    },
  );

  app.get(
    "/api/events/timeline",
    { config: { access: "person" }, schema: schemas.listEventDays },
    async (request) => {
      const { cursor: after, limit, ...conditions } = request.query;
      const filter = { ...toFilter(conditions, request.caller), limit: limit + 1 };
      const found = await findTimeline(needs.database, filter, after);
      const { rows: days, next } = toPage("days", limit, found, ({ day, eventType }) => ({
        day,
        eventType,
      }));
      return { days, next };
    },
  );

  /** New events as they are written; `Last-Event-ID` continues where a broken connection ended. */
  app.get(
    "/api/events/tail",
    { config: { access: "person" }, schema: schemas.tailEvents },
    async (request, reply) => {
      const { after: given, ...conditions } = request.query;
      const filter = toFilter(conditions, request.caller);
      const header = request.headers["last-event-id"];
      let after = typeof header === "string" ? Number(header) : given;
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
function toFilter(
  { unread, ...rest }: schemas.EventConditionsQuery,
  caller: Caller,
): EventConditions {
  return {
    ...rest,
    ...(unread === undefined ? {} : { isUnread: unread }),
    ...(hasRole(caller, "viewer") ? {} : { ownerId: caller.id }),
  };
}
