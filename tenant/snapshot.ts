import type { AppRegistration, Switches, TenantContext, User } from "./context.ts";
import type { ArmedFault } from "./faults.ts";
import type { JournalEntry } from "./journal.ts";
import type { StatefulPart } from "./parts.ts";

/**
 * The whole state of a tenant. Parts may contain buffers, maps, sets and dates; `encodeSnapshot` preserves
 * them.
 */
export interface TenantSnapshot {
  readonly version: 1;
  readonly nowMs: number;
  readonly users: readonly User[];
  readonly apps: readonly AppRegistration[];
  readonly switches: Switches;
  readonly faults: readonly ArmedFault[];
  readonly journal: readonly JournalEntry[];
  readonly parts: Readonly<Record<string, unknown>>;
}

export type StatefulParts = Readonly<Record<string, StatefulPart>>;

/** Stores large contents beside the text, so that the next save does not write them again. */
export interface Shelf {
  /** Returns the name under which the bytes can be read again. What a name stands for never changes. */
  put(bytes: Uint8Array): string;
  get(name: string): Buffer;
}

/** The state as text; contents that go to the shelf are left out of it. */
export function saveTenant(context: TenantContext, parts: StatefulParts, shelf?: Shelf): string {
  const saved = Object.entries(parts).map(([name, part]) => [name, part.snapshot()]);
  return encodeSnapshot(
    {
      version: 1,
      nowMs: context.clock.now(),
      users: context.users,
      apps: context.apps,
      switches: context.switches,
      faults: context.faults.list(),
      journal: context.journal.entries(),
      parts: Object.fromEntries(saved) as Record<string, unknown>,
    },
    shelf,
  );
}

/** Encodes the state and decodes it again, so that a snapshot does not change with the running tenant. */
export function snapshotTenant(context: TenantContext, parts: StatefulParts): TenantSnapshot {
  const shelf = createShelf();
  return decodeSnapshot(saveTenant(context, parts, shelf), shelf);
}

/** Contents never change, so a copy of the state may share them. */
function createShelf(): Shelf {
  const kept: Buffer[] = [];
  return {
    put(bytes) {
      const whole = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
      return String(kept.push(whole) - 1);
    },
    get: (name) => kept[Number(name)]!,
  };
}

export function restoreTenant(
  context: TenantContext,
  parts: StatefulParts,
  snapshot: TenantSnapshot,
): void {
  assertSnapshot(snapshot);
  const shelf = createShelf();
  const saved = decodeSnapshot(encodeSnapshot(snapshot, shelf), shelf);
  context.clock.restore(saved.nowMs);
  context.random.reseed(`restored at ${saved.journal.length}, ${saved.nowMs}`);
  context.users.splice(0, Infinity, ...saved.users);
  context.apps.splice(0, Infinity, ...saved.apps);
  Object.assign(context.switches, saved.switches);
  context.faults.restore(saved.faults);
  for (const [name, part] of Object.entries(parts)) {
    const state = saved.parts[name];
    if (state !== undefined && state !== null) part.restore(state);
  }
  // Last, because a part may write to the journal while it is being restored.
  context.journal.restore(saved.journal);
}

/** An incomplete snapshot must not leave an incomplete tenant, so this is checked before anything changes. */
function assertSnapshot(snapshot: TenantSnapshot): void {
  const lists = [snapshot.users, snapshot.apps, snapshot.faults, snapshot.journal];
  if (snapshot.version === 1 && Number.isFinite(snapshot.nowMs) && lists.every(Array.isArray))
    return;
  throw new Error("version, time or lists are missing");
}

/** JSON text; what JSON lacks is written as an object with one key that begins with `$$`. */
export function encodeSnapshot(snapshot: TenantSnapshot, shelf?: Shelf): string {
  return JSON.stringify(snapshot, function (this: unknown, key: string, value: unknown) {
    const raw = (this as Record<string, unknown>)[key]; // before toJSON turns dates into text
    return withoutBytes(encodeValue(raw, value), shelf);
  });
}

/**
 * Bytes are encoded together with the object that contains them: on its own, a buffer's toJSON would run
 * first, which makes a list of numbers and fails above 128 MiB.
 */
function withoutBytes(holder: unknown, shelf: Shelf | undefined): unknown {
  if (typeof holder !== "object" || holder === null) return holder;
  const encode = (value: unknown) =>
    value instanceof Uint8Array ? encodeBytes(value, shelf) : value;
  if (Array.isArray(holder)) return holder.map(encode);
  if (!Object.values(holder).some((value) => value instanceof Uint8Array)) return holder;
  return Object.fromEntries(Object.entries(holder).map(([name, value]) => [name, encode(value)]));
}

function encodeBytes(bytes: Uint8Array, shelf: Shelf | undefined): object {
  if (shelf && bytes.length >= SHELVED_BYTES) return { $$shelved: shelf.put(bytes) };
  return { $$bytes: Buffer.from(bytes).toString("base64") };
}

export function decodeSnapshot(text: string, shelf?: Shelf): TenantSnapshot {
  return JSON.parse(text, (_key, value) => decodeValue(value, shelf)) as TenantSnapshot;
}

/** Smaller contents are cheaper in the text than in a file of their own. */
const SHELVED_BYTES = 4096;

function encodeValue(raw: unknown, value: unknown): unknown {
  if (raw instanceof Date) return { $$date: raw.getTime() };
  if (raw instanceof Map) return { $$map: [...raw] };
  if (raw instanceof Set) return { $$set: [...raw] };
  if (typeof raw === "bigint") return { $$bigint: String(raw) };
  return value;
}

function decodeValue(value: unknown, shelf: Shelf | undefined): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const tagged = value as Record<string, unknown>;
  if ("$$bytes" in tagged) return Buffer.from(tagged["$$bytes"] as string, "base64");
  if ("$$shelved" in tagged) {
    if (!shelf)
      throw new Error(
        "the state refers to contents stored in separate files, which were not given",
      );
    return shelf.get(tagged["$$shelved"] as string);
  }
  if ("$$date" in tagged) return new Date(tagged["$$date"] as number);
  if ("$$map" in tagged) return new Map(tagged["$$map"] as [unknown, unknown][]);
  if ("$$set" in tagged) return new Set(tagged["$$set"] as unknown[]);
  if ("$$bigint" in tagged) return BigInt(tagged["$$bigint"] as string);
  return value;
}
