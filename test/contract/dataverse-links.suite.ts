import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createDataverseClient,
  type DataverseClient,
  type DataverseTarget,
  refusal,
} from "./dataverse-client.ts";

const DOCS = "https://learn.microsoft.com/power-apps/developer/data-platform";
const WEBAPI = `${DOCS}/webapi`;
const CREATE = `${WEBAPI}/create-entity-web-api`;
const DUPLICATES = `${WEBAPI}/manage-duplicate-detection-create-update`;
const DETECT = { "MSCRM.SuppressDuplicateDetection": "false" };
const REPRESENTATION = { prefer: "return=representation" };
const DUPLICATE = "0x80040333";

/** How rows are tied to others and to their owner, and rules against duplicates. */
export function testDataverseLinks(name: string, open: () => Promise<DataverseTarget>): void {
  describe(`${name}: links and duplicates`, () => {
    let target: DataverseTarget;
    let ask: DataverseClient["ask"];
    let create: DataverseClient["create"];
    beforeAll(async () => {
      target = await open();
      ({ ask, create } = createDataverseClient(target));
    });
    const send =
      (method: string) =>
      (path: string, body: object, headers = {}) =>
        ask(path, { method, body, headers });
    const [post, patch, put] = ["POST", "PATCH", "PUT"].map(send) as [
      ReturnType<typeof send>,
      ReturnType<typeof send>,
      ReturnType<typeof send>,
    ];
    const account = (more = {}) => create("accounts", { name: "Links", ...more });
    const task = (more = {}) => create("tasks", { subject: "Links", ...more });
    const address = () => `${randomUUID()}@links.example`;

    it(`Microsoft's own example of an account is accepted (${CREATE}#basic-create)`, async () => {
      const made = await post("accounts", {
        name: "Sample Account",
        creditonhold: false,
        address1_latitude: 47.639583,
        description: "This is the description of the sample account",
        revenue: 5000000,
        accountcategorycode: 1,
      });
      expect(made.status).toBe(204);
    });

    it(`a new row is tied to rows that are there, one by a lookup, many by a list (${CREATE}#associate-table-rows-on-create)`, async () => {
      const contact = await create("contacts", { lastname: "Links" });
      const tasks = [await task(), await task()];
      const made = await post(
        "accounts?$select=name&$expand=primarycontactid($select=fullname),Account_Tasks($select=subject)",
        {
          name: "Links",
          "primarycontactid@odata.bind": `/contacts(${contact})`,
          "Account_Tasks@odata.bind": tasks.map((id) => `/tasks(${id})`),
        },
        REPRESENTATION,
      );
      expect([made.status, made.headers.get("odata-entityid")]).toEqual([201, null]);
      expect(made.json["@odata.context"]).toMatch(
        /#accounts\(name,primarycontactid\(fullname\),Account_Tasks\(subject\)\)\/\$entity$/,
      );
      expect(made.json.primarycontactid.contactid).toBe(contact);
      const tied = made.json.Account_Tasks.map((each: { activityid: string }) => each.activityid);
      expect(tied.sort()).toEqual([...tasks].sort());
    });

    it(`a list binds only rows of its table that are there, and nothing is made otherwise (${CREATE}#associate-table-rows-on-create)`, async () => {
      const label = randomUUID();
      const bind = (given: readonly string[], property = "Account_Tasks") =>
        post("accounts", { name: label, [`${property}@odata.bind`]: given });
      const other = await account();
      expect((await bind([`/tasks(${randomUUID()})`])).status).toBe(404);
      expect((await bind([`/accounts(${other})`])).status).toBe(400);
      expect((await bind([`/tasks(${await task()})`], "account_tasks")).status).toBe(400);
      expect((await ask(`accounts/$count?$filter=name eq '${label}'`)).text).toBe("0");
    });

    it(`a row made through a collection points to its owner (https://docs.oasis-open.org/odata/odata/v4.0/errata03/os/complete/part1-protocol/odata-v4.0-errata03-os-part1-protocol-complete.html#_Toc453752299)`, async () => {
      const id = await account();
      const made = await post(`accounts(${id})/Account_Tasks`, { subject: "through" });
      expect(made.status).toBe(204);
      const { json } = await ask(`accounts(${id})/Account_Tasks?$select=subject`);
      expect(json.value).toMatchObject([{ subject: "through" }]);
      expect(made.headers.get("odata-entityid")).toContain(`tasks(${json.value[0].activityid})`);
    });

    it(`a reference to a row that does not exist is refused and ties nothing (${WEBAPI}/associate-disassociate-entities-using-web-api)`, async () => {
      const id = await account();
      const nothing = { "@odata.id": `${target.url}/api/data/v9.2/contacts(${randomUUID()})` };
      const lookup = `accounts(${id})/primarycontactid/$ref`;
      expect(refusal(await put(lookup, nothing))).toEqual([404, "0x80040217"]);
      const collection = `accounts(${id})/contact_customer_accounts/$ref`;
      expect(refusal(await post(collection, nothing))).toEqual([404, "0x80040217"]);
      expect((await ask(lookup)).status).toBe(204);
    });

    it(`an owner is expanded as a principal, of which only the id is known (${DOCS}/webapi/reference/principal)`, async () => {
      const id = await account();
      const { json } = await ask(`accounts(${id})?$select=_ownerid_value&$expand=ownerid`);
      expect(json.ownerid).toEqual({
        "@odata.type": "#Microsoft.Dynamics.CRM.systemuser",
        ownerid: json["_ownerid_value"],
      });
      const chosen = await ask(`accounts(${id})?$expand=ownerid($select=ownerid)`);
      expect(chosen.json.ownerid.ownerid).toBe(json["_ownerid_value"]);
      for (const wrong of [
        `accounts(${id})?$expand=ownerid($select=fullname)`,
        `accounts(${id})?$expand=ownerid($expand=createdby)`,
        "accounts?$filter=ownerid/fullname eq 'x'",
        "accounts?$apply=groupby((ownerid/fullname))",
      ]) {
        expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 400]);
      }
      const mine = `accounts?$select=name&$filter=ownerid/ownerid eq ${json["_ownerid_value"]}`;
      expect((await ask(mine)).json.value.length).toBeGreaterThan(0);
      const { text } = await ask("$metadata", { headers: { accept: "application/xml" } });
      expect(text).toContain('<NavigationProperty Name="ownerid" Type="mscrm.principal">');
    });

    it(`a row belongs to a business unit (${DOCS}/reference/entities/account#owningbusinessunit)`, async () => {
      const who = (await ask("WhoAmI")).json;
      const id = await account();
      const { json } = await ask(`accounts(${id})?$expand=owningbusinessunit($select=name)`);
      expect(json["_owningbusinessunit_value"]).toBe(who.BusinessUnitId);
      expect(json.owningbusinessunit.name).toEqual(expect.any(String));
    });

    it(`duplicates are looked for only if the header says so (${DUPLICATES})`, async () => {
      for (const set of ["accounts", "contacts"]) {
        const emailaddress1 = address();
        const id = await create(set, { emailaddress1 });
        const again = { emailaddress1: emailaddress1.toUpperCase() };
        expect(refusal(await post(set, again, DETECT))).toEqual([500, DUPLICATE]);
        const suppressed = { "MSCRM.SuppressDuplicateDetection": "true" };
        expect((await post(set, again, suppressed)).status).toBe(204);
        expect((await post(set, again)).status).toBe(204);
        // A row is no duplicate of itself, but of the two that were made since.
        expect(refusal(await patch(`${set}(${id})`, again, DETECT))).toEqual([500, DUPLICATE]);
        const alone = { emailaddress1: address() };
        expect((await patch(`${set}(${id})`, alone, DETECT)).status).toBe(204);
        expect((await patch(`${set}(${id})`, alone, DETECT)).status).toBe(204);
      }
    });

    it(`rules ignore blank values, and tables without a rule have no duplicates (${DUPLICATES})`, async () => {
      for (let time = 0; time < 2; time++) {
        expect((await post("accounts", { name: "blank" }, DETECT)).status).toBe(204);
        expect((await post("tasks", { subject: "same" }, DETECT)).status).toBe(204);
      }
    });

    it(`an id is given once (${DOCS}/reference/web-service-error-codes 0x80040237)`, async () => {
      const accountid = await account();
      const again = await post("accounts", { accountid, name: "again" });
      expect(refusal(again)).toEqual([412, "0x80040237"]);
      expect(again.json.error.message).toBe("Cannot insert duplicate key.");
      const kept = await patch(`accounts(${accountid})`, { name: "x" }, { "If-None-Match": "*" });
      expect(refusal(kept)).toEqual([412, "0x80040237"]);
      expect(kept.json.error.message).toBe("A record with matching key values already exists.");
    });

    it(`the version of the schema is an annotation (${WEBAPI}/compose-http-requests-handle-errors#request-annotations)`, async () => {
      const version = "@Microsoft.Dynamics.CRM.globalmetadataversion";
      const headers = { prefer: 'odata.include-annotations="*"' };
      const list = "accounts?$select=name&$top=1";
      expect((await ask(list, { headers })).json[version]).toEqual(expect.any(String));
      expect((await ask(list)).json).not.toHaveProperty([version]);
    });

    it(`a page of another origin may call (${DOCS}/oauth-cross-origin-resource-sharing-connect-single-page-application)`, async () => {
      const url = `${target.url}/api/data/v9.2/WhoAmI`;
      const asked = await fetch(url, {
        method: "OPTIONS",
        headers: {
          origin: "https://page.example",
          "access-control-request-method": "GET",
          "access-control-request-headers": "authorization,odata-version",
        },
      });
      expect(asked.status).toBe(200);
      expect(asked.headers.get("access-control-allow-origin")).toBe("*");
      expect(asked.headers.get("access-control-allow-headers")).toContain("authorization");
      const headers = { origin: "https://page.example" };
      const answer = await ask("WhoAmI", { headers });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    });
  });
}
