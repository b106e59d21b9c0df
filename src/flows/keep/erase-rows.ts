/**
 * Erases the rows of one person that no legal hold keeps: each table's own file says what goes, and this file says in
 * which order, in one transaction. Keys between the tables dictate the order, and what finds other rows goes last.
 */
import { eraseAnalyses } from "../../analysis/analysis-table.ts";
import { eraseUsage } from "../../analysis/usage-table.ts";
import { erasePending } from "../../archive/pending-table.ts";
import { eraseFilings, findSpooled } from "../../filing/filing-table.ts";
import { eraseCalls } from "../../filing/office/call-limit-table.ts";
import { eraseSaves } from "../../filing/office/office-save-table.ts";
import { eraseAliases } from "../../ingestion/alias-table.ts";
import { eraseDocuments, findUndocumented } from "../../ingestion/document-table.ts";
import { eraseEffects } from "../../ingestion/effect-table.ts";
import { findMailOf, type IngestionTable, redactMail } from "../../ingestion/ingestion-table.ts";
import { eraseStages } from "../../ingestion/journal-table.ts";
import { eraseSpoolFiles } from "../../ingestion/spool-table.ts";
import { eraseTrace } from "../../ingestion/trace-table.ts";
import { eraseJobs } from "../../jobs/job-table.ts";
import { deleteJobEvents } from "../../jobs/status/job-event-table.ts";
import {
  type ErasedRow,
  toErased,
  toKept,
  toOutside,
  toRedacted,
} from "../../keep/erasing/erased-row.ts";
import {
  findKeptBeside,
  findKeptOfPerson,
  findKeptOfTrades,
  keptTrades,
} from "../../keep/erasing/find-kept.ts";
import {
  collectScope,
  type ErasedPerson,
  type Scope,
  type ScopeNote,
} from "../../keep/erasing/scope.ts";
import { eraseConsents } from "../../mailbox/consent-table.ts";
import { eraseConsentRequests } from "../../mailbox/consents/consent-request-table.ts";
import { eraseNotices } from "../../mailbox/consents/notice-table.ts";
import { eraseEvents, redactEvents } from "../../mailbox/events/event-table.ts";
import { removeMailboxes } from "../../mailbox/mailbox-table.ts";
import { redactMessages } from "../../mailbox/messages/message-table.ts";
import { eraseNotifications } from "../../mailbox/notifications/notification-table.ts";
import { eraseSnapshots } from "../../mailbox/notifications/snapshot-table.ts";
import { eraseAuditPages } from "../../mailbox/operating/audit-page-table.ts";
import { eraseSharedSubscriptions } from "../../mailbox/subscriptions/subscription-table.ts";
import { eraseReviews } from "../../review/review-table.ts";
import { findIndexedOf } from "../../search/indexed-document-table.ts";
import { eraseOutbox } from "../../sinks/sink-outbox-table.ts";
import type { Transaction } from "../../store/database.ts";
import { eraseDecisions } from "../../trades/decision-table.ts";
import { eraseLinks } from "../../trades/document-link-table.ts";
import { eraseOrders } from "../../trades/orders/order-table.ts";
import { erasePerson } from "../../trades/senders/person-table.ts";
import { revokeSender } from "../../trades/senders/sender-table.ts";
import { eraseTradeChanges } from "../../trades/trade-change-table.ts";
import { eraseTradeLines } from "../../trades/trade-line-table.ts";
import { eraseTrades } from "../../trades/trade-table.ts";

export interface EraseRowsNeeds {
  readonly table: IngestionTable;
  /** What the API keeps: its tables are above the flows. */
  readonly answers: {
    erase(
      tx: Transaction,
      of: { readonly callers: readonly string[]; readonly words: readonly string[] },
    ): Promise<void>;
  };
  readonly actions: {
    /** Returns the actions that stay without the person's name. */
    redact(
      tx: Transaction,
      person: { readonly address: string; readonly ids: readonly string[] },
    ): Promise<string[]>;
  };
}

/** What goes: the scope without everything that is kept. */
interface Gone extends ErasedPerson {
  readonly names: readonly string[];
  readonly trades: readonly string[];
  readonly notes: readonly ScopeNote[];
  /** IDs of the notes. */
  readonly documents: readonly string[];
  readonly heldPeople: readonly string[];
  readonly heldMessages: readonly string[];
}

export async function eraseRows(
  tx: Transaction,
  person: ErasedPerson,
  needs: EraseRowsNeeds,
): Promise<ErasedRow[]> {
  const scope = await collectScope(tx, person);
  const kept = keptTrades(scope);
  if (scope.hold !== null) return [...kept, ...(await findKeptOfPerson(tx, scope))];
  kept.push(...(await findKeptBeside(tx, scope)));
  const gone = leaveOutWhatIsKept(scope);
  const trades = await eraseTradesAndNotes(tx, gone);
  const mail = await findMailWithoutNote(tx, needs.table, gone);
  return [
    ...kept,
    ...trades,
    ...(await eraseIngestion(tx, needs.table, gone, mail)),
    ...(await eraseEventsOfMail(tx, gone)),
    ...(await eraseFiled(tx, gone)),
    ...(await eraseRest(tx, needs, gone, mail)),
    ...(await eraseMailboxes(tx, gone)),
    ...(await findKeptOfTrades(tx, scope)),
    ...(await needs.actions.redact(tx, gone)).map((id) => toKept("action", id, ACTION_STAYS)),
  ];
}

const ACTION_STAYS = "who did what must stay provable; the name was removed";

