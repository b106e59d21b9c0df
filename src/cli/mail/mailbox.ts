import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { addConnect } from "./connect-mailbox.ts";
import { addFilingVerbs } from "./filing-rules.ts";
import { type MailboxVerb, planMailbox } from "./plan-mailbox.ts";

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
  const mailbox = new Command("mailbox").description("manage the watched mailboxes");
  addList(mailbox, output);
  addAdd(mailbox, output);
  addConnect(mailbox, output);
  addVerify(mailbox, output);
  addStateVerbs(mailbox, output);
  addFolderVerbs(mailbox, output);
  addFilingVerbs(mailbox, output);
  addRemove(mailbox, output);
  return mailbox;
}

function addList(mailbox: Command, output: Output): void {
  mailbox
    .command("list")
    .description("list mailboxes and how changes in them reach Postroom")
    .option("--json", "print one JSON object per line")
    .action((options: { json?: boolean }) =>
      withApi(async (api) =>
        list(
          await rowsOf(
            (cursor) =>
              answerOf(api.client.GET("/api/mailboxes", { params: { query: { cursor } } })),
            (page) => page.mailboxes,
          ),
          options,
          output,
        ),
      ),
    );
}

function addAdd(mailbox: Command, output: Output): void {
  mailbox
    .command("add <address>")
    .description(
      "start watching a mailbox, or change how it is watched; options that you omit keep their values",
    )
    .option("--ingest <folder>", "also ingest contract notes from this folder, such as Inbox")
    .option("--no-ingest", "ingest nothing")
    .option("--observe", "subscribe to all changes in every folder (default for a new mailbox)")
    .option(
      "--no-observe",
      "subscribe only to new mail in the ingested folder; delta queries still find other changes",
    )
    .option("--owner <id>", "object ID of the person who may see its events")
    .option(
      "--connection <name>",
      'connection (tenant and app) that reads it; a new mailbox uses "default"',
    )
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom mailbox add operations@ashdown.example --ingest Inbox",
    )
    .action(
      (
        address: string,
        options: {
          ingest?: string | false;
          observe?: boolean;
          owner?: string;
          connection?: string;
          json?: boolean;
        },
      ) =>
        withApi(async (api) => {
          const answer = await answerOf(
            api.client.POST("/api/mailboxes", {
              body: {
                address,
                connection: options.connection,
                observes: options.observe,
                ingestFolder: options.ingest === false ? null : options.ingest,
                ownerId: options.owner,
              },
            }),
          );
          if (options.json) return output.json(answer);
          output.line(
            `${address} is watched; ingests: ${answer.ingestFolder ?? "nothing"}; subscription: ${answer.subscription}${answer.error === undefined ? "" : ` (${answer.error})`}`,
          );
        }),
    );
}

function addStateVerbs(mailbox: Command, output: Output): void {
  for (const [verb, what] of [
    ["pause", "stop watching, but keep all state"],
    ["resume", "resume watching and catch up"],
    ["resync", "read every folder from the start, without repeating events"],
  ] as const) {
    mailbox
      .command(`${verb} <address>`)
      .description(what)
      .option("--dry-run", "show what would change without changing it")
      .option("--json", "print JSON")
      .action((address: string, options: ChangeOptions) =>
        withApi(async (api) => {
          if (options.dryRun) return showPlan(api, address, verb, options, output);
          const answer = await answerOf(
            api.client.POST(`/api/mailboxes/{address}/${verb}`, of(address)),
          );
          if (options.json) output.json(answer);
          else output.line(`${address}: ${verb} completed`);
        }),
      );
  }
}

function addRemove(mailbox: Command, output: Output): void {
  mailbox
    .command("remove <address>")
    .description("stop watching and delete the mailbox's state, but keep its events")
    .option("--dry-run", "show what would be removed without removing it")
    .option("--json", "print JSON")
    .action((address: string, options: ChangeOptions) =>
      withApi(async (api) => {
        if (options.dryRun) return showPlan(api, address, "remove", options, output);
        const answer = await answerOf(api.client.DELETE("/api/mailboxes/{address}", of(address)));
        if (options.json) output.json(answer);
        else output.line(`${address} was removed`);
      }),
    );
}

