import { Command, Option } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { toCsv } from "../../lib/csv.ts";
import { TRADE_COLUMNS, toCsvRow } from "../../trades/trade-view.ts";
import { type ApiClient, withApi } from "../base/client.ts";
import { pc } from "../base/colours.ts";
import { newestOf, type Size, withSize } from "../base/newest.ts";
import { createOutput, type Output, plain, shortTime } from "../base/output.ts";
import { choice, toCount, toMoment } from "../base/values.ts";

const STATUSES = ["confirmed", "cancelled", "amended", "withdrawn"] as const;

type TradeView = Schemas["Trade"];

interface ListOptions extends Size {
  json?: boolean;
  csv?: boolean;
  status?: TradeView["status"];
  user?: string;
  message?: string;
  audit?: boolean;
  since?: string;
  until?: string;
  isin?: string;
}

export function tradesCommand(output: Output = createOutput()): Command {
  const trades = new Command("trades").description("list, show and undo trades");
  withSize(trades.command("list"), 200)
    .description("list trades, newest first")
    .option("--json", "print one JSON object per line")
    .addOption(
      new Option("--csv", "print CSV that is safe to open in a spreadsheet").conflicts("json"),
    )
    .addOption(choice("--status <status>", "only this status", STATUSES))
    .option("--user <name>", "only trades of this person, by user name or address")
    .option("--message <id>", "only trades of this message")
    .option("--audit", "only trades marked for audit")
    .option("--since <date>", "only trades booked since this date, such as 2026-01-31", toMoment)
    .option("--until <date>", "only trades booked before this date or time", toMoment)
    .option("--isin <isin>", "only trades of this security")
    .addHelpText("after", "\nExample:\n  postroom trades list --csv > trades.csv")
    .action((options: ListOptions) => withApi((api) => listTrades(api, options, output)));
  trades
    .command("show")
    .argument("<id>", "ID of the trade, or its key or reference if no other trade shares it")
    .description("show one trade with its facts, documents, order and decisions")
    .option("--json", "print JSON")
    .addHelpText("after", "\nExample:\n  postroom trades show ldeburna-20260204-AAPL-BUY-100")
    .action((id: string, options: { json?: boolean }) =>
      withApi((api) => showTrade(api, id, options, output)),
    );
  trades
    .command("undo <id>")
    .description("undo the latest decision about a trade, or a given one")
    .requiredOption("--why <reason>", "reason, kept with the decision")
    .option("--decision <id>", "decision to undo (default: the latest)", toCount())
    .option("--dry-run", "show what would be undone without undoing it")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      '\nExample:\n  postroom trades undo 3f2a… --why "two fills" --decision 17',
    )
    .action((id: string, options: UndoOptions) => withApi((api) => undo(api, id, options, output)));
  return trades;
}

async function listTrades(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const query = {
    status: options.status,
    username: options.user,
    messageId: options.message,
    needsAudit: options.audit ? ("true" as const) : undefined,
    since: options.since,
    until: options.until,
    isin: options.isin,
  };
  const trades = await newestOf(
    options,
    (page) => answerOf(api.client.GET("/api/trades", { params: { query: { ...query, ...page } } })),
    (page) => page.trades,
    output,
  );
  if (options.csv) {
    const rows = trades.map((trade) =>
      toCsvRow({
        ...trade,
        createdAt: new Date(trade.createdAt),
        documents: trade.documents.map((each) => ({
          ...each,
          receivedAt: new Date(each.receivedAt),
        })),
      }),
    );
    output.line(toCsv(TRADE_COLUMNS, rows).trimEnd());
    return;
  }
  if (options.json) for (const trade of trades) output.json(trade);
  else if (trades.length === 0)
    output.note("no trade matches; postroom trades list shows the newest");
  else
    output.table(
      ["booked", "trade", "status", "net", "reference", "order", "{id}", "{document}"],
      trades.map(toRow),
    );
}

function toRow(trade: TradeView): string[] {
  const mark = trade.needsAudit ? pc.yellow(" audit") : "";
  const colour = trade.status === "confirmed" ? pc.green : pc.dim;
  return [
    shortTime(trade.createdAt),
    plain(trade.tradeKey),
    colour(trade.status) + mark,
    money(trade.net, trade.currency),
    plain(trade.reference) || "–",
    trade.orderState,
    trade.id,
    plain(trade.documents[0]?.filename),
  ];
}

