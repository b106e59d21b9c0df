import { Command } from "commander";
import { answerOf, type Schemas } from "../../client/index.ts";
import { type ApiClient, rowsOf, withApi } from "../base/client.ts";
import { readGivenText } from "../base/given-file.ts";
import { count, createOutput, type Output, plain } from "../base/output.ts";
import { choice } from "../base/values.ts";

const STATUSES = ["open", "executed", "cancelled"];

interface ListOptions {
  status?: Schemas["Order"]["status"];
  user?: string;
  json?: boolean;
}

export function ordersCommand(output: Output = createOutput()): Command {
  const orders = new Command("orders").description(
    "manage orders: the trades that people are expected to make",
  );
  orders
    .command("list")
    .description("list orders")
    .addOption(choice("--status <status>", "only this status", STATUSES))
    .option("--user <name>", "only orders of this person, by user name or address")
    .option("--json", "print one JSON object per line")
    .addHelpText("after", "\nExample:\n  postroom orders list --status open")
    .action((options: ListOptions) => withApi((api) => listOrders(api, options, output)));
  orders
    .command("import <file>")
    .description("import orders from a CSV file; an order with a known reference is updated")
    .option("--dry-run", "check the file without writing anything")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      "\nColumns: reference, username, direction, quantity, placedOn, and any of userEmail, holderName,\n" +
        "ticker, isin, sedol, cusip, description, limitPrice, currency, validUntil, status.\n" +
        "\nExample:\n  postroom orders import orders.csv --dry-run",
    )
    .action((file: string, options: { dryRun?: boolean; json?: boolean }) =>
      withApi((api) => importOrders(api, file, options, output)),
    );
  orders
    .command("cancel <reference>")
    .description("cancel an order, so that no trade is expected for it")
    .option("--json", "print JSON")
    .action((reference: string, options: { json?: boolean }) =>
      withApi(async (api) => {
        const answer = await answerOf(
          api.client.DELETE("/api/orders/{reference}", { params: { path: { reference } } }),
        );
        if (options.json) output.json(answer);
        else output.line(`order ${reference}: cancelled`);
      }),
    );
  return orders;
}

async function listOrders(api: ApiClient, options: ListOptions, output: Output): Promise<void> {
  const { status, user: username } = options;
  const orders = await rowsOf(
    (cursor) =>
      answerOf(api.client.GET("/api/orders", { params: { query: { status, username, cursor } } })),
    (page) => page.orders,
  );
  if (options.json) for (const order of orders) output.json(order);
  else if (orders.length === 0)
    output.note(
      (status ?? username) === undefined
        ? "no orders yet; import some with postroom orders import FILE.csv"
        : "no order matches; postroom orders list shows all",
    );
  else {
    output.table(
      ["id", "reference", "user", "order", "placed", "status"],
      orders.map((order) => [
        String(order.id),
        plain(order.reference),
        plain(order.username),
        `${order.direction} ${order.quantity} ${plain(order.ticker ?? order.isin ?? order.sedol)}`,
        order.placedOn,
        order.status,
      ]),
    );
  }
}

async function importOrders(
  api: ApiClient,
  file: string,
  options: { dryRun?: boolean; json?: boolean },
  output: Output,
): Promise<void> {
  const dryRun = options.dryRun ?? false;
  const csv = await readGivenText(file);
  const answer = await answerOf(api.client.POST("/api/orders/import", { body: { csv, dryRun } }));
  if (options.json) output.json(answer);
  else {
    const { added, changed, unchanged } = answer;
    const would = "dryRun" in answer ? `${count(answer.orders, "order")} read; would be: ` : "";
    output.line(`${would}${added} added, ${changed} changed, ${unchanged} unchanged`);
  }
}
