import { Command } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { systemClock } from "../../lib/clock.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { CommandError, EXIT } from "../base/exit.ts";
import { readGivenText } from "../base/given-file.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { choice, toDay } from "../base/values.ts";
import { readGiven, sendGiven } from "./give-for-review.ts";
import { assertFacts, inOrder, readFacts } from "./read-facts.ts";

type DescribedReview = Schemas["DescribedReview"];
type ReviewStory = Schemas["ReviewDetails"];

type ReviewDecision = Schemas["ReviewDecisionInput"];

interface ListOptions {
  status: DescribedReview["status"];
  assignee?: string;
  json?: boolean;
}

interface DecideOptions {
  json?: boolean;
  dryRun?: boolean;
}

export function reviewCommand(output: Output = createOutput()): Command {
  const review = new Command("review").description("answer the questions that need a person");
  review
    .command("list")
    .description("list questions, oldest first")
    .addOption(
      choice("--status <status>", "only this status", ["open", "decided", "applied"]).default(
        "open",
      ),
    )
    .option("--assignee <name>", "only questions assigned to this person")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom review list --json")
    .action((options: ListOptions) => withApi((api) => listReviews(api, options, output)));
  for (const [name, text] of [
    ["next", "show the oldest open question"],
    ["show <id>", "show one question with everything known about it"],
  ] as const) {
    review
      .command(name)
      .description(text)
      .option("--json", "print JSON")
      .action((...given: unknown[]) => {
        const [id, options] = (name === "next" ? ["next", given[0]] : given) as [
          string,
          DecideOptions,
        ];
        return withApi((api) => showReview(api, id, options, output));
      });
  }
  review
    .command("assign <id> [person]")
    .description("assign a question to a person; without a person, unassign it")
    .option("--json", "print JSON")
    .action((id: string, person: string | undefined, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.POST("/api/reviews/{id}/assign", {
            params: { path: { id } },
            body: { assignee: person ?? null },
          }),
        );
        if (options.json) output.json(answer);
        else
          output.line(
            `question ${id}: ${person === undefined ? "unassigned" : `assigned to ${person}`}`,
          );
      }),
    );
  addDecisions(review, output);
  addGive(review, output);
  addUndo(review, output);
  return review;
}

function addDecisions(review: Command, output: Output): void {
  const verb = (name: string, text: string, example: string) =>
    review
      .command(name)
      .description(text)
      .option("--dry-run", "check the answer without submitting it")
      .option("--json", "print JSON")
      .addHelpText("after", `\nExample:\n  postroom review ${example}`);
  const decide = (id: string, decision: ReviewDecision, options: DecideOptions) =>
    withApi((api) => sendDecision(api, id, decision, options, output));

  verb("accept <id>", "confirm the trade as extracted", "accept 7").action((id, options) =>
    decide(id, { action: "accept" }, options),
  );
  verb(
    "correct <id> <facts...>",
    "confirm the trade with corrected values, as name=value",
    "correct 7 quantity=100 price=180.5",
  ).action((id, facts, options) =>
    decide(id, { action: "correct", facts: readFacts(facts) }, options),
  );
  verb(
    "reject <id>",
    "reject what was extracted: it is not a trade",
    'reject 7 --why "a quote, not a trade"',
  )
    .requiredOption("--why <reason>", "reason, kept with the decision")
    .action((id, options) => decide(id, { action: "reject", reason: options.why }, options));
  verb(
    "split <id> <file>",
    "replace the extracted trade with those in a file (a JSON array)",
    "split 7 parts.json",
  ).action(async (id, file, options) =>
    decide(id, { action: "split", lines: await readParts(file) }, options),
  );
  verb(
    "link <id>",
    "link the extracted trade to an existing trade or to an order",
    "link 7 --order 3",
  )
    .option("--trade <id>", "ID of the trade, or its key or reference if no other trade shares it")
    .option("--order <id>", "ID of the order, or its reference if that is no number")
    .action((id, options) =>
      withApi(async (api) => sendDecision(api, id, await toLink(api, options), options, output)),
    );
  verb(
    "approve-sender <id>",
    "confirm the trade as extracted, and approve its sender for later notes",
    "approve-sender 7 --until 2027-06-30",
  )
    .option("--until <date>", "last day of the approval (default: no end)", toDay)
    .action((id, { until, ...options }) =>
      decide(id, { action: "approve-sender", ...(until === undefined ? {} : { until }) }, options),
    );
  verb(
    "not-a-note <id>",
    "mark the document as not a contract note",
    'not-a-note 7 --why "a newsletter"',
  )
    .requiredOption("--why <reason>", "reason, kept with the decision")
    .action((id, options) => decide(id, { action: "not-a-note", reason: options.why }, options));
}

