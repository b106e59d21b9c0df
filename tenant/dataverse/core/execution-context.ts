/** The `RemoteExecutionContext` that a webhook receives, in the JSON of .NET's old serializer. */

import type { Column, Table } from "../schema/schema.ts";
import { isReference, type Row, type Value } from "./rows.ts";

const CONTRACTS = "http://schemas.microsoft.com/xrm/2011/Contracts";

export interface ExecutionFacts {
  readonly message: "Create" | "Update" | "Delete";
  readonly table: Table;
  readonly rowId: string;
  /** What was written; empty for a deletion. */
  readonly values: Record<string, Value>;
  readonly before: Row | null;
  readonly after: Row | null;
  readonly userId: string;
  readonly initiatorId: string;
  readonly nowMs: number;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly businessUnitId: string;
  /** Written after the milliseconds of dates, such as `-0700`; it does not change the time. */
  readonly dateOffset: string;
  newId(): string;
}

export interface StepFacts {
  readonly id: string;
  readonly name: string;
  readonly stage: number;
  readonly mode: number;
  readonly images: readonly { alias: string; type: number; attributes: readonly string[] | null }[];
}

export function createExecutionContext(facts: ExecutionFacts, step: StepFacts) {
  const correlationId = facts.newId();
  const target =
    facts.message === "Delete"
      ? reference(facts.table.name, facts.rowId)
      : entity(facts, facts.rowId, facts.values);
  return {
    BusinessUnitId: facts.businessUnitId,
    CorrelationId: correlationId,
    Depth: 1,
    InitiatingUserAzureActiveDirectoryObjectId: "00000000-0000-0000-0000-000000000000",
    InitiatingUserId: facts.initiatorId,
    InputParameters: [{ key: "Target", value: target }],
    IsExecutingOffline: false,
    IsInTransaction: step.mode === 0,
    IsOfflinePlayback: false,
    IsolationMode: 1,
    MessageName: facts.message,
    Mode: step.mode,
    OperationCreatedOn: toWcfDate(facts.nowMs, facts.dateOffset),
    OperationId: facts.newId(),
    OrganizationId: facts.organizationId,
    OrganizationName: facts.organizationName,
    OutputParameters: facts.message === "Create" ? [{ key: "id", value: facts.rowId }] : [],
    OwningExtension: {
      ...reference("sdkmessageprocessingstep", step.id),
      Name: step.name,
    },
    ParentContext: null,
    PostEntityImages: images(facts, facts.after, step, [1, 2]),
    PreEntityImages: images(facts, facts.before, step, [0, 2]),
    PrimaryEntityId: facts.rowId,
    PrimaryEntityName: facts.table.name,
    RequestId: facts.newId(),
    SecondaryEntityName: "none",
    SharedVariables: [],
    Stage: step.stage,
    UserId: facts.userId,
  };
}

function images(facts: ExecutionFacts, row: Row | null, step: StepFacts, types: readonly number[]) {
  if (row === null) return [];
  return step.images
    .filter(({ type }) => types.includes(type))
    .map(({ alias, attributes }) => {
      const wanted = Object.entries(row.values).filter(
        ([name, value]) => value !== null && (attributes === null || attributes.includes(name)),
      );
      return { key: alias, value: entity(facts, row.id, Object.fromEntries(wanted)) };
    });
}

function entity({ table, dateOffset }: ExecutionFacts, id: string, values: Record<string, Value>) {
  const pairs = Object.entries(values).map(([key, value]) => ({
    key,
    value: toWire(table.columns[key], value, dateOffset),
  }));
  return {
    __type: `Entity:${CONTRACTS}`,
    Attributes: [...pairs, { key: table.primaryId, value: id }],
    EntityState: null,
    FormattedValues: [],
    Id: id,
    KeyAttributes: [],
    LogicalName: table.name,
    RelatedEntities: [],
    RowVersion: null,
  };
}

function toWire(column: Column | undefined, value: Value, dateOffset: string): unknown {
  if (value === null || column === undefined) return value;
  if (isReference(value)) return reference(value.table, value.id);
  if ("options" in column) return { __type: `OptionSetValue:${CONTRACTS}`, Value: value };
  return column.type === "date" ? toWcfDate(Date.parse(String(value)), dateOffset) : value;
}

function reference(logicalName: string, id: string) {
  return {
    __type: `EntityReference:${CONTRACTS}`,
    Id: id,
    KeyAttributes: [],
    LogicalName: logicalName,
    Name: null,
    RowVersion: null,
  };
}

function toWcfDate(ms: number, offset = ""): string {
  return `/Date(${ms}${offset})/`;
}

/** The old serializer escapes the slashes of its dates, and readers recognise dates by that. */
export function toWcfJson(value: unknown): string {
  return JSON.stringify(value).replace(/"\/(Date\(-?\d+(?:[+-]\d{4})?\))\/"/g, '"\\/$1\\/"');
}
