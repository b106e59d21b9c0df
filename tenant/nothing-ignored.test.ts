/**
 * No route answers 2xx to an option that it ignored. Every option of OData is tried at every route; unless
 * the response is a refusal, it must show the effect of the option.
 */
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { FUNCTIONS } from "./dataverse/functions.ts";
import { COUNT_OPTIONS, LIST_OPTIONS, ROW_OPTIONS } from "./dataverse/query/options.ts";
import { CONTAINER_ROUTES, DELETED_CONTAINER_ROUTES } from "./drives/container-routes.ts";
import { ITEM_ROUTES } from "./drives/drives-part.ts";
import { UNMODELLED } from "./graph/messages/unmodelled-routes.ts";
import { createTenant, createTenantRequest } from "./index.ts";

const REFUSED = new Set(UNMODELLED.map(([path]) => path));

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Loose = any;

const tenant = await createTenant({
  host: null,
  clock: "virtual",
  company: "none",
  switches: { throttling: false, tokenLifetimeSeconds: 86_400 },
});
afterAll(() => tenant.close());

const user = tenant.users[1]!.id;
const drive = tenant.drives.admin.defaultContainerId;
const graphToken = tenant.tokenFor({});
const dataverseToken = tenant.tokenFor({ scope: `${tenant.origin}/.default` });
const place: Record<string, string> = {};

