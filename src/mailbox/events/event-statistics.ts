import type { Queryable } from "../../store/database.ts";
import { type EventConditions, toConditions, toWhere } from "./event-table.ts";

export interface SenderCount {
  readonly domain: string;
  readonly email: string;
  readonly count: number;
  readonly newest: Date;
}

/** Senders by number of messages, within the filter. */
export async function findSenders(on: Queryable, filter: EventConditions): Promise<SenderCount[]> {
  const { conditions, values } = toConditions({ ...filter, type: filter.type ?? "arrived" });
  const { rows } = await on.query<SenderCount>(
    `SELECT coalesce(split_part(e.sender_email, '@', 2), '') AS domain, coalesce(e.sender_email, '') AS email,
            count(*) AS count, max(e.at) AS newest
       FROM postroom.event e JOIN postroom.mailbox m ON m.id = e.mailbox ${toWhere(conditions)}
      GROUP BY 1, 2 ORDER BY count DESC, email LIMIT ${Math.min(filter.limit ?? 50, 200)}`,
    values,
  );
  return rows;
}

export interface TimelineEntry {
  readonly day: string;
  readonly eventType: string;
  readonly count: number;
}

export async function findTimeline(
  on: Queryable,
  filter: EventConditions,
  after?: Pick<TimelineEntry, "day" | "eventType">,
): Promise<TimelineEntry[]> {
  const { conditions, values } = toConditions(filter);
  const place = values.length;
  const { rows } = await on.query<TimelineEntry>(
    `SELECT * FROM (SELECT to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, e.event_type AS "eventType", count(*) AS count
       FROM postroom.event e JOIN postroom.mailbox m ON m.id = e.mailbox ${toWhere(conditions)}
      GROUP BY 1, 2) AS t
      WHERE $${place + 1}::text IS NULL OR day < $${place + 1} OR (day = $${place + 1} AND "eventType" > $${place + 2})
      ORDER BY day DESC, "eventType" LIMIT $${place + 3}`,
    [...values, after?.day ?? null, after?.eventType ?? null, filter.limit ?? 1_000],
  );
  return rows;
}

export interface Coverage {
  readonly mailbox: string;
  readonly events: number;
  readonly byPush: number;
  readonly rescued: number;
  /** Share of events that a notification reported first; null without events. */
  readonly pushCoverage: number | null;
  /** Seconds from Graph's time of the change to our row, for events that push saw first. */
  readonly medianSeconds: number | null;
  readonly p99Seconds: number | null;
}

/** Push coverage per mailbox, over the events that a subscription could have reported. */
export async function findCoverage(
  on: Queryable,
  since: Date,
  ownerId?: string,
): Promise<Coverage[]> {
  const { rows } = await on.query<Omit<Coverage, "pushCoverage">>(
    `SELECT m.address AS mailbox, count(e.seq) AS events,
            count(*) FILTER (WHERE e.seen_by = 'push') AS "byPush",
            count(*) FILTER (WHERE e.seen_by IN ('delta', 'poll', 'audit')) AS rescued,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM e.seen_at - e.at))
              FILTER (WHERE e.seen_by = 'push') AS "medianSeconds",
            percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM e.seen_at - e.at))
              FILTER (WHERE e.seen_by = 'push') AS "p99Seconds"
       FROM postroom.mailbox m
       LEFT JOIN postroom.event e ON e.mailbox = m.id AND e.seen_at >= $1
        AND e.at >= (SELECT coalesce(min(s.created_at), 'infinity') FROM postroom.subscription s
                      WHERE s.mailbox = m.id AND s.status <> 'pending')
      WHERE $2::text IS NULL OR m.owner_id = $2
      GROUP BY m.id, m.address ORDER BY m.address`,
    [since, ownerId ?? null],
  );
  return rows.map((row) => ({
    ...row,
    pushCoverage: row.events === 0 ? null : row.byPush / row.events,
  }));
}

/** What shows whether notifications reach us for a mailbox. */
export interface DeliverySigns {
  readonly isSubscribed: boolean;
  readonly byPush: number;
  readonly rescued: number;
  readonly lastPushAt: Date | null;
  /** A notification arrived within the window, even if reading was quicker each time. */
  readonly isNotified: boolean;
}

