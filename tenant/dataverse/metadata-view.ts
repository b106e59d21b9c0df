/** Tables, columns and relationships as `EntityDefinitions` shows them. */
import { createHash } from "node:crypto";
import type { Column, Relationship, Table } from "./schema/schema.ts";

export type Facts = Record<string, unknown>;

function label(text: string) {
  return { LocalizedLabels: [], UserLocalizedLabel: { Label: text, LanguageCode: 1033 } };
}

export function viewTable(table: Table): Facts {
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
    ChangeTrackingEnabled: true,
    CanChangeTrackingBeEnabled: { Value: true, CanBeChanged: false },
    IsOptimisticConcurrencyEnabled: true,
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

export function viewColumn(table: Table, name: string, column: Column): Facts {
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
  };
}

/** What `$expand=OptionSet` adds to a column with choices. */
export function viewOptions(column: Column): Facts | null {
  if (!("options" in column)) return null;
  return {
    Options: Object.entries(column.options).map(([value, text]) => ({
      Value: Number(value),
      Label: label(text),
    })),
  };
}

export function viewKey(table: Table, key: Table["keys"][number]): Facts {
  return {
    LogicalName: key.name,
    SchemaName: key.name,
    EntityLogicalName: table.name,
    KeyAttributes: key.columns,
    EntityKeyIndexStatus: "Active",
    MetadataId: metadataId(key.name),
  };
}

export function viewRelationship(relationship: Relationship): Facts {
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

/** Metadata ids are the same in every run. */
export function metadataId(name: string): string {
  const hex = createHash("sha256").update(name).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
