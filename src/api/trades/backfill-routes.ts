/** Ingests and files older mail on request. */

import { type Backfills, backfillMail } from "../../flows/specs/ingestion.ts";
import type { JobQueue } from "../../jobs/job.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Random } from "../../lib/random.ts";
import { getMailboxByAddress } from "../../mailbox/mailbox-table.ts";
import type { Database } from "../../store/database.ts";
import { keepWithEffect } from "../http/idempotency.ts";
import { notWatched } from "../http/not-watched.ts";
import { badRequest, unprocessable } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/backfill.ts";

export interface BackfillRoutesNeeds {
  readonly database: Database;
  readonly jobs: JobQueue;
  readonly clock: Clock;
  readonly random: Random;
  readonly backfills: Backfills;
}

export function registerBackfillRoutes(app: ApiScope, needs: BackfillRoutesNeeds): void {
  const { database } = needs;
  const scopeOf = async (wanted: { mailbox: string; since: Date; until?: Date | undefined }) => {
    const mailbox = await getMailboxByAddress(database, wanted.mailbox);
    if (mailbox === null) throw notWatched(wanted.mailbox);
    if (mailbox.ingestFolder === null && mailbox.filedFolders.length === 0)
      throw unprocessable(
        `${mailbox.address} neither ingests nor files mail; choose a folder with postroom mailbox add --ingest or postroom mailbox file`,
      );
    const until = wanted.until ?? new Date(needs.clock.now());
    if (wanted.since >= until)
      throw badRequest(`since must be before until, which is ${until.toISOString()}`);
    return { mailbox, since: wanted.since, until };
  };

  app.get(
    "/api/ingest/backfill",
    { config: { access: "operator" }, schema: schemas.viewBackfill },
    async (request) => {
      const scope = await scopeOf(request.query);
      return { mailbox: scope.mailbox.address, ...(await needs.backfills.count(scope)) };
    },
  );

  app.post(
    "/api/ingest/backfill",
    { config: { access: "operator" }, schema: schemas.backfill },
    async (request, reply) => {
      const scope = await scopeOf(request.body);
      const { address: mailbox } = scope.mailbox;
      const covered = { mailbox, ...(await needs.backfills.count(scope)) };
      if (request.body.dryRun) return { ...covered, dryRun: true as const };
      const times = { since: scope.since.toISOString(), until: scope.until.toISOString() };
      const job = {
        subjectId: mailbox,
        idempotencyKey: `backfill-${needs.random.uuid()}`,
        payload: { mailbox, ...times },
      };
      const answer = await database.transaction(async (tx) => {
        const [jobId] = await needs.jobs.add(tx, backfillMail, [job]);
        const begun = { jobId: jobId!, statusUrl: `/api/jobs/${jobId}/status` };
        return keepWithEffect(tx, reply, { ...covered, ...times, ...begun }, 202);
      });
      return reply.code(202).send(answer);
    },
  );
}
