/**
 * The opaque tokens of delta links. A token contains the position of its round, so the tenant only stores the
 * number of the newest link: Exchange remembers only the last few, and an older one is answered with 410.
 */
import type { Random } from "../../random.ts";
import { badRequest, GraphProblem } from "../call/graph-error.ts";

export interface DeltaOptions {
  readonly select: string | null;
  readonly expand?: string | null;
  readonly top: number | null;
  readonly filter: string | null;
  readonly changeType: string | null;
}

export interface SyncPoint {
  readonly walk: string;
  readonly generation: number;
  readonly options: DeltaOptions;
  /**
   * The mailbox's sequence when the full round or the round of changes began; the next round starts after it.
   */
  readonly since: number;
  /** The same at the beginning of a round with several pages: later changes are new to the caller. */
  readonly roundStart: number;
  /**
   * Position in a full round: the last message returned. Null before the first message and in later rounds.
   */
  readonly cursor: { readonly receivedMs: number; readonly key: number } | null;
  /** The lazy message to continue with, once the ordinary ones are done. */
  readonly lazyIndex: number | null;
  /** True for the full round over everything, false for a round of changes. */
  readonly isWalk: boolean;
  /** Number of messages returned so far in a filtered full round. */
  readonly given: number;
}

export interface SyncTokens {
  start(options: DeltaOptions, since: number): SyncPoint;
  /** Issues the token of the next link and makes it the newest of its round. */
  issue(point: SyncPoint): string;
  read(token: string, generationsKept: number): SyncPoint;
  state(): [string, number][];
  restore(saved: readonly [string, number][]): void;
}

export function createSyncTokens(random: Random): SyncTokens {
  const newest = new Map<string, number>();
  return {
    start(options, since) {
      const walk = random.bytes(9).toString("base64url");
      newest.set(walk, 0);
      return {
        walk,
        generation: 0,
        options,
        since,
        roundStart: since,
        cursor: null,
        lazyIndex: null,
        isWalk: true,
        given: 0,
      };
    },
    issue(point) {
      const generation = (newest.get(point.walk) ?? point.generation) + 1;
      newest.set(point.walk, generation);
      return encode({ ...point, generation });
    },
    read(token, generationsKept) {
      const point = decode(token);
      const highest = newest.get(point.walk);
      if (highest === undefined || point.generation <= highest - generationsKept) {
        throw stateNotFound(point.generation, highest ?? point.generation, generationsKept);
      }
      return point;
    },
    state: () => [...newest],
    restore(saved) {
      newest.clear();
      for (const [walk, generation] of saved) newest.set(walk, generation);
    },
  };
}

export function stateNotFound(generation: number, highest: number, kept: number): GraphProblem {
  const known = Array.from({ length: kept }, (_, index) => `[${highest - index}]`).join("");
  return new GraphProblem(
    410,
    "SyncStateNotFound",
    `The sync state generation is not found; generation=${generation};[highest=${highest}]${known}.`,
  );
}

type Fields = [
  walk: string,
  generation: number,
  since: number,
  roundStart: number,
  receivedMs: number | null,
  key: number | null,
  lazyIndex: number | null,
  isWalk: 0 | 1,
  given: number,
  options: [string | null, number | null, string | null, string | null, (string | null)?],
];
const FIELD_COUNT = 10;

function encode(point: SyncPoint): string {
  const { walk, generation, since, roundStart, cursor, lazyIndex, isWalk, given, options } = point;
  const fields: Fields = [
    ...([walk, generation, since, roundStart] as const),
    cursor?.receivedMs ?? null,
    cursor?.key ?? null,
    lazyIndex,
    isWalk ? 1 : 0,
    given,
    [options.select, options.top, options.filter, options.changeType, options.expand ?? null],
  ];
  return Buffer.from(JSON.stringify(fields)).toString("base64url");
}

function decode(token: string): SyncPoint {
  const fields = parseFields(token);
  if (fields === null) {
    throw badRequest(
      "Badly formed content. The sync state token could not be read.",
      "ErrorInvalidSyncStateData",
    );
  }
  const [walk, generation, since, roundStart, receivedMs, key, lazyIndex, isWalk, given, options] =
    fields;
  const [select, top, filter, changeType, expand = null] = options;
  return {
    walk,
    generation,
    since,
    roundStart,
    lazyIndex,
    given,
    cursor: receivedMs === null || key === null ? null : { receivedMs, key },
    isWalk: isWalk === 1,
    options: { select, top, filter, changeType, expand },
  };
}

function parseFields(token: string): Fields | null {
  try {
    const fields = JSON.parse(Buffer.from(token, "base64url").toString("utf8")) as Fields;
    const isWhole =
      Array.isArray(fields) && fields.length === FIELD_COUNT && Array.isArray(fields[9]);
    return isWhole ? fields : null;
  } catch {
    return null; // not JSON: the link was truncated or changed
  }
}
