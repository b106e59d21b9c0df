/** Dead letters over HTTP: list, causes, explain, replay, dismiss. Operators only. */
import type { DeadLetterFilter } from "../jobs/dead-letters/dead-letter.ts";
import {
  explainDeadLetter,
  findDeadCauses,
  findDeadLetters,
} from "../jobs/dead-letters/dead-letter-table.ts";
import { dismissDeadLetters, previewReplay, startReplay } from "../jobs/dead-letters/replay.ts";
import { findReplays, getReplay } from "../jobs/dead-letters/replay-table.ts";
import type { Jobs } from "../jobs/service/create-jobs.ts";
import { isUuid } from "../lib/hash.ts";
import { toPage } from "./http/paging.ts";
import { badRequest, notFound } from "./http/problem.ts";
import type { ApiScope } from "./openapi.ts";
import * as schemas from "./schemas/jobs.ts";

export function registerDeadLetterRoutes(app: ApiScope, needs: { readonly jobs: Jobs }): void {
  registerReads(app, needs.jobs);
  registerWrites(app, needs.jobs);
}

function registerReads(app: ApiScope, { database }: Jobs): void {
  app.get(
    "/api/dlq",
    { config: { access: "operator" }, schema: schemas.listDeadLetters },
    async (request) => {
      const { cursor: before, limit, ...filter } = request.query;
      const found = await findDeadLetters(database, filter, { before, limit: limit + 1 });
      const { rows, next } = toPage("dead letters", limit, found, ({ jobId }) => jobId);
      return { deadLetters: rows, next };
    },
  );

  app.get(
    "/api/dlq/causes",
    { config: { access: "operator" }, schema: schemas.listDeadCauses },
    async (request) => {
      const { cursor, limit, ...filter } = request.query;
      const causes = await findDeadCauses(database, filter);
      const rest = cursor === undefined ? causes : causes.filter((each) => isAfter(each, cursor));
      const page = toPage("dead causes", limit, rest, ({ count, cause }) => [count, cause]);
      return { causes: page.rows, next: page.next };
    },
  );

  app.get(
    "/api/dlq/replays",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.listReplays },
    async (request) => {
      const { cursor: before, limit } = request.query;
      const found = await findReplays(database, { before, limit: limit + 1 });
      const { rows, next } = toPage("replays", limit, found, ({ replayId }) => replayId);
      return { replays: rows, next };
    },
  );

  app.get(
    "/api/dlq/replays/:id",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.getReplay },
    async (request) => {
      const { id } = request.params;
      const replay = isUuid(id) ? await getReplay(database, id) : null;
      if (replay === null)
        throw notFound(`there is no replay ${id}; postroom dlq history lists them`);
      return replay;
    },
  );

  app.get(
    "/api/dlq/:id",
    { config: { access: "operator" }, schema: schemas.explainDeadLetter },
    async (request) => {
      const { id } = request.params;
      const letter = isUuid(id) ? await explainDeadLetter(database, id) : null;
      if (letter === null)
        throw notFound(`there is no dead letter ${id}; postroom dlq list shows them`);
      return letter;
    },
  );
}

function registerWrites(app: ApiScope, jobs: Jobs): void {
  const { database } = jobs;

  app.post(
    "/api/dlq/replay",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.replayDeadLetters },
    async (request, reply) => {
      const caller = request.caller;
      const { why, dryRun, perSecond, ...choice } = request.body;
      const filter = toFilter(choice);
      if (dryRun) return { dryRun: true as const, ...(await previewReplay(database, filter)) };
      const replay = await startReplay(jobs, { filter, who: caller.id, why, perSecond });
      return reply.code(202).send({ ...replay, statusUrl: `/api/dlq/replays/${replay.replayId}` });
    },
  );

  app.post(
    "/api/dlq/dismiss",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.dismissDeadLetters },
    async (request) => {
      const caller = request.caller;
      const { why, dryRun, ...choice } = request.body;
      const filter = toFilter(choice);
      const { total, notReplayable } = await previewReplay(database, filter);
      if (dryRun) return { dryRun: true as const, total: total + notReplayable };
      return { dismissed: await dismissDeadLetters(jobs, { filter, who: caller.id, why }) };
    },
  );
}

function isAfter(
  { count, cause }: { readonly count: number; readonly cause: string },
  [seenCount, seenCause]: readonly [number, string],
): boolean {
  return count < seenCount || (count === seenCount && cause > seenCause);
}

function toFilter({ all, ...filter }: DeadLetterFilter & { all?: boolean | undefined }) {
  const isOpen = Object.values(filter).every((value) => value === undefined);
  if (isOpen && all !== true) throw badRequest("give ids, a cause or another filter, or set all");
  return filter;
}
