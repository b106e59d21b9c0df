/** One queue, without networking: what links, management requests and the administration need from it. */
import {
  type DeadLetterFacts,
  type IncomingMessage,
  type StoredMessage,
  toWritten,
  withApplicationProperties,
} from "./message.ts";
import { type Consumer, createQueueCore, type QueueWorld } from "./queue-core.ts";
import { createSessionHolding } from "./queue-sessions.ts";
import type { QueueSettings } from "./queue-settings.ts";
import { bringBack, finiteOrNull, keepMessage, type QueueSnapshot } from "./queue-snapshot.ts";

export type Disposition =
  | { readonly kind: "complete" | "release" }
  | { readonly kind: "abandon" | "defer"; readonly properties?: object }
  | {
      readonly kind: "dead-letter";
      readonly reason: string | null;
      readonly description: string | null;
      readonly properties?: object;
    };

export type Queue = ReturnType<typeof createQueue>;

export function createQueue(settings: QueueSettings, world: QueueWorld) {
  const core = createQueueCore(settings, world);
  const { clock, messages, lane, sessions, locks, schedule, history, consumers, totals } = core;
  const { lockDeadline, scheduleDeadline, lifetimes, sessionWaiters } = core;
  const { laneOf, store, remove, giveUp, putBack, lock, pump, activate, wakeSessionWaiters } = core;
  const stop = () => {
    for (const deadline of [lockDeadline, scheduleDeadline, lifetimes]) deadline.stop();
  };

  return {
    settings,
    totals,
    sessions,
    sizeBytes: core.sizeBytes,
    messages: messages as ReadonlyMap<number, StoredMessage>,
    pump,

    /** Accepts messages; repeated ones are dropped as if they had been accepted. */
    send(batch: readonly IncomingMessage[]): (number | null)[] {
      const sequences = batch.map((incoming) => {
        totals.sent += 1;
        if (settings.requiresDuplicateDetection && incoming.messageId !== null) {
          if (history.isRepeated(incoming.messageId, clock.now())) {
            totals.duplicates += 1;
            core.report("duplicate-dropped", { messageId: incoming.messageId });
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

    /** Adopts a message that another queue gave up. */
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

    /** Returns false if one of the numbers does not belong to a scheduled message. */
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

    /**
     * Releases what a departed consumer had locked and counts it as a failed delivery. A session that was
     * left is released as well, but its messages do not count as tried. With `keepsLocks`, other messages
     * stay locked until their locks expire, as has been observed with the service.
     */
    detach(consumer: Consumer, keepsLocks: boolean): void {
      const at = consumers.indexOf(consumer);
      if (at >= 0) consumers.splice(at, 1);
      const { session } = consumer;
      if (session?.owner === consumer) session.owner = null;
      if (session === null && keepsLocks) return;
      for (const message of locks.takeOwnedBy(consumer))
        putBack(message, { isFailed: session === null });
      pump();
      wakeSessionWaiters();
    },

    /** Returns false if the lock is no longer held. */
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
          putBack(message, { isFailed: false });
          return true;
        default:
          putBack(message, { isFailed: disposition.kind === "abandon" });
          pump();
          return true;
      }
    },

    /** The new expiry of each lock; null if one of them is no longer held. */
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

    /** Locks (or removes) deferred messages; null if one of them is not deferred. */
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

    /** Deletes up to `count` waiting messages that were enqueued at or before the given time. */
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

    ...createSessionHolding(core),

    counts() {
      const counts = { active: 0, locked: 0, deferred: 0, scheduled: 0 };
      for (const { state } of messages.values()) if (state !== "gone") counts[state] += 1;
      return counts;
    },

    snapshot: (): QueueSnapshot => ({
      settings: {
        ...settings,
        defaultMessageTimeToLiveMs: finiteOrNull(settings.defaultMessageTimeToLiveMs),
      },
      sequence: core.lastSequence(),
      messages: [...messages.values()].map(keepMessage),
      seen: history.entries(),
      sessionStates: [...sessions.all()].flatMap(({ id, state }) =>
        state === null ? [] : [[id, state] as const],
      ),
    }),

    /** Restores a saved state; nobody holds a lock afterwards. */
    restore(saved: QueueSnapshot): void {
      stop();
      for (const message of messages.values()) message.state = "gone";
      messages.clear();
      lane.clear();
      locks.clear();
      schedule.takeDue(Number.POSITIVE_INFINITY);
      history.restore(saved.seen);
      for (const session of sessions.all()) session.state = null;
      for (const [id, state] of saved.sessionStates) sessions.get(id).state = state;
      for (const message of saved.messages.map(bringBack)) {
        messages.set(message.sequence, message);
        if (message.state === "scheduled") {
          schedule.add(message);
          scheduleDeadline.arm(message.scheduledForMs!);
        } else if (message.state === "active") laneOf(message).append(message);
        if (Number.isFinite(message.expiresAtMs)) lifetimes.arm(message.expiresAtMs);
      }
      core.recount(saved.sequence);
      pump();
    },

    stop,
  };
}
