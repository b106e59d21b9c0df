import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { type ApiClient, withApi } from "../base/client.ts";
import { newestOf, type Size, withSize } from "../base/newest.ts";
import { count, createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { choice, toCount } from "../base/values.ts";
import { addBackfill } from "./backfill.ts";

const STATUSES = ["processing", "success", "failed", "skipped"] as const;

interface MailsOptions extends Size {
  readonly status?: (typeof STATUSES)[number];
  readonly json?: boolean;
}

export function ingestCommand(output: Output = createOutput()): Command {
  const ingest = new Command("ingest").description(
    "inspect and control the ingestion of contract notes from mail",
  );
  ingest
    .command("status")
    .description("count messages by status, and show the guard and conflicts with other programs")
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) => withApi((api) => showStatus(api, options, output)));
  withSize(ingest.command("mails"), 50)
    .description("list ingested messages, newest first")
    .addOption(choice("--status <status>", "only this status", STATUSES))
    .option("--json", "print one JSON object per line")
    .action((options: MailsOptions) => withApi((api) => listMails(api, options, output)));
  ingest
    .command("again <mailbox> <messageId>")
    .description("ingest a message again, even one that failed or was skipped")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom ingest again notes@firm.example AAMkAG…")
    .action((mailbox: string, messageId: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.POST("/api/ingest/mails", { body: { mailbox, messageId } }),
        );
        if (options.json) output.json(answer);
        else output.line(`queued as job ${answer.jobId}; follow it with postroom jobs show`);
      }),
    );
  ingest
    .command("foreign-lease")
    .argument("<workerPrefix>", "how the other program's worker IDs begin")
    .argument(
      "<seconds>",
      "how long one of its claims counts as live after its last change",
      toCount(30 * 86_400),
    )
    .description("set how long claims of another program count as live")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom ingest foreign-lease airflow- 3600")
    .action((workerPrefix: string, seconds: number, options: { json?: boolean }) =>
      withApi(async (api) => {
        const lease = { workerPrefix, seconds };
        const answer = await answerOf(
          api.client.PUT("/api/ingest/foreign-leases", { body: lease }),
        );
        if (options.json) output.json(answer);
        else output.line(`claims of ${workerPrefix}… expire after ${seconds} s`);
      }),
    );
  addBackfill(ingest, output);
  addGuard(ingest, output);
  return ingest;
}

function addGuard(ingest: Command, output: Output): void {
  const guard = ingest
    .command("guard")
    .description("manage the trigger that makes other programs respect a live claim");
  guard
    .command("status")
    .description(
      "show whether the guard is installed, absent, disabled or replaced by another trigger (foreign)",
    )
    .option("--json", "print JSON")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => {
        const { guard: state } = await answerOf(api.client.GET("/api/ingest"));
        if (options.json) output.json({ guard: state });
        else output.line(`guard: ${state}`);
      }),
    );
  for (const action of ["install", "remove"] as const) {
    guard
      .command(action)
      .description(
        action === "install" ? "install the guard on the shared table" : "remove the guard",
      )
      .option("--dry-run", "show what would change without changing it")
      .option("--json", "print JSON")
      .action((options: { dryRun?: boolean; json?: boolean }) =>
        withApi(async (api) => {
          const dryRun = options.dryRun ?? false;
          const answer = await answerOf(
            api.client.POST("/api/ingest/guard", { body: { action, dryRun } }),
          );
          if (options.json) return output.json(answer);
          output.line(
            dryRun ? `guard: ${answer.guard}, would ${action}` : `guard: ${answer.guard}`,
          );
        }),
      );
  }
}

async function showStatus(
  api: ApiClient,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const view = await answerOf(api.client.GET("/api/ingest"));
  if (options.json) {
    output.json(view);
    return;
  }
  const counts = Object.entries(view.messages).map(([status, n]) => `${n} ${status}`);
  output.line(`messages: ${counts.join(", ") || "0"}; ${count(view.liveClaims, "live claim")}`);
  output.line(`table: ${view.schema}.email_ingestion_state, app ${view.appName}`);
  output.line(`guard: ${view.guard}; conflicts with other programs: ${view.conflicts}`);
}

async function listMails(api: ApiClient, options: MailsOptions, output: Output): Promise<void> {
  const { status } = options;
  const mails = await newestOf(
    options,
    (page) =>
      answerOf(api.client.GET("/api/ingest/mails", { params: { query: { status, ...page } } })),
    (page) => page.mails,
    output,
  );
  if (options.json) for (const mail of mails) output.json(mail);
  else if (mails.length === 0)
    output.note(
      status === undefined
        ? "no messages have been ingested yet"
        : "no message matches; postroom ingest mails shows all",
    );
  else {
    output.table(
      ["changed", "status", "trades", "[from]", "[subject]", "{reason}", "{message}"],
      mails.map((mail) => [
        shortTime(mail.updatedAt),
        mail.status,
        String(mail.trades),
        plain(mail.sender),
        plain(mail.subject),
        plain(mail.error),
        plain(mail.messageId),
      ]),
    );
  }
}
