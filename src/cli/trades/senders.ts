import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { toDay } from "../base/values.ts";

interface Options {
  json?: boolean;
  dryRun?: boolean;
  until?: string;
}

export function sendersCommand(output: Output = createOutput()): Command {
  const senders = new Command("senders").description(
    "manage approved senders: brokers whose notes may be booked without a question",
  );
  senders
    .command("list")
    .description("list approved senders")
    .option("--json", "print one JSON object per line")
    .action((options: Options) => withApi((api) => listSenders(api, options, output)));
  senders
    .command("approve <sender>")
    .description("approve an address, or everybody at a domain, as in @broker.example")
    .option("--until <date>", "last day of the approval, as in 2027-06-30 (default: no end)", toDay)
    .option("--dry-run", "check without approving")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom senders approve @broker.example --until 2027-06-30",
    )
    .action((sender: string, options: Options) =>
      withApi((api) => approve(api, sender, options, output)),
    );
  senders
    .command("revoke <sender>")
    .description("revoke an approval; notes from this sender become questions again")
    .option("--dry-run", "check without revoking")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom senders revoke desk@broker.example")
    .action((sender: string, options: Options) =>
      withApi((api) => revoke(api, sender, options, output)),
    );
  return senders;
}

async function listSenders(api: ApiClient, options: Options, output: Output): Promise<void> {
  const senders = await rowsOf(
    (cursor) => answerOf(api.client.GET("/api/senders", { params: { query: { cursor } } })),
    (page) => page.senders,
  );
  if (options.json) for (const sender of senders) output.json(sender);
  else if (senders.length === 0)
    output.note("no sender is approved yet; approve one with postroom senders approve ADDRESS");
  else {
    output.table(
      ["sender", "approved by", "at", "until"],
      senders.map((sender) => [
        plain(sender.pattern),
        plain(sender.approvedBy),
        shortTime(sender.approvedAt),
        sender.until ?? "",
      ]),
    );
  }
}

async function approve(
  api: ApiClient,
  sender: string,
  options: Options,
  output: Output,
): Promise<void> {
  const { until, dryRun = false } = options;
  const answer = await answerOf(
    api.client.POST("/api/senders", { body: { sender, until, dryRun } }),
  );
  if (options.json) output.json(answer);
  else output.line(`${plain(answer.pattern)}: ${dryRun ? "can be approved" : "approved"}`);
}

async function revoke(
  api: ApiClient,
  sender: string,
  options: Options,
  output: Output,
): Promise<void> {
  const { dryRun = false } = options;
  const answer = await answerOf(
    api.client.DELETE("/api/senders/{sender}", {
      params: { path: { sender }, query: { dryRun: dryRun ? "true" : "false" } },
    }),
  );
  if (options.json) output.json(answer);
  else output.line(`${plain(answer.pattern)}: ${dryRun ? "can be revoked" : "revoked"}`);
}
