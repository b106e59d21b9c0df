import { Command } from "commander";
import pc from "picocolors";
import { withApi } from "./client.ts";
import { createOutput, type Output, plain, shortTime } from "./output.ts";

interface MailboxView {
  readonly address: string;
  readonly status: string;
  readonly statusReason: string | null;
  readonly delivery: string;
  readonly deliveryReason: string;
  readonly observes: boolean;
  readonly ingestFolder: string | null;
  readonly lastEventAt: string | null;
  readonly lastDeltaAt: string | null;
  readonly subscription: { readonly expiresAt: string | null } | null;
  readonly coverage: {
    readonly pushCoverage: number | null;
    readonly medianSeconds: number | null;
  } | null;
}

export function mailboxCommand(output: Output = createOutput()): Command {
  const mailbox = new Command("mailbox").description("the mailboxes that are watched");
  mailbox
    .command("list")
    .description("each mailbox with how its mail reaches us")
    .option("--json", "one JSON object per line")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => list(await api.get<MailboxView[]>("/api/mailboxes"), options, output)),
    );
  mailbox
    .command("add <address>")
    .description("watch a mailbox")
    .option("--ingest <folder>", "also read contract notes from this folder, e.g. Inbox")
    .option("--no-observe", "ingest only; keep no events of other folders")
    .option("--owner <id>", "object id of the person who may see its events")
    .option("--connection <name>", "the tenant to read it with", "default")
    .option("--json", "print the answer as JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom mailbox add operations@ashdown.example --ingest Inbox",
    )
    .action(
      (
        address: string,
        options: {
          ingest?: string;
          observe: boolean;
          owner?: string;
          connection: string;
          json?: boolean;
        },
      ) =>
        withApi(async (api) => {
          const answer = await api.post<{ subscription: string; error?: string }>(
            "/api/mailboxes",
            {
              address,
              connection: options.connection,
              observes: options.observe,
              ingestFolder: options.ingest ?? null,
              ...(options.owner === undefined ? {} : { ownerId: options.owner }),
            },
          );
          if (options.json) return output.json(answer);
          output.line(
            `${address} is watched; subscription: ${answer.subscription}${answer.error === undefined ? "" : ` (${answer.error})`}`,
          );
        }),
    );
  for (const [verb, what] of [
    ["verify", "check that the mailbox can be read"],
    ["pause", "stop watching; nothing is forgotten"],
    ["resume", "watch again and catch up"],
    ["resync", "read every folder from the start"],
  ] as const) {
    mailbox
      .command(`${verb} <address>`)
      .description(what)
      .option("--json", "print the answer as JSON")
      .action((address: string, options: { json?: boolean }) =>
        withApi(async (api) => {
          const answer = await api.post<object>(
            `/api/mailboxes/${encodeURIComponent(address)}/${verb}`,
          );
          if (options.json) output.json(answer);
          else output.line(`${address}: ${verb} done`);
        }),
      );
  }
  mailbox
    .command("remove <address>")
    .description("stop watching and forget the mailbox's state; its events stay")
    .option("--dry-run", "say what would be removed")
    .option("--json", "print the answer as JSON")
    .action((address: string, options: { dryRun?: boolean; json?: boolean }) =>
      withApi(async (api) => {
        const path = `/api/mailboxes/${encodeURIComponent(address)}`;
        const answer = options.dryRun
          ? await api.get<object>(path)
          : await api.delete<object>(path);
        if (options.json) output.json(answer);
        else output.line(`${address} ${options.dryRun ? "would be" : "was"} removed`);
      }),
    );
  return mailbox;
}

function list(
  mailboxes: readonly MailboxView[],
  options: { json?: boolean },
  output: Output,
): void {
  if (options.json) for (const mailbox of mailboxes) output.json(mailbox);
  else if (mailboxes.length === 0)
    output.note("no mailbox is watched; add one with `postroom mailbox add ADDRESS`");
  else
    output.table(
      ["mailbox", "status", "delivery", "push", "last event", "last delta", "subscribed until"],
      mailboxes.map(toRow),
    );
}

function toRow(mailbox: MailboxView): string[] {
  const status =
    mailbox.status === "active"
      ? pc.green("active")
      : pc.yellow(`${mailbox.status}: ${plain(mailbox.statusReason)}`);
  const share = mailbox.coverage?.pushCoverage;
  return [
    plain(mailbox.address),
    status,
    `${mailbox.delivery}${mailbox.delivery === "push" ? "" : ` (${plain(mailbox.deliveryReason)})`}`,
    share === null || share === undefined ? "–" : `${(share * 100).toFixed(1)} %`,
    shortTime(mailbox.lastEventAt),
    shortTime(mailbox.lastDeltaAt),
    shortTime(mailbox.subscription?.expiresAt),
  ];
}
