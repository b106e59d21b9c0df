import { beforeAll, describe, expect, it } from "vitest";
import {
  createDataverseClient,
  type DataverseClient,
  type DataverseTarget,
  refusal,
} from "./dataverse-client.ts";

const DOCS = "https://learn.microsoft.com/power-apps/developer/data-platform";
const BATCH = `${DOCS}/webapi/execute-batch-operations-using-web-api`;

interface Member {
  readonly method: string;
  readonly url: string;
  readonly body?: object;
  readonly id?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function part({ method, url, body, id, headers = {} }: Member): string {
  const lines = ["Content-Type: application/http", "Content-Transfer-Encoding: binary"];
  if (id !== undefined) lines.push(`Content-ID: ${id}`);
  lines.push("", `${method} ${url} HTTP/1.1`);
  if (body !== undefined) lines.push("Content-Type: application/json; type=entry");
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  lines.push("", body === undefined ? "" : JSON.stringify(body));
  return lines.join("\r\n");
}

function changeSet(members: readonly Member[]): string {
  const parts = members.map((member) => `--changeset_1\r\n${part(member)}\r\n`).join("");
  return `Content-Type: multipart/mixed; boundary="changeset_1"\r\n\r\n${parts}--changeset_1--\r\n`;
}

/** Batches, change tracking, FetchXML and impersonation. Each case cites its page. */
export function testDataverseBatches(name: string, open: () => Promise<DataverseTarget>): void {
  describe(`${name}: batches, changes, FetchXML`, () => {
    let target: DataverseTarget;
    let client: DataverseClient;
    beforeAll(async () => {
      target = await open();
      client = createDataverseClient(target);
    });

    const batch = (parts: readonly string[], headers: Record<string, string> = {}) =>
      client.ask("$batch", {
        method: "POST",
        headers: { "content-type": 'multipart/mixed; boundary="batch_1"', ...headers },
        body: `${parts.map((text) => `--batch_1\r\n${text}\r\n`).join("")}--batch_1--\r\n`,
      });
    const statuses = (text: string) =>
      [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status));
    const count = async (label: string) => {
      const filter = encodeURIComponent(`name eq '${label}'`);
      return (await client.ask(`accounts/$count?$filter=${filter}`)).text;
    };

    it(`requests of a batch are answered in order, each with its own status (${BATCH}#batch-responses)`, async () => {
      const answer = await batch([
        part({ method: "POST", url: "/api/data/v9.2/accounts", body: { name: "batch one" } }),
        part({
          method: "GET",
          url: "/api/data/v9.2/accounts?$select=name&$filter=name%20eq%20%27batch%20one%27",
        }),
      ]);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("content-type")).toMatch(
        /^multipart\/mixed; boundary=batchresponse_/,
      );
      expect(statuses(answer.text)).toEqual([204, 200]);
      expect(answer.text).toMatch(/OData-EntityId: \S+\/accounts\([0-9a-f-]{36}\)/);
      expect(answer.text).toContain('"name":"batch one"');
    });

    it(`the first failure ends the batch with its status (${BATCH}#handling-errors)`, async () => {
      const answer = await batch([
        part({ method: "POST", url: "/api/data/v9.2/accounts", body: { name: "x".repeat(161) } }),
        part({ method: "POST", url: "/api/data/v9.2/accounts", body: { name: "never made" } }),
      ]);
      expect(answer.status).toBe(400);
      expect(statuses(answer.text)).toEqual([400]);
      expect(answer.text).toContain("0x80044331");
      expect(await count("never made")).toBe("0");
    });

    it(`with odata.continue-on-error the rest is done and the batch is 200 (${BATCH}#handling-errors)`, async () => {
      const answer = await batch(
        [
          part({ method: "POST", url: "/api/data/v9.2/accounts", body: { name: "x".repeat(161) } }),
          part({ method: "POST", url: "/api/data/v9.2/accounts", body: { name: "made anyway" } }),
        ],
        { prefer: "odata.continue-on-error" },
      );
      expect(answer.status).toBe(200);
      expect(statuses(answer.text)).toEqual([400, 204]);
      expect(await count("made anyway")).toBe("1");
    });

    it(`a change set that fails leaves nothing behind (${BATCH}#change-sets)`, async () => {
      const answer = await batch([
        changeSet([
          { method: "POST", url: "/api/data/v9.2/accounts", body: { name: "half done" }, id: "1" },
          { method: "POST", url: "/api/data/v9.2/accounts", body: { unknown: true }, id: "2" },
        ]),
      ]);
      expect(answer.status).toBe(400);
      expect(statuses(answer.text)).toEqual([400]);
      expect(await count("half done")).toBe("0");
    });

    it(`Content-ID refers to what the change set created, in a URL and in a body (${BATCH}#reference-uris-in-an-operation)`, async () => {
      const answer = await batch([
        changeSet([
          { method: "POST", url: "/api/data/v9.2/accounts", body: { name: "referenced" }, id: "1" },
          {
            method: "POST",
            url: "/api/data/v9.2/contacts",
            body: { lastname: "Referenced" },
            id: "2",
          },
          { method: "PATCH", url: "$1", body: { "primarycontactid@odata.bind": "$2" }, id: "3" },
        ]),
      ]);
      expect(statuses(answer.text)).toEqual([204, 204, 204]);
      expect(answer.text).toContain("Content-ID: 3");
      const filter = encodeURIComponent("name eq 'referenced'");
      const read = await client.ask(
        `accounts?$select=name&$filter=${filter}&$expand=primarycontactid($select=lastname)`,
      );
      expect(read.json.value[0].primarycontactid.lastname).toBe("Referenced");
    });

    it(`a Content-ID that was not declared before is 400 (${BATCH}#reference-uris-in-an-operation)`, async () => {
      const answer = await batch([
        changeSet([
          { method: "PATCH", url: "$1", body: { name: "x" }, id: "2" },
          { method: "POST", url: "/api/data/v9.2/accounts", body: { name: "late" }, id: "1" },
        ]),
      ]);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain(
        "Content-ID Reference: '$1' does not exist in the batch context.",
      );
    });

    it(`GET is not allowed in a change set (${BATCH}#change-sets)`, async () => {
      const answer = await batch([changeSet([{ method: "GET", url: "/api/data/v9.2/accounts" }])]);
      expect(answer.status).toBe(400);
    });

    it(`a batch of more than 1,000 requests is refused (${BATCH}#when-to-use-batch-requests)`, async () => {
      const one = part({ method: "GET", url: "/api/data/v9.2/WhoAmI" });
      expect((await batch(Array.from({ length: 1001 }, () => one))).status).toBe(400);
    });

    const CHANGES = `${DOCS}/use-change-tracking-synchronize-data-external-systems`;

    it(`odata.track-changes returns a delta link, and the link returns what was created and deleted since (${CHANGES}#retrieve-changes-for-a-table-using-the-web-api)`, async () => {
      const gone = await client.create("contacts", { lastname: "gone" });
      const first = await client.ask("contacts?$select=lastname", {
        headers: { prefer: "odata.track-changes" },
      });
      expect(first.headers.get("preference-applied")).toBe("odata.track-changes");
      const link = String(first.json["@odata.deltaLink"]);
      expect(link).toContain("$deltatoken=");
      const made = await client.create("contacts", { lastname: "new" });
      await client.ask(`contacts(${gone})`, { method: "DELETE" });
      const changes = await client.ask(link);
      expect(changes.json["@odata.context"]).toMatch(/\/\$delta$/);
      expect(changes.json.value).toEqual([
        expect.objectContaining({ contactid: made, lastname: "new" }),
        {
          "@odata.context": expect.stringMatching(/#contacts\/\$deletedEntity$/),
          id: gone,
          reason: "deleted",
        },
      ]);
      const quiet = await client.ask(String(changes.json["@odata.deltaLink"]));
      expect(quiet.json.value).toEqual([]);
    });

    it(`the changes behind a token are counted by /$count (${CHANGES}#retrieve-count-of-the-changes-made-in-tables-using-web-api)`, async () => {
      const first = await client.ask("contacts?$select=lastname", {
        headers: { prefer: "odata.track-changes" },
      });
      const token = /\$deltatoken=(.*)$/.exec(String(first.json["@odata.deltaLink"]))![1];
      await client.create("contacts", { lastname: "counted" });
      expect((await client.ask(`contacts/$count?$deltatoken=${token}`)).text).toBe("1");
    });

    it(`change tracking refuses $filter, $orderby, $expand and $top (${CHANGES}#query-options-not-supported-in-change-tracking-web-api-request)`, async () => {
      for (const option of [
        "$filter=lastname eq 'x'",
        "$orderby=lastname",
        "$expand=createdby",
        "$top=1",
      ]) {
        const answer = await client.ask(`contacts?${option}`, {
          headers: { prefer: "odata.track-changes" },
        });
        expect([option, answer.status]).toEqual([option, 400]);
        expect(answer.json.error.message).toContain(
          "query parameter isn't supported when Change Tracking is enabled.",
        );
      }
    });

    const FETCH = `${DOCS}/fetchxml`;
    const fetchXml = (xml: string, headers = {}) =>
      client.ask(`accounts?fetchXml=${encodeURIComponent(xml)}`, { headers });

    it(`FetchXML selects, filters and sorts (${FETCH}/select-columns, ${FETCH}/filter-rows)`, async () => {
      for (const [label, people] of [
        ["fetch a", 5],
        ["fetch b", 50],
        ["fetch c", 500],
      ] as const)
        await client.create("accounts", { name: label, numberofemployees: people });
      const answer = await fetchXml(
        "<fetch><entity name='account'><attribute name='name'/><filter type='and'><condition attribute='name' operator='like' value='fetch %'/><condition attribute='numberofemployees' operator='ge' value='50'/></filter><order attribute='numberofemployees' descending='true'/></entity></fetch>",
      );
      expect(answer.status).toBe(200);
      expect(answer.json.value.map((row: { name: string }) => row.name)).toEqual([
        "fetch c",
        "fetch b",
      ]);
      expect(answer.json.value[0]).not.toHaveProperty("numberofemployees");
      expect(answer.json.value[0]).toHaveProperty("accountid");
    });

    it(`FetchXML joins tables, inner and outer (${FETCH}/join-tables)`, async () => {
      const contact = await client.create("contacts", { firstname: "Jo", lastname: "Fetch" });
      await client.create("accounts", {
        name: "joined",
        "primarycontactid@odata.bind": `/contacts(${contact})`,
      });
      await client.create("accounts", { name: "joined not" });
      const query = (type: string) =>
        `<fetch><entity name='account'><attribute name='name'/><filter><condition attribute='name' operator='begins-with' value='joined'/></filter><link-entity name='contact' from='contactid' to='primarycontactid' link-type='${type}' alias='c'><attribute name='firstname'/></link-entity><order attribute='name'/></entity></fetch>`;
      const inner = await fetchXml(query("inner"));
      expect(inner.json.value).toMatchObject([{ name: "joined", "c.firstname": "Jo" }]);
      expect(inner.json.value).toHaveLength(1);
      expect((await fetchXml(query("outer"))).json.value).toHaveLength(2);
    });

    it(`FetchXML aggregates by group (${FETCH}/aggregate-data)`, async () => {
      for (const people of [1, 2])
        await client.create("accounts", { name: "grouped", numberofemployees: people });
      const answer = await fetchXml(
        "<fetch aggregate='true'><entity name='account'><attribute name='name' alias='who' groupby='true'/><attribute name='numberofemployees' alias='people' aggregate='sum'/><attribute name='accountid' alias='rows' aggregate='count'/><filter><condition attribute='name' operator='eq' value='grouped'/></filter></entity></fetch>",
      );
      expect(answer.json.value).toEqual([{ who: "grouped", people: 3, rows: 2 }]);
    });

    it(`FetchXML pages by count and page, and says whether there is more (${FETCH}/page-results)`, async () => {
      for (const label of ["page 1", "page 2", "page 3"])
        await client.create("accounts", { name: label });
      const page = (number: number) =>
        fetchXml(
          `<fetch count='2' page='${number}'><entity name='account'><attribute name='name'/><filter><condition attribute='name' operator='like' value='page _'/></filter><order attribute='name'/></entity></fetch>`,
          {
            prefer:
              'odata.include-annotations="Microsoft.Dynamics.CRM.fetchxmlpagingcookie,Microsoft.Dynamics.CRM.morerecords"',
          },
        );
      const first = await page(1);
      expect(first.json.value).toHaveLength(2);
      expect(first.json["@Microsoft.Dynamics.CRM.morerecords"]).toBe(true);
      expect(first.json["@Microsoft.Dynamics.CRM.fetchxmlpagingcookie"]).toContain(
        'pagenumber="2"',
      );
      const second = await page(2);
      expect(second.json.value).toMatchObject([{ name: "page 3" }]);
      expect(second.json["@Microsoft.Dynamics.CRM.morerecords"]).toBe(false);
    });

    it(`FetchXML that names what does not exist is refused (${FETCH}/reference)`, async () => {
      const wrong: [string, string][] = [
        [
          "<fetch><entity name='account'><attribute name='nothing'/></entity></fetch>",
          "0x80041103",
        ],
        ["<fetch><entity name='nothing'/></fetch>", "0x80041102"],
        ["<fetch><entity name='account'>", "0x80041129"],
        ["<fetch><entity name='account'><where/></entity></fetch>", "0x80041129"],
        ["<fetch top='2' page='1'><entity name='account'/></fetch>", "0x80041129"],
        [
          "<fetch><entity name='account'><filter><condition attribute='name' operator='sounds-like' value='x'/></filter></entity></fetch>",
          "0x80041129",
        ],
      ];
      for (const [xml, code] of wrong) {
        expect([xml, ...refusal(await fetchXml(xml))]).toEqual([xml, 400, code]);
      }
    });

    it(`a header of a part is for that part alone (${DOCS}/webapi/compose-http-requests-handle-errors#other-headers)`, async () => {
      const url = "/api/data/v9.2/accounts?$select=_createdby_value";
      const made = (headers = {}) =>
        part({
          ...{ method: "POST", url, body: { name: "part" } },
          headers: { Prefer: "return=representation", ...headers },
        });
      const { text } = await batch([made({ CallerObjectId: target.userObjectId }), made()]);
      expect(statuses(text)).toEqual([201, 201]);
      const makers = [...text.matchAll(/"_createdby_value":\s*"([^"]+)"/g)].map(([, id]) => id);
      const { json } = await client.ask("WhoAmI");
      expect([makers[0] === json.UserId, makers[1]]).toEqual([false, json.UserId]);

      const nobody = { CallerObjectId: "00000000-0000-0000-0000-00000000dead" };
      expect(statuses((await batch([made(nobody)])).text)).toEqual([403]);
      const bypass = { "MSCRM.BypassCustomPluginExecution": "true" };
      expect(statuses((await batch([made(bypass)])).text)).toEqual([403]);
    });

    it(`a row made in another user's name says who really made it (${DOCS}/webapi/impersonate-another-user-web-api#determine-the-actual-user)`, async () => {
      const id = await client.create(
        "accounts",
        { name: "for another" },
        { callerobjectid: target.userObjectId },
      );
      const read = await client.ask(
        `accounts(${id})?$select=name&$expand=createdby($select=azureactivedirectoryobjectid),createdonbehalfby($select=fullname),owninguser($select=azureactivedirectoryobjectid)`,
      );
      expect(read.json.createdby.azureactivedirectoryobjectid).toBe(target.userObjectId);
      expect(read.json.owninguser.azureactivedirectoryobjectid).toBe(target.userObjectId);
      expect(read.json.createdonbehalfby.fullname).toBeTruthy();
      const own = await client.create("accounts", { name: "for myself" });
      const plain = await client.ask(`accounts(${own})?$select=_createdonbehalfby_value`);
      expect(plain.json["_createdonbehalfby_value"]).toBeNull();
      const unknown = await client.ask("WhoAmI", {
        headers: { callerobjectid: "00000000-0000-0000-0000-00000000dead" },
      });
      expect(unknown.status).toBe(403);
    });
  });
}
