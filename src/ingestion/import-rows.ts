/** Rows of an ingestion table in another database, as JSON lines, so that no message is booked a second time. */
import * as z from "zod";
import { type Transaction, toStorableText } from "../store/database.ts";
import { type ForeignRow, type IngestionTable, insertForeignRows } from "./ingestion-table.ts";

const maybe = <T extends z.ZodType>(type: T) => type.nullish().transform((value) => value ?? null);
const moment = z
  .string()
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()), "is not a time");
const count = maybe(z.int32().nonnegative());
const asJson = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: "custom", message: "is not JSON" });
    return z.NEVER;
  }
});
const paths = maybe(z.union([z.array(z.string()), asJson])).pipe(z.array(z.string()).nullable());

/** Both names of the two columns that installations disagree about. */
export const IngestionRow = z.object({
  message_id: z.string().min(1).max(255),
  mailbox_email: z.string().min(1).max(255),
  sender_email: maybe(z.string().max(255)),
  received_at: maybe(moment),
  subject: maybe(z.string()),
  status: z.enum(["processing", "success", "failed", "skipped"]),
  error_message: maybe(z.string()),
  attachments_processed: count,
  attachments_written: count,
  trades_extracted: count,
  archive_gcs_paths: paths,
  gcs_paths: paths,
  worker_id: maybe(z.string().max(255)),
});
export type IngestionRow = z.infer<typeof IngestionRow>;

export interface RowImport {
  added: number;
  /** A message that had failed here had succeeded there: it is finished now. */
  finished: number;
  known: number;
  /** It was in work when the table was exported, so it is failed here and will be tried again. */
  interrupted: number;
}

export async function importRows(
  tx: Transaction,
  table: IngestionTable,
  rows: readonly IngestionRow[],
): Promise<RowImport> {
  const written = await insertForeignRows(tx, table, rows.map(toForeignRow));
  const added = written.filter((row) => row.isNew);
  const interrupted = new Set(
    rows.filter(({ status }) => status === "processing").map((row) => row.message_id),
  );
  return {
    added: added.length,
    finished: written.length - added.length,
    known: rows.length - written.length,
    interrupted: added.filter(({ messageId }) => interrupted.has(messageId)).length,
  };
}

function toForeignRow(row: IngestionRow): ForeignRow {
  const isInterrupted = row.status === "processing";
  const reason = isInterrupted ? "was being processed when the table was exported" : null;
  const text = (original: string | null) => (original === null ? null : toStorableText(original));
  return {
    messageId: row.message_id,
    mailbox: row.mailbox_email,
    sender: row.sender_email,
    receivedAt: row.received_at,
    subject: text(row.subject),
    status: row.status === "processing" ? "failed" : row.status,
    error: reason ?? text(row.error_message),
    attachments: row.attachments_processed ?? row.attachments_written ?? 0,
    trades: row.trades_extracted ?? 0,
    paths: row.archive_gcs_paths ?? row.gcs_paths,
    // The prefix `ts:` marks workers of ours, which have leases.
    workerId: row.worker_id?.startsWith("ts:") ? null : row.worker_id,
  };
}
