import type { TenantContext } from "../context.ts";
import { parseDurationMs } from "../durations.ts";
import { misspeltIn } from "../fault-table.ts";
import type { ArmedFault } from "../faults.ts";
import { GRAPH_SWITCHES } from "../graph/call/graph-switches.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { decodeSnapshot, encodeSnapshot } from "../snapshot.ts";
import { createSwitches } from "../switches.ts";
import {
  type AddRoute,
  AdminRefusal,
  checkKinds,
  type Kinds,
  ok,
  readJson,
  stringOf,
  type TenantCore,
} from "./admin-call.ts";

const JOURNAL_PAGE_MAX = 10_000;

/** Clock, faults, switches, journal and snapshots: what a test or a scenario controls. */
export function addControlRoutes(on: AddRoute, context: TenantContext, core: TenantCore): void {
  addClockRoutes(on, context);
  addFaultRoutes(on, context);
  addLibraryRoute(on, core);
  const { journal, switches } = context;

  on("GET", "/switches", () => ok(switches));
  on("PATCH", "/switches", (request) => {
    const changes = readJson(request);
    checkKinds(changes, kindsOf(SWITCHES));
    return ok(Object.assign(switches, changes));
  });

  on("GET", "/journal", (request) => {
    const after = Number(request.query.get("after") ?? 0) || 0;
    const kind = request.query.get("kind");
    const entries = journal
      .entries(after)
      .filter((entry) => kind === null || entry.kind.startsWith(kind));
    return ok({ value: entries.slice(0, JOURNAL_PAGE_MAX) });
  });

  on("GET", "/snapshot", () => ({
    status: 200,
    headers: { "content-type": "application/json" },
    body: encodeSnapshot(core.snapshot()),
  }));
  on("POST", "/snapshot", (request) => {
    try {
      core.restore(decodeSnapshot(request.body.toString("utf8")));
    } catch (error) {
      throw new AdminRefusal(
        400,
        "BadSnapshot",
        `The body is not a snapshot of a tenant: ${String(error)}`,
      );
    }
    return { status: 204 };
  });
}

function addLibraryRoute(on: AddRoute, core: TenantCore): void {
  let filling: Promise<unknown> = Promise.resolve();
  on("POST", "/library", async (request) => {
    const { documents } = readJson(request);
    if (documents !== undefined && (!Number.isInteger(documents) || Number(documents) < 1)) {
      const message = "'documents' must be a whole number of at least 1.";
      throw new AdminRefusal(400, "BadRequest", message);
    }
    // One after the other: two at once would file the same document twice.
    const filled = filling.then(() => core.fillLibrary(documents as number | undefined));
    filling = filled.catch(() => {});
    return ok(await filled);
  });
}

function addClockRoutes(on: AddRoute, { clock }: TenantContext): void {
  const clockState = () => ({
    now: new Date(clock.now()).toISOString(),
    isVirtual: clock.isVirtual,
  });

  on("GET", "/clock", () => ok(clockState()));
  on("POST", "/clock/advance", async (request) => {
    const given = readJson(request)["by"];
    const by =
      typeof given === "string" || typeof given === "number" ? parseDurationMs(given) : null;
    if (by === null)
      throw new AdminRefusal(400, "BadRequest", "'by' must be a time such as 90s, 45m or 3d.");
    if (!clock.isVirtual) {
      throw new AdminRefusal(
        409,
        "RealClock",
        "The tenant runs in real time; start it with --virtual-clock.",
      );
    }
    await clock.advance(by);
    return ok(clockState());
  });
}

function addFaultRoutes(on: AddRoute, { faults, journal }: TenantContext): void {
  on("GET", "/faults", () => ok({ value: faults.list() }));
  on("POST", "/faults", (request) => {
    const fault = faults.arm(readFault(readJson(request)));
    journal.record("fault.armed", { fault: fault.id, what: fault.kind, where: fault.where });
    return ok(fault, 201);
  });
  const disarm = (request: TenantRequest): TenantResponse => {
    const id = request.params["id"];
    if (id !== undefined && !faults.list().some((fault) => fault.id === id))
      throw new AdminRefusal(
        404,
        "NotFound",
        `no fault ${id} is armed; postroom tenant fault list shows those that are`,
      );
    faults.disarm(id);
    journal.record("fault.disarmed", { fault: id ?? "all" });
    return { status: 204 };
  };
  on("DELETE", "/faults", disarm);
  on("DELETE", "/faults/{id}", disarm);
}

/**
 * Only switches with a default of ours are checked; others may be anything, and so may a lifetime, which can
 * be text.
 */
const { tokenLifetimeSeconds: _, ...SWITCHES } = { ...createSwitches(), ...GRAPH_SWITCHES };

function kindsOf(defaults: Readonly<Record<string, unknown>>): Kinds {
  const kindOf = { number: "number", boolean: "flag", string: "text" } as const;
  return Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [
      name,
      kindOf[typeof value as keyof typeof kindOf],
    ]),
  );
}

function readFault(body: Record<string, unknown>): Partial<ArmedFault> & { kind: string } {
  const kind = stringOf(body, "kind");
  checkKinds(body, { where: "object", options: "object" });
  const probability = body["probability"] ?? 1;
  if (typeof probability !== "number" || probability < 0 || probability > 1) {
    throw new AdminRefusal(400, "BadRequest", "'probability' must be a number from 0 to 1.");
  }
  const remaining = body["times"] ?? body["remaining"] ?? null;
  if (remaining !== null && (!Number.isInteger(remaining) || (remaining as number) < 1)) {
    throw new AdminRefusal(400, "BadRequest", "'times' must be a whole number of at least 1.");
  }
  const where = (body["where"] as ArmedFault["where"] | undefined) ?? {};
  const options = (body["options"] as ArmedFault["options"] | undefined) ?? {};
  // A misspelt fault would never fire, and its test would prove nothing.
  const misspelt = misspeltIn({ kind, where, options });
  if (misspelt !== null) throw new AdminRefusal(400, "BadRequest", misspelt);
  return { kind, probability, remaining: remaining as number | null, where, options };
}
