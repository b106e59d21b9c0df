/**
 * The AMQP side: connections, and which link goes where. `$cbs` accepts tokens, `{queue}/$management`
 * and the hub's `$management` answer requests, and everything else is a queue, its dead-letter queue or
 * the event hub.
 */
import type { Duplex } from "node:stream";
import rhea, { type Connection, type EventContext, type Sender } from "rhea";
import { readHubAddress, refuseHubAddress } from "../hub/hub-address.ts";
import type { AmqpError, AmqpWorld, Peer } from "./amqp-world.ts";
import { attachConsumer, BATCH_BYTES_MAX, refuseProducer } from "./hub-links.ts";
import { answerHubRequest } from "./hub-management.ts";
import { answerRequest, refuseTopic } from "./management.ts";
import type { ManagementAnswer, ManagementRequest } from "./management-message.ts";
import { attachReceiver } from "./receiver-link.ts";
import { isBatch, keepBytes, localAttach, remoteAttach } from "./rhea-inside.ts";
import { takeTransfer } from "./sender-link.ts";

interface AmqpServer {
  accept(socket: Duplex): void;
  stop(): void;
}

const MANAGEMENT_SUFFIX = "/$management";
const HUB_MANAGEMENT = "$management";

export function createAmqpServer(world: AmqpWorld): AmqpServer {
  const container = rhea.create_container({ id: "postroom-servicebus" });
  const connections = new Set<Connection>();
  const peers = new WeakMap<Connection, Peer>();

  container.sasl_server_mechanisms.enable_anonymous();
  container.sasl_server_mechanisms.enable_plain((name: string, key: string) =>
    world.claims.isKey(name, key),
  );

  const peerOf = (connection: Connection): Peer => {
    const known = peers.get(connection) ?? {
      granted: new Set(),
      replies: new Map(),
      endings: new Map(),
    };
    peers.set(connection, known);
    return known;
  };

  container.on("connection_open", ({ connection }: EventContext) => {
    connections.add(connection);
    const peer = peerOf(connection);
    const sasl = (
      connection as unknown as { sasl_transport?: { selected?: { mechanism?: object } } }
    ).sasl_transport?.selected?.mechanism;
    if (sasl?.constructor.name === "PlainServer") peer.granted.add("");
  });
  container.on("session_open", ({ session }: EventContext) => keepBytes(session!));
  /** Listeners for disconnections are registered once per connection, because many links share it. */
  const end = (connection: Connection, isMeant: (link: Sender) => boolean) => {
    const { endings } = peerOf(connection);
    for (const [link, ending] of [...endings]) {
      if (!isMeant(link)) continue;
      endings.delete(link);
      ending();
    }
  };
  container.on("sender_close", ({ connection, sender }: EventContext) => {
    const { replies } = peerOf(connection);
    for (const [address, link] of replies) if (link === sender) replies.delete(address);
    end(connection, (link) => link === sender);
  });
  container.on("session_close", ({ connection, session }: EventContext) =>
    end(connection, (link) => link.session === session),
  );
  for (const event of ["connection_close", "disconnected"]) {
    container.on(event, ({ connection }: EventContext) => {
      connections.delete(connection);
      end(connection, () => true);
    });
  }
  // A client that disappears in the middle of an operation is not our concern.
  for (const event of [
    "connection_error",
    "session_error",
    "sender_error",
    "error",
    "protocol_error",
  ]) {
    container.on(event, () => {});
  }

  container.on("receiver_open", ({ receiver, connection }: EventContext) => {
    const address = remoteAttach(receiver!).target?.address ?? "";
    const attach = localAttach(receiver!);
    receiver!.set_target({ address });
    receiver!.set_source({ address: receiver!.name });
    if (isRequestAddress(address)) return;
    const refusal =
      refuse(world, peerOf(connection), address) ??
      refuseProducer(remoteAttach(receiver!).desired_capabilities);
    const queue = world.broker.find(address);
    if (refusal !== null) receiver!.close(refusal);
    else attach.max_message_size = queue?.settings.maxMessageSizeBytes ?? BATCH_BYTES_MAX;
  });

  container.on("message", (event: EventContext) => {
    const { receiver, connection, delivery } = event;
    const address = remoteAttach(receiver!).target?.address ?? "";
    const raw = event.message as unknown as Buffer;
    if (!isRequestAddress(address)) {
      takeTransfer(world, {
        delivery: delivery!,
        connection,
        address,
        raw,
        isBatch: isBatch(delivery!),
      });
      return;
    }
    const request = readRequest(raw);
    if (request === null) {
      delivery!.reject({
        condition: "amqp:decode-error",
        description: "The request is not a message.",
      });
      return;
    }
    delivery!.accept();
    void replyTo(world, peerOf(connection), address, request);
  });

  container.on("sender_open", ({ sender, connection }: EventContext) => {
    const { source, target } = remoteAttach(sender!);
    const address = source?.address ?? "";
    const peer = peerOf(connection);
    const attach = localAttach(sender!);
    const wanted = remoteAttach(sender!);
    if (wanted.snd_settle_mode !== undefined) attach.snd_settle_mode = wanted.snd_settle_mode;
    if (wanted.rcv_settle_mode !== undefined) attach.rcv_settle_mode = wanted.rcv_settle_mode;
    sender!.set_source({ address });
    sender!.set_target({ address: target?.address ?? sender!.name });
    if (isRequestAddress(address)) {
      peer.replies.set(sender!.name, sender!);
      if (target?.address) peer.replies.set(target.address, sender!);
      return;
    }
    const refusal = refuse(world, peer, address);
    const inHub = readHubAddress(world.hub, address);
    if (refusal !== null) sender!.close(refusal);
    else if (inHub !== null) attachConsumer(world, sender!, peer, inHub);
    else attachReceiver(world, sender!, peer, world.broker.find(address)!);
  });

  return {
    accept(socket) {
      const connection = createConnection(container);
      connection.accept(socket);
      // If this side destroys a socket, it ends without an event that rhea listens for.
      socket.once("close", () => connection.eof());
    },
    stop() {
      for (const connection of connections) connection.close();
      connections.clear();
    },
  };
}

