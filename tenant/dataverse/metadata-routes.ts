/** `EntityDefinitions` and `RelationshipDefinitions`: the schema, readable as rows. */
import { createHash } from "node:crypto";
import type { TenantResponse } from "../http.ts";
import { parseFilter } from "../odata/filter.ts";
import { createJsonSource } from "../odata/json-source.ts";
import { answer, apiRoot, type DataverseCall } from "./dataverse-call.ts";
import { badQuery, DataverseProblem, unknownSegment, wrongMethod } from "./dataverse-error.ts";
import type { Segment } from "./entity-path.ts";
import { withSyntax } from "./filter.ts";
import type { Column, Relationship, Table } from "./schema.ts";

type Facts = Record<string, unknown>;

const ONE_TO_MANY = "Microsoft.Dynamics.CRM.OneToManyRelationshipMetadata";
const BASE_RELATIONSHIP = ["MetadataId", "SchemaName", "RelationshipType", "IsCustomRelationship"];

export function useMetadata(call: DataverseCall, path: readonly Segment[]): TenantResponse {
  if (call.request.method !== "GET") throw wrongMethod();
  const [first, ...rest] = path as [Segment, ...Segment[]];
  return first.name === "EntityDefinitions"
    ? useDefinitions(call, first, rest)
    : useRelationships(call, first, rest);
}

function useDefinitions(
  call: DataverseCall,
  first: Segment,
  rest: readonly Segment[],
): TenantResponse {
  if (first.args === null)
    return many(call, "EntityDefinitions", call.schema.tables.map(viewTable));
  const name = /^(?:LogicalName='([^']*)'|([0-9a-f-]{36}))$/i.exec(first.args);
  const table = call.schema.tables.find(
    (known) => known.name === name?.[1] || metadataId(known.name) === name?.[2]?.toLowerCase(),
  );
  if (table === undefined) {
    const message = `Could not find an entity with the specified name: ${name?.[1] ?? first.args} and id: 00000000-0000-0000-0000-000000000000.`;
    throw new DataverseProblem(404, "0x80060888", message);
  }
  const [part] = rest;
  if (part === undefined) return one(call, "EntityDefinitions/$entity", viewTable(table));
  const { relationships } = call.schema;
  switch (part.name) {
    case "ManyToOneRelationships":
      return relationshipsOf(
        call,
        part,
        relationships.filter((known) => known.referencing === table),
      );
    case "OneToManyRelationships":
      return relationshipsOf(
        call,
        part,
        relationships.filter((known) => known.referenced === table),
      );
    case "Keys":
      return many(
        call,
        "Keys",
        table.keys.map((key) => ({
          LogicalName: key.name,
          SchemaName: key.name,
          EntityLogicalName: table.name,
          KeyAttributes: key.columns,
          EntityKeyIndexStatus: "Active",
          MetadataId: metadataId(key.name),
        })),
      );
    case "Attributes":
      return attributesOf(call, table, part, rest[1]);
    default:
      throw unknownSegment(part.name);
  }
}

function attributesOf(call: DataverseCall, table: Table, part: Segment, cast: Segment | undefined) {
  const all = Object.entries(table.columns).map(([name, column]) =>
    viewColumn(table, name, column),
  );
  if (part.args === null) {
    const type = cast?.name
      .replace(/^Microsoft\.Dynamics\.CRM\./, "")
      .replace(/AttributeMetadata$/, "");
    return many(
      call,
      "Attributes",
      type === undefined ? all : all.filter(({ AttributeType }) => AttributeType === type),
    );
  }
  const wanted = /^LogicalName='([^']*)'$/.exec(part.args)?.[1];
  const found = all.find(({ LogicalName }) => LogicalName === wanted);
  if (found !== undefined) return one(call, "Attributes/$entity", found);
  throw new DataverseProblem(
    404,
    "0x80060888",
    `Could not find an attribute with specified name: '${wanted}'.`,
  );
}

function relationshipsOf(call: DataverseCall, part: Segment, found: readonly Relationship[]) {
  if (part.args === null) return many(call, part.name, found.map(viewRelationship));
  const wanted = /^SchemaName='([^']*)'$/.exec(part.args)?.[1];
  const relationship = found.find((known) => known.schemaName === wanted);
  if (relationship === undefined) throw noRelationship(wanted ?? part.args);
  return one(call, part.name, viewRelationship(relationship));
}

/** Without the cast only what all kinds of relationships share can be seen. */
function useRelationships(
  call: DataverseCall,
  first: Segment,
  rest: readonly Segment[],
): TenantResponse {
  const isCast = rest[0]?.name === ONE_TO_MANY;
  if (rest[0] !== undefined && !isCast) throw unknownSegment(rest[0].name);
  const view = (relationship: Relationship): Facts => {
    const whole = viewRelationship(relationship);
    if (isCast) return whole;
    const base = BASE_RELATIONSHIP.map((name) => [name, whole[name]]);
    return { "@odata.type": `#${ONE_TO_MANY}`, ...Object.fromEntries(base) };
  };
  if (first.args === null) {
    return many(call, "RelationshipDefinitions", call.schema.relationships.map(view), isCast);
  }
  const wanted = /^SchemaName='([^']*)'$/.exec(first.args)?.[1];
  const found = call.schema.relationships.find((known) => known.schemaName === wanted);
  if (found === undefined) throw noRelationship(wanted ?? first.args);
  // A single relationship comes whole, cast or not.
  return one(call, "RelationshipDefinitions/$entity", {
    "@odata.type": `#${ONE_TO_MANY}`,
    ...viewRelationship(found),
  });
}

