/**
 * The index under the paths that other programs know. A caller is checked against every document, and the tenant of
 * the request must be the caller's own. Text is never taken from a request: a made-up chunk would be a made-up citation.
 */
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Analyses } from "../../flows/specs/analysis.ts";
import type { Rag } from "../../flows/specs/rag.ts";
import type { Searches } from "../../flows/specs/search.ts";
import type { Clock } from "../../lib/clock.ts";
import { toFault } from "../../lib/fault.ts";
import { isSameSecret, sha256 } from "../../lib/hash.ts";
import type { Log } from "../../lib/log.ts";
import type { Secret } from "../../lib/redact.ts";
import { DENIED } from "../../rights/authorize-documents.ts";
import type { Caller } from "../access/auth.ts";
import { badRequest, forbidden, notFound, ProblemError, unauthorized } from "../http/problem.ts";
import { createRate } from "../http/rate.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/rag.ts";
import { senderOf, signalOf } from "./search-routes.ts";

export interface RagRoutesNeeds {
  readonly rag: Rag;
  readonly searches: Searches;
  readonly analyses: Analyses;
  readonly tenantId: string;
  /** Null refuses programs without a user. */
  readonly ragKey: Secret | null;
  readonly clock: Clock;
  readonly log: Log;
}

const PER_MINUTE = 20;
const BY_KEY_PER_MINUTE = 300;

export function registerRagRoutes(app: ApiScope, needs: RagRoutesNeeds): void {
  const mayCall = createRate(needs.clock, PER_MINUTE);
  registerSearch(app, needs, mayCall);
  registerIndexing(app, needs, mayCall);
  registerUpkeep(app, needs);
  registerEnqueue(app, needs);
}

type Rate = (id: string) => void;

function registerSearch(app: ApiScope, needs: RagRoutesNeeds, mayCall: Rate): void {
  const { rag, searches, clock } = needs;
  app.post(
    "/api/ai/rag/search",
    { config: { access: "person", answersAnew: true }, schema: schemas.ragSearch },
    async (request, reply) => {
      mayCall(request.caller.id);
      const { query = "", options } = request.body;
      if (query.trim() === "") throw badRequest("Query is required");
      assertTenant(needs, request, options?.tenantId);
      const { topK, minScore, fileTypes, parentEntityId, parentEntityType, documentIds } = options!;
      const startedMs = clock.now();
      const found = await searches.searchChunks(
        senderOf(request.caller),
        {
          query: query.trim(),
          limit: topK,
          minScore,
          kinds: fileTypes,
          documentIds,
          parentId: parentEntityId,
          parentType: parentEntityType,
        },
        signalOf(reply),
      );
      const { results, degraded } = found;
      const searchDurationMs = Math.max(0, Math.round(clock.now() - startedMs));
      return { query, results, totalCount: results.length, searchDurationMs, degraded };
    },
  );

  app.post(
    "/api/ai/rag/embedding",
    { config: { access: "person", answersAnew: true }, schema: schemas.ragEmbedding },
    async (request, reply) => {
      mayCall(request.caller.id);
      if (rag.embed === null) throw unavailable("no embedding model is set");
      const { caller, body } = request;
      const { model, vector } = await rag.embed(body.text, caller.id, signalOf(reply));
      return { model, dimensions: vector.length, embedding: [...vector] };
    },
  );
}

function registerIndexing(app: ApiScope, needs: RagRoutesNeeds, mayCall: Rate): void {
  app.post(
    "/api/ai/rag/index",
    { config: { access: "person" }, schema: schemas.ragIndex },
    async (request, reply) => {
      mayCall(request.caller.id);
      const { documentId, tenantId } = request.body;
      assertTenant(needs, request, tenantId);
      const [allowed] = await allow(needs, request, documentId === undefined ? [] : [documentId]);
      return indexOne(needs, allowed!, signalOf(reply));
    },
  );

  app.post(
    "/api/ai/rag/index-file",
    { config: { access: "person" }, schema: schemas.ragIndexFile },
    async (request, reply) => {
      mayCall(request.caller.id);
      const { documentId, tenantId, driveId, itemId } = request.body;
      assertTenant(needs, request, tenantId);
      const [allowed] = await allow(needs, request, documentId === undefined ? [] : [documentId]);
      const file = await needs.rag.fileOf(allowed!);
      if (file?.driveId !== driveId || file.itemId !== itemId)
        throw badRequest("the document names another file");
      return indexOne(needs, allowed!, signalOf(reply));
    },
  );

  const indexMany = async (
    request: FastifyRequest & { body: { documentIds?: string[]; tenantId?: string } },
    reply: FastifyReply,
  ) => {
    mayCall(request.caller.id);
    const { documentIds = [], tenantId } = request.body;
    assertTenant(needs, request, tenantId);
    const allowed = await allow(needs, request, documentIds);
    const signal = signalOf(reply);
    const results: Indexed[] = [];
    for (const id of allowed) results.push(await indexOne(needs, id, signal));
    const successCount = results.filter(({ success }) => success).length;
    const totalRequested = results.length;
    return { totalRequested, successCount, failedCount: totalRequested - successCount, results };
  };
  app.post(
    "/api/ai/rag/index/batch",
    { config: { access: "person" }, schema: schemas.ragIndexBatch },
    (request, reply) => indexMany(request as never, reply),
  );
  app.post(
    "/api/ai/rag/send-to-index",
    { config: { access: "person" }, schema: schemas.ragSendToIndex },
    (request, reply) => indexMany(request as never, reply),
  );
}

