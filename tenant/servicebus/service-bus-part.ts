/**
 * Azure Service Bus: queues over AMQP 1.0 and their management API, on a port of its own. The same
 * namespace has one event hub, which Graph can deliver notifications to.
 *
 * Faults it honours, with the facts `part: "servicebus"`, `queue` and `operation` (`send`,
 * `receive`, or the name of a management operation): `server-busy`, `drop-connection`, and
 * `lost-ack` (a send is kept but its answer is lost). The switch `lockOnDisconnect` is `released`
 * or `kept`: what becomes of the locks of a client that went away.
 */
import type { TenantContext } from "../context.ts";
import type { Part } from "../http.ts";
import { createAmqpServer } from "./amqp/amqp-server.ts";
import { createClaims } from "./amqp/claims.ts";
import { toEvent } from "./amqp/hub-links.ts";
import { type OpenPort, openPort, type TlsFiles } from "./amqp/port.ts";
import { answerAtom } from "./atom.ts";
import { createHub, type HubSnapshot, type PartitionView } from "./hub/hub.ts";
import { createBroker, DEAD_LETTER_SUFFIX } from "./queue/broker.ts";
import type { Queue } from "./queue/queue.ts";
import {
  DEFAULT_QUEUES,
  type QueueDeclaration,
  type QueueSettings,
} from "./queue/queue-settings.ts";
import type { QueueSnapshot } from "./queue/queue-snapshot.ts";

export interface ServiceBusPart {
  /** Without a port, any free one; with TLS files, the same port also supports TLS. */
  start(port?: number, tls?: TlsFiles | null): Promise<void>;
  /** The connection string for `ServiceBusClient`. The management API is at the same host and port. */
  connectionString(): string;
  /** The connection string for `EventHubProducerClient` and `EventHubConsumerClient`. */
  eventHubConnectionString(): string;
  /** 0 before `start`. */
  port(): number;
  declare(declaration: QueueDeclaration): QueueSettings;
  list(): QueueSettings[];
  /** Null if there is no such queue; `queue/$deadletterqueue` names the dead letters. */
  inspect(path: string): QueueView | null;
  /** Puts an event into the hub; returns false if the hub has another name. */
  publish(hubName: string, body: string): boolean;
  inspectHub(): { readonly name: string; readonly partitions: readonly PartitionView[] };
  /** The management API for a tenant with one HTTP port: paths under `/servicebus/`. */
  readonly handle: Part;
  snapshot(): unknown;
  restore(snapshot: unknown): void;
  stop(): Promise<void>;
}

interface QueueView {
  readonly settings: QueueSettings;
  readonly counts: { active: number; locked: number; deferred: number; scheduled: number };
  readonly totals: Readonly<Record<string, number>>;
  readonly messages: readonly {
    sequence: number;
    messageId: string | null;
    sessionId: string | null;
    state: string;
    deliveryCount: number;
    deadLetterReason: string | null;
  }[];
}

const EVENT_HUB = {
  name: "notifications",
  partitionCount: 2,
  consumerGroups: ["$Default", "audit"],
} as const;

/** Snapshots of earlier versions are only the list of queues. */
type ServiceBusSnapshot =
  | readonly QueueSnapshot[]
  | { readonly queues: readonly QueueSnapshot[]; readonly hub: HubSnapshot };

export function createServiceBusPart(context: TenantContext): ServiceBusPart {
  const broker = createBroker(context);
  const claims = createClaims(context);
  const hub = createHub(
    EVENT_HUB,
    context.clock,
    (kind, facts) => void context.journal.record(`eventhub.${kind}`, facts),
  );
  const emptyHub = hub.snapshot();
  const amqp = createAmqpServer({ context, broker, claims, hub });
  const atom = { context, broker, claims };
  let open: OpenPort | null = null;
  for (const declaration of DEFAULT_QUEUES) broker.declare(declaration);

  const connectionString = () =>
    `Endpoint=sb://127.0.0.1:${open?.number ?? 0};SharedAccessKeyName=${claims.keyName};SharedAccessKey=${claims.key};UseDevelopmentEmulator=true;`;
  const paths = () => broker.names().flatMap((name) => [name, name + DEAD_LETTER_SUFFIX]);

  return {
    async start(port = 0, tls = null) {
      open = await openPort({
        port,
        tls,
        onAmqp: amqp.accept,
        onHttp: (request) => answerAtom(atom, request, entityPath(request.path.slice(1))),
      });
    },
    port: () => open?.number ?? 0,
    connectionString,
    eventHubConnectionString: () => `${connectionString()}EntityPath=${EVENT_HUB.name}`,
    publish(hubName, body) {
      if (hubName.toLowerCase() !== EVENT_HUB.name) return false;
      hub.append({}, [toEvent(body)]);
      return true;
    },
    inspectHub: () => ({ name: EVENT_HUB.name, partitions: hub.partitions().map(hub.view) }),
    declare: broker.declare,
    list: () => broker.names().map((name) => broker.find(name)!.settings),
    inspect(path) {
      const queue = broker.find(path);
      return queue === undefined ? null : viewQueue(queue);
    },
    async handle(request) {
      if (!request.path.toLowerCase().startsWith("/servicebus/")) return null;
      return answerAtom(atom, request, entityPath(request.path.slice(12)));
    },
    snapshot: () => ({
      queues: paths().map((path) => broker.find(path)!.snapshot()),
      hub: hub.snapshot(),
    }),
    restore(snapshot) {
      const state = snapshot as ServiceBusSnapshot;
      hub.restore("hub" in state ? state.hub : emptyHub);
      for (const saved of "queues" in state ? state.queues : state) {
        const { settings } = saved;
        const defaultMessageTimeToLiveMs = settings.defaultMessageTimeToLiveMs ?? Infinity;
        if (!settings.name.endsWith(DEAD_LETTER_SUFFIX)) {
          broker.declare({ ...settings, defaultMessageTimeToLiveMs });
        }
        broker.find(settings.name)!.restore(saved);
      }
    },
    async stop() {
      amqp.stop();
      broker.stop();
      await open?.close();
      open = null;
    },
  };
}

function viewQueue(queue: Queue): QueueView {
  const messages = [...queue.messages.values()].map((message) => ({
    sequence: message.sequence,
    messageId: message.messageId,
    sessionId: message.sessionId,
    state: message.state,
    deliveryCount: message.deliveryCount,
    deadLetterReason: message.deadLetter?.reason ?? null,
  }));
  return { settings: queue.settings, counts: queue.counts(), totals: queue.totals, messages };
}

function entityPath(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded; // an unescaped percent sign is part of the name; no queue has such a name
  }
}
