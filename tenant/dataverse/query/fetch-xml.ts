/** FetchXML as a tree. Unknown elements and attributes are refused, never skipped. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { DataverseProblem } from "../core/dataverse-error.ts";

export interface Fetch {
  readonly entity: FetchEntity;
  readonly top: number | null;
  readonly count: number | null;
  readonly page: number;
  readonly isAggregate: boolean;
  readonly isDistinct: boolean;
  readonly returnsTotal: boolean;
}

export interface FetchEntity {
  readonly name: string;
  /** Null shows every column. */
  readonly attributes: readonly FetchAttribute[] | null;
  readonly orders: readonly FetchOrder[];
  readonly filters: readonly FetchFilter[];
  readonly links: readonly FetchLink[];
}

export interface FetchAttribute {
  readonly name: string;
  readonly alias: string | null;
  readonly aggregate: string | null;
  readonly isGroup: boolean;
  readonly dateGrouping: string | null;
  readonly isDistinct: boolean;
}

export interface FetchOrder {
  readonly attribute: string | null;
  readonly alias: string | null;
  readonly isDescending: boolean;
}

export interface FetchLink extends FetchEntity {
  readonly from: string;
  readonly to: string;
  readonly alias: string | null;
  readonly type: LinkType;
}

const LINK_TYPES = ["inner", "outer", "exists", "in", "any", "not any"] as const;
export type LinkType = (typeof LINK_TYPES)[number];

export interface FetchFilter {
  readonly type: "and" | "or";
  readonly conditions: readonly FetchCondition[];
  readonly filters: readonly FetchFilter[];
}

export interface FetchCondition {
  /** Alias of the link whose column is meant; null means the entity that contains the filter. */
  readonly entity: string | null;
  readonly attribute: string;
  readonly operator: string;
  readonly values: readonly string[];
}

interface Element {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly Element[];
  readonly text: string;
}

export function parseFetch(xml: string): Fetch {
  const root = readXml(xml);
  if (root.name !== "fetch") throw wrong(`The element '${root.name}' is not 'fetch'.`);
  check(root, FETCH_ATTRIBUTES, ["entity"]);
  const [entity, second] = root.children;
  if (entity === undefined || second !== undefined) throw wrong("A fetch has one entity.");
  const top = numberOf(root, "top");
  const count = numberOf(root, "count");
  if (top !== null && (count !== null || root.attributes.has("page"))) {
    throw wrong("The top attribute can't be specified with paging attribute page");
  }
  return {
    entity: readEntity(entity, ENTITY_ATTRIBUTES),
    top,
    count,
    page: numberOf(root, "page") ?? 1,
    isAggregate: truthOf(root, "aggregate"),
    isDistinct: truthOf(root, "distinct"),
    returnsTotal: truthOf(root, "returntotalrecordcount"),
  };
}

const FETCH_ATTRIBUTES = [
  ...["top", "count", "page", "paging-cookie", "aggregate", "distinct", "returntotalrecordcount"],
  // Accepted without effect on the result: `version` names the author's version, the others say how the
  // server reads.
  ...["version", "output-format", "mapping", "no-lock", "latematerialize"],
];
const ENTITY_ATTRIBUTES = ["name"];
const LINK_ATTRIBUTES = ["name", "from", "to", "alias", "link-type", "intersect", "visible"];
const PARTS = ["attribute", "all-attributes", "order", "filter", "link-entity"];

function readEntity(element: Element, allowed: readonly string[]): FetchEntity {
  check(element, allowed, PARTS);
  const of = (name: string) => element.children.filter((child) => child.name === name);
  const attributes = of("attribute").map(readAttribute);
  const isWhole = of("all-attributes").length > 0;
  return {
    name: required(element, "name"),
    attributes: isWhole ? null : attributes,
    orders: of("order").map((order) => {
      check(order, ["attribute", "alias", "descending"], []);
      const [attribute, alias] = [order.attributes.get("attribute"), order.attributes.get("alias")];
      return {
        attribute: attribute ?? null,
        alias: alias ?? null,
        isDescending: truthOf(order, "descending"),
      };
    }),
    filters: of("filter").map(readFilter),
    links: of("link-entity").map(readLink),
  };
}

