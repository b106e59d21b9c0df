/** Checks what an operator asks for and stores it; the secret of a webhook is made here and shown once. */
import { lookup } from "node:dns";
import type { Random } from "../lib/random.ts";
import type { Database } from "../store/database.ts";
import { loadEventHubs, type OpenSinkNeeds } from "./open-sink.ts";
import type { SinkKind } from "./sink.ts";
import { addSink, type NewSink, type Place, type SinkRow } from "./sink-table.ts";
import { publicLookup, whyNotTarget } from "./target.ts";
import { toWebhookSecret } from "./webhook-sink.ts";

export interface WantedSink {
  readonly name: string;
  readonly kind: SinkKind;
  /** The URL of a webhook. */
  readonly url?: string | undefined;
  /** The connection string of an event hub. */
  readonly connectionString?: string | undefined;
  readonly sendsEvents: boolean;
  readonly sendsTrades: boolean;
  readonly fromStart: boolean;
  readonly addedBy: string;
}

export interface AddSinkNeeds extends OpenSinkNeeds {
  readonly database: Database;
  readonly random: Random;
  /** The end of both feeds. */
  newest(): Promise<Place>;
}

export type AddedSink =
  | { readonly refused: string }
  | { readonly refused: null; readonly sink: SinkRow | null; readonly secret: string | null };

/** With `isDryRun` it checks and changes nothing. */
export async function createSink(
  needs: AddSinkNeeds,
  wanted: WantedSink,
  isDryRun: boolean,
): Promise<AddedSink> {
  if (!wanted.sendsEvents && !wanted.sendsTrades)
    return { refused: "a sink must send events, trades or both" };
  const target = await toTarget(needs, wanted);
  if (typeof target === "string") return { refused: target };
  if (isDryRun) return { refused: null, sink: null, secret: null };
  const { name, kind, sendsEvents, sendsTrades, addedBy } = wanted;
  const place = wanted.fromStart ? { eventPosition: 0, tradePosition: 0 } : await needs.newest();
  const sealed = target.secret === null ? null : needs.seal.close(target.secret);
  const row: NewSink = {
    name,
    kind,
    sendsEvents,
    sendsTrades,
    addedBy,
    sealed,
    ...place,
    address: target.address,
  };
  const sink = await addSink(needs.database, row);
  if (sink === null) return { refused: `there is already a sink called ${name}` };
  return { refused: null, sink, secret: kind === "webhook" ? target.secret : null };
}

interface Target {
  readonly address: string | null;
  readonly secret: string | null;
}

async function toTarget(
  { random, privateHosts }: AddSinkNeeds,
  { kind, url, connectionString }: WantedSink,
): Promise<Target | string> {
  const address = kind === "webhook" ? url : kind === "event-hubs" ? connectionString : "";
  if (address === undefined)
    return kind === "webhook" ? "a webhook needs a url" : "an event hub needs a connectionString";
  if (kind === "outbox") return { address: null, secret: null };
  if (kind === "webhook") {
    const why = whyNotTarget(address, privateHosts);
    return why ?? { address, secret: toWebhookSecret(random.bytes(32)) };
  }
  const { targetOf } = await loadEventHubs();
  try {
    const { host, hub } = targetOf(address);
    const why =
      whyNotTarget(`https://${host}`, privateHosts) ?? (await whyPrivate(host, privateHosts));
    return why ?? { address: `${host}/${hub}`, secret: address };
  } catch {
    // What the library says about a connection string may repeat its key.
    return "this is not the connection string of an event hub; it must name the hub (EntityPath)";
  }
}

/** The library resolves the name of a hub itself, so it is checked once, when the sink is added. */
function whyPrivate(host: string, privateHosts: readonly string[]): Promise<string | null> {
  return new Promise((done) =>
    publicLookup(privateHosts, lookup)(host, { all: true }, (error) =>
      done(error === null ? null : error.message),
    ),
  );
}