function leaveOutWhatIsKept(scope: Scope): Gone {
  const { address, ids, mailboxes, names, heldPeople, heldMessages } = scope;
  const notes = scope.notes.filter(({ hold, isOfOthers }) => hold === null && !isOfOthers);
  return {
    address,
    ids,
    mailboxes,
    names,
    notes,
    trades: scope.trades.filter(({ hold }) => hold === null).map(({ id }) => id),
    documents: notes.map(({ id }) => id),
    heldPeople: [...heldPeople.keys()],
    heldMessages: [...heldMessages.keys()],
  };
}

async function eraseTradesAndNotes(tx: Transaction, gone: Gone): Promise<ErasedRow[]> {
  const questions = await eraseReviews(tx, gone);
  await eraseDecisions(tx, gone);
  await eraseLinks(tx, gone);
  await eraseTradeLines(tx, gone);
  await eraseTradeChanges(tx, gone.trades);
  return [
    toErased("questions", questions),
    toErased("trades", await eraseTrades(tx, gone.trades)),
    toErased("notes", await eraseDocuments(tx, gone.documents)),
    toErased("orders", await eraseOrders(tx, gone)),
  ];
}

/** Also mail that never had a note. */
async function findMailWithoutNote(
  tx: Transaction,
  table: IngestionTable,
  { address, notes }: Gone,
): Promise<string[]> {
  const ofNotes = notes.flatMap(({ messageId }) => (messageId === null ? [] : [messageId]));
  const messageIds = [...ofNotes, ...(await findMailOf(tx, table, address))];
  return findUndocumented(tx, "message_id", messageIds);
}

/** The same file may have come from somebody else too; then it stays. */
async function eraseIngestion(
  tx: Transaction,
  table: IngestionTable,
  gone: Gone,
  mail: readonly string[],
): Promise<ErasedRow[]> {
  const { notes } = gone;
  const archived = notes.flatMap(({ archivePath }) => (archivePath === null ? [] : [archivePath]));
  const paths = await findUndocumented(tx, "archive_path", archived);
  const sha256s = await findUndocumented(
    tx,
    "sha256",
    notes.map(({ sha256 }) => sha256),
  );
  await erasePending(tx, { paths, sha256s });
  await eraseStages(tx, notes, mail);
  await eraseEffects(tx, notes);
  return [
    ...paths.map((path) => toOutside("file", "archive", path)),
    toErased("traces of ingestion", await eraseTrace(tx, mail)),
    toRedacted("rows of the shared table", await redactMail(tx, table, gone)),
  ];
}

async function eraseEventsOfMail(tx: Transaction, gone: Gone): Promise<ErasedRow[]> {
  const events = await eraseEvents(tx, gone);
  const sent = await redactEvents(tx, gone);
  await redactMessages(tx, gone);
  return [toErased("events", events), toRedacted("events of mail that they sent to others", sent)];
}

/** The index, analyses, filings and saves, and the files in the spool, which notes and filings share. */
async function eraseFiled(tx: Transaction, gone: Gone): Promise<ErasedRow[]> {
  const { ids, notes } = gone;
  const documentIds = await findIndexedOf(tx, gone);
  const analyses = await eraseAnalyses(tx, { personIds: ids, documentIds });
  const filings = await eraseFilings(tx, gone);
  await eraseSaves(tx, gone);
  await eraseCalls(tx, ids);
  await eraseUsage(tx, ids);
  const files = [...notes, ...filings].flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256]));
  const undocumented = await findUndocumented(tx, "sha256", files);
  const needed = await findSpooled(tx, undocumented);
  const unused = undocumented.filter((sha256) => !needed.has(sha256));
  await eraseSpoolFiles(tx, unused);
  return [
    ...documentIds.map((id) => toOutside("index", "search", id)),
    toErased("analyses", analyses),
    toErased("rows about filed mail", filings.length),
    ...unused.map((sha256) => toOutside("file", "spool", sha256)),
  ];
}

/** What is left once trades, mail and documents are gone: people, jobs, messages to other programs, answers. */
async function eraseRest(
  tx: Transaction,
  { answers }: EraseRowsNeeds,
  gone: Gone,
  mail: readonly string[],
): Promise<ErasedRow[]> {
  const words = [gone.address, ...gone.trades, ...gone.documents];
  await eraseOutbox(tx, words);
  await answers.erase(tx, { callers: gone.ids, words });
  await erasePerson(tx, gone);
  await revokeSender(tx, gone.address);
  const subjects = [...gone.notes.map(({ sha256 }) => sha256), ...mail];
  const jobs = await eraseJobs(tx, { ...gone, subjects });
  await deleteJobEvents(tx, jobs);
  return [toErased("finished jobs", jobs.length)];
}

/** Subscriptions go with their mailbox; until then, snapshots and notifications are found by them. */
async function eraseMailboxes(tx: Transaction, gone: Gone): Promise<ErasedRow[]> {
  const { address, ids, mailboxes } = gone;
  await eraseSnapshots(tx, gone);
  await eraseNotifications(tx, gone);
  await eraseAuditPages(tx, gone);
  await eraseAliases(tx, gone);
  await eraseSharedSubscriptions(tx, [address, encodeURIComponent(address), ...ids]);
  const removed = await removeMailboxes(tx, mailboxes);
  await eraseConsents(tx, gone);
  await eraseConsentRequests(tx, gone);
  await eraseNotices(tx, ids);
  return [toErased("mailboxes", removed)];
}
