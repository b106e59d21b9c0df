/** The progress of a save, once or as a stream. The state is in the database, so every server can answer. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { OfficeRefusal } from "../../filing/office/office-refusal.ts";
import {
  type OfficeJobView,
  type OfficeSaves,
  uploadFinalization,
} from "../../flows/specs/office.ts";
import { hasLiveWorker } from "../../jobs/worker-table.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { isUuid } from "../../lib/hash.ts";
import type { Queryable } from "../../store/database.ts";
import { type EventStream, openStream } from "../http/stream.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/office.ts";
import { limitCalls } from "./office-limits.ts";

export interface OfficeJobRoutesNeeds {
  readonly database: Queryable;
  readonly saves: OfficeSaves;
  readonly clock: Clock;
}

const PAUSE_MS = 300;
const HEARTBEAT_MS = 15_000;

export function registerOfficeJobRoutes(app: ApiScope, needs: OfficeJobRoutesNeeds): void {
  const onRequest = limitCalls(needs.database, "jobs");

  app.get("/office/health", { config: { access: "open" }, schema: schemas.health }, async () => {
    const workers = await hasLiveWorker(needs.database, uploadFinalization.type);
    return { status: workers ? ("healthy" as const) : ("degraded" as const), workers };
  });

  app.get(
    "/office/jobs/:id",
    { config: { access: "person" }, schema: schemas.getJob, onRequest },
    async (request) => (await loadOwn(needs, request)).status,
  );

  app.get(
    "/office/jobs/:id/analyses",
    { config: { access: "person" }, schema: schemas.findAnalyses, onRequest },
    async (request) => {
      const id = idOf(request);
      const analyses = isUuid(id) ? await needs.saves.findAnalyses(request.caller, id) : null;
      if (analyses === null) throw noSave();
      return { analyses };
    },
  );

  app.get(
    "/office/jobs/:id/stream",
    { config: { access: "person" }, schema: schemas.streamJob, onRequest },
    (request, reply) => streamJob(needs, request, reply),
  );
}

async function streamJob(
  needs: OfficeJobRoutesNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const jobId = idOf(request);
  const seen = seenVersion(request, jobId);
  const first = await loadOwn(needs, request, seen);
  const stream = openStream(request, reply);
  stream.send("connected", { jobId, retry: 3_000 });
  try {
    await follow(needs, stream, { jobId, ownerId: request.caller.id, seen, first });
  } catch {
    // The headers are already sent, so the error is an event and the client reconnects.
    stream.send("error", { jobId, title: "Service Unavailable" });
  }
  stream.close();
}

interface Followed {
  readonly jobId: string;
  readonly ownerId: string;
  /** The last event that the client has seen. */
  readonly seen: number;
  readonly first: OfficeJobView;
}

async function follow(
  { saves, clock }: OfficeJobRoutesNeeds,
  stream: EventStream,
  { jobId, ownerId, first, ...from }: Followed,
): Promise<void> {
  let view: OfficeJobView | null = first;
  let { seen } = from;
  let quietMs = 0;
  while (!stream.isClosed && view !== null) {
    for (const { version, name, data } of view.events) {
      seen = version;
      stream.send(name, data, `${jobId}:${version}`);
      stream.send("progress", { progress: (data as { progress?: number }).progress ?? 0 });
    }
    if (view.isFinished) {
      const name = view.status.status === "Completed" ? "job-complete" : "job-failed";
      return stream.send(name, view.status, `${jobId}:${view.version}`);
    }
    quietMs = view.events.length > 0 ? 0 : quietMs + PAUSE_MS;
    if (quietMs >= HEARTBEAT_MS) {
      stream.send("heartbeat", { at: new Date(clock.now()).toISOString() });
      quietMs = 0;
    }
    await systemClock.sleep(PAUSE_MS, stream.signal);
    const version: number | null = await saves.getVersion(view.rowId);
    // Most of the time nothing has changed, which costs one small query.
    if (version === view.version) view = { ...view, events: [] };
    else view = await saves.getJob(ownerId, jobId, seen);
  }
}

const idOf = ({ params }: FastifyRequest): string => (params as { id: string }).id.toLowerCase();

/** Somebody else's save looks identical to one that does not exist. */
async function loadOwn(
  { saves }: OfficeJobRoutesNeeds,
  request: FastifyRequest,
  afterVersion = 0,
): Promise<OfficeJobView> {
  const id = idOf(request);
  const view = isUuid(id) ? await saves.getJob(request.caller.id, id, afterVersion) : null;
  if (view === null) throw noSave();
  return view;
}

const noSave = () => new OfficeRefusal("OFFICE_008", "you have no such save");

/** The number in `{jobId}:{number}`; with any other value the stream starts from the beginning. */
function seenVersion({ headers }: FastifyRequest, jobId: string): number {
  const header = headers["last-event-id"];
  if (typeof header !== "string" || !header.startsWith(`${jobId}:`)) return 0;
  const version = Number(header.slice(jobId.length + 1));
  return Number.isSafeInteger(version) && version >= 0 ? version : 0;
}