function readLink(element: Element): FetchLink {
  const type = element.attributes.get("link-type") ?? "inner";
  const known = LINK_TYPES.find((each) => each === type);
  if (known === undefined) throw wrong(`The link-type '${type}' is not supported.`);
  return {
    ...readEntity(element, LINK_ATTRIBUTES),
    from: required(element, "from"),
    to: required(element, "to"),
    alias: element.attributes.get("alias") ?? null,
    type: known,
  };
}

function readAttribute(element: Element): FetchAttribute {
  check(element, ["name", "alias", "aggregate", "groupby", "dategrouping", "distinct"], []);
  return {
    name: required(element, "name"),
    alias: element.attributes.get("alias") ?? null,
    aggregate: element.attributes.get("aggregate") ?? null,
    isGroup: truthOf(element, "groupby"),
    dateGrouping: element.attributes.get("dategrouping") ?? null,
    isDistinct: truthOf(element, "distinct"),
  };
}

function readFilter(element: Element): FetchFilter {
  check(element, ["type", "hint", "isquickfindfields"], ["condition", "filter"]);
  const type = element.attributes.get("type") ?? "and";
  if (type !== "and" && type !== "or") throw wrong(`The filter type '${type}' is not and or or.`);
  return {
    type,
    conditions: element.children.filter(({ name }) => name === "condition").map(readCondition),
    filters: element.children.filter(({ name }) => name === "filter").map(readFilter),
  };
}

function readCondition(element: Element): FetchCondition {
  check(element, ["attribute", "operator", "value", "entityname"], ["value"]);
  const value = element.attributes.get("value");
  return {
    entity: element.attributes.get("entityname") ?? null,
    attribute: required(element, "attribute"),
    operator: required(element, "operator"),
    values: [...(value === undefined ? [] : [value]), ...element.children.map(({ text }) => text)],
  };
}

function readXml(xml: string): Element {
  if (XMLValidator.validate(xml) !== true) throw wrong("Invalid XML.");
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: "",
    parseTagValue: false,
    parseAttributeValue: false,
  });
  const roots = toElements(parser.parse(xml));
  const [root] = roots.filter(({ name }) => name !== "?xml");
  if (root === undefined) throw wrong("Invalid XML.");
  return root;
}

function toElements(nodes: Record<string, unknown>[]): Element[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ":@" && key !== "#text");
    if (name === undefined) return [];
    const inner = node[name] as Record<string, unknown>[];
    return [
      {
        name,
        attributes: new Map(Object.entries((node[":@"] ?? {}) as Record<string, string>)),
        children: toElements(inner),
        text: inner.map((child) => String(child["#text"] ?? "")).join(""),
      },
    ];
  });
}

function check(element: Element, attributes: readonly string[], children: readonly string[]): void {
  for (const name of element.attributes.keys()) {
    if (!attributes.includes(name))
      throw wrong(`The '${name}' attribute is not declared on '${element.name}'.`);
  }
  for (const { name } of element.children) {
    if (!children.includes(name))
      throw wrong(`The element '${element.name}' has invalid child element '${name}'.`);
  }
}

function required(element: Element, name: string): string {
  const value = element.attributes.get(name);
  if (value) return value;
  throw wrong(`The required attribute '${name}' is missing on '${element.name}'.`);
}

function numberOf(element: Element, name: string): number | null {
  const text = element.attributes.get(name);
  if (text === undefined) return null;
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  throw wrong(`The value '${text}' of '${name}' is not a positive number.`);
}

function truthOf(element: Element, name: string): boolean {
  const text = element.attributes.get(name) ?? "false";
  if (!/^(true|false|1|0)$/.test(text))
    throw wrong(`The value '${text}' of '${name}' is not valid.`);
  return text === "true" || text === "1";
}

export function wrong(message: string): DataverseProblem {
  return new DataverseProblem(400, "0x80041129", `Invalid FetchXML. ${message}`);
}
