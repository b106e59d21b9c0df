/**
 * Stage 3: puts the PDFs of a message, recognised by content, into the spool. Nothing is fetched twice
 * while a spool has it, so deleting the message meanwhile loses nothing.
 */

import { getStage, putStage, type StageKey } from "../../../ingestion/journal-table.ts";
import { emailKeyOf } from "../../../ingestion/mail-key.ts";
import { toFault } from "../../../lib/fault.ts";
import { sha256Hex } from "../../../lib/hash.ts";
import { killPoint } from "../../../lib/kill-points.ts";
import { type FoundPdf, findPdfs, type NotTaken } from "../../../reading/find-pdfs.ts";
import type { SandboxPool } from "../../../reading/sandbox-pool.ts";
import type { MailMessage, MailSource } from "./mail-source.ts";
import type { Ingestion, IngestNeeds } from "./needs.ts";
import { type SpooledFile, spoolFile } from "./spool-file.ts";

/** An attachment that is named like a PDF but cannot be read as one. */
export interface LostFile {
  readonly name: string;
  readonly size: number;
  /** Replaces the hash of bytes that we do not have. */
  readonly sha256: string;
  readonly reason: string;
}

export interface FetchedFiles {
  readonly files: readonly SpooledFile[];
  readonly lost: readonly LostFile[];
  /** Attachments that we do not need, with the reasons. */
  readonly ignored: readonly string[];
}

/** Raise this when the entries that this stage keeps in the journal change their shape. */
const VERSION = "1";
const PDF_NAME = /\.pdf$/i;

export async function fetchFiles(
  needs: IngestNeeds & { readonly pool: SandboxPool },
  ingestion: Ingestion,
): Promise<FetchedFiles> {
  const key: StageKey = {
    emailKey: ingestion.emailKey,
    sha256: ingestion.messageId!,
    stage: "fetch",
    version: VERSION,
  };
  const known = await getStage<FetchedFiles>(needs.database, key);
  if (known !== null) return known;
  const fetched = await fetchFromMailbox(needs, ingestion);
  await putStage(needs.database, key, fetched, ingestion.workerId);
  return fetched;
}

/**
 * For files that the journal lists but no spool has. If the message is gone, another machine may still have
 * them.
 */
export async function fetchAgain(
  needs: IngestNeeds & { readonly pool: SandboxPool },
  ingestion: Ingestion,
): Promise<void> {
  await fetchFromMailbox(needs, ingestion).catch((error: unknown) => {
    if (toFault(error).code !== "graph.not-found") throw error;
  });
}

async function fetchFromMailbox(
  needs: IngestNeeds & { readonly pool: SandboxPool },
  ingestion: Ingestion,
): Promise<FetchedFiles> {
  const source = attachmentsOf(needs.mail, ingestion.mailbox!);
  const found = await findPdfs(
    { source, pool: needs.pool },
    ingestion.messageId!,
    ingestion.signal,
  );
  await killPoint("ingest.message-read");
  const files = new Map<string, SpooledFile>();
  for (const pdf of found.pdfs) {
    const { name, bytes } = pdf;
    const file = await spoolFile(needs.files, { name, bytes, foundIn: placeOf(pdf) });
    files.set(file.sha256, files.get(file.sha256) ?? file);
    await killPoint("ingest.attachment-hashed");
  }
  return {
    files: [...files.values()],
    lost: found.notTaken.filter(isLost).map(toLost),
    ignored: found.notTaken.filter((attachment) => !isLost(attachment)).map(describe),
  };
}

/** A message whose files are all in the spool; it may be gone from the mailbox by now. */
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
  ingestion: Ingestion,
  message: MailMessage,
): Promise<void> {
  const key = messageStage(ingestion.mailbox!, ingestion.messageId!);
  await putStage(needs.database, key, message, ingestion.workerId);
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

/** Links and pictures are ignored; a PDF that is empty, truncated or too large is lost. */
function isLost({ reason, name }: NotTaken): boolean {
  if (reason === "reference") return false;
  if (reason === "not-a-pdf" || reason === "empty") return PDF_NAME.test(name);
  return true;
}

function toLost({ attachmentId, name, inside, reason, detail }: NotTaken): LostFile {
  return {
    name: name === "" ? "attachment" : name,
    size: 0,
    sha256: sha256Hex(`not taken: ${attachmentId} ${inside.join("/")} ${name}`),
    reason: `${reason}: ${detail}`,
  };
}

const describe = ({ name, reason }: NotTaken) => `${name} (${reason})`;
