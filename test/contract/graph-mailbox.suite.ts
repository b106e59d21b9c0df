import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  ask,
  type GraphAnswer,
  type GraphTarget,
  IMMUTABLE,
  type Loose,
  makeMessage,
} from "./graph-target.ts";

const API = "https://learn.microsoft.com/graph/api";
const CONCEPTS = "https://learn.microsoft.com/graph";
const enc = encodeURIComponent;

/** Sending, drafts, attachments, folders and paging. Each case cites its page. */
export function testMailbox(
  name: string,
  open: () => Promise<GraphTarget>,
  can: readonly "incoming"[],
): void {
  describe(`${name}: mailbox`, () => {
    let target: GraphTarget;
    let user: string;
    let messages: string;
    let folders: string;
    beforeAll(async () => {
      target = await open();
      user = `/users/${target.mailbox}`;
      messages = `${user}/messages`;
      folders = `${user}/mailFolders`;
    });
    const post = (path: string, body: unknown = {}, headers = IMMUTABLE) =>
      ask(target, path, { method: "POST", body, headers });
    const patch = (path: string, body: unknown) =>
      ask(target, path, { method: "PATCH", body, headers: IMMUTABLE });
    const remove = (path: string) => ask(target, path, { method: "DELETE", headers: IMMUTABLE });
    const refusal = ({ status, json }: GraphAnswer) => [status, json?.error?.code];
    const to = (address: string) => [{ emailAddress: { address } }];
    const raw = async (path: string, body: string) => {
      const answer = await fetch(`${target.graph}/v1.0${path}`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${await target.token()}`,
          "content-type": "text/plain",
        },
        body,
      });
      const text = await answer.text();
      return { status: answer.status, json: text === "" ? null : JSON.parse(text) };
    };
    const mime = (subject: string) =>
      Buffer.from(
        `From: a@b.example\r\nTo: c@d.example\r\nSubject: ${subject}\r\n\r\nA body.`,
      ).toString("base64");
    const found = async (subject: string): Promise<Loose[]> =>
      (await ask(target, `${messages}?$filter=${enc(`subject eq '${subject}'`)}`)).json.value;
    const makeFolder = async (parent = folders) =>
      (await post(parent, { displayName: `folder ${randomUUID()}` })).json;

    it(`sendMail is accepted without a body and kept in Sent Items unless the request says otherwise (${API}/user-sendmail)`, async () => {
      for (const [subject, more, count] of [
        [`kept ${randomUUID()}`, {}, 1],
        [`not kept ${randomUUID()}`, { saveToSentItems: false }, 0],
      ] as const) {
        const message = { subject, toRecipients: to("someone@x.example") };
        const sent = await post(`${user}/sendMail`, { message, ...more });
        expect([sent.status, sent.bytes.length]).toEqual([202, 0]);
        expect(await found(subject)).toHaveLength(count);
      }
    });

    it(`sendMail needs a message and somebody to send it to (${API}/user-sendmail)`, async () => {
      const nobody = await post(`${user}/sendMail`, { message: { subject: "to nobody" } });
      expect(refusal(nobody)).toEqual([400, "ErrorInvalidRecipients"]);
      expect((await post(`${user}/sendMail`, {})).status).toBe(400);
    });

    it(`sending as somebody else needs a right that nobody has, and leaves nothing behind (${CONCEPTS}/outlook-send-mail-from-other-user)`, async () => {
      const [from] = to("somebody.else@x.example");
      const count = async () => (await ask(target, `${folders}/drafts`)).json.totalItemCount;
      const before = await count();
      for (const message of [
        { subject: "not mine", from, toRecipients: to("someone@x.example") },
        { subject: "to nobody" },
      ]) {
        const answer = await post(`${user}/sendMail`, { message });
        expect(answer.status).toBe("from" in message ? 403 : 400);
        if ("from" in message) expect(refusal(answer)).toEqual([403, "ErrorSendAsDenied"]);
      }
      expect(await count()).toBe(before);
      const draft = await post(messages, { from, toRecipients: to("someone@x.example") });
      expect(refusal(await post(`${messages}/${draft.json.id}/send`))).toEqual([
        403,
        "ErrorSendAsDenied",
      ]);
      expect(
        (await ask(target, `${messages}/${draft.json.id}`, { headers: IMMUTABLE })).status,
      ).toBe(200);
    });

    it.each([
      "$orderby=body",
      "$orderby=from/emailAddress/nope",
      "$filter=body eq 'x'",
      "$filter=flag/nope eq 'x'",
      "$filter=toRecipients eq 'x'",
    ])(
      `%s names no value that could be compared (${CONCEPTS}/query-parameters#filter-parameter)`,
      async (option) => {
        const answer = await ask(target, `${messages}?${option.replaceAll(" ", "%20")}`);
        expect(refusal(answer)).toEqual([400, "RequestBroker--ParseUri"]);
      },
    );

    it(`a page size that was obeyed is in Preference-Applied, and $top may only lower it (${CONCEPTS}/delta-query-messages, RFC 7240 section 3)`, async () => {
      for (const subject of ["one", "two", "three"]) await makeMessage(target, subject);
      const headers = { prefer: "odata.maxpagesize=2" };
      for (const path of [messages, folders, `${folders}/delta`]) {
        const answer = await ask(target, path, { headers });
        expect(answer.json.value.length).toBeGreaterThan(0);
        expect(answer.json.value.length).toBeLessThanOrEqual(2);
        expect(answer.headers.get("preference-applied")).toBe("odata.maxpagesize=2");
        expect(answer.json["@odata.nextLink"]).toMatch(/[?&]\$skip(token)?=/);
      }
      const fewer = await ask(target, `${messages}?$top=1`, { headers });
      expect(fewer.json.value).toHaveLength(1);
    });

    it(`folders that every mailbox has stay where they are (${API}/mailfolder-move, https://learn.microsoft.com/exchange/client-developer/web-service-reference/responsecode ErrorMoveDistinguishedFolder)`, async () => {
      const moved = await post(`${folders}/inbox/move`, { destinationId: "archive" });
      expect(refusal(moved)).toEqual([400, "ErrorMoveDistinguishedFolder"]);
      const made = await makeFolder();
      const renamed = await patch(`${folders}/${made.id}`, { displayName: `r ${randomUUID()}` });
      expect(renamed.json["@odata.context"]).toMatch(/\/mailFolders\/\$entity$/);
    });

    it(`every answer has its request ids and OData's version (${CONCEPTS}/best-practices-concept#reliability-and-support, ${CONCEPTS}/errors)`, async () => {
      const headers = { "client-request-id": "11111111-2222-4333-8444-555555555555" };
      for (const path of [`${folders}/inbox`, "/drives/none/root"]) {
        const answer = await ask(target, path, { headers });
        expect(answer.headers.get("odata-version")).toBe("4.0");
        expect(answer.headers.get("client-request-id")).toBe(headers["client-request-id"]);
        const id = answer.headers.get("request-id");
        expect(id).toMatch(/^[0-9a-f-]{36}$/);
        if (answer.status >= 400) {
          expect(answer.json.error.innerError).toMatchObject({ ...headers, "request-id": id });
        }
      }
    });

    it.each([
      ["no token", "", "Access token is empty."],
      ["no JWT", "Bearer abc", "IDX14100: JWT is not well formed, there are no dots (.)."],
      [
        "a token for another API",
        `Bearer e30.${Buffer.from('{"aud":"https://other.example"}').toString("base64url")}.c2ln`,
        "Access token validation failure. Invalid audience.",
      ],
    ])(
      `%s is refused with the reason and where to sign in (https://learn.microsoft.com/graph/resolve-auth-errors)`,
      async (_what, authorization, message) => {
        for (const path of [`${folders}/inbox`, "/drives/none/root"]) {
          const answer = await ask(target, path, { headers: { authorization } });
          expect(refusal(answer)).toEqual([401, "InvalidAuthenticationToken"]);
          expect(answer.json.error.message).toBe(message);
          expect(answer.headers.get("www-authenticate")).toMatch(
            /^Bearer .*authorization_uri=".*\/oauth2\/authorize"/,
          );
        }
      },
    );

    it(`a version that Graph does not have is named (${CONCEPTS}/use-the-api#version)`, async () => {
      const answer = await ask(target, `${target.graph}/v3.0/me`);
      expect(refusal(answer)).toEqual([400, "BadRequest"]);
      expect(answer.json.error.message).toBe("Invalid version: v3.0");
    });

    it(`a message is sent and drafted as MIME in base64 (${API}/user-sendmail#example-4, ${API}/user-post-messages)`, async () => {
      const subject = `mime ${randomUUID()}`;
      expect((await raw(`${user}/sendMail`, mime(subject))).status).toBe(202);
      const draft = await raw(messages, mime(subject));
      expect([draft.status, draft.json.isDraft, draft.json.subject]).toEqual([201, true, subject]);
      const wrong = await raw(`${user}/sendMail`, "no base64 at all!");
      expect([wrong.status, wrong.json.error.code]).toEqual([
        400,
        "ErrorMimeContentInvalidBase64String",
      ]);
    });

    it(`headers of our own start with x- (${CONCEPTS}/outlook-create-send-messages)`, async () => {
      const header = (each: string) => ({ internetMessageHeaders: [{ name: each, value: "1" }] });
      expect((await post(messages, header("x-a"))).status).toBe(201);
      expect(refusal(await post(messages, header("Received")))).toEqual([
        400,
        "InvalidInternetMessageHeader",
      ]);
    });

    it(`a draft is sent once (${API}/message-send)`, async () => {
      const subject = `send ${randomUUID()}`;
      const draft = await post(messages, { subject, toRecipients: to("someone@x.example") });
      expect((await post(`${messages}/${draft.json.id}/send`)).status).toBe(202);
      expect((await found(subject)).map((each) => each.isDraft)).toEqual([false]);
      expect((await post(`${messages}/${draft.json.id}/send`)).status).toBe(400);
    });

    if (can.includes("incoming")) {
      it.each(["subject", "body", "toRecipients", "internetMessageId"])(
        `%s changes only while the message is a draft (${API}/message-update)`,
        async (property) => {
          const value = {
            subject: "other",
            body: { contentType: "text", content: "other" },
            toRecipients: to("other@x.example"),
            internetMessageId: "<other@x.example>",
          }[property];
          const received = await target.deliver!({ subject: `received ${randomUUID()}` });
          const path = `${messages}/${received.immutableId}`;
          expect(refusal(await patch(path, { [property]: value }))).toEqual([
            400,
            "ErrorInvalidPropertySet",
          ]);
          expect(
            (await patch(path, { categories: ["Red"], importance: "high" })).json,
          ).toMatchObject({ categories: ["Red"], importance: "high" });
        },
      );
    }

    it(`a flag with a due date needs a start date (${API}/resources/followupflag)`, async () => {
      const made = await makeMessage(target, `flag ${randomUUID()}`);
      const day = (dateTime: string) => ({ dateTime, timeZone: "UTC" });
      const due = { flagStatus: "flagged", dueDateTime: day("2026-03-02T00:00:00") };
      expect((await patch(`${messages}/${made.id}`, { flag: due })).status).toBe(400);
      const both = { ...due, startDateTime: day("2026-03-01T00:00:00") };
      const changed = await patch(`${messages}/${made.id}`, { flag: both });
      expect(changed.json.flag).toMatchObject({ flagStatus: "flagged" });
      expect(
        (await patch(`${messages}/${made.id}`, { flag: { flagStatus: "flagged", colour: 1 } }))
          .status,
      ).toBe(400);
    });

    it(`a copy has its own id and leaves the original (${API}/message-copy)`, async () => {
      const made = await makeMessage(target, `copy ${randomUUID()}`);
      const copy = await post(`${messages}/${made.id}/copy`, { destinationId: "archive" });
      expect(copy.status).toBe(201);
      expect(copy.json.id).not.toBe(made.id);
      expect((await ask(target, `${messages}/${made.id}`, { headers: IMMUTABLE })).status).toBe(
        200,
      );
      expect((await post(`${messages}/${made.id}/copy`, {})).status).toBe(400);
    });

    it(`permanentDelete leaves nothing to find (${API}/message-permanentdelete)`, async () => {
      const made = await makeMessage(target, `gone ${randomUUID()}`);
      expect((await post(`${messages}/${made.id}/permanentDelete`)).status).toBe(204);
      const again = await ask(target, `${messages}/${made.id}`, { headers: IMMUTABLE });
      expect(refusal(again)).toEqual([404, "ErrorItemNotFound"]);
    });

    it(`a malformed id is 400, an unknown one is 404 (${CONCEPTS}/errors)`, async () => {
      expect(refusal(await ask(target, `${messages}/abc`))).toEqual([
        400,
        "ErrorInvalidIdMalformed",
      ]);
      expect(refusal(await ask(target, `/users/nobody@x.example/messages`))).toEqual([
        404,
        "Request_ResourceNotFound",
      ]);
    });

    it(`an attachment has a type, a name and base64, and a single request carries 3 MB (${API}/message-post-attachments)`, async () => {
      const made = await makeMessage(target, `attach ${randomUUID()}`);
      const path = `${messages}/${made.id}/attachments`;
      const file = {
        "@odata.type": "#microsoft.graph.fileAttachment",
        name: "a.txt",
        contentBytes: "aGk=",
      };
      const good = await post(path, file);
      expect([good.status, good.json.contentBytes]).toEqual([201, "aGk="]);
      for (const [status, more] of [
        [400, { contentBytes: "%%%" }],
        [400, { name: undefined }],
        [400, { "@odata.type": undefined }],
        [413, { contentBytes: Buffer.alloc(3_500_000).toString("base64") }],
      ] as const) {
        expect([more, (await post(path, { ...file, ...more })).status]).toEqual([more, status]);
      }
      expect((await ask(target, `${path}/$count`, { headers: IMMUTABLE })).bytes.toString()).toBe(
        "1",
      );
    });

    it(`an upload session is for 3 to 150 MB (${API}/attachment-createuploadsession)`, async () => {
      const made = await makeMessage(target, `upload ${randomUUID()}`);
      const path = `${messages}/${made.id}/attachments/createUploadSession`;
      const item = (size: number) => ({
        AttachmentItem: { attachmentType: "file", name: "big.bin", size },
      });
      const session = await post(path, item(4_000_000));
      expect([session.status, session.json.nextExpectedRanges]).toEqual([201, ["0-"]]);
      expect(refusal(await post(path, item(1000)))).toEqual([
        400,
        "ErrorAttachmentSizeShouldNotBeLessThanMinimumSize",
      ]);
      expect((await post(path, item(160 * 1024 * 1024))).status).toBe(400);
    });

    it(`a deleted attachment is gone, and the message says so (${API}/attachment-delete)`, async () => {
      const made = await makeMessage(target, `detach ${randomUUID()}`);
      const path = `${messages}/${made.id}/attachments`;
      const file = await post(path, {
        "@odata.type": "#microsoft.graph.fileAttachment",
        name: "a.txt",
        contentBytes: "aGk=",
      });
      expect((await remove(`${path}/${file.json.id}`)).status).toBe(204);
      expect((await ask(target, `${path}/${file.json.id}`, { headers: IMMUTABLE })).status).toBe(
        404,
      );
      const left = await ask(target, `${messages}/${made.id}`, { headers: IMMUTABLE });
      expect(left.json.hasAttachments).toBe(false);
    });

    it(`a folder name is taken once, and hidden folders are shown only on request (${API}/user-post-mailfolders, ${API}/user-list-mailfolders)`, async () => {
      const displayName = `hidden ${randomUUID()}`;
      const made = await post(folders, { displayName, isHidden: true });
      expect([made.status, made.json.isHidden]).toEqual([201, true]);
      expect(refusal(await post(folders, { displayName }))).toEqual([409, "ErrorFolderExists"]);
      const named = async (query: string) =>
        (await ask(target, `${folders}?$filter=${enc(`displayName eq '${displayName}'`)}${query}`))
          .json.value.length;
      expect(await named("")).toBe(0);
      expect(await named("&includeHiddenFolders=true")).toBe(1);
    });

    it(`a folder is moved with what is in it and keeps its id (${API}/mailfolder-move)`, async () => {
      const [folder, other] = [await makeFolder(), await makeFolder()];
      await post(`${folders}/${folder.id}/messages`, { subject: "inside" });
      const moved = await post(`${folders}/${folder.id}/move`, { destinationId: other.id });
      expect([moved.status, moved.json.id, moved.json.parentFolderId]).toEqual([
        200,
        folder.id,
        other.id,
      ]);
      expect((await ask(target, `${folders}/${folder.id}`)).json.totalItemCount).toBe(1);
    });

    it(`a folder is copied with what is in it under a new id (${API}/mailfolder-copy)`, async () => {
      const [folder, other] = [await makeFolder(), await makeFolder()];
      const child = await makeFolder(`${folders}/${folder.id}/childFolders`);
      await post(`${folders}/${child.id}/messages`, { subject: "inside" });
      const copy = await post(`${folders}/${folder.id}/copy`, { destinationId: other.id });
      expect([copy.status, copy.json.displayName, copy.json.parentFolderId]).toEqual([
        200,
        folder.displayName,
        other.id,
      ]);
      expect(copy.json.id).not.toBe(folder.id);
      const children = await ask(target, `${folders}/${copy.json.id}/childFolders`);
      expect(children.json.value).toMatchObject([
        { displayName: child.displayName, totalItemCount: 1 },
      ]);
      expect((await ask(target, `${folders}/${child.id}`)).json.totalItemCount).toBe(1);
    });

    it(`folders can be deleted, permanently if requested, but not the default folders of the mailbox (${API}/mailfolder-delete, ${API}/mailfolder-permanentdelete)`, async () => {
      const [one, two] = [await makeFolder(), await makeFolder()];
      expect((await remove(`${folders}/${one.id}`)).status).toBe(204);
      expect((await post(`${folders}/${two.id}/permanentDelete`)).status).toBe(204);
      for (const { id } of [one, two]) {
        expect(refusal(await ask(target, `${folders}/${id}/messages`))).toEqual([
          404,
          "ErrorItemNotFound",
        ]);
      }
      expect((await remove(`${folders}/inbox`)).json.error.code).toBe(
        "ErrorDeleteDistinguishedFolder",
      );
    });

    it(`a date is compared with a date, a truth with a truth (${API}/user-list-messages#using-filter-and-orderby-in-the-same-query)`, async () => {
      const filter = (text: string) => ask(target, `${messages}?$filter=${enc(text)}`);
      expect((await filter("receivedDateTime ge 2020-01-01T00:00:00Z")).status).toBe(200);
      expect((await filter("receivedDateTime ge 'yesterday'")).status).toBe(400);
      expect((await filter("isRead eq 'no'")).status).toBe(400);
    });

    it(`a search is neither filtered nor sorted (${CONCEPTS}/search-query-parameter#using-search-on-message-collections)`, async () => {
      const search = `$search=${enc('"anything"')}`;
      for (const more of [`$filter=${enc("isRead eq false")}`, "$orderby=subject"]) {
        expect([more, (await ask(target, `${messages}?${search}&${more}`)).status]).toEqual([
          more,
          400,
        ]);
      }
    });

    it(`a page has 1 to 1,000 messages, 10 by default (${API}/user-list-messages#optional-query-parameters)`, async () => {
      for (const wrong of ["0", "1001", "-1", "x"]) {
        expect([wrong, (await ask(target, `${messages}?$top=${wrong}`)).status]).toEqual([
          wrong,
          400,
        ]);
      }
      const folder = await makeFolder();
      for (let index = 0; index < 12; index++) {
        await post(`${folders}/${folder.id}/messages`, { subject: `page ${index}` });
      }
      const first = await ask(target, `${folders}/${folder.id}/messages?$select=subject`);
      expect(first.json.value).toHaveLength(10);
      const second = await ask(target, first.json["@odata.nextLink"]);
      expect(second.json.value).toHaveLength(2);
      expect(second.json["@odata.nextLink"]).toBeUndefined();
      const all = [...first.json.value, ...second.json.value].map((each: Loose) => each.subject);
      expect(new Set(all).size).toBe(12);
    });

    it(`bodies are returned as text if requested, and the response says so (${API}/message-get#request-headers)`, async () => {
      const made = await post(messages, { body: { contentType: "html", content: "<b>Bold</b>" } });
      const text = await ask(target, `${messages}/${made.json.id}`, {
        headers: { Prefer: 'IdType="ImmutableId", outlook.body-content-type="text"' },
      });
      expect(text.json.body.contentType).toBe("text");
      expect(text.json.body.content).not.toContain("<b>");
      expect(text.headers.get("preference-applied")).toContain("outlook.body-content-type");
    });

    it(`a search is neither filtered nor sorted (${CONCEPTS}/search-query-parameter)`, async () => {
      const search = `${messages}?$search=${enc('"x"')}`;
      const sorted = await ask(target, `${search}&$orderby=receivedDateTime`);
      expect(refusal(sorted)).toEqual([400, "SearchWithOrderBy"]);
      const filtered = await ask(target, `${search}&$filter=${enc("isRead eq false")}`);
      expect(refusal(filtered)).toEqual([400, "SearchWithFilter"]);
    });

    it(`a page of another origin may call (${API}/driveitem-get-content#downloading-files-in-javascript-apps)`, async () => {
      const asked = await fetch(`${target.graph}/v1.0${messages}`, {
        method: "OPTIONS",
        headers: {
          origin: "https://page.example",
          "access-control-request-method": "GET",
          "access-control-request-headers": "authorization",
        },
      });
      expect(asked.status).toBe(200);
      expect(asked.headers.get("access-control-allow-origin")).toBe("*");
      const headers = { origin: "https://page.example" };
      const answer = await ask(target, `${messages}?$top=1`, { headers });
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("access-control-expose-headers")).toContain("Retry-After");
    });

    it(`a method that a resource does not have is 405 with those that it has (${CONCEPTS}/errors)`, async () => {
      const answer = await ask(target, messages, { method: "PUT", body: {} });
      expect(answer.status).toBe(405);
      expect(answer.headers.get("allow")).toContain("GET");
    });

    it(`a format that Graph does not have is 406 (${CONCEPTS}/errors)`, async () => {
      const answer = await ask(target, messages, { headers: { accept: "application/xml" } });
      expect(answer.status).toBe(406);
    });

    it(`odata.metadata=none omits the control information (https://docs.oasis-open.org/odata/odata-json-format/v4.01/odata-json-format-v4.01.html#sec_metadatanoneodatametadatanone)`, async () => {
      const { json } = await ask(target, `${messages}?$top=1&$select=subject`, {
        headers: { accept: "application/json;odata.metadata=none" },
      });
      expect(Object.keys(json).sort()).toEqual(["@odata.nextLink", "value"]);
      expect(Object.keys(json.value[0]).sort()).toEqual(["id", "subject"]);
    });

    it(`delta starts with everything, not with the latest, and knows three kinds of change (${API}/message-delta)`, async () => {
      const delta = `${folders}/inbox/messages/delta`;
      expect((await ask(target, `${delta}?$deltatoken=latest`)).status).toBe(400);
      expect((await ask(target, `${delta}?changeType=renamed`)).status).toBe(400);
      expect((await ask(target, `${delta}?$search=${enc('"x"')}`)).status).toBe(400);
      expect((await ask(target, `${delta}?changeType=created`)).status).toBe(200);
    });

    it(`people are counted only with ConsistencyLevel: eventual (${CONCEPTS}/aad-advanced-queries)`, async () => {
      expect(refusal(await ask(target, "/users/$count"))).toEqual([400, "Request_BadRequest"]);
      const counted = await ask(target, "/users/$count", {
        headers: { ConsistencyLevel: "eventual" },
      });
      expect([counted.status, Number(counted.bytes.toString()) > 0]).toEqual([200, true]);
    });

    it(`without the header, $count=true of people is ignored (${CONCEPTS}/aad-advanced-queries)`, async () => {
      const count = async (headers = {}) => {
        const { status, json } = await ask(target, "/users?$count=true&$top=1", { headers });
        return [status, typeof json["@odata.count"]];
      };
      expect(await count()).toEqual([200, "undefined"]);
      expect(await count({ ConsistencyLevel: "eventual" })).toEqual([200, "number"]);
    });

    it.each([
      ["accountEnabled ne true", "ne"],
      ["not(startswith(displayName,'a'))", "not"],
      ["endswith(mail,'example')", "endsWith"],
      ["proxyAddresses/any(p:endswith(p,'example'))", "endsWith"],
      ["jobTitle eq null", "eq"],
      ["officeLocation in ('London')", "in"],
      ["startswith(mobilePhone,'+44')", "startswith"],
    ])(
      `people are filtered by '%s' only in an advanced query (${CONCEPTS}/aad-advanced-queries)`,
      async (filter, operator) => {
        const path = `/users?$top=1&$filter=${enc(filter)}`;
        const headers = { ConsistencyLevel: "eventual" };
        for (const lacking of [ask(target, path), ask(target, path, { headers })]) {
          const { status, json } = await lacking;
          expect([status, json.error?.code]).toEqual([400, "Request_UnsupportedQuery"]);
          expect(json.error.message.toLowerCase()).toContain(
            `operator '${operator.toLowerCase()}'`,
          );
        }
        const advanced = await ask(target, `${path}&$count=true`, { headers });
        expect([advanced.status, typeof advanced.json["@odata.count"]]).toEqual([200, "number"]);
      },
    );

    it(`people are filtered and sorted at once only in an advanced query (${CONCEPTS}/aad-advanced-queries)`, async () => {
      const path = `/users?$top=1&$filter=${enc("startswith(displayName,'a')")}&$orderby=displayName`;
      expect(refusal(await ask(target, path))).toEqual([400, "Request_UnsupportedQuery"]);
      const headers = { ConsistencyLevel: "eventual" };
      expect((await ask(target, `${path}&$count=true`, { headers })).status).toBe(200);
    });

    it.each(["contains(displayName,'a')", "endswith(displayName,'a')"])(
      `no query filters people by %s (${CONCEPTS}/aad-advanced-queries)`,
      async (filter) => {
        const path = `/users?$count=true&$filter=${enc(filter)}`;
        const headers = { ConsistencyLevel: "eventual" };
        expect(refusal(await ask(target, path, { headers }))).toEqual([
          400,
          "Request_UnsupportedQuery",
        ]);
      },
    );
  });
}
