import { Command } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";

export function subscriptionsCommand(output: Output = createOutput()): Command {
  const sub = new Command("sub").description("manage Graph subscriptions");
  addList(sub, output);
  addChanges(sub, output);
  addOrphans(sub, output);
  return sub;
}

function addList(sub: Command, output: Output): void {
  sub
    .command("list")
    .description("list subscriptions with their expiry and last notification")
    .option("--json", "print one JSON object per line")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => print(api, await findAll(api), options, output)),
    );
}

type Subscription = Schemas["Subscription"];

const findAll = (api: ApiClient): Promise<Subscription[]> =>
  rowsOf(
    (cursor) => answerOf(api.client.GET("/api/subscriptions", { params: { query: { cursor } } })),
    (page) => page.subscriptions,
  );

async function print(
  api: ApiClient,
  rows: readonly Subscription[],
  options: { readonly json?: boolean },
  output: Output,
): Promise<void> {
  if (options.json) {
    for (const row of rows) output.json(row);
    return;
  }
  if (rows.length === 0) return output.note("no subscriptions");
  const mailboxes = await rowsOf(
    (cursor) => answerOf(api.client.GET("/api/mailboxes", { params: { query: { cursor } } })),
    (page) => page.mailboxes,
  );
  const addresses = new Map(mailboxes.map(({ id, address }) => [id, address]));
  output.table(
    ["mailbox", "subscription", "status", "expires", "last notification", "[errors]"],
    rows.map((row) => [
      plain(addresses.get(row.mailbox)) || "removed",
      row.subscriptionId ?? "–",
      row.status,
      shortTime(row.expiresAt),
      shortTime(row.lastNotificationAt),
      row.errorCount === 0 ? "0" : `${row.errorCount}: ${plain(row.lastError)}`,
    ]),
  );
}

async function showCurrent(api: ApiClient, options: ChangeOptions, output: Output): Promise<void> {
  const { mailbox: address } = options;
  const params = { path: { address: address ?? "" } };
  const mailbox =
    address === undefined
      ? null
      : await answerOf(api.client.GET("/api/mailboxes/{address}", { params }));
  const rows = await findAll(api);
  await print(
    api,
    mailbox === null ? rows : rows.filter((row) => row.mailbox === mailbox.id),
    options,
    output,
  );
  output.note("nothing was changed");
}

function addChanges(sub: Command, output: Output): void {
  for (const [verb, what] of [
    [
      "ensure",
      "create missing subscriptions and renew those that are due, without waiting for the schedule",
    ],
    [
      "rotate",
      "rotate the secrets of all mailboxes or one; old secrets stay valid for another four hours",
    ],
  ] as const) {
    const command = sub
      .command(verb)
      .description(what)
      .option("--mailbox <address>", "only this mailbox")
      .option("--dry-run", "show the current subscriptions without changing them")
      .option("--json", "print one JSON object per line");
    if (verb === "rotate")
      command.option("--certificate", "also create a new key for encrypted notifications");
    command.action((options: ChangeOptions) =>
      withApi((api) => change(api, verb, options, output)),
    );
  }
}

function addOrphans(sub: Command, output: Output): void {
  sub
    .command("orphans")
    .description(
      "list Graph subscriptions of the connected apps that this installation does not use",
    )
    .option("--delete", "delete them")
    .option("--json", "print one JSON object per line")
    .action((options: { delete?: boolean; json?: boolean }) =>
      withApi(async (api) => {
        const orphans = options.delete
          ? (await answerOf(api.client.DELETE("/api/subscriptions/orphans"))).deleted
          : await rowsOf(
              (cursor) =>
                answerOf(
                  api.client.GET("/api/subscriptions/orphans", { params: { query: { cursor } } }),
                ),
              (page) => page.orphans,
            );
        if (options.json) for (const orphan of orphans) output.json(orphan);
        else if (orphans.length === 0) output.note("no orphans");
        else
          output.table(
            [
              "subscription",
              "expires",
              "[delivers to]",
              options.delete ? "[deleted resource]" : "[resource]",
            ],
            orphans.map((orphan) => [
              orphan.id,
              shortTime(orphan.expiresAt),
              plain(orphan.notificationUrl),
              plain(orphan.resource),
            ]),
          );
      }),
    );
}

interface ChangeOptions {
  readonly mailbox?: string;
  readonly certificate?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

async function change(
  api: ApiClient,
  verb: "ensure" | "rotate",
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const { mailbox, certificate } = options;
  if (options.dryRun) return showCurrent(api, options, output);
  const reports = await answerOf(
    verb === "ensure"
      ? api.client.POST("/api/subscriptions/ensure", { body: { mailbox } })
      : api.client.POST("/api/subscriptions/rotate", { body: { mailbox, certificate } }),
  );
  for (const report of reports) {
    if (options.json) output.json(report);
    else
      output.line(
        `${plain(report.mailbox)}: ${report.result}${report.error === undefined ? "" : ` (${plain(report.error)})`}`,
      );
  }
  if (reports.some((report) => report.result === "failed"))
    throw new CommandError("at least one mailbox has no subscription", EXIT.failed);
}
