import type { GraphAdmin } from "../graph/admin.ts";
import type { LifecycleEvent } from "../graph/notifications/notification-model.ts";
import { type AddRoute, AdminRefusal, ok, readJson, stringOf } from "./admin-call.ts";

const EVENTS: readonly LifecycleEvent[] = [
  "reauthorizationRequired",
  "subscriptionRemoved",
  "missed",
];

/** Subscriptions as the service handles them: lists and removes them, and sends lifecycle events. */
export function addSubscriptionRoutes(on: AddRoute, graph: GraphAdmin): void {
  const idsOf = (name: string): string[] => {
    const ids = graph.subscriptions().map((subscription) => subscription.id);
    if (name === "all") return ids;
    if (ids.includes(name)) return [name];
    throw new AdminRefusal(
      404,
      "NotFound",
      `there is no subscription ${name}; postroom tenant subscriptions lists them`,
    );
  };

  on("GET", "/subscriptions", () => ok({ value: graph.subscriptions() }));
  on("POST", "/subscriptions/{id}/remove", (request) => {
    const ids = idsOf(request.params["id"]!);
    const notify = readJson(request)["notify"] !== false;
    for (const id of ids) graph.removeSubscription(id, { notify });
    return ok({ removed: ids });
  });
  on("POST", "/subscriptions/{id}/lifecycle", (request) => {
    const event = stringOf(readJson(request), "event") as LifecycleEvent;
    if (!EVENTS.includes(event)) {
      throw new AdminRefusal(400, "BadRequest", `'event' must be one of ${EVENTS.join(", ")}.`);
    }
    const ids = idsOf(request.params["id"]!);
    for (const id of ids) graph.sendLifecycle(id, event);
    return ok({ sent: ids });
  });
}
