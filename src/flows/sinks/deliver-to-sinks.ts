/**
 * Sends what the feeds hold to every sink. A sink's position moves only after its receiver has accepted a message, so an outage
 * loses nothing; one process at a time serves a sink, and each sink has its own pace, so none waits for another.
 */
import { backoffMs } from "../../lib/backoff.ts";
import { type Clock, every } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import { redactText } from "../../lib/redact.ts";
import { type OpenSinkNeeds, openSink } from "../../sinks/open-sink.ts";
import { isLocal, type LocalSink, type RemoteSink, type Sink } from "../../sinks/sink.ts";
import {
  delaySink,
  findDueSinks,
  getSink,
  moveSink,
  type SinkRow,
} from "../../sinks/sink-table.ts";
import type { Database } from "../../store/database.ts";
import { withLease } from "../../store/named-lease.ts";
import { type Outgoing, PAGE, readOutgoing } from "./read-outgoing.ts";

export interface DeliverNeeds extends OpenSinkNeeds {
  readonly database: Database;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  onSent(sink: string, count: number): void;
}

const LOOK_MS = 1_000;
const LEASE_SECONDS = 60;
const BACKOFF = { firstMs: 2_000, capMs: 5 * 60_000 };

/** Looks for new messages until it is stopped. */
export function startSinks(needs: DeliverNeeds): () => Promise<void> {
  const stop = new AbortController();
  const running = new Map<number, Promise<void>>();
  const look = async (): Promise<void> => {
    for (const sink of await findDueSinks(needs.database)) {
      if (running.has(sink.id)) continue;
      const serving = serve(needs, sink, stop.signal)
        .catch((error: unknown) =>
          needs.log.warn({ err: error, sink: sink.name }, "a sink failed and will be served again"),
        )
        .finally(() => running.delete(sink.id));
      running.set(sink.id, serving);
    }
  };
  const end = every(needs.clock, LOOK_MS, look, (error) =>
    needs.log.warn({ err: error }, "looking for sinks failed and will be repeated"),
  );
  return async () => {
    stop.abort();
    await end();
    await Promise.all(running.values());
  };
}

async function serve(needs: DeliverNeeds, sink: SinkRow, signal: AbortSignal): Promise<void> {
  // Most looks find nothing and need no lease.
  if ((await readOutgoing(needs.database, sink)).length === 0) return;
  await withLease(needs, `sink:${sink.id}`, LEASE_SECONDS, async () => {
    const port = await openSink(needs, sink).catch((error: Error) => error);
    if (port instanceof Error) return delay(needs, sink, { text: port.message });
    try {
      while (!signal.aborted && (await sendPage(needs, port, sink.name, signal)) === PAGE);
    } finally {
      if (!isLocal(port)) await port.close();
    }
  });
}

/** Returns how many messages were taken. The place is read again: another process may have moved it before our lease. */
async function sendPage(
  needs: DeliverNeeds,
  port: Sink,
  name: string,
  signal: AbortSignal,
): Promise<number> {
  const sink = await getSink(needs.database, name);
  if (sink === null) return 0;
  const page = (await readOutgoing(needs.database, sink)).slice(0, PAGE);
  if (page.length === 0) return 0;
  return isLocal(port)
    ? writeLocal(needs, port, sink, page)
    : sendRemote(needs, port, sink, page, signal);
}

async function writeLocal(
  { database, onSent }: DeliverNeeds,
  port: LocalSink,
  sink: SinkRow,
  page: readonly Outgoing[],
): Promise<number> {
  const written = await database.transaction(async (tx) => {
    const to = { ...page.at(-1)!.after, count: page.length };
    if (!(await moveSink(tx, sink.id, sink, to))) return 0;
    await port.write(
      tx,
      page.map(({ message }) => message),
    );
    return page.length;
  });
  onSent(sink.name, written);
  return written;
}

async function sendRemote(
  needs: DeliverNeeds,
  port: RemoteSink,
  sink: SinkRow,
  page: readonly Outgoing[],
  signal: AbortSignal,
): Promise<number> {
  const { taken, problem } = await port.deliver(
    page.map(({ message }) => message),
    signal,
  );
  if (taken > 0) {
    await moveSink(needs.database, sink.id, sink, { ...page[taken - 1]!.after, count: taken });
    needs.onSent(sink.name, taken);
  }
  if (problem !== undefined && !signal.aborted)
    await delay(needs, { ...sink, failures: taken > 0 ? 0 : sink.failures }, problem);
  return taken;
}

async function delay(
  { database, random, log }: DeliverNeeds,
  { id, name, failures }: Pick<SinkRow, "id" | "name" | "failures">,
  problem: { readonly text: string; readonly retryAfterMs?: number },
): Promise<void> {
  const error = redactText(problem.text);
  const waitMs = Math.max(1_000, backoffMs(BACKOFF, failures + 1, random, problem.retryAfterMs));
  await delaySink(database, id, { error, waitMs });
  log.warn(
    { sink: name, failures: failures + 1, waitMs, error },
    "a sink did not accept a message",
  );
}
