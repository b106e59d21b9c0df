/** The page of what is modelled is made from the tables that the tenant itself answers by. */
import { afterAll, expect, it } from "vitest";
import { BULK, SHARING } from "./dataverse/actions.ts";
import { FUNCTIONS } from "./dataverse/functions.ts";
import { COUNT_OPTIONS, LIST_OPTIONS, ROW_OPTIONS } from "./dataverse/query/options.ts";
import { DOCUMENT_TABLES } from "./dataverse/schema/schema-documents.ts";
import { STANDARD_TABLES } from "./dataverse/schema/schema-standard.ts";
import { CONTAINER_ROUTES, DELETED_CONTAINER_ROUTES } from "./drives/container-routes.ts";
import { ITEM_ROUTES } from "./drives/drives-part.ts";
import { GRANTS } from "./entra/token-endpoint.ts";
import { UNMODELLED } from "./graph/messages/unmodelled-routes.ts";
import { createTenant } from "./index.ts";

const tenant = await createTenant({ host: null, company: "none", serviceBus: false });
afterAll(() => tenant.close());

const code = (text: string) => `\`${text}\``;
const list = (names: readonly string[]) => names.map(code).join(" ") || "none";
const refused = new Set(UNMODELLED.map(([path]) => path));

/** A pattern of an item's action as a path: `versions/{id}/content`. */
function toPath(pattern: RegExp): string {
  return pattern.source
    .replace(/^\^|\$$/g, "")
    .replaceAll("(?:microsoft\\.graph\\.)?", "")
    .replaceAll("\\/", "/")
    .replace("(?:\\(token='([^']*)'\\)|\\(\\))?", "(token='…')")
    .replace("\\(q=(?:'|%27)(.*)(?:'|%27)\\)", "(q='…')")
    .replace("(?:/(content))?", "[/content]")
    .replaceAll("([^/]+)", "{id}");
}

function merged(rows: readonly (readonly [method: string, path: string, options: string])[]) {
  const groups = new Map<string, [path: string, methods: string[], options: string]>();
  for (const [method, path, options] of rows) {
    const group = groups.get(`${path} ${options}`);
    if (group === undefined) groups.set(`${path} ${options}`, [path, [method], options]);
    else group[1].push(method);
  }
  return [...groups.values()].map(
    ([path, methods, options]) => `| ${methods.join(" ")} | ${code(path)} | ${options} |`,
  );
}

it("the page of what is modelled is made from the routes", async () => {
  const graph = tenant.graph.routes
    .filter(({ pattern }) => !refused.has(pattern))
    .map(({ method, pattern, options }) => [method, pattern, list(options)] as const);
  const items = ITEM_ROUTES.map(
    ([method, pattern, , options]) => [method, `…/${toPath(pattern)}`, list(options)] as const,
  );
  const storage = [
    ["", CONTAINER_ROUTES],
    ["deletedContainers", DELETED_CONTAINER_ROUTES],
  ] as const;
  const containers = storage.flatMap(([place, routes]) =>
    routes.map(([method, pattern, options]) => {
      const path = place === "" ? "…" : `/storage/fileStorage/${place}/{id}`;
      return [method, `${path}/${toPath(pattern)}`.replace(/\/$/, ""), list(options)] as const;
    }),
  );
  const tables = [...STANDARD_TABLES, ...DOCUMENT_TABLES].map(({ setName }) => setName);
  const page = [
    "# What the local tenant models",
    "",
    "This page is made from the tenant's own tables by `npx vitest run tenant/modelled.test.ts -u`. The tenant",
    "refuses every path, query option and property that is not listed here or in [tenant.md](tenant.md).",
    "",
    "## Graph",
    "Paths are below `/v1.0` and `/beta`. `/me` stands for the signed-in user.",
    "",
    "| method | path | query options |",
    "|---|---|---|",
    ...merged(graph),
    "",
    "Answered 501 `NotImplemented`: ".concat(list([...refused])),
    "",
    "## Items of a drive",
    "Below `/drives/{drive}/root`, `/drives/{drive}/items/{item}` and `/drives/{drive}/root:/{path}:`.",
    "",
    "| method | path | query options |",
    "|---|---|---|",
    ...merged(items),
    "",
    "## Containers",
    "Below `/storage/fileStorage/containers/{id}`; the collections take `GET` with `$filter` `$select` `$expand`, and `POST`.",
    "",
    "| method | path | query options |",
    "|---|---|---|",
    ...merged(containers),
    "",
    "## Dataverse",
    `- Sets: ${list(tables)}`,
    `- Query options of a list: ${list(LIST_OPTIONS)}`,
    `- Query options of one row: ${list(ROW_OPTIONS)}; of \`/$count\`: ${list(COUNT_OPTIONS)}`,
    `- Functions: ${list([...FUNCTIONS])} and, bound to a user, \`RetrievePrincipalAccess\``,
    `- Actions: ${list([...SHARING])} and, bound to a set, ${list(Object.keys(BULK))}`,
    "",
    "## Entra",
    `- Grants: ${list(Object.keys(GRANTS))}`,
    "",
  ].join("\n");
  await expect(page).toMatchFileSnapshot("../docs/tenant-routes.md");
});
