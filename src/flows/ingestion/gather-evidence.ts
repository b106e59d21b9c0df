/** Collects everything that shows how a message became trades. */
import type { EvidenceBundle, EvidenceRow, EvidenceSelector } from "../../archive/evidence.ts";
import type { BlobStore } from "../../files/blob-store.ts";
import type { FileStore } from "../../files/file-store.ts";
import { Fault } from "../../lib/fault.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { placeEvents } from "../../mailbox/events/event-feed-table.ts";
import type { Database, Queryable } from "../../store/database.ts";
import type { MailSource } from "./stages/mail-source.ts";

export interface EvidenceNeeds {
  readonly database: Database;
  readonly files: FileStore;
  readonly blobs: BlobStore;
  readonly mail: Pick<MailSource, "getMime">;
}

interface DocumentRow {
  readonly id: string;
  readonly sha256: string;
  readonly filename: string;
  readonly mailbox: string | null;
  readonly messageId: string | null;
  readonly archivePath: string | null;
  readonly emailKey: string;
}

/** Null if there is no such message or trade. */
export async function gatherEvidence(
  needs: EvidenceNeeds,
  subject: EvidenceSelector,
): Promise<EvidenceBundle | null> {
  const documents = await findDocuments(needs.database, subject);
  if (documents.length === 0) return null;
  const ids = documents.map((document) => document.id);
  const missing: { what: string; why: string }[] = [];
  const messages = await loadMessages(needs, documents, missing);
  const messageIds = messages.map((message) => message.messageId);
  await placeEvents(needs.database);
  const rows = (sql: string, values: unknown[]) =>
    needs.database.query<EvidenceRow>(sql, values).then((found) => found.rows);
  return {
    subject,
    messages,
    documents: await Promise.all(
      documents.map((document) => loadDocument(needs, document, missing)),
    ),
    decisions: await rows(
      `SELECT to_jsonb(d) AS decision FROM postroom.trade_decision d
        WHERE d.document_id = ANY($1) OR d.line_id IN (SELECT id FROM postroom.trade_line WHERE document_id = ANY($1))
        ORDER BY d.id`,
      [ids],
    ),
    trades: await rows(
      `SELECT to_jsonb(t) AS trade, jsonb_agg(to_jsonb(l) ORDER BY l.position) AS lines
         FROM postroom.trade t JOIN postroom.trade_line l ON l.trade_id = t.id
        WHERE l.document_id = ANY($1) GROUP BY t.id ORDER BY t.trade_key`,
      [ids],
    ),
    notifications: await rows(
      "SELECT to_jsonb(n) AS notification FROM postroom.notification n WHERE n.message_id = ANY($1) ORDER BY n.received_at, n.key",
      [messageIds],
    ),
    events: await rows(
      `SELECT to_jsonb(e) - 'xid' || jsonb_build_object('seq', f.position) AS event
         FROM postroom.event e LEFT JOIN postroom.event_feed f ON f.event = e.seq
        WHERE e.message_id = ANY($1) ORDER BY e.seq`,
      [messageIds],
    ),
    missing,
  };
}

async function findDocuments(on: Queryable, subject: EvidenceSelector): Promise<DocumentRow[]> {
  const condition =
    subject.kind === "message"
      ? "d.message_id = $1"
      : `d.id IN (SELECT l.document_id FROM postroom.trade_line l JOIN postroom.trade t ON t.id = l.trade_id
                   WHERE t.trade_key = $1 OR t.id::text = $1)`;
  const { rows } = await on.query<DocumentRow>(
    `SELECT d.id, d.sha256, d.filename, d.mailbox, d.message_id AS "messageId", d.archive_path AS "archivePath",
            d.email_key AS "emailKey"
       FROM postroom.trade_document d WHERE ${condition} ORDER BY d.created_at, d.id`,
    [subject.id],
  );
  return rows;
}

async function loadMessages(
  needs: EvidenceNeeds,
  documents: readonly DocumentRow[],
  missing: { what: string; why: string }[],
): Promise<EvidenceBundle["messages"]> {
  const origins = new Map(
    documents
      .filter((document) => document.messageId !== null)
      .map((document) => [document.messageId!, document.mailbox]),
  );
  return Promise.all(
    [...origins].map(async ([messageId, mailbox]) => {
      try {
        const eml = mailbox === null ? null : await needs.mail.getMime(mailbox, messageId);
        if (eml === null)
          missing.push({ what: `the mail ${messageId}`, why: "its mailbox is not known" });
        return { messageId, mailbox, eml };
      } catch (error) {
        missing.push({ what: `the mail ${messageId}`, why: (error as Error).message });
        return { messageId, mailbox, eml: null };
      }
    }),
  );
}

/** Null if the archive cannot be reached now, or has no such bytes: other bytes may have a promised path. */
async function getArchived(
  blobs: BlobStore,
  { archivePath, sha256 }: DocumentRow,
): Promise<Buffer | null> {
  if (archivePath === null) return null;
  try {
    const bytes = await blobs.get(archivePath);
    return bytes !== null && sha256Hex(bytes) === sha256 ? bytes : null;
  } catch (error) {
    if (error instanceof Fault && error.code === "blob.unavailable") return null;
    throw error;
  }
}

async function loadDocument(
  needs: EvidenceNeeds,
  document: DocumentRow,
  missing: { what: string; why: string }[],
): Promise<EvidenceBundle["documents"][number]> {
  const archived = await getArchived(needs.blobs, document);
  const bytes = archived ?? (await needs.files.get(document.sha256));
  if (archived === null && bytes !== null && document.archivePath !== null)
    missing.push({
      what: `the archived copy of ${document.filename}`,
      why: "the archive does not have these bytes; they are from the spool",
    });
  if (bytes === null)
    missing.push({
      what: `the bytes of ${document.filename}`,
      why: "neither the archive nor the spool has them",
    });
  const { rows } = await needs.database.query<{ stage: string; result: unknown }>(
    "SELECT stage, result FROM postroom.ingest_stage WHERE email_key = $1 AND attachment_sha256 = $2 ORDER BY done_at",
    [document.emailKey, document.sha256],
  );
  const { id: documentId, filename, archivePath } = document;
  return { documentId, filename, archivePath, bytes, extraction: rows.length === 0 ? null : rows };
}
