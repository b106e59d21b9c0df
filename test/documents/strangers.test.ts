/** A person who is signed in but has no rights: what the API reveals to them, and what they can change. */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { ingestFile } from "../../src/flows/specs/ingestion.ts";
import { placeEvents } from "../../src/mailbox/events/event-feed-table.ts";
import { aDocumentScene, aPerson, type DocumentScene, type Person } from "./scene.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE" | "PATCH";
interface Operation {
  readonly method: Method;
  readonly path: string;
  readonly access: string;
}
interface Target {
  readonly theirs: string;
  readonly nowhere: string;
}

const NOWHERE = "58dd5db4-8043-4676-9d3c-0123456789ab";
const FILINGS = ["pending", "uploaded", "recorded", "refused", "missing"];
const ANALYSES = ["running", "completed", "degraded", "failed", "cancelled"];
const JOBS = ["Queued", "Running", "Completed", "Failed", "Poisoned", "Cancelled"];
/** A body that the route takes, so that its owner is what the answer depends on. */
const BODIES: Readonly<Record<string, object>> = {
  "/api/ai/analysis/{id}/continue": { message: "What is in it?" },
  "/api/ai/analysis/{id}/export": { format: "md" },
};
/** It never ends; its first page is that of `/api/events`. */
const ENDLESS = "/api/events/tail";

let scene: DocumentScene;
let stranger: Person;
let operations: Operation[];
let documentId: string;
let sessionId: string;
let jobId: string;
let saveId: string;
let analysisId: string;
let noticeId: string;
let messageId: string;
let closed: string;

beforeAll(async () => {
  scene = await aDocumentScene();
  stranger = scene.omar;
  const { admin } = scene.tenant.drives;
  closed = admin.createContainer({
    members: [{ userId: scene.nina.user.id, role: "writer" as const }],
  }).id;
  const put = await scene.put("documents/hers.txt", "Nina's", {
    container: closed,
    query: "?record=true",
  });
  documentId = String(put.json["documentId"]);
  const session = await as(scene.nina, "POST", "/upload/session", {
    ...{ fileName: "begun.bin", size: 327_680, containerId: closed },
  });
  sessionId = String(session.json["uploadId"]);
  jobId = await aJobOf(scene.nina);
  await insertHers(scene.nina.user.id);
  scene.tenant.dataverse.admin.setScope(stranger.user.id, "user");
  operations = await readOperations();
});

/** What workers and Microsoft would have written about her. */
async function insertHers(owner: string): Promise<void> {
  const { database } = scene.app;
  [saveId, analysisId, messageId] = [randomUUID(), randomUUID(), "a-message-of-hers"];
  await database.query(
    `INSERT INTO postroom.mailbox (address, graph_user_id, owner_id) VALUES ('hers@x.example', $1, $1)`,
    [owner],
  );
  await database.query(
    `INSERT INTO postroom.message (mailbox, message_id, folder_id, is_read, is_draft, flag, categories, change_key,
       modified_at, looked_at, importance, has_attachments, has_list_unsubscribe, is_automated)
     SELECT id, $1, 'inbox', false, false, 'notFlagged', '{}', 'k', now(), now(), 'normal', false, false, false
       FROM postroom.mailbox`,
    [messageId],
  );
  await database.query(
    `INSERT INTO postroom.event (user_id, mailbox, message_id, event_type, change, at, seen_by, seen_at, folder_id,
       is_read, flag, categories, importance, has_attachments, has_list_unsubscribe, is_automated)
     SELECT $2, id, $1, 'arrived', '', now(), 'push', now(), 'inbox', false, 'notFlagged', '{}', 'normal',
       false, false, false FROM postroom.mailbox`,
    [messageId, owner],
  );
  await database.query(
    `INSERT INTO postroom.office_save (id, owner_id, key, digest, facts, job_id, locked_until)
     VALUES ($1, $2, 'k', 'd', '{"kind": "Document", "main": {"name": "hers.docx"}}', $3, now())`,
    [saveId, owner, jobId],
  );
  await database.query(
    `INSERT INTO postroom.analysis (id, key, tenant_id, person_id, document_id, document_name, playbook_id,
       playbook_version, state) VALUES ($1, 'k', $2, $3, $4, 'hers', 'profile', 1, 'completed')`,
    [analysisId, scene.tenant.tenantId, owner, documentId],
  );
  const { rows } = await database.query<{ id: string }>(
    "INSERT INTO postroom.notice (person_id, text) VALUES ($1, 'hers') RETURNING id::text",
    [owner],
  );
  noticeId = rows[0]!.id;
  await placeEvents(database); // otherwise the first reader of the feed does
}

