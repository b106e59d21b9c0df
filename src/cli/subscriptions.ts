import { Command } from "commander";
import { loadConfig, processEnvironment } from "../config.ts";
import { type ApiClient, withApi } from "./client.ts";
import { CommandError, EXIT } from "./exit.ts";
import { createOutput, type Output, plain, shortTime } from "./output.ts";

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
  sub
    .command("ensure")
    .description("bring every mailbox to the subscription it should have, now")
    .option("--json", "one JSON object per line")
    .action((options: { json?: boolean }) => withApi((api) => ensure(api, options, output)));
  return sub;
}

interface EnsureReport {
  readonly mailbox: string;
  readonly result: string;
  readonly error?: string;
}

async function ensure(api: ApiClient, options: { json?: boolean }, output: Output): Promise<void> {
  const reports = await api.post<EnsureReport[]>("/api/subscriptions/ensure");
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

const NEEDED = [
  "GRAPH_TENANT_ID",
  "GRAPH_CLIENT_ID",
  "GRAPH_CLIENT_SECRET",
  "GRAPH_MAILBOX_EMAIL",
  "GRAPH_CLIENT_STATE",
  "GRAPH_WEBHOOK_URL",
] as const;

/** The first subscription of a new installation, made once the server is reachable from outside. */
export function createGraphSubscriptionCommand(output: Output = createOutput()): Command {
  return new Command("create-graph-subscription")
    .description("make the subscription of the mailbox that the settings name, if there is none")
    .option("--json", "print the result as JSON")
    .action((options: { json?: boolean }) => {
      const settings = processEnvironment();
      const missing = NEEDED.filter((name) => !settings[name]);
      if (missing.length > 0)
        throw new CommandError(`these settings are missing: ${missing.join(", ")}`, EXIT.failed);
      const address = loadConfig(settings).mailboxEmail!;
      return withApi(async (api) => {
        const before =
          await api.get<{ address: string; subscription: SubscriptionView | null }[]>(
            "/api/mailboxes",
          );
        const known =
          before.find((mailbox) => mailbox.address === address.toLowerCase())?.subscription ?? null;
        const result =
          known === null
            ? await createFirst(api, address)
            : { mailbox: address, result: "kept", until: known.expiresAt };
        if (options.json) output.json(result);
        else
          output.line(
            `${address}: ${known === null ? "subscription created" : "there is an active subscription already"}, until ${shortTime(result.until)}`,
          );
      });
    });
}

async function createFirst(api: ApiClient, address: string) {
  const { mailboxFolder } = loadConfig(processEnvironment());
  const answer = await api.post<{ subscription: string; error?: string }>("/api/mailboxes", {
    address,
    ingestFolder: mailboxFolder,
    observes: false,
  });
  if (answer.subscription === "failed")
    throw new CommandError(
      `Graph did not make the subscription: ${answer.error ?? "no reason given"}`,
    );
  const after =
    await api.get<{ address: string; subscription: SubscriptionView | null }[]>("/api/mailboxes");
  const made = after.find((mailbox) => mailbox.address === address.toLowerCase())?.subscription;
  return { mailbox: address, result: answer.subscription, until: made?.expiresAt ?? null };
}
