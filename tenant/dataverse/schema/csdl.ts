/** `$metadata`: the schema as OData's CSDL, in XML. */
import type { Column, Schema, Table } from "./schema.ts";

const EDM_TYPES: Readonly<Record<Column["type"], string>> = {
  text: "Edm.String",
  memo: "Edm.String",
  int: "Edm.Int32",
  bigint: "Edm.Int64",
  decimal: "Edm.Decimal",
  bool: "Edm.Boolean",
  date: "Edm.DateTimeOffset",
  guid: "Edm.Guid",
  choice: "Edm.Int32",
  state: "Edm.Int32",
  status: "Edm.Int32",
  lookup: "Edm.Guid",
};

const TRACKING =
  '<Annotation Term="Org.OData.Capabilities.V1.ChangeTracking"><Record><PropertyValue Property="Supported" Bool="true" /></Record></Annotation>';

export function writeCsdl(schema: Schema, hasAnnotations: boolean): string {
  const types = schema.tables.map((table) => writeType(schema, table)).join("");
  const sets = schema.tables.map((table) => writeSet(schema, table, hasAnnotations)).join("");
  return `<?xml version="1.0" encoding="utf-8"?><edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="Microsoft.Dynamics.CRM" Alias="mscrm" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="crmbaseentity" Abstract="true" />${PRINCIPAL}${types}${FUNCTIONS}<EntityContainer Name="System">${sets}<FunctionImport Name="WhoAmI" Function="Microsoft.Dynamics.CRM.WhoAmI" /><FunctionImport Name="RetrieveVersion" Function="Microsoft.Dynamics.CRM.RetrieveVersion" /></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`;
}

/** What an owner is known to be: a user or a team. */
const PRINCIPAL =
  '<EntityType Name="principal" BaseType="mscrm.crmbaseentity"><Key><PropertyRef Name="ownerid" /></Key><Property Name="ownerid" Type="Edm.Guid" /></EntityType>';

const FUNCTIONS =
  '<ComplexType Name="WhoAmIResponse"><Property Name="BusinessUnitId" Type="Edm.Guid" Nullable="false" /><Property Name="UserId" Type="Edm.Guid" Nullable="false" /><Property Name="OrganizationId" Type="Edm.Guid" Nullable="false" /></ComplexType><ComplexType Name="RetrieveVersionResponse"><Property Name="Version" Type="Edm.String" Unicode="false" /></ComplexType><Function Name="WhoAmI"><ReturnType Type="mscrm.WhoAmIResponse" Nullable="false" /></Function><Function Name="RetrieveVersion"><ReturnType Type="mscrm.RetrieveVersionResponse" Nullable="false" /></Function>';

function writeType(schema: Schema, table: Table): string {
  const properties = Object.entries(table.columns).map(([name, column]) => {
    const property = column.type === "lookup" ? `_${name}_value` : name;
    return `<Property Name="${property}" Type="${EDM_TYPES[column.type]}" />`;
  });
  const ones = schema.relationships
    .filter(({ referencing }) => referencing === table)
    .map(({ navigation, referenced, collection, attribute }) =>
      navigation === "ownerid"
        ? '<NavigationProperty Name="ownerid" Type="mscrm.principal"><ReferentialConstraint Property="_ownerid_value" ReferencedProperty="ownerid" /></NavigationProperty>'
        : `<NavigationProperty Name="${navigation}" Type="mscrm.${referenced.name}" Partner="${collection}"><ReferentialConstraint Property="_${attribute}_value" ReferencedProperty="${referenced.primaryId}" /></NavigationProperty>`,
    );
  const manies = schema.relationships
    .filter(({ referenced }) => referenced === table)
    .map(
      ({ navigation, referencing, collection }) =>
        `<NavigationProperty Name="${collection}" Type="Collection(mscrm.${referencing.name})" Partner="${navigation}" />`,
    );
  return `<EntityType Name="${table.name}" BaseType="mscrm.crmbaseentity"><Key><PropertyRef Name="${table.primaryId}" /></Key>${[...properties, ...ones, ...manies].join("")}</EntityType>`;
}

function writeSet(schema: Schema, table: Table, hasAnnotations: boolean): string {
  const bindings = schema.relationships
    .filter(({ referencing, navigation }) => referencing === table && navigation !== "ownerid")
    .map(
      ({ navigation, referenced }) =>
        `<NavigationPropertyBinding Path="${navigation}" Target="${referenced.setName}" />`,
    );
  const inner = `${bindings.join("")}${hasAnnotations ? TRACKING : ""}`;
  return `<EntitySet Name="${table.setName}" EntityType="Microsoft.Dynamics.CRM.${table.name}">${inner}</EntitySet>`;
}