/** A server connection; rhea's typings know only its own listener. */
function createConnection(container: ReturnType<typeof rhea.create_container>) {
  const connection = container.create_connection({
    sender_options: { treat_modified_as_released: false, autosettle: true },
    receiver_options: { autoaccept: false, credit_window: 1000 },
    session_buffer_size: { incoming: 4096, outgoing: 1 << 20 },
    reconnect: false,
    idle_time_out: 240_000,
  } as never);
  return connection as unknown as { accept(socket: Duplex): void; eof(): void };
}

function isRequestAddress(address: string): boolean {
  if (address === "$cbs" || address === HUB_MANAGEMENT) return true;
  return address.toLowerCase().endsWith(MANAGEMENT_SUFFIX);
}

/** Why a link to this entity is refused. */
function refuse({ broker, claims, hub }: AmqpWorld, peer: Peer, address: string): AmqpError | null {
  const topic = refuseTopic(address);
  if (topic !== null) return topic;
  const inHub = readHubAddress(hub, address);
  const hubRefusal = inHub === null ? null : refuseHubAddress(hub, inHub);
  if (hubRefusal !== null) return hubRefusal;
  if (inHub === null && broker.find(address) === undefined) {
    return {
      condition: "amqp:not-found",
      description: `The messaging entity '${address}' could not be found.`,
    };
  }
  if (claims.covers(peer.granted, address)) return null;
  return {
    condition: "amqp:unauthorized-access",
    description: `Unauthorized access. 'Send' or 'Listen' claim(s) are required to perform this operation on '${address}'.`,
  };
}

function readRequest(raw: Buffer): ManagementRequest | null {
  try {
    return rhea.message.decode(raw) as ManagementRequest;
  } catch {
    return null; // not a message; the sender gets a rejection
  }
}

async function replyTo(world: AmqpWorld, peer: Peer, address: string, request: ManagementRequest) {
  const answer = await answerTo(world, peer, address, request);
  const link = peer.replies.get(request.reply_to ?? "");
  if (link === undefined || !link.is_open()) return;
  link.send({
    correlation_id: request.message_id,
    application_properties: {
      statusCode: answer.status,
      "status-code": answer.status,
      statusDescription: answer.description,
      "status-description": answer.description,
      ...(answer.condition && {
        errorCondition: answer.condition,
        "error-condition": answer.condition,
      }),
    },
    body: answer.body ?? {},
  });
}

async function answerTo(
  world: AmqpWorld,
  { granted }: Peer,
  address: string,
  request: ManagementRequest,
): Promise<ManagementAnswer> {
  if (address === "$cbs") return world.claims.put(granted, request);
  if (address === HUB_MANAGEMENT) return answerHubRequest(world, granted, request);
  return answerRequest(world, address.slice(0, -MANAGEMENT_SUFFIX.length), granted, request);
}
