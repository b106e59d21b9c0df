/**
 * Who may call a route. Every route of the API states it in its config, and it is checked before a byte of
 * the body is read, so that a stranger costs nothing and changes nothing.
 */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Log } from "../../lib/log.ts";
import type { Random } from "../../lib/random.ts";
import type { Queryable } from "../../store/database.ts";
import { withinTenant } from "../../store/reach.ts";
import { forbidden } from "../http/problem.ts";
import { addAction, endAction } from "./action-table.ts";
import type { Authorize, Caller } from "./auth.ts";
import { hasRole, type Role } from "./roles.ts";

/**
 * `open` needs no token; `person` is anybody signed in, for their own data; a role means that role or a
 * higher one.
 */
export type Access = "open" | "person" | Role;

declare module "fastify" {
  interface FastifyContextConfig {
    readonly access?: Access;
    /** Set if it concerns all tenants of the installation: where there are several, it needs the operator key. */
    readonly isForAllTenants?: boolean;
  }
  interface FastifyRequest {
    /** The caller. Absent on open routes only. */
    caller: Caller;
    /** Throws if the caller's token is no longer valid or lost its role; for responses that take long. */
    recheck: () => Promise<void>;
    /** The row in the log of actions; null for a request that only reads. */
    actionId: string | null;
  }
}

export interface AccessNeeds {
  readonly authorize: Authorize;
  readonly database: Queryable;
  readonly random: Random;
  readonly log: Log;
  /** Whether the mailboxes belong to several Microsoft tenants, of which a token opens only its own. */
  readonly hasSeveralTenants?: boolean;
}

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Call it before the first route of a scope: the server does not start if a route does not say who may call
 * it.
 */
export function guardRoutes(app: FastifyInstance, needs: AccessNeeds): void {
  app.decorateRequest("caller", null as unknown as Caller);
  app.decorateRequest("actionId", null);
  app.decorateRequest("recheck", null as unknown as () => Promise<void>);
  app.addHook("onRoute", (route) => {
    if (route.config?.access === undefined)
      throw new Error(`${String(route.method)} ${route.url} does not say who may call it`);
  });
  app.addHook("onRequest", async (request, reply) => {
    const { access = "open" } = request.routeOptions.config; // no such route: answered with 404
    if (access === "open") return;
    try {
      await admit(needs, request, access);
    } catch (error) {
      // Otherwise Node would read the body of a refused request to its end in order to reuse the connection.
      if (hasBody(request)) void reply.header("connection", "close");
      throw error;
    }
  });
  // Only after the body was read, because the events of its stream would lose the limit to one tenant.
  app.addHook("preValidation", (request, _reply, done) => {
    const { access = "open" } = request.routeOptions.config;
    if (access !== "open" && isLimited(needs, request.caller)) withinTenant(done);
    else done();
  });

  app.addHook("onResponse", async (request, reply) => {
    if (request.actionId !== null)
      await endAction(needs.database, request.actionId, reply.statusCode).catch((error: unknown) =>
        needs.log.warn({ err: error }, "the outcome of an action was not logged"),
      );
  });
}

async function admit(
  needs: AccessNeeds,
  request: FastifyRequest,
  access: "person" | Role,
): Promise<void> {
  request.caller = await needs.authorize(request);
  request.recheck = async () =>
    assertAllowed(needs, request, access, await needs.authorize(request));
  if (!READS.has(request.method)) request.actionId = await logAction(needs, request);
  assertAllowed(needs, request, access, request.caller);
}

function assertAllowed(
  needs: AccessNeeds,
  { routeOptions }: FastifyRequest,
  access: "person" | Role,
  caller: Caller,
): void {
  if (!hasRole(caller, access)) throw forbidden(`this needs the role ${access}`);
  if (routeOptions.config.isForAllTenants && isLimited(needs, caller))
    throw forbidden("this concerns every tenant of the installation, so it needs the operator key");
}

/** A token is one tenant's; the operator key is the installation's. */
function isLimited({ hasSeveralTenants = false }: AccessNeeds, { token }: Caller): boolean {
  return hasSeveralTenants && token !== undefined;
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/**
 * Written before the action, whether it is refused or not, so that neither a crash nor a refusal hides it.
 */
async function logAction({ database, random }: AccessNeeds, request: FastifyRequest) {
  const id = random.uuid();
  await addAction(database, {
    id,
    who: request.caller.id,
    whoName: request.caller.name ?? null,
    operation: `${request.method} ${request.routeOptions.url}`,
    path: request.url.split("?")[0]!.slice(0, 2_000),
    correlationId: request.id,
  });
  return id;
}
