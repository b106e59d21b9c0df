/**
 * What a queue contains and how its messages move: in, to a consumer under a lock, back, to the dead letters,
 * out. Everything that depends on time uses three deadlines (locks, schedule, time to live), so a virtual
 * clock moves them all.
 */
import type { Clock } from "../../clock.ts";
import { createDeadline } from "./deadline.ts";
import { createDuplicateHistory } from "./duplicate-history.ts";
import { createLane } from "./lane.ts";
import { createLocks } from "./locks.ts";
import type { DeadLetterFacts, IncomingMessage, StoredMessage } from "./message.ts";
import type { QueueSettings } from "./queue-settings.ts";
import { createSchedule } from "./schedule.ts";
import { createSessions, type Session } from "./sessions.ts";

/** A receiver: an attached link. */
export interface Consumer {
  /** Null on a queue without sessions. */
  readonly session: Session | null;
  /** Receive-and-delete: a message is removed as soon as it was delivered. */
  readonly isDestructive: boolean;
  /** How many messages it would accept now. */
  room(): number;
  deliver(message: StoredMessage): void;
  /** Called when its session's lock has expired. */
  sessionLost(): void;
}

export interface QueueWorld {
  readonly clock: Clock;
  /** A new lock token: 32 hexadecimal digits. */
  nextToken(): string;
  /** Receives a message that this queue gives up; null for a dead-letter queue. */
  readonly deadLetters: ((message: StoredMessage, facts: DeadLetterFacts) => void) | null;
  /** Records an event in the journal. */
  report(kind: string, facts: Record<string, unknown>): void;
}

export type QueueCore = ReturnType<typeof createQueueCore>;

