import type { Clock } from "../lib/clock.ts";
import { Fault } from "../lib/fault.ts";
import { loadDriver } from "../lib/load-driver.ts";
import { Secret } from "../lib/redact.ts";
import type { Seal } from "../lib/seal.ts";
import type { Sink } from "./sink.ts";
import { openOutboxSink } from "./sink-outbox-table.ts";
import type { SinkRow } from "./sink-table.ts";
import { openWebhookSink } from "./webhook-sink.ts";

export interface OpenSinkNeeds {
  readonly clock: Clock;
  readonly seal: Seal;
  /** Names on a private network that sinks may call. */
  readonly privateHosts: readonly string[];
}

/** Opens the receiver that a row describes. */
export async function openSink(
  { clock, seal, privateHosts }: OpenSinkNeeds,
  row: Pick<SinkRow, "name" | "kind" | "address" | "sealed">,
): Promise<Sink> {
  if (row.kind === "outbox") return openOutboxSink(row.name);
  const secret = row.sealed === null ? null : seal.open(row.sealed);
  if (secret === null)
    throw new Fault(
      "settings.bad",
      `the secret of the sink ${row.name} cannot be opened: it was stored with another POSTROOM_SEAL_KEY`,
    );
  if (row.kind === "webhook")
    return openWebhookSink(clock, { url: row.address!, secret: new Secret(secret), privateHosts });
  const { openEventHubsSink } = await loadEventHubs();
  return openEventHubsSink(row.name, new Secret(secret));
}

export const loadEventHubs = () =>
  loadDriver("a sink for Event Hubs", ["@azure/event-hubs"], () => import("./event-hubs-sink.ts"));
