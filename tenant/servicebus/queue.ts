/**
 * One queue, without any wire: messages come in, are locked for consumers in order, and leave by
 * being completed, dead-lettered, deferred or expired. Everything that depends on time hangs on
 * three deadlines (locks, schedule, time to live), so a virtual clock moves them all.
 */
import type { Clock } from "../clock.ts";
import { createDeadline } from "./deadline.ts";
import { createDuplicateHistory } from "./duplicate-history.ts";
import { createLane } from "./lane.ts";
import { createLocks } from "./locks.ts";
import {
  type DeadLetterFacts,
  type IncomingMessage,
  type StoredMessage,
  toWritten,
  withApplicationProperties,
} from "./message.ts";
import type { QueueSettings } from "./queue-settings.ts";
import { createSchedule } from "./schedule.ts";
import { createSessions, type Session } from "./sessions.ts";

/** Somebody who receives: an attached link. */
export interface Consumer {
  /** Null on a queue without sessions. */
  readonly session: Session | null;
  /** Receive-and-delete: a message is gone as soon as it was handed over. */
  readonly isDestructive: boolean;
  /** How many messages it would take now. */
  room(): number;
  deliver(message: StoredMessage): void;
  /** Its session's lock has expired. */
  sessionLost(): void;
}

export type Disposition =
  | { readonly kind: "complete" | "release" }
  | { readonly kind: "abandon" | "defer"; readonly properties?: object }
  | {
      readonly kind: "dead-letter";
      readonly reason: string | null;
      readonly description: string | null;
      readonly properties?: object;
    };

