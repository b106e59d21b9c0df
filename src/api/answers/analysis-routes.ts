/**
 * Analyses over HTTP. Whether the caller may read every document is decided before anything of an analysis starts, as
 * the caller and by Dataverse, and again while a stream runs.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import { getPlaybook, PLAYBOOKS, PROFILE } from "../../analysis/playbook.ts";
import { readParent } from "../../filing/container.ts";
import type { Analyses, AnalysisEvent } from "../../flows/specs/analysis.ts";
import { type Clock, every } from "../../lib/clock.ts";
import { Fault, toFault } from "../../lib/fault.ts";
import type { Log } from "../../lib/log.ts";
import { redactText } from "../../lib/redact.ts";
import { ApiError } from "../../microsoft/transport/api-error.ts";
import { DENIED } from "../../rights/authorize-documents.ts";
import type { Caller } from "../access/auth.ts";
import {
  badRequest,
  conflict,
  forbidden,
  notFound,
  ProblemError,
  unauthorized,
} from "../http/problem.ts";
import { createRate } from "../http/rate.ts";
import { openStream } from "../http/stream.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/analysis.ts";

export interface AnalysisRoutesNeeds {
  readonly analyses: Analyses;
  readonly clock: Clock;
  readonly log: Log;
}

/** How often a running stream asks for the rights again. */
const RECHECK_MS = 60_000;
/** Per person and minute, in this process. */
const STREAMS_PER_MINUTE = 10;
const JOBS_PER_MINUTE = 20;

export function registerAnalysisRoutes(app: ApiScope, needs: AnalysisRoutesNeeds): void {
  const { analyses, clock } = needs;
  const mayStream = createRate(clock, STREAMS_PER_MINUTE);

  app.post(
    "/api/ai/analysis/execute",
    { config: { access: "person", answersAnew: true }, schema: schemas.executeAnalysis },
    async (request, reply) => {
      const caller = personOf(request.caller);
      assertOn(analyses);
      mayStream(caller.id);
      const { documentIds = [], playbookId, actionId } = request.body;
      const playbook = playbookOf(playbookId ?? actionId ?? PROFILE);
      if (documentIds.length > 1 && !analyses.allowsManyDocuments)
        throw badRequest("an analysis of several documents is not enabled");
      const allowed = await allow(needs, request, documentIds);
      await streamEvents(needs, request, reply, allowed, (emit, signal) =>
        analyses.execute(caller, { documentIds: allowed, playbookId: playbook }, emit, signal),
      );
    },
  );

  app.post(
    "/api/ai/analysis/:id/continue",
    { config: { access: "person", answersAnew: true }, schema: schemas.continueAnalysis },
    async (request, reply) => {
      mayStream(personOf(request.caller).id);
      const { caller, analysis } = await loadOwn(needs, request, request.params.id);
      await streamEvents(needs, request, reply, [analysis.documentId], (emit, signal) =>
        analyses.continue(caller, analysis, request.body.message, emit, signal),
      );
    },
  );

  app.post(
    "/api/ai/analysis/:id/resume",
    { config: { access: "person", answersAnew: true }, schema: schemas.resumeAnalysis },
    async (request, reply) => {
      mayStream(personOf(request.caller).id);
      const { caller, analysis } = await loadOwn(needs, request, request.params.id);
      await streamEvents(needs, request, reply, [analysis.documentId], (emit, signal) =>
        analyses.resume(caller, analysis, emit, signal),
      );
    },
  );

  registerStoredAnalyses(app, needs);
  registerBatch(app, needs);
}

function registerStoredAnalyses(app: ApiScope, needs: AnalysisRoutesNeeds): void {
  app.get(
    "/api/ai/analysis/:id",
    { config: { access: "person" }, schema: schemas.getAnalysis },
    async (request) => {
      const { analysis } = await loadOwn(needs, request, request.params.id);
      const { id: analysisId, turns, ...rest } = analysis;
      const { documentId, documentName, playbookId, state, author, content, error, savedAs } = rest;
      return {
        analysisId,
        documentId,
        documentName,
        playbookId,
        state,
        author,
        content,
        error,
        createdAt: rest.createdAt,
        savedAs,
        turns: [...turns],
      };
    },
  );

  app.get(
    "/api/ai/playbooks",
    { config: { access: "person" }, schema: schemas.listPlaybooks },
    async () => ({ playbooks: PLAYBOOKS.map(({ id, name, version }) => ({ id, name, version })) }),
  );
}

