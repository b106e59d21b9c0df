/** `postroom extract --drift`: senders whose documents yield fewer trades than before, or wrong ones. */
import { answerOf } from "../../client/index.ts";
import { withApi } from "../base/client.ts";
import { type Output, plain } from "../base/output.ts";

export async function printDrift(isJson: boolean, output: Output): Promise<void> {
  await withApi(async (api) => {
    const found = await answerOf(api.client.GET("/api/drift"));
    if (isJson) {
      output.json(found);
      return;
    }
    const { yields, alarms, trusts, overtrusted } = found;
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
    if (trusts.length === 0) return;
    output.line();
    output.table(
      ["sender", "decided by people", "confidence", "booked as read"],
      trusts.map(({ sender, decided, said, right }) => [
        plain(sender),
        String(decided),
        percent(said),
        percent(right),
      ]),
    );
    for (const { sender, decided, said, right } of overtrusted)
      output.line(
        `${plain(sender)}: people booked ${percent(right)} of ${decided} trades as they were read, at a confidence of ${percent(said)}`,
      );
  });
}

const percent = (share: number) => `${Math.round(share * 100)} %`;
