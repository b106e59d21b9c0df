/** What Dataverse posts: the `RemoteExecutionContext` of an operation. Only named properties are read. */
import * as z from "zod";
import type { MailFacts } from "../filing/rules/mail-rules.ts";
import { isUuid } from "../lib/hash.ts";
import { parseDataverseDate } from "./wcf-date.ts";

export interface DataverseEvent {
  readonly emailId: string;
  readonly messageName: string | null;
  readonly operationCreatedOn: Date | null;
  readonly correlationId: string | null;
  /** What the body says about the mail; an image may omit empty columns. */
  readonly facts: MailFacts;
}

const Pairs = z.array(z.object({ key: z.string(), value: z.unknown().optional() })).catch([]);
const Body = z.object({
  PrimaryEntityId: z.string().optional(),
  PrimaryEntityName: z.string().optional(),
  MessageName: z.string().max(100).nullish(),
  OperationCreatedOn: z.unknown().optional(),
  CorrelationId: z.string().max(100).nullish(),
  InputParameters: Pairs.optional(),
  PostEntityImages: Pairs.optional(),
});
const NOBODY = "00000000-0000-0000-0000-000000000000";

/** Returns the event about a message, or what is wrong with the body. */
export function readExecutionContext(text: string): DataverseEvent | { problem: string } {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { problem: "the body is not JSON" };
  }
  const body = Body.safeParse(json);
  if (!body.success) return { problem: "the body is not an execution context" };
  const emailId =
    body.data.PrimaryEntityId?.trim()
      .replace(/^\{|\}$/g, "")
      .toLowerCase() ?? "";
  if (!isUuid(emailId) || emailId === NOBODY)
    return { problem: "PrimaryEntityId is missing or not a GUID" };
  if (body.data.PrimaryEntityName?.toLowerCase() !== "email")
    return { problem: "Invalid Entity: only email is accepted" };
  return {
    emailId,
    messageName: body.data.MessageName ?? null,
    operationCreatedOn: parseDataverseDate(body.data.OperationCreatedOn),
    correlationId: body.data.CorrelationId ?? null,
    facts: factsIn(body.data),
  };
}

/** Columns that a rule can test, with the rule's name for each. */
const FIELDS = {
  subject: "subject",
  sender: "from",
  torecipients: "to",
  description: "body",
} as const;

/** The image after the change has most columns; on a creation the target has all of them. */
function factsIn(body: z.infer<typeof Body>): MailFacts {
  const image = attributesOf(body.PostEntityImages?.[0]?.value);
  const target = attributesOf(body.InputParameters?.find(({ key }) => key === "Target")?.value);
  const isWhole = target !== null && body.MessageName === "Create";
  const known = { ...target, ...image };
  const facts: Record<string, readonly string[]> = {};
  for (const [column, field] of Object.entries(FIELDS)) {
    const value = known[column];
    if (typeof value === "string") facts[field] = [value];
    else if (isWhole) facts[field] = [];
  }
  const regarding = known["regardingobjectid"] as { LogicalName?: unknown } | undefined;
  if (typeof regarding?.LogicalName === "string") facts["regardingtype"] = [regarding.LogicalName];
  else if (isWhole) facts["regardingtype"] = [];
  return facts;
}

function attributesOf(entity: unknown): Record<string, unknown> | null {
  const { Attributes: pairs } = (entity ?? {}) as { Attributes?: unknown };
  if (!Array.isArray(pairs)) return null;
  const read = Pairs.parse(pairs);
  return Object.fromEntries(read.map(({ key, value }) => [key, value]));
}
