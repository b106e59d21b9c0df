/** Whom we trust: approved senders and known people. */
import type { FastifyInstance } from "fastify";
import * as z from "zod";
import type { Clock } from "../lib/clock.ts";
import type { Database } from "../store/database.ts";
import { findKnownPeople, replacePeople } from "../trades/senders/person-table.ts";
import { readPeopleCsv } from "../trades/senders/read-people.ts";
import { normalizeAddress, objectionToPattern } from "../trades/senders/sender.ts";
import {
  approveSender,
  findApprovedSenders,
  revokeSender,
} from "../trades/senders/sender-table.ts";
import { parse } from "./http/parse.ts";
import { badRequest, notFound } from "./http/problem.ts";

export interface SenderRoutesNeeds {
  readonly database: Database;
  readonly clock: Clock;
}

const Approval = z.object({
  sender: z.string().trim().min(3).max(320),
  until: z.iso.date().optional(),
  dryRun: z.boolean().default(false),
});
const Revocation = z.object({ dryRun: z.enum(["true", "false"]).default("false") });
const Import = z.object({ csv: z.string().max(5_000_000), dryRun: z.boolean().default(false) });

export function registerSenderRoutes(app: FastifyInstance, needs: SenderRoutesNeeds): void {
  const { database, clock } = needs;

  app.get("/api/senders", { config: { access: "viewer" } }, async () => {
    return { senders: await findApprovedSenders(database) };
  });

  app.post("/api/senders", { config: { access: "reviewer" } }, async (request) => {
    const { sender, until = null, dryRun } = parse(Approval, request.body);
    const pattern = normalizeAddress(sender);
    const objection = objectionToPattern(pattern);
    if (objection !== null) throw badRequest(objection);
    const today = new Date(clock.now()).toISOString().slice(0, 10);
    if (until !== null && until < today) throw badRequest(`${until} is past`);
    if (dryRun) return { dryRun, pattern, until };
    return approveSender(database, { pattern, by: request.caller.id, until });
  });

  app.delete("/api/senders/:sender", { config: { access: "reviewer" } }, async (request) => {
    const pattern = normalizeAddress((request.params as { sender: string }).sender);
    const isDry = parse(Revocation, request.query).dryRun === "true";
    const isKnown = isDry
      ? (await findApprovedSenders(database)).some((sender) => sender.pattern === pattern)
      : await revokeSender(database, pattern);
    if (!isKnown) throw notFound("nobody approved this sender");
    return { pattern, ...(isDry ? { dryRun: true } : { revoked: true }) };
  });

  app.get("/api/people", { config: { access: "viewer" } }, async () => {
    return { people: await findKnownPeople(database) };
  });

  app.post(
    "/api/people/import",
    { config: { access: "operator" }, bodyLimit: 6_000_000 },
    async (request) => {
      const { csv, dryRun } = parse(Import, request.body);
      const { people, problems } = readPeopleCsv(csv);
      if (problems.length > 0) throw badRequest(problems.slice(0, 20).join("\n"));
      if (!dryRun) await database.transaction((tx) => replacePeople(tx, "import", people));
      return { people: people.length, ...(dryRun ? { dryRun } : {}) };
    },
  );
}
