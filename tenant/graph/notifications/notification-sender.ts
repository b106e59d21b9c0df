/**
 * Delivers notifications by Graph's rules: three seconds for the first response, ten for each later one,
 * growing waits in between, and an end after four hours. Items for one URL that are due together share one
 * request.
 */
import type { OutgoingAnswer, TenantContext } from "../../context.ts";
import { graphSwitch } from "../call/graph-switches.ts";
import { sendOut } from "../subscriptions/send-out.ts";
import { isEventHub } from "../subscriptions/subscription-input.ts";
import {
  createEndpointHealth,
  type EndpointMode,
  endpointName,
  WINDOW_MS,
} from "./endpoint-health.ts";
import { createEventHubOutlet, type EventHubOutlet } from "./event-hub-outlet.ts";
import type { Notification } from "./notification-model.ts";

const FIRST_LIMIT_MS = 3_000;
const RETRY_LIMIT_MS = 10_000;
const GIVE_UP_AFTER_MS = 4 * 60 * 60_000;

export interface SenderWorld {
  readonly context: TenantContext;
  /** The JSON of an item; null if its subscription is gone. */
  render(notification: Notification): object | null;
  /** Fields besides `value`: the validation tokens of rich notifications. */
  envelope(notifications: readonly Notification[], url: string): object;
  /** Called with items that will never arrive, because the endpoint was dropped or given up. */
  lost(notifications: readonly Notification[]): void;
  /** Called when a dropped endpoint is tried again. */
  recovered(endpoint: string): void;
}

export interface NotificationSender {
  enqueue(url: string, notification: Notification, delayMs: number): void;
  /** Sends immediately what waits for a URL. */
  flushNow(url: string): Promise<void>;
  readonly hubs: Pick<EventHubOutlet, "greet" | "received">;
  modes(): { endpoint: string; mode: EndpointMode }[];
  state(): SenderState;
  restore(state: SenderState): void;
  stop(): void;
}