/** Counts the events since `since` that the active subscription, if any, could have reported. */
export async function findDeliverySigns(
  on: Queryable,
  mailbox: number,
  since: Date,
): Promise<DeliverySigns> {
  const { rows } = await on.query<DeliverySigns>(
    `SELECT s.id IS NOT NULL AS "isSubscribed", s.last_notification_at AS "lastPushAt",
            coalesce(s.last_notification_at >= $2, false) AS "isNotified",
            count(*) FILTER (WHERE e.seen_by = 'push') AS "byPush",
            count(*) FILTER (WHERE e.seen_by IN ('delta', 'poll')) AS rescued
       FROM postroom.mailbox m
       LEFT JOIN postroom.subscription s ON s.mailbox = m.id AND s.status = 'active'
       LEFT JOIN postroom.event e ON e.mailbox = m.id AND e.seen_at >= $2 AND e.at >= s.created_at
      WHERE m.id = $1 GROUP BY s.id, s.last_notification_at`,
    [mailbox, since],
  );
  return rows[0]!;
}

export interface EventMinute {
  readonly at: Date;
  readonly push: number;
  readonly other: number;
  readonly medianSeconds: number | null;
  readonly p99Seconds: number | null;
}

/** Events per minute by the path that saw them first, and how late push was; minutes without events are left out. */
export async function findEventMinutes(
  on: Queryable,
  since: Date,
  ownerId: string | null,
): Promise<EventMinute[]> {
  const { rows } = await on.query<EventMinute>(
    `SELECT date_trunc('minute', e.seen_at) AS at,
            count(*) FILTER (WHERE e.seen_by = 'push') AS push,
            count(*) FILTER (WHERE e.seen_by <> 'push') AS other,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM e.seen_at - e.at))
              FILTER (WHERE e.seen_by = 'push') AS "medianSeconds",
            percentile_cont(0.99) WITHIN GROUP (ORDER BY extract(epoch FROM e.seen_at - e.at))
              FILTER (WHERE e.seen_by = 'push') AS "p99Seconds"
       FROM postroom.event e JOIN postroom.mailbox m ON m.id = e.mailbox
      WHERE e.seen_at >= $1 AND ($2::text IS NULL OR m.owner_id = $2)
      GROUP BY 1 ORDER BY 1`,
    [since, ownerId],
  );
  return rows;
}

export interface EventTotals {
  readonly today: number;
  readonly byPush: number;
  readonly rescued: number;
  readonly medianSeconds: number | null;
  readonly p99Seconds: number | null;
  /** The mean of the same weekday in the four weeks before; null if none of them had events. */
  readonly weekdayAverage: number | null;
}

/** Totals of the day that began at `dayStart`. */
export async function findEventTotals(
  on: Queryable,
  dayStart: Date,
  ownerId: string | null,
): Promise<EventTotals> {
  const { rows } = await on.query<EventTotals>(
    `WITH mine AS (SELECT id, created_at FROM postroom.mailbox WHERE $2::text IS NULL OR owner_id = $2),
     today AS (
       SELECT e.seen_by, extract(epoch FROM e.seen_at - e.at) AS lag,
              e.at >= (SELECT coalesce(min(s.created_at), 'infinity') FROM postroom.subscription s
                        WHERE s.mailbox = e.mailbox AND s.status <> 'pending') AS counts
         FROM postroom.event e WHERE e.seen_at >= $1 AND e.mailbox IN (SELECT id FROM mine)),
     before AS (
       SELECT count(e.seq) AS n FROM generate_series(1, 4) AS week
         JOIN postroom.event e ON e.seen_at >= $1::timestamptz - week * interval '7 days'
          AND e.seen_at < $1::timestamptz - week * interval '7 days' + interval '1 day'
          AND e.mailbox IN (SELECT id FROM mine) GROUP BY week)
     SELECT count(*) AS today, count(*) FILTER (WHERE counts AND seen_by = 'push') AS "byPush",
            count(*) FILTER (WHERE counts AND seen_by <> 'push') AS rescued,
            percentile_cont(0.5) WITHIN GROUP (ORDER BY lag) FILTER (WHERE counts AND seen_by = 'push') AS "medianSeconds",
            percentile_cont(0.99) WITHIN GROUP (ORDER BY lag) FILTER (WHERE counts AND seen_by = 'push') AS "p99Seconds",
            (SELECT avg(n)::float8 FROM before) AS "weekdayAverage" FROM today`,
    [dayStart, ownerId],
  );
  return rows[0]!;
}
