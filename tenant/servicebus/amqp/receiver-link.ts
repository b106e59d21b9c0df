/** A receiving client: from the attach (possibly waiting for a session) to its last delivery. */
import rhea, { type Delivery, type EventContext, type Sender } from "rhea";
import { type StoredMessage, writeMessage } from "../queue/message.ts";
import type { Disposition, Queue } from "../queue/queue.ts";
import type { Consumer } from "../queue/queue-core.ts";
import type { Session } from "../queue/sessions.ts";
import type { AmqpWorld, Peer } from "./amqp-world.ts";
import {
  freeCredit,
  holdAttach,
  isDraining,
  isStillWanted,
  localAttach,
  OUTCOME,
  remoteAttach,
  settleForGood,
} from "./rhea-inside.ts";
import { cut } from "./sender-link.ts";

const SESSION_FILTER = "com.microsoft:session-filter";
/** How long an attach waits for a free session if the client sets no limit. */
const SESSION_WAIT_MS = 60_000;
/** .NET counts 100 ns steps from the year 1. */
const TICKS_AT_EPOCH = 621_355_968_000_000_000n;

export function attachReceiver(world: AmqpWorld, sender: Sender, peer: Peer, queue: Queue): void {
  const filter = remoteAttach(sender).source?.filter ?? {};
  const wantsSession = SESSION_FILTER in filter;
  if (queue.settings.requiresSession && !wantsSession) {
    sender.close({
      condition: "amqp:not-allowed",
      description:
        "It is not possible for an entity that requires sessions to create a non-sessionful message receiver.",
    });
  } else if (!queue.settings.requiresSession && wantsSession) {
    sender.close({
      condition: "amqp:not-allowed",
      description:
        "A sessionful message receiver cannot be created on an entity that does not require sessions.",
    });
  } else if (wantsSession) awaitSession(world, sender, peer, queue, filter[SESSION_FILTER]);
  else serve(world, sender, peer, queue, null);
}

/** A named session is taken now or refused; an unnamed one is waited for. */
function awaitSession(
  world: AmqpWorld,
  sender: Sender,
  peer: Peer,
  queue: Queue,
  filter: unknown,
): void {
  const wanted = readFilter(filter);
  const begin = (session: Session) => {
    const address = remoteAttach(sender).source?.address ?? "";
    sender.set_source({ address, filter: { [SESSION_FILTER]: session.id } });
    serve(world, sender, peer, queue, session);
  };
  const session = queue.acceptSession(wanted);
  if (session !== null) {
    begin(session);
    return;
  }
  if (wanted !== null) {
    sender.close({
      condition: "com.microsoft:session-cannot-be-locked",
      description: `The requested session '${wanted}' cannot be accepted. It may be locked by another receiver.`,
    });
    return;
  }
  holdAttach(sender);
  const finish = () => {
    stopWatching();
    cancelTimeout();
  };
  const stopWatching = queue.onSessionChange(() => {
    if (!isStillWanted(sender)) return finish();
    const free = queue.acceptSession(null);
    if (free === null) return;
    finish();
    begin(free);
    sender.open();
  });
  const timeout = remoteAttach(sender).properties?.["com.microsoft:timeout"];
  const cancelTimeout = world.context.clock.after(
    typeof timeout === "number" && timeout > 0 ? timeout : SESSION_WAIT_MS,
    () => {
      finish();
      if (!isStillWanted(sender)) return;
      sender.open();
      sender.close({
        condition: "com.microsoft:timeout",
        description:
          "The operation did not complete within the allotted timeout: no session is available.",
      });
    },
  );
  peer.endings.set(sender, finish);
}

/** Clients send the id plainly or wrapped in a described value; null requests any session. */
function readFilter(filter: unknown): string | null {
  const value =
    typeof filter === "object" && filter !== null && "value" in filter ? filter.value : filter;
  return value === undefined || value === null ? null : String(value);
}

