import { describe, expect, it } from "vitest";
import { ALEX, APP, BLAIR, createGraphBench } from "../testing/graph-bench.ts";

describe("reading rights", () => {
  it("Mail.ReadBasic sees neither body nor preview nor attachments", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({
      to: ALEX,
      body: "secret",
      attachments: [{ name: "a.pdf" }],
    });
    const basic = bench.as("basic", ["Mail.ReadBasic.All"]);
    const path = `/v1.0/users/${ALEX}/messages/${mail!.id}`;
    const shown = await bench.call("GET", path, { as: basic });
    expect(shown.status).toBe(200);
    expect(shown.json).not.toHaveProperty("body");
    expect(shown.json).not.toHaveProperty("bodyPreview");
    for (const ending of ["/attachments", "/$value"]) {
      const refused = await bench.call("GET", `${path}${ending}`, { as: basic });
      expect([refused.status, refused.json.error.code]).toEqual([403, "ErrorAccessDenied"]);
    }
  });

  it("a delegated token reaches only its own mailbox, even through /me", async () => {
    const bench = createGraphBench();
    await bench.admin.sendMail({ to: ALEX, subject: "mine" });
    const alex = bench.as("alex", ["Mail.Read"], ALEX);
    const own = await bench.call("GET", "/v1.0/me/messages", { as: alex });
    expect(own.json.value).toHaveLength(1);
    expect((await bench.call("GET", `/v1.0/users/${BLAIR}/messages`, { as: alex })).status).toBe(
      403,
    );
  });

  it("reading does not allow writing or sending", async () => {
    const bench = createGraphBench();
    const [mail] = await bench.admin.sendMail({ to: ALEX });
    const reader = bench.as("reader", ["Mail.Read"]);
    const path = `/v1.0/users/${ALEX}/messages/${mail!.id}`;
    const tries = [
      bench.call("PATCH", path, { body: { isRead: true }, as: reader }),
      bench.call("DELETE", path, { as: reader }),
      bench.call("POST", `${path}/move`, { body: { destinationId: "archive" }, as: reader }),
      bench.call("POST", `/v1.0/users/${ALEX}/sendMail`, { body: { message: {} }, as: reader }),
    ];
    for (const each of tries) expect((await each).status).toBe(403);
  });

  it("an application access policy closes the other mailboxes", async () => {
    const bench = createGraphBench();
    bench.admin.restrictApp(APP, ["blair@contoso.example"]);
    const shut = await bench.get(`/v1.0/users/${ALEX}/messages`);
    expect(shut.json.error).toMatchObject({
      code: "ErrorAccessDenied",
      message: "Access to OData is disabled.",
    });
    expect((await bench.get(`/v1.0/users/${BLAIR}/messages`)).status).toBe(200);
    bench.admin.restrictApp(APP, null);
    expect((await bench.get(`/v1.0/users/${ALEX}/messages`)).status).toBe(200);
  });

  it("a role in Exchange opens the mailboxes in its scope for reading, without a permission in Entra", async () => {
    const bench = createGraphBench();
    const bare = bench.as("bare", ["User.Read.All"]);
    const read = async (user: string) =>
      (await bench.call("GET", `/v1.0/users/${user}/messages`, { as: bare })).status;
    expect(await read(BLAIR)).toBe(403);
    bench.admin.assignMailRole(APP, ["blair@contoso.example"]);
    expect([await read(BLAIR), await read(ALEX)]).toEqual([200, 403]);
    const send = { body: { message: {} }, as: bare };
    expect((await bench.call("POST", `/v1.0/users/${BLAIR}/sendMail`, send)).status).toBe(403);
    bench.admin.assignMailRole(APP, null);
    expect(await read(BLAIR)).toBe(403);
  });

  it("without a valid token the answer is 401, and the directory has rights of its own", async () => {
    const bench = createGraphBench();
    const nobody = await bench.call("GET", "/v1.0/users", { as: "nobody" });
    expect([nobody.status, nobody.json.error.code]).toEqual([401, "InvalidAuthenticationToken"]);
    const mailOnly = bench.as("mail", ["Mail.Read"]);
    const denied = await bench.call("GET", "/v1.0/users", { as: mailOnly });
    expect([denied.status, denied.json.error.code]).toEqual([403, "Authorization_RequestDenied"]);
    const listed = await bench.get("/v1.0/users?$top=2");
    expect(listed.json.value).toHaveLength(2);
    const rest = await bench.get(listed.json["@odata.nextLink"]);
    expect(rest.json.value).toHaveLength(1);
  });

  it("a wrong method gets 405 with the allowed ones", async () => {
    const answer = await createGraphBench().call("PUT", `/v1.0/users/${ALEX}/messages`);
    expect(answer.status).toBe(405);
    expect(answer.headers!["allow"]).toContain("GET");
  });
});
