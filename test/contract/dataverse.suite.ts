import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  type Answer,
  type Call,
  createDataverseClient,
  type DataverseTarget,
} from "./dataverse-client.ts";

/** What Microsoft's documents say of the Web API. Each case cites its page. */
export function testDataverse(
  name: string,
  open: () => Promise<DataverseTarget>,
  can: readonly string[],
): void {
  describe(name, () => {
    let target: DataverseTarget;
    beforeAll(async () => {
      target = await open();
    });

    const ask = (path: string, call?: Call) => createDataverseClient(target).ask(path, call);
    const codeOf = ({ json }: Answer) => json.error?.code;
    const makeMatter = async () => {
      const made = await ask("sprk_matters", {
        method: "POST",
        body: { sprk_name: "conformance" },
      });
      return /\(([^)]+)\)$/.exec(made.headers.get("odata-entityid")!)![1]!;
    };

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/create-entity-web-api
    it("a new row answers 204 and names itself in OData-EntityId", async () => {
      const made = await ask("sprk_matters", { method: "POST", body: { sprk_name: "one" } });
      expect(made.status).toBe(204);
      expect(made.headers.get("odata-entityid")).toMatch(/\/sprk_matters\([0-9a-f-]{36}\)$/);
      expect(made.json).toEqual({});
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/create-entity-web-api#create-with-data-returned
    it("with return=representation it is 201 with the row and without OData-EntityId", async () => {
      const made = await ask("sprk_matters?$select=sprk_name", {
        method: "POST",
        headers: { prefer: "return=representation" },
        body: { sprk_name: "two" },
      });
      expect(made.status).toBe(201);
      expect(made.headers.get("odata-entityid")).toBeNull();
      expect(made.json).toMatchObject({
        sprk_name: "two",
        "@odata.etag": expect.stringMatching(/^W\/"/),
      });
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/update-delete-entities-using-web-api#upsert-a-table-row
    it("PATCH to an id that is not there creates the row under that id", async () => {
      const id = randomUUID();
      const patched = await ask(`sprk_matters(${id})`, {
        method: "PATCH",
        body: { sprk_name: "new" },
      });
      expect(patched.status).toBe(204);
      expect((await ask(`sprk_matters(${id})?$select=sprk_name`)).json).toMatchObject({
        sprk_name: "new",
      });
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/perform-conditional-operations-using-web-api#limit-upsert-operations
    it("If-Match forbids the creation, If-None-Match the change", async () => {
      const absent = await ask(`sprk_matters(${randomUUID()})`, {
        method: "PATCH",
        headers: { "if-match": "*" },
        body: { sprk_name: "x" },
      });
      expect(absent.status).toBe(404);
      const present = await ask(`sprk_matters(${await makeMatter()})`, {
        method: "PATCH",
        headers: { "if-none-match": "*" },
        body: { sprk_name: "x" },
      });
      expect(present.status).toBe(412);
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/perform-conditional-operations-using-web-api#apply-optimistic-concurrency
    it("a change under an old ETag is 412", async () => {
      const id = await makeMatter();
      const { json } = await ask(`sprk_matters(${id})`);
      const headers = { "if-match": String(json["@odata.etag"]) };
      const change = () =>
        ask(`sprk_matters(${id})`, { method: "PATCH", headers, body: { sprk_number: "1" } });
      expect((await change()).status).toBe(204);
      const stale = await change();
      expect([stale.status, codeOf(stale)]).toEqual([412, "0x80060882"]);
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/associate-disassociate-entities-using-web-api and …/webapi/web-api-navigation-properties
    it("a lookup is bound by its navigation property, whose case matters", async () => {
      const matter = await makeMatter();
      const bound = await ask("sprk_documents?$select=_sprk_matter_value", {
        method: "POST",
        headers: { prefer: "return=representation" },
        body: { sprk_documentname: "d", "sprk_Matter@odata.bind": `/sprk_matters(${matter})` },
      });
      expect([bound.status, bound.json["_sprk_matter_value"]]).toEqual([201, matter]);
      const wrong = await ask("sprk_documents", {
        method: "POST",
        body: { sprk_documentname: "d", "sprk_matter@odata.bind": `/sprk_matters(${matter})` },
      });
      expect([wrong.status, codeOf(wrong)]).toEqual([400, "0x80048d19"]);
      const id = bound.json["sprk_documentid"];
      expect(
        (await ask(`sprk_documents(${id})/sprk_Matter/$ref`, { method: "DELETE" })).status,
      ).toBe(204);
      const cleared = await ask(`sprk_documents(${id})?$select=_sprk_matter_value`);
      expect(cleared.json["_sprk_matter_value"]).toBeNull();
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/query-metadata-web-api
    it("the relationship's metadata contains the navigation property in its exact case", async () => {
      const one = await ask(
        "EntityDefinitions(LogicalName='sprk_document')/ManyToOneRelationships?$select=ReferencingEntityNavigationPropertyName,SchemaName&$filter=SchemaName eq 'sprk_matter_document_1n'",
      );
      expect(one.json["value"]).toMatchObject([
        { ReferencingEntityNavigationPropertyName: "sprk_Matter" },
      ]);
      const cast = "Microsoft.Dynamics.CRM.OneToManyRelationshipMetadata";
      const many = await ask(
        `RelationshipDefinitions/${cast}?$select=SchemaName,ReferencedEntityNavigationPropertyName&$filter=ReferencingEntity eq 'sprk_document' and ReferencedEntity eq 'sprk_matter'`,
      );
      expect(many.json["value"]).toMatchObject([{ SchemaName: "sprk_matter_document_1n" }]);
      const definition = await ask(
        "EntityDefinitions(LogicalName='sprk_document')?$select=EntitySetName",
      );
      expect(definition.json["EntitySetName"]).toBe("sprk_documents");
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/define-alternate-keys-entity and …/webapi/update-delete-entities-using-web-api
    it("only one row can have the values of an alternate key", async () => {
      const key = `key-${randomUUID()}`;
      const path = `sprk_processingjobs(sprk_idempotencykey='${key}')`;
      const first = await ask(path, { method: "PATCH", body: { sprk_name: "job" } });
      expect(first.status).toBe(204);
      expect(first.headers.get("odata-entityid")).toContain(`sprk_idempotencykey='${key}'`);
      await ask(path, { method: "PATCH", body: { sprk_progress: 50 } });
      expect((await ask(path)).json).toMatchObject({ sprk_name: "job", sprk_progress: 50 });
      const second = await ask("sprk_processingjobs", {
        method: "POST",
        body: { sprk_name: "other", sprk_idempotencykey: key },
      });
      expect([second.status, codeOf(second)]).toEqual([412, "0x80060892"]);
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/reference/entities: column types and lengths of the schema are enforced
    it("what the schema does not allow is refused with 400", async () => {
      const bad: object[] = [
        { sprk_unknown: 1 },
        { sprk_filesize: 2 ** 31 },
        { sprk_filesize: "12" },
        { sprk_hasfile: "yes" },
        { sprk_documenttype: 5 },
        { sprk_mimetype: "x".repeat(101) },
        { sprk_emaildate: "yesterday" },
      ];
      for (const body of bad) {
        expect([body, (await ask("sprk_documents", { method: "POST", body })).status]).toEqual([
          body,
          400,
        ]);
      }
      const unknown = await ask("sprk_documents?$select=sprk_unknown");
      expect([unknown.status, codeOf(unknown)]).toEqual([400, "0x80060888"]);
      expect((await ask("sprk_document")).status).toBe(404);
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/query-data-web-api and …/webapi/query/page-results
    it("queries filter, sort, expand, count and page by a link", async () => {
      const matter = await makeMatter();
      for (const [index, size] of [30, 10, 20].entries()) {
        await ask("sprk_documents", {
          method: "POST",
          body: {
            sprk_documentname: `file ${index}`,
            sprk_filesize: size,
            "sprk_Matter@odata.bind": `/sprk_matters(${matter})`,
          },
        });
      }
      const query = `sprk_documents?$select=sprk_filesize&$filter=_sprk_matter_value eq ${matter} and sprk_filesize ge 10&$orderby=sprk_filesize desc&$count=true&$expand=sprk_Matter($select=sprk_name)`;
      const first = await ask(query, { headers: { prefer: "odata.maxpagesize=2" } });
      expect(first.json["@odata.count"]).toBe(3);
      expect(first.json["value"]).toMatchObject([
        { sprk_filesize: 30, sprk_Matter: { sprk_name: "conformance" } },
        { sprk_filesize: 20 },
      ]);
      const second = await ask(String(first.json["@odata.nextLink"]), {
        headers: { prefer: "odata.maxpagesize=2" },
      });
      expect(second.json["value"]).toMatchObject([{ sprk_filesize: 10 }]);
      expect(second.json["@odata.nextLink"]).toBeUndefined();
      expect((await ask(`${query}&$skip=1`)).status).toBe(400);
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/security-access-coding and …/webapi/use-web-api-functions
    it("rights on a row are one text of words", async () => {
      const filter = `azureactivedirectoryobjectid eq ${target.userObjectId}`;
      const users = await ask(`systemusers?$select=systemuserid&$filter=${filter}`);
      const [user] = users.json["value"] as { systemuserid: string }[];
      const matter = await makeMatter();
      const alias = encodeURIComponent(`{'@odata.id':'sprk_matters(${matter})'}`);
      const access = await ask(
        `systemusers(${user!.systemuserid})/Microsoft.Dynamics.CRM.RetrievePrincipalAccess(Target=@t)?@t=${alias}`,
      );
      expect(String(access.json["AccessRights"])).toContain("ReadAccess, WriteAccess");
      expect((await ask("WhoAmI")).json).toMatchObject({
        UserId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/impersonate-another-user
    it("CallerObjectId makes somebody else the author", async () => {
      const made = await ask(
        "sprk_matters?$select=_createdby_value&$expand=createdby($select=azureactivedirectoryobjectid)",
        {
          method: "POST",
          headers: { prefer: "return=representation", callerobjectid: target.userObjectId },
          body: { sprk_name: "for another" },
        },
      );
      expect(made.json["createdby"]).toMatchObject({
        azureactivedirectoryobjectid: target.userObjectId,
      });
    });

    // https://learn.microsoft.com/power-apps/developer/data-platform/webapi/update-delete-entities-using-web-api#basic-delete
    it("a deleted row is gone", async () => {
      const id = await makeMatter();
      expect((await ask(`sprk_matters(${id})`, { method: "DELETE" })).status).toBe(204);
      const gone = await ask(`sprk_matters(${id})`);
      expect([gone.status, codeOf(gone)]).toEqual([404, "0x80040217"]);
    });

    if (can.includes("limits")) {
      // https://learn.microsoft.com/power-apps/developer/data-platform/api-limits
      it("each service-protection limit is 429 with its own code and Retry-After", async () => {
        for (const [limit, code] of [
          ["requests", "0x80072322"],
          ["time", "0x80072321"],
          ["concurrency", "0x80072326"],
        ] as const) {
          target.exceed!(limit);
          const refused = await ask("WhoAmI");
          expect([refused.status, codeOf(refused)]).toEqual([429, code]);
          expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
        }
        expect((await ask("WhoAmI")).status).toBe(200);
      });
    }
  });
}
