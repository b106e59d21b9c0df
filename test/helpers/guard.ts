/** The API's access rules on a test's own server, with callers that the test chooses. */
import type { FastifyInstance } from "fastify";
import { guardRoutes } from "../../src/api/access/access.ts";
import type { Authorize } from "../../src/api/access/auth.ts";
import { systemRandom } from "../../src/lib/random.ts";
import type { Queryable } from "../../src/store/database.ts";
import { aLog } from "./app.ts";

export function guard(app: FastifyInstance, database: Queryable, authorize: Authorize): void {
  guardRoutes(app, { authorize, database, random: systemRandom, log: aLog().log });
}
