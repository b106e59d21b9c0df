/**
 * Reads a document with what a reviewer gives for it: its password, or another file in its place. It is read at once,
 * so that the reviewer learns at once that a password is wrong, and no password is stored. What was read, the
 * decision and the job that carries it out are one transaction. Ingestion then continues as if it had read the file
 * itself: the sender of the mail is judged as before.
 */
import { archiveProcessedPdf } from "../../archive/archive-pdf.ts";
import { getDocument, type TradeDocument } from "../../ingestion/document-table.ts";
import { putStage } from "../../ingestion/journal-table.ts";
import { Fault } from "../../lib/fault.ts";
import { sha256Hex } from "../../lib/hash.ts";
import { admitPdf } from "../../reading/admit-file.ts";
import { decideReview } from "../../review/decide-review.ts";
import { objectionTo, type ReviewDecision } from "../../review/review.ts";
import { getReview } from "../../review/review-table.ts";
import { applyReview } from "../specs/ingestion.ts";
import type { GivenForReview, ReadAgainAnswer } from "../specs/read-again.ts";
import type { IngestNeeds } from "./stages/needs.ts";
import { givenStage, type StageResult, toStageResult } from "./stages/read-document.ts";

export async function readAgain(
  needs: IngestNeeds,
  id: number,
  help: GivenForReview,
  by: string,
): Promise<ReadAgainAnswer> {
  const review = await getReview(needs.database, id);
  if (review === null) return { kind: "unknown" };
  const why = objectionTo(review, { action: "unlock" });
  if (why !== null) return { kind: "objection", why };
  const document = (await getDocument(needs.database, review.documentId!))!;
  if (document.status !== "unreadable")
    return { kind: "objection", why: "the document could be read; nothing needs to be given" };
  const read =
    help.kind === "password"
      ? await unlock(needs, document, help.password)
      : await replace(needs, document, help);
  if ("why" in read) return { kind: "unreadable", why: read.why };
  return needs.database.transaction(async (tx) => {
    const { decision, result } = read;
    const decided = await decideReview(tx, id, { decision, by });
    if (decided.kind !== "decided") return decided;
    await putStage(tx, givenStage(document), result, by);
    const [jobId] = await needs.jobs.add(tx, applyReview, [
      {
        subjectId: String(id),
        idempotencyKey: `review-${id}-${needs.random.uuid()}`,
        payload: { review: id },
      },
    ]);
    return { kind: "read", decision, jobId: jobId! };
  });
}

type Attempt =
  | { readonly decision: ReviewDecision; readonly result: StageResult }
  | { readonly why: string };

async function unlock(
  needs: IngestNeeds,
  document: TradeDocument,
  password: string,
): Promise<Attempt> {
  const bytes =
    (await needs.files.get(document.sha256)) ??
    (document.archivePath === null ? null : await needs.blobs.get(document.archivePath));
  if (bytes === null)
    throw new Fault("spool.missing", "no spool that this machine reaches has the file", {
      facts: { file: document.sha256 },
    });
  const result = await toStageResult(needs, await needs.pdfs.read(bytes, undefined, password));
  return "unreadable" in result
    ? { why: explain(result.unreadable) }
    : { decision: { action: "unlock" }, result };
}

async function replace(
  needs: IngestNeeds,
  document: TradeDocument,
  { filename, bytes }: GivenForReview & { kind: "file" },
): Promise<Attempt> {
  const admitted = admitPdf(filename, bytes);
  if (!admitted.ok) return { why: `${admitted.reason}: ${admitted.detail}` };
  const sha256 = sha256Hex(bytes);
  if (sha256 === document.sha256) return { why: "this is the file that could not be read" };
  const result = await toStageResult(needs, await needs.pdfs.read(bytes));
  if ("unreadable" in result) return { why: explain(result.unreadable) };
  const { name } = admitted.file;
  // Before the decision: a decision never names a file that nobody has.
  const archivePath = await archiveProcessedPdf(needs, {
    senderEmail: document.senderEmail,
    receivedDate: document.receivedAt,
    uniqueId: sha256.slice(0, 16),
    source: "manual_upload",
    pdfBytes: bytes,
    filename: name,
    sha256,
  });
  return { decision: { action: "replace", filename: name, sha256, archivePath }, result };
}

/** The reason in words for the reviewer, without its code. */
function explain(unreadable: string): string {
  const missing = /^no-trade: (.*)$/.exec(unreadable)?.[1];
  return missing === undefined
    ? unreadable.replace(/^encrypted: /, "")
    : `the file was read, but no trade was found in it (${missing}); enter it with correct, or close the question with not-a-note`;
}
