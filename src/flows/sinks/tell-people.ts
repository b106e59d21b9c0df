/**
 * Tells people what needs them: once when an alert begins, once when it is over, and how many questions are new. State and
 * lines are written together, so a restart repeats nothing; a line whose receiver is down waits. Lines say which kind of
 * thing is wrong and what to type, never what a message says.
 */
import { backoffMs } from "../../lib/backoff.ts";
import { type Clock, every } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { redactText } from "../../lib/redact.ts";
import { ALERTS, type Alert, holds, type Series } from "../../sinks/alerts/alert.ts";
import {
  addLine,
  delayLines,
  findDueLines,
  findStanding,
  markSent,
  putStanding,
  removeLinesBefore,
  removeStanding,
  type StandingAlert,
} from "../../sinks/alerts/alert-table.ts";
import type { Channel } from "../../sinks/alerts/channels.ts";
import type { Database, Queryable, Transaction } from "../../store/database.ts";
import { withLease } from "../../store/named-lease.ts";

export interface TellNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly channels: readonly Channel[];
  readonly metrics: () => Promise<readonly Series[]>;
  /** Questions that were opened after this one and are still open, and the last of them; null for no such news. */
  readonly newQuestions: ((on: Queryable, after: number) => Promise<NewQuestions>) | null;
}

export interface NewQuestions {
  readonly count: number;
  readonly last: number;
}

const LOOK_MS = 15_000;
const LEASE_SECONDS = 60;
/** A channel gets at most one message in this time, with all lines that wait. */
const PAUSE_MS = 60_000;
const QUESTIONS_PAUSE_MS = 15 * 60_000;
const LINES_MAX = 20;
const KEPT_MS = 7 * 24 * 60 * 60_000;
const BACKOFF = { firstMs: 30_000, capMs: 60 * 60_000 };
const QUESTIONS = "questions";

/** Looks until it is stopped. One process at a time looks. */
export function startTelling(needs: TellNeeds): () => Promise<void> {
  const round = async (): Promise<void> => {
    await withLease(needs, "alerts", LEASE_SECONDS, () => tellOnce(needs));
  };
  return every(needs.clock, LOOK_MS, round, (error) =>
    needs.log.warn({ err: error }, "people could not be notified; the next check tries again"),
  );
}

export async function tellOnce(needs: TellNeeds): Promise<void> {
  const now = new Date(needs.clock.now());
  const metrics = await needs.metrics();
  await needs.database.transaction(async (tx) => {
    const standing = new Map((await findStanding(tx)).map((each) => [each.name, each]));
    for (const alert of ALERTS)
      await judge(needs, tx, alert, standing.get(alert.name) ?? null, holds(alert, metrics), now);
    await countQuestions(needs, tx, standing.get(QUESTIONS) ?? null, now);
  });
  for (const channel of needs.channels) await sendDue(needs, channel, now);
  await removeLinesBefore(needs.database, new Date(now.getTime() - KEPT_MS));
}

async function judge(
  needs: TellNeeds,
  tx: Transaction,
  alert: Alert,
  known: StandingAlert | null,
  isTrue: boolean,
  now: Date,
): Promise<void> {
  const say = (text: string) =>
    addLine(
      tx,
      needs.channels.map(({ name }) => name),
      text,
      now,
    );
  const { name, summary, todo, forMinutes } = alert;
  if (!isTrue) {
    if (known === null) return;
    await removeStanding(tx, name);
    if (known.isTold) await say(`Over: ${summary} (since ${toMinute(known.since)}).`);
    return;
  }
  const since = known?.since ?? now;
  const isTold = known?.isTold === true;
  const isDue = now.getTime() - since.getTime() >= forMinutes * 60_000;
  if (known === null || (isDue && !isTold))
    await putStanding(tx, { name, since, isTold: isTold || isDue, position: 0 });
  if (isDue && !isTold) await say(`${summary} (since ${toMinute(since)}). To do: ${todo}.`);
}

/** `since` is when people were last told. */
async function countQuestions(
  { newQuestions, channels }: TellNeeds,
  tx: Transaction,
  known: StandingAlert | null,
  now: Date,
): Promise<void> {
  if (newQuestions === null) return;
  if (known !== null && now.getTime() - known.since.getTime() < QUESTIONS_PAUSE_MS) return;
  const { count, last } = await newQuestions(tx, known?.position ?? 0);
  if (count === 0) return;
  await putStanding(tx, { name: QUESTIONS, since: now, isTold: true, position: last });
  const text = `${count === 1 ? "One new question waits" : `${count} new questions wait`} for a reviewer. To do: postroom review list.`;
  const names = channels.map(({ name }) => name);
  await addLine(tx, names, text, now);
}

async function sendDue(needs: TellNeeds, channel: Channel, now: Date): Promise<void> {
  const look = { now, pauseMs: PAUSE_MS, limit: LINES_MAX };
  const lines = await findDueLines(needs.database, channel.name, look);
  if (lines.length === 0) return;
  const ids = lines.map(({ id }) => id);
  const texts = lines.map(({ text }) => text);
  const title = texts.length === 1 ? "Postroom" : `Postroom: ${texts.length} messages`;
  try {
    await channel.send(title, texts);
    await markSent(needs.database, ids, now);
  } catch (error) {
    const why = redactText((error as Error).message);
    const waitMs = backoffMs(BACKOFF, lines[0]!.attempts + 1, needs.random);
    await delayLines(needs.database, ids, new Date(now.getTime() + waitMs), why);
    needs.log.warn(
      { channel: channel.name, why },
      "people could not be notified; the next check tries again",
    );
  }
}

const toMinute = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;
