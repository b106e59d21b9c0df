import { createDispatcher, type Dispatcher } from "../flows/watching/dispatch-notifications.ts";
import type { IntakeNeeds } from "../intake/graph-notifications.ts";
import { createIntakeMetrics } from "../intake/intake-metrics.ts";
import { type ContentReceiver, createContentReceiver } from "../intake/receive-content.ts";
import { describeShare } from "../intake/slow-share.ts";
import { createTokenCheck } from "../intake/validation-tokens.ts";
import type { Jobs } from "../jobs/service/create-jobs.ts";
import { every } from "../lib/clock.ts";
import { createNotificationWriter } from "../mailbox/notifications/notification-table.ts";
import { admitHandshake } from "../mailbox/subscriptions/subscribing.ts";
import type { Closers, Foundation } from "./foundation.ts";
import type { Watching } from "./watching.ts";

const SWEEP_MS = 1_000;
/** Intake is busy if more notifications than this wait for their commit; usually only a few do. */
const BUSY_FROM_WAITING = 200;

/** Wires the path of notifications from the endpoint to their jobs. */
export function createIntake(
  base: Foundation,
  jobs: Jobs,
  watching: Watching,
  closers: Closers,
): { needs: IntakeNeeds; dispatcher: Dispatcher; describe(): Promise<string> } {
  const { database, log, clock } = base;
  const isBusy = () => writer.depth > BUSY_FROM_WAITING;
  const dispatcher = createDispatcher({
    database,
    queue: jobs.queue,
    log,
    busyIntake: { isBusy, clock },
  });
  const metrics = createIntakeMetrics(base.metrics, clock);
  const writer = createNotificationWriter(base.intakeDatabase, (_written, repeated) => {
    metrics.repeated(repeated);
    dispatcher.wake();
  });
  const warn = (error: unknown) =>
    log.warn({ err: error }, "notifications are waiting for their jobs");
  closers.push(
    writer.idle,
    every(
      clock,
      SWEEP_MS,
      async () => {
        await dispatcher.run();
      },
      warn,
    ),
  );

  let hasRefused = false;
  const noteFailure = async (write: Promise<void>): Promise<void> => {
    try {
      await write;
    } catch (error) {
      hasRefused = true;
      throw error;
    }
    if (hasRefused) catchUp();
  };
  /** After a period of 503s Graph may have dropped notifications, so every mailbox is read. */
  const catchUp = (): void => {
    hasRefused = false;
    watching.readAll("notifications had to be refused for a while").catch((error: unknown) => {
      hasRefused = true;
      log.warn({ err: error }, "the mailboxes could not be queued for reading");
    });
  };

  const contents = createContents(base, watching, dispatcher);
  if (contents !== null) closers.push(contents.idle);
  return {
    dispatcher,
    describe: async () => describeShare(metrics.slowShare()),
    needs: {
      directory: watching.directory,
      clock,
      log,
      metrics,
      accept: (rows) => noteFailure(writer.add(rows)),
      ...(contents === null
        ? {}
        : { contents: { ...contents, accept: (items) => noteFailure(contents.accept(items)) } }),
      ...(base.config.gatesWebhook
        ? { isHandshakeExpected: (token: string) => admitHandshake(database, token) }
        : {}),
    },
  };
}

/** Null if notifications carry no content. */
function createContents(
  { database, intakeDatabase, config, log }: Foundation,
  { encryptionKeys: keys }: Watching,
  dispatcher: Dispatcher,
): ContentReceiver | null {
  if (keys === null) return null;
  const checkTokens = createTokenCheck(Object.values(config.connections));
  const needs = { database, intakeDatabase, keys, checkTokens, log };
  return createContentReceiver({ ...needs, onOpened: dispatcher.wake });
}
