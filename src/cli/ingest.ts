import { Command } from "commander";
import type { IngestionView, MailRow } from "../ingestion/state-view.ts";
import { type ApiClient, withApi } from "./base/client.ts";
import { createOutput, type Output, plain, shortTime } from "./base/output.ts";

export function ingestCommand(output: Output = createOutput()): Command {
  const ingest = new Command("ingest").description(
    "mail on its way to trades, and the shared table",
  );
  ingest
    .command("status")
    .description("messages by state, the guard, meetings with other programs")
    .option("--json", "as JSON")
    .action((options: { json?: boolean }) => withApi((api) => showStatus(api, options, output)));
  ingest
    .command("mails")
    .description("ingested messages, newest first")
    .option("--status <status>", "processing, success, failed or skipped")
    .option("--limit <n>", "how many", "50")
    .option("--json", "one JSON object per line")
    .action((options: { status?: string; limit: string; json?: boolean }) =>
      withApi((api) => listMails(api, options, output)),
    );
  ingest
    .command("again <mailbox> <messageId>")
    .description("look at a message again, also one that failed or was skipped")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  postroom ingest again notes@firm.example AAMkAG…")
    .action((mailbox: string, messageId: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await api.post<{ jobId: string }>("/api/ingest/mails", {
          mailbox,
          messageId,
        });
        if (options.json) output.json(answer);
        else output.line(`job ${answer.jobId}`);
      }),
    );
  ingest
    .command("foreign-lease <workerPrefix> <seconds>")
    .description("how long claims of another program live; its worker ids begin with the prefix")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  postroom ingest foreign-lease airflow- 3600")
    .action((workerPrefix: string, seconds: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const lease = { workerPrefix, seconds: Number(seconds) };
        const answer = await api.put("/api/ingest/foreign-leases", lease);
        if (options.json) output.json(answer);
        else output.line(`claims of ${workerPrefix}… live for ${seconds} s`);
      }),
    );
  addGuard(ingest, output);
  return ingest;
}

function addGuard(ingest: Command, output: Output): void {
  const guard = ingest
    .command("guard")
    .description("the trigger that makes other programs respect a live claim");
  guard
    .command("status")
    .description("installed, absent, disabled or foreign")
    .option("--json", "as JSON")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => {
        const { guard: state } = await api.get<IngestionView>("/api/ingest");
        if (options.json) output.json({ guard: state });
        else output.line(`guard: ${state}`);
      }),
    );
  for (const action of ["install", "remove"] as const) {
    guard
      .command(action)
      .description(action === "install" ? "attach it to the shared table" : "take it away")
      .option("--dry-run", "say what would change")
      .option("--json", "as JSON")
      .action((options: { dryRun?: boolean; json?: boolean }) =>
        withApi(async (api) => {
          const dryRun = options.dryRun ?? false;
          const answer = await api.post<{ guard: string }>("/api/ingest/guard", { action, dryRun });
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
  const view = await api.get<IngestionView>("/api/ingest");
  if (options.json) {
    output.json(view);
    return;
  }
  const counts = Object.entries(view.messages).map(([status, n]) => `${n} ${status}`);
  output.line(`messages: ${counts.join(", ") || "none"}; ${view.liveClaims} claims alive`);
  output.line(`table: ${view.schema}.email_ingestion_state, app ${view.appName}`);
  output.line(`guard: ${view.guard}; meetings with other programs: ${view.conflicts}`);
}

async function listMails(
  api: ApiClient,
  options: { status?: string; limit: string; json?: boolean },
  output: Output,
): Promise<void> {
  const { mails } = await api.get<{ mails: MailRow[] }>("/api/ingest/mails", {
    status: options.status,
    limit: options.limit,
  });
  if (options.json) for (const mail of mails) output.json(mail);
  else if (mails.length === 0) output.note("no message was ingested yet");
  else {
    output.table(
      ["changed", "status", "trades", "from", "subject", "reason"],
      mails.map((mail) => [
        shortTime(mail.updatedAt),
        mail.status,
        String(mail.trades),
        plain(mail.sender),
        plain(mail.subject),
        plain(mail.error),
      ]),
    );
  }
}
