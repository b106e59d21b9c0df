/**
 * Counts how many of each sender's documents gave trades, week by week, and finds senders whose share fell, or whose
 * trades people correct more often than their confidence says.
 */
import { Gauge, type Registry } from "prom-client";
import type { Log } from "../../lib/log.ts";
import type { Queryable } from "../../store/database.ts";
import { AUDIT_FROM } from "../routing/judge-trade.ts";
import { findDecided } from "./decided-documents.ts";
import { type DriftAlarm, findDrift, type YieldRow } from "./find-drift.ts";
import { describeOvertrust, findOvertrust, type Trust, trustOf } from "./find-overtrust.ts";

const WEEKS = 26;
/** People decide on few documents; more than these would not change the picture. */
const DECIDED_MAX = 5_000;

/**
 * Documents that a person marked as not a contract note do not count. A document yields if one of its trade lines was
 * read well enough to be booked.
 */
export async function findYields(on: Queryable): Promise<YieldRow[]> {
  const { rows } = await on.query<YieldRow>(
    `SELECT lower(d.sender_email) AS sender,
            to_char(d.received_at AT TIME ZONE 'UTC', 'IYYY-"W"IW') AS period,
            count(*)::int AS documents,
            (count(*) FILTER (WHERE EXISTS (
               SELECT FROM postroom.trade_line l WHERE l.document_id = d.id AND l.confidence >= $1)))::int AS yielded
       FROM postroom.trade_document d
      WHERE d.status IN ('parsed', 'unreadable')
        AND d.received_at > postroom.now() - make_interval(weeks => $2)
      GROUP BY 1, 2 ORDER BY 1, 2`,
    [AUDIT_FROM, WEEKS],
  );
  return rows;
}

export async function findSenderDrift(on: Queryable): Promise<DriftAlarm[]> {
  return findDrift(await findYields(on));
}

/** What people decided about the documents of each sender, beside the confidence with which they were read. */
export async function findTrusts(on: Queryable): Promise<Trust[]> {
  return trustOf(await findDecided(on, { weeks: WEEKS, limit: DECIDED_MAX }));
}

export async function findSenderOvertrust(on: Queryable): Promise<Trust[]> {
  return findOvertrust(await findTrusts(on));
}

export function describeDrift({ sender, period, now, before, documents }: DriftAlarm): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  return `${sender}: ${percent(now)} of ${documents} documents since ${period} yielded trades, down from ${percent(before)}`;
}

/** Warns once about each fall. The metric is only a count, because addresses would create too many series. */
export function createDriftWatch(needs: { database: Queryable; log: Log; metrics: Registry }) {
  const drifting = new Gauge({
    name: "postroom_senders_drifting",
    help: "Senders whose documents give markedly fewer trades than before: their layout has probably changed",
    registers: [needs.metrics],
  });
  const overtrusted = new Gauge({
    name: "postroom_senders_overtrusted",
    help: "Senders whose trades people correct or reject more often than the confidence of the reading says",
    registers: [needs.metrics],
  });
  const reported = new Set<string>();
  const warnOnce = (key: string, facts: object, words: string) => {
    if (!reported.has(key)) needs.log.warn(facts, words);
    reported.add(key);
  };
  return async (): Promise<void> => {
    const alarms = await findSenderDrift(needs.database);
    drifting.set(alarms.length);
    for (const alarm of alarms)
      warnOnce(
        `${alarm.sender} ${alarm.period}`,
        { drift: alarm },
        `a layout has probably changed: ${describeDrift(alarm)}`,
      );
    const trusts = await findSenderOvertrust(needs.database);
    overtrusted.set(trusts.length);
    for (const trust of trusts)
      warnOnce(trust.sender, { trust }, `a confidence is too high: ${describeOvertrust(trust)}`);
  };
}
