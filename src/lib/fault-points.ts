/**
 * The places at which a process may die, by name, so that a chaos run can enumerate them and report
 * which ones it reached. They do nothing unless a test arms them.
 */
export const FAULT_POINTS = {
  I1: "intake: body read",
  I2: "intake: JSON parsed",
  I3: "intake: clientState checked",
  I4: "intake: insert sent",
  I5: "intake: commit acknowledged",
  I6: "intake: 202 written",
  D1: "dispatch: outbox rows locked",
  D2: "dispatch: sent to the broker",
  D3: "dispatch: broker acknowledged",
  D4: "dispatch: outbox rows marked",
  J1: "jobs: job taken, key not yet claimed",
  J2: "jobs: key claimed, handler not yet run",
  J3: "jobs: handler done, nothing committed",
  J4: "jobs: effects committed, job not settled",
  J5: "jobs: job settled",
  W1: "ingest: job leased",
  W2: "ingest: earlier success checked",
  W3: "ingest: claim transaction open",
  W4: "ingest: claim committed",
  W5: "ingest: message read",
  W6: "ingest: attachment bytes read and hashed",
  W7: "ingest: sandbox running",
  W8: "ingest: extraction stored in the journal",
  W9: "ingest: archive write sent",
  W10: "ingest: archive acknowledged",
  W11: "ingest: final transaction open",
  W12: "ingest: final commit acknowledged",
  W13: "ingest: job settled",
  Y1: "delta: page read",
  Y2: "delta: page transaction open",
  Y3: "delta: page committed",
  Y4: "delta: deltaLink committed",
  B1: "subscription: pending row committed",
  B2: "subscription: create sent",
  B3: "subscription: handshake answered",
  B4: "subscription: created",
  B5: "subscription: row activated",
  B6: "subscription: renewal sent",
  B7: "subscription: new expiry stored",
  U1: "filing: intent committed",
  U2: "filing: upload session created",
  U3: "filing: upload session stored",
  U4: "filing: chunk sent",
  U5: "filing: progress stored",
  U6: "filing: file complete on the drive",
  U7: "filing: drive item stored",
  U8: "filing: record written",
  U9: "filing: record stored",
  U10: "filing: attachments filed, job not yet settled",
} as const;

export type FaultPoint = keyof typeof FAULT_POINTS;

const armed = new Map<FaultPoint, () => void | Promise<void>>();

/** Passes a named place. Await it where the armed action may take time. */
export function fault(point: FaultPoint): void | Promise<void> {
  if (armed.size === 0) return;
  return armed.get(point)?.();
}

/** Arms a place for a test; the answer disarms it. */
export function armFaultPoint(point: FaultPoint, action: () => void | Promise<void>): () => void {
  armed.set(point, action);
  return () => void armed.delete(point);
}

/** `I5` or `I5:3`: dies with SIGKILL when the place is passed for the first or the third time. */
export function armKill(setting: string): void {
  const [point, nth = "1"] = setting.split(":");
  if (point === undefined || !(point in FAULT_POINTS))
    throw new Error(`no fault point "${setting}"`);
  let left = Number(nth);
  armed.set(point as FaultPoint, () => {
    left -= 1;
    if (left <= 0) process.kill(process.pid, "SIGKILL");
  });
}
