import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createDataverseClient,
  type DataverseClient,
  type DataverseTarget,
  refusal,
} from "./dataverse-client.ts";

const DOCS = "https://learn.microsoft.com/power-apps/developer/data-platform";

/** What Microsoft's documents say about queries. Each case cites its page. */
export function testDataverseQueries(name: string, open: () => Promise<DataverseTarget>): void {
  describe(`${name}: queries`, () => {
    let client: DataverseClient;
    const mark = randomUUID().slice(0, 8);
    const ids: Record<string, string> = {};
    const names = (json: { value: { name: string }[] }) =>
      json.value.map((each) => each.name.replace(` ${mark}`, "")).sort();
    const find = async (filter: string) => {
      const query = `$select=name&$filter=${encodeURIComponent(`contains(name,'${mark}') and ${filter}`)}`;
      const answer = await client.ask(`accounts?${query}`);
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      return names(answer.json);
    };

    beforeAll(async () => {
      client = createDataverseClient(await open());
      ids["ann"] = await client.create("contacts", { firstname: "Ann", lastname: mark });
      for (const [label, revenue, people, category] of [
        ["Alpha", 100, 10, 1],
        ["Beta", 200, 20, 1],
        ["Gamma", 600, 30, 2],
      ] as const) {
        ids[label] = await client.create("accounts", {
          name: `${label} ${mark}`,
          revenue,
          numberofemployees: people,
          accountcategorycode: category,
        });
      }
      await client.ask(`accounts(${ids["Alpha"]})`, {
        method: "PATCH",
        body: { "primarycontactid@odata.bind": `/contacts(${ids["ann"]})` },
      });
      for (const [label, subject] of [
        ["Alpha", "call"],
        ["Alpha", "visit"],
        ["Beta", "call"],
      ] as const) {
        await client.create("tasks", {
          subject: `${subject} ${mark}`,
          "regardingobjectid_account_task@odata.bind": `/accounts(${ids[label]})`,
        });
      }
    });

    it(`any() finds rows by their related rows (${DOCS}/webapi/query/filter-rows#filter-using-values-of-related-collections)`, async () => {
      const condition = (subject: string) =>
        `Account_Tasks/any(t:startswith(t/subject,'${subject}'))`;
      expect(await find(condition("call"))).toEqual(["Alpha", "Beta"]);
      expect(await find(condition("visit"))).toEqual(["Alpha"]);
      expect(await find("Account_Tasks/any()")).toEqual(["Alpha", "Beta"]);
      expect(await find("not Account_Tasks/any()")).toEqual(["Gamma"]);
    });

    it(`all() finds rows all of whose related rows match (${DOCS}/webapi/query/filter-rows#filter-using-values-of-related-collections)`, async () => {
      expect(await find("Account_Tasks/all(t:startswith(t/subject,'call'))")).toEqual([
        "Beta",
        "Gamma",
      ]);
    });

    it(`a lookup's column filters through its navigation property (${DOCS}/webapi/query/filter-rows#filter-using-lookup-column-property-values)`, async () => {
      expect(await find("primarycontactid/firstname eq 'Ann'")).toEqual(["Alpha"]);
      expect(await find(`_primarycontactid_value eq ${ids["ann"]}`)).toEqual(["Alpha"]);
      expect(await find(`_primarycontactid_value eq '${ids["ann"]}'`)).toEqual(["Alpha"]);
      expect(await find("primarycontactid/createdby/fullname ne null")).toEqual(["Alpha"]);
    });

    it(`columns of one row are compared with each other (${DOCS}/webapi/query/filter-rows#column-comparison)`, async () => {
      expect(await find("createdon le modifiedon")).toEqual(["Alpha", "Beta", "Gamma"]);
      expect(await find("accountnumber eq telephone1")).toEqual(["Alpha", "Beta", "Gamma"]);
    });

    it(`Between, In and NotIn accept lists of values as JSON (${DOCS}/webapi/query/filter-rows#dataverse-query-functions)`, async () => {
      const fn = "Microsoft.Dynamics.CRM";
      expect(
        await find(`${fn}.Between(PropertyName='numberofemployees',PropertyValues=["15","25"])`),
      ).toEqual(["Beta"]);
      expect(
        await find(`${fn}.NotBetween(PropertyName='numberofemployees',PropertyValues=["15","25"])`),
      ).toEqual(["Alpha", "Gamma"]);
      expect(
        await find(`${fn}.In(PropertyName='accountcategorycode',PropertyValues=['2'])`),
      ).toEqual(["Gamma"]);
    });

    it(`functions about dates count from now (${DOCS}/webapi/reference/lastxdays)`, async () => {
      const fn = "Microsoft.Dynamics.CRM";
      const all = ["Alpha", "Beta", "Gamma"];
      expect(await find(`${fn}.Today(PropertyName='createdon')`)).toEqual(all);
      expect(await find(`${fn}.Yesterday(PropertyName='createdon')`)).toEqual([]);
      expect(await find(`${fn}.LastXDays(PropertyName='createdon',PropertyValue=7)`)).toEqual(all);
      expect(await find(`${fn}.OlderThanXHours(PropertyName='createdon',PropertyValue=2)`)).toEqual(
        [],
      );
      expect(await find(`${fn}.ThisMonth(PropertyName='createdon')`)).toEqual(all);
      expect(await find(`${fn}.NextX${"Weeks"}(PropertyName='createdon',PropertyValue=1)`)).toEqual(
        [],
      );
    });

    it(`EqualUserId means the caller (${DOCS}/webapi/reference/equaluserid)`, async () => {
      const test = "Microsoft.Dynamics.CRM.EqualUserId(PropertyName='ownerid')".replace(
        "ownerid",
        "_ownerid_value",
      );
      expect(await find(test)).toEqual(["Alpha", "Beta", "Gamma"]);
      expect(await find(test.replace("EqualUserId", "NotEqualUserId"))).toEqual([]);
    });

    it(`parameters can be given by alias (${DOCS}/webapi/query/filter-rows#manage-single-quotes)`, async () => {
      const query = new URLSearchParams({
        $select: "name",
        $filter: `contains(name,'${mark}') and Microsoft.Dynamics.CRM.In(PropertyName=@p1,PropertyValues=@p2)`,
        "@p1": "'numberofemployees'",
        "@p2": '["10","30"]',
      });
      const answer = await client.ask(`accounts?${query}`);
      expect(names(answer.json)).toEqual(["Alpha", "Gamma"]);
    });

    it(`a function that does not exist is refused (${DOCS}/webapi/query/filter-rows#dataverse-query-functions)`, async () => {
      for (const test of [
        "Microsoft.Dynamics.CRM.LastXEons(PropertyName='createdon',PropertyValue=1)",
        "length(name) gt 3",
        "year(createdon) eq 2026",
        "revenue add 1 eq 2",
      ]) {
        const answer = await client.ask(`accounts?$filter=${encodeURIComponent(test)}`);
        expect([test, ...refusal(answer)]).toEqual([test, 400, "0x80060888"]);
      }
    });

    it(`operands of different types are refused (${DOCS}/webapi/query/filter-rows#comparison-operators)`, async () => {
      for (const test of ["revenue eq 'much'", "name eq 5", "createdon gt 'today'"]) {
        const answer = await client.ask(`accounts?$filter=${encodeURIComponent(test)}`);
        expect([test, ...refusal(answer)]).toEqual([test, 400, "0x80060888"]);
      }
    });

    it(`$count=true counts all matches, whatever the page size, and annotations say whether there are more (${DOCS}/webapi/query/count-rows)`, async () => {
      const filter = encodeURIComponent(`contains(name,'${mark}')`);
      const counted = await client.ask(`accounts?$select=name&$filter=${filter}&$count=true`, {
        headers: {
          prefer:
            'odata.maxpagesize=1,odata.include-annotations="Microsoft.Dynamics.CRM.totalrecordcount,Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded"',
        },
      });
      expect(counted.json).toMatchObject({
        "@odata.count": 3,
        "@Microsoft.Dynamics.CRM.totalrecordcount": 3,
        "@Microsoft.Dynamics.CRM.totalrecordcountlimitexceeded": false,
      });
      expect(counted.json.value).toHaveLength(1);
      expect(counted.headers.get("preference-applied")).toContain("odata.maxpagesize=1");
      const uncounted = await client.ask(`accounts?$select=name&$filter=${filter}`, {
        headers: {
          prefer: 'odata.include-annotations="Microsoft.Dynamics.CRM.totalrecordcount"',
        },
      });
      expect(uncounted.json["@Microsoft.Dynamics.CRM.totalrecordcount"]).toBe(-1);
    });

    it(`a next link continues where its page ended, whatever page size is requested then (${DOCS}/webapi/query/page-results)`, async () => {
      const filter = encodeURIComponent(`contains(name,'${mark}')`);
      const path = `accounts?$select=name&$filter=${filter}&$orderby=name`;
      const first = await client.ask(path, { headers: { prefer: "odata.maxpagesize=1" } });
      expect(names(first.json)).toEqual(["Alpha"]);
      const rest = await client.ask(String(first.json["@odata.nextLink"]));
      expect(names(rest.json)).toEqual(["Beta", "Gamma"]);
      expect(rest.json["@odata.nextLink"]).toBeUndefined();
    });

    it(`/$count is a plain number, for a set with a filter and for a collection (${DOCS}/webapi/query/count-rows)`, async () => {
      const filter = encodeURIComponent(`contains(name,'${mark}')`);
      const set = await client.ask(`accounts/$count?$filter=${filter}`);
      expect([set.status, set.text, set.headers.get("content-type")]).toEqual([
        200,
        "3",
        expect.stringContaining("text/plain"),
      ]);
      expect((await client.ask(`accounts(${ids["Alpha"]})/Account_Tasks/$count`)).text).toBe("2");
    });

    it(`$apply sums, averages, counts and groups (${DOCS}/webapi/query/aggregate-data)`, async () => {
      const apply = async (text: string) => {
        const answer = await client.ask(`accounts?$apply=${encodeURIComponent(text)}`);
        expect([answer.status, answer.text]).toEqual([200, answer.text]);
        return answer.json.value;
      };
      const mine = `filter(contains(name,'${mark}'))`;
      expect(await apply(`${mine}/aggregate(revenue with sum as total)`)).toEqual([{ total: 900 }]);
      expect(await apply(`${mine}/aggregate(revenue with average as mean)`)).toEqual([
        { mean: 300 },
      ]);
      expect(await apply(`${mine}/aggregate(numberofemployees with max as most)`)).toEqual([
        { most: 30 },
      ]);
      expect(
        await apply(
          `${mine}/groupby((accountcategorycode),aggregate($count as count,revenue with sum as total))`,
        ),
      ).toEqual([
        { accountcategorycode: 1, count: 2, total: 300 },
        { accountcategorycode: 2, count: 1, total: 600 },
      ]);
      expect(await apply(`${mine}/groupby((primarycontactid/firstname))`)).toContainEqual({
        contact_firstname: "Ann",
      });
    });

    it(`$apply refuses grouping by a date and ordering by an aggregate (${DOCS}/webapi/query/aggregate-data)`, async () => {
      const byDate = await client.ask("accounts?$apply=groupby((createdon))");
      expect(byDate.status).toBe(400);
      const ordered = await client.ask(
        "accounts?$apply=aggregate(revenue with sum as total)&$orderby=total",
      );
      expect(ordered.status).toBe(400);
    });

    it(`only requested annotations are returned, and Preference-Applied repeats them (${DOCS}/webapi/query/select-columns#formatted-values)`, async () => {
      const path = `accounts(${ids["Alpha"]})?$select=accountcategorycode,_primarycontactid_value`;
      const formatted = "OData.Community.Display.V1.FormattedValue";
      const some = await client.ask(path, {
        headers: { prefer: `odata.include-annotations="${formatted}"` },
      });
      expect(some.json[`accountcategorycode@${formatted}`]).toBe("Preferred Customer");
      expect(some.json).not.toHaveProperty([
        "_primarycontactid_value@Microsoft.Dynamics.CRM.lookuplogicalname",
      ]);
      expect(some.headers.get("preference-applied")).toBe(
        `odata.include-annotations="${formatted}"`,
      );
      const all = await client.ask(path, { headers: { prefer: 'odata.include-annotations="*"' } });
      expect(all.json["_primarycontactid_value@Microsoft.Dynamics.CRM.lookuplogicalname"]).toBe(
        "contact",
      );
      expect(await client.ask(path).then(({ headers }) => headers.get("preference-applied"))).toBe(
        null,
      );
    });

    it(`an unchanged row is 304, unless related rows are part of the answer (${DOCS}/webapi/perform-conditional-operations-using-web-api#conditional-retrievals)`, async () => {
      const path = `accounts(${ids["Gamma"]})?$select=name`;
      const first = await client.ask(path);
      const etag = String(first.json["@odata.etag"]);
      const headers = { "if-none-match": etag };
      const same = await client.ask(path, { headers });
      expect([same.status, same.text]).toEqual([304, ""]);
      expect((await client.ask(`${path}&$expand=primarycontactid`, { headers })).status).toBe(200);
      const annotated = { ...headers, prefer: 'odata.include-annotations="*"' };
      expect((await client.ask(path, { headers: annotated })).status).toBe(200);
      expect((await client.ask(path, { headers: { "if-none-match": "null" } })).status).toBe(200);
    });

    it(`a stale ETag on DELETE is 412 and the row stays (${DOCS}/webapi/perform-conditional-operations-using-web-api#apply-optimistic-concurrency)`, async () => {
      const id = await client.create("accounts", { name: "kept" });
      const stale = await client.ask(`accounts(${id})`, {
        method: "DELETE",
        headers: { "if-match": 'W/"1"' },
      });
      expect([stale.status, stale.json.error.message]).toEqual([
        412,
        "The version of the existing record doesn't match the RowVersion property provided.",
      ]);
      expect((await client.ask(`accounts(${id})`)).status).toBe(200);
    });

    it(`options that Dataverse does not have are refused, not ignored (${DOCS}/webapi/query/overview#odata-query-options)`, async () => {
      for (const query of [
        ...["$skip=1", "$search=x", "$format=json", "$compute=revenue as r", "select=name"],
        ...["$top=-1", "$top=x", "$count=yes", "$orderby=name sideways", "top=3", "$levels=2"],
        ...[
          "$filter=name eq",
          "$select=nothing",
          "$expand=nothing",
          "$expand=Account_Tasks($skip=1)",
        ],
        ...["$expand=primarycontactid($filter=lastname eq 'x')", "$top=1&$top=2"],
      ]) {
        const answer = await client.ask(`accounts?${query}`);
        expect([query, ...refusal(answer)]).toEqual([query, 400, "0x80060888"]);
      }
    });

    it(`one row takes $select and $expand only (${DOCS}/webapi/retrieve-entity-using-web-api)`, async () => {
      for (const query of ["$filter=name eq 'x'", "$top=1", "$orderby=name", "$count=true"]) {
        const answer = await client.ask(`accounts(${ids["Alpha"]})?${query}`);
        expect([query, answer.status]).toEqual([query, 400]);
      }
    });

    it(`an expanded collection can be filtered, sorted and cut (${DOCS}/webapi/query/join-tables)`, async () => {
      const inner = "$select=subject;$orderby=subject desc;$top=1";
      const answer = await client.ask(
        `accounts(${ids["Alpha"]})?$select=name&$expand=Account_Tasks(${inner}),primarycontactid($select=firstname)`,
      );
      expect(answer.json["Account_Tasks"]).toMatchObject([{ subject: `visit ${mark}` }]);
      expect(answer.json["primarycontactid"]).toMatchObject({ firstname: "Ann" });
      expect(answer.json["@odata.context"]).toContain(
        "#accounts(name,Account_Tasks(subject),primarycontactid(firstname))/$entity",
      );
    });

    it(`/$ref lists references, and DELETE on one of them takes the row out of the collection (${DOCS}/webapi/associate-disassociate-entities-using-web-api)`, async () => {
      const account = await client.create("accounts", { name: "parent" });
      const contact = await client.create("contacts", { lastname: "child" });
      const path = `accounts(${account})/contact_customer_accounts`;
      const body = { "@odata.id": `contacts(${contact})` };
      expect((await client.ask(`${path}/$ref`, { method: "POST", body })).status).toBe(204);
      const listed = await client.ask(`${path}/$ref`);
      expect(listed.json.value).toEqual([
        { "@odata.id": expect.stringMatching(new RegExp(`/contacts\\(${contact}\\)$`)) },
      ]);
      const removed = await client.ask(`${path}(${contact})/$ref`, { method: "DELETE" });
      expect(removed.status).toBe(204);
      expect((await client.ask(`${path}/$count`)).text).toBe("0");
    });

    it(`the service document lists the entity sets, and $metadata is CSDL (${DOCS}/webapi/web-api-service-documents)`, async () => {
      const service = await client.ask("");
      expect(service.json["@odata.context"]).toMatch(/\/\$metadata$/);
      expect(service.json.value).toContainEqual({
        name: "accounts",
        kind: "EntitySet",
        url: "accounts",
      });
      const metadata = await client.ask("$metadata", { headers: { accept: "application/xml" } });
      expect(metadata.headers.get("content-type")).toContain("application/xml");
      expect(metadata.text).toContain('<EntityType Name="account"');
      expect(metadata.text).toContain('<EntitySet Name="accounts"');
      expect(metadata.text).toContain('Name="regardingobjectid_account_task"');
      expect(metadata.text).not.toContain("Org.OData.Capabilities.V1.ChangeTracking");
      const annotated = await client.ask("$metadata?annotations=true");
      expect(annotated.text).toContain("Org.OData.Capabilities.V1.ChangeTracking");
    });

    it(`definitions expand their attributes, keys and options (${DOCS}/webapi/query-metadata-web-api)`, async () => {
      const table = await client.ask(
        "EntityDefinitions(LogicalName='account')?$select=LogicalName&$expand=Attributes($select=LogicalName;$filter=LogicalName eq 'name'),Keys",
      );
      expect(table.json).toMatchObject({ LogicalName: "account", Keys: [] });
      expect(table.json["Attributes"]).toMatchObject([{ LogicalName: "name" }]);
      const choice = await client.ask(
        "EntityDefinitions(LogicalName='account')/Attributes(LogicalName='accountcategorycode')/Microsoft.Dynamics.CRM.PicklistAttributeMetadata?$select=LogicalName&$expand=OptionSet",
      );
      expect(choice.json["OptionSet"].Options[0].Value).toBe(1);
      const unknown = await client.ask(
        "EntityDefinitions(LogicalName='account')?$expand=Everything",
      );
      expect(unknown.status).toBe(400);
      const wrongCast = await client.ask(
        "EntityDefinitions(LogicalName='account')/Attributes(LogicalName='name')/Microsoft.Dynamics.CRM.PicklistAttributeMetadata",
      );
      expect(wrongCast.status).toBe(404);
    });

    it(`RetrieveTotalRecordCount counts whole tables (${DOCS}/webapi/reference/retrievetotalrecordcount)`, async () => {
      const answer = await client.ask(
        "RetrieveTotalRecordCount(EntityNames=['account','contact'])",
      );
      const counts = answer.json["EntityRecordCountCollection"];
      expect(counts.Keys).toEqual(["account", "contact"]);
      expect(counts.Values[0]).toBeGreaterThanOrEqual(3);
    });
  });
}
