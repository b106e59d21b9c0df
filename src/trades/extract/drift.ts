/** Notices when a sender's documents stop yielding trades: its layout has probably changed. */

export interface YieldRow {
  sender: string;
  /** Sortable name of the period: 2026-11, 2026-W46, 2026-11-15. */
  period: string;
  documents: number;
  /** Documents of which at least one trade was read with confidence. */
  yielded: number;
}

export interface DriftAlarm {
  sender: string;
  period: string;
  /** Share of documents that yielded, now and before. */
  now: number;
  before: number;
  documents: number;
}

/** Fewer documents than this say nothing about a sender. */
const DOCUMENTS_MIN = 5;
/** Three standard errors of the earlier share: one false alarm in some seven hundred quiet periods. */
const ERRORS = 3;
const FALL_MIN = 0.15;

/** Compares each sender's last period with all earlier ones. */
export function findDrift(rows: readonly YieldRow[]): DriftAlarm[] {
  const alarms: DriftAlarm[] = [];
  for (const [sender, own] of groupBySender(rows)) {
    const last = own.at(-1)!;
    const earlier = own.slice(0, -1);
    const documents = sum(earlier, (row) => row.documents);
    if (last.documents < DOCUMENTS_MIN || documents < DOCUMENTS_MIN) continue;
    const before = sum(earlier, (row) => row.yielded) / documents;
    const now = last.yielded / last.documents;
    // The share is drawn towards one half, so that a spotless past still has a spread.
    const smooth = (before * documents + 1) / (documents + 2);
    const error = Math.sqrt(smooth * (1 - smooth) * (1 / last.documents + 1 / documents));
    if (before - now >= Math.max(FALL_MIN, ERRORS * error)) {
      alarms.push({ sender, period: last.period, now, before, documents: last.documents });
    }
  }
  return alarms.sort(
    (a, b) => b.before - b.now - (a.before - a.now) || (a.sender < b.sender ? -1 : 1),
  );
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
