/** Sinks over HTTP. Operators only: a sink sees the mail of everybody. */
import { redactText } from "../../lib/redact.ts";
import { type AddSinkNeeds, createSink } from "../../sinks/add-sink.ts";
import { openSink } from "../../sinks/open-sink.ts";
import { isLocal, type SinkMessage } from "../../sinks/sink.ts";
import { removeOutboxOf } from "../../sinks/sink-outbox-table.ts";
import { findSinks, getSink, removeSink, type SinkRow } from "../../sinks/sink-table.ts";
import { pageOf } from "../http/paging.ts";
import { notFound, unprocessable } from "../http/problem.ts";
import type { ApiScope } from "../openapi.ts";
import * as schemas from "../schemas/sinks.ts";

export interface SinkRoutesNeeds extends AddSinkNeeds {
  /** How many messages each sink has not accepted yet. */
  waiting(): Promise<ReadonlyMap<string, number>>;
}

const TEST_MS = 20_000;

export function registerSinkRoutes(app: ApiScope, needs: SinkRoutesNeeds): void {
  registerList(app, needs);
  registerAdd(app, needs);
  registerRemove(app, needs);
  registerTest(app, needs);
}

function registerList(app: ApiScope, needs: SinkRoutesNeeds): void {
  app.get(
    "/api/sinks",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.listSinks },
    async (request) => {
      const [all, waiting] = [await findSinks(needs.database), await needs.waiting()];
      const { rows, next } = pageOf("sinks", request.query, all, ({ name }) => name);
      return { sinks: rows.map((row) => toView(row, waiting.get(row.name) ?? 0)), next };
    },
  );
}

function registerAdd(app: ApiScope, needs: SinkRoutesNeeds): void {
  app.post(
    "/api/sinks",
    // A kept answer would keep the secret.
    {
      config: { access: "operator", answersAnew: true, isForAllTenants: true },
      schema: schemas.addSink,
    },
    async (request, reply) => {
      const { dryRun, ...wanted } = request.body;
      const added = await createSink(needs, { ...wanted, addedBy: request.caller.id }, dryRun);
      if (added.refused !== null) throw unprocessable(added.refused);
      if (added.sink === null) return { dryRun: true as const, name: wanted.name };
      const waiting = (await needs.waiting()).get(wanted.name) ?? 0;
      return reply.code(201).send({ sink: toView(added.sink, waiting), secret: added.secret });
    },
  );
}

function registerRemove(app: ApiScope, needs: SinkRoutesNeeds): void {
  app.delete(
    "/api/sinks/:name",
    { config: { access: "operator", isForAllTenants: true }, schema: schemas.removeSink },
    async (request) => {
      const { name } = await load(needs, request.params.name);
      const waiting = (await needs.waiting()).get(name) ?? 0;
      if (request.query.dryRun === "true") return { name, waiting, dryRun: true as const };
      await needs.database.transaction(async (tx) => {
        await removeSink(tx, name);
        await removeOutboxOf(tx, name);
      });
      return { name, waiting };
    },
  );
}

function registerTest(app: ApiScope, needs: SinkRoutesNeeds): void {
  app.post(
    "/api/sinks/:name/test",
    { config: { access: "operator" }, schema: schemas.testSink },
    async (request) => {
      const row = await load(needs, request.params.name);
      const id = `test_${needs.random.uuid()}`;
      const at = new Date(needs.clock.now());
      const message = { id, type: "postroom.test", at, data: { sink: row.name } };
      const problem = await sendOne(needs, row, message);
      return { name: row.name, id, isTaken: problem === null, problem };
    },
  );
}

async function sendOne(
  needs: SinkRoutesNeeds,
  row: SinkRow,
  message: SinkMessage,
): Promise<string | null> {
  const port = await openSink(needs, row);
  if (isLocal(port)) {
    await needs.database.transaction((tx) => port.write(tx, [message]));
    return null;
  }
  try {
    const { problem } = await port.deliver([message], AbortSignal.timeout(TEST_MS));
    return problem === undefined ? null : redactText(problem.text);
  } finally {
    await port.close();
  }
}

async function load({ database }: SinkRoutesNeeds, name: string): Promise<SinkRow> {
  const sink = await getSink(database, name);
  if (sink === null) throw notFound(`there is no sink ${name}; postroom sinks list shows them`);
  return sink;
}

const toView = ({ id: _, sealed: __, ...row }: SinkRow, waiting: number) => ({ ...row, waiting });
