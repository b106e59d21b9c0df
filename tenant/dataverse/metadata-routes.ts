/** `EntityDefinitions` and `RelationshipDefinitions`: the schema, readable as rows. */
import type { TenantResponse } from "../http.ts";
import { parseFilter } from "../odata/filter.ts";
import { createJsonSource } from "../odata/json-source.ts";
import { answer, apiRoot, type DataverseCall } from "./core/dataverse-call.ts";
import { badQuery, DataverseProblem, unknownSegment, wrongMethod } from "./core/dataverse-error.ts";
import type { Segment } from "./core/entity-path.ts";
import {
  type Facts,
  metadataId,
  viewColumn,
  viewKey,
  viewOptions,
  viewRelationship,
  viewTable,
} from "./metadata-view.ts";
import { withSyntax } from "./query/filter.ts";
import { type Options, readExpand, readOptions } from "./query/options.ts";
import type { Relationship, Table } from "./schema/schema.ts";

const CRM = "Microsoft.Dynamics.CRM.";
const ONE_TO_MANY = `${CRM}OneToManyRelationshipMetadata`;
const BASE_RELATIONSHIP = ["MetadataId", "SchemaName", "RelationshipType", "IsCustomRelationship"];

/** Part of the schema: its own properties, and what `$expand` can add. */
interface Definition {
  readonly facts: Facts;
  readonly related: Readonly<Record<string, () => readonly Definition[] | Facts | null>>;
}

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
  const define = (table: Table) => defineTable(call, table);
  if (first.args === null) {
    if (rest[0] !== undefined) throw unknownSegment(rest[0].name);
    return many(call, "EntityDefinitions", call.schema.tables.map(define));
  }
  const table = findTable(call, first.args);
  const [part, cast, more] = rest;
  if (more !== undefined) throw unknownSegment(more.name);
  if (part === undefined) return one(call, "EntityDefinitions/$entity", define(table));
  if (part.name === "Attributes") return attributesOf(call, table, part, cast);
  if (cast !== undefined) throw unknownSegment(cast.name);
  const related = define(table).related[part.name]?.();
  if (!Array.isArray(related)) throw unknownSegment(part.name);
  return part.args === null
    ? many(call, part.name, related)
    : one(call, `${part.name}/$entity`, findBySchemaName(related, part.args));
}

function findTable(call: DataverseCall, args: string): Table {
  const name = /^(?:LogicalName='([^']*)'|([0-9a-f-]{36}))$/i.exec(args);
  const table = call.schema.tables.find(
    (known) => known.name === name?.[1] || metadataId(known.name) === name?.[2]?.toLowerCase(),
  );
  if (table !== undefined) return table;
  const message = `Could not find an entity with the specified name: ${name?.[1] ?? args} and id: 00000000-0000-0000-0000-000000000000.`;
  throw new DataverseProblem(404, "0x80060888", message);
}

function defineTable(call: DataverseCall, table: Table): Definition {
  const relationships = (side: "referencing" | "referenced") => () =>
    call.schema.relationships.filter((known) => known[side] === table).map(defineRelationship);
  return {
    facts: viewTable(table),
    related: {
      Attributes: () => columnsOf(table),
      Keys: () => table.keys.map((key) => ({ facts: viewKey(table, key), related: {} })),
      ManyToOneRelationships: relationships("referencing"),
      OneToManyRelationships: relationships("referenced"),
      ManyToManyRelationships: () => [],
    },
  };
}

function defineRelationship(relationship: Relationship): Definition {
  return { facts: viewRelationship(relationship), related: {} };
}

function columnsOf(table: Table): Definition[] {
  return Object.entries(table.columns).map(([name, column]): Definition => {
    const facts = viewColumn(table, name, column);
    const options = viewOptions(column);
    return { facts, related: options === null ? {} : { OptionSet: () => options } };
  });
}

function attributesOf(call: DataverseCall, table: Table, part: Segment, cast: Segment | undefined) {
  const type = cast === undefined ? null : castTypeOf(cast);
  const isMeant = ({ facts }: Definition) => type === null || facts["AttributeType"] === type;
  const found = columnsOf(table).filter(isMeant);
  if (part.args === null) return many(call, "Attributes", found);
  const wanted = /^LogicalName='([^']*)'$/.exec(part.args)?.[1];
  const column = found.find(({ facts }) => facts["LogicalName"] === wanted);
  if (column !== undefined) return one(call, "Attributes/$entity", column);
  throw new DataverseProblem(
    404,
    "0x80060888",
    `Could not find an attribute with specified name: '${wanted}'.`,
  );
}

