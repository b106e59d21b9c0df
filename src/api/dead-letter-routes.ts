/** Dead letters over HTTP: list, causes, explain, replay, dismiss. Operators only. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import {
  explainDeadLetter,
  findDeadCauses,
  findDeadLetters,
} from "../jobs/dead-letters/dead-letter-table.ts";
import { dismissDeadLetters, previewReplay, startReplay } from "../jobs/dead-letters/replay.ts";
import { findReplays, getReplay } from "../jobs/dead-letters/replay-table.ts";
import type { Jobs } from "../jobs/service/create-jobs.ts";
import { parse } from "./http/parse.ts";
import { badRequest, notFound } from "./http/problem.ts";

const filterShape = {
  cause: z.string().max(64).optional(),
  queue: z.string().max(200).optional(),
  type: z.string().max(200).optional(),
  code: z.string().max(200).optional(),
  subjectId: z.string().max(2_000).optional(),
};
const Filter = z.object(filterShape);
const ListQuery = z.object({
  ...filterShape,
  before: z.guid().optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
});
const Choice = z.object({
  ids: z.array(z.guid()).max(1_000).optional(),
  ...filterShape,
  /** Must be explicit, so that a forgotten filter does not select everything. */
  all: z.boolean().optional(),
  why: z.string().min(1).max(1_000),
  dryRun: z.boolean().default(false),
});
const Replay = Choice.extend({ perSecond: z.number().int().min(1).max(10_000).optional() });

export function registerDeadLetterRoutes(
  app: FastifyInstance,
  needs: { readonly jobs: Jobs },
): void {
  const { jobs } = needs;
  const { database } = jobs;

  app.get("/api/dlq", { config: { access: "operator" } }, async (request) => {
    const { before, limit, ...filter } = parse(ListQuery, request.query);
    const deadLetters = await findDeadLetters(database, filter, { before, limit });
    return { deadLetters, next: deadLetters.length === limit ? deadLetters.at(-1)!.jobId : null };
  });

  app.get("/api/dlq/causes", { config: { access: "operator" } }, async (request) => {
    return { causes: await findDeadCauses(database, parse(Filter, request.query)) };
  });

  app.get("/api/dlq/replays", { config: { access: "operator" } }, async (_request) => {
    return { replays: await findReplays(database) };
  });

  app.get("/api/dlq/replays/:id", { config: { access: "operator" } }, async (request) => {
    return found(await getReplay(database, idOf(request.params)));
  });

  app.get("/api/dlq/:id", { config: { access: "operator" } }, async (request) => {
    return found(await explainDeadLetter(database, idOf(request.params)));
  });

  app.post("/api/dlq/replay", { config: { access: "operator" } }, async (request, reply) => {
    const caller = request.caller;
    const { why, dryRun, perSecond, ...choice } = parse(Replay, request.body);
    const filter = toFilter(choice);
    if (dryRun) return { dryRun, ...(await previewReplay(database, filter)) };
    const replay = await startReplay(jobs, { filter, who: caller.id, why, perSecond });
    return reply.code(202).send({ ...replay, statusUrl: `/api/dlq/replays/${replay.replayId}` });
  });

  app.post("/api/dlq/dismiss", { config: { access: "operator" } }, async (request) => {
    const caller = request.caller;
    const { why, dryRun, ...choice } = parse(Choice, request.body);
    const filter = toFilter(choice);
    const { total, notReplayable } = await previewReplay(database, filter);
    if (dryRun) return { dryRun, total: total + notReplayable };
    return { dismissed: await dismissDeadLetters(jobs, { filter, who: caller.id, why }) };
  });
}

function toFilter({ all, ...filter }: { all?: boolean | undefined } & z.infer<typeof Filter>) {
  const isOpen = Object.values(filter).every((value) => value === undefined);
  if (isOpen && all !== true) throw badRequest("give ids, a cause or another filter, or set all");
  return filter;
}

function idOf(params: unknown): string {
  const id = z.guid().safeParse((params as { id?: unknown }).id);
  if (!id.success) throw notFound("there is nothing with that id");
  return id.data;
}

function found<T>(value: T | null): T {
  if (value === null) throw notFound("there is nothing with that id");
  return value;
}
