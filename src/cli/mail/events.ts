import { Command } from "commander";
import { request } from "undici";
import { answerOf } from "../../client/index.ts";
import { EVENT_TYPES } from "../../mailbox/events/diff-message.ts";
import { type ApiClient, explainSilence, toApiError, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { newestOf, type Size, withSize } from "../base/newest.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { choice, toMoment } from "../base/values.ts";

interface EventView {
  readonly seq: number;
  readonly messageId: string;
  readonly timestamp: string;
  readonly mailbox: string;
  readonly eventType: string;
  readonly subject: string | null;
  readonly isMasked: boolean;
  readonly sender: { readonly email?: string };
  readonly folderName: string | null;
  readonly seenBy: string;
}

interface ListOptions {
  json?: boolean;
  mailbox?: string;
  type?: string;
  since?: string;
  senderDomain?: string;
  seenBy?: string;
}

const SEEN_BY = ["push", "delta", "poll", "audit", "import"];

export function eventsCommand(output: Output = createOutput()): Command {
  const events = new Command("events").description(
    "list or follow what happened to mail in the watched mailboxes",
  );
  withSize(withFilters(events.command("list")), 50)
    .description("list the newest events, in the order in which Postroom recorded them")
    .addHelpText(
      "after",
      "\nExample:\n  postroom events list --mailbox nina.berg@ashdown.example --type arrived --json",
    )
    .action((options: ListOptions & Size) => withApi((api) => listEvents(api, options, output)));
  withFilters(events.command("tail"))
    .description("show events as they happen; press Ctrl-C to stop")
    .addHelpText("after", "\nExample:\n  postroom events tail --json | jq .subject")
    .action((options: ListOptions) =>
      withApi((api) =>
        tailEvents(api, options, output).catch((error: unknown) => {
          throw explainSilence(error, api.origin);
        }),
      ),
    );
  return events;
}

function withFilters(command: Command): Command {
  return command
    .option("--json", "print one JSON object per line")
    .option("--mailbox <address>", "only this mailbox")
    .addOption(choice("--type <type>", "only this type", EVENT_TYPES))
    .option("--since <date>", "only events since this date or time, such as 2026-01-31", toMoment)
    .option("--sender-domain <domain>", "only mail from this domain")
    .addOption(choice("--seen-by <path>", "only events that were first found this way", SEEN_BY));
}

async function listEvents(
  api: ApiClient,
  options: ListOptions & Size,
  output: Output,
): Promise<void> {
  const found: EventView[] = await newestOf(
    options,
    (page) =>
      answerOf(
        api.client.GET("/api/events", { params: { query: { ...toQuery(options), ...page } } }),
      ),
    (page) => page.events,
    output,
  );
  found.reverse();
  if (options.json) for (const event of found) output.json(event);
  else if (found.length === 0) output.note(describeNothing(options));
  else
    output.table(
      ["time", "mailbox", "event", "by", "[folder]", "[from]", "[subject]", "{message}"],
      found.map(toRow),
    );
}

function describeNothing(options: ListOptions): string {
  const isFiltered = Object.values(toQuery(options)).some((value) => value !== undefined);
  return isFiltered
    ? "no event matches these filters; postroom events list shows the newest"
    : "no events yet; send a message to a watched mailbox (see postroom tenant send --help)";
}

async function tailEvents(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(toQuery(options))) {
    if (value !== undefined) query.set(name, value);
  }
  const answer = await request(`${api.origin}/api/events/tail?${query}`, {
    headers: { authorization: `Bearer ${api.operatorKey}`, accept: "text/event-stream" },
    bodyTimeout: 0,
  });
  if (answer.statusCode !== 200)
    throw toApiError({
      status: answer.statusCode,
      body: Buffer.from(await answer.body.arrayBuffer()),
    });
  let rest = "";
  for await (const chunk of answer.body) {
    const blocks = (rest + (chunk as Buffer).toString("utf8")).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const eventText = /^data: (.*)$/m.exec(block)?.[1];
      if (eventText === undefined) continue;
      const event = JSON.parse(eventText) as EventView;
      if (options.json) output.json(event);
      else output.line(toRow(event).join("  "));
    }
  }
  throw new CommandError("the server ended the stream; try again once it runs", EXIT.tryLater);
}

function toQuery(options: ListOptions): Record<string, string | undefined> {
  const { mailbox, type, since, senderDomain, seenBy } = options;
  return { mailbox, type, since, senderDomain, seenBy };
}

const COLOURS: Readonly<Record<string, (text: string) => string>> = {
  arrived: pc.green,
  deleted: pc.red,
  moved: pc.cyan,
  restored: pc.yellow,
};

function toRow(event: EventView): string[] {
  const colour = COLOURS[event.eventType] ?? ((text: string) => text);
  return [
    shortTime(event.timestamp),
    plain(event.mailbox),
    colour(event.eventType),
    event.seenBy,
    plain(event.folderName),
    event.isMasked ? "(masked)" : plain(event.sender.email),
    event.isMasked ? "(masked)" : plain(event.subject),
    plain(event.messageId),
  ];
}
