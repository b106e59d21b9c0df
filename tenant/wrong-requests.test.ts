import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { createTenant, createTenantRequest } from "./index.ts";

const tenant = await createTenant({
  host: null,
  clock: "virtual",
  company: "small",
  switches: { throttling: false },
});
afterAll(() => tenant.close());
const user = tenant.users[0]!.userPrincipalName;
const message = encodeURIComponent(tenant.graph.admin.mailboxTruth(user)[0]!.id);
const drive = tenant.drives.admin.defaultContainerId;
const appToken = tenant.tokenFor({});
const userToken = tenant.tokenFor({ user });
const dataverseToken = tenant.tokenFor({ scope: `${tenant.origin}/.default` });

const piece = fc.oneof(
  fc.constantFrom(
    "users",
    user,
    "nobody@ashdown.example",
    "me",
    "mailFolders",
    "inbox",
    "messages",
    message,
    "attachments",
    "delta",
    "$value",
    "$count",
    "$batch",
    "move",
    "subscriptions",
    "drives",
    drive,
    "root",
    "children",
    "content",
    "createUploadSession",
    "items",
    "root:",
    "a%20b.pdf:",
    "storage",
    "fileStorage",
    "containers",
    "versions",
    "accounts",
    "systemusers",
    "WhoAmI",
    "EntityDefinitions",
    "%",
    "..",
    "mailFolders('inbox')",
  ),
  fc.string({ maxLength: 12 }).map(encodeURIComponent),
);
const query = fc.oneof(
  fc.constantFrom(
    "",
    "?$top=0",
    "?$top=-1",
    "?$top=x",
    "?$filter=nonsense",
    "?$filter=isRead eq",
    "?$orderby=zzz",
    "?$select=,,",
    "?$skiptoken=zzz",
    "?$deltatoken=zzz",
    "?$expand=attachments",
    "?$count=maybe",
    "?%",
    "?token=zzz",
    "?$filter=receivedDateTime ge 2026-01-01T00:00:00Z&$orderby=subject",
  ),
  fc.string({ maxLength: 20 }).map((text) => `?${encodeURIComponent(text)}`),
);
const body = fc.oneof(
  fc.constantFrom(
    "",
    "{",
    "[]",
    "null",
    '"text"',
    "{}",
    '{"destinationId":5}',
    '{"requests":[{"id":1}]}',
    '{"requests":{}}',
    '{"changeType":"created","notificationUrl":"x","resource":5,"expirationDateTime":"soon"}',
    '{"subject":{},"toRecipients":[5]}',
    '{"inputIds":"x"}',
    '{"item":7}',
    '{"AttachmentItem":null}',
    '{"@odata.type":"#microsoft.graph.fileAttachment","name":null,"contentBytes":5}',
    '{"displayName":null}',
  ),
  fc.json({ maxDepth: 2 }),
);
const root = fc.constantFrom(
  "/v1.0",
  "/beta",
  "/api/data/v9.2",
  `/${tenant.tenantId}/oauth2/v2.0`,
  "/upload",
  "/download",
  "/v2.0",
  "",
);

/** Valid paths: for these, the error is in the method, the query or the body. */
const known = fc.constantFrom(
  ...[
    `/users/${user}`,
    `/users/${user}/messages`,
    `/users/${user}/messages/${message}`,
    `/users/${user}/messages/${message}/move`,
    `/users/${user}/messages/${message}/copy`,
    `/users/${user}/messages/${message}/send`,
    `/users/${user}/messages/${message}/attachments`,
    `/users/${user}/messages/${message}/attachments/createUploadSession`,
    `/users/${user}/messages/${message}/$value`,
    `/users/${user}/sendMail`,
    `/users/${user}/translateExchangeIds`,
    `/users/${user}/mailFolders`,
    `/users/${user}/mailFolders/delta`,
    `/users/${user}/mailFolders/inbox`,
    `/users/${user}/mailFolders/inbox/messages`,
    `/users/${user}/mailFolders/inbox/messages/delta`,
    `/users/${user}/mailFolders/inbox/childFolders`,
    "/subscriptions",
    "/subscriptions/x",
    "/subscriptions/x/reauthorize",
    "/$batch",
    "/me/messages",
    "/storage/fileStorage/containers",
    `/storage/fileStorage/containers/${drive}/activate`,
    `/storage/fileStorage/containers/${drive}/permissions`,
    `/drives/${drive}/root`,
    `/drives/${drive}/root/children`,
    `/drives/${drive}/root/delta`,
    `/drives/${drive}/root:/a.pdf:/content`,
    `/drives/${drive}/root:/a.pdf:/createUploadSession`,
    `/drives/${drive}/items/x`,
    `/drives/${drive}/items/x/preview`,
  ].map((path) => `/v1.0${path}`),
  ...[
    "accounts",
    "accounts(1)",
    "systemusers",
    "emails",
    "$metadata",
    "$batch",
    "WhoAmI()",
    "RelationshipDefinitions",
  ].map((path) => `/api/data/v9.2/${path}`),
  `/${tenant.tenantId}/oauth2/v2.0/token`,
  `/${tenant.tenantId}/oauth2/v2.0/authorize`,
  "/common/discovery/instance",
);

it("an invalid request is refused in the error format of its part, never with a 500", async () => {
  const request = fc.record({
    method: fc.constantFrom("GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS", "HEAD"),
    path: fc.oneof(
      known,
      fc
        .tuple(root, fc.array(piece, { maxLength: 6 }))
        .map(([start, rest]) => [start, ...rest].join("/")),
    ),
    query,
    body,
    token: fc.constantFrom(appToken, userToken, dataverseToken, "x.y.z", null),
    contentType: fc.constantFrom(
      "application/json",
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/pdf",
    ),
  });
  await fc.assert(
    fc.asyncProperty(request, async (drawn) => {
      const answer = await tenant.handle(
        createTenantRequest({
          method: drawn.method,
          target: `${drawn.path}${drawn.query}`,
          headers: {
            "content-type": drawn.contentType,
            ...(drawn.token === null ? {} : { authorization: `Bearer ${drawn.token}` }),
          },
          body: drawn.body,
        }),
      );
      expect(answer.status).toBeLessThan(500);
      if (answer.status < 400) return;
      if (answer.headers["content-type"]?.startsWith("text/html")) return;
      expect(JSON.parse(answer.body.toString("utf8"))).toHaveProperty("error");
    }),
    { numRuns: 3000, seed: 20_260_105 },
  );
});
