/**
 * Step 3: the PDFs of a message, by content, into the spool. What was fetched once is not fetched again, so
 * a message that is deleted meanwhile loses nothing.
 */

import { getStage, putStage, type StageKey } from "../../ingestion/journal-table.ts";
import { emailKeyOf } from "../../ingestion/mail-aliases.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { killPoint } from "../../lib/kill-points.ts";
import { type FoundPdf, findPdfs, type NotTaken } from "../../reading/find-pdfs.ts";
import type { SandboxPool } from "../../reading/sandbox-pool.ts";
import type { MailMessage, MailSource } from "./mail-source.ts";
import type { IngestNeeds, Walk } from "./needs.ts";
import { type SpooledFile, spoolFile } from "./spool-file.ts";

/** An attachment that claims to be a PDF and is none that can be read. */
export interface LostFile {
  readonly name: string;
  readonly size: number;
  /** Stands in for the hash of bytes that we do not have. */
  readonly sha256: string;
  readonly reason: string;
}

export interface FetchedFiles {
  readonly files: readonly SpooledFile[];
  readonly lost: readonly LostFile[];
  /** Attachments that are nothing to us, with their reasons. */
  readonly ignored: readonly string[];
}

const VERSION = "1";
const PDF_NAME = /\.pdf$/i;

export async function fetchFiles(
  needs: IngestNeeds & { readonly pool: SandboxPool },
  walk: Walk,
): Promise<FetchedFiles> {
  const key: StageKey = {
    emailKey: walk.emailKey,
    sha256: walk.messageId!,
    stage: "fetch",
    version: VERSION,
  };
  const known = await getStage<FetchedFiles>(needs.database, key);
  if (known !== null) return known;
  const source = attachmentsOf(needs.mail, walk.mailbox!);
  const found = await findPdfs({ source, pool: needs.pool }, walk.messageId!, walk.signal);
  await killPoint("ingest.message-read");
  const files = new Map<string, SpooledFile>();
  for (const pdf of found.pdfs) {
    const { name, bytes } = pdf;
    const file = await spoolFile(needs.files, { name, bytes, foundIn: placeOf(pdf) });
    files.set(file.sha256, files.get(file.sha256) ?? file);
    await killPoint("ingest.attachment-hashed");
  }
  const fetched: FetchedFiles = {
    files: [...files.values()],
    lost: found.notTaken.filter(isLost).map(toLost),
    ignored: found.notTaken.filter((item) => !isLost(item)).map(describe),
  };
  await putStage(needs.database, key, fetched, walk.workerId);
  return fetched;
}

/** What is known of a message whose files are all in the spool; it may be gone from the mailbox by now. */
export async function recallMessage(
  needs: IngestNeeds,
  mailbox: string,
  messageId: string,
): Promise<MailMessage | null> {
  const kept = await getStage<MailMessage & { receivedAt: string }>(
    needs.database,
    messageStage(mailbox, messageId),
  );
  return kept === null ? null : { ...kept, receivedAt: new Date(kept.receivedAt) };
}

export async function rememberMessage(
  needs: IngestNeeds,
  walk: Walk,
  message: MailMessage,
): Promise<void> {
  const key = messageStage(walk.mailbox!, walk.messageId!);
  await putStage(needs.database, key, message, walk.workerId);
}

const messageStage = (mailbox: string, messageId: string): StageKey => ({
  emailKey: emailKeyOf({ mailbox, messageId }),
  sha256: messageId,
  stage: "message",
  version: VERSION,
});

function attachmentsOf(mail: MailSource, mailbox: string) {
  return {
    listAttachments: (messageId: string) => mail.listAttachments(mailbox, messageId),
    download: (messageId: string, id: string) => mail.downloadAttachment(mailbox, messageId, id),
  };
}

function placeOf(pdf: FoundPdf): string {
  if (pdf.inside.length > 0) return "attached mail";
  return pdf.isInline ? "inline" : "attachment";
}

/** A link is reported, a picture is nothing; a PDF that is empty, cut or too large is a loss. */
function isLost(item: NotTaken): boolean {
  if (item.reason === "reference") return false;
  if (item.reason === "not-a-pdf" || item.reason === "empty") return PDF_NAME.test(item.name);
  return true;
}

function toLost(item: NotTaken): LostFile {
  return {
    name: item.name === "" ? "attachment" : item.name,
    size: 0,
    sha256: sha256Hex(`not taken: ${item.attachmentId} ${item.inside.join("/")} ${item.name}`),
    reason: `${item.reason}: ${item.detail}`,
  };
}

const describe = (item: NotTaken) => `${item.name} (${item.reason})`;