export function createQueueCore(settings: QueueSettings, world: QueueWorld) {
  const { clock } = world;
  const messages = new Map<number, StoredMessage>();
  const lane = createLane();
  const sessions = createSessions();
  const locks = createLocks();
  const schedule = createSchedule();
  const history = createDuplicateHistory(() => settings.duplicateDetectionHistoryTimeWindowMs);
  const consumers: Consumer[] = [];
  const sessionWaiters = new Set<() => void>();
  const totals = { sent: 0, duplicates: 0, completed: 0, deadLettered: 0, expired: 0 };
  let lastSequence = 0;
  let sizeBytes = 0;
  let turn = 0;

  const laneOf = (message: IncomingMessage) =>
    settings.requiresSession ? sessions.get(message.sessionId ?? "").lane : lane;

  const store = (incoming: IncomingMessage, state: "active" | "scheduled"): StoredMessage => {
    const nowMs = clock.now();
    const ttlMs = Math.min(
      incoming.timeToLiveMs ?? Number.POSITIVE_INFINITY,
      settings.defaultMessageTimeToLiveMs,
    );
    const message: StoredMessage = {
      ...incoming,
      sequence: ++lastSequence,
      enqueuedAtMs: nowMs,
      expiresAtMs: (state === "scheduled" ? incoming.scheduledForMs! : nowMs) + ttlMs,
      deliveryCount: 0,
      state,
      isDeferred: false,
      lock: null,
      deadLetter: null,
    };
    messages.set(message.sequence, message);
    sizeBytes += message.sizeBytes;
    if (Number.isFinite(ttlMs)) lifetimes.arm(message.expiresAtMs);
    return message;
  };

  const remove = (message: StoredMessage) => {
    message.state = "gone";
    message.lock = null;
    if (messages.delete(message.sequence)) sizeBytes -= message.sizeBytes;
  };

  const giveUp = (message: StoredMessage, reason: string | null, description: string | null) => {
    remove(message);
    totals.deadLettered += 1;
    const { sequence, messageId, deliveryCount } = message;
    world.report("dead-lettered", { sequence, messageId, deliveryCount, reason, description });
    world.deadLetters?.(message, { reason, description, source: settings.name });
  };

  const expire = (message: StoredMessage) => {
    totals.expired += 1;
    if (settings.deadLetteringOnMessageExpiration && world.deadLetters !== null) {
      giveUp(message, "TTLExpiredException", "The message expired and was dead lettered.");
      return;
    }
    remove(message);
    world.report("expired", { sequence: message.sequence, messageId: message.messageId });
  };

  /** Returns a message to where it waited, or to the dead letters if it has been tried often enough. */
  const putBack = (message: StoredMessage, { isFailed }: { readonly isFailed: boolean }) => {
    message.lock = null;
    if (isFailed) message.deliveryCount += 1;
    if (message.deliveryCount >= settings.maxDeliveryCount && world.deadLetters !== null) {
      const text = `Message could not be consumed after ${settings.maxDeliveryCount} delivery attempts.`;
      giveUp(message, "MaxDeliveryCountExceeded", text);
      return;
    }
    message.state = message.isDeferred ? "deferred" : "active";
    if (!message.isDeferred) laneOf(message).putBack(message);
    if (Number.isFinite(message.expiresAtMs)) lifetimes.arm(message.expiresAtMs);
  };

  const takeFrom = (from: typeof lane): StoredMessage | null => {
    for (let message = from.take(); message !== null; message = from.take()) {
      if (message.expiresAtMs > clock.now()) return message;
      expire(message);
    }
    return null;
  };

  const lock = (message: StoredMessage, owner: object | null, session: Session | null) => {
    message.state = "locked";
    const untilMs = session?.lockedUntilMs ?? clock.now() + settings.lockDurationMs;
    message.lock = { token: world.nextToken(), untilMs, owner };
    locks.add(message);
    if (session === null) lockDeadline.arm(untilMs);
  };

  const handOver = (message: StoredMessage, consumer: Consumer) => {
    if (consumer.isDestructive) remove(message);
    else lock(message, consumer, consumer.session);
    consumer.deliver(message);
  };

  const mayReceive = () => settings.status === "Active" || settings.status === "SendDisabled";

  /** Gives waiting messages to consumers with room, one each in turn. */
  const pump = () => {
    if (!mayReceive()) return;
    let idle = 0;
    while (idle < consumers.length) {
      turn = (turn + 1) % consumers.length;
      const consumer = consumers[turn]!;
      const message = consumer.room() > 0 ? takeFrom(consumer.session?.lane ?? lane) : null;
      if (message === null) idle += 1;
      else {
        idle = 0;
        handOver(message, consumer);
      }
    }
  };

  const wakeSessionWaiters = () => {
    for (const waiter of [...sessionWaiters]) waiter();
  };

  const activate = (message: StoredMessage) => {
    message.state = "active";
    laneOf(message).append(message);
  };

  const loseSession = (session: Session) => {
    const owner = session.owner as Consumer | null;
    session.owner = null;
    for (const message of locks.takeOwnedBy(owner)) putBack(message, { isFailed: true });
    world.report("session-lock-expired", { sessionId: session.id });
    owner?.sessionLost();
  };

  const expireLocks = (nowMs: number): number => {
    for (const message of locks.takeExpired(nowMs)) {
      world.report("lock-expired", { sequence: message.sequence, messageId: message.messageId });
      putBack(message, { isFailed: true });
    }
    let next = locks.firstExpiryMs();
    for (const session of sessions.all()) {
      if (session.owner === null) continue;
      if (session.lockedUntilMs <= nowMs) loseSession(session);
      else next = Math.min(next, session.lockedUntilMs);
    }
    pump();
    wakeSessionWaiters();
    return next;
  };

  const enqueueDue = (nowMs: number): number => {
    for (const message of schedule.takeDue(nowMs)) {
      remove(message);
      // The service appends a due message as if it were sent now, with a new sequence number.
      activate(store(message, "active"));
    }
    pump();
    wakeSessionWaiters();
    return schedule.firstDueMs();
  };

  const expireOld = (nowMs: number): number => {
    let next = Number.POSITIVE_INFINITY;
    for (const message of messages.values()) {
      if (message.state !== "active" && message.state !== "deferred") continue;
      if (message.expiresAtMs <= nowMs) expire(message);
      else next = Math.min(next, message.expiresAtMs);
    }
    return Math.max(next, nowMs + 50);
  };

  const lockDeadline = createDeadline(clock, expireLocks);
  const scheduleDeadline = createDeadline(clock, enqueueDue);
  const lifetimes = createDeadline(clock, expireOld);

  return {
    settings,
    clock,
    messages,
    lane,
    sessions,
    locks,
    schedule,
    history,
    consumers,
    sessionWaiters,
    totals,
    lockDeadline,
    scheduleDeadline,
    lifetimes,
    laneOf,
    store,
    remove,
    giveUp,
    putBack,
    lock,
    pump,
    activate,
    wakeSessionWaiters,
    report: world.report,
    sizeBytes: () => sizeBytes,
    lastSequence: () => lastSequence,
    /** Called after messages were put in from outside. */
    recount(sequence: number) {
      lastSequence = sequence;
      sizeBytes = 0;
      for (const message of messages.values()) sizeBytes += message.sizeBytes;
    },
  };
}
