import { Command } from "commander";
import { answerOf } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { readGivenText } from "../base/given-file.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";

interface AddOptions {
  readonly webhook?: string;
  readonly eventHubsFile?: string;
  readonly outbox?: boolean;
  readonly events: boolean;
  readonly trades: boolean;
  readonly fromStart?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function sinksCommand(output: Output = createOutput()): Command {
  const sinks = new Command("sinks").description(
    "send events and trades to other programs: by webhook, through Event Hubs or in a table",
  );
  addList(sinks, output);
  addAdd(sinks, output);
  addRemove(sinks, output);
  addTest(sinks, output);
  return sinks;
}

function addList(sinks: Command, output: Output): void {
  sinks
    .command("list")
    .description("list sinks with what was sent, what is waiting and the last error")
    .option("--json", "print one JSON object per line")
    .action((options: { json?: boolean }) =>
      withApi(async (api) => {
        const rows = await rowsOf(
          (cursor) => answerOf(api.client.GET("/api/sinks", { params: { query: { cursor } } })),
          (page) => page.sinks,
        );
        if (options.json) for (const row of rows) output.json(row);
        else if (rows.length === 0) output.note("no sinks yet; add one with postroom sinks add");
        else
          output.table(
            ["sink", "kind", "sent", "waiting", "last sent", "tried again", "{because}"],
            rows.map((row) => [
              plain(row.name),
              row.kind,
              String(row.sent),
              String(row.waiting),
              shortTime(row.lastSentAt),
              shortTime(row.nextAt),
              plain(row.lastError),
            ]),
          );
      }),
    );
}

function addAdd(sinks: Command, output: Output): void {
  sinks
    .command("add <name>")
    .description("send events and trades to another program from now on")
    .option("--webhook <url>", "POST each event or trade to this URL, signed")
    .option("--event-hubs-file <file>", "file with the connection string of an event hub")
    .option("--outbox", "write to the table postroom.sink_outbox")
    .option("--no-events", "send trades only")
    .option("--no-trades", "send events only")
    .option("--from-start", "also send what happened before")
    .option("--dry-run", "check without adding")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom sinks add warehouse --outbox")
    .action((name: string, options: AddOptions) =>
      withApi((api) => add(api, name, options, output)),
    );
}

async function add(api: ApiClient, name: string, options: AddOptions, output: Output) {
  const { webhook: url, eventHubsFile: file, outbox } = options;
  const kinds = [url && "webhook", file && "event-hubs", outbox && "outbox"].filter(Boolean);
  if (kinds.length !== 1)
    throw new CommandError("use one of --webhook, --event-hubs-file and --outbox", EXIT.usage);
  const connectionString = file === undefined ? undefined : (await readGivenText(file)).trim();
  const answer = await answerOf(
    api.client.POST("/api/sinks", {
      body: {
        name,
        url,
        connectionString,
        kind: kinds[0] as "webhook",
        sendsEvents: options.events,
        sendsTrades: options.trades,
        fromStart: options.fromStart ?? false,
        dryRun: options.dryRun ?? false,
      },
    }),
  );
  if (options.json) return output.json(answer);
  if ("dryRun" in answer) return output.line(`${name}: can be added`);
  output.line(`${name} was added; ${answer.sink.waiting} messages wait for it`);
  if (answer.secret !== null) output.line(`secret, shown only now: ${answer.secret}`);
}

function addRemove(sinks: Command, output: Output): void {
  sinks
    .command("remove <name>")
    .description("stop sending to a sink and forget its position")
    .option("--dry-run", "show what would be left unsent without removing")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom sinks remove warehouse --dry-run")
    .action((name: string, options: { dryRun?: boolean; json?: boolean }) =>
      withApi(async (api) => {
        const dryRun = options.dryRun ? "true" : "false";
        const answer = await answerOf(
          api.client.DELETE("/api/sinks/{name}", { params: { path: { name }, query: { dryRun } } }),
        );
        if (options.json) return output.json(answer);
        const verb = options.dryRun ? "can be removed" : "was removed";
        output.line(`${plain(name)} ${verb}; messages not sent: ${answer.waiting}`);
      }),
    );
}

function addTest(sinks: Command, output: Output): void {
  sinks
    .command("test <name>")
    .description("send one test message now; exit with 1 if the receiver does not accept it")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom sinks test warehouse")
    .action((name: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.POST("/api/sinks/{name}/test", { params: { path: { name } } }),
        );
        if (options.json) output.json(answer);
        else if (answer.isTaken) output.line(`${plain(name)} accepted the message ${answer.id}`);
        if (!answer.isTaken)
          throw new CommandError(`${name} accepted nothing: ${plain(answer.problem)}`, EXIT.failed);
      }),
    );
}
