/** Jobs over HTTP: their status, once or as a stream, and what the workers did. */
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { cancelJob } from "../jobs/job-table.ts";
import type { Jobs } from "../jobs/service/create-jobs.ts";
import { findJobEvents } from "../jobs/status/job-event-table.ts";
import {
  findJobs,
  getJobView,
  type JobState,
  type JobView,
} from "../jobs/status/job-status-table.ts";
import { loadWorkerViews } from "../jobs/status/worker-views.ts";
import { systemClock } from "../lib/clock.ts";
import { hasRole } from "./access/roles.ts";
import { toPage } from "./http/paging.ts";
import { notFound } from "./http/problem.ts";
import { type EventStream, openStream } from "./http/stream.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/jobs.ts";

interface JobRoutesNeeds {
  readonly jobs: Jobs;
}

const DAY_MS = 86_400_000;
const PAUSE_MS = 300;
const HEARTBEAT_MS = 15_000;

export function registerJobRoutes(app: ApiScope, needs: JobRoutesNeeds): void {
  const { jobs } = needs;
  const { database } = jobs;

  app.get(
    "/api/jobs",
    { config: { access: "operator" }, schema: schemas.listJobs },
    async (request) => {
      const { cursor: before, limit, ...filter } = request.query;
      const found = await findJobs(database, { ...filter, before, limit: limit + 1 });
      const { rows, next } = toPage("jobs", limit, found, ({ jobId }) => jobId);
      return { jobs: rows, next };
    },
  );

  app.get(
    "/api/jobs/workers",
    { config: { access: "operator" }, schema: schemas.viewWorkers },
    async (request) => {
      const { hours } = request.query;
      const stages = new Map(jobs.handlers.map(({ spec }) => [spec.type, spec.stage ?? spec.type]));
      return loadWorkerViews(database, {
        sinceMs: jobs.clock.now() - (hours / 24) * DAY_MS,
        stageOf: (type) => stages.get(type) ?? type,
      });
    },
  );

  app.get(
    "/api/jobs/:id/status",
    { config: { access: "person" }, schema: schemas.getJobStatus },
    async (request) => (await loadOwn(request, needs)).status,
  );

  app.post(
    "/api/jobs/:id/cancel",
    { config: { access: "operator" }, schema: schemas.cancelJob },
    async (request) => {
      const { status } = await loadOwn(request, needs);
      return { jobId: status.jobId, isCancelled: await cancelJob(database, status.jobId) };
    },
  );

  /** Ends with `job-complete` or `job-failed`; `Last-Event-ID` continues after the last event seen. */
  app.get(
    "/api/jobs/:id/stream",
    { config: { access: "person" }, schema: schemas.streamJob },
    (request, reply) => streamJob(request, reply, needs),
  );
}

async function streamJob(
  request: FastifyRequest,
  reply: FastifyReply,
  needs: JobRoutesNeeds,
): Promise<void> {
  const first = await loadOwn(request, needs);
  const { jobId } = first.status;
  const seen = seenVersion(request, jobId);
  const stream = openStream(request, reply);
  stream.send("connected", { jobId });
  try {
    await followJob(stream, needs.jobs, first, seen);
  } catch {
    // The headers are already sent, so the error is an event and the client reconnects.
    stream.send("error", { jobId, title: "Service Unavailable" });
  }
  stream.close();
}

async function followJob(
  stream: EventStream,
  { database, clock }: Jobs,
  first: JobView,
  from: number,
): Promise<void> {
  const { jobId } = first.status;
  let seen = from;
  let view: JobView | null = first;
  let quietMs = 0;
  while (!stream.isClosed && view !== null) {
    const events = view.version > seen ? await findJobEvents(database, jobId, seen) : [];
    for (const event of events) stream.send(event.name, event.data, `${jobId}:${event.version}`);
    seen = sendStatus(stream, view, Math.max(seen, events.at(-1)?.version ?? 0));
    if (view.isFinished) return;
    quietMs = events.length > 0 ? 0 : quietMs + PAUSE_MS;
    if (quietMs >= HEARTBEAT_MS) {
      stream.send("heartbeat", { at: new Date(clock.now()).toISOString() });
      quietMs = 0;
    }
    await systemClock.sleep(PAUSE_MS, stream.signal);
    view = await getJobView(database, jobId);
  }
}

/** Sends the status unless the client has seen it; returns the last version the client has seen. */
function sendStatus(stream: EventStream, view: JobView, seen: number): number {
  if (view.version <= seen && !view.isFinished) return seen;
  const name = view.isFinished ? endName(view.status.status) : "stage-update";
  stream.send(name, view.status, `${view.status.jobId}:${view.version}`);
  return view.version;
}

const endName = (state: JobState): string =>
  state === "Completed" ? "job-complete" : "job-failed";

/** The number in `{jobId}:{number}`; with any other value the stream starts from the beginning. */
function seenVersion(request: FastifyRequest, jobId: string): number {
  const header = request.headers["last-event-id"];
  if (typeof header !== "string" || !header.startsWith(`${jobId}:`)) return 0;
  const version = Number(header.slice(jobId.length + 1));
  return Number.isSafeInteger(version) && version >= 0 ? version : 0;
}

/** Somebody else's job looks identical to one that does not exist. */
async function loadOwn(request: FastifyRequest, needs: JobRoutesNeeds): Promise<JobView> {
  const caller = request.caller;
  const { id } = request.params as { id: string };
  const isId = z.guid().safeParse(id).success;
  const view = isId ? await getJobView(needs.jobs.database, id) : null;
  if (view === null || !(hasRole(caller, "operator") || view.ownerId === caller.id)) {
    throw notFound(`there is no job ${id}; postroom jobs list shows the newest`);
  }
  return view;
}
