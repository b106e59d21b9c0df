/**
 * Named places at which a test can kill the process. A chaos run enumerates them and reports which ones it
 * reached. They do nothing unless a test arms them.
 */
export const KILL_POINTS = {
  "intake.json-parsed": "JSON parsed",
  "intake.secrets-checked": "clientState checked",
  "intake.insert-sent": "insert sent",
  "intake.committed": "commit acknowledged",
  "intake.answered": "202 written",
  "dispatch.outbox-locked": "outbox rows locked",
  "dispatch.sent": "sent to the broker",
  "dispatch.acknowledged": "broker acknowledged",
  "dispatch.outbox-marked": "outbox rows marked",
  "jobs.ticket-received": "ticket received, job not yet leased",
  "jobs.leased": "job leased, handler not yet run",
  "jobs.handler-done": "handler done, nothing committed",
  "jobs.effects-committed": "effects committed, job not settled",
  "jobs.settled": "job settled",
  "ingest.job-leased": "job leased",
  "ingest.success-checked": "earlier success checked",
  "ingest.claim-open": "claim transaction open",
  "ingest.claimed": "claim committed",
  "ingest.message-read": "message read",
  "ingest.attachment-hashed": "attachment bytes read and hashed",
  "ingest.sandbox-running": "sandbox running",
  "ingest.extraction-stored": "extraction stored in the journal",
  "ingest.archive-sent": "archive write sent",
  "ingest.archived": "archive acknowledged",
  "ingest.settlement-open": "final transaction open",
  "ingest.settlement-committed": "final commit acknowledged",
  "ingest.job-settled": "job settled",
  "delta.page-read": "page read",
  "delta.page-open": "page transaction open",
  "delta.page-committed": "page committed",
  "delta.link-committed": "deltaLink committed",
  "subscription.pending-committed": "pending row committed",
  "subscription.create-sent": "create sent",
  "subscription.handshake-answered": "handshake answered",
  "subscription.created": "created",
  "subscription.activated": "row activated",
  "subscription.renewal-sent": "renewal sent",
  "subscription.expiry-stored": "new expiry stored",
  "office.save-begun": "save taken, nothing on the drive",
  "office.files-stored": "all files of a save on the drive, no job yet",
  "office.accepted": "job of a save committed, nothing answered",
  "office.main-recorded": "main record of a save written",
  "office.artifacts-written": "artifacts of a save written, job not done",
  "filing.intent-committed": "intent committed",
  "filing.session-created": "upload session created",
  "filing.session-stored": "upload session stored",
  "filing.chunk-sent": "chunk sent",
  "filing.progress-stored": "progress stored",
  "filing.file-complete": "file complete on the drive",
  "filing.item-stored": "drive item stored",
  "filing.record-written": "record written",
  "filing.record-stored": "record stored",
  "filing.attachments-filed": "attachments filed, job not yet settled",
  "profile.pending": "record marked as pending, file not yet read",
  "profile.answered": "model has answered, answer not yet stored",
  "profile.stored": "profile stored, record not yet written",
  "profile.recorded": "record written, job not yet settled",
  "index.text-read": "text read and cut, index not yet written",
  "index.chunks-written": "chunks written, record not yet marked",
} as const;

export type KillPoint = keyof typeof KILL_POINTS;

const armed = new Map<KillPoint, () => void | Promise<void>>();

/** Marks a named place. Await it if the armed action may take time. */
export function killPoint(point: KillPoint): void | Promise<void> {
  if (armed.size === 0) return;
  return armed.get(point)?.();
}

/** Arms a place for a test; the returned function disarms it. */
export function armKillPoint(point: KillPoint, action: () => void | Promise<void>): () => void {
  armed.set(point, action);
  return () => void armed.delete(point);
}

/** `intake.committed` or `intake.committed:3`: the process dies by SIGKILL on the first or third pass. */
export function armKill(setting: string): void {
  const [point, nth = "1"] = setting.split(":");
  if (point === undefined || !(point in KILL_POINTS)) throw new Error(`no kill point "${setting}"`);
  let left = Number(nth);
  armed.set(point as KillPoint, () => {
    left -= 1;
    if (left <= 0) process.kill(process.pid, "SIGKILL");
  });
}
