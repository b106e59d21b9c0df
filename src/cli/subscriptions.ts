import { Command } from "commander";
import { type ApiClient, withApi } from "./base/client.ts";
import { CommandError, EXIT } from "./base/exit.ts";
import { createOutput, type Output, plain, shortTime } from "./base/output.ts";

interface SubscriptionView {
  readonly subscriptionId: string | null;
  readonly resource: string;
  readonly status: string;
  readonly expiresAt: string | null;
  readonly lastNotificationAt: string | null;
  readonly errorCount: number;
  readonly lastError: string | null;
}

export function subscriptionsCommand(output: Output = createOutput()): Command {
  const sub = new Command("sub").description("subscriptions at Graph");
  sub
    .command("list")
    .description("every subscription, with its end and its last sign of life")
    .option("--json", "one JSON object per line")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => {
        const rows = await api.get<SubscriptionView[]>("/api/subscriptions");
        if (options.json) for (const row of rows) output.json(row);
        else if (rows.length === 0) output.note("there is no subscription");
        else
          output.table(
            ["subscription", "status", "until", "last notification", "errors", "resource"],
            rows.map((row) => [
              row.subscriptionId ?? "–",
              row.status,
              shortTime(row.expiresAt),
              shortTime(row.lastNotificationAt),
              row.errorCount === 0 ? "0" : `${row.errorCount}: ${plain(row.lastError)}`,
              plain(row.resource),
            ]),
          );
      }),
    );
  for (const [verb, what] of [
    ["ensure", "bring every mailbox to the subscription it should have, now"],
    ["rotate", "new secrets for all, or one; the old ones count until nothing uses them"],
  ] as const) {
    const command = sub
      .command(verb)
      .description(what)
      .option("--mailbox <address>", "only this mailbox")
      .option("--dry-run", "show what there is and change nothing")
      .option("--json", "one JSON object per line");
    if (verb === "rotate")
      command.option("--certificate", "also make a new key for encrypted notifications");
    command.action((options: ChangeOptions) =>
      withApi((api) => change(api, verb, options, output)),
    );
  }
  sub
    .command("orphans")
    .description("subscriptions of our apps at Graph that belong to nothing here")
    .option("--delete", "end them")
    .option("--json", "one JSON object per line")
    .action((options: { delete?: boolean; json?: boolean }) =>
      withApi(async (api) => {
        const path = "/api/subscriptions/orphans";
        const orphans = options.delete
          ? await api.delete<OrphanView[]>(path)
          : await api.get<OrphanView[]>(path);
        if (options.json) for (const orphan of orphans) output.json(orphan);
        else if (orphans.length === 0) output.note("there is no orphan");
        else
          output.table(
            ["subscription", "until", "delivers to", options.delete ? "ended" : "resource"],
            orphans.map((orphan) => [
              orphan.id,
              shortTime(orphan.expiresAt),
              plain(orphan.notificationUrl),
              plain(orphan.resource),
            ]),
          );
      }),
    );
  return sub;
}

interface OrphanView {
  readonly id: string;
  readonly resource: string;
  readonly notificationUrl: string;
  readonly expiresAt: string;
}

interface ChangeOptions {
  readonly mailbox?: string;
  readonly certificate?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface EnsureReport {
  readonly mailbox: string;
  readonly result: string;
  readonly error?: string;
}

async function change(
  api: ApiClient,
  verb: string,
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const { mailbox, certificate } = options;
  if (options.dryRun) {
    for (const row of await api.get<SubscriptionView[]>("/api/subscriptions")) output.json(row);
    return;
  }
  const reports = await api.post<EnsureReport[]>(`/api/subscriptions/${verb}`, {
    ...(mailbox === undefined ? {} : { mailbox }),
    ...(certificate ? { certificate } : {}),
  });
  for (const report of reports) {
    if (options.json) output.json(report);
    else
      output.line(
        `${plain(report.mailbox)}: ${report.result}${report.error === undefined ? "" : ` (${plain(report.error)})`}`,
      );
  }
  if (reports.some((report) => report.result === "failed"))
    throw new CommandError("not every mailbox has its subscription", EXIT.failed);
}
