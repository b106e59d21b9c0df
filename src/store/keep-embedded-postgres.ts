import { systemClock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import {
  type EmbeddedOptions,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from "./embedded-postgres.ts";

const PAUSE_MS = { first: 500, most: 10_000 };

/**
 * Our own PostgreSQL, restarted on its port if it exits by itself, for example because it was killed for its
 * memory use or its disk was full. Meanwhile queries fail with a fault that waits, and work continues when it
 * is back.
 */
export async function keepEmbeddedPostgres(
  options: EmbeddedOptions,
  log: Log,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const stopping = new AbortController();
  let server: EmbeddedPostgres = await startEmbeddedPostgres(options);
  const { url, port } = server;

  const startAgain = async (): Promise<void> => {
    for (let pauseMs = PAUSE_MS.first; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MS.most)) {
      if (stopping.signal.aborted) return;
      try {
        server = await startEmbeddedPostgres({ ...options, port });
        return;
      } catch (error) {
        log.error({ err: error }, "the embedded database cannot be started; trying again");
        await systemClock.sleep(pauseMs, stopping.signal);
      }
    }
  };
  const keep = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      if (stopping.signal.aborted) return;
      log.error({}, "the embedded database has exited and is being restarted");
      await startAgain();
      if (stopping.signal.aborted) return server.stop();
    }
  };
  const kept = keep();
  return {
    url,
    async stop() {
      stopping.abort();
      await server.stop();
      await kept;
    },
  };
}