function registerBatch(app: ApiScope, needs: AnalysisRoutesNeeds): void {
  const { analyses, clock } = needs;
  const mayBatch = createRate(clock, JOBS_PER_MINUTE);

  app.post(
    "/api/ai/analysis/:id/export",
    { config: { access: "person", answersAnew: true }, schema: schemas.exportAnalysis },
    async (request, reply) => {
      mayBatch(personOf(request.caller).id);
      const { analysis } = await loadOwn(needs, request, request.params.id);
      const { mimeType, bytes } = await analyses.export(analysis, request.body.format);
      return reply
        .type(mimeType)
        .header("content-disposition", `attachment; filename="analysis.${request.body.format}"`)
        .header("x-content-type-options", "nosniff")
        .send(bytes as never); // the schema can only say that it is text
    },
  );

  app.post(
    "/api/ai/analysis/:id/save",
    { config: { access: "person" }, schema: schemas.saveAnalysis },
    async (request) => {
      mayBatch(personOf(request.caller).id);
      const { caller, analysis } = await loadOwn(needs, request, request.params.id);
      const { parent, ...wanted } = request.body;
      if (analysis.state !== "completed") throw conflict("the analysis is not complete");
      const filing = await analyses.save(caller, analysis, {
        ...wanted,
        parent: readParent(parent),
      });
      const { id: documentId, driveId, itemId, webUrl, path } = filing;
      return { documentId, driveId, itemId, webUrl, fileName: path.split("/").at(-1)! };
    },
  );

  app.post(
    "/api/analysis/enqueue",
    { config: { access: "person" }, schema: schemas.enqueueAnalysis },
    async (request, reply) => {
      const caller = personOf(request.caller);
      assertOn(analyses);
      mayBatch(caller.id);
      const { documentId, analysisType, playbookId = analysisType ?? PROFILE } = request.body;
      const playbook = playbookOf(playbookId);
      const [allowed] = await allow(needs, request, documentId === undefined ? [] : [documentId]);
      const jobId = await analyses.enqueue(caller, {
        documentId: allowed!,
        playbookId: playbook,
        correlationId: request.id,
      });
      return reply.code(202).send({ jobId, statusUrl: `/api/jobs/${jobId}/status` });
    },
  );
}

/** An analysis is made for a person; the operator's key belongs to none. */
function personOf({ id, token }: Caller): { id: string; token: string } {
  if (token === undefined) throw unauthorized("User identity not found");
  return { id, token };
}

function assertOn({ isOn }: Analyses): void {
  if (isOn) return;
  const detail = "analyses are turned off";
  throw new ProblemError({ status: 503, title: "Service Unavailable", detail });
}

function playbookOf(id: string): string {
  const playbook = getPlaybook(id);
  if (playbook === null) throw badRequest("there is no such playbook");
  return playbook.id;
}

/** The documents that a handler may work with; throws unless the caller may read all of them. */
async function allow(
  { analyses, log }: AnalysisRoutesNeeds,
  request: FastifyRequest,
  documentIds: readonly string[],
): Promise<readonly string[]> {
  if (documentIds.length === 0) throw badRequest("No document identifier found in request");
  const caller = personOf(request.caller);
  const authorization = await analyses.authorize(caller, documentIds, request.id);
  if (!authorization.success) {
    log.warn({ userId: caller.id }, "[ANALYSIS-AUTH] denied");
    throw forbidden(authorization.reason ?? DENIED);
  }
  log.info(
    { userId: caller.id, count: authorization.authorizedDocumentIds.length },
    "[ANALYSIS-AUTH] granted",
  );
  return authorization.authorizedDocumentIds;
}

/** Runs `work` while the caller listens and may still read the documents. */
async function streamEvents(
  needs: AnalysisRoutesNeeds,
  request: FastifyRequest,
  reply: FastifyReply,
  documentIds: readonly string[],
  work: (emit: (event: AnalysisEvent) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stream = openStream(request, reply, RECHECK_MS, "data");
  const lost = new AbortController();
  const deny = () => lost.abort(new Fault("dataverse.denied", DENIED));
  const recheck = async () => {
    const caller = personOf(request.caller);
    const { success } = await needs.analyses.authorize(caller, documentIds, request.id);
    if (!success) deny();
  };
  const stopChecking = every(needs.clock, RECHECK_MS, recheck, deny);
  const emit = (event: AnalysisEvent) => {
    if (!lost.signal.aborted) stream.send(event.type, event);
  };
  const fail = (error: string) =>
    stream.send("error", { type: "error", content: null, done: true, error });
  const isLost = new Promise<"lost">((resolve) =>
    lost.signal.addEventListener("abort", () => resolve("lost"), { once: true }),
  );
  try {
    const signal = AbortSignal.any([stream.signal, lost.signal]);
    const ended = await Promise.race([work(emit, signal), isLost]);
    if (ended === "lost") fail(DENIED);
  } catch (error) {
    needs.log.warn({ err: error }, "an analysis ended with an error");
    fail(lost.signal.aborted ? DENIED : messageOf(error));
  } finally {
    stream.close();
    await stopChecking();
  }
}

/** What another system said may name drives, rows and people that the caller does not know of. */
function messageOf(error: unknown): string {
  const fault = toFault(error);
  if (fault.code === "unexpected") return "the analysis failed; the log has more";
  if (fault instanceof ApiError) return `the document cannot be read now (${fault.code})`;
  return redactText(fault.message);
}

/** Somebody else's analysis looks identical to one that does not exist; a lost right hides an old one too. */
async function loadOwn(needs: AnalysisRoutesNeeds, request: FastifyRequest, id: string) {
  const caller = personOf(request.caller);
  const analysis = await needs.analyses.get(caller, id);
  if (analysis === null) throw notFound("there is no such analysis");
  await allow(needs, request, [analysis.documentId]);
  return { caller, analysis };
}
