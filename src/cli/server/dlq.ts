import { Command } from "commander";
import * as z from "zod";
import { answerOf, type Schemas } from "../../client/index.ts";
import { QUEUES } from "../../jobs/queues.ts";
import { systemClock } from "../../lib/clock.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { newestOf, type Size, withSize } from "../base/newest.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { choice, toCount } from "../base/values.ts";

const QUEUE_NAMES = QUEUES.map((queue) => queue.name);

type DeadCause = Schemas["DeadCause"];
type ReplayView = Schemas["Replay"];

interface Choice {
  cause?: string;
  queue?: string;
  type?: string;
  code?: string;
  subject?: string;
}

interface ChangeOptions extends Choice {
  json?: boolean;
  all?: boolean;
  why?: string;
  dryRun?: boolean;
  rate?: number;
  wait?: boolean;
}

export function dlqCommand(output: Output = createOutput()): Command {
  const dlq = new Command("dlq").description(
    "inspect, replay and dismiss dead letters: jobs that failed for good",
  );
  withChoice(dlq.command("causes"))
    .description("group dead letters by cause, largest group first")
    .addHelpText("after", "\nExample:\n  postroom dlq causes")
    .action((options: Choice & { json?: boolean }) =>
      withApi((api) => listCauses(api, options, output)),
    );
  withSize(withChoice(dlq.command("list")), 100)
    .description("list dead letters, newest first")
    .addHelpText("after", "\nExample:\n  postroom dlq list --cause 3f2a91c07be4")
    .action((options: Choice & Size & { json?: boolean }) =>
      withApi((api) => listDead(api, options, output)),
    );
  dlq
    .command("explain <id>")
    .description("show everything known about one dead letter")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom dlq explain 0198a2b4-7c1d-7e55-9a10-5f2c3d4e5f60")
    .action((id: string, options: { json?: boolean }) =>
      withApi((api) => explain(api, id, options, output)),
    );
  withChange(dlq.command("replay [ids...]"))
    .description("run dead letters again, selected by ID, cause or filter")
    .option("--rate <n>", "maximum number of jobs per second", toCount(10_000), 100)
    .option("--no-wait", "return without waiting for the replay to finish")
    .addHelpText(
      "after",
      '\nExample:\n  postroom dlq replay --cause 3f2a91c07be4 --why "archive is back" --dry-run',
    )
    .action((ids: string[], options: ChangeOptions) =>
      withApi((api) => replay(api, ids, options, output)),
    );
  withChange(dlq.command("dismiss [ids...]"))
    .description("dismiss dead letters without running them")
    .addHelpText("after", '\nExample:\n  postroom dlq dismiss --code job.malformed --why "noise"')
    .action((ids: string[], options: ChangeOptions) =>
      withApi((api) => dismiss(api, ids, options, output)),
    );
  dlq
    .command("history")
    .description("show who replayed or dismissed what, and why")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom dlq history --json")
    .action((options: { json?: boolean }) => withApi((api) => history(api, options, output)));
  return dlq;
}

function withChoice(command: Command): Command {
  return command
    .option("--json", "print one JSON object per line")
    .option("--cause <cause>", "only this cause")
    .addOption(choice("--queue <name>", "only this queue", QUEUE_NAMES))
    .option("--type <type>", "only this type of job")
    .option("--code <code>", "only this error code")
    .option(
      "--subject <id>",
      "only jobs about this message, mailbox or document (`subjectId` of the job)",
    );
}

function withChange(command: Command): Command {
  return withChoice(command)
    .option("--all", "select every dead letter")
    .option("--why <text>", "reason, kept in the history")
    .option("--dry-run", "show what would happen without changing anything");
}

const toFilter = ({ cause, queue, type, code, subject }: Choice) => ({
  cause,
  queue,
  type,
  code,
  subjectId: subject,
});

function describeNothing(options: Choice): string {
  const isFiltered = Object.values(toFilter(options)).some((value) => value !== undefined);
  return isFiltered ? NOTHING_FITS : "no dead letters";
}

const NOTHING_FITS = "no dead letter matches; postroom dlq causes lists all of them by cause";

async function listCauses(
  api: ApiClient,
  options: Choice & { json?: boolean },
  output: Output,
): Promise<void> {
  const causes = await rowsOf(
    (cursor) =>
      answerOf(
        api.client.GET("/api/dlq/causes", { params: { query: { ...toFilter(options), cursor } } }),
      ),
    (page) => page.causes,
  );
  if (options.json) for (const cause of causes) output.json(cause);
  else if (causes.length === 0) output.note(describeNothing(options));
  else printCauses(causes, output);
}

function printCauses(causes: readonly DeadCause[], output: Output): void {
  output.table(
    ["cause", "count", "type", "error", "last", "[message]"],
    causes.map((row) => [
      row.cause,
      String(row.count),
      plain(row.jobType),
      plain(row.errorCode),
      shortTime(row.lastAt),
      plain(row.pattern),
    ]),
  );
}

