import type { TenantContext } from "../../context.ts";
import { type IncomingMessage, withMessageId } from "./message.ts";
import { createQueue, type Queue } from "./queue.ts";
import {
  problemWith,
  type QueueDeclaration,
  type QueueSettings,
  toQueueSettings,
} from "./queue-settings.ts";

export const DEAD_LETTER_SUFFIX = "/$deadletterqueue";

export interface Broker {
  /** Creates a queue; an existing one of that name keeps its messages and takes the new settings. */
  declare(declaration: QueueDeclaration): QueueSettings;
  remove(name: string): boolean;
  names(): string[];
  /** Finds a queue or dead-letter queue by its entity path, ignoring case; undefined if there is none. */
  find(path: string): Queue | undefined;
  /** Gives a message without an id one of its own, as the service does. */
  named(message: IncomingMessage): IncomingMessage;
  stop(): void;
}

export function createBroker(context: TenantContext): Broker {
  const queues = new Map<string, { main: Queue; dead: Queue }>();
  const nextToken = createTokens(context);
  const ids = context.random.fork("servicebus-ids");

  const open = (settings: QueueSettings) => {
    const deadSettings: QueueSettings = {
      ...toQueueSettings({ name: settings.name + DEAD_LETTER_SUFFIX }),
      lockDurationMs: settings.lockDurationMs,
    };
    const world = (queue: string) => ({
      clock: context.clock,
      nextToken,
      report: (kind: string, facts: Record<string, unknown>) =>
        void context.journal.record(`servicebus.${kind}`, { queue, ...facts }),
    });
    const dead = createQueue(deadSettings, { ...world(deadSettings.name), deadLetters: null });
    const main = createQueue(settings, { ...world(settings.name), deadLetters: dead.adopt });
    queues.set(settings.name.toLowerCase(), { main, dead });
  };

  return {
    declare(declaration) {
      const known = queues.get(declaration.name.toLowerCase());
      const settings = toQueueSettings({ ...known?.main.settings, ...declaration });
      const problem = problemWith(settings);
      if (problem !== null) throw new RangeError(problem);
      if (known === undefined) open(settings);
      else Object.assign(known.main.settings, settings, { name: known.main.settings.name });
      context.journal.record("servicebus.queue-declared", { queue: settings.name });
      return settings;
    },
    remove(name) {
      const known = queues.get(name.toLowerCase());
      known?.main.stop();
      known?.dead.stop();
      return queues.delete(name.toLowerCase());
    },
    names: () => [...queues.values()].map(({ main }) => main.settings.name),
    find(path) {
      const wanted = path.toLowerCase();
      if (!wanted.endsWith(DEAD_LETTER_SUFFIX)) return queues.get(wanted)?.main;
      return queues.get(wanted.slice(0, -DEAD_LETTER_SUFFIX.length))?.dead;
    },
    named: (message) =>
      message.messageId === null ? withMessageId(message, ids.bytes(16).toString("hex")) : message,
    stop() {
      for (const { main, dead } of queues.values()) {
        main.stop();
        dead.stop();
      }
    },
  };
}

/** Tokens consist of a seeded prefix and a counter: unique, reproducible and cheap. */
function createTokens(context: TenantContext): () => string {
  const prefix = context.random.fork("servicebus-locks").bytes(10).toString("hex");
  let count = 0;
  return () => prefix + (++count).toString(16).padStart(12, "0");
}
