import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  createDataverseClient,
  type DataverseClient,
  type DataverseTarget,
  refusal,
} from "./dataverse-client.ts";

const WEB_API = "https://learn.microsoft.com/power-apps/developer/data-platform/webapi";
const CODES =
  "https://learn.microsoft.com/power-apps/developer/data-platform/reference/web-service-error-codes";

/** Pages, expanded collections, keys and error details. Each case cites its page. */
export function testDataversePages(name: string, open: () => Promise<DataverseTarget>): void {
  describe(`${name}: pages and expansions`, () => {
    let client: DataverseClient;
    let account: string;
    const mark = randomUUID().slice(0, 8);
    const subjects = (rows: { subject: string }[]) => rows.map(({ subject }) => subject).sort();
    const wellFormed = "00000000-0000-4000-8000-000000000000";
    const read = (query: string, headers: Record<string, string> = {}) =>
      client.ask(`accounts(${account})?${query}`, { headers });

    beforeAll(async () => {
      client = createDataverseClient(await open());
      account = await client.create("accounts", { name: `pages ${mark}` });
      for (const subject of ["one", "two", "three"]) {
        await client.create("tasks", {
          subject,
          "regardingobjectid_account_task@odata.bind": `/accounts(${account})`,
        });
      }
    });

    it(`an expanded collection names the URL that returns the same rows (${WEB_API}/query/join-tables#single-expand-on-collection-valued-navigation-properties)`, async () => {
      const { json } = await read("$select=name&$expand=Account_Tasks($select=subject)", {
        prefer: "odata.maxpagesize=1",
      });
      const link = json["Account_Tasks@odata.nextLink"];
      expect(link).toMatch(
        new RegExp(`/accounts\\(${account}\\)/Account_Tasks\\?\\$select=subject$`),
      );
      expect(subjects(json.Account_Tasks)).toEqual(["one", "three", "two"]);
      expect(subjects((await client.ask(link)).json.value)).toEqual(["one", "three", "two"]);
    });

    it(`with a nested $expand the page size also limits the expanded collections (${WEB_API}/query/join-tables#nested-expand-on-collection-valued-navigation-properties)`, async () => {
      const headers = { prefer: "odata.maxpagesize=2" };
      const nested = "Account_Tasks($select=subject;$expand=createdby($select=fullname))";
      const { json } = await read(`$select=name&$expand=${nested}`, headers);
      expect(json.Account_Tasks).toHaveLength(2);
      const link = json["Account_Tasks@odata.nextLink"];
      expect(link).toContain("$skiptoken=");
      const rest = await client.ask(link, { headers });
      expect(subjects([...json.Account_Tasks, ...rest.json.value])).toEqual([
        "one",
        "three",
        "two",
      ]);
    });

    it.each(["$top=1", "$orderby=subject"])(
      `with a nested $expand, %s is refused (${WEB_API}/query/join-tables#nested-expand-on-collection-valued-navigation-properties)`,
      async (option) => {
        const nested = `Account_Tasks($select=subject;${option};$expand=createdby($select=fullname))`;
        const answer = await read(`$select=name&$expand=${nested}`);
        expect(refusal(answer)).toEqual([400, "0x80060888"]);
        expect(answer.json.error.message).toBe(
          "Only $select and $filter clause can be provided while doing $expand on many-to-one relationship or nested one-to-many relationship.",
        );
      },
    );

    it(`references are expanded only for lookups (${WEB_API}/query/join-tables#return-references)`, async () => {
      const one = await read("$select=name&$expand=createdby/$ref");
      expect(one.json.createdby["@odata.id"]).toMatch(/\/systemusers\([0-9a-f-]{36}\)$/);
      const many = await read("$select=name&$expand=Account_Tasks/$ref");
      expect(refusal(many)).toEqual([400, "0x80060888"]);
      expect(many.json.error.message).toBe(
        "Expand with $ref is only supported on lookup type navigation property.",
      );
    });

    it(`a query has up to 15 $expand options (${WEB_API}/query/join-tables)`, async () => {
      const expand = (count: number) => Array(count).fill("createdby($select=fullname)").join(",");
      expect((await read(`$select=name&$expand=${expand(15)}`)).status).toBe(200);
      expect(refusal(await read(`$select=name&$expand=${expand(16)}`))).toEqual([
        400,
        "0x80060888",
      ]);
    });

    it(`a page size makes Dataverse ignore $top (${WEB_API}/query/page-results#dont-use-the-top-query-option-while-paging-records)`, async () => {
      const answer = await client.ask(`accounts(${account})/Account_Tasks?$select=subject&$top=1`, {
        headers: { prefer: "odata.maxpagesize=2" },
      });
      expect(answer.json.value).toHaveLength(2);
      expect(answer.json["@odata.nextLink"]).toMatch(
        /\?\$select=subject.*&\$skiptoken=%3Ccookie%20/,
      );
      expect(answer.headers.get("preference-applied")).toBe("odata.maxpagesize=2");
    });

    it(`an alternate key that names no row has a code of its own (${CODES} 0x80060891)`, async () => {
      const set = "sprk_processingjobs(sprk_idempotencykey='nobody')";
      const answer = await client.ask(set);
      expect(refusal(answer)).toEqual([404, "0x80060891"]);
      expect(answer.json.error.message).toBe(
        "A record with the specified key values does not exist in sprk_processingjob entity",
      );
      const headers = { "if-match": "*" };
      const update = await client.ask(set, { method: "PATCH", body: {}, headers });
      expect(refusal(update)).toEqual([404, "0x80060891"]);
      const plain = await client.ask(`accounts(${wellFormed})`);
      expect(refusal(plain)).toEqual([404, "0x80040217"]);
    });

    it(`an id is compared with an id, quoted or not (${WEB_API}/query/filter-rows)`, async () => {
      for (const literal of [account, `'${account}'`]) {
        const found = await client.ask(`accounts?$select=name&$filter=accountid eq ${literal}`);
        expect(found.json.value).toHaveLength(1);
      }
      const answer = await client.ask("accounts?$select=name&$filter=accountid eq 'x'");
      expect(refusal(answer)).toEqual([400, "0x80060888"]);
      expect(answer.json.error.message).toContain(
        "Found operand types 'Edm.Guid' and 'Edm.String' for operator kind 'Equal'",
      );
    });

    it(`an error has the details that were asked for, and no others (${WEB_API}/compose-http-requests-handle-errors#include-more-details-with-errors)`, async () => {
      const details = async (wanted: string) => {
        const headers = { prefer: `odata.include-annotations="${wanted}"` };
        const { json } = await client.ask(`accounts(${wellFormed})`, { headers });
        return Object.keys(json.error).filter((key) => key.startsWith("@"));
      };
      const prefix = "@Microsoft.PowerApps.CDS.";
      expect(await details("*")).toEqual(
        [
          ...["ErrorDetails.OperationStatus", "ErrorDetails.SubErrorCode", "HelpLink"],
          ...["TraceText", "InnerError.Message"],
        ].map((each) => `${prefix}${each}`),
      );
      expect(await details("Microsoft.PowerApps.CDS.HelpLink")).toEqual([`${prefix}HelpLink`]);
      expect(await details("OData.Community.Display.V1.FormattedValue")).toEqual([]);
    });

    it(`each part of a batch with a body says that it is JSON (${WEB_API}/execute-batch-operations-using-web-api#handling-errors)`, async () => {
      const part = (url: string) =>
        `--b\r\nContent-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\nGET /api/data/v9.2/${url} HTTP/1.1\r\nAccept: application/json\r\n\r\n\r\n`;
      const answer = await client.ask("$batch", {
        method: "POST",
        body: `${part(`accounts(${account})?$select=name`)}${part("nothings")}--b--\r\n`,
        headers: {
          "content-type": "multipart/mixed; boundary=b",
          prefer: "odata.continue-on-error",
        },
      });
      const parts = answer.text.split(/--batchresponse_[^\r]+/).slice(1, -1);
      expect(parts).toHaveLength(2);
      for (const text of parts) {
        expect(text).toContain("Content-Type: application/json; odata.metadata=minimal");
      }
    });
  });
}
