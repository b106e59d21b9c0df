import fc from "fast-check";
import { expect, it } from "vitest";
import { createTestContext, tokenFor } from "../../test/helpers/tenant-context.ts";
import { createTenantRequest } from "../http.ts";
import { createDrivesPart } from "./drives-part.ts";

/** Half of the requests leave a part out, so that odd parts occur in otherwise valid requests. */
function mostlyEmpty(...texts: string[]) {
  return fc.oneof(fc.constant(""), fc.constantFrom(...texts));
}

const action = mostlyEmpty(
  "",
  "/content",
  "/children",
  "/createUploadSession",
  "/delta",
  "/delta(token='x')",
  "/preview",
  "/versions",
  "/versions/1.0",
  "/versions/1.0/content",
  "/versions/9.0/restoreVersion",
  "/checkout",
  "/checkin",
  "/discardCheckout",
  "/nonsense",
);
const address = fc.constantFrom(
  "/root",
  "/root:/a.txt:",
  "/root:/a.txt",
  "/root:/a.txt/b.txt:",
  "/root:/x/y/z.pdf:",
  "/root:/%:",
  "/root:/a%2Fb:",
  "/root::",
  "/root:/",
  "/items/x",
  "/items/root",
  "/items/:/a:",
  "",
);
const query = mostlyEmpty(
  "",
  "?$top=1",
  "?$orderby=size desc",
  "?$orderby=",
  "?$expand=children",
  "?$skiptoken=x",
  "?@microsoft.graph.conflictBehavior=rename",
  "?@microsoft.graph.conflictBehavior=x",
  "?token=2026-01-01T00:00:00Z",
  "?token=%",
  "?format=pdf",
);
const key = fc.constantFrom(
  "name",
  "folder",
  "file",
  "parentReference",
  "item",
  "description",
  "deferCommit",
  "@microsoft.graph.sourceUrl",
  "@microsoft.graph.conflictBehavior",
  "displayName",
  "containerTypeId",
  "settings",
  "roles",
  "grantedToV2",
  "comment",
  "page",
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>("b.txt", null, {}, [], { id: 5 }, { path: "/x" }, { user: null }, [
    "owner",
  ]),
);
const body = fc.oneof(
  fc.string(),
  fc.dictionary(key, value, { maxKeys: 2 }).map((object) => JSON.stringify(object)),
);

it("no request, however odd, is answered with a 5xx or an exception", async () => {
  const context = createTestContext({ clock: "virtual", switches: { throttling: false } });
  context.apps.push({ appId: "app", displayName: "A", servicePrincipalId: "sp" } as never);
  const part = createDrivesPart(context);
  const { defaultContainerId } = part.admin;
  const place = fc.oneof(
    fc.tuple(address, action).map(([at, what]) => `/v1.0/drives/${defaultContainerId}${at}${what}`),
    fc.constantFrom(
      "/v1.0/storage/fileStorage/containers",
      `/v1.0/storage/fileStorage/containers/${defaultContainerId}`,
      `/v1.0/storage/fileStorage/containers/${defaultContainerId}/permissions`,
      `/v1.0/storage/fileStorage/containers/${defaultContainerId}/permissions/x`,
      "/v1.0/storage/fileStorage/deletedContainers/x/restore",
      "/v1.0/storage/fileStorage",
      "/upload/drive/x",
      "/download/drive/x.y",
    ),
  );
  const method = fc.constantFrom("GET", "POST", "PATCH", "PUT", "DELETE", "HEAD");
  await fc.assert(
    fc.asyncProperty(fc.tuple(method, place, query, body), async ([verb, path, options, text]) => {
      if (verb === "DELETE" && path.endsWith(defaultContainerId)) return;
      const answer = await part.handle(
        createTenantRequest({
          method: verb,
          target: path + options,
          headers: {
            authorization: tokenFor({ appId: "app", roles: ["FileStorageContainer.Selected"] }),
          },
          body: text,
        }),
      );
      expect(answer!.status).toBeLessThan(500);
    }),
    { numRuns: 1500 },
  );
});
