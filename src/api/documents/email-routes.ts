/** E-mails of Dataverse for operators: file those of a time range, and see and refresh the rules. */
import type { RuleBook } from "../../filing/rules/rule-book.ts";
import { batchProcessEmails, type EmailBatches } from "../../flows/specs/documents.ts";
import type { JobQueue } from "../../jobs/job.ts";
import { getJobView } from "../../jobs/status/job-status-table.ts";
import type { Clock } from "../../lib/clock.ts";
import { isUuid } from "../../lib/hash.ts";
import type { Random } from "../../lib/random.ts";
import type { Database } from "../../store/database.ts";
import { keepWithEffect } from "../http/idempotency.ts";
import { badRequest, notFound, unprocessable } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/emails.ts";

export interface EmailRoutesNeeds {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: Random;
  readonly rules: RuleBook;
  readonly batches: EmailBatches;
}

const RANGE_MS_MAX = 365 * 24 * 3_600_000;
const BATCH = "/api/v1/emails/admin/batch-process";

export function registerEmailRoutes(app: ApiScope, needs: EmailRoutesNeeds): void {
  app.post(
    BATCH,
    { config: { access: "operator" }, schema: schemas.batchProcess },
    async (request, reply) => {
      const range = toRange(request.body, needs.clock);
      if (request.body.dryRun)
        return { dryRun: true as const, ...(await needs.batches.count(range)) };
      const key = `emails-${range.since}-${range.until}-${needs.random.uuid()}`;
      const job = { subjectId: "emails", idempotencyKey: key, payload: range };
      const answer = await needs.database.transaction(async (tx) => {
        const [jobId] = await needs.jobs.add(tx, batchProcessEmails, [job]);
        const begun = { jobId: jobId!, statusUrl: `${BATCH}/${jobId}/status` };
        return keepWithEffect(tx, reply, begun, 202);
      });
      return reply.code(202).send(answer);
    },
  );

  app.get(
    `${BATCH}/:id/status`,
    { config: { access: "operator" }, schema: schemas.batchStatus },
    async (request) => {
      const { id } = request.params;
      if (!isUuid(id)) throw badRequest("the id of a batch is a GUID");
      const view = await getJobView(needs.database, id);
      const range = batchProcessEmails.payload.safeParse(view?.payload);
      if (view === null || view.status.jobType !== batchProcessEmails.type || !range.success)
        throw notFound("there is no such batch");
      const counts = await needs.batches.count(range.data);
      const { status, note, errorMessage } = view.status;
      return { ...range.data, ...counts, jobId: id, status, note: note ?? null, errorMessage };
    },
  );

  app.post(
    "/api/v1/emails/admin/refresh-rules-cache",
    { config: { access: "operator" }, schema: schemas.refreshRules },
    async (_request, reply) => {
      needs.rules.forget();
      return reply.code(204).send(null);
    },
  );
}

function toRange(
  { since, until }: { readonly since: Date; readonly until?: Date | undefined },
  clock: Clock,
) {
  const end = until ?? new Date(clock.now());
  if (end.getTime() > clock.now()) throw unprocessable("until must not be in the future");
  if (since >= end) throw badRequest(`since must be before until, which is ${end.toISOString()}`);
  if (end.getTime() - since.getTime() > RANGE_MS_MAX)
    throw unprocessable("a batch covers at most 365 days");
  return { since: since.toISOString(), until: end.toISOString() };
}
