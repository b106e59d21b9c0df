/** Notices when a sender's documents stop yielding trades: its layout has probably changed. */

export interface YieldRow {
  sender: string;
  /** Sortable name of the period: 2026-11, 2026-W46, 2026-11-15. */
  period: string;
  documents: number;
  /** Documents in which at least one trade was read with confidence. */
  yielded: number;
}

export interface DriftAlarm {
  sender: string;
  /** The first period of the decline. */
  period: string;
  /** Share of documents that yielded, now and before. */
  now: number;
  before: number;
  /** Number of documents since the decline began. */
  documents: number;
}

/** With fewer documents than this, nothing can be said about a sender. */
const DOCUMENTS_MIN = 5;
/** Three standard errors of the earlier share: one false alarm in about seven hundred quiet periods. */
const ERRORS = 3;
const FALL_MIN = 0.15;

/** Compares each sender's latest periods, as many as contain enough documents, with all earlier ones. */
export function findDrift(rows: readonly YieldRow[]): DriftAlarm[] {
  const alarms: DriftAlarm[] = [];
  for (const [sender, own] of groupBySender(rows)) {
    const from = startOfLatest(own);
    const latest = own.slice(from);
    const earlier = own.slice(0, from);
    const documents = sum(earlier, (row) => row.documents);
    const recent = sum(latest, (row) => row.documents);
    if (recent < DOCUMENTS_MIN || documents < DOCUMENTS_MIN) continue;
    const before = sum(earlier, (row) => row.yielded) / documents;
    const now = sum(latest, (row) => row.yielded) / recent;
    // The share is shifted towards one half, so that a perfect past still has a spread.
    const smooth = (before * documents + 1) / (documents + 2);
    const error = Math.sqrt(smooth * (1 - smooth) * (1 / recent + 1 / documents));
    if (before - now >= Math.max(FALL_MIN, ERRORS * error)) {
      alarms.push({ sender, period: latest[0]!.period, now, before, documents: recent });
    }
  }
  return alarms.sort(
    (a, b) => b.before - b.now - (a.before - a.now) || (a.sender < b.sender ? -1 : 1),
  );
}

/**
 * Index where the latest periods start. A period that has only just begun has too few documents, so earlier
 * ones are added.
 */
function startOfLatest(rows: readonly YieldRow[]): number {
  let documents = 0;
  for (let at = rows.length - 1; at >= 0; at--) {
    documents += rows[at]!.documents;
    if (documents >= DOCUMENTS_MIN) return at;
  }
  return 0;
}

function groupBySender(rows: readonly YieldRow[]): Map<string, YieldRow[]> {
  const groups = new Map<string, YieldRow[]>();
  for (const row of rows) {
    const list = groups.get(row.sender);
    if (list) list.push(row);
    else groups.set(row.sender, [row]);
  }
  for (const list of groups.values())
    list.sort((a, b) => (a.period < b.period ? -1 : a.period > b.period ? 1 : 0));
  return groups;
}

function sum(rows: readonly YieldRow[], value: (row: YieldRow) => number): number {
  return rows.reduce((total, row) => total + value(row), 0);
}
