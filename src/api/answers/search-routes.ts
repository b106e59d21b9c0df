/** Search and questions over HTTP. What a person finds is what Dataverse lets that person read at that moment. */
import type { FastifyReply } from "fastify";
import { findUsage } from "../../analysis/usage-table.ts";
import { readParent } from "../../filing/container.ts";
import type { AskAnswer, SearchAnswer, Searches } from "../../flows/specs/search.ts";
import type { Database } from "../../store/database.ts";
import type { Caller } from "../access/auth.ts";
import { hasRole } from "../access/roles.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/search.ts";

export interface SearchRoutesNeeds {
  readonly searches: Searches;
  readonly database: Database;
  readonly masksMail: boolean;
}

export function registerSearchRoutes(
  app: ApiScope,
  { searches, database, masksMail }: SearchRoutesNeeds,
): void {
  app.get(
    "/api/search",
    { config: { access: "person" }, schema: schemas.search },
    async (request, reply): Promise<SearchAnswer> => {
      const { q: query, cursor: offset, kind, parent, ...rest } = request.query;
      return searches.search(
        senderOf(request.caller),
        { ...rest, query, offset, kinds: kind, ...parentOf(parent) },
        signalOf(reply),
      );
    },
  );

  app.get(
    "/api/search/suggestions",
    { config: { access: "person" }, schema: schemas.suggest },
    async (request, reply) => {
      const { q, limit } = request.query;
      const caller = senderOf(request.caller);
      return { suggestions: await searches.suggest(caller, q, limit, signalOf(reply)) };
    },
  );

  app.get(
    "/api/search/records",
    { config: { access: "person" }, schema: schemas.searchRecords },
    async ({ caller, query: { q, limit } }) => {
      const rights = {
        personId: caller.id,
        seesAllMail: hasRole(caller, "operator") && !masksMail,
        seesTrades: hasRole(caller, "reviewer"),
      };
      return { records: await searches.records(rights, q, limit) };
    },
  );

  app.post(
    "/api/ask",
    { config: { access: "person", answersAnew: true }, schema: schemas.ask },
    async (request, reply): Promise<AskAnswer> => {
      const { kind, parent, ...rest } = request.body;
      return searches.ask(
        senderOf(request.caller),
        { ...rest, kinds: kind, ...parentOf(parent) },
        signalOf(reply),
      );
    },
  );

  app.get(
    "/api/ai/usage",
    { config: { access: "person" }, schema: schemas.listModelUsage },
    async ({ caller, query: { days } }) => {
      const personId = hasRole(caller, "operator") ? null : caller.id;
      return { usage: await findUsage(database, { personId, days }) };
    },
  );
}

export const senderOf = ({ id, token }: Caller) => ({
  id,
  ...(token === undefined ? {} : { token }),
});

function parentOf(text: string | undefined) {
  const parent = readParent(text);
  return parent === null ? {} : { parentType: parent.table, parentId: parent.id };
}

/** Aborted when the caller disconnects. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  raw.once("close", () => gone.abort(new Error("the caller has gone")));
  return gone.signal;
}
