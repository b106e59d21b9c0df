import type { Queryable } from "../../store/database.ts";

/** One thing that happened on the way through Postroom. */
export interface TraceStep {
  readonly at: Date;
  /** `notification`, `event`, `job`, `ingestion`, `decision`. */
  readonly kind: string;
  readonly what: string;
  readonly mailbox: string | null;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Where a message is: the mailbox and its id there. */
export interface Location {
  readonly mailbox: string;
  readonly messageId: string;
}

/**
 * The locations of messages given by Graph id or RFC 5322 id, with their copies in other mailboxes.
 * An owner sees only their own mailboxes.
 */
export async function findLocations(
  on: Queryable,
  ids: readonly string[],
  ownerId: string | null,
): Promise<Location[]> {
  const { rows } = await on.query<Location>(
    `SELECT m.address AS mailbox, s.message_id AS "messageId"
       FROM postroom.message s JOIN postroom.mailbox m ON m.id = s.mailbox
      WHERE (s.message_id = ANY($1) OR s.internet_message_id = ANY($2)
         OR s.internet_message_id IN (SELECT internet_message_id FROM postroom.message WHERE message_id = ANY($1)))
        AND ($3::text IS NULL OR m.owner_id = $3)
      ORDER BY m.address, s.message_id`,
    [ids, ids.map((id) => id.replace(/^<|>$/g, "")), ownerId],
  );
  return rows;
}

/** What was notified, seen and queued for these messages. */
export async function findMailSteps(
  on: Queryable,
  messageIds: readonly string[],
): Promise<TraceStep[]> {
  const { rows } = await on.query<TraceStep>(
    `SELECT n.received_at AS at, 'notification' AS kind, 'Graph notified a change' AS what, m.address AS mailbox,
            jsonb_build_object('change', n.change, 'jobAt', n.job_at) AS facts
       FROM postroom.notification n JOIN postroom.subscription s ON s.id = n.subscription
       JOIN postroom.mailbox m ON m.id = s.mailbox WHERE n.message_id = ANY($1)
     UNION ALL
     SELECT e.seen_at, 'event', e.event_type, m.address,
            jsonb_build_object('seenBy', e.seen_by, 'happenedAt', e.at, 'folder', e.folder_name, 'seq', f.position)
       FROM postroom.event e LEFT JOIN postroom.event_feed f ON f.event = e.seq
       JOIN postroom.mailbox m ON m.id = e.mailbox WHERE e.message_id = ANY($1)
     UNION ALL
     SELECT coalesce(j.finished_at, j.created_at), 'job', j.type, NULL,
            jsonb_build_object('state', j.state, 'attempt', j.attempt, 'jobId', j.id, 'error', j.error_code)
       FROM postroom.job j WHERE j.subject_id = ANY($1)
     ORDER BY 1`,
    [messageIds],
  );
  return rows;
}
