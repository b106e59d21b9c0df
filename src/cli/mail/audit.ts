import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { count, createOutput, type Output, plain } from "../base/output.ts";
import { toMoment } from "../base/values.ts";

interface Report {
  readonly mailbox: string;
  readonly inMailbox: number;
  readonly inLog: number;
  readonly repaired: number;
  readonly findings: readonly {
    readonly messageId: string;
    readonly kind: string;
    readonly cause: string;
    readonly subject: string | null;
  }[];
}

interface AuditOptions {
  mailbox?: string;
  since?: string;
  repair?: boolean;
  json?: boolean;
}

export function auditCommand(output: Output = createOutput()): Command {
  return new Command("audit")
    .description(
      "compare mailboxes with the event log and report what is missing, extra, stale or not ingested, and why",
    )
    .option("--mailbox <address>", "only this mailbox")
    .option("--since <date>", "only mail received since this date, such as 2026-01-31", toMoment)
    .option(
      "--repair",
      "update the log to match the mailbox, and ingest messages that were forgotten",
    )
    .option("--json", "print one JSON object per line, one for each mailbox")
    .addHelpText(
      "after",
      "\nExits with 0 if every log matches its mailbox or was repaired, otherwise with 1.\n\nExample:\n  postroom audit --mailbox nina.berg@ashdown.example --repair",
    )
    .action((options: AuditOptions) => withApi((api) => audit(api, options, output)));
}

async function audit(api: ApiClient, options: AuditOptions, output: Output): Promise<void> {
  const mailboxes =
    options.mailbox === undefined
      ? await rowsOf(
          (cursor) => answerOf(api.client.GET("/api/mailboxes", { params: { query: { cursor } } })),
          (page) => page.mailboxes,
        )
      : [];
  const skipped = mailboxes.filter((mailbox) => mailbox.status !== "active");
  const addresses =
    options.mailbox === undefined
      ? mailboxes.filter((mailbox) => mailbox.status === "active").map((mailbox) => mailbox.address)
      : [options.mailbox];
  for (const { address, status, statusReason } of skipped)
    output.note(`${plain(address)}: not audited, because it is ${status}: ${plain(statusReason)}`);
  let open = 0;
  for (const address of addresses) {
    const report = await answerOf(
      api.client.POST("/api/mailboxes/{address}/audit", {
        params: { path: { address } },
        body: { since: options.since ?? null, repair: options.repair ?? false },
      }),
    );
    open += report.findings.length - report.repaired;
    if (options.json) output.json(report);
    else print(report, output);
  }
  if (addresses.length + skipped.length === 0) output.note("no mailboxes are being watched");
  const unread = skipped.filter((mailbox) => mailbox.status === "unreachable").length;
  if (open === 0 && unread > 0)
    throw new CommandError(`${count(unread, "mailbox", "mailboxes")} could not be audited`);
  if (open > 0)
    throw new CommandError(
      `${count(open, "message differs", "messages differ")}; use --repair to update the log`,
      EXIT.failed,
    );
}

function print(report: Report, output: Output): void {
  const verdict =
    report.findings.length === 0
      ? pc.green("equal")
      : pc.yellow(`${report.findings.length} differ${report.repaired > 0 ? ", repaired" : ""}`);
  output.line(
    `${plain(report.mailbox)}: ${report.inMailbox} in the mailbox, ${report.inLog} in the log: ${verdict}`,
  );
  for (const finding of report.findings) {
    output.line(
      `  ${finding.kind.padEnd(7)} ${finding.messageId}  ${plain(finding.cause)}  ${pc.dim(plain(finding.subject))}`,
    );
  }
}