function noRelationship(name: string): DataverseProblem {
  return new DataverseProblem(
    404,
    "0x80060888",
    `Could not find a relationship with the specified name: ${name}.`,
  );
}

function one(call: DataverseCall, context: string, facts: Facts): TenantResponse {
  const select = readSelect(call, facts);
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#${context}`,
    ...pick(facts, select),
  });
}

function many(
  call: DataverseCall,
  context: string,
  all: readonly Facts[],
  isWhole = true,
): TenantResponse {
  const test = parseMetadataFilter(call.request.query.get("$filter"), all[0] ?? {}, isWhole);
  const select = readSelect(call, all[0] ?? {});
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#${context}`,
    value: all.filter(test).map((facts) => pick(facts, select)),
  });
}

function readSelect(call: DataverseCall, sample: Facts): string[] | null {
  const text = call.request.query.get("$select");
  if (text === null) return null;
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(name in sample));
  if (unknown !== undefined)
    throw badQuery(`Could not find a property named '${unknown}' on the metadata type.`);
  return names;
}

function pick(facts: Facts, select: string[] | null): Facts {
  if (select === null) return facts;
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([name]) => select.includes(name) || name === "MetadataId" || name.startsWith("@"),
    ),
  );
}

function parseMetadataFilter(
  text: string | null,
  sample: Facts,
  isWhole: boolean,
): (facts: Facts) => boolean {
  if (text === null) return () => true;
  const source = createJsonSource((name) => {
    if (name in sample) return;
    const type = isWhole
      ? "the metadata type"
      : "type 'Microsoft.Dynamics.CRM.RelationshipMetadataBase'";
    throw badQuery(`Could not find a property named '${name}' on ${type}.`);
  });
  return withSyntax(text, () => parseFilter(text, source));
}

function label(text: string) {
  return { LocalizedLabels: [], UserLocalizedLabel: { Label: text, LanguageCode: 1033 } };
}

function viewTable(table: Table): Facts {
  return {
    MetadataId: metadataId(table.name),
    LogicalName: table.name,
    SchemaName: table.schemaName,
    EntitySetName: table.setName,
    LogicalCollectionName: table.setName,
    CollectionSchemaName: table.setName,
    PrimaryIdAttribute: table.primaryId,
    PrimaryNameAttribute: table.primaryName,
    ObjectTypeCode: table.objectTypeCode,
    IsCustomEntity: table.name.startsWith("sprk_"),
    IsActivity: table.name === "email",
    OwnershipType: "UserOwned",
    DisplayName: label(table.displayName),
    DisplayCollectionName: label(`${table.displayName}s`),
  };
}

const ATTRIBUTE_TYPES: Readonly<Record<Column["type"], string>> = {
  text: "String",
  memo: "Memo",
  int: "Integer",
  bigint: "BigInt",
  decimal: "Decimal",
  bool: "Boolean",
  date: "DateTime",
  guid: "Uniqueidentifier",
  choice: "Picklist",
  state: "State",
  status: "Status",
  lookup: "Lookup",
};

function viewColumn(table: Table, name: string, column: Column): Facts {
  return {
    MetadataId: metadataId(`${table.name}.${name}`),
    LogicalName: name,
    SchemaName: name,
    EntityLogicalName: table.name,
    AttributeType: ATTRIBUTE_TYPES[column.type],
    IsPrimaryId: name === table.primaryId,
    IsPrimaryName: name === table.primaryName,
    IsValidForCreate: !column.readOnly,
    IsValidForUpdate: !column.readOnly && name !== table.primaryId,
    IsValidForRead: name !== "authvalue",
    ...("max" in column && column.type !== "int" ? { MaxLength: column.max } : {}),
    ...(column.type === "int"
      ? { MinValue: column.min ?? -2_147_483_648, MaxValue: column.max ?? 2_147_483_647 }
      : {}),
    ...("targets" in column ? { Targets: column.targets.map(({ table: target }) => target) } : {}),
    ...("options" in column
      ? {
          OptionSet: {
            Options: Object.entries(column.options).map(([value, text]) => ({
              Value: Number(value),
              Label: label(text),
            })),
          },
        }
      : {}),
  };
}

function viewRelationship(relationship: Relationship): Facts {
  const { schemaName, referencing, attribute, referenced, navigation, collection } = relationship;
  return {
    MetadataId: metadataId(schemaName),
    SchemaName: schemaName,
    RelationshipType: "OneToManyRelationship",
    IsCustomRelationship: schemaName.startsWith("sprk_"),
    ReferencedAttribute: referenced.primaryId,
    ReferencedEntity: referenced.name,
    ReferencingAttribute: attribute,
    ReferencingEntity: referencing.name,
    ReferencedEntityNavigationPropertyName: collection,
    ReferencingEntityNavigationPropertyName: navigation,
  };
}

/** Ids of metadata are the same in every run. */
function metadataId(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
