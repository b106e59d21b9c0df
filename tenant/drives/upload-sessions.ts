/**
 * Upload sessions: created with a token, then used without one at a URL of their own. Chunks must arrive
 * strictly in order; a wrong chunk size is noticed only when the last one arrives.
 */
import type { TenantContext } from "../context.ts";
import { GraphProblem } from "../graph/call/graph-error.ts";
import { otherHost } from "../graph/call/upload-host.ts";
import type { TenantRequest, TenantResponse } from "../http.ts";
import { type Arriving, type Content, type ContentStore, LARGE_BYTES } from "./store/content.ts";
import { type ConflictBehavior, type Container, type Item, iso } from "./store/drive-model.ts";
import type { DriveStore } from "./store/drive-store.ts";
import {
  ensureFolder,
  getItem,
  notFound,
  putFile,
  replaceContent,
  type Writer,
} from "./store/drive-tree.ts";

const CHUNK_UNIT = 320 * 1024;
const CHUNK_MAX = 60 * 1024 * 1024;

export interface UploadSession {
  readonly id: string;
  readonly driveId: string;
  /** The item whose content is replaced, or null for a new file at `names` below `fromId`. */
  readonly itemId: string | null;
  readonly fromId: string;
  readonly names: readonly string[];
  conflict: ConflictBehavior;
  readonly isDeferred: boolean;
  readonly by: string;
  /** Description and times that the finished file gets. */
  readonly facts: Readonly<Record<string, unknown>>;
  chunks: Buffer[];
  /** Where the chunks go instead when they are many. */
  arriving: Arriving | null;
  receivedBytes: number;
  totalBytes: number | null;
  hasOddChunk: boolean;
  expiresMs: number;
}

export interface UploadSessions {
  create(
    wanted: Pick<
      UploadSession,
      "driveId" | "itemId" | "fromId" | "names" | "conflict" | "isDeferred" | "by" | "facts"
    >,
  ): UploadSession;
  /** Null if it is unknown or has expired. */
  get(id: string): UploadSession | null;
  url(session: UploadSession): string;
  fromUrl(url: string): UploadSession | null;
  remove(session: UploadSession): void;
  extend(session: UploadSession): void;
  snapshot(): unknown;
  restore(state: unknown): void;
}

export function createUploadSessions(context: TenantContext): UploadSessions {
  const random = context.random.fork("drive-uploads");
  const sessions = new Map<string, UploadSession>();
  const expiry = () => context.clock.now() + context.switches.uploadSessionLifetimeMs;
  const get = (id: string) => {
    const session = sessions.get(id) ?? null;
    if (session === null || session.expiresMs > context.clock.now()) return session;
    sessions.delete(id);
    return null;
  };
  return {
    create(wanted) {
      const session: UploadSession = {
        ...wanted,
        id: random.bytes(24).toString("base64url"),
        chunks: [],
        arriving: null,
        receivedBytes: 0,
        totalBytes: null,
        hasOddChunk: false,
        expiresMs: expiry(),
      };
      sessions.set(session.id, session);
      return session;
    },
    get,
    url: (session) => `${otherHost(context.origin())}/upload/drive/${session.id}`,
    fromUrl: (url) => get(/\/upload\/drive\/([^/?]+)/.exec(url)?.[1] ?? ""),
    remove: (session) => void sessions.delete(session.id),
    extend(session) {
      session.expiresMs = expiry();
    },
    snapshot: () => [...sessions.values()],
    restore(state) {
      sessions.clear();
      for (const session of state as UploadSession[]) {
        sessions.set(session.id, { ...session, arriving: session.arriving ?? null });
      }
    },
  };
}

export function statusOf(session: UploadSession): TenantResponse {
  const isComplete = session.totalBytes !== null && session.receivedBytes >= session.totalBytes;
  return {
    status: 200,
    body: {
      expirationDateTime: iso(session.expiresMs),
      nextExpectedRanges: isComplete ? [] : [`${session.receivedBytes}-`],
    },
  };
}

/** Accepts one chunk; returns true if it was the last. */
export function takeChunk(
  contents: ContentStore,
  session: UploadSession,
  request: TenantRequest,
): boolean {
  const { first, last, total } = readRange(request);
  if (session.totalBytes !== null && session.totalBytes !== total) {
    throw new GraphProblem(
      400,
      "invalidRequest",
      "The total size differs from that of earlier ranges.",
    );
  }
  if (request.body.length >= CHUNK_MAX) {
    throw new GraphProblem(413, "invalidRequest", "A range must be smaller than 60 MiB.");
  }
  if (first !== session.receivedBytes) {
    throw new GraphProblem(
      416,
      "invalidRange",
      "The uploaded fragment overlaps with data that has already been received, or leaves a gap.",
      {
        innerCode: first < session.receivedBytes ? "fragmentOverlap" : "fragmentOutOfOrder",
      },
    );
  }
  const isLast = last + 1 === total;
  if (isLast && session.hasOddChunk) {
    throw new GraphProblem(
      400,
      "invalidRequest",
      "Every range but the last must be a multiple of 327,680 bytes long.",
    );
  }
  session.totalBytes = total;
  if (total >= LARGE_BYTES) {
    session.arriving ??= contents.begin();
    contents.append(session.arriving, request.body);
  } else session.chunks.push(request.body);
  session.receivedBytes = last + 1;
  if (!isLast && request.body.length % CHUNK_UNIT !== 0) session.hasOddChunk = true;
  return isLast;
}

function readRange(request: TenantRequest): { first: number; last: number; total: number } {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(request.headers["content-range"] ?? "");
  if (range === null) {
    throw new GraphProblem(
      400,
      "invalidRequest",
      "Content-Range must be 'bytes {first}-{last}/{total}'.",
    );
  }
  const [first, last, total] = range.slice(1).map(Number) as [number, number, number];
  if (last < first || last >= total || request.body.length !== last - first + 1) {
    throw new GraphProblem(
      400,
      "invalidRequest",
      "Content-Range and the body's length do not agree.",
    );
  }
  return { first, last, total };
}

function contentOf(contents: ContentStore, session: UploadSession): Content {
  if (session.arriving !== null) return contents.finish(session.arriving);
  const [first = Buffer.alloc(0), ...others] = session.chunks;
  const content = others.length === 0 ? first : Buffer.concat(session.chunks);
  session.chunks = [content];
  return content;
}

/** Creates the file from everything received. After a name conflict the session stays for another try. */
export function commit(
  { store, contents }: { store: DriveStore; contents: ContentStore },
  sessions: UploadSessions,
  session: UploadSession,
): { container: Container; item: Item; isNew: boolean } {
  const container = store.containers.get(session.driveId);
  if (container === undefined || container.deletedMs !== null) throw notFound();
  const writer: Writer = { ...store.world, by: session.by };
  const content = contentOf(contents, session);
  let answer: { item: Item; isNew: boolean };
  if (session.itemId !== null) {
    const item = getItem(container.drive, session.itemId);
    if (item === null) throw notFound();
    replaceContent(container, item, content, writer);
    answer = { item, isNew: false };
  } else {
    const folder = ensureFolder(container, session.fromId, session.names.slice(0, -1), writer);
    const { conflict } = session;
    answer = putFile(container, folder, { name: session.names.at(-1)!, content, conflict }, writer);
  }
  sessions.remove(session);
  return { container, ...answer };
}
