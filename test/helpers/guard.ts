/** The API's rules for every request on a test's own server, with callers that the test chooses. */
import type { FastifyInstance } from "fastify";
import { guardRoutes } from "../../src/api/access/access.ts";
import type { Authorize } from "../../src/api/access/auth.ts";
import { keepAnswers } from "../../src/api/http/idempotency.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { Queryable } from "../../src/store/database.ts";
import { aLog } from "./app.ts";

export function guard(
  app: FastifyInstance,
  database: Queryable,
  authorize: Authorize,
  { hasSeveralTenants = false } = {},
): void {
  const { log } = aLog();
  guardRoutes(app, { authorize, database, random: systemRandom, log, hasSeveralTenants });
  keepAnswers(app, { database, log });
}