function registerUpkeep(app: ApiScope, needs: RagRoutesNeeds): void {
  const { rag } = needs;
  app.delete(
    "/api/ai/rag/:chunkId",
    { config: { access: "operator" }, schema: schemas.ragDeleteChunk },
    async ({ params: { chunkId: id } }) => {
      if (!(await rag.removeChunk(id))) throw notFound("there is no such chunk");
      return { id, deleted: true as const };
    },
  );

  app.delete(
    "/api/ai/rag/source/:documentId",
    { config: { access: "operator" }, schema: schemas.ragDeleteSource },
    async ({ params }) => {
      const sourceDocumentId = params.documentId.toLowerCase();
      const deletedCount = await rag.removeDocument(sourceDocumentId);
      if (deletedCount === null) throw notFound("there is no such document in the index");
      return { sourceDocumentId, deletedCount };
    },
  );

  app.post(
    "/api/ai/rag/admin/bulk-index",
    { config: { access: "admin" }, schema: schemas.ragBulkIndex },
    async (request, reply) => {
      assertTenant(needs, request, request.body.tenantId);
      const jobId = await rag.enqueueAll(request.caller.id);
      return reply.code(202).send({ jobId, statusUrl: `/api/jobs/${jobId}/status` });
    },
  );
}

/** For programs without a user. The key is checked before a byte of the body is read. */
function registerEnqueue(app: ApiScope, needs: RagRoutesNeeds): void {
  const { rag, ragKey, clock, log } = needs;
  const mayCall = createRate(clock, BY_KEY_PER_MINUTE);
  const isKey = (given: string): boolean =>
    ragKey?.accepted().some((each) => isSameSecret(sha256(each), given)) === true;
  const assertKey = async ({ headers, ip }: FastifyRequest): Promise<void> => {
    const given = headers["x-api-key"];
    if (typeof given === "string" && isKey(given)) return;
    log.warn({ ip }, "a request to index had a wrong key or none");
    throw unauthorized("Missing or invalid API key");
  };
  app.post(
    "/api/ai/rag/enqueue-indexing",
    { config: { access: "open" }, schema: schemas.ragEnqueue, onRequest: assertKey },
    async (request, reply) => {
      mayCall("key");
      const { documentId, tenantId } = request.body;
      assertTenant(needs, request, tenantId);
      if (documentId === undefined) throw badRequest("No document identifier found in request");
      const queued = await rag.enqueue(documentId.toLowerCase(), null);
      if (queued === null) throw notFound("there is no such document");
      return reply.code(202).send({ accepted: true as const, ...queued });
    },
  );
}

interface Indexed {
  readonly documentId: string;
  readonly success: boolean;
  readonly chunksIndexed: number;
  readonly durationMs: number;
  readonly errorMessage: string | null;
}

async function indexOne(
  { rag, log }: RagRoutesNeeds,
  documentId: string,
  signal: AbortSignal,
): Promise<Indexed> {
  try {
    const indexed = await rag.index(documentId, signal);
    if (indexed.kind === "gone") return failed(documentId, "the document no longer exists");
    if (indexed.kind === "unchanged")
      return { ...failed(documentId, null), success: true, chunksIndexed: indexed.chunks };
    const { chunks, tookMs, reason } = indexed;
    const success = reason === null;
    const durationMs = Math.max(0, Math.round(tookMs));
    return { documentId, success, chunksIndexed: chunks, durationMs, errorMessage: reason };
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ documentId, err: error }, "a document was not indexed");
    return failed(documentId, `not indexed (${toFault(error).code})`);
  }
}

const failed = (documentId: string, errorMessage: string | null): Indexed => ({
  documentId,
  success: false,
  chunksIndexed: 0,
  durationMs: 0,
  errorMessage,
});

/** The token was issued by our tenant, so the requested one must be ours. */
function assertTenant(
  needs: RagRoutesNeeds,
  { caller }: { readonly caller?: Caller },
  tenantId: string | undefined,
): void {
  if (tenantId === undefined || tenantId === "") throw badRequest("TenantId is required");
  if (tenantId.toLowerCase() === needs.tenantId.toLowerCase()) return;
  needs.log.warn({ userId: caller?.id }, "[AI-AUTH] denied: another tenant");
  throw forbidden("Access denied to the requested tenant");
}

/** The operator's key acts as the app, which may read every document. */
async function allow(
  { analyses }: RagRoutesNeeds,
  request: FastifyRequest,
  documentIds: readonly string[],
): Promise<readonly string[]> {
  if (documentIds.length === 0) throw badRequest("No document identifier found in request");
  if (isOperatorKey(request.caller)) return [...new Set(documentIds.map((id) => id.toLowerCase()))];
  const authorization = await analyses.authorize(senderOf(request.caller), documentIds, request.id);
  if (!authorization.success) throw forbidden(authorization.reason ?? DENIED);
  return authorization.authorizedDocumentIds;
}

const isOperatorKey = ({ token }: Caller): boolean => token === undefined;

function unavailable(detail: string): ProblemError {
  return new ProblemError({ status: 503, title: "Service Unavailable", detail });
}