/** Always shows cents and never rounds. */
function money(amount: number | null, currency: string | null): string {
  if (amount === null) return "–";
  const exact = String(amount);
  const decimals = exact.split(".")[1]?.length ?? 0;
  return `${decimals < 2 ? amount.toFixed(2) : exact} ${currency ?? ""}`.trimEnd();
}

async function showTrade(
  api: ApiClient,
  id: string,
  options: { json?: boolean },
  output: Output,
): Promise<void> {
  const trade = await answerOf(api.client.GET("/api/trades/{id}", { params: { path: { id } } }));
  if (options.json) {
    output.json(trade);
    return;
  }
  output.line(
    `${pc.bold(plain(trade.tradeKey))}  ${trade.status}  confidence ${trade.confidence.toFixed(3)}`,
  );
  for (const [name, fact] of factsOf(trade))
    if (fact !== null) output.line(`  ${name.padEnd(10)} ${plain(fact)}`);
  output.line(`  ${"id".padEnd(10)} ${trade.id}`);
  if (trade.correctsId !== null) output.line(`  ${"amends".padEnd(10)} ${trade.correctsId}`);
  if (trade.correctedById !== null)
    output.line(`  ${"amended by".padEnd(10)} ${trade.correctedById}`);
  output.line(pc.dim("documents"));
  for (const each of trade.documents) {
    output.line(`  ${each.isPrimary ? "*" : " "} ${plain(each.archivePath ?? each.filename)}`);
  }
  output.line(pc.dim(`order: ${trade.order?.reference ?? trade.orderState}`));
  for (const line of trade.matchMatrix) {
    output.line(
      `  ${plain(line.reference)}  ${line.failed ?? pc.green("fits")}  ${plain(line.why)}`,
    );
  }
  output.line(pc.dim("decisions"));
  for (const decision of trade.decisions) output.line(`  ${describe(decision)}`);
}

function factsOf(trade: Schemas["TradeDetails"]): [name: string, fact: string | null][] {
  const { direction, quantity, tradeDate, settlementDate, price, priceCurrency } = trade;
  const amounts = ["gross", "fees", "taxes", "net"] as const;
  return [
    ["direction", direction],
    ["quantity", quantity === null ? null : String(quantity)],
    ["trade date", tradeDate],
    ["settlement", settlementDate],
    ["name", trade.name],
    ["isin", trade.isin],
    ["price", price === null ? null : money(price, priceCurrency ?? trade.currency)],
    ...amounts.map((name): [string, string | null] => {
      const amount = trade[name];
      return [name, amount === null ? null : money(amount, trade.currency)];
    }),
    ["reference", trade.reference],
  ];
}

function describe(decision: Schemas["Decision"]): string {
  const end = decision.undoneBy === null ? "" : pc.dim(` (undone by ${decision.undoneBy})`);
  const why = decision.explanation.map(plain).join("; ");
  return `${decision.id}  ${shortTime(decision.at)}  ${decision.kind} by ${plain(decision.actor)}: ${why}${end}`;
}

interface UndoOptions {
  why: string;
  decision?: number;
  dryRun?: boolean;
  json?: boolean;
}

async function undo(
  api: ApiClient,
  id: string,
  options: UndoOptions,
  output: Output,
): Promise<void> {
  const body = {
    reason: options.why,
    dryRun: options.dryRun ?? false,
    ...(options.decision === undefined ? {} : { decisionId: options.decision }),
  };
  const answer = await answerOf(
    api.client.POST("/api/trades/{id}/undo", { params: { path: { id } }, body }),
  );
  if (options.json) output.json(answer);
  else {
    const isDryRun = "dryRun" in answer;
    const decision = isDryRun ? answer.decision : answer.undone;
    output.line(`${isDryRun ? "would undo" : "undone"}: ${describe(decision)}`);
    if (!isDryRun && answer.asked > 0)
      output.note("the question is open again: postroom review list");
  }
}
