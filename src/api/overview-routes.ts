/** What the first page says: is mail flowing, and what needs a person? */
import * as z from "zod";
import type { DeadCause } from "../jobs/dead-letters/dead-letter.ts";
import { findDeadCauses } from "../jobs/dead-letters/dead-letter-table.ts";
import { countOpenJobs } from "../jobs/status/job-status-table.ts";
import type { Clock } from "../lib/clock.ts";
import { findEventMinutes, findEventTotals } from "../mailbox/events/event-statistics.ts";
import { countReviewReasons, countReviews } from "../review/review-table.ts";
import type { Database } from "../store/database.ts";
import { countNotes } from "../trades/count-notes.ts";
import { countTrades } from "../trades/trade-table.ts";
import { findActions, type LoggedAction } from "./access/action-table.ts";
import { hasRole } from "./access/roles.ts";
import type { ApiScope } from "./openapi.ts";

export interface OverviewRoutesNeeds {
  readonly database: Database;
  readonly clock: Clock;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const Overview = z
  .object({
    at: z.date(),
    events: z.object({
      today: z.number(),
      byPush: z.number(),
      rescued: z.number(),
      medianSeconds: z.number().nullable(),
      p99Seconds: z.number().nullable(),
      weekdayAverage: z.number().nullable(),
      minutes: z.array(
        z.object({
          at: z.date(),
          push: z.number(),
          other: z.number(),
          medianSeconds: z.number().nullable(),
          p99Seconds: z.number().nullable(),
        }),
      ),
    }),
    notes: z
      .object({ notes: z.number(), withoutPerson: z.number() })
      .nullable()
      .describe(
        "today's contract notes, and how many needed no person; null unless the caller is at least a viewer",
      ),
    trades: z
      .object({ booked: z.number(), needsAudit: z.number() })
      .nullable()
      .describe("today's trades; null unless the caller is at least a viewer"),
    reviews: z
      .object({
        open: z.number(),
        oldestAt: z.date().nullable(),
        reasons: z.array(z.object({ reason: z.string(), count: z.number() })),
      })
      .nullable()
      .describe("null unless the caller is at least a viewer"),
    queues: z
      .array(
        z.object({
          queue: z.string(),
          queued: z.number(),
          running: z.number(),
          oldestDueAt: z.date().nullable(),
        }),
      )
      .nullable()
      .describe("null unless the caller is at least a viewer"),
    deadLetters: z
      .array(
        z.object({
          cause: z.string(),
          pattern: z.string(),
          jobType: z.string(),
          count: z.number(),
          lastAt: z.date(),
        }),
      )
      .nullable()
      .describe("by cause; null unless the caller is an operator"),
    actions: z
      .array(
        z.object({
          at: z.date(),
          who: z.string(),
          whoName: z.string().nullable(),
          operation: z.string(),
          path: z.string(),
          status: z.number().nullable(),
        }),
      )
      .nullable()
      .describe("what people did in the last day; null unless the caller is an operator"),
  })
  .meta({ id: "Overview" });

export function registerOverviewRoutes(app: ApiScope, needs: OverviewRoutesNeeds): void {
  const { database, clock } = needs;
  app.get(
    "/api/overview",
    {
      config: { access: "person" },
      schema: {
        operationId: "getOverview",
        summary:
          "Event rates, lag, queues and what waits for a person; without a role, callers see only their own mailboxes",
        tags: ["console"],
        querystring: z.object({
          dayStart: z.iso
            .datetime({ offset: true })
            .optional()
            .describe("when the reader's day began; by default midnight UTC"),
        }),
        response: { 200: Overview },
      },
    },
    async ({ caller, query }) => {
      const nowMs = clock.now();
      const midnightMs = nowMs - (nowMs % DAY_MS);
      const givenMs = query.dayStart === undefined ? midnightMs : Date.parse(query.dayStart);
      // At most one day: an earlier start would make this page count everything.
      const dayStart = new Date(Math.min(nowMs, Math.max(givenMs, nowMs - DAY_MS)));
      const isViewer = hasRole(caller, "viewer");
      const isOperator = hasRole(caller, "operator");
      const ownerId = isViewer ? null : caller.id;
      const [totals, minutes, notes, trades, reviews, reasons, queues, causes, actions] =
        await Promise.all([
          findEventTotals(database, dayStart, ownerId),
          findEventMinutes(database, new Date(nowMs - HOUR_MS), ownerId),
          isViewer ? countNotes(database, dayStart) : null,
          isViewer ? countTrades(database, dayStart) : null,
          isViewer ? countReviews(database) : null,
          isViewer ? countReviewReasons(database) : [],
          isViewer ? countOpenJobs(database) : null,
          isOperator ? findDeadCauses(database) : null,
          isOperator ? findActions(database, { limit: 20 }) : null,
        ]);
      const dayAgo = new Date(nowMs - DAY_MS);
      return {
        at: new Date(nowMs),
        events: { ...totals, minutes },
        notes,
        trades,
        reviews:
          reviews === null ? null : { open: reviews.open, oldestAt: reviews.oldestAt, reasons },
        queues,
        deadLetters: causes?.map(viewCause) ?? null,
        actions: actions?.filter(({ at }) => at >= dayAgo).map(viewAction) ?? null,
      };
    },
  );
}

function viewCause({ cause, pattern, jobType, count, lastAt }: DeadCause) {
  return { cause, pattern, jobType, count, lastAt };
}

function viewAction({ at, who, whoName, operation, path, status }: LoggedAction) {
  return { at, who, whoName, operation, path, status };
}
