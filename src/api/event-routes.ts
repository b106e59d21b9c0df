import type { Clock } from "../lib/clock.ts";
import { getLastPosition } from "../mailbox/events/event-feed-table.ts";
import { findSenders, findTimeline } from "../mailbox/events/event-statistics.ts";
import {
  EVENTS_PAGE_MAX,
  type EventConditions,
  type EventFilter,
  findEvents,
} from "../mailbox/events/event-table.ts";
import type { Caller } from "./access/auth.ts";
import { type Mask, type MaskNeeds, maskEvent, maskFor } from "./access/masking.ts";
import { hasRole } from "./access/roles.ts";
import { toPage } from "./http/paging.ts";
import { badRequest, notFound } from "./http/problem.ts";
import { type EventStream, openStream } from "./http/stream.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/events.ts";

export interface EventRoutesNeeds extends MaskNeeds {
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
        ...toFilter(conditions, request.caller, needs),
        after: cursor ?? after,
        order,
        limit: limit + 1,
      });
      const { rows, next } = toPage("events", limit, found, ({ seq }) => seq);
      const mask = await maskFor(needs, request.caller);
      return { events: rows.map((event) => maskEvent(event, mask)), next };
    },
  );

  app.get(
    "/api/events/senders",
    { config: { access: "person" }, schema: schemas.listEventSenders },
    async (request) => {
      const { limit, ...conditions } = request.query;
      const { caller } = request;
      const ownMailboxes = needs.masksMail ? { ownerId: caller.id } : {};
      return findSenders(needs.database, {
        ...toFilter(conditions, caller, needs),
        ...ownMailboxes,
        limit,
      });
    },
  );

  app.get(
    "/api/events/timeline",
    { config: { access: "person" }, schema: schemas.listEventDays },
    async (request) => {
      const { cursor: after, limit, ...conditions } = request.query;
      const filter = { ...toFilter(conditions, request.caller, needs), limit: limit + 1 };
      const found = await findTimeline(needs.database, filter, after);
      const { rows: days, next } = toPage("days", limit, found, ({ day, eventType }) => ({
        day,
        eventType,
      }));
      return { days, next };
    },
  );

  // A write, so that the log of actions keeps who looked and when.
  app.post(
    "/api/events/:seq/reveal",
    { config: { access: "viewer" }, schema: schemas.revealEvent },
    async (request) => {
      const { seq } = request.params;
      const [event] = await findEvents(needs.database, { after: seq + 1, limit: 1 });
      if (event === undefined || event.seq !== seq) throw notFound("there is no such event");
      const { subject, sender, internetMessageId } = event;
      return { subject, sender, internetMessageId };
    },
  );

  registerTailRoute(app, needs);
}

/** New events as they are written; `Last-Event-ID` continues where a broken connection ended. */
function registerTailRoute(app: ApiScope, needs: EventRoutesNeeds): void {
  app.get(
    "/api/events/tail",
    { config: { access: "person" }, schema: schemas.tailEvents },
    async (request, reply) => {
      const { after: given, ...conditions } = request.query;
      const filter = toFilter(conditions, request.caller, needs);
      const mask = await maskFor(needs, request.caller);
      const header = request.headers["last-event-id"];
      let after = typeof header === "string" ? Number(header) : given;
      after ??= await getLastPosition(needs.database);
      if (!Number.isSafeInteger(after))
        throw badRequest("Last-Event-ID must be the number of an event");
      const stream = openStream(request, reply);
      try {
        await follow(needs, stream, { ...filter, after }, mask);
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
  mask: Mask,
): Promise<void> {
  let { after } = filter;
  while (!stream.isClosed) {
    const last = await getLastPosition(needs.database);
    const page = { ...filter, order: "oldest", after, limit: EVENTS_PAGE_MAX } as const;
    const events = await findEvents(needs.database, page);
    for (const event of events) stream.send("event", maskEvent(event, mask), String(event.seq));
    after = events.at(-1)?.seq ?? after;
    if (events.length === EVENTS_PAGE_MAX) continue;
    // A filter that rarely matches does not search the same part of the log again.
    after = Math.max(after, last);
    await needs.clock.sleep(TAIL_PAUSE_MS, stream.signal);
  }
}

/** People see their own mailboxes, a viewer all of them. Masked mail cannot be guessed by filtering for its words. */
function toFilter(
  { unread, ...rest }: schemas.EventConditionsQuery,
  caller: Caller,
  { masksMail }: MaskNeeds,
): EventConditions {
  const asksForMasked = rest.text !== undefined || rest.senderDomain !== undefined;
  const seesAll = hasRole(caller, "viewer") && !(masksMail && asksForMasked);
  return {
    ...rest,
    ...(unread === undefined ? {} : { isUnread: unread }),
    ...(seesAll ? {} : { ownerId: caller.id }),
  };
}
