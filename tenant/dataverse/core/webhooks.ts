/**
 * Webhooks: rows of `serviceendpoints` with contract 8, connected to events by rows of
 * `sdkmessageprocessingsteps`. Asynchronous ones are posted after the response, synchronous ones before it;
 * if a synchronous one fails, the user's operation is undone.
 */
import type { OutgoingAnswer, TenantContext } from "../../context.ts";
import type { Schema } from "../schema/schema.ts";
import { DataverseProblem } from "./dataverse-error.ts";
import {
  createExecutionContext,
  type ExecutionFacts,
  type StepFacts,
  toWcfJson,
} from "./execution-context.ts";
import { isReference, type Row, type Rows } from "./rows.ts";

const BODY_MAX = 256 * 1024;
const TIMEOUT_MS = 60_000;
const TRIED_AGAIN = new Set([502, 503, 504]);

export interface Webhooks {
  /** Runs what is registered for an event; synchronous steps are awaited. */
  fire(facts: ExecutionFacts): Promise<void>;
}

interface ProcessingStep extends StepFacts {
  readonly endpoint: Row;
  readonly keepsRecord: boolean;
}

export function createWebhooks(context: TenantContext, schema: Schema, rows: Rows): Webhooks {
  const deliver = async (facts: ExecutionFacts, step: ProcessingStep): Promise<OutgoingAnswer> => {
    // The column may contain any text; what is not a URL cannot be reached.
    if (!URL.canParse(String(step.endpoint.values["url"]))) {
      return { status: 0, headers: {}, body: "", tookMs: 0 };
    }
    const { url, headers, body } = createPost(facts, step);
    const post = { url, headers, body, timeoutMs: TIMEOUT_MS };
    const first = await context.send(post);
    const answer = TRIED_AGAIN.has(first.status) ? await context.send(post) : first;
    const { message, table, rowId } = facts;
    context.journal.record("dataverse.webhook-sent", {
      message,
      table: table.name,
      row: rowId,
      status: answer.status,
      attempts: answer === first ? 1 : 2,
    });
    return answer;
  };

  const record = (facts: ExecutionFacts, step: ProcessingStep, answer: OutgoingAnswer) => {
    const isDone = isSuccess(answer);
    if (isDone && !step.keepsRecord) return;
    rows.insert(schema.byName("asyncoperation")!, rows.newId(), {
      name: step.name,
      messagename: facts.message,
      primaryentitytype: facts.table.name,
      regardingobjectid: facts.rowId,
      statecode: 1,
      statuscode: isDone ? 30 : 31,
      message: isDone ? null : `The webhook call failed with status ${answer.status}.`,
      completedon: new Date(context.clock.now()).toISOString(),
    });
  };

  return {
    async fire(facts) {
      const steps = findSteps({ schema, rows }, facts);
      for (const step of steps.filter(({ mode }) => mode === 0)) {
        const answer = await deliver(facts, step);
        if (isSuccess(answer)) continue;
        throw new DataverseProblem(
          400,
          "0x80050203",
          `The webhook call failed because the http request is failed with status ${answer.status}.`,
        );
      }
      for (const step of steps.filter(({ mode }) => mode === 1)) {
        const delayMs = Number(context.switches["dataverseWebhookDelayMs"] ?? 0);
        context.clock.after(delayMs, async () => record(facts, step, await deliver(facts, step)));
      }
    },
  };
}

interface StepTables {
  readonly schema: Schema;
  readonly rows: Rows;
}

/** The active webhooks that are registered for this kind of change to this table. */
function findSteps(tables: StepTables, facts: ExecutionFacts): ProcessingStep[] {
  return rowsOf(tables, "sdkmessageprocessingstep").flatMap((row) => {
    const message = getTarget(tables, row, "sdkmessageid", "sdkmessage");
    const filter = getTarget(tables, row, "sdkmessagefilterid", "sdkmessagefilter");
    const endpoint = getTarget(tables, row, "eventhandler", "serviceendpoint");
    const isMeant =
      endpoint?.values["contract"] === 8 &&
      row.values["statecode"] !== 1 &&
      message?.values["name"] === facts.message &&
      (filter === null || filter.values["primaryobjecttypecode"] === facts.table.name) &&
      isTouched(row, facts);
    return isMeant ? [toStep(tables, row, endpoint)] : [];
  });
}

function toStep(tables: StepTables, row: Row, endpoint: Row): ProcessingStep {
  const stepOf = (image: Row) =>
    getTarget(tables, image, "sdkmessageprocessingstepid", "sdkmessageprocessingstep");
  return {
    id: row.id,
    name: String(row.values["name"] ?? ""),
    stage: Number(row.values["stage"] ?? 40),
    mode: Number(row.values["mode"] ?? 1),
    keepsRecord: row.values["asyncautodelete"] === false,
    endpoint,
    images: rowsOf(tables, "sdkmessageprocessingstepimage")
      .filter((image) => stepOf(image) === row)
      .map(({ values }) => ({
        alias: String(values["entityalias"] ?? "Image"),
        type: Number(values["imagetype"] ?? 1),
        attributes: values["attributes"] ? String(values["attributes"]).split(",") : null,
      })),
  };
}

function rowsOf({ schema, rows }: StepTables, table: string): readonly Row[] {
  return rows.all(schema.byName(table)!);
}

/** The row that a lookup column points to. */
function getTarget(
  { schema, rows }: StepTables,
  row: Row,
  column: string,
  table: string,
): Row | null {
  const reference = row.values[column];
  return isReference(reference) ? rows.get(schema.byName(table)!, reference.id) : null;
}

function isSuccess({ status }: OutgoingAnswer): boolean {
  return status >= 200 && status < 300;
}

/** An update triggers a step only if one of its filtering columns was written. */
function isTouched(step: Row, facts: ExecutionFacts): boolean {
  const filter = step.values["filteringattributes"];
  if (facts.message !== "Update" || !filter) return true;
  return String(filter)
    .split(",")
    .some((name) => name.trim() in facts.values);
}

function createPost(facts: ExecutionFacts, step: ProcessingStep) {
  const execution: Record<string, unknown> = createExecutionContext(facts, step);
  const headers: Record<string, string> = {
    "content-type": "application/json; charset=utf-8",
    "x-ms-dynamics-organization": facts.organizationName,
    "x-ms-dynamics-entity-name": facts.table.name,
    "x-ms-dynamics-request-name": facts.message,
    "x-ms-correlation-request-id": String(execution["CorrelationId"]),
  };
  let body = toWcfJson(execution);
  if (Buffer.byteLength(body) > BODY_MAX) {
    headers["x-ms-dynamics-msg-size-exceeded"] = "true";
    for (const name of [
      "ParentContext",
      "InputParameters",
      "PreEntityImages",
      "PostEntityImages",
    ]) {
      delete execution[name];
    }
    body = toWcfJson(execution);
  }
  return { body, ...authorize(step.endpoint, headers) };
}

/** The key goes into the query as `code`; other secrets are parameters of the query or headers. */
function authorize(endpoint: Row, headers: Record<string, string>) {
  const url = new URL(String(endpoint.values["url"]));
  const secret = String(endpoint.values["authvalue"] ?? "");
  const settings = [...secret.matchAll(/name="([^"]*)"\s+value="([^"]*)"/g)];
  switch (endpoint.values["authtype"]) {
    case 5:
      for (const [, name, value] of settings) headers[name!.toLowerCase()] = value!;
      break;
    case 6:
      for (const [, name, value] of settings) url.searchParams.append(name!, value!);
      break;
    default:
      url.searchParams.append("code", secret);
  }
  return { url: url.toString(), headers };
}