async function ask(
  method: string,
  target: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ status: number; headers: Record<string, string>; json: Loose; text: string }> {
  const token = target.startsWith("/api/") ? dataverseToken : graphToken;
  const answer = await tenant.handle(
    createTenantRequest({
      method,
      target,
      headers: {
        authorization: `Bearer ${token}`,
        consistencylevel: "eventual",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  );
  const text = answer.body.toString();
  const isJson = /^\s*[{[]/.test(text);
  return {
    status: answer.status,
    headers: answer.headers,
    json: isJson ? JSON.parse(text) : null,
    text,
  };
}

beforeAll(async () => {
  for (const subject of ["alpha", "beta", "gamma"]) {
    await tenant.graph.admin.sendMail({
      to: user,
      subject,
      attachments: [
        { name: `${subject}-1.txt`, bytes: Buffer.from("one") },
        { name: `${subject}-2.txt`, bytes: Buffer.from("two") },
      ],
    });
  }
  place["message"] = tenant.graph.admin.mailboxTruth(user)[0]!.id;
  const listed = await ask("GET", `/v1.0/users/${user}/messages/${place["message"]}/attachments`);
  place["attachment"] = listed.json.value[0].id;
  for (const name of ["a.txt", "b.txt", "c.txt"]) {
    const made = await ask("PUT", `/v1.0/drives/${drive}/root:/${name}:/content`, { body: name });
    place["item"] = made.json.id;
  }
  const link = await ask("POST", `/v1.0/drives/${drive}/items/${place["item"]}/createLink`, {
    body: { type: "view", scope: "organization" },
  });
  place["permission"] = link.json.id;
  const { containerTypeId } = tenant.drives.admin;
  const storage = "/v1.0/storage/fileStorage/containers";
  const dropped = await ask("POST", storage, { body: { displayName: "old", containerTypeId } });
  place["dropped"] = dropped.json.id;
  await ask("DELETE", `${storage}/${dropped.json.id}`);
  const column = { name: "Matter", text: {} };
  place["column"] = (await ask("POST", `${storage}/${drive}/columns`, { body: column })).json.id;
  const member = {
    roles: ["reader"],
    grantedToV2: { user: { userPrincipalName: tenant.users[2]!.userPrincipalName } },
  };
  const joined = await ask("POST", `${storage}/${drive}/permissions`, { body: member });
  place["member"] = joined.json.id;
  await ask("PATCH", `${storage}/${drive}/customProperties`, { body: { owner: { value: "me" } } });
  const principals = await ask("GET", "/v1.0/servicePrincipals");
  place["principal"] = principals.json.value[0].id;
  place["application"] = (await ask("GET", "/v1.0/applications")).json.value[0].id;
  const subscription = await ask("POST", "/v1.0/subscriptions", {
    body: {
      changeType: "created",
      notificationUrl: "EventHub:https://ns.example/eventhubname/notifications?tenantId=a.example",
      resource: `users/${user}/messages`,
      expirationDateTime: new Date(tenant.clock.now() + 86_400_000).toISOString(),
    },
  });
  place["subscription"] = subscription.json.id;
  for (const name of ["Alpha", "Beta", "Gamma"]) {
    const made = await ask("POST", "/api/data/v9.2/accounts", { body: { name } });
    place["account"] = /\(([^)]+)\)$/.exec(made.headers["odata-entityid"]!)![1]!;
  }
});

/** Each route with how its items are named and sorted, and whether they exist. */
interface Route {
  readonly path: () => string;
  readonly key: string;
  readonly text: string;
}

const mail = `/v1.0/users/${user}`;
const data = "/api/data/v9.2";
const ROUTES: readonly Route[] = [
  { path: () => "/v1.0/users", key: "id", text: "displayName" },
  { path: () => mail, key: "id", text: "displayName" },
  { path: () => `${mail}/mailFolders`, key: "id", text: "displayName" },
  { path: () => `${mail}/mailFolders/inbox`, key: "id", text: "displayName" },
  { path: () => `${mail}/mailFolders/inbox/childFolders`, key: "id", text: "displayName" },
  { path: () => `${mail}/mailFolders/$count`, key: "id", text: "displayName" },
  { path: () => `${mail}/mailFolders/delta`, key: "id", text: "displayName" },
  { path: () => `${mail}/mailFolders/inbox/messages`, key: "id", text: "subject" },
  { path: () => `${mail}/mailFolders/inbox/messages/delta`, key: "id", text: "subject" },
  { path: () => `${mail}/messages`, key: "id", text: "subject" },
  { path: () => `${mail}/messages/$count`, key: "id", text: "subject" },
  { path: () => `${mail}/messages/${place["message"]}`, key: "id", text: "subject" },
  { path: () => `${mail}/messages/${place["message"]}/$value`, key: "id", text: "subject" },
  { path: () => `${mail}/messages/${place["message"]}/attachments`, key: "id", text: "name" },
  {
    path: () => `${mail}/messages/${place["message"]}/attachments/$count`,
    key: "id",
    text: "name",
  },
  {
    path: () => `${mail}/messages/${place["message"]}/attachments/${place["attachment"]}`,
    key: "id",
    text: "name",
  },
  {
    path: () => `${mail}/messages/${place["message"]}/attachments/${place["attachment"]}/$value`,
    key: "id",
    text: "name",
  },
  { path: () => "/v1.0/subscriptions", key: "id", text: "resource" },
  {
    path: () => `/v1.0/subscriptions/${place["subscription"]}`,
    key: "id",
    text: "resource",
  },
  { path: () => "/v1.0/users/$count", key: "id", text: "displayName" },
  {
    path: () => `/v1.0/servicePrincipals/${place["principal"]}`,
    key: "id",
    text: "displayName",
  },
  {
    path: () => `/v1.0/servicePrincipals/${place["principal"]}/appRoleAssignments`,
    key: "id",
    text: "principalDisplayName",
  },
  {
    path: () => `/v1.0/servicePrincipals/${place["principal"]}/appRoleAssignedTo`,
    key: "id",
    text: "principalDisplayName",
  },
  ...[
    "$count",
    "message/$value",
    "message/attachments",
    "message/attachments/$count",
    "message/attachments/attachment",
    "message/attachments/attachment/$value",
  ].map((ending) => ({
    path: () =>
      `${mail}/mailFolders/inbox/messages/${ending
        .replace(/^message/, place["message"]!)
        .replace(/attachment(?=\/\$value|$)/, place["attachment"]!)}`,
    key: "id",
    text: ending === "$count" ? "subject" : "name",
  })),
  {
    path: () => `/v1.0/drives/${drive}/items/${place["item"]}/permissions/${place["permission"]}`,
    key: "id",
    text: "roles",
  },
  {
    path: () => `/v1.0/drives/${drive}/items/${place["item"]}/versions/1.0`,
    key: "id",
    text: "id",
  },
  { path: () => "/v1.0/servicePrincipals", key: "id", text: "displayName" },
  { path: () => "/v1.0/applications", key: "id", text: "displayName" },
  { path: () => `/v1.0/applications/${place["application"]}`, key: "id", text: "displayName" },
  { path: () => `/v1.0/drives/${drive}`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/root`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/root/children`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/root/delta`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/root/search(q='txt')`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/items/${place["item"]}`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/items/${place["item"]}/content`, key: "id", text: "name" },
  { path: () => `/v1.0/drives/${drive}/items/${place["item"]}/versions`, key: "id", text: "name" },
  {
    path: () => `/v1.0/drives/${drive}/items/${place["item"]}/permissions`,
    key: "id",
    text: "name",
  },
  {
    path: () => `/v1.0/drives/${drive}/items/${place["item"]}/thumbnails`,
    key: "id",
    text: "name",
  },
  { path: () => `/v1.0/drives/${drive}/items/${place["item"]}/listItem`, key: "id", text: "id" },
  {
    path: () => `/v1.0/drives/${drive}/items/${place["item"]}/listItem/fields`,
    key: "id",
    text: "id",
  },
  { path: () => `/v1.0/storage/fileStorage/containers/${drive}`, key: "id", text: "displayName" },
  { path: () => `/v1.0/storage/fileStorage/containers/${drive}/drive`, key: "id", text: "name" },
  {
    path: () => `/v1.0/storage/fileStorage/containers/${drive}/permissions`,
    key: "id",
    text: "id",
  },
  { path: () => `/v1.0/storage/fileStorage/containers/${drive}/columns`, key: "id", text: "name" },
  ...["permissions/member", "columns/column", "customProperties", "customProperties/owner"].map(
    (ending) => ({
      path: () =>
        `/v1.0/storage/fileStorage/containers/${drive}/${ending.replace(/(?<=\/)(member|column)$/, (name) => place[name]!)}`,
      key: "id",
      text: ending.startsWith("columns") ? "name" : "id",
    }),
  ),
  {
    path: () => `/v1.0/storage/fileStorage/containers/${drive}/recycleBin/items`,
    key: "id",
    text: "name",
  },
  {
    path: () => `/v1.0/storage/fileStorage/deletedContainers/${place["dropped"]}`,
    key: "id",
    text: "displayName",
  },
  { path: () => `${data}/`, key: "name", text: "name" },
  { path: () => `${data}/$metadata`, key: "name", text: "name" },
  { path: () => `${data}/WhoAmI`, key: "UserId", text: "UserId" },
  { path: () => `${data}/accounts`, key: "accountid", text: "name" },
  { path: () => `${data}/accounts/$count`, key: "accountid", text: "name" },
  { path: () => `${data}/accounts(${place["account"]})`, key: "accountid", text: "name" },
  { path: () => `${data}/accounts(${place["account"]})/name`, key: "accountid", text: "name" },
  {
    path: () => `${data}/accounts(${place["account"]})/createdby`,
    key: "systemuserid",
    text: "fullname",
  },
  {
    path: () => `${data}/accounts(${place["account"]})/createdby/$ref`,
    key: "systemuserid",
    text: "fullname",
  },
  {
    path: () => `${data}/accounts(${place["account"]})/Account_Tasks`,
    key: "activityid",
    text: "subject",
  },
  {
    path: () => `${data}/accounts(${place["account"]})/Account_Tasks/$ref`,
    key: "activityid",
    text: "subject",
  },
  { path: () => `${data}/EntityDefinitions`, key: "MetadataId", text: "LogicalName" },
  {
    path: () => `${data}/EntityDefinitions(LogicalName='account')`,
    key: "MetadataId",
    text: "LogicalName",
  },
  {
    path: () => `${data}/EntityDefinitions(LogicalName='account')/Attributes`,
    key: "MetadataId",
    text: "LogicalName",
  },
  { path: () => `${data}/RelationshipDefinitions`, key: "MetadataId", text: "SchemaName" },
  ...["name/$value", "Account_Tasks/$count"].map((ending) => ({
    path: () => `${data}/accounts(${place["account"]})/${ending}`,
    key: "activityid",
    text: "subject",
  })),
  ...["Attributes(LogicalName='name')", "Attributes(LogicalName='statecode')"].map((ending) => ({
    path: () => `${data}/EntityDefinitions(LogicalName='account')/${ending}`,
    key: "MetadataId",
    text: "LogicalName",
  })),
  ...["ManyToOneRelationships", "OneToManyRelationships", "ManyToManyRelationships", "Keys"].map(
    (ending) => ({
      path: () => `${data}/EntityDefinitions(LogicalName='account')/${ending}`,
      key: "MetadataId",
      text: "SchemaName",
    }),
  ),
  {
    path: () =>
      `${data}/RelationshipDefinitions/Microsoft.Dynamics.CRM.OneToManyRelationshipMetadata`,
    key: "MetadataId",
    text: "SchemaName",
  },
];

const below = (place: string, { source }: RegExp) =>
  new RegExp(`^${place}${source === "^$" ? "$" : `/${source.slice(1)}`}`, "i");
const storage = "/v1.0/storage/fileStorage";
const row = `^${data}/accounts\\([^)]+\\)`;

/** Routes that read, and the options they honour, as the tables of the parts have them. */
const readRoutes: readonly (readonly [RegExp, readonly string[]])[] = [
  ...tenant.graph.routes
    .filter(({ method, pattern }) => method === "GET" && !REFUSED.has(pattern))
    .map(({ pattern, options }) => {
      const place = pattern.replace(/\{[^}]+\}/g, "[^/]+").replaceAll("$", "\\$");
      return [new RegExp(`^/v1.0${place}$`), options] as const;
    }),
  ...ITEM_ROUTES.filter(([method]) => method === "GET").map(
    ([, pattern, , options]) =>
      [below("/v1.0/drives/[^/]+/(?:root|items/[^/]+)", pattern), options] as const,
  ),
  ...CONTAINER_ROUTES.filter(([method]) => method === "GET").map(
    ([, pattern, options]) => [below(`${storage}/containers/[^/]+`, pattern), options] as const,
  ),
  ...DELETED_CONTAINER_ROUTES.filter(([method]) => method === "GET").map(
    ([, pattern, options]) =>
      [below(`${storage}/deletedContainers/[^/]+`, pattern), options] as const,
  ),
  [new RegExp(`^${data}/accounts$`), LIST_OPTIONS],
  [new RegExp(`${row}/Account_Tasks$`), LIST_OPTIONS],
  [new RegExp(`^${data}/accounts/\\$count$`), COUNT_OPTIONS],
  [new RegExp(`${row}$`), ROW_OPTIONS],
  [new RegExp(`${row}/createdby$`), ROW_OPTIONS],
];

it("every route that reads is among those that are tried", () => {
  const tried = ROUTES.map(({ path }) => path());
  const missing = readRoutes.filter(([route]) => !tried.some((path) => route.test(path)));
  expect(missing.map(([route]) => String(route))).toEqual([]);
});

const itemsOf = (json: Loose): Loose[] =>
  Array.isArray(json?.value) ? json.value : json === null ? [] : [json];
const own = (item: Loose) => Object.keys(item).filter((name) => !name.includes("@"));

/** An option, and what the response must show if it was honoured. */
interface Option {
  readonly query: (route: Route) => string;
  readonly isObeyed: (
    answer: { json: Loose; text: string },
    route: Route,
    plain: { json: Loose; text: string },
  ) => boolean;
}

const never = () => false;
const OPTIONS: Readonly<Record<string, Option>> = {
  $select: {
    query: ({ text }) => `$select=${text}`,
    isObeyed: ({ json }, { key, text }) =>
      itemsOf(json).every((item) => own(item).every((name) => [key, text].includes(name))),
  },
  $top: { query: () => "$top=1", isObeyed: ({ json }) => itemsOf(json).length <= 1 },
  $skip: {
    query: () => "$skip=1",
    isObeyed: ({ json }, { key }, plain) =>
      JSON.stringify(itemsOf(json).map((item) => item[key])) ===
      JSON.stringify(
        itemsOf(plain.json)
          .slice(1)
          .map((item) => item[key]),
      ),
  },
  $count: {
    query: () => "$count=true",
    isObeyed: ({ json }) => typeof json?.["@odata.count"] === "number",
  },
  $filter: {
    query: ({ text }) => `$filter=${encodeURIComponent(`${text} eq 'no such thing'`)}`,
    isObeyed: ({ json, text }) =>
      text === "0" || (Array.isArray(json?.value) && json.value.length === 0),
  },
  $orderby: {
    query: ({ text }) => `$orderby=${encodeURIComponent(`${text} desc`)}`,
    isObeyed({ json }, { text }) {
      const names = itemsOf(json).map((item) => String(item[text]).toLowerCase());
      return JSON.stringify(names) === JSON.stringify([...names].sort().reverse());
    },
  },
  $search: {
    query: () => `$search=${encodeURIComponent('"nosuchword"')}`,
    isObeyed: ({ json, text }) =>
      text === "0" || (Array.isArray(json?.value) && json.value.length === 0),
  },
  $expand: { query: () => "$expand=nothing", isObeyed: never },
  $apply: { query: () => "$apply=nothing", isObeyed: never },
  $compute: { query: () => "$compute=nothing", isObeyed: never },
  $format: { query: () => "$format=atom", isObeyed: never },
  $levels: { query: () => "$levels=2", isObeyed: never },
  $skiptoken: { query: () => "$skiptoken=x%20y", isObeyed: never },
  $deltatoken: { query: () => "$deltatoken=x%20y", isObeyed: never },
  fetchXml: { query: () => "fetchXml=x", isObeyed: never },
};

it.each(Object.keys(OPTIONS))("%s is honoured or refused at every route", async (name) => {
  const { query, isObeyed } = OPTIONS[name]!;
  const ignored: string[] = [];
  for (const route of ROUTES) {
    const path = route.path();
    const plain = await ask("GET", path);
    expect([path, plain.status]).toEqual([path, plain.status < 400 ? plain.status : 0]);
    const answer = await ask("GET", `${path}?${query(route)}`);
    expect([path, answer.status]).toEqual([path, answer.status < 500 ? answer.status : 0]);
    if (answer.status < 400 && !isObeyed(answer, route, plain))
      ignored.push(`${path}?${query(route)}`);
  }
  expect(ignored).toEqual([]);
});

it("an unknown option is refused at every route", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ROUTES),
      fc.stringMatching(/^\$?[a-z]{3,12}$/).filter((name) => !KNOWN.has(name.replace("$", ""))),
      async (route, name) => {
        const { status } = await ask("GET", `${route.path()}?${encodeURIComponent(name)}=1`);
        expect([route.path(), name, status]).toEqual([route.path(), name, 400]);
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});

/** Names that some route has, so that drawing one of them proves nothing. */
const KNOWN = new Set([
  ...["select", "top", "skip", "count", "filter", "orderby", "search", "expand", "token", "format"],
  ...["annotations", "skiptoken", "deltatoken", "apply"],
]);

/** For each option that some route honours, values that it cannot have. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  $select: ["nobodyKnowsThis"],
  $filter: ["nobodyKnowsThis eq 1", "("],
  $orderby: ["nobodyKnowsThis", "name sideways"],
  $expand: ["nobodyKnowsThis"],
  $search: ['"nobodyKnows:this"'],
  $top: ["-1", "x"],
  $skip: ["-1", "x"],
  $count: ["perhaps"],
  $skiptoken: ["x y"],
  $deltatoken: ["x y"],
  $apply: ["nobodyKnowsThis"],
  fetchXml: ["<fetch>"],
  includeHiddenFolders: ["perhaps"],
  changeType: ["sideways"],
  token: ["x y"],
  format: ["sideways"],
};

it("an option that a route honours is refused with a value that it cannot have", async () => {
  const accepted: string[] = [];
  for (const [route, options] of readRoutes) {
    const path = ROUTES.map((each) => each.path()).find((each) => route.test(each))!;
    for (const option of options) {
      for (const value of WRONG[option] ?? ["no wrong value is known"]) {
        const target = `${path}?${option}=${encodeURIComponent(value)}`;
        const { status } = await ask("GET", target);
        if (status < 400 || status >= 500) accepted.push(`${status} ${target}`);
      }
    }
  }
  expect(accepted).toEqual([]);
});

/** What can be expanded somewhere, with room for options in its parentheses. */
const EXPANSIONS = [
  ...["attachments", "childFolders", "children", "listItem", "permissions", "thumbnails"],
  ...["drive", "fields", "createdby", "Account_Tasks", "Attributes"],
  "microsoft.graph.itemattachment/item",
  "singleValueExtendedProperties($filter=id eq 'Integer 0x7';",
  "multiValueExtendedProperties($filter=id eq 'Integer 0x7';",
];
const INNER = [
  ...["$select=nobodyKnowsThis", "$orderby=nobodyKnowsThis", "$filter=nobodyKnowsThis eq 1"],
  ...["$expand=nobodyKnowsThis", "$top=x", "$skip=1", "$count=perhaps", "$search=x", "$levels=2"],
  ...["$apply=x", "nobody=1"],
];

it("an option inside an $expand is honoured or refused, too", async () => {
  const accepted: string[] = [];
  const expanded = new Set<string>();
  for (const route of ROUTES) {
    for (const expansion of EXPANSIONS) {
      const [name, opened = ""] = expansion.split("(");
      const close = (inner: string) => (opened + inner === "" ? "" : `(${opened}${inner})`);
      const target = (inner: string) =>
        `${route.path()}?$expand=${encodeURIComponent(`${name}${close(inner)}`)}`;
      if ((await ask("GET", target("").replace("%3B)", ")"))).status !== 200) continue;
      expanded.add(name!);
      for (const inner of INNER) {
        const { status } = await ask("GET", target(inner));
        if (status !== 400) accepted.push(`${status} ${decodeURIComponent(target(inner))}`);
      }
    }
  }
  expect(accepted).toEqual([]);
  expect([...expanded].sort()).toEqual(EXPANSIONS.map((each) => each.split("(")[0]).sort());
});

it("every table of Dataverse refuses what it does not know", async () => {
  const service = await ask("GET", `${data}/`);
  for (const { url } of service.json.value) {
    for (const [option, value] of Object.entries(WRONG)) {
      if (!LIST_OPTIONS.includes(option)) continue;
      const target = `${data}/${url}?${option}=${encodeURIComponent(value[0]!)}`;
      expect([target, (await ask("GET", target)).status]).toEqual([target, 400]);
    }
  }
});

it.each([...FUNCTIONS])(
  "the function %s refuses an option and an argument that it does not have",
  async (name) => {
    const args = name === "RetrieveTotalRecordCount" ? "EntityNames=['account']" : "";
    const plain = await ask("GET", `${data}/${name}(${args})`);
    expect(plain.status).toBe(200);
    for (const target of [`${name}(${args})?$select=x`, `${name}(${args && `${args},`}Nobody=1)`]) {
      const { status } = await ask("GET", `${data}/${target}`);
      expect([target, status < 500 && status >= 400]).toEqual([target, true]);
    }
  },
);

/** Headers that would change what a read means, and that no route obeys. */
const NOT_OBEYED: readonly (readonly [number, Record<string, string>])[] = [
  [501, { "x-http-method": "DELETE" }],
  [501, { "x-http-method-override": "DELETE" }],
  [415, { "content-encoding": "gzip" }],
  [400, { "content-range": "bytes 0-1/2" }],
  [400, { "odata-version": "3.0" }],
  [400, { "odata-maxversion": "3.0" }],
  [406, { accept: "application/json;odata.metadata=full" }],
  [406, { accept: "application/json;odata.metadata=colourful" }],
  [406, { accept: "application/json;IEEE754Compatible=true" }],
];

it("a header that a read would ignore is refused at every route", async () => {
  for (const route of ROUTES) {
    for (const [status, headers] of NOT_OBEYED) {
      const name = `${route.path()} ${JSON.stringify(headers)}`;
      const answer = await ask("GET", route.path(), { headers });
      expect([name, answer.status]).toEqual([name, status]);
      expect(answer.json.error.message.length).toBeGreaterThan(20);
    }
  }
});

it("If-Match and If-None-Match are obeyed wherever a read shows something (RFC 9110, 13.1)", async () => {
  const tagged: string[] = [];
  for (const route of ROUTES) {
    const path = route.path();
    const plain = await ask("GET", path);
    if (plain.status !== 200) continue; // conditions matter to what would succeed
    const tag = plain.headers["etag"] ?? plain.json?.["@odata.etag"] ?? plain.json?.eTag;
    const status = async (headers: Record<string, string>) =>
      (await ask("GET", path, { headers })).status;
    expect([path, await status({ "if-match": '"x"' })]).toEqual([path, 412]);
    expect([path, await status({ "if-none-match": '"x", W/"y"' })]).toEqual([path, 200]);
    expect([path, await status({ "if-none-match": "null" })]).toEqual([path, 200]);
    if (tag === undefined) continue;
    expect([path, await status({ "if-match": `"x", ${tag}` })]).toEqual([path, 200]);
    // A related row's tag belongs to that row.
    if (path.includes("/createdby")) continue;
    expect([path, await status({ "if-none-match": `"x", ${tag}` })]).toEqual([path, 304]);
    tagged.push(path);
  }
  expect(tagged.length).toBeGreaterThan(4);
});

/** Headers that change nothing, each with where that is written. */
const WITHOUT_EFFECT: readonly (readonly [string, Record<string, string>])[] = [
  ["RFC 9110, 14.2, and driveitem-get-content", { range: "bytes=0-0" }],
  ["RFC 9110, 13.1.3", { "if-modified-since": "Wed, 01 Jan 2031 00:00:00 GMT" }],
  ["RFC 9110, 13.1.4", { "if-unmodified-since": "Wed, 01 Jan 2020 00:00:00 GMT" }],
  ["RFC 9110, 12.5.4", { "accept-language": "de" }],
  ["RFC 7240, 2", { prefer: "handling=strict, wait=1" }],
  ["Dataverse: compose-http-requests-handle-errors", { consistency: "Strong" }],
  ["Dataverse: optional-parameters", { "mscrm.suppresscallbackregistrationexpanderjob": "true" }],
];

it.each(WITHOUT_EFFECT)("as %s has it, %o changes no read", async (_where, headers) => {
  for (const route of ROUTES) {
    const seen = async (more: Record<string, string>) => {
      const {
        status,
        json,
        text,
        headers: shown,
      } = await ask("GET", route.path(), { headers: more });
      const keys = json === null ? text.length : itemsOf(json).map((item) => item[route.key]);
      return [route.path(), status, keys, shown["preference-applied"]];
    };
    expect(await seen(headers)).toEqual(await seen({}));
  }
});

it("a page size is in Preference-Applied where the page has it, and nowhere else", async () => {
  for (const route of ROUTES) {
    const applied = async (prefer: string) => {
      const answer = await ask("GET", route.path(), { headers: { prefer } });
      return [answer.headers["preference-applied"] ?? "", itemsOf(answer.json).length] as const;
    };
    for (const size of ["x", "0", "-1", ""]) {
      expect([route.path(), (await applied(`odata.maxpagesize=${size}`))[0]]).toEqual([
        route.path(),
        "",
      ]);
    }
    const [shown, count] = await applied("odata.maxpagesize=1");
    if (shown.includes("maxpagesize"))
      expect([route.path(), count <= 1]).toEqual([route.path(), true]);
    const tracked = await ask("GET", route.path(), { headers: { prefer: "odata.track-changes" } });
    const hasLink =
      tracked.json?.["@odata.deltaLink"] !== undefined && route.path().startsWith(data);
    const echoes = (tracked.headers["preference-applied"] ?? "").includes("track-changes");
    expect([route.path(), echoes]).toEqual([route.path(), hasLink]);
  }
});

it("people are not counted for a header with another value than eventual", async () => {
  const headers = { consistencylevel: "strong" };
  const { json } = await ask("GET", "/v1.0/users?$count=true", { headers });
  expect(json["@odata.count"]).toBeUndefined();
});

it("a part of a file is sent only if the caller has the rest of the same version (RFC 9110, 13.1.5)", async () => {
  const content = await ask("GET", `/v1.0/drives/${drive}/items/${place["item"]}/content`);
  const target = content.headers["location"]!.slice(tenant.origin.length);
  const tag = (await ask("GET", target)).headers["etag"]!;
  const status = async (condition: string) =>
    (await ask("GET", target, { headers: { range: "bytes=0-0", "if-range": condition } })).status;
  expect([await status(tag), await status('"old"'), await status(`W/${tag}`)]).toEqual([
    206, 200, 200,
  ]);
});

it("a preference that is not honoured is missing from Preference-Applied", async () => {
  for (const route of ROUTES) {
    const answer = await ask("GET", route.path(), {
      headers: { prefer: 'odata.nobody-knows-this, respond-async, IdType="Colourful"' },
    });
    expect(answer.headers["preference-applied"] ?? "").toBe("");
  }
});
