/** Listens for jobs that any process adds, at the moment of their commit. */
import pg from "pg";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";

export function listenForJobs(options: {
  url: string;
  log: Log;
  onAdded: (queue: string) => void;
  /** Called on every new connection: notifications sent before it are lost. */
  onListening: () => void;
}): { stop(): Promise<void> } {
  const stop = new AbortController();
  let client: pg.Client | null = null;

  const connect = async (): Promise<void> => {
    const fresh = new pg.Client({
      connectionString: options.url,
      application_name: "postroom listen",
      keepAlive: true,
      connectionTimeoutMillis: 5_000,
    });
    const closed = new Promise<void>((resolve) => fresh.once("end", resolve));
    // The end of the connection is handled below; workers poll meanwhile.
    fresh.on("error", () => {});
    fresh.on("notification", (message) => options.onAdded(message.payload ?? ""));
    await fresh.connect();
    client = fresh;
    if (stop.signal.aborted) return fresh.end();
    await fresh.query("LISTEN postroom_job");
    options.onListening();
    await closed;
  };

  const loop = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      await connect().catch((error) => {
        if (!stop.signal.aborted)
          options.log.warn({ err: error }, "cannot listen for new jobs; polling instead");
      });
      client = null;
      await systemClock.sleep(1_000, stop.signal);
    }
  };
  const running = loop();
  return {
    async stop() {
      stop.abort();
      await client?.end().catch(() => {});
      await running;
    },
  };
}
