import { readFileSync } from "node:fs";
import { Command } from "commander";
import pc from "picocolors";
import type { TradeDocument } from "../ingestion/document-table.ts";
import { systemClock } from "../lib/clock.ts";
import type { Review, ReviewDecision } from "../review/review.ts";
import type { MatrixRow } from "../trades/order.ts";
import type { TradeLine } from "../trades/trade-line-table.ts";
import { type ApiClient, withApi } from "./base/client.ts";
import { CommandError, EXIT } from "./base/exit.ts";
import { createOutput, type Output, plain } from "./base/output.ts";

interface ReviewStory extends Review {
  readonly line: TradeLine | null;
  readonly document: TradeDocument | null;
  readonly trade: { tradeKey: string; matchMatrix: readonly MatrixRow[] } | null;
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
    .option("--status <status>", "only this status: open, decided or applied", "open")
    .option("--assignee <name>", "only questions assigned to this person")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom review list --json")
    .action((options: { status: string; assignee?: string; json?: boolean }) =>
      withApi((api) => listReviews(api, options, output)),
    );
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
        const answer = await api.post(`/api/reviews/${id}/assign`, { assignee: person ?? null });
        if (options.json) output.json(answer);
        else
          output.line(
            `question ${id}: ${person === undefined ? "unassigned" : `assigned to ${person}`}`,
          );
      }),
    );
  addDecisions(review, output);
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
    "confirm the trade with corrected facts",
    "correct 7 quantity=100 price=180.5",
  ).action((id, facts, options) =>
    decide(id, { action: "correct", facts: readFacts(facts) }, options),
  );
  verb(
    "reject <id>",
    "reject the extracted trade: it is not one",
    'reject 7 --why "a quote, not a trade"',
  )
    .requiredOption("--why <reason>", "reason, kept with the decision")
    .action((id, options) => decide(id, { action: "reject", reason: options.why }, options));
  verb(
    "split <id> <file>",
    "replace the extracted trade with several, from a JSON array in a file",
    "split 7 parts.json",
  ).action((id, file, options) => decide(id, { action: "split", lines: readParts(file) }, options));
  verb("link <id>", "link it to an existing trade or to an order", "link 7 --order 3")
    .option("--trade <id>", "existing trade")
    .option("--order <id>", "order")
    .action((id, options) => decide(id, toLink(options), options));
  verb(
    "approve-sender <id>",
    "confirm the trade as extracted, and approve its sender for later notes",
    "approve-sender 7 --until 2027-06-30",
  )
    .option("--until <date>", "last day of the approval (default: no end)")
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

function toLink(options: { trade?: string; order?: string }): ReviewDecision {
  return {
    action: "link",
    ...(options.trade === undefined ? {} : { tradeId: options.trade }),
    ...(options.order === undefined ? {} : { orderId: Number(options.order) }),
  };
}

/** Parses `quantity=100 ticker=AAPL`, including numbers, true, false and null. */
export function readFacts(facts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    facts.map((fact) => {
      const at = fact.indexOf("=");
      if (at < 1) throw new CommandError(`expected name=value, got ${fact}`, EXIT.usage);
      return [fact.slice(0, at), readValue(fact.slice(0, at), fact.slice(at + 1))];
    }),
  );
}

const NUMBERS = new Set("quantity price gross fees taxes net forexGross fxRate".split(" "));

function readValue(name: string, text: string): unknown {
  if (text === "null" || text === "") return null;
  if (name.startsWith("is")) return text === "true";
  return NUMBERS.has(name) ? Number(text) : text;
}

function readParts(file: string): Record<string, unknown>[] {
  const parts: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(parts))
    throw new CommandError(`${file} does not contain a JSON array`, EXIT.usage);
  return parts;
}

async function listReviews(
  api: ApiClient,
  options: { status: string; assignee?: string; json?: boolean },
  output: Output,
): Promise<void> {
  const { reviews } = await api.get<{ reviews: Review[] }>("/api/reviews", {
    status: options.status,
    assignee: options.assignee,
  });
  if (options.json) for (const review of reviews) output.json(review);
  else if (reviews.length === 0) output.note("no questions found");
  else output.table(["id", "about", "age", "assignee", "reason"], reviews.map(toRow));
}

function toRow(review: Review): string[] {
  const minutes = Math.floor((systemClock.now() - new Date(review.openedAt).getTime()) / 60_000);
  const age = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  const refused =
    review.refusal === null ? "" : pc.red(` (could not be applied: ${plain(review.refusal)})`);
  return [
    String(review.id),
    review.subject,
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
  const review = await api.get<ReviewStory>(`/api/reviews/${encodeURIComponent(id)}`);
  if (options.json) {
    output.json(review);
    return;
  }
  output.line(pc.bold(`question ${review.id}, about ${review.subject}, ${review.status}`));
  for (const reason of review.reasons) output.line(`  ${pc.yellow(plain(reason))}`);
  if (review.refusal !== null) output.line(`  ${pc.red(plain(review.refusal))}`);
  if (review.document !== null) {
    output.line(`  ${plain(review.document.filename)} from ${plain(review.document.senderEmail)}`);
  }
  for (const [name, value] of Object.entries(review.line?.facts ?? {})) {
    if (value !== null && value !== false)
      output.line(`  ${name.padEnd(15)} ${plain(String(value))}`);
  }
  for (const line of review.trade?.matchMatrix ?? []) {
    output.line(`  order ${line.orderId} ${plain(line.reference)}: ${plain(line.why)}`);
  }
}

async function sendDecision(
  api: ApiClient,
  id: string,
  decision: ReviewDecision,
  options: DecideOptions,
  output: Output,
): Promise<void> {
  const path = `/api/reviews/${encodeURIComponent(id)}`;
  const dryRun = options.dryRun ?? false;
  const answer = await api.post<object>(`${path}/decision`, { decision, dryRun });
  if (dryRun) {
    if (options.json) output.json(answer);
    else output.line(`question ${id}: the answer is valid`);
    return;
  }
  const review = await untilApplied(api, path);
  if (options.json) output.json(review);
  else if (review.refusal !== null)
    throw new CommandError(`the decision could not be applied: ${plain(review.refusal)}`);
  else output.line(`question ${id}: ${decision.action}, ${review.status}`);
}

/** The decision is stored at once; applying it takes a moment. */
async function untilApplied(api: ApiClient, path: string): Promise<Review> {
  for (let tries = 0; ; tries += 1) {
    const review = await api.get<Review>(path);
    if (review.status !== "decided" || tries >= 50) return review;
    await systemClock.sleep(100);
  }
}
