/**
 * An event hub: each partition is a log that each reader follows from its own position. Reading
 * removes nothing; events are removed when their retention ends.
 */
import { createHash } from "node:crypto";
import type { Clock } from "../../clock.ts";
import type { MapBytes } from "../queue/amqp-bytes.ts";

/** Why a link is refused, as an AMQP error. */
export interface HubRefusal {
  readonly condition: string;
  readonly description: string;
}

export interface NewEvent {
  readonly annotations: MapBytes;
  /** Properties, application properties and body, as they were sent. */
  readonly bare: Buffer;
}

export interface StoredEvent extends NewEvent {
  readonly sequence: number;
  readonly offset: number;
  readonly enqueuedAtMs: number;
}

/** One receiving link. */
export interface HubReader {
  readonly group: string;
  /** Null for a reader that shares the partition with others of its group. */
  readonly ownerLevel: number | null;
  accepts(event: StoredEvent): boolean;
  /** Starts after all existing events. */
  readonly isLatest: boolean;
  room(): number;
  deliver(event: StoredEvent, last: StoredEvent): void;
  end(error: HubRefusal): void;
}

export interface HubSettings {
  readonly name: string;
  readonly partitionCount: number;
  readonly consumerGroups: readonly string[];
}

export interface PartitionView {
  readonly partition: string;
  readonly beginSequence: number;
  readonly last: { sequence: number; offset: number; enqueuedAtMs: number } | null;
  readonly count: number;
  readonly readers: number;
}

export interface Hub {
  readonly settings: HubSettings;
  readonly createdAtMs: number;
  /** A named partition, the one that a key belongs to, or the next in turn. */
  append(where: { partition?: string; key?: string | null }, events: readonly NewEvent[]): void;
  /** Null if the reader was attached; otherwise the reason why it was not. */
  attach(partition: string, reader: HubReader): HubRefusal | null;
  detach(partition: string, reader: HubReader): void;
  pump(partition: string): void;
  view(partition: string): PartitionView;
  partitions(): string[];
  snapshot(): HubSnapshot;
  restore(state: HubSnapshot): void;
}

export interface HubSnapshot {
  readonly turn: number;
  readonly partitions: readonly {
    readonly nextSequence: number;
    readonly nextOffset: number;
    readonly events: readonly StoredEvent[];
  }[];
}

interface Partition {
  events: StoredEvent[];
  nextSequence: number;
  nextOffset: number;
  /** Each reader with the sequence number that it reads next. */
  readonly readers: Map<HubReader, number>;
}

/** How many readers without an owner level a partition serves in one consumer group. */
const SHARED_READERS_MAX = 5;
const RETENTION_MS = 24 * 60 * 60_000;

export function createHub(
  settings: HubSettings,
  clock: Clock,
  report: (kind: string, facts: Record<string, unknown>) => void,
): Hub {
  const logs: Partition[] = Array.from({ length: settings.partitionCount }, () => ({
    events: [],
    nextSequence: 0,
    nextOffset: 0,
    readers: new Map(),
  }));
  const createdAtMs = clock.now();
  let turn = 0;
  const at = (partition: string) => logs[Number(partition)]!;

  const forget = (log: Partition) => {
    const kept = log.events.findIndex(
      ({ enqueuedAtMs }) => enqueuedAtMs + RETENTION_MS > clock.now(),
    );
    if (kept !== 0) log.events = kept === -1 ? [] : log.events.slice(kept);
  };

  const pump = (partition: string) => {
    const log = at(partition);
    const last = log.events.at(-1);
    if (last === undefined) return;
    const first = log.events[0]!.sequence;
    for (const [reader, from] of log.readers) {
      let next = Math.max(from, first);
      while (next <= last.sequence && reader.room() > 0) {
        const event = log.events[next - first]!;
        next += 1;
        if (reader.accepts(event)) reader.deliver(event, last);
      }
      log.readers.set(reader, next);
    }
  };

  return {
    settings,
    createdAtMs,
    append({ partition, key }, events) {
      const id = partition ?? String(key ? hashOf(key) % logs.length : turn++ % logs.length);
      const log = at(id);
      forget(log);
      for (const event of events) {
        const { nextSequence: sequence, nextOffset: offset } = log;
        log.events.push({ ...event, sequence, offset, enqueuedAtMs: clock.now() });
        log.nextSequence += 1;
        log.nextOffset += event.bare.length;
      }
      report("events", { hub: settings.name, partition: id, count: events.length });
      pump(id);
    },
    attach(partition, reader) {
      const log = at(partition);
      const others = [...log.readers.keys()].filter(({ group }) => group === reader.group);
      const refusal = refuseReader(reader, others);
      if (refusal !== null) return refusal;
      if (reader.ownerLevel !== null) {
        for (const other of others) {
          log.readers.delete(other);
          other.end(stolen(reader.ownerLevel));
        }
      }
      forget(log);
      log.readers.set(reader, reader.isLatest ? log.nextSequence : 0);
      return null;
    },
    detach: (partition, reader) => void at(partition).readers.delete(reader),
    pump,
    view(partition) {
      const log = at(partition);
      forget(log);
      const last = log.events.at(-1);
      return {
        partition,
        beginSequence: log.events[0]?.sequence ?? log.nextSequence,
        last: last === undefined ? null : placeOf(last),
        count: log.events.length,
        readers: log.readers.size,
      };
    },
    partitions: () => logs.map((_log, index) => String(index)),
    snapshot: () => ({
      turn,
      partitions: logs.map(({ nextSequence, nextOffset, events }) => ({
        nextSequence,
        nextOffset,
        events: [...events],
      })),
    }),
    restore(state) {
      turn = state.turn;
      for (const [index, saved] of state.partitions.entries()) {
        const log = logs[index]!;
        Object.assign(log, { ...saved, events: [...saved.events] });
        for (const [reader, next] of log.readers) {
          log.readers.set(reader, Math.min(next, saved.nextSequence));
        }
      }
    },
  };
}

/** An owner with a higher level takes the partition; readers that shared it are disconnected. */
function refuseReader(reader: HubReader, others: readonly HubReader[]): HubRefusal | null {
  const owner = others.find(({ ownerLevel }) => ownerLevel !== null);
  if (owner !== undefined && (reader.ownerLevel ?? -1) < owner.ownerLevel!) {
    return stolen(owner.ownerLevel!);
  }
  if (reader.ownerLevel === null && others.length >= SHARED_READERS_MAX) {
    return {
      condition: "amqp:resource-limit-exceeded",
      description: `Exceeded the maximum number of allowed receivers per partition in a consumer group which is ${SHARED_READERS_MAX}.`,
    };
  }
  return null;
}

function stolen(ownerLevel: number): HubRefusal {
  return {
    condition: "amqp:link:stolen",
    description: `A receiver with a higher epoch '${ownerLevel}' exists or was created, so this receiver is disconnected.`,
  };
}

function hashOf(key: string): number {
  return createHash("sha256").update(key).digest().readUInt32BE(0);
}

function placeOf({ sequence, offset, enqueuedAtMs }: StoredEvent) {
  return { sequence, offset, enqueuedAtMs };
}
