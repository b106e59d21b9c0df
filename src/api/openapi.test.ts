import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import openapiTypescript, { astToString } from "openapi-typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { documentSettings } from "../../test/documents/scene.ts";
import { anApp, aTenant, type TestApp } from "../../test/helpers/app.ts";
import { NOTIFICATION_URLS } from "../intake/graph-notifications.ts";

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly { name: string; in: string; example?: unknown }[];
  readonly requestBody?: { content: Record<string, { example?: unknown }> };
  readonly responses: Record<string, { content?: object }>;
}

const NOTICE = "/** Generated from /api/openapi.json by `npm run client`; do not edit. */";

const nobody = () => Promise.reject(new Error("nobody is here"));

let app: TestApp;
let operations: [string, Operation][];
beforeAll(async () => {
  const tenant = await aTenant();
  // With everything that `postroom up` adds: the console's files and the sign-in of sample people.
  app = await anApp(tenant, documentSettings(tenant), {
    roles: ["api"],
    consoleFiles: Promise.resolve({ missing: "this test has no console" }),
    sampleSignIn: {
      people: [],
      tokenFor: nobody,
      steering: {
        ...{ scenarios: [], faultKinds: [], state: nobody, send: nobody, arm: nobody },
        ...{ clear: nobody, advance: nobody, play: nobody },
      },
    },
  });
  const { paths } = (await get("/api/openapi.json")).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  );
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

  it("is valid OpenAPI 3.1", async () => {
    const result = await new Validator().validate((await get("/api/openapi.json")).json());
    expect(result).toMatchObject({ valid: true });
  });

  it("says for each operation who may call it and what it returns", async () => {
    const { paths } = (await get("/api/openapi.json")).json();
    expect(paths["/api/trades"].get).toMatchObject({
      operationId: "listTrades",
      "x-access": "viewer",
      security: [{ bearer: [] }],
      responses: { 200: {}, 401: { $ref: "#/components/responses/Refusal401" } },
    });
  });

  it("gives each operation a unique name, a summary, a tag, a response and example requests", () => {
    const ids = operations.map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(operations.length);
    expect(
      operations.flatMap(([name, operation]) =>
        lacks(operation).map((what) => `${name} has no ${what}`),
      ),
    ).toEqual([]);
  });
});

/** The operations that a part of docs/api.md names. */
function namedIn(part: string): string[] {
  const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
  const text = page.split(/^## /m).find((each) => each.startsWith(part))!;
  const known = new Set(operations.map(([, { operationId }]) => operationId));
  return [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name!).filter((name) => known.has(name));
}

describe("a write", () => {
  it("takes an idempotency key unless docs/api.md names it and says what a repetition does", () => {
    const without = operations.filter(
      ([name, { parameters = [] }]) =>
        !name.startsWith("get ") && !parameters.some((each) => each.name === "Idempotency-Key"),
    );
    expect(without.map(([, { operationId }]) => operationId).sort()).toEqual(
      namedIn("Repeat a write safely").sort(),
    );
  });
});

describe("a list", () => {
  it("pages by cursor, limit and next unless docs/api.md says that it comes whole", () => {
    const lists = operations.filter(([, { operationId }]) => /^list[A-Z]/.test(operationId ?? ""));
    const whole = lists.filter(([, { parameters = [], responses }]) => {
      const query = parameters.filter((each) => each.in === "query").map(({ name }) => name);
      const isPaged = query.includes("cursor") && query.includes("limit");
      return !isPaged || !JSON.stringify(responses["200"]).includes('"next"');
    });
    expect(lists.length).toBeGreaterThan(15);
    expect(whole.map(([, { operationId }]) => operationId).sort()).toEqual(namedIn("Lists").sort());
  });
});

describe("a route", () => {
  it("is open without a token only if docs/api.md says so [AUTH-04]", async () => {
    const open: string[] = [];
    for (const [method, path] of routesOf(app.server.printRoutes({ commonPrefix: false }))) {
      const url = path.replace(/:\w+|\*/g, "x");
      const { statusCode } = await app.server.inject({ method: method as "GET", url });
      if (statusCode !== 401) open.push(`${method} ${path}`);
    }
    const page = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
    const named = [...page.matchAll(/^\| `((?:GET|POST) [^`]+)` \|/gm)].map((row) => row[1]!);
    expect(open.sort()).toEqual(named.sort());
    for (const url of NOTIFICATION_URLS) expect(page).toContain(`\`${url}\``);
  });
});