function addGive(review: Command, output: Output): void {
  review
    .command("give <id>")
    .description(
      "give the password of a document that could not be opened, or another file in its place",
    )
    .option("--password-file <file>", "file with the password, or - for standard input")
    .option("--file <pdf>", "file to read in place of the document")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom review give 7 --password-file -")
    .action((id: string, options: { passwordFile?: string; file?: string; json?: boolean }) =>
      withApi(async (api) => {
        await sendGiven(api, id, await readGiven(options), output);
        await showApplied(api, id, "give", options, output);
      }),
    );
}

function addUndo(review: Command, output: Output): void {
  review
    .command("undo <id>")
    .description("take an answer back: withdraw what it created, and reopen the question")
    .requiredOption("--why <reason>", "reason, kept with the decision")
    .option("--json", "print JSON")
    .addHelpText("after", '\nExample:\n  postroom review undo 7 --why "the wrong key"')
    .action((id: string, options: { why: string; json?: boolean }) =>
      withApi(async (api) => {
        const params = { path: { id } };
        const body = { reason: options.why };
        const answer = await answerOf(api.client.POST("/api/reviews/{id}/undo", { params, body }));
        if (options.json) output.json(answer);
        else
          output.line(
            `question ${id}: its answer is undone${answer.questions.map((again) => `, and it is asked again as question ${again}`).join("")}`,
          );
      }),
    );
}

async function toLink(
  api: ApiClient,
  { trade, order }: { trade?: string; order?: string },
): Promise<ReviewDecision> {
  if (trade === undefined && order === undefined)
    throw new CommandError("use --trade or --order", EXIT.usage);
  return {
    action: "link",
    ...(trade === undefined ? {} : { tradeId: trade }),
    ...(order === undefined ? {} : { orderId: await findOrderId(api, order) }),
  };
}

async function findOrderId(api: ApiClient, given: string): Promise<number> {
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  const orders = await rowsOf(
    (cursor) => answerOf(api.client.GET("/api/orders", { params: { query: { cursor } } })),
    (page) => page.orders,
  );
  const found = orders.find(({ reference }) => reference === given);
  if (found === undefined)
    throw new CommandError(`there is no order ${given}; postroom orders list shows them`);
  return found.id;
}

async function readParts(file: string): Promise<Record<string, unknown>[]> {
  const refuse = (why: string) => new CommandError(`${file} ${why}`, EXIT.usage);
  let parts: unknown;
  try {
    parts = JSON.parse(await readGivenText(file));
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse("is not valid JSON");
    throw error;
  }
  if (!Array.isArray(parts) || parts.length < 2)
    throw refuse("must contain a JSON array of two trades or more");
  for (const [index, part] of parts.entries()) assertFacts(part, `trade ${index + 1} of ${file}`);
  return parts;
}

async function listReviews(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const { status, assignee } = options;
  const reviews = await rowsOf(
    (cursor) =>
      answerOf(api.client.GET("/api/reviews", { params: { query: { status, assignee, cursor } } })),
    (page) => page.reviews,
  );
  if (options.json) for (const review of reviews) output.json(review);
  else if (reviews.length === 0) output.note("no questions found");
  else
    output.table(
      ["id", "[trade]", "[file]", "[from]", "age", "[assignee]", "{reason}"],
      reviews.map(toRow),
    );
}

function toRow(review: DescribedReview): string[] {
  const minutes = Math.floor((systemClock.now() - new Date(review.openedAt).getTime()) / 60_000);
  const age = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  const refused =
    review.refusal === null ? "" : pc.red(` (could not be applied: ${plain(review.refusal)})`);
  return [
    String(review.id),
    plain(review.about.trade) || review.subject,
    plain(review.about.file) || "–",
    plain(review.about.sender) || "–",
    age,
    plain(review.assignee) || "–",
    plain(review.reason) + refused,
  ];
}

