import { hostname } from "node:os";
import { Fault } from "../lib/fault.ts";
import type { Random } from "../lib/random.ts";
import { type Queryable, toStorableText } from "../store/database.ts";
import {
  CHECK_SUCCESS,
  CLAIM,
  CREATE_TABLE,
  DEFAULT_NAMING,
  inNames,
  MARK_FAILED,
  MARK_SUCCESS,
  type Naming,
  toNumbered,
} from "./statements.ts";

/** The shared table under a site's names, with the given statements ready to run. */
export interface IngestionTable {
  readonly naming: Naming;
  /** Schema and name. */
  readonly name: string;
  readonly sql: {
    readonly checkSuccess: string;
    readonly claim: string;
    readonly markSuccess: string;
    readonly markFailed: string;
  };
  /** How long one of our claims lives without a heartbeat. */
  readonly leaseMs: number;
}

export type MailStatus = "processing" | "success" | "failed" | "skipped";

export const MESSAGE_ID_LENGTH_MAX = 255;
export const OWN_PREFIX = "ts:";

export function ingestionTable(
  options: { naming?: Partial<Naming>; leaseMs?: number } = {},
): IngestionTable {
  const naming = { ...DEFAULT_NAMING, ...options.naming };
  const ready = (statement: string) => toNumbered(inNames(statement, naming));
  return {
    naming,
    name: `${naming.schema}.email_ingestion_state`,
    sql: {
      checkSuccess: ready(CHECK_SUCCESS),
      claim: ready(CLAIM),
      markSuccess: ready(MARK_SUCCESS),
      markFailed: ready(MARK_FAILED),
    },
    leaseMs: options.leaseMs ?? 60_000,
  };
}

/** Makes the table where a site keeps it elsewhere than the migrations do; an existing one is left as it is. */
export async function ensureIngestionTable(on: Queryable, table: IngestionTable): Promise<void> {
  await on.query(`CREATE SCHEMA IF NOT EXISTS ${table.naming.schema}`);
  const create = inNames(CREATE_TABLE, table.naming);
  await on.query(create.replace("CREATE TABLE", "CREATE TABLE IF NOT EXISTS"));
}

/** Step 1: whether somebody has finished this message. */
export async function isDone(
  on: Queryable,
  table: IngestionTable,
  messageId: string,
): Promise<boolean> {
  const { rows } = await on.query(table.sql.checkSuccess, [messageId]);
  return rows.length > 0;
}

/** Proves ownership, so it is made anew for every try: a host or process name would be shared. */
export function newWorkerId(random: Random): string {
  return `${OWN_PREFIX}${hostname().slice(0, 100)}:${process.pid}:${random.uuid()}`;
}

/** Ids are case-sensitive and never cut: two messages would become one. */
export function assertMessageId(messageId: string): void {
  if (messageId === "") throw new Fault("mail.no-message-id", "a message without an id");
  if (messageId.length <= MESSAGE_ID_LENGTH_MAX) return;
  throw new Fault(
    "mail.id-too-long",
    `a message id of ${messageId.length} characters does not fit the shared table (255)`,
    { facts: { length: messageId.length, start: messageId.slice(0, 40) } },
  );
}

/** A column of 255 characters, or null. */
export function storable255(text: string | null): string | null {
  return text === null ? null : toStorableText(text, 255);
}
