import type { Queryable } from "../store/database.ts";

/** One thing that happened on a message's way through Postroom. */
export interface TraceStep {
  readonly at: Date;
  /** `notification`, `event`, `job`, `ingestion`. */
  readonly kind: string;
  readonly what: string;
  readonly mailbox: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

export interface Trace {
  readonly messageId: string;
  /** The same message in other mailboxes, by its RFC 5322 id. */
  readonly deliveries: readonly { readonly mailbox: string; readonly messageId: string }[];
  readonly steps: readonly TraceStep[];
}

/** Everything we know of a message, by its Graph id or its RFC 5322 id, in order. */
export async function traceMessage(
  on: Queryable,
  id: string,
  ownerId: string | null,
): Promise<Trace> {
  const bare = id.replace(/^<|>$/g, "");
  const { rows: deliveries } = await on.query<{
    mailbox: string;
    messageId: string;
    mailboxId: number;
  }>(
    `SELECT m.address AS mailbox, s.message_id AS "messageId", s.mailbox AS "mailboxId"
       FROM postroom.message s JOIN postroom.mailbox m ON m.id = s.mailbox
      WHERE (s.message_id = $1 OR s.internet_message_id = $2
         OR s.internet_message_id = (SELECT internet_message_id FROM postroom.message WHERE message_id = $1 LIMIT 1))
        AND ($3::text IS NULL OR m.owner_id = $3)
      ORDER BY m.address`,
    [id, bare, ownerId],
  );
  const ids = deliveries.map((delivery) => delivery.messageId);
  const { rows: steps } = await on.query<TraceStep>(
    `SELECT n.received_at AS at, 'notification' AS kind, 'Graph notified a change' AS what, m.address AS mailbox,
            jsonb_build_object('change', n.change, 'jobAt', n.job_at) AS facts
       FROM postroom.notification n JOIN postroom.subscription s ON s.id = n.subscription
       JOIN postroom.mailbox m ON m.id = s.mailbox WHERE n.message_id = ANY($1)
     UNION ALL
     SELECT e.seen_at, 'event', e.event_type, m.address,
            jsonb_build_object('seenBy', e.seen_by, 'happenedAt', e.at, 'folder', e.folder_name, 'seq', e.seq)
       FROM postroom.event e JOIN postroom.mailbox m ON m.id = e.mailbox WHERE e.message_id = ANY($1)
     UNION ALL
     SELECT coalesce(j.finished_at, j.created_at), 'job', j.type, NULL,
            jsonb_build_object('state', j.state, 'attempt', j.attempt, 'jobId', j.id, 'error', j.error_code)
       FROM postroom.job j WHERE j.subject_id = ANY($1)
     UNION ALL
     SELECT t.at, 'ingestion', t.step || ' ' || t.name, NULL, t.detail
       FROM postroom.ingest_trace t WHERE t.message_id = ANY($1)
     ORDER BY 1`,
    [ids],
  );
  return { messageId: id, deliveries: deliveries.map(({ mailboxId: _, ...rest }) => rest), steps };
}