/** `Microsoft.Dynamics.CRM.PicklistAttributeMetadata` is the type `Picklist`. */
function castTypeOf(cast: Segment): string {
  const type = /^Microsoft\.Dynamics\.CRM\.(\w+)AttributeMetadata$/.exec(cast.name)?.[1];
  if (type === undefined) throw unknownSegment(cast.name);
  return type;
}

function findBySchemaName(all: readonly Definition[], args: string): Definition {
  const wanted = /^SchemaName='([^']*)'$/.exec(args)?.[1];
  const found = all.find(({ facts }) => facts["SchemaName"] === wanted);
  if (found !== undefined) return found;
  throw new DataverseProblem(
    404,
    "0x80060888",
    `Could not find a relationship with the specified name: ${wanted ?? args}.`,
  );
}

/** Without the cast, only the properties that all kinds of relationships share are visible. */
function useRelationships(
  call: DataverseCall,
  first: Segment,
  rest: readonly Segment[],
): TenantResponse {
  const isCast = rest[0]?.name === ONE_TO_MANY;
  const unknown = rest[isCast ? 1 : 0];
  if (unknown !== undefined) throw unknownSegment(unknown.name);
  const all = call.schema.relationships.map(defineRelationship);
  // A single relationship is returned completely, with or without a cast.
  if (first.args !== null) {
    const { facts } = findBySchemaName(all, first.args);
    const whole = { "@odata.type": `#${ONE_TO_MANY}`, ...facts };
    return one(call, "RelationshipDefinitions/$entity", { facts: whole, related: {} });
  }
  const shown = isCast ? all : all.map(({ facts }) => ({ facts: baseOf(facts), related: {} }));
  return many(call, "RelationshipDefinitions", shown, isCast);
}

function baseOf(facts: Facts): Facts {
  const base = BASE_RELATIONSHIP.map((name) => [name, facts[name]]);
  return { "@odata.type": `#${ONE_TO_MANY}`, ...Object.fromEntries(base) };
}

function one(call: DataverseCall, context: string, definition: Definition): TenantResponse {
  const options = readOptions(call.request.query, ["$select", "$expand"]);
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#${context}`,
    ...show(definition, options),
  });
}

function many(
  call: DataverseCall,
  context: string,
  all: readonly Definition[],
  isWhole = true,
): TenantResponse {
  const options = readOptions(call.request.query, ["$select", "$filter", "$expand"]);
  return answer(call, 200, {
    "@odata.context": `${apiRoot(call)}/$metadata#${context}`,
    value: showAll(all, options, isWhole),
  });
}

/** Options are checked even where there is nothing to show. */
function showAll(all: readonly Definition[], options: Options, isWhole: boolean): Facts[] {
  if (all.length === 0 && options.has("$expand")) {
    throw badQuery(
      `Could not find a property named '${options.get("$expand")}' on the metadata type.`,
    );
  }
  const [first] = all;
  if (first !== undefined) show(first, options);
  return filter(all, options, isWhole).map((definition) => show(definition, options));
}

function filter(all: readonly Definition[], options: Options, isWhole: boolean): Definition[] {
  const text = options.get("$filter");
  if (text === undefined) return [...all];
  const sample = all[0]?.facts ?? {};
  const type = isWhole ? "the metadata type" : `type '${CRM}RelationshipMetadataBase'`;
  const source = createJsonSource((name) => {
    if (name in sample) return;
    throw badQuery(`Could not find a property named '${name}' on ${type}.`);
  });
  const test = withSyntax(text, () => parseFilter(text, source));
  return all.filter(({ facts }) => test(facts));
}

function show({ facts, related }: Definition, options: Options): Facts {
  const shown = pick(facts, options);
  for (const { name, isReference, options: inner } of readExpand(options.get("$expand"))) {
    const found = related[name]?.();
    if (found === undefined || isReference) {
      throw badQuery(`Could not find a property named '${name}' on the metadata type.`);
    }
    const unhonoured = ["$orderby", "$top"].find((option) => inner(true).has(option));
    if (unhonoured !== undefined) {
      throw badQuery(`The query option '${unhonoured}' is not supported in $expand.`);
    }
    shown[name] = Array.isArray(found)
      ? showAll(found, inner(true), true)
      : pick((found ?? {}) as Facts, inner(false));
  }
  return shown;
}

function pick(facts: Facts, options: Options): Facts {
  const select = options.get("$select");
  if (select === undefined) return { ...facts };
  const names = select.split(",").map((name) => name.trim());
  const unknown = names.find((name) => !(name in facts));
  if (unknown !== undefined)
    throw badQuery(`Could not find a property named '${unknown}' on the metadata type.`);
  return Object.fromEntries(
    Object.entries(facts).filter(
      ([name]) => names.includes(name) || name === "MetadataId" || name.startsWith("@"),
    ),
  );
}