async function as(person: Person | null, method: Method, url: string, payload?: object | string) {
  const answer = await scene.app.server.inject({
    ...{ method, url, headers: person?.headers ?? {} },
    ...(payload === undefined ? {} : { payload }),
  });
  const json = (answer.body === "" ? {} : answer.json()) as Record<string, unknown>;
  return { status: answer.statusCode, json };
}

async function aJobOf({ user }: Person): Promise<string> {
  const { database, jobs } = scene.app;
  const job = {
    ...{ subjectId: "a", idempotencyKey: "a-note-of-hers", ownerId: user.id },
    payload: {
      ...{ sha256: "0".repeat(64), filename: "a.pdf", source: "manual_upload" as const },
      ...{ senderEmail: "hers@x.example", receivedAt: new Date().toISOString() },
    },
  };
  const [id] = await database.transaction((tx) => jobs.queue.add(tx, ingestFile, [job]));
  return id!;
}

/** The API's own description is the list of routes, so that a new one is tested as soon as it exists. */
async function readOperations(): Promise<Operation[]> {
  const { json } = await as(null, "GET", "/api/openapi.json");
  const paths = json["paths"] as Record<string, Record<string, { "x-access": string }>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, about]) => ({
      ...{ path, method: method.toUpperCase() as Method, access: about["x-access"] },
    })),
  );
}

/**
 * Every row of every table but the log of actions and the count of the caller's own calls, which are there to grow, and
 * the marks of processes: leases, heartbeats, how far the feed is.
 */
