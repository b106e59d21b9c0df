import { beforeAll, describe, expect, it } from "vitest";
import { anApp, type TestApp } from "../../test/helpers/app.ts";

let app: TestApp;
beforeAll(async () => {
  app = await anApp(null, {}, { roles: ["api"] });
});

const get = (url: string) =>
  app.server.inject({ url, headers: { authorization: `Bearer ${app.operatorKey}` } });

describe("the API's description", () => {
  it("is open to everybody, as JSON and as a page", async () => {
    const answer = await app.server.inject({ url: "/api/openapi.json" });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ openapi: "3.1.0", info: { title: "Postroom" } });
    const page = await app.server.inject({ url: "/api/docs/" });
    expect([page.statusCode, page.headers["content-type"]]).toEqual([
      200,
      "text/html; charset=utf-8",
    ]);
  });

  it("says of each operation who may call it and what it answers", async () => {
    const { paths } = (await get("/api/openapi.json")).json();
    expect(paths["/api/trades"].get).toMatchObject({
      operationId: "listTrades",
      "x-access": "viewer",
      security: [{ bearer: [] }],
      responses: { 200: {}, 401: { content: { "application/problem+json": {} } } },
    });
  });
});

describe("a request that does not fit its schema", () => {
  it("is refused with a stable code and a pointer to each wrong place", async () => {
    const answer = await get("/api/trades?limit=0&status=lost");
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errorCode: "request.bad" });
    const { errors } = answer.json() as { errors: { pointer: string }[] };
    expect(errors.map((each) => each.pointer).sort()).toEqual(["/query/limit", "/query/status"]);
  });
});