export interface SenderState {
  readonly waiting: readonly [string, readonly Waiting[]][];
  readonly retrying: readonly Retry[];
  readonly hubs: readonly [string, object[]][];
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

interface Retry {
  readonly batch: Batch;
  readonly dueMs: number;
}

export function createNotificationSender(world: SenderWorld): NotificationSender {
  const { context } = world;
  const { clock, journal, switches } = context;
  const waiting = new Map<string, Waiting[]>();
  const timers = new Map<string, { dueMs: number; cancel: () => void }>();
  const retries = new Set<Retry>();
  const hubs = createEventHubOutlet(context);
  const health = createEndpointHealth(context, world.recovered);
  let stopped = false;

  const send = async (batch: Batch, body: object): Promise<OutgoingAnswer> => {
    if (isEventHub(batch.url)) {
      hubs.put(batch.url, body);
      return { status: 202, headers: {}, body: "", tookMs: 0 };
    }
    return sendOut(context, {
      url: batch.url,
      headers: { "content-type": "application/json; charset=utf-8" },
      body: JSON.stringify(body),
      timeoutMs: limitOf(batch),
    });
  };

  const post = async (batch: Batch): Promise<void> => {
    if (stopped) return;
    if (health.modeOf(batch.url) === "drop") {
      drop(batch);
      return;
    }
    const rendered = batch.items.map((each) => world.render(each));
    const gone = batch.items.filter((_each, index) => rendered[index] === null);
    if (gone.length > 0) {
      const facts = factsOf({ ...batch, items: gone });
      journal.record("notification.dropped", { ...facts, cause: "subscription gone" });
    }
    const items = rendered.filter((each) => each !== null);
    if (items.length === 0) return;
    if (batch.attempt === 0) batch.firstSentMs = clock.now();
    batch.attempt += 1;
    journal.record("notification.sent", factsOf(batch));
    const answer = await send(batch, { value: items, ...world.envelope(batch.items, batch.url) });
    if (!stopped) judge(batch, answer);
  };

  const judge = (batch: Batch, answer: OutgoingAnswer) => {
    const limitMs = limitOf(batch);
    const isLate = answer.tookMs > limitMs || (answer.status === 0 && answer.tookMs >= limitMs);
    if (!isEventHub(batch.url))
      health.note(batch.url, isLate ? Math.max(answer.tookMs, limitMs + 1) : answer.tookMs);
    if (answer.status >= 200 && answer.status < 300 && !isLate) {
      journal.record("notification.acknowledged", { ...factsOf(batch), status: answer.status });
      return;
    }
    journal.record("notification.failed", {
      ...factsOf(batch),
      status: isLate ? 0 : answer.status,
    });
    retry(batch);
  };

  const retry = (batch: Batch) => {
    const delayMs = graphSwitch(switches, "retryFirstDelayMs") * 2 ** (batch.attempt - 1);
    if (clock.now() + delayMs - batch.firstSentMs > GIVE_UP_AFTER_MS) {
      journal.record("notification.given-up", factsOf(batch));
      world.lost(batch.items);
      return;
    }
    scheduleRetry({ batch, dueMs: clock.now() + delayMs });
  };

  const scheduleRetry = (entry: Retry) => {
    retries.add(entry);
    clock.after(entry.dueMs - clock.now(), () =>
      retries.delete(entry) ? post(entry.batch) : undefined,
    );
  };

  const drop = (batch: Batch) => {
    journal.record("notification.dropped", { ...factsOf(batch), cause: "endpoint" });
    world.lost(batch.items);
  };

  const flush = async (url: string, untilMs: number): Promise<void> => {
    timers.get(url)?.cancel();
    timers.delete(url);
    const all = waiting.get(url) ?? [];
    const due = all.filter((each) => each.dueMs <= untilMs).map((each) => each.notification);
    waiting.set(
      url,
      all.filter((each) => each.dueMs > untilMs),
    );
    schedule(url);
    const size = Math.max(1, switches.notificationsPerPost);
    const batches: Batch[] = [];
    for (let at = 0; at < due.length; at += size) {
      batches.push({ url, items: due.slice(at, at + size), attempt: 0, firstSentMs: 0 });
    }
    // One after the other on a virtual clock, so that a run can be repeated; concurrently in real time.
    if (!clock.isVirtual) await Promise.all(batches.map(post));
    else for (const batch of batches) await post(batch);
  };

  /** One timer per URL, set to its earliest item. */
  const schedule = (url: string) => {
    const list = waiting.get(url) ?? [];
    if (list.length === 0) {
      waiting.delete(url);
      return;
    }
    const dueMs = list.reduce(
      (first, each) => Math.min(first, each.dueMs),
      Number.POSITIVE_INFINITY,
    );
    const timer = timers.get(url);
    if (timer !== undefined && timer.dueMs <= dueMs) return;
    timer?.cancel();
    const cancel = clock.after(dueMs - clock.now(), () => flush(url, clock.now()));
    timers.set(url, { dueMs, cancel });
  };

  return {
    enqueue(url, notification, delayMs) {
      const mode = isEventHub(url) ? "ok" : health.modeOf(url);
      if (mode === "drop") {
        drop({ url, items: [notification], attempt: 0, firstSentMs: 0 });
        return;
      }
      const dueMs = clock.now() + (mode === "slow" ? Math.max(delayMs, WINDOW_MS) : delayMs);
      const list = waiting.get(url);
      if (list) list.push({ notification, dueMs });
      else waiting.set(url, [{ notification, dueMs }]);
      schedule(url);
    },
    flushNow: (url) => flush(url, Number.POSITIVE_INFINITY),
    hubs,
    modes: () => health.modes(),
    state: () => ({ waiting: [...waiting], retrying: [...retries], hubs: hubs.state() }),
    restore(state) {
      health.reset();
      retries.clear();
      waiting.clear();
      hubs.restore(state.hubs);
      for (const entry of state.retrying)
        scheduleRetry({ batch: { ...entry.batch }, dueMs: entry.dueMs });
      for (const [url, list] of state.waiting) {
        waiting.set(url, [...list]);
        schedule(url);
      }
    },
    stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      waiting.clear();
      retries.clear();
    },
  };
}

function limitOf(batch: Batch): number {
  return batch.attempt <= 1 ? FIRST_LIMIT_MS : RETRY_LIMIT_MS;
}

function factsOf(batch: Batch): Record<string, unknown> {
  return {
    endpoint: endpointName(batch.url),
    attempt: batch.attempt,
    items: batch.items.map((each) => ({
      id: each.id,
      subscriptionId: each.subscriptionId,
      ...(each.changeType === null
        ? { lifecycleEvent: each.lifecycleEvent }
        : { changeType: each.changeType }),
      resource: each.resource,
    })),
  };
}
