/** Orders that trades are matched against: list, put one or many, import a CSV file, cancel. */
import type { Database } from "../../store/database.ts";
import {
  findOrders,
  getOrderByReference,
  type NewOrder,
  type OrderChange,
  previewOrders,
  putOrder,
  putOrders,
  setOrderStatus,
} from "../../trades/orders/order-table.ts";
import { readOrdersCsv } from "../../trades/orders/read-orders.ts";
import { toPage } from "../http/paging.ts";
import { badRequest, conflict, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/orders.ts";

/** A person reads them before the import. */
const CHANGES_SHOWN = 200;

export interface OrderRoutesNeeds {
  readonly database: Database;
}

export function registerOrderRoutes(app: ApiScope, needs: OrderRoutesNeeds): void {
  const { database } = needs;

  app.get(
    "/api/orders",
    { config: { access: "viewer", isForAllTenants: true }, schema: schemas.listOrders },
    async (request) => {
      const { cursor: after, limit, ...filter } = request.query;
      const found = await findOrders(database, { ...filter, after, limit: limit + 1 });
      const { rows: orders, next } = toPage("orders", limit, found, ({ id }) => id);
      return { orders, next };
    },
  );

  app.post(
    "/api/orders",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.putOrder },
    async (request, reply) => {
      const order = request.body as NewOrder;
      const written = await putOrder(database, order);
      return reply.code(written.change === "added" ? 201 : 200).send(written);
    },
  );

  app.post(
    "/api/orders/import",
    {
      config: { access: "operator", isForAllTenants: true },
      schema: schemas.importOrders,
      bodyLimit: 6_000_000,
    },
    async (request) => {
      const { csv, dryRun } = request.body;
      const { orders, problems } = readOrdersCsv(csv);
      if (problems.length > 0) throw badRequest(problems.slice(0, 20).join("\n"));
      if (dryRun) {
        const changes = await previewOrders(database, orders);
        const shown = changes
          .filter(({ change }) => change !== "unchanged")
          .slice(0, CHANGES_SHOWN);
        return {
          dryRun: true as const,
          orders: orders.length,
          ...countOf(changes),
          changes: shown,
        };
      }
      return putOrders(database, orders);
    },
  );

  app.delete(
    "/api/orders/:reference",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.cancelOrder },
    async (request) => {
      const { reference } = request.params;
      const order = await getOrderByReference(database, reference);
      if (order === null)
        throw notFound(`there is no order ${reference}; postroom orders list shows them`);
      if (order.status === "executed")
        throw conflict(`order ${reference} was executed; undo its trade first`);
      await setOrderStatus(database, order.id, "cancelled");
      return { reference, status: "cancelled" as const };
    },
  );
}

function countOf(changes: readonly OrderChange[]): Record<OrderChange["change"], number> {
  const counts = { added: 0, changed: 0, unchanged: 0 };
  for (const { change } of changes) counts[change] += 1;
  return counts;
}
