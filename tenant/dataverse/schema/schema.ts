/** The structure of tables, given as data. Nothing outside the schema can be written or read. */
export type Column =
  | { readonly type: "text" | "memo"; readonly max: number; readonly readOnly?: boolean }
  | {
      readonly type: "int";
      readonly min?: number;
      readonly max?: number;
      readonly readOnly?: boolean;
    }
  | { readonly type: "bigint" | "decimal" | "bool" | "date" | "guid"; readonly readOnly?: boolean }
  | {
      readonly type: "choice" | "state" | "status";
      readonly options: Readonly<Record<number, string>>;
      readonly initial?: number;
      readonly readOnly?: boolean;
    }
  | {
      readonly type: "lookup";
      readonly targets: readonly LookupTarget[];
      readonly readOnly?: boolean;
    };

/** One relationship: many rows of the table with the column point to one row of `table`. */
interface LookupTarget {
  /** Logical name of the table that is pointed to. */
  readonly table: string;
  /** The single-valued side, in its exact case: the name before `@odata.bind`. */
  readonly navigation: string;
  /** Schema name of the relationship. */
  readonly relationship: string;
  /** The collection-valued side, on the other table. */
  readonly collection: string;
}

interface AlternateKey {
  readonly name: string;
  readonly columns: readonly string[];
}

export interface Table {
  readonly name: string;
  readonly schemaName: string;
  readonly setName: string;
  readonly displayName: string;
  readonly objectTypeCode: number;
  readonly primaryId: string;
  readonly primaryName: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly keys: readonly AlternateKey[];
}

export interface Relationship {
  readonly schemaName: string;
  readonly referencing: Table;
  readonly attribute: string;
  readonly referenced: Table;
  readonly navigation: string;
  readonly collection: string;
}

export interface Schema {
  readonly tables: readonly Table[];
  readonly relationships: readonly Relationship[];
  bySet(setName: string): Table | undefined;
  byName(logicalName: string): Table | undefined;
}

export function createSchema(tables: readonly Table[]): Schema {
  const bySet = new Map(tables.map((table) => [table.setName, table]));
  const byName = new Map(tables.map((table) => [table.name, table]));
  const relationships = tables.flatMap((referencing) =>
    Object.entries(referencing.columns).flatMap(([attribute, column]) =>
      column.type !== "lookup"
        ? []
        : column.targets.map(({ table, navigation, relationship, collection }) => ({
            schemaName: relationship,
            referencing,
            attribute,
            referenced: byName.get(table)!,
            navigation,
            collection,
          })),
    ),
  );
  const dangling = relationships.find(({ referenced }) => referenced === undefined);
  if (dangling) throw new Error(`${dangling.schemaName} points to a table that is not there`);
  return {
    tables,
    relationships,
    bySet: (setName) => bySet.get(setName),
    byName: (logicalName) => byName.get(logicalName),
  };
}

/** The single-valued navigation properties of a table, with the column behind each. */
export function findNavigation(
  schema: Schema,
  table: Table,
  name: string,
): Relationship | undefined {
  return schema.relationships.find(
    (known) => known.referencing === table && known.navigation === name,
  );
}

export function findCollection(
  schema: Schema,
  table: Table,
  name: string,
): Relationship | undefined {
  return schema.relationships.find(
    (known) => known.referenced === table && known.collection === name,
  );
}

const STATE = { type: "state", options: { 0: "Active", 1: "Inactive" }, initial: 0 } as const;
const STATUS = { type: "status", options: { 1: "Active", 2: "Inactive" }, initial: 1 } as const;

/** Columns that every table has. */
function ownColumns(name: string): Record<string, Column> {
  const by = (attribute: string): Column => ({
    type: "lookup",
    readOnly: attribute !== "ownerid",
    targets: [
      {
        table: "systemuser",
        navigation: attribute,
        relationship: `lk_${name}_${attribute}`,
        collection: `lk_${name}_${attribute}`,
      },
    ],
  });
  return {
    createdon: { type: "date", readOnly: true },
    modifiedon: { type: "date", readOnly: true },
    overriddencreatedon: { type: "date" },
    createdby: by("createdby"),
    createdonbehalfby: by("createdonbehalfby"),
    modifiedby: by("modifiedby"),
    modifiedonbehalfby: by("modifiedonbehalfby"),
    ownerid: by("ownerid"),
    owninguser: by("owninguser"),
    owningbusinessunit: {
      type: "lookup",
      readOnly: true,
      targets: [
        {
          table: "businessunit",
          navigation: "owningbusinessunit",
          relationship: `business_unit_${name}`,
          collection: `business_unit_${name}`,
        },
      ],
    },
    versionnumber: { type: "bigint", readOnly: true },
    statecode: STATE,
    statuscode: STATUS,
  };
}

let nextTypeCode = 10_000;

interface TableOptions {
  readonly setName?: string;
  readonly primaryId?: string;
  readonly primaryName?: string;
  readonly objectTypeCode?: number;
  readonly displayName?: string;
  readonly keys?: readonly AlternateKey[];
}

/** A table with the usual columns added; given columns take precedence. */
export function table(
  name: string,
  columns: Readonly<Record<string, Column>>,
  options: TableOptions = {},
): Table {
  const primaryId = options.primaryId ?? `${name}id`;
  const primaryName = options.primaryName ?? (name.startsWith("sprk_") ? "sprk_name" : "name");
  const displayName = options.displayName ?? name.replace(/^sprk_/, "");
  return {
    name,
    schemaName: name.startsWith("sprk_") ? `sprk_${displayName}` : displayName,
    setName: options.setName ?? `${name}s`,
    displayName,
    objectTypeCode: options.objectTypeCode ?? nextTypeCode++,
    primaryId,
    primaryName,
    columns: { [primaryId]: { type: "guid" }, ...ownColumns(name), ...columns },
    keys: options.keys ?? [],
  };
}

export const text = (max: number): Column => ({ type: "text", max });
export const memo = (max = 1_048_576): Column => ({ type: "memo", max });
export const whole = (min?: number, max?: number): Column => ({ type: "int", min, max });
export const decimal: Column = { type: "decimal" };
export const yesNo: Column = { type: "bool" };
export const date: Column = { type: "date" };
export const guid: Column = { type: "guid" };
export const choice = (options: Readonly<Record<number, string>>, initial?: number): Column => ({
  type: "choice",
  options,
  initial,
});

/** A custom lookup: its navigation property has the case of the schema name, not of the column. */
export function lookup(target: string, navigation: string, relationship: string): Column {
  return {
    type: "lookup",
    targets: [{ table: target, navigation, relationship, collection: relationship }],
  };
}

/** A polymorphic lookup has one navigation property for each table it can point to. */
export function lookupAny(targets: readonly LookupTarget[]): Column {
  return { type: "lookup", targets };
}
