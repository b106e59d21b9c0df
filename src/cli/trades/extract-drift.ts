/** `postroom extract --drift`: senders whose documents yield fewer trades than before. */
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { type Output, plain } from "../base/output.ts";

export async function printDrift(isJson: boolean, output: Output): Promise<void> {
  await withApi(async (api) => {
    const { yields, alarms } = await answerOf(api.client.GET("/api/drift"));
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
