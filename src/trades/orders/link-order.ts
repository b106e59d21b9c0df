import type { Transaction } from "../../store/database.ts";
import { POSTROOM, recordDecision } from "../decision-table.ts";
import type { MatrixRow } from "../order.ts";
import type { AnswerResult, Question } from "../question.ts";
import type { TradeFacts } from "../trade.ts";
import { getTrade, setTradeMatch, setTradeOrder } from "../trade-table.ts";
import { matchOrder, type OrderMatch } from "./match-order.ts";
import { findOrders, getOrder, hasOrders, setOrderStatus } from "./order-table.ts";

/** The matrix lists only the trader's own orders; other people's orders would hide them. */
const MATRIX_ROWS_MAX = 50;

interface TradeToLink {
  readonly id: string;
  readonly documentId: string;
  readonly username: string;
  readonly facts: TradeFacts;
  readonly corrects: string | null;
}

/**
 * Links a trade to its order, or asks for the order. If no orders are kept, there is nothing to ask. A
 * correction takes over the order of the trade that it corrects.
 */
export async function linkTradeToOrder(tx: Transaction, trade: TradeToLink): Promise<Question[]> {
  if (!(await hasOrders(tx))) {
    await setTradeMatch(tx, trade.id, { orderState: "no-orders", matrix: [] });
    return [];
  }
  if (trade.corrects !== null) await releaseOrder(tx, trade.corrects);
  const orders = await findOrders(tx, { status: "open", limit: 10_000 });
  const match = matchOrder(trade.facts, trade.username, orders);
  const matrix = match.matrix.filter((row) => row.failed !== "user").slice(0, MATRIX_ROWS_MAX);
  if (match.kind === "linked") {
    await setTradeMatch(tx, trade.id, { orderState: "linked", matrix });
    await takeOrder(tx, { tradeId: trade.id, orderId: match.orderId, actor: POSTROOM }, [
      matrix.find((row) => row.failed === null)!.why,
    ]);
    return [];
  }
  await setTradeMatch(tx, trade.id, { orderState: "in-review", matrix });
  return [
    {
      subject: "order",
      lineId: null,
      documentId: trade.documentId,
      tradeId: trade.id,
      reasons: reasonsOf(match, matrix, trade.username),
    },
  ];
}

function reasonsOf(match: OrderMatch, matrix: readonly MatrixRow[], username: string): string[] {
  if (match.kind === "several") return ["several orders fit", ...matrix.map(describe)];
  if (matrix.length === 0) return [`${username} has no open order`];
  return ["no order fits", ...matrix.map(describe)];
}

const describe = (row: MatrixRow) =>
  row.failed === null
    ? `order ${row.reference} fits`
    : `order ${row.reference} fails at ${row.failed}: ${row.why}`;

/** Links the order to the trade that executed it; no other trade can take it. */
export async function takeOrder(
  tx: Transaction,
  link: { tradeId: string; orderId: number; actor: string },
  explanation: readonly string[],
): Promise<void> {
  await setTradeOrder(tx, link.tradeId, { orderId: link.orderId, orderState: "linked" });
  await setOrderStatus(tx, link.orderId, "executed");
  await recordDecision(tx, { kind: "link", ...link, explanation });
}

/** Opens the order of a trade that is no longer valid. Returns its id. */
export async function releaseOrder(tx: Transaction, tradeId: string): Promise<number | null> {
  const trade = await getTrade(tx, tradeId);
  if (trade === null || trade.orderId === null) return null;
  await setTradeOrder(tx, tradeId, { orderId: null, orderState: "unmatched" });
  await setOrderStatus(tx, trade.orderId, "open");
  return trade.orderId;
}

/** Carries out a reviewer's answer: this order, or no order. */
export async function answerOrder(
  tx: Transaction,
  actor: string,
  tradeId: string,
  orderId: number | null,
): Promise<AnswerResult> {
  if (orderId === null) {
    await setTradeOrder(tx, tradeId, { orderId: null, orderState: "unmatched" });
    const explanation = [`${actor} left it without an order`];
    await recordDecision(tx, { kind: "unlink", actor, tradeId, explanation });
    return { kind: "done", questions: [] };
  }
  const order = await getOrder(tx, orderId);
  if (order === null) return { kind: "refused", why: `there is no order ${orderId}` };
  if (order.status !== "open")
    return { kind: "refused", why: `order ${order.reference} is ${order.status}` };
  await takeOrder(tx, { tradeId, orderId, actor }, [`${actor} linked order ${order.reference}`]);
  return { kind: "done", questions: [] };
}