export interface QueueWorld {
  readonly clock: Clock;
  /** A lock token nobody has seen: 32 hexadecimal digits. */
  nextToken(): string;
  /** Takes a message that this queue gives up; null for a dead-letter queue. */
  readonly deadLetters: ((message: StoredMessage, facts: DeadLetterFacts) => void) | null;
  /** Something worth the journal happened. */
  report(kind: string, facts: Record<string, unknown>): void;
}

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(settings: QueueSettings, world: QueueWorld) {
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
    if (Number.isFinite(ttlMs)) lifetimes.arm(message.expiresAtMs);
    return message;
  };

  const remove = (message: StoredMessage) => {
    message.state = "gone";
    message.lock = null;
    messages.delete(message.sequence);
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

  /** Back to where it waited, or to the dead letters when it has been tried often enough. */
  const putBack = (message: StoredMessage, isFailed: boolean) => {
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

  /** Hands waiting messages to consumers with room, one each in turn. */
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
    for (const message of locks.takeOwnedBy(owner)) putBack(message, true);
    world.report("session-lock-expired", { sessionId: session.id });
    owner?.sessionLost();
  };

  const expireLocks = (nowMs: number): number => {
    for (const message of locks.takeExpired(nowMs)) {
      world.report("lock-expired", { sequence: message.sequence, messageId: message.messageId });
      putBack(message, true);
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
      // The service appends a due message as if it were sent now, under a new sequence number.
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
    totals,
    sessions,
    messages: messages as ReadonlyMap<number, StoredMessage>,
    pump,

    /** Takes messages over; those sent a second time are dropped as if they had been taken. */
    send(batch: readonly IncomingMessage[]): (number | null)[] {
      const sequences = batch.map((incoming) => {
        totals.sent += 1;
        if (settings.requiresDuplicateDetection && incoming.messageId !== null) {
          if (history.isRepeated(incoming.messageId, clock.now())) {
            totals.duplicates += 1;
            world.report("duplicate-dropped", { messageId: incoming.messageId });
            return null;
          }
        }
        const isLater = incoming.scheduledForMs !== null && incoming.scheduledForMs > clock.now();
        const message = store(incoming, isLater ? "scheduled" : "active");
        if (isLater) {
          schedule.add(message);
          scheduleDeadline.arm(message.scheduledForMs!);
        } else activate(message);
        return message.sequence;
      });
      pump();
      if (sessionWaiters.size > 0) wakeSessionWaiters();
      return sequences;
    },

    /** Puts a message in that another queue gave up. */
    adopt(given: StoredMessage, facts: DeadLetterFacts): void {
      const added = [];
      if (facts.reason !== null) added.push(["DeadLetterReason", toWritten(facts.reason)] as const);
      if (facts.description !== null)
        added.push(["DeadLetterErrorDescription", toWritten(facts.description)] as const);
      const message = store(given, "active");
      message.bare = withApplicationProperties(given.bare, added);
      message.enqueuedAtMs = given.enqueuedAtMs;
      message.expiresAtMs = Number.POSITIVE_INFINITY;
      message.deliveryCount = given.deliveryCount;
      message.deadLetter = { ...facts, enqueueSequence: given.sequence };
      activate(message);
      pump();
    },

    /** False when one of the numbers is not of a scheduled message. */
    cancelScheduled(sequences: readonly number[]): boolean {
      const found = sequences.map((sequence) => messages.get(sequence));
      if (found.some((message) => message?.state !== "scheduled")) return false;
      for (const message of found) {
        schedule.remove(message!);
        remove(message!);
      }
      return true;
    },

    attach(consumer: Consumer): void {
      consumers.push(consumer);
      pump();
    },

    /** What an absent consumer had locked is free again and counts as a failed delivery. */
    detach(consumer: Consumer, keepsLocks: boolean): void {
      const at = consumers.indexOf(consumer);
      if (at >= 0) consumers.splice(at, 1);
      if (consumer.session?.owner === consumer) consumer.session.owner = null;
      else if (keepsLocks) return;
      for (const message of locks.takeOwnedBy(consumer)) putBack(message, true);
      pump();
      wakeSessionWaiters();
    },

    /** False when the lock is no longer held. */
    settle(token: string, disposition: Disposition): boolean {
      const message = locks.take(token, clock.now());
      if (message === null) return false;
      const properties = "properties" in disposition ? disposition.properties : undefined;
      if (properties !== undefined && properties !== null) {
        const added = Object.entries(properties).map(([n, v]) => [n, toWritten(v)] as const);
        message.bare = withApplicationProperties(message.bare, added);
      }
      switch (disposition.kind) {
        case "complete":
          totals.completed += 1;
          remove(message);
          return true;
        case "dead-letter":
          giveUp(message, disposition.reason, disposition.description);
          return true;
        case "defer":
          message.isDeferred = true;
          putBack(message, false);
          return true;
        default:
          putBack(message, disposition.kind === "abandon");
          pump();
          return true;
      }
    },

    /** The new expiry of each lock, or null when one of them is no longer held. */
    renewLocks(tokens: readonly string[]): number[] | null {
      const untilMs = clock.now() + settings.lockDurationMs;
      if (tokens.some((token) => !locks.has(token, clock.now()))) return null;
      for (const token of tokens) locks.renew(token, untilMs);
      lockDeadline.arm(untilMs);
      return tokens.map(() => untilMs);
    },

    /** Waiting, deferred, scheduled and locked messages from a sequence number on. */
    peek(fromSequence: number, count: number, sessionId: string | null): StoredMessage[] {
      const found: StoredMessage[] = [];
      for (const message of messages.values()) {
        if (found.length >= count) break;
        if (message.sequence < fromSequence || message.expiresAtMs <= clock.now()) continue;
        if (sessionId === null || message.sessionId === sessionId) found.push(message);
      }
      return found;
    },

    /** Locks (or removes) deferred messages; null when one of them is not deferred. */
    receiveDeferred(
      sequences: readonly number[],
      isDestructive: boolean,
      sessionId: string | null,
    ) {
      const found = sequences.map((sequence) => messages.get(sequence));
      const isWrong = (message: StoredMessage | undefined) =>
        message?.state !== "deferred" || (sessionId !== null && message.sessionId !== sessionId);
      if (found.some(isWrong)) return null;
      const session = sessionId === null ? null : sessions.get(sessionId);
      for (const message of found as StoredMessage[]) {
        if (isDestructive) remove(message);
        else lock(message, session?.owner ?? null, session);
      }
      return found as StoredMessage[];
    },

    /** Deletes up to `count` waiting messages that were enqueued before a moment. */
    deleteBatch(count: number, beforeMs: number): number {
      let deleted = 0;
      for (const message of messages.values()) {
        if (deleted >= count) break;
        if (message.state !== "active" || message.enqueuedAtMs > beforeMs) continue;
        remove(message);
        deleted += 1;
      }
      return deleted;
    },

    /** Locks a session for an owner; null when it is held or, without an id, when none is free. */
    acceptSession(sessionId: string | null): Session | null {
      const session = sessionId === null ? sessions.nextFree() : sessions.get(sessionId);
      if (session === null || session.owner !== null) return null;
      return session;
    },
    holdSession(session: Session, owner: object): void {
      session.owner = owner;
      session.lockedUntilMs = clock.now() + settings.lockDurationMs;
      lockDeadline.arm(session.lockedUntilMs);
    },
    renewSession(sessionId: string): number | null {
      const session = sessions.find(sessionId);
      if (session === undefined || session.owner === null) return null;
      session.lockedUntilMs = clock.now() + settings.lockDurationMs;
      for (const message of locks.ownedBy(session.owner)) {
        message.lock!.untilMs = session.lockedUntilMs;
      }
      lockDeadline.arm(session.lockedUntilMs);
      return session.lockedUntilMs;
    },
    /** Calls back whenever a session may have become free; the answer stops it. */
    onSessionChange(waiter: () => void): () => void {
      sessionWaiters.add(waiter);
      return () => void sessionWaiters.delete(waiter);
    },

    counts() {
      const counts = { active: 0, locked: 0, deferred: 0, scheduled: 0 };
      for (const { state } of messages.values()) if (state !== "gone") counts[state] += 1;
      return counts;
    },

    /** Puts kept messages back; nobody holds a lock afterwards. */
    restore(kept: readonly StoredMessage[], sequence: number): void {
      this.stop();
      for (const message of messages.values()) message.state = "gone";
      messages.clear();
      lane.clear();
      locks.clear();
      schedule.takeDue(Number.POSITIVE_INFINITY);
      for (const message of kept) {
        messages.set(message.sequence, message);
        if (message.state === "scheduled") {
          schedule.add(message);
          scheduleDeadline.arm(message.scheduledForMs!);
        } else if (message.state === "active") laneOf(message).append(message);
        if (Number.isFinite(message.expiresAtMs)) lifetimes.arm(message.expiresAtMs);
      }
      lastSequence = sequence;
      pump();
    },
    lastSequence: () => lastSequence,

    stop(): void {
      for (const deadline of [lockDeadline, scheduleDeadline, lifetimes]) deadline.stop();
    },
  };
}
