/** Orders that trades are matched against: list, put one or many, import a CSV file, cancel. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Database } from "../store/database.ts";
import {
  findOrders,
  getOrderByReference,
  type NewOrder,
  putOrder,
  putOrders,
  setOrderStatus,
} from "../trades/orders/order-table.ts";
import { OrderInput, readOrdersCsv } from "../trades/orders/read-orders.ts";
import { parse } from "./http/parse.ts";
import { badRequest, conflict, notFound } from "./http/problem.ts";

export interface OrderRoutesNeeds {
  readonly database: Database;
}

const ListQuery = z.object({
  status: z.enum(["open", "executed", "cancelled"]).optional(),
  username: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(5_000).default(500),
});
const Import = z.object({ csv: z.string().max(5_000_000), dryRun: z.boolean().default(false) });

export function registerOrderRoutes(app: FastifyInstance, needs: OrderRoutesNeeds): void {
  const { database } = needs;

  app.get("/api/orders", { config: { access: "viewer" } }, async (request) => {
    return { orders: await findOrders(database, parse(ListQuery, request.query)) };
  });

  app.post("/api/orders", { config: { access: "operator" } }, async (request, reply) => {
    const order = parse(OrderInput, request.body) as NewOrder;
    const written = await putOrder(database, order);
    return reply.code(written.change === "added" ? 201 : 200).send(written);
  });

  app.post(
    "/api/orders/import",
    { config: { access: "operator" }, bodyLimit: 6_000_000 },
    async (request) => {
      const { csv, dryRun } = parse(Import, request.body);
      const { orders, problems } = readOrdersCsv(csv);
      if (problems.length > 0) throw badRequest(problems.slice(0, 20).join("\n"));
      if (dryRun) return { dryRun, orders: orders.length };
      return putOrders(database, orders);
    },
  );

  app.delete("/api/orders/:reference", { config: { access: "operator" } }, async (request) => {
    const { reference } = request.params as { reference: string };
    const order = await getOrderByReference(database, reference);
    if (order === null) throw notFound("there is no such order");
    if (order.status === "executed") throw conflict("the order was executed");
    await setOrderStatus(database, order.id, "cancelled");
    return { reference, status: "cancelled" };
  });
}