async function listDead(
  api: ApiClient,
  options: Choice & Size & { json?: boolean },
  output: Output,
): Promise<void> {
  const filter = toFilter(options);
  const deadLetters = await newestOf(
    options,
    (page) => answerOf(api.client.GET("/api/dlq", { params: { query: { ...filter, ...page } } })),
    (page) => page.deadLetters,
    output,
  );
  if (options.json) for (const letter of deadLetters) output.json(letter);
  else if (deadLetters.length === 0) output.note(describeNothing(options));
  else {
    output.table(
      ["died", "id", "cause", "type", "error", "[message]"],
      deadLetters.map((row) => [
        shortTime(row.diedAt),
        row.jobId,
        row.cause,
        plain(row.jobType),
        plain(row.errorCode),
        plain(row.errorMessage),
      ]),
    );
  }
}

async function explain(
  api: ApiClient,
  id: string,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const story = await answerOf(api.client.GET("/api/dlq/{id}", { params: { path: { id } } }));
  if (options.json) return output.json(story);
  const { history: records, payload, ...facts } = story;
  for (const [name, value] of Object.entries(facts)) {
    output.line(`${name.padEnd(14)} ${plain(String(value))}`);
  }
  output.line(`${"payload".padEnd(14)} ${plain(JSON.stringify(payload))}`);
  for (const record of records) {
    const became = record.newJobId === null ? "" : ` as ${record.newJobId}`;
    const by = `by ${plain(record.who)}: ${plain(record.why)}`;
    output.line(`${shortTime(record.at)}  ${record.result}${became} ${by}`);
  }
}

async function replay(
  api: ApiClient,
  ids: string[],
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const order = { ...toOrder(ids, options), perSecond: options.rate };
  if (options.dryRun) {
    const preview = await answerOf(
      api.client.POST("/api/dlq/replay", { body: { ...order, dryRun: true } }),
    );
    if (preview.total === 0 || !("causes" in preview)) throw new CommandError(NOTHING_FITS);
    if (options.json) return output.json(preview);
    printCauses(preview.causes, output);
    return output.note(`${preview.total} would run again; nothing was changed`);
  }
  const started = await answerOf(api.client.POST("/api/dlq/replay", { body: order }));
  if (started.total === 0 || !("replayId" in started)) throw new CommandError(NOTHING_FITS);
  const ended = options.wait === false ? started : await waitForEnd(api, started, output);
  if (options.json) return output.json(ended);
  const aside =
    ended.superseded === 0
      ? ""
      : `, ${ended.superseded} skipped because another job had done the work`;
  output.line(`replay ${ended.replayId}: ${ended.replayed} of ${ended.total} run again${aside}`);
}

/** The replay runs in the server; interrupting this command does not stop it. */
async function waitForEnd(
  api: ApiClient,
  started: ReplayView,
  output: Output,
): Promise<ReplayView> {
  for (;;) {
    const view = await answerOf(
      api.client.GET("/api/dlq/replays/{id}", { params: { path: { id: started.replayId } } }),
    );
    if (output.terminal.isWatched) showProgress(view, output);
    if (view.finishedAt !== null) return view;
    await systemClock.sleep(500);
  }
}

/** Overwrites its own line until the replay has ended. */
function showProgress(view: ReplayView, { terminal }: Output): void {
  const end = view.finishedAt === null ? "" : "\n";
  terminal.writeNote(`\r${view.replayed + view.superseded}/${view.total} run again${end}`);
}

async function dismiss(
  api: ApiClient,
  ids: string[],
  options: ChangeOptions,
  output: Output,
): Promise<void> {
  const answer = await answerOf(
    api.client.POST("/api/dlq/dismiss", { body: toOrder(ids, options) }),
  );
  const found = "dryRun" in answer ? answer.total : answer.dismissed;
  if (found === 0) throw new CommandError(NOTHING_FITS);
  if (options.json) return output.json(answer);
  if ("dryRun" in answer) output.line(`${found} would be dismissed; nothing was changed`);
  else output.line(`${found} dismissed`);
}

function toOrder(ids: string[], options: ChangeOptions) {
  const { all, dryRun } = options;
  const why = options.why ?? (dryRun ? "dry run" : undefined);
  if (why === undefined) throw new CommandError("--why <text> is required", EXIT.usage);
  const wrong = ids.find((id) => !z.guid().safeParse(id).success);
  if (wrong !== undefined)
    throw new CommandError(
      `${wrong} is not the ID of a dead letter; postroom dlq list shows them`,
      EXIT.usage,
    );
  const chosen = { ids: ids.length > 0 ? ids : undefined, ...toFilter(options), all };
  return { ...chosen, why, dryRun: dryRun === true };
}

async function history(api: ApiClient, options: { json?: boolean }, output: Output): Promise<void> {
  const replays = await rowsOf(
    (cursor) => answerOf(api.client.GET("/api/dlq/replays", { params: { query: { cursor } } })),
    (page) => page.replays,
  );
  if (options.json) for (const row of replays) output.json(row);
  else if (replays.length === 0) output.note("nothing has been replayed or dismissed yet");
  else {
    output.table(
      ["when", "[who]", "replayed", "of", "finished", "[why]", "{replay}"],
      replays.map((row) => [
        shortTime(row.createdAt),
        plain(row.who),
        String(row.replayed),
        String(row.total),
        shortTime(row.finishedAt),
        plain(row.why),
        row.replayId,
      ]),
    );
  }
}
