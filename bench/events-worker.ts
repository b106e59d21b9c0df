/** Messages to events in two ways: our handler, and the obvious first attempt. */
import { mailChangedHandler } from "../src/flows/watching/mail-changed.ts";
import type { JobRun } from "../src/jobs/handler.ts";
import { systemClock } from "../src/lib/clock.ts";
import { createLog } from "../src/lib/log.ts";
import { type GraphMessage, MESSAGE_SELECT } from "../src/mailbox/messages/message.ts";
import { type Database, openDatabase } from "../src/store/database.ts";
import { answerParent } from "./child.ts";
import { openGraph } from "./graph-side.ts";
import { addMailbox, GRAPH_USER } from "./intake-scene.ts";
import { type Closers, closeAll } from "./throwaway.ts";

export interface Work {
  readonly from: number;
  readonly count: number;
}

const closers: Closers = [];
let database: Database;
let mailbox = 0;
let origin = "";

async function start(given: { databaseUrl: string; origin: string }): Promise<void> {
  database = openDatabase({ url: given.databaseUrl, connections: 12 });
  closers.push(database.close);
  mailbox = await addMailbox(database);
  origin = given.origin;
}

const messageIdOf = (number: number): string =>
  `AAkALgAAAAAAHYQDEapmEc2byACqAC-EWg0A${"Zt3mJ8kQ".repeat(9)}${String(number).padStart(12, "0")}AAA=`;

/** The handler as the workers call it, with its own batch size and number of concurrent batches. */
async function batched(work: Work): Promise<void> {
  const { graph, close } = openGraph(origin);
  const handler = mailChangedHandler({
    database,
    graphOf: () => graph,
    clock: systemClock,
    log: createLog({ level: "silent" }),
    followUp: async () => {},
    onEvents: () => {},
  });
  const run: JobRun = {
    signal: new AbortController().signal,
    progress: () => {},
    commit: (_jobs, effects) => database.transaction(effects),
  };
  const size = handler.batchSize ?? 1;
  await takeAll(work, size, handler.concurrency ?? 1, async (numbers) => {
    const outcomes = await handler.process(numbers.map(toJob), run);
    if (!outcomes.every((outcome) => outcome.isSuccess)) throw new Error("a message failed");
  });
  await close();
}

function toJob(number: number) {
  const messageId = messageIdOf(number);
  return {
    ...{ jobId: String(number), jobType: "mail-changed", subjectId: messageId },
    ...{ correlationId: "", idempotencyKey: messageId, attempt: 1, maxAttempts: 5 },
    payload: { mailbox, messageId, change: "created" as const, notifiedAt: "" },
    createdAt: "",
  };
}

/** One request and one statement for each message, four messages at a time. */
async function oneByOne(work: Work): Promise<void> {
  await takeAll(work, 1, 4, async ([number]) => {
    const id = encodeURIComponent(messageIdOf(number!));
    const answer = await fetch(
      `${origin}/v1.0/users/${GRAPH_USER}/messages/${id}?$select=${MESSAGE_SELECT}`,
      { headers: { authorization: "Bearer bench", prefer: 'IdType="ImmutableId"' } },
    );
    await insertEvent((await answer.json()) as GraphMessage);
  });
}

async function insertEvent(message: GraphMessage): Promise<void> {
  await database.query(
    `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
       is_read, flag, categories, internet_message_id, received_at, subject, sender_name, sender_email, importance,
       has_attachments, conversation_id, has_list_unsubscribe, is_automated)
     VALUES ($1, $2, $3, 'arrived', '', $4, 'push', now(), $5, $6, $7, $8, $9, $4, $10, $11, $12, $13, $14, $15,
       false, false)
     ON CONFLICT (user_id, mailbox, message_id, event_type, change) DO NOTHING`,
    [
      ...[GRAPH_USER, mailbox, message.id, message.receivedDateTime, message.parentFolderId],
      ...[message.isRead, message.flag?.flagStatus, message.categories, message.internetMessageId],
      ...[message.subject, message.from?.emailAddress?.name, message.from?.emailAddress?.address],
      ...[message.importance, message.hasAttachments, message.conversationId],
    ],
  );
}

/** Processes the numbers in portions, some of them concurrently. */
async function takeAll(
  work: Work,
  size: number,
  atOnce: number,
  take: (numbers: number[]) => Promise<void>,
): Promise<void> {
  let next = work.from;
  const end = work.from + work.count;
  const lane = async (): Promise<void> => {
    while (next < end) {
      const first = next;
      next = Math.min(end, next + size);
      await take(Array.from({ length: next - first }, (_, index) => first + index));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
}

answerParent({ start, batched, oneByOne }, () => closeAll(closers));
