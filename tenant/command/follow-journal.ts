import type { AdminClient } from "../admin/admin-client.ts";
import type { JournalEntry } from "../journal.ts";

const PAUSE_MS = 250;

/** Reads the journal page by page; with `follow`, continues until the process ends. */
export async function followJournal(
  client: AdminClient,
  wanted: { after: number; kind: string | null },
  show: (entry: JournalEntry) => void,
  follow: boolean,
): Promise<void> {
  let after = wanted.after;
  for (;;) {
    const { value } = await client.call<{ value: JournalEntry[] }>(
      "GET",
      `/journal?after=${after}`,
    );
    for (const entry of value) {
      if (wanted.kind === null || entry.kind.startsWith(wanted.kind)) show(entry);
      after = entry.sequence;
    }
    if (value.length > 0) continue;
    if (!follow) return;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