/** Methods and paths out of Fastify's tree of routes; the page of the description is a folder of files. */
function routesOf(tree: string): [string, string][] {
  const above: string[] = [];
  return tree.split("\n").flatMap((line): [string, string][] => {
    const found = /^([│ ├└─]*)(\S+) \(([A-Z, ]+)\)/u.exec(line);
    if (found === null) return [];
    const [, indent = "", name = "", methods = ""] = found;
    const depth = indent.length / 4 - 1;
    above.splice(depth, above.length, name);
    const path = above.join("");
    if (path.startsWith("/api/docs")) return [];
    const wanted = methods.split(", ").filter((method) => !/^(?:HEAD|OPTIONS)$/.test(method));
    return wanted.map((method): [string, string] => [method, path]);
  });
}

describe("the typed client", () => {
  it("is made from the description: `npm run client` makes it again", async () => {
    const document = (await get("/api/openapi.json")).json();
    const types = astToString(await openapiTypescript(document));
    await expect(`${NOTICE}\n${types}`).toMatchFileSnapshot("../client/api.ts");
  });
});

/** A problem with a stable code, pointers into the request, and none of the words of a schema library. */
function isPlain(body: string): boolean {
  const problem = JSON.parse(body) as Record<string, unknown>;
  const {
    errorCode,
    whatToDo,
    errors = [],
  } = problem as {
    errorCode?: string;
    whatToDo?: string;
    errors?: { pointer: string }[];
  };
  return (
    /^[a-z0-9_.-]+$/i.test(errorCode ?? "") &&
    errorCode !== "unexpected" &&
    (whatToDo ?? "").length > 10 &&
    errors.every(({ pointer }) => /^\/(body|query|params|headers)/.test(pointer)) &&
    !/Invalid |Too (small|big)|expected \w+,|Unrecognized|undefined|\[object|SyntaxError| at \//.test(
      body,
    )
  );
}

/** What a caller would otherwise have to guess. */
function lacks({ operationId, summary, tags, parameters = [], requestBody, responses }: Operation) {
  const json = requestBody?.content["application/json"];
  const answer = Object.entries(responses).find(([status]) => status.startsWith("2"));
  return [
    ...(operationId === undefined ? ["operationId"] : []),
    ...(summary === undefined ? ["summary"] : []),
    ...(tags === undefined ? ["tags"] : []),
    ...(answer === undefined || (answer[0] !== "204" && answer[1].content === undefined)
      ? ["answer"]
      : []),
    ...parameters
      .filter((each) => each.in === "path" && each.example === undefined)
      .map(({ name }) => `example of ${name}`),
    ...(json !== undefined && json.example === undefined ? ["example of its body"] : []),
  ];
}

describe("a request that does not match its schema", () => {
  it("is refused with a stable code and a pointer to each wrong place", async () => {
    const answer = await get("/api/trades?limit=0&status=lost");
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ errorCode: "request.bad" });
    const { errors } = answer.json() as { errors: { pointer: string }[] };
    expect(errors.map((each) => each.pointer).sort()).toEqual(["/query/limit", "/query/status"]);
  });

  it("is refused in plain words, whatever is wrong with it and whichever operation it calls", async () => {
    const strange = [
      {},
      { x: [] },
      [],
      "text",
      { limit: "many", address: 5, ids: "x", body: null },
    ];
    const wrong: string[] = [];
    for (const [name, operation] of operations) {
      const types = Object.values(operation.responses).flatMap((each) =>
        Object.keys(each.content ?? {}),
      );
      if (types.includes("text/event-stream")) continue; // if nothing is wrong, it does not end
      const [method, path] = name.split(" ") as ["get", string];
      const hasBody = operation.requestBody?.content["application/json"] !== undefined;
      const queries = (operation.parameters ?? []).filter((each) => each.in === "query");
      const base = path.replaceAll(/\{[^}]+\}/g, "%00x");
      const requests = [
        ...queries.map((each) => ({ url: `${base}?${each.name}=%F0%9F%98%80` })),
        ...(hasBody
          ? strange.map((payload) => ({ url: base, payload: JSON.stringify(payload) }))
          : []),
      ];
      for (const { url, ...body } of requests) {
        const headers = {
          authorization: `Bearer ${app.operatorKey}`,
          ...("payload" in body ? { "content-type": "application/json" } : {}),
        };
        const answer = await app.server.inject({ method, url, headers, ...body });
        if (answer.statusCode < 400 || isPlain(answer.body)) continue;
        wrong.push(`${name} ${url} ${JSON.stringify(body)}: ${answer.body.slice(0, 300)}`);
      }
    }
    expect(wrong).toEqual([]);
  });
});
