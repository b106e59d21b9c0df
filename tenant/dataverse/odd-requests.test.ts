import fc from "fast-check";
import { expect, it } from "vitest";
import { createTestContext, tokenFor } from "../../test/helpers/tenant-context.ts";
import { createTenantRequest } from "../http.ts";
import { createDataversePart } from "./dataverse-part.ts";

const APP_ID = "22222222-2222-4222-8222-222222222222";
const ROW_ID = "33333333-3333-4333-8333-333333333333";

/** Half of the requests leave a part out, so that odd parts occur in otherwise valid requests. */
function mostlyEmpty(...texts: string[]) {
  return fc.oneof(fc.constant(""), fc.constantFrom(...texts));
}

const name = fc.constantFrom(
  "sprk_documents",
  "sprk_matters",
  "emails",
  "systemusers",
  "EntityDefinitions",
  "RelationshipDefinitions",
  "WhoAmI",
  "activitymimeattachments",
  "sprk_processingjobs",
  "$batch",
);
const args = mostlyEmpty(
  "",
  `(${ROW_ID})`,
  "(x)",
  "()",
  "(LogicalName='sprk_document')",
  "(sprk_idempotencykey='a''b')",
  "(sprk_idempotencykey='%25')",
  "(sprk_idempotencykey=5)",
  `(_sprk_email_value=${ROW_ID})`,
  "(%27)",
  "(=)",
);
const tail = mostlyEmpty(
  "",
  "/sprk_Matter",
  "/sprk_Matter/$ref",
  "/sprk_matter_document_1n",
  "/$count",
  "/body/$value",
  "/Attributes",
  "/ManyToOneRelationships(SchemaName='x')",
  "/Microsoft.Dynamics.CRM.RetrievePrincipalAccess(Target=@t)",
  "//",
  "/%",
);
const query = mostlyEmpty(
  "",
  "?$filter=(",
  "?$filter=sprk_filesize in (1,",
  "?$filter=contains(sprk_documentname",
  "?$filter=not",
  "?$filter='",
  "?$expand=sprk_Matter(",
  "?$expand=sprk_Matter($expand=ownerid($select=fullname))",
  "?$expand=,,()",
  "?$orderby=sprk_filesize,",
  "?$top=-1",
  "?$select=,",
  "?$skiptoken=x",
  "?@t={'@odata.id':'sprk_matters(x)'}",
  "?$filter=a/b/c eq 1",
  "?%",
);
const key = fc.constantFrom(
  "sprk_documentname",
  "sprk_filesize",
  "sprk_Matter@odata.bind",
  "sprk_Matter",
  "sprk_documentid",
  "sprk_matter_document_1n",
  "email_activity_parties",
  "@odata.type",
  "@odata.id",
  "value",
  "statecode",
);
const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>("/sprk_matters(x)", `/sprk_matters(${ROW_ID})`, [null], [1], {}, [[]]),
);
const body = fc.oneof(
  fc.string(),
  fc.dictionary(key, value, { maxKeys: 2 }).map((object) => JSON.stringify(object)),
);

it("no request, however odd, is answered with a 5xx or an exception", async () => {
  const context = createTestContext({ clock: "virtual", switches: { throttling: false } });
  context.apps.push({ appId: APP_ID, displayName: "A", servicePrincipalId: ROW_ID } as never);
  const part = createDataversePart(context);
  await part.admin.create("sprk_matter", { sprk_matterid: ROW_ID, sprk_name: "M" });
  const method = fc.constantFrom("GET", "POST", "PATCH", "PUT", "DELETE", "OPTIONS");
  const request = fc.tuple(method, name, args, tail, query, body);
  await fc.assert(
    fc.asyncProperty(request, async ([verb, set, at, rest, options, text]) => {
      const answer = await part.handle(
        createTenantRequest({
          method: verb,
          target: `/api/data/v9.2/${set}${at}${rest}${options}`,
          headers: { authorization: tokenFor({ appId: APP_ID }) },
          body: text,
        }),
      );
      expect(answer!.status).toBeLessThan(500);
    }),
    { numRuns: 1500 },
  );
});