function serve(
  { context }: AmqpWorld,
  sender: Sender,
  peer: Peer,
  queue: Queue,
  session: Session | null,
): void {
  const isDestructive = remoteAttach(sender).snd_settle_mode === 1;
  const where = { part: "servicebus", operation: "receive", queue: queue.settings.name };

  const consumer: Consumer = {
    session,
    isDestructive,
    room: () => (sender.is_open() ? freeCredit(sender) : 0),
    deliver(message: StoredMessage) {
      const tag = message.lock === null ? sender.name.slice(0, 16) : toTag(message.lock.token);
      sender.send(writeMessage(message) as never, tag as never, 0);
      if (context.faults.strike("drop-connection", where) !== null) cut(sender.connection);
    },
    sessionLost: () =>
      sender.close({
        condition: "com.microsoft:session-lock-lost",
        description: `The lock of the session '${session?.id}' has expired.`,
      }),
  };

  if (session !== null) {
    queue.holdSession(session, consumer);
    const ticks = BigInt(session.lockedUntilMs) * 10_000n + TICKS_AT_EPOCH;
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(ticks);
    localAttach(sender).properties = {
      "com.microsoft:locked-until-utc": rhea.types.wrap_long(bytes as never),
    };
  }

  const settle = (delivery: Delivery, disposition: Disposition) => {
    const isDone = queue.settle(toToken(delivery.tag as Buffer), disposition);
    if (isDone) return settleForGood(delivery, stateOf(disposition));
    const condition = `com.microsoft:${session === null ? "message" : "session"}-lock-lost`;
    const description =
      "The lock supplied is invalid. Either the lock expired, or the message has already been removed from the queue.";
    settleForGood(delivery, OUTCOME.rejected({ condition, description }));
  };

  sender.on("accepted", ({ delivery }: EventContext) => settle(delivery!, { kind: "complete" }));
  sender.on("released", ({ delivery }: EventContext) => settle(delivery!, { kind: "release" }));
  sender.on("modified", ({ delivery }: EventContext) => {
    const state = delivery!.remote_state as unknown as {
      undeliverable_here?: boolean;
      message_annotations?: object;
    };
    const kind = state.undeliverable_here ? "defer" : "abandon";
    settle(delivery!, { kind, properties: state.message_annotations });
  });
  sender.on("rejected", ({ delivery }: EventContext) => settle(delivery!, toDeadLetter(delivery!)));

  sender.on("sendable", () => queue.pump());
  sender.on("sender_draining", () => drain(sender, queue));

  peer.endings.set(sender, () =>
    queue.detach(consumer, context.switches["lockOnDisconnect"] === "kept"),
  );
  queue.attach(consumer);
}

/** Delivers what there is, then tells the client that its remaining credit is used up. */
function drain(sender: Sender, queue: Queue): void {
  queue.pump();
  // Transfers are written on the next tick and must be sent before the drained flow.
  setImmediate(() => {
    if (sender.is_open() && isDraining(sender)) {
      sender.set_drained(true);
      (sender.connection as unknown as { _register(): void })._register();
    }
  });
}

function toDeadLetter(delivery: Delivery): Disposition {
  const state = delivery.remote_state as unknown as {
    error?: { info?: Record<string, unknown>; description?: string };
  };
  const { DeadLetterReason, DeadLetterErrorDescription, ...properties } = state.error?.info ?? {};
  return {
    kind: "dead-letter",
    reason: DeadLetterReason === undefined ? null : String(DeadLetterReason),
    description:
      DeadLetterErrorDescription === undefined ? null : String(DeadLetterErrorDescription),
    properties,
  };
}

function stateOf(disposition: Disposition) {
  switch (disposition.kind) {
    case "complete":
      return OUTCOME.accepted();
    case "dead-letter":
      return OUTCOME.rejected();
    case "release":
      return OUTCOME.released();
    default:
      return OUTCOME.modified(disposition.kind === "defer");
  }
}

/** The delivery tag is the token as .NET writes a GUID: its first three groups are little-endian. */
function toTag(token: string): Buffer {
  return swap(Buffer.from(token, "hex"));
}

function toToken(tag: Buffer): string {
  return swap(Buffer.from(tag)).toString("hex");
}

function swap(bytes: Buffer): Buffer {
  bytes.subarray(0, 4).reverse();
  bytes.subarray(4, 6).reverse();
  bytes.subarray(6, 8).reverse();
  return bytes;
}