interface ChangeOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Only reads. */
async function showPlan(
  api: ApiClient,
  address: string,
  verb: MailboxVerb,
  options: { readonly json?: boolean; readonly folder?: string },
  output: Output,
): Promise<void> {
  const [now, all] = [
    await answerOf(api.client.GET("/api/mailboxes/{address}", of(address))),
    await rowsOf(
      (cursor) => answerOf(api.client.GET("/api/mailboxes", { params: { query: { cursor } } })),
      (page) => page.mailboxes,
    ),
  ];
  const subscription = all.find((other) => other.address === now.address)?.subscription ?? null;
  const changes = planMailbox(verb, { ...now, subscription }, options.folder);
  if (options.json) return output.json({ address: now.address, dryRun: true, changes });
  if (changes.length === 0) output.line(`${now.address}: nothing would change`);
  else output.line(`${now.address}: these changes would be made`);
  for (const change of changes) output.line(`  ${change}`);
}

const of = (address: string) => ({ params: { path: { address } } });

function addVerify(mailbox: Command, output: Output): void {
  mailbox
    .command("verify <address>")
    .description("check that a watched mailbox can be read; if not, show why and exit with 1")
    .option("--json", "print JSON")
    .action((address: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.POST("/api/mailboxes/{address}/verify", of(address)),
        );
        if (options.json) output.json(answer);
        else if (answer.isReadable) output.line(`${address}: readable`);
        if (!answer.isReadable)
          throw new CommandError(`${address} cannot be read: ${plain(answer.reason)}`, EXIT.failed);
      }),
    );
}

function addFolderVerbs(mailbox: Command, output: Output): void {
  mailbox
    .command("folders <address>")
    .description("list a mailbox's folders, with their state and last delta query")
    .option("--json", "print one JSON object per line")
    .action((address: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const { folders } = await answerOf(api.client.GET("/api/mailboxes/{address}", of(address)));
        if (options.json) for (const folder of folders) output.json(folder);
        else
          output.table(
            ["[folder]", "state", "last delta", "resets", "{id}"],
            folders.map((folder) => [
              plain(folder.displayName),
              folder.isExcluded ? "excluded" : folder.isWalking ? "first walk" : "read",
              shortTime(folder.lastDeltaAt),
              String(folder.resets),
              folder.folderId,
            ]),
          );
      }),
    );
  for (const [verb, isExcluded] of [
    ["exclude", true],
    ["include", false],
  ] as const) {
    mailbox
      .command(`${verb} <address> <folder>`)
      .description(isExcluded ? "ignore a folder, given by name or ID" : "stop ignoring a folder")
      .option("--dry-run", "show what would change without changing it")
      .option("--json", "print JSON")
      .action((address: string, folder: string, options: ChangeOptions) =>
        withApi(async (api) => {
          if (options.dryRun) return showPlan(api, address, verb, { ...options, folder }, output);
          const change = { folder, isExcluded };
          const answer = await answerOf(
            api.client.PUT("/api/mailboxes/{address}/folders", { ...of(address), body: change }),
          );
          if (options.json) output.json(answer);
          else output.line(`${address}: ${folder} is ${verb}d`);
        }),
      );
  }
}

function list(
  mailboxes: readonly MailboxView[],
  options: { json?: boolean },
  output: Output,
): void {
  if (options.json) for (const mailbox of mailboxes) output.json(mailbox);
  else if (mailboxes.length === 0)
    output.note("no mailboxes are being watched; add one with `postroom mailbox add ADDRESS`");
  else
    output.table(
      [
        "mailbox",
        "status",
        "ingests",
        "delivery",
        "push",
        "last event",
        "last delta",
        "subscribed until",
        "{because}",
      ],
      mailboxes.map(toRow),
    );
}

function toRow(mailbox: MailboxView): string[] {
  const isActive = mailbox.status === "active";
  const share = mailbox.coverage?.pushCoverage;
  const isPushed = mailbox.delivery === "push";
  return [
    plain(mailbox.address),
    isActive ? pc.green("active") : pc.yellow(mailbox.status),
    plain(mailbox.ingestFolder) || "–",
    mailbox.delivery,
    share === null || share === undefined ? "–" : `${(share * 100).toFixed(1)} %`,
    shortTime(mailbox.lastEventAt),
    shortTime(mailbox.lastDeltaAt),
    shortTime(mailbox.subscription?.expiresAt),
    // Why a mailbox cannot be read matters more than why it gets no notifications.
    plain(isActive ? (isPushed ? "" : mailbox.deliveryReason) : mailbox.statusReason),
  ];
}
