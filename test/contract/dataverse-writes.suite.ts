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
const REPRESENTATION = { prefer: "return=representation" };
const PAYLOAD = "0x80048d19";
const QUERY = "0x80060888";

/** Writing rows, single properties, references, many rows at once, sharing, and refusals. */
export function testDataverseWrites(name: string, open: () => Promise<DataverseTarget>): void {
  describe(`${name}: writes`, () => {
    let target: DataverseTarget;
    let ask: DataverseClient["ask"];
    let create: DataverseClient["create"];
    let account: string;
    beforeAll(async () => {
      target = await open();
      ({ ask, create } = createDataverseClient(target));
      account = await create("accounts", { name: "Writes" });
    });
    const post = (path: string, body: object, headers = {}) =>
      ask(path, { method: "POST", body, headers });
    const patch = (path: string, body: object, headers = {}) =>
      ask(path, { method: "PATCH", body, headers });
    const put = (path: string, body: object) => ask(path, { method: "PUT", body });
    const remove = (path: string, headers = {}) => ask(path, { method: "DELETE", headers });
    const at = (path = "") => `accounts(${account})${path}`;
    const enc = encodeURIComponent;

    it(`a single property is read with its context, and raw behind $value (${WEBAPI}/retrieve-entity-using-web-api#retrieve-specific-properties)`, async () => {
      const read = await ask(at("/name"));
      expect([read.status, read.json.value]).toEqual([200, "Writes"]);
      expect(read.json["@odata.context"]).toMatch(/\$metadata#accounts\(.*\)\/name$/);
      expect((await ask(at("/name/$value"))).text).toBe("Writes");
    });

    it(`a property without a value is 204 (${WEBAPI}/retrieve-entity-using-web-api)`, async () => {
      expect((await ask(at("/fax"))).status).toBe(204);
    });

    it(`a single property is set by PUT and emptied by DELETE (${WEBAPI}/update-delete-entities-using-web-api#update-a-single-property-value)`, async () => {
      expect((await put(at("/description"), { value: "A text" })).status).toBe(204);
      expect((await ask(at("/description"))).json.value).toBe("A text");
      expect((await remove(at("/description"))).status).toBe(204);
      expect((await ask(at("/description"))).status).toBe(204);
      expect((await patch(at("/description"), { value: "x" })).status).toBe(405);
    });

    it(`an id and a computed column are not set by themselves (${DOCS}/entity-attribute-metadata)`, async () => {
      expect(refusal(await remove(at("/accountid")))).toEqual([400, PAYLOAD]);
      expect(refusal(await put(at("/versionnumber"), { value: 1 }))).toEqual([400, PAYLOAD]);
      expect((await ask(at("/accountid"))).json.value).toBe(account);
    });

    it(`related rows are made with a new one (${WEBAPI}/create-entity-web-api#create-related-table-rows-in-one-operation)`, async () => {
      const id = await create("accounts", {
        name: "Deep",
        primarycontactid: { firstname: "Ada", lastname: "Byron" },
        Account_Tasks: [{ subject: "one" }, { subject: "two" }],
      });
      const { json } = await ask(
        `accounts(${id})?$select=name&$expand=primarycontactid($select=fullname),Account_Tasks($select=subject;$orderby=subject)`,
      );
      expect(json).toMatchObject({
        primarycontactid: { fullname: "Ada Byron" },
        Account_Tasks: [{ subject: "one" }, { subject: "two" }],
      });
    });

    it(`related rows are not made or changed by an update (${WEBAPI}/update-delete-entities-using-web-api#basic-update)`, async () => {
      for (const body of [
        { Account_Tasks: [{ subject: "new" }] },
        { primarycontactid: { lastname: "New" } },
      ]) {
        expect(refusal(await patch(at(), body))).toEqual([400, PAYLOAD]);
      }
    });

    it(`the data of an update come back when asked for, and $expand is ignored (${WEBAPI}/update-delete-entities-using-web-api#update-with-data-returned)`, async () => {
      const changed = await patch(
        at("?$select=name&$expand=primarycontactid"),
        { name: "Writes" },
        { ...REPRESENTATION, "if-match": "*" },
      );
      expect([changed.status, changed.headers.get("preference-applied")]).toEqual([
        200,
        "return=representation",
      ]);
      expect(changed.json.name).toBe("Writes");
      expect(changed.json).not.toHaveProperty("primarycontactid");
    });

    it(`a reference is added to a collection, and set and cleared on a lookup (${WEBAPI}/associate-disassociate-entities-using-web-api)`, async () => {
      const task = await create("tasks", { subject: "Loose" });
      const idOf = (set: string, id: string) => ({
        "@odata.id": `${target.url}/api/data/v9.2/${set}(${id})`,
      });
      expect((await post(at("/Account_Tasks/$ref"), idOf("tasks", task))).status).toBe(204);
      const lookup = `tasks(${task})/regardingobjectid_account_task`;
      expect((await ask(`${lookup}?$select=name`)).json.name).toBe("Writes");
      const other = await create("accounts", { name: "Other" });
      expect((await put(`${lookup}/$ref`, idOf("accounts", other))).status).toBe(204);
      expect((await ask(`${lookup}/$ref`)).json["@odata.id"]).toContain(other);
      expect((await remove(`${lookup}/$ref`)).status).toBe(204);
      expect((await ask(lookup)).status).toBe(204);
      expect(refusal(await post(at("/Account_Tasks/$ref"), {}))).toEqual([400, PAYLOAD]);
    });

    it(`CreateMultiple makes rows of one table and names them (${DOCS}/bulk-operations#createmultiple)`, async () => {
      const made = await post("accounts/Microsoft.Dynamics.CRM.CreateMultiple", {
        Targets: ["m1", "m2"].map((each) => ({
          "@odata.type": "Microsoft.Dynamics.CRM.account",
          name: each,
        })),
      });
      expect([made.status, made.json.Ids.length]).toEqual([200, 2]);
      expect((await ask(`accounts(${made.json.Ids[1]})?$select=name`)).json.name).toBe("m2");
    });

    it(`UpdateMultiple changes rows or none of them (${DOCS}/bulk-operations#updatemultiple)`, async () => {
      const ids = [
        await create("accounts", { name: "u1" }),
        await create("accounts", { name: "u2" }),
      ];
      const update = (targets: object[]) =>
        post("accounts/Microsoft.Dynamics.CRM.UpdateMultiple", {
          Targets: targets.map((each) => ({
            "@odata.type": "Microsoft.Dynamics.CRM.account",
            ...each,
          })),
        });
      const rows = (names: string[]) =>
        ids.map((accountid, index) => ({ accountid, name: names[index] }));
      expect((await update(rows(["v1", "v2"]))).status).toBe(204);
      const missing = { accountid: randomUUID(), name: "nobody" };
      expect((await update([...rows(["w1", "w2"]), missing])).status).toBe(404);
      for (const [index, id] of ids.entries()) {
        expect((await ask(`accounts(${id})?$select=name`)).json.name).toBe(`v${index + 1}`);
      }
    });

    it(`a bulk operation needs the type of each target (${DOCS}/bulk-operations#createmultiple)`, async () => {
      const path = "accounts/Microsoft.Dynamics.CRM.CreateMultiple";
      expect(refusal(await post(path, { Targets: [{ name: "no type" }] }))).toEqual([400, PAYLOAD]);
      expect(refusal(await post(path, { Targets: [] }))).toEqual([400, PAYLOAD]);
      expect((await ask(path)).status).toBe(405);
    });

    it(`a row is shared with a user and unshared again (${WEBAPI}/reference/grantaccess, ${WEBAPI}/reference/revokeaccess)`, async () => {
      const { json } = await ask(
        `systemusers?$select=systemuserid&$filter=azureactivedirectoryobjectid eq ${target.userObjectId}`,
      );
      const Principal = {
        "@odata.type": "Microsoft.Dynamics.CRM.systemuser",
        systemuserid: json.value[0].systemuserid,
      };
      const Target = { "@odata.type": "Microsoft.Dynamics.CRM.account", accountid: account };
      const grant = (AccessMask: string) =>
        post("GrantAccess", { Target, PrincipalAccess: { AccessMask, Principal } });
      expect((await grant("ReadAccess, WriteAccess")).status).toBe(204);
      expect(refusal(await grant("FlyAccess"))).toEqual([400, PAYLOAD]);
      expect((await post("RevokeAccess", { Target, Revokee: Principal })).status).toBe(204);
      expect((await ask("GrantAccess")).status).toBe(405);
    });

    it.each([
      ["an unknown property", { nope: 1 }, 400, PAYLOAD],
      ["a number for a text", { name: 5 }, 400, PAYLOAD],
      ["a text that is too long", { name: "x".repeat(161) }, 400, "0x80044331"],
      ["an option that does not exist", { industrycode: 99_999 }, 400, "0x8004431a"],
      [
        "a reference to nothing",
        { "primarycontactid@odata.bind": `/contacts(${randomUUID()})` },
        404,
        "0x80040217",
      ],
      [
        "a reference into another table",
        { "primarycontactid@odata.bind": `/accounts(${randomUUID()})` },
        400,
        PAYLOAD,
      ],
    ] as const)(
      `%s is refused by its own code (${WEBAPI}/compose-http-requests-handle-errors#identify-status-codes)`,
      async (_what, body, status, code) => {
        expect(refusal(await patch(at(), body))).toEqual([status, code]);
      },
    );

    it(`a key that is taken is 412 (${WEBAPI}/compose-http-requests-handle-errors#identify-status-codes)`, async () => {
      expect(refusal(await post("accounts", { accountid: account, name: "again" }))).toEqual([
        412,
        "0x80040237",
      ]);
    });

    it(`a body is JSON (${WEBAPI}/compose-http-requests-handle-errors#http-headers)`, async () => {
      expect((await ask("accounts", { method: "POST", body: "no json" })).status).toBe(400);
      expect(
        (
          await ask("accounts", {
            method: "POST",
            body: "{}",
            headers: { "content-type": "text/plain" },
          })
        ).status,
      ).toBe(415);
      expect((await ask("accounts", { headers: { accept: "application/atom+xml" } })).status).toBe(
        406,
      );
    });

    it.each([
      ["PATCH", "accounts"],
      ["DELETE", "accounts"],
      ["PUT", "accounts(id)"],
      ["POST", "accounts(id)"],
      ["POST", "WhoAmI"],
      ["POST", "EntityDefinitions"],
    ])(
      `%s %s is a wrong combination: 405 (${WEBAPI}/compose-http-requests-handle-errors#identify-status-codes)`,
      async (method, path) => {
        const answer = await ask(path.replace("id", account), {
          method,
          ...(method === "DELETE" ? {} : { body: { name: "x" } }),
        });
        expect(answer.status).toBe(405);
      },
    );

    it(`names are case-sensitive, and unknown ones are 404 or 400 (${WEBAPI}/web-api-service-documents)`, async () => {
      expect(refusal(await ask("Accounts"))).toEqual([404, "0x8006088a"]);
      expect(refusal(await ask("accounts?$select=Name"))).toEqual([400, QUERY]);
      expect(refusal(await ask("accounts?$expand=PrimaryContactId"))).toEqual([400, QUERY]);
      expect(refusal(await ask(`accounts(${randomUUID()})`))).toEqual([404, "0x80040217"]);
      expect(refusal(await ask("accounts(not-a-guid)"))).toEqual([400, QUERY]);
    });

    it(`saved queries and the operator in are refused (${WEBAPI}/retrieve-and-execute-predefined-queries, ${WEBAPI}/query/filter-rows#comparison-operators)`, async () => {
      expect((await ask(`accounts?savedQuery=${randomUUID()}`)).status).toBe(400);
      expect((await ask(`accounts?$filter=${enc("name in ('a','b')")}`)).status).toBe(400);
      expect((await ask(`accounts?$filter=${enc("length(name) gt 3")}`)).status).toBe(400);
    });

    it(`filters ignore case and take wildcards (${WEBAPI}/query/filter-rows#use-wildcard-characters)`, async () => {
      const mark = randomUUID().slice(0, 8);
      for (const each of ["alpha", "alfa", "beta"]) {
        await create("accounts", { name: `${mark} ${each}` });
      }
      const find = async (filter: string) =>
        (
          await ask(
            `accounts?$select=name&$orderby=name&$filter=${enc(`startswith(name,'${mark}') and ${filter}`)}`,
          )
        ).json.value.map((row: { name: string }) => row.name.slice(9));
      expect(await find("contains(name,'AL')")).toEqual(["alfa", "alpha"]);
      expect(await find("contains(name,'al%a')")).toEqual(["alfa", "alpha"]);
      expect(await find("endswith(name,'al_a')")).toEqual(["alfa"]);
      expect(await find("contains(name,'[b]eta')")).toEqual(["beta"]);
      expect(await find("not contains(name,'[^b]eta')")).toEqual(["alfa", "alpha", "beta"]);
    });

    it(`EqualUserId takes the name of the column (${WEBAPI}/reference/equaluserid)`, async () => {
      const filter = enc("Microsoft.Dynamics.CRM.EqualUserId(PropertyName='ownerid')");
      const mine = await ask(`accounts?$select=name&$filter=${filter}&$top=1`);
      expect([mine.status, mine.json.value.length]).toEqual([200, 1]);
    });

    it(`a query expands through several tables (${WEBAPI}/query/join-tables#nested-expand-of-single-valued-navigation-properties)`, async () => {
      const id = await create("accounts", {
        name: "Nested",
        primarycontactid: { lastname: "Nested" },
      });
      const { json } = await ask(
        `accounts(${id})?$select=name&$expand=primarycontactid($select=lastname;$expand=createdby($select=fullname))`,
      );
      expect(json.primarycontactid.createdby.fullname).toEqual(expect.any(String));
      expect(
        (await ask(`accounts(${id})?$expand=primarycontactid($select=lastname;$levels=2)`)).status,
      ).toBe(400);
    });

    it(`nobody keeps webhooks from running without the privilege (${DOCS}/bypass-custom-business-logic)`, async () => {
      const bypass = { "MSCRM.BypassCustomPluginExecution": "true" };
      expect(refusal(await patch(at(), { name: "Writes" }, bypass))).toEqual([403, "0x80040220"]);
    });

    it(`a user who does not exist cannot be acted for (${WEBAPI}/impersonate-another-user-web-api)`, async () => {
      const nobody = { CallerObjectId: randomUUID() };
      expect((await ask(at("?$select=name"), { headers: nobody })).status).toBe(403);
    });

    it(`without control information a row is its columns (${WEBAPI}/compose-http-requests-handle-errors#http-headers)`, async () => {
      const { json } = await ask(at("?$select=name"), {
        headers: { accept: "application/json;odata.metadata=none" },
      });
      expect(json).toEqual({ accountid: account, name: "Writes" });
    });

    it(`one attribute of a table is described, by its type (${WEBAPI}/query-metadata-web-api)`, async () => {
      const base = "EntityDefinitions(LogicalName='account')";
      const column = await ask(
        `${base}/Attributes(LogicalName='name')/Microsoft.Dynamics.CRM.StringAttributeMetadata?$select=MaxLength`,
      );
      expect(column.json.MaxLength).toBe(160);
      expect((await ask("EntityDefinitions(LogicalName='nothing')")).status).toBe(404);
      expect((await ask(`${base}/Attributes(LogicalName='nothing')`)).status).toBe(404);
    });
  });
}
