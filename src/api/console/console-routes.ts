/** What the page requests before and after it signs somebody in. */
import type { FastifyRequest } from "fastify";
import * as z from "zod";
import { VERSION } from "../../lib/version.ts";
import { forbidden, notFound } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import type { TenantSteering } from "./tenant-routes.ts";

/** A person of the local tenant, as whom anybody at this machine may sign in with one click. */
export interface SamplePerson {
  readonly id: string;
  readonly name: string;
  readonly address: string;
  readonly role: string | null;
}

/** Only with the local tenant: it has no secrets, and its people are made up. */
export interface SampleSignIn {
  readonly people: readonly SamplePerson[];
  tokenFor(
    personId: string,
  ): Promise<{ readonly token: string; readonly expiresInSeconds: number }>;
  /** Controls the tenant for the console's page about it. */
  readonly steering?: TenantSteering;
}

/** Where and as which application people sign in. */
export interface ConsoleIdentity {
  readonly authorityOrigin: string;
  readonly tenantId: string;
  readonly clientId: string;
  readonly apiAppId: string;
}

export interface ConsoleRoutesNeeds {
  readonly identity: ConsoleIdentity | null;
  readonly sample: SampleSignIn | null;
}

const Person = z
  .object({
    id: z.string(),
    name: z.string(),
    address: z.string(),
    role: z.string().nullable(),
  })
  .meta({ id: "SamplePerson" });

const Settings = z
  .object({
    version: z.string(),
    isDemo: z.boolean().describe("whether the tenant is the local one"),
    people: z.array(Person).describe("whom one click signs in; only with the local tenant"),
    signIn: z
      .object({ authority: z.string(), clientId: z.string(), scope: z.string() })
      .nullable()
      .describe("null if no tenant is set"),
  })
  .meta({ id: "ConsoleSettings" });

const SampleToken = z
  .object({ token: z.string(), expiresInSeconds: z.number() })
  .meta({ id: "SampleToken" });

const Me = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    role: z.enum(["viewer", "reviewer", "operator", "admin"]).nullable(),
  })
  .meta({ id: "Me" });

export function registerConsoleRoutes(app: ApiScope, needs: ConsoleRoutesNeeds): void {
  const { identity, sample } = needs;

  app.get(
    "/api/console/settings",
    {
      config: { access: "open" },
      schema: {
        operationId: "getConsoleSettings",
        summary: "How the console signs people in",
        tags: ["console"],
        response: { 200: Settings },
      },
    },
    async (request) => ({
      version: VERSION,
      isDemo: sample !== null,
      people: sample !== null && isLocal(request) ? [...sample.people] : [],
      signIn:
        identity === null
          ? null
          : {
              authority: `${identity.authorityOrigin}/${identity.tenantId}`,
              clientId: identity.clientId,
              scope: `api://${identity.apiAppId}/user_impersonation`,
            },
    }),
  );

  app.get(
    "/api/me",
    {
      config: { access: "person" },
      schema: {
        operationId: "getMe",
        summary: "Who the caller is",
        tags: ["console"],
        response: { 200: Me },
      },
    },
    async ({ caller }) => ({ id: caller.id, name: caller.name ?? null, role: caller.role }),
  );

  if (sample === null) return;
  app.post(
    "/api/console/sample-token",
    {
      config: { access: "open" },
      schema: {
        operationId: "createSampleToken",
        summary:
          "A token of a sample person; only with the local tenant, and only from this machine",
        tags: ["console"],
        body: z.object({ personId: z.string().max(100) }),
        example: { body: { personId: "5b0e9a52-3d0c-4c53-9d0a-7a2f1c9e4b11" } },
        response: { 200: SampleToken },
      },
    },
    async (request) => {
      if (!isLocal(request)) throw forbidden("only a page of this machine may ask for this");
      const { personId } = request.body;
      if (!sample.people.some(({ id }) => id === personId))
        throw notFound("there is no such sample person");
      return sample.tokenFor(personId);
    },
  );
}

const LOOPBACK = new Set(["127.0.0.1", "::1", "::ffff:127.0.0.1"]);
const LOCAL_NAMES = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * From this machine, and by a page of ours. Another site could point its host name here, so the name
 * that the browser uses is checked too.
 */
function isLocal(request: FastifyRequest): boolean {
  const { origin, "sec-fetch-site": site } = request.headers;
  const name = (request.headers.host ?? "").replace(/:\d+$/, "");
  const isOurs = origin === undefined || origin === `http://${request.headers.host}`;
  return (
    LOOPBACK.has(request.socket.remoteAddress ?? "") &&
    LOCAL_NAMES.has(name) &&
    isOurs &&
    (site === undefined || site === "same-origin" || site === "none")
  );
}
