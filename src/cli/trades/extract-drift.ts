/** `postroom extract --drift`: senders whose documents yield fewer trades than before. */
import { withApi } from "../base/client.ts";
import { type Output, plain } from "../base/output.ts";

interface DriftView {
  readonly yields: readonly {
    readonly sender: string;
    readonly period: string;
    readonly documents: number;
    readonly yielded: number;
  }[];
  readonly alarms: readonly {
    readonly sender: string;
    readonly period: string;
    readonly now: number;
    readonly before: number;
    readonly documents: number;
  }[];
}

export async function printDrift(isJson: boolean, output: Output): Promise<void> {
  await withApi(async (api) => {
    const { yields, alarms } = await api.get<DriftView>("/api/drift", {});
    if (isJson) {
      output.json({ yields, alarms });
      return;
    }
    output.table(
      ["sender", "week", "documents", "with trades"],
      yields.map((row) => [
        plain(row.sender),
        row.period,
        String(row.documents),
        String(row.yielded),
      ]),
    );
    if (alarms.length === 0) output.line("no sender yields fewer trades than before");
    for (const { sender, period, now, before, documents } of alarms)
      output.line(
        `${plain(sender)}: ${percent(now)} of ${documents} documents since ${period} yielded trades, down from ${percent(before)}`,
      );
  });
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