async function everyRow(): Promise<Record<string, string>> {
  const { rows: tables } = await scene.app.database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname IN ('postroom', 'bo_airflow') AND tablename NOT IN
        ('action', 'office_call', 'event_feed_state', 'lease', 'job_worker')`,
  );
  const contents: Record<string, string> = {};
  for (const { name } of tables) {
    const { rows } = await scene.app.database.query<{ rows: string | null }>(
      `SELECT string_agg(t::text, E'\n' ORDER BY t::text) AS rows FROM ${name} t`,
    );
    contents[name] = rows[0]!.rows ?? "";
  }
  return contents;
}

/** A response without what always differs: the requested id, and the id of the request. */
function withoutIds({ status, json }: { status: number; json: object }, id: string): string {
  const { instance, correlationId, ...rest } = json as Record<string, unknown>;
  return `${status} ${JSON.stringify(rest).replaceAll(id, "ID")}`;
}

const targetOf = (path: string): Target | null => {
  if (path.startsWith("/api/documents/")) return { theirs: documentId, nowhere: NOWHERE };
  if (path.startsWith("/upload/session/")) return { theirs: sessionId, nowhere: NOWHERE };
  if (path.startsWith("/api/jobs/")) return { theirs: jobId, nowhere: NOWHERE };
  if (path.startsWith("/office/jobs/")) return { theirs: saveId, nowhere: NOWHERE };
  if (path.startsWith("/api/ai/analysis/")) return { theirs: analysisId, nowhere: NOWHERE };
  if (path.startsWith("/api/me/notices/")) return { theirs: noticeId, nowhere: "999999" };
  if (path.startsWith("/api/trace/")) return { theirs: messageId, nowhere: "no-message" };
  if (path.startsWith("/api/mailboxes/"))
    return { theirs: "hers@x.example", nowhere: "none@x.example" };
  if (path.startsWith("/api/containers/"))
    return { theirs: closed, nowhere: `b!${"A".repeat(60)}` };
  return null;
};

/** Asks for hers and for nothing, and expects one answer and no trace. */
async function expectAlike(
  { method, path }: Pick<Operation, "method" | "path">,
  { theirs, nowhere }: Target,
  query = "",
  person = stranger,
): Promise<number> {
  const fill = (id: string) =>
    `${path.replace("{*}", "documents/hers.txt").replace(/\{[^}]+\}/, encodeURIComponent(id))}${query}`;
  const sent = path.includes("{*}") ? "x" : (BODIES[path] ?? {});
  const payload = method === "GET" || method === "DELETE" ? undefined : sent;
  const before = await everyRow();
  const hers = await as(person, method, fill(theirs), payload);
  const none = await as(person, method, fill(nowhere), payload);
  expect(await everyRow(), `${method} ${path}`).toEqual(before);
  expect(withoutIds(hers, theirs), `${method} ${path}`).toBe(withoutIds(none, nowhere));
  return hers.status;
}

describe("a person without any right", () => {
  it("gets the same answer for what is not there and what is not theirs, from every route, and changes no row", async () => {
    const withObject = operations.filter(({ path }) => path.includes("{"));
    expect(withObject.length).toBeGreaterThan(15);
    for (const operation of withObject) {
      const target = targetOf(operation.path) ?? { theirs: documentId, nowhere: NOWHERE };
      const status = await expectAlike(operation, target);
      if (operation.access !== "person") expect(status, operation.path).toBe(403);
      else expect(status, operation.path).toBeGreaterThanOrEqual(400);
    }
  });

  it("changes no row and sees nothing of others through routes without an id", async () => {
    const plain = operations.filter(({ path }) => !path.includes("{") && path !== ENDLESS);
    for (const { method, path, access } of plain) {
      const before = await everyRow();
      const { status, json } = await as(stranger, method, path, method === "GET" ? undefined : {});
      expect(await everyRow(), `${method} ${path}`).toEqual(before);
      if (access !== "person" && access !== "open") expect(status, path).toBe(403);
      for (const secret of [documentId, sessionId, jobId, saveId, analysisId, messageId, "hers"])
        expect(JSON.stringify(json), path).not.toContain(secret);
    }
  });

  it("gets 403 for a document in every state, as for one that does not exist [S39]", async () => {
    for (const state of FILINGS) {
      await scene.app.database.query("UPDATE postroom.filing SET state = $2 WHERE id = $1", [
        ...[documentId, state],
      ]);
      for (const { method, path, access } of operations)
        if (access === "person" && path.startsWith("/api/documents/{"))
          expect(
            await expectAlike({ method, path }, { theirs: documentId, nowhere: NOWHERE }),
            `${method} ${path} of a ${state} document`,
          ).toBe(403);
    }
    await scene.app.database.query("UPDATE postroom.filing SET state = 'recorded' WHERE id = $1", [
      documentId,
    ]);
  });

  it("gets 404 for another person's job in every state [S45]", async () => {
    for (const state of JOBS) {
      await scene.app.database.query("UPDATE postroom.job SET state = $2 WHERE id = $1", [
        ...[jobId, state],
      ]);
      for (const path of ["/api/jobs/{id}/status", "/api/jobs/{id}/stream"])
        expect(await expectAlike({ method: "GET", path }, targetOf(path)!), state).toBe(404);
    }
  });

  it("gets 404 for another person's analysis in every state, from every route that shows or continues it", async () => {
    const routes = operations.filter(({ path }) => path.startsWith("/api/ai/analysis/{"));
    expect(routes.length).toBeGreaterThan(4);
    for (const [n, state] of ANALYSES.entries()) {
      // Nobody may ask for more than ten streams in a minute.
      const person = aPerson(scene.tenant, 3 + Math.floor(n / 2));
      await scene.app.database.query("UPDATE postroom.analysis SET state = $2 WHERE id = $1", [
        ...[analysisId, state],
      ]);
      for (const { method, path } of routes) {
        const status = await expectAlike({ method, path }, targetOf(path)!, "", person);
        expect(status, `${path} ${state}`).toBe(404);
      }
    }
  });

  it("gets 404 for another person's save from Office in every state", async () => {
    const routes = operations.filter(({ path }) => path.startsWith("/office/jobs/{"));
    expect(routes).toHaveLength(3);
    for (const state of JOBS) {
      const sql = "UPDATE postroom.job SET state = $2 WHERE id = $1";
      await scene.app.database.query(sql, [jobId, state]);
      await scene.app.database.query("DELETE FROM postroom.office_call");
      for (const { method, path } of routes)
        expect(await expectAlike({ method, path }, targetOf(path)!), `${path} ${state}`).toBe(404);
    }
  });

  it("gets 404 for another person's notice, mail and mailbox", async () => {
    for (const [method, path] of [
      ["POST", "/api/me/notices/{id}/seen"],
      ["GET", "/api/trace/{id}"],
      ["GET", "/api/mailboxes/{address}"],
      ["POST", "/api/mailboxes/{address}/audit"],
    ] as const)
      expect(await expectAlike({ method, path }, targetOf(path)!), path).toBe(404);
  });

  it("gets 404 for another person's upload session in every state [S54]", async () => {
    for (const state of FILINGS) {
      await scene.app.database.query("UPDATE postroom.filing SET state = $2 WHERE id = $1", [
        ...[sessionId, state],
      ]);
      for (const method of ["GET", "PUT", "DELETE"] as const) {
        const path = "/upload/session/{id}";
        expect(await expectAlike({ method, path }, targetOf(path)!), state).toBe(404);
      }
    }
    await scene.app.database.query("UPDATE postroom.filing SET state = 'pending' WHERE id = $1", [
      sessionId,
    ]);
  });

  it("may not file into a container, and neither blocks a name there nor learns which names are taken", async () => {
    const path = "/api/containers/{containerId}/files/{*}";
    for (const query of [
      "",
      "?conflictBehavior=replace",
      "?conflictBehavior=rename",
      "?record=true",
    ])
      expect(await expectAlike({ method: "PUT", path }, targetOf(path)!, query), query).toBe(403);
    const before = await everyRow();
    for (const fileName of ["hers.txt", "free.txt"]) {
      const begun = { fileName, size: 10, containerId: closed };
      expect((await as(stranger, "POST", "/upload/session", begun)).status).toBe(403);
      const sent = await scene.put(`documents/${fileName}`, "x", {
        ...{ person: stranger, container: closed },
      });
      expect(sent.status).toBe(403);
    }
    expect(await everyRow()).toEqual(before);
    const free = await scene.put("documents/free.txt", "Nina's", { container: closed });
    expect(free.status).toBe(201);
  });
});

describe("two people at one place", () => {
  it("both reserve it, and the drive decides who gets the name", async () => {
    const answers = await Promise.all(
      [scene.nina, scene.omar].map((person) =>
        scene.put("documents/race.txt", `of ${person.user.id}`, { person }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    const { rows } = await scene.app.database.query(
      "SELECT state FROM postroom.filing WHERE path = 'documents/race.txt'",
    );
    expect(rows).toEqual([{ state: "uploaded" }]);
  });

  it("the second one replaces the file only with the drive's consent, and then continues its filing", async () => {
    const first = await scene.put("documents/ours.txt", "one");
    const second = await scene.put("documents/ours.txt", "two!", {
      ...{ person: scene.omar, query: "?conflictBehavior=replace" },
    });
    expect(second.json["document"]).toMatchObject({
      ...{ id: first.json["document"].id, size: 4, ownerId: scene.omar.user.id },
    });
    const same = await scene.put("documents/ours.txt", "two!");
    expect(same.status).toBe(409);
  });
});

describe("text made to be read as SQL or OData", () => {
  const INJECTIONS = [
    "'; DROP TABLE postroom.job; --",
    "x' OR '1'='1",
    "1; DELETE FROM postroom.event",
    "x') or contains(sprk_name,'",
    "$filter=1 eq 1&$expand=owninguser",
    "\\'; SELECT pg_sleep(60); --",
  ];

  it("changes no row and causes no server error in any parameter of any route [S67]", async () => {
    const appId = scene.tenant.apps[1]!.appId;
    Object.assign(stranger.user, { appRoles: { [appId]: ["Postroom.Admin"] } });
    const admin = aPerson(scene.tenant, 2);
    const { json } = await as(null, "GET", "/api/openapi.json");
    const paths = json["paths"] as Record<string, Record<string, { parameters?: Parameter[] }>>;
    const before = await everyRow();
    const wrong: string[] = [];
    let asked = 0;
    for (const { method, path } of operations.filter((each) => each.path !== ENDLESS)) {
      const { parameters = [] } = paths[path]![method.toLowerCase()]!;
      for (const { name, in: place } of parameters)
        for (const text of INJECTIONS) {
          const value = encodeURIComponent(text);
          const filled = path.replace(/\{([^}]+)\}/g, (_, each) =>
            each === name ? value : NOWHERE,
          );
          const url = place === "query" ? `${filled}?${encodeURIComponent(name)}=${value}` : filled;
          const payload = method === "GET" || method === "DELETE" ? undefined : {};
          const headers = { ...admin.headers, ...(place === "header" ? { [name]: text } : {}) };
          const { status } = await as({ ...admin, headers }, method, url, payload);
          if (status >= 500) wrong.push(`${status} ${method} ${url}`);
          asked += 1;
        }
    }
    expect(asked).toBeGreaterThan(200);
    expect(wrong).toEqual([]);
    expect(await everyRow()).toEqual(before);
  });
});

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
}
