/**
 * Checks whether the log matches the mailbox. Every message of every watched folder is listed and compared with
 * what the events say about it. Each difference is checked once more by id, because the mailbox changes
 * while it is listed, and then reported with a cause. A repair first sets our state back to what the log
 * says, so that the next look records exactly what the log lacks. Finally, ingestion is checked for the messages in its
 * scope: one that has neither a result nor a job is a finding too, and a repair ingests it.
 */
import type { Clock } from "../../lib/clock.ts";
import { isSameSet } from "../events/diff-message.ts";
import { rewindToLog } from "../events/event-log.ts";
import { type LoggedMessage, loadLog } from "../events/event-table.ts";
import { type LookNeeds, lookAndRecord } from "../events/look-and-record.ts";
import { findFolders } from "../folders/folder-table.ts";
import { type Mailbox, markAudited } from "../mailbox-table.ts";
import { lookAtMessages } from "../messages/look-at-messages.ts";
import { isOwnMail, toMessageState } from "../messages/message.ts";
import type { ListedMessage } from "./audit-page-table.ts";
import { type ListOptions, listMailbox } from "./list-mailbox.ts";

export interface AuditNeeds extends LookNeeds {
  readonly clock: Clock;
  readonly ingestion?: IngestionAudit;
}

export interface IngestionAudit {
  /** Messages in the scope of ingestion that have neither a result nor a job. */
  findForgotten(mailbox: Mailbox, since: Date | null): Promise<string[]>;
  ingest(mailbox: Mailbox, messageIds: readonly string[]): Promise<void>;
}

export interface Finding {
  readonly messageId: string;
  /** `missing` from the log, `extra` in the log, `stale` in the log, or `forgotten` by ingestion. */
  readonly kind: "missing" | "extra" | "stale" | "forgotten";
  readonly cause: string;
  readonly subject: string | null;
}

export interface AuditReport {
  readonly mailbox: string;
  readonly since: Date | null;
  readonly inMailbox: number;
  readonly inLog: number;
  readonly findings: readonly Finding[];
  readonly repaired: number;
}

export interface AuditOptions extends ListOptions {
  readonly repair: boolean;
}

const LOOK_AT_ONCE = 200;

export async function auditMailbox(
  needs: AuditNeeds,
  mailbox: Mailbox,
  options: AuditOptions,
): Promise<AuditReport> {
  const present = await listMailbox(needs, mailbox, options);
  const log = await loadWatchedLog(needs, mailbox, options);
  const suspects = [...new Set([...present.keys(), ...log.keys()])].filter(
    (id) => judge(present.get(id) ?? null, log.get(id) ?? null) !== null,
  );
  const differences = await confirm(needs, mailbox, suspects, options);
  if (options.repair) await repair(needs, mailbox, differences);
  const findings = [...differences, ...(await auditIngestion(needs, mailbox, options))];
  const inLog = [...log.values()].filter((logged) => !logged.isDeleted).length;
  const inMailbox = present.size;
  await markAudited(needs.database, mailbox.id, { inMailbox, inLog, findings: findings.length });
  return {
    mailbox: mailbox.address,
    since: options.since,
    inMailbox,
    inLog,
    findings,
    repaired: options.repair ? findings.length : 0,
  };
}

async function auditIngestion(
  { ingestion, graphOf }: AuditNeeds,
  mailbox: Mailbox,
  options: AuditOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  const forgotten = (await ingestion?.findForgotten(mailbox, options.since)) ?? [];
  for (let from = 0; from < forgotten.length; from += LOOK_AT_ONCE) {
    const ids = forgotten.slice(from, from + LOOK_AT_ONCE);
    for (const look of await lookAtMessages(graphOf(mailbox), mailbox, ids)) {
      // A message that is gone, or that we sent ourselves, is not ingested.
      if (look.kind === "gone" || isOwnMail(look.message)) continue;
      const { id: messageId, subject } = look.message;
      const cause = "ingestion has neither a result nor a job for it";
      findings.push({ messageId, kind: "forgotten", cause, subject: subject ?? null });
    }
  }
  const ids = findings.map((finding) => finding.messageId);
  if (options.repair && ids.length > 0) await ingestion!.ingest(mailbox, ids);
  return findings;
}

