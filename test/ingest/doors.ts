/** Routes and verbs around trades, on a server that listens. Each test file opens its own. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import Fastify, { type FastifyInstance } from "fastify";
import { registerTraceRoute } from "../../src/api/audit-routes.ts";
import { handleErrors, ProblemError } from "../../src/api/http/problem.ts";
import { describeApi } from "../../src/api/openapi.ts";
import { registerDriftRoutes } from "../../src/api/trades/drift-routes.ts";
import { registerEvidenceRoutes } from "../../src/api/trades/evidence-routes.ts";
import { registerGiveRoutes } from "../../src/api/trades/give-routes.ts";
import { registerIngestRoutes } from "../../src/api/trades/ingest-routes.ts";
import { registerNoteContentRoutes } from "../../src/api/trades/note-content-routes.ts";
import { registerOrderRoutes } from "../../src/api/trades/orders-routes.ts";
import { registerReviewRoutes } from "../../src/api/trades/review-routes.ts";
import { registerSenderRoutes } from "../../src/api/trades/senders-routes.ts";
import { registerTradeRoutes } from "../../src/api/trades/trades-routes.ts";
import { createOutput, type Output } from "../../src/cli/base/output.ts";
import { rehearseReview } from "../../src/flows/ingestion/apply-review.ts";
import { gatherEvidence } from "../../src/flows/ingestion/gather-evidence.ts";
import { gatherTrace } from "../../src/flows/ingestion/gather-trace.ts";
import type { IngestMailNeeds } from "../../src/flows/ingestion/ingest-mail.ts";
import { readAgain } from "../../src/flows/ingestion/read-again.ts";
import { findReviews } from "../../src/review/review-table.ts";
import { findTrades } from "../../src/trades/trade-table.ts";
import { guard } from "../helpers/guard.ts";
import { aTrade } from "../trades/scene.ts";
import { plainPdf } from "./plain-note.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

export let shop: Workshop;
export let app: FastifyInstance;
let notes = 0;

export const openDoors = (): Promise<void> => openDoorsWith({});

export async function openDoorsWith(changes: Partial<IngestMailNeeds>): Promise<void> {
  shop = await openWorkshop(changes);
  app = Fastify();
  handleErrors(app);
  await describeApi(app, "0.0.0");
  guard(app, shop.database, async (request) => {
    const token = request.headers.authorization?.slice(7);
    if (token === undefined) throw new ProblemError({ status: 401, title: "Unauthorized" });
    if (token === "key") return { id: "operator", role: "admin" };
    const role = (["viewer", "reviewer", "operator"] as const).find((name) => name === token);
    return { id: token, role: role ?? null };
  });
  const { needs } = shop;
  registerTradeRoutes(app, needs);
  registerReviewRoutes(app, {
    ...needs,
    rehearse: (id, decided) => rehearseReview(needs, id, decided),
  });
  await registerGiveRoutes(app, {
    readAgain: (id, given, by) => readAgain(needs, id, given, by),
  });
  registerEvidenceRoutes(app, { ...needs, gather: (subject) => gatherEvidence(needs, subject) });
  registerTraceRoute(app, {
    ...needs,
    trace: (id, viewer) => gatherTrace(needs.database, id, viewer),
  });
  registerOrderRoutes(app, needs);
  registerIngestRoutes(app, { ...needs, masksMail: false });
  registerSenderRoutes(app, needs);
  registerDriftRoutes(app, needs);
  registerNoteContentRoutes(app, needs);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const home = join(shop.folder, "home");
  await mkdir(home);
  await writeFile(join(home, "operator-key"), "key");
  await writeFile(join(home, "server.json"), JSON.stringify({ url }));
  process.env["POSTROOM_HOME"] = home;
}

export async function closeDoors(): Promise<void> {
  delete process.env["POSTROOM_HOME"];
  await app.close();
}

export const call = async (
  method: "GET" | "POST" | "PUT" | "DELETE",
  url: string,
  body?: object,
  token = "key",
) => {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.json() as never };
};

/** Runs a verb; its words and data, and the error that it ended with. */
export async function run(make: (output: Output) => Command, ...args: string[]) {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  const command = make(createOutput({ write, writeNote: write }));
  const silence = (each: Command): void => {
    each.exitOverride().configureOutput({ writeErr: write, writeOut: write });
    each.commands.forEach(silence);
  };
  silence(command);
  const error = await command.parseAsync(args, { from: "user" }).then(
    () => null,
    (thrown: Error) => thrown.message,
  );
  return { text, error };
}

/** Delivers a mail with one note and processes it; returns its id and its open questions. */
export async function arrive(change: Parameters<typeof aTrade>[0] & { confidence?: number } = {}) {
  notes += 1;
  const { confidence = 0.95, ...facts } = change;
  const trade = {
    ...aTrade({ reference: `D-${notes}`, account: `D${notes}`, ...facts }),
    confidence,
  };
  const id = await shop.send({ files: [await plainPdf({ trades: [trade] })] });
  await shop.ingest(id);
  const [trade0] = await findTrades(shop.database, { messageId: id });
  return { id, trade: trade0 ?? null };
}

export const oldest = async () => (await findReviews(shop.database, { status: "open" }))[0]!;

/** Answers over HTTP and waits for the answer to be carried out. */
export async function answer(id: number, decision: object) {
  const { status, body } = await call("POST", `/api/reviews/${id}/decision`, { decision });
  await shop.jobs.workUntilIdle();
  return {
    status,
    body,
    review: (await call("GET", `/api/reviews/${id}`)).body as {
      status: string;
      refusal: string | null;
    },
  };
}