async function showReview(
  api: ApiClient,
  id: string,
  options: DecideOptions,
  output: Output,
): Promise<void> {
  const review = await getReview(api, id);
  if (options.json) {
    output.json(review);
    return;
  }
  const subject = review.subject === "line" ? "a trade" : `the ${review.subject}`;
  output.line(pc.bold(`question ${review.id} about ${subject}, ${review.status}`));
  for (const reason of review.reasons) output.line(`  ${pc.yellow(plain(reason))}`);
  if (review.refusal !== null) output.line(`  ${pc.red(plain(review.refusal))}`);
  if (review.decision !== null) output.line(`  ${describeAnswer(review)}`);
  if (review.document !== null) printDocument(review.document, output);
  const facts: Readonly<Record<string, unknown>> = review.line?.facts ?? {};
  for (const name of inOrder(Object.keys(facts))) {
    const value = facts[name] ?? null;
    if (value !== null && value !== false)
      output.line(`  ${name.padEnd(15)} ${plain(String(value))}`);
  }
  for (const trade of review.candidates)
    output.line(`  booked  ${plain(trade.tradeKey)} ${trade.id}`);
  for (const line of review.trade?.matchMatrix ?? []) {
    output.line(`  order ${line.orderId} ${plain(line.reference)}: ${plain(line.why)}`);
  }
}

function describeAnswer({ decision, decidedBy, decidedByName, decidedAt }: ReviewStory): string {
  const why = decision !== null && "reason" in decision ? `: ${plain(decision.reason)}` : "";
  const at = decidedAt === null ? "" : ` at ${shortTime(decidedAt)}`;
  return `answered  ${decision?.action} by ${plain(decidedByName ?? decidedBy)}${at}${why}`;
}

function printDocument(document: Schemas["Note"], output: Output): void {
  output.line(`  ${plain(document.filename)} from ${plain(document.senderEmail)}`);
  if (document.archivePath !== null) output.line(`  archived  ${plain(document.archivePath)}`);
  output.line(`  document  ${document.id}`);
  if (document.messageId !== null) {
    const to = `postroom evidence export --message ${plain(document.messageId)} --to FOLDER`;
    output.line(`  to get the PDF: ${to}`);
  }
}

async function sendDecision(
  api: ApiClient,
  id: string,
  decision: ReviewDecision,
  options: DecideOptions,
  output: Output,
): Promise<void> {
  const dryRun = options.dryRun ?? false;
  const answer = await answerOf(
    api.client.POST("/api/reviews/{id}/decision", {
      params: { path: { id } },
      body: { decision, dryRun },
    }),
  );
  if (dryRun) {
    if (options.json) output.json(answer);
    else output.line(`question ${id}: the answer would be applied; nothing was changed`);
    return;
  }
  await showApplied(api, id, decision.action, options, output);
}

async function showApplied(
  api: ApiClient,
  id: string,
  action: string,
  options: { readonly json?: boolean },
  output: Output,
): Promise<void> {
  const review = await untilApplied(api, id);
  if (options.json) output.json(review);
  if (review.refusal !== null)
    throw new CommandError(`the decision could not be applied: ${plain(review.refusal)}`);
  if (!options.json) output.line(`question ${id}: ${describeResult(action, review)}`);
}

function describeResult(action: string, review: ReviewStory): string {
  if (review.status === "decided")
    return `${action} is stored and will be applied soon; see postroom review show ${review.id}`;
  if (action === "give")
    return "the document was read and is being ingested; see postroom trades list and review list";
  if (review.subject === "order") {
    const order = review.trade?.orderId ?? null;
    return `${action}, applied: the trade ${order === null ? "stays without an order" : `belongs to order ${order}`}`;
  }
  const trades = answeredLines(review).flatMap(({ outcome, tradeId }) =>
    tradeId === null ? [] : [`${outcome}, trade ${tradeId}`],
  );
  return `${action}, applied${trades.length === 0 ? "; no trade was booked" : `: ${trades.join("; ")}`}`;
}

/** The line that was asked about or, if the reviewer entered others in its place, those: they are the document's last. */
function answeredLines({ decision, line, lines }: ReviewStory): ReviewStory["lines"] {
  const entered =
    decision?.action === "split"
      ? (decision.lines ?? []).length
      : decision?.action === "correct" && line === null
        ? 1
        : 0;
  if (entered === 0) return line === null ? [] : [line];
  return [...lines].sort((one, other) => one.position - other.position).slice(-entered);
}

/** The decision is stored at once; applying it takes a moment. */
async function untilApplied(api: ApiClient, id: string): Promise<ReviewStory> {
  for (let tries = 0; ; tries += 1) {
    const review = await getReview(api, id);
    if (review.status !== "decided" || tries >= 50) return review;
    await systemClock.sleep(100);
  }
}

/** The word `next` is the oldest open question. */
const getReview = (api: ApiClient, id: string): Promise<ReviewStory> =>
  answerOf(
    id === "next"
      ? api.client.GET("/api/reviews/next")
      : api.client.GET("/api/reviews/{id}", { params: { path: { id } } }),
  );