/** What is wrong in the log about a message; null if log and mailbox agree. */
function judge(
  actual: ListedMessage | null,
  logged: LoggedMessage | null,
): Pick<Finding, "kind" | "cause"> | null {
  if (actual === null) {
    if (logged === null || logged.isDeleted) return null;
    return { kind: "extra", cause: "it is gone from the mailbox and the log has no deletion" };
  }
  if (logged === null) return { kind: "missing", cause: "the log has no event of it" };
  if (logged.isDeleted) return { kind: "stale", cause: "the log says deleted, the mailbox has it" };
  if (!logged.hasBeginning)
    return { kind: "missing", cause: "the event of its arrival is gone from the log" };
  const differences = [
    actual.folderId === logged.folderId ? null : "folder",
    actual.isRead === logged.isRead ? null : "read state",
    actual.flag === logged.flag ? null : "flag",
    isSameSet(actual.categories, logged.categories) ? null : "categories",
  ].filter((name) => name !== null);
  return differences.length === 0
    ? null
    : { kind: "stale", cause: `the log has another ${differences.join(", ")}` };
}

/** The log of watched folders: a message that moved to an excluded one counts as gone. */
async function loadWatchedLog(
  needs: AuditNeeds,
  mailbox: Mailbox,
  options: AuditOptions,
  only: readonly string[] | null = null,
): Promise<Map<string, LoggedMessage>> {
  const log = await loadLog(needs.database, mailbox.id, options.since, only);
  const excluded = await excludedFolders(needs, mailbox);
  for (const [id, logged] of log) {
    if (excluded.has(logged.folderId)) log.set(id, { ...logged, isDeleted: true });
  }
  return log;
}

async function excludedFolders(needs: AuditNeeds, mailbox: Mailbox): Promise<ReadonlySet<string>> {
  const folders = await findFolders(needs.database, mailbox.id);
  return new Set(folders.filter((folder) => folder.isExcluded).map((folder) => folder.folderId));
}

/** Looks at each suspect again and compares it with the current log. */
async function confirm(
  needs: AuditNeeds,
  mailbox: Mailbox,
  suspects: readonly string[],
  options: AuditOptions,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let from = 0; from < suspects.length; from += LOOK_AT_ONCE) {
    const ids = suspects.slice(from, from + LOOK_AT_ONCE);
    const looks = await lookAtMessages(needs.graphOf(mailbox), mailbox, ids);
    const log = await loadWatchedLog(needs, mailbox, options, ids);
    const excluded = await excludedFolders(needs, mailbox);
    for (const [index, messageId] of ids.entries()) {
      const look = looks[index]!;
      const state =
        look.kind === "gone"
          ? null
          : toMessageState(look.message, null, "", new Date(needs.clock.now()));
      const actual = state === null || excluded.has(state.folderId) ? null : state;
      const logged = log.get(messageId) ?? null;
      const judgement = judge(actual, logged);
      if (judgement !== null)
        findings.push({
          messageId,
          ...judgement,
          subject: actual?.subject ?? logged?.subject ?? null,
        });
    }
  }
  return findings;
}

async function repair(
  needs: AuditNeeds,
  mailbox: Mailbox,
  findings: readonly Finding[],
): Promise<void> {
  for (let from = 0; from < findings.length; from += LOOK_AT_ONCE) {
    const ids = findings.slice(from, from + LOOK_AT_ONCE).map((finding) => finding.messageId);
    await needs.database.transaction((tx) => rewindToLog(tx, mailbox.id, ids));
    await lookAndRecord(needs, mailbox, ids, "audit");
  }
}
