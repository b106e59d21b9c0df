import type { Command } from "commander";
import { systemClock } from "../../lib/clock.ts";
import { type ApiClient, withApi } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { count, type Output } from "../base/output.ts";
import { toMoment } from "../base/values.ts";

interface Counts {
  readonly messages: number;
  readonly open: number;
  readonly dead: number;
}

interface Covered {
  readonly mailbox: string;
  readonly ingest: Counts;
  readonly file: Counts;
  readonly isComplete: boolean;
}

interface Begun extends Covered {
  readonly jobId: string;
  readonly since: string;
  readonly until: string;
}

interface BackfillOptions {
  readonly mailbox: string;
  readonly since: string;
  readonly until?: string;
  readonly dryRun?: boolean;
  readonly wait?: boolean;
  readonly json?: boolean;
}

const LOOK_EVERY_MS = 1_000;

export function addBackfill(ingest: Command, output: Output): void {
  ingest
    .command("backfill")
    .description(
      "ingest and file mail that was already in the watched folders when the mailbox was added",
    )
    .requiredOption("--mailbox <address>", "watched mailbox")
    .requiredOption(
      "--since <date>",
      "mail received on or after this date or time, such as 2026-01-31",
      toMoment,
    )
    .option("--until <date>", "mail received before this date or time (default: now)", toMoment)
    .option("--dry-run", "count the messages without changing anything")
    .option("--no-wait", "return once the work is queued")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nExample:\n  postroom ingest backfill --mailbox notes@ashdown.example --since 2026-01-01 --dry-run",
    )
    .action((options: BackfillOptions) => withApi((api) => backfill(api, options, output)));
}

async function backfill(api: ApiClient, options: BackfillOptions, output: Output): Promise<void> {
  const { mailbox, since, until } = options;
  if (Date.parse(since) >= (until === undefined ? systemClock.now() : Date.parse(until)))
    throw new CommandError("--since must be before --until, which defaults to now", EXIT.usage);
  const wanted = { mailbox, since, until };
  if (options.dryRun) {
    const covered = await api.post<Covered>("/api/ingest/backfill", { ...wanted, dryRun: true });
    if (options.json) return output.json(covered);
    output.line(describe("would ", covered));
    return warnIfIncomplete(covered, output);
  }
  const begun = await api.post<Begun>("/api/ingest/backfill", wanted);
  if (!options.json) {
    output.line(`${describe("", begun)}; job ${begun.jobId}`);
    warnIfIncomplete(begun, output);
  }
  const end = options.wait ? await follow(api, begun, options, output) : begun;
  if (options.json) output.json({ ...begun, ...end });
}

function describe(verb: "would " | "", { mailbox, ingest, file }: Covered): string {
  const parts = [
    ...(ingest.messages > 0 ? [`ingest ${count(ingest.messages, "message")}`] : []),
    ...(file.messages > 0 ? [`file ${count(file.messages, "message")}`] : []),
  ];
  if (parts.length === 0) return `${mailbox} has no mail to ingest or file in that period`;
  return `${verb}${parts.join(" and ")} of ${mailbox}`;
}

function warnIfIncomplete({ isComplete }: Covered, output: Output): void {
  if (!isComplete)
    output.note("a folder is still being read for the first time; run this again afterwards");
}

/** Shows how much is left until every message has its result. */
async function follow(
  api: ApiClient,
  { jobId, mailbox, since, until }: Begun,
  options: BackfillOptions,
  output: Output,
): Promise<Covered> {
  for (let shown = ""; ; ) {
    const { status, errorMessage } = await api.get<{ status: string; errorMessage: string | null }>(
      `/api/jobs/${jobId}/status`,
    );
    if (status === "Failed" || status === "Poisoned")
      throw new CommandError(`the backfill failed: ${errorMessage}`, EXIT.failed);
    const covered = await api.get<Covered>("/api/ingest/backfill", { mailbox, since, until });
    const total = (part: keyof Counts) => covered.ingest[part] + covered.file[part];
    const line = `${total("messages") - total("open")} of ${total("messages")} done`;
    if (line !== shown && !options.json) output.note(line);
    shown = line;
    if (status === "Completed" && total("open") === 0) {
      if (total("dead") > 0 && !options.json)
        output.note(`${count(total("dead"), "message")} failed; postroom dlq list shows why`);
      return covered;
    }
    await systemClock.sleep(LOOK_EVERY_MS);
  }
}
