/**
 * Brings notifications to their endpoints by Graph's rules: three seconds for the first answer, ten
 * for each later one, growing waits in between, and an end after four hours. Items for one URL that
 * are due together travel in one request.
 */
import type { TenantContext } from "../context.ts";
import { graphSwitch } from "./graph-switches.ts";
import type { Notification } from "./notification-model.ts";

const FIRST_LIMIT_MS = 3_000;
const RETRY_LIMIT_MS = 10_000;
const GIVE_UP_AFTER_MS = 4 * 60 * 60_000;

export interface DeliveryWorld {
  readonly context: TenantContext;
  /** The wire form of an item, or null when its subscription is gone. */
  render(notification: Notification): object | null;
  /** Fields beside `value`: the validation tokens of rich notifications. */
  envelope(notifications: readonly Notification[]): object;
}

export interface Delivery {
  enqueue(url: string, notification: Notification, delayMs: number): void;
  stop(): void;
}

interface Waiting {
  readonly notification: Notification;
  readonly dueMs: number;
}

interface Batch {
  readonly url: string;
  readonly items: readonly Notification[];
  attempt: number;
  firstSentMs: number;
}

export function createDelivery(world: DeliveryWorld): Delivery {
  const { context } = world;
  const { clock, journal, switches } = context;
  const waiting = new Map<string, Waiting[]>();
  let stopped = false;

  const facts = (batch: Batch) => ({
    url: batch.url,
    attempt: batch.attempt,
    items: batch.items.map((each) => ({
      id: each.id,
      subscriptionId: each.subscriptionId,
      ...(each.changeType === null
        ? { lifecycleEvent: each.lifecycleEvent }
        : { changeType: each.changeType }),
      resource: each.resource,
    })),
  });

  const post = async (batch: Batch): Promise<void> => {
    const value = batch.items.map(world.render).filter((each) => each !== null);
    if (value.length === 0 || stopped) return;
    if (batch.attempt === 0) batch.firstSentMs = clock.now();
    batch.attempt += 1;
    journal.record("notification.sent", facts(batch));
    const answer = await context.send({
      url: batch.url,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify({ value, ...world.envelope(batch.items) }),
      timeoutMs: batch.attempt === 1 ? FIRST_LIMIT_MS : RETRY_LIMIT_MS,
    });
    const isLate = answer.tookMs > (batch.attempt === 1 ? FIRST_LIMIT_MS : RETRY_LIMIT_MS);
    if (answer.status >= 200 && answer.status < 300 && !isLate) {
      journal.record("notification.acknowledged", { ...facts(batch), status: answer.status });
    } else {
      journal.record("notification.failed", {
        ...facts(batch),
        status: isLate ? 0 : answer.status,
      });
      retry(batch);
    }
  };

  const retry = (batch: Batch) => {
    const delayMs = graphSwitch(switches, "retryFirstDelayMs") * 2 ** (batch.attempt - 1);
    if (clock.now() + delayMs - batch.firstSentMs > GIVE_UP_AFTER_MS) {
      journal.record("notification.given-up", facts(batch));
      return;
    }
    clock.after(delayMs, () => post(batch));
  };

  const flush = async (url: string): Promise<void> => {
    const nowMs = clock.now();
    const all = waiting.get(url) ?? [];
    const due = all.filter((each) => each.dueMs <= nowMs).map((each) => each.notification);
    const later = all.filter((each) => each.dueMs > nowMs);
    if (later.length > 0) waiting.set(url, later);
    else waiting.delete(url);
    const size = Math.max(1, switches.notificationsPerPost);
    const batches: Batch[] = [];
    for (let at = 0; at < due.length; at += size) {
      batches.push({ url, items: due.slice(at, at + size), attempt: 0, firstSentMs: 0 });
    }
    // One after the other on a virtual clock, so that a run repeats itself; together in real time.
    if (!clock.isVirtual) await Promise.all(batches.map(post));
    else for (const batch of batches) await post(batch);
  };

  return {
    enqueue(url, notification, delayMs) {
      const item = { notification, dueMs: clock.now() + delayMs };
      const list = waiting.get(url);
      if (list) list.push(item);
      else waiting.set(url, [item]);
      clock.after(delayMs, () => flush(url));
    },
    stop() {
      stopped = true;
      waiting.clear();
    },
  };
}
