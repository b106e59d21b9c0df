import type { WebhookRegistration } from "../dataverse/dataverse-admin.ts";
import type { TenantParts } from "../parts.ts";
import { type AddRoute, AdminRefusal, ok, readJson } from "./admin-call.ts";

/** Shows the state of the other parts: containers, Dataverse rows and webhooks, queues. */
export function addPartRoutes(on: AddRoute, { drives, dataverse, serviceBus }: TenantParts): void {
  on("GET", "/containers", () => ok({ value: drives.admin.containers().map(withoutItems) }));

  on("PATCH", "/containers/{container}", (request) => {
    const { quotaBytes } = readJson(request);
    const container = drives.admin
      .containers()
      .find(({ id }) => id === request.params["container"]);
    if (container === undefined)
      throw new AdminRefusal(404, "NotFound", "There is no such container.");
    if (typeof quotaBytes !== "number" || quotaBytes < 0) {
      throw new AdminRefusal(400, "BadRequest", "'quotaBytes' must be a number of at least 0.");
    }
    container.quotaBytes = quotaBytes;
    return ok(withoutItems(container));
  });

  on("GET", "/dataverse/{table}", (request) =>
    refusing(() => ({ value: dataverse.admin.rows(request.params["table"]!) })),
  );
  on("POST", "/dataverse/webhooks", (request) =>
    refusing(() =>
      dataverse.admin.registerWebhook(readJson(request) as unknown as WebhookRegistration),
    ),
  );
  on("POST", "/dataverse/{table}", (request) =>
    refusing(() => dataverse.admin.create(request.params["table"]!, readJson(request))),
  );

  on("GET", "/eventhub", () => ok(serviceBus.inspectHub()));
  on("GET", "/queues", () => ok({ value: serviceBus.list() }));
  on("GET", "/queues/{path*}", (request) => {
    const view = serviceBus.inspect(request.params["path"]!);
    if (view === null) throw new AdminRefusal(404, "NotFound", "There is no such queue.");
    return ok(view);
  });
}

/** A container without its drive: its files are listed through Graph. */
function withoutItems(container: object): object {
  return Object.fromEntries(Object.entries(container).filter(([name]) => name !== "drive"));
}

/** A value that the schema refuses is the caller's error, not the tenant's. */
async function refusing(act: () => object | Promise<object>) {
  try {
    return ok(await act());
  } catch (error) {
    throw new AdminRefusal(400, "BadRequest", (error as Error).message);
  }
}
