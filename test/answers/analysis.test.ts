import mammoth from "mammoth";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AnalysisEvent } from "../../src/flows/specs/analysis.ts";
import type { Person } from "../documents/scene.ts";
import { until } from "../helpers/app.ts";
import { type AnalysisScene, anAnalysisScene, PROFILE_ANSWER, SECRET } from "./analysis-scene.ts";
import { completion, sendJson, sendMore, sendPieces } from "./model-server.ts";

let scene: AnalysisScene;
const TERMS = "contract-key-terms";
const PIXEL = "![pixel](//evil.example/p.png)";
const LINKED = `Lease with ${PIXEL}. The monthly rent is 4,200 euros at the Lyon office.`;

/** The types of the events, with chunks in a row as one. */
const shapeOf = (events: readonly AnalysisEvent[]) =>
  events
    .map(({ type }) => type)
    .filter((type, at, all) => type !== "chunk" || all[at - 1] !== "chunk")
    .join(" ");
const textOf = (events: readonly AnalysisEvent[]) =>
  events.map(({ content }) => content ?? "").join("");

beforeAll(async () => {
  scene = await anAnalysisScene();
});
beforeEach(() => scene.reset());

describe("who may have a document analysed", () => {
  it("one document of four that the caller may not read refuses all, and no model is asked [AI-01] [AI-04] [AUTH-07] [AI-07] [AI-08] [S40]", async () => {
    const more = [
      await scene.aDocument("a.txt", "One rent: 4,200 euros.", [scene.nina]),
      await scene.aDocument("b.txt", "Two rents.", [scene.nina]),
    ];
    const answer = await scene.execute(scene.nina, {
      documentIds: [scene.own, ...more, scene.others],
    });
    expect(answer.status).toBe(403);
    expect(answer.json()).toMatchObject({
      title: "Forbidden",
      detail: "Access denied to one or more documents",
    });
    expect(scene.model.asked).toEqual([]);
    expect(await scene.analysis()).toBeUndefined();
    const all = await scene.execute(scene.nina, { documentIds: [scene.own, more[0]] });
    expect(shapeOf(all.events())).toBe("metadata chunk metadata chunk done");
  });

  it("a request without a document is refused in the agreed words [AI-06]", async () => {
    for (const body of [{}, { documentIds: [] }]) {
      const answer = await scene.execute(scene.nina, body);
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        title: "Bad Request",
        detail: "No document identifier found in request",
      });
    }
  });

  it("a caller without an identity or without a token is refused in the agreed words [AI-02] [AI-05]", async () => {
    const answer = await scene.execute(null, { documentIds: [scene.own] });
    expect(answer.status).toBe(401);
    expect(answer.json()).toMatchObject({
      title: "Unauthorized",
      detail: "User identity not found",
    });
    const none = await scene.app.server.inject({
      ...{ method: "POST", url: "/api/ai/analysis/execute", payload: { documentIds: [scene.own] } },
    });
    expect(none.statusCode).toBe(401);
    expect(none.json()).toMatchObject({ detail: "Missing or invalid authorization token" });
  });

  it.each([
    ["a second field", (id: string, own: string) => ({ documentIds: [own], documentId: id })],
    ["another case", (id: string, own: string) => ({ documentIds: [own], DocumentIds: [id] })],
    ["a nested array", (id: string, own: string) => ({ documentIds: [own, [id]] })],
  ])("an id in %s is refused [S42]", async (_, body) => {
    const answer = await scene.execute(scene.nina, body(scene.others, scene.own));
    expect(answer.status).toBe(400);
    expect(scene.model.asked).toEqual([]);
  });

  it("an id in capitals is checked like any other [S42]", async () => {
    const refused = await scene.execute(scene.nina, { documentIds: [scene.others.toUpperCase()] });
    expect(refused.status).toBe(403);
    const allowed = await scene.execute(scene.nina, { documentIds: [scene.own.toUpperCase()] });
    expect(allowed.status).toBe(200);
  });

  it("any failure of Dataverse refuses, and nothing of the analysis starts [AUTH-06] [AUTH-07] [AUTH-08] [S41]", async () => {
    const row = `/api/data/v9.2/sprk_documents(${scene.own})*`;
    const status = (each: number) => ({ kind: "server-error", options: { status: each } });
    const faults: Parameters<typeof scene.tenant.faults.arm>[0][] = [
      ...[500, 429, 403, 200].map(status),
      ...["html", "bad-json", "cut-body"].map((kind) => ({ kind })),
      ...[403, 200].map((each) => ({ ...status(each), where: { path: row } })),
    ];
    for (const given of faults) {
      const where = { part: "dataverse", ...given.where };
      const fault = scene.tenant.faults.arm({ ...given, where });
      const answer = await scene
        .execute(scene.nina, { documentIds: [scene.own] })
        .finally(() => scene.tenant.faults.disarm(fault.id));
      expect([given, answer.status]).toEqual([given, 403]);
    }
    expect(scene.model.asked).toEqual([]);
  });

  it("denials are warnings and grants name their number [AI-10]", async () => {
    await scene.execute(scene.nina, { documentIds: [scene.own] });
    await scene.execute(scene.nina, { documentIds: [scene.others] });
    const lines = scene.app.logLines.map((line) => `${line["level"]} ${line["msg"]}`);
    expect(lines).toContain("info [AI-AUTH] granted: 1 documents");
    expect(lines).toContain("warn [AI-AUTH] denied: Access denied to one or more documents");
    expect(lines).toContain("warn [ANALYSIS-AUTH] denied");
    expect(lines.some((line) => line.includes("[UAC-DIAG]"))).toBe(true);
  });

  it("a right that is taken away ends the stream with an error event [S43]", async () => {
    scene.model.answer = (response) => sendPieces(response, ["The rent "], null);
    const answering = fetch(`${scene.app.url}/api/ai/analysis/execute`, {
      method: "POST",
      headers: { ...scene.nina.headers, "content-type": "application/json" },
      body: JSON.stringify({ documentIds: [scene.own], playbookId: TERMS }),
    });
    await until("the model to be asked", async () => scene.model.asked.length === 1);
    scene.unshare(scene.nina, scene.own);
    const dropped = scene.model.dropped();
    scene.clock.skip(60_000);
    const body = await (await answering).text();
    scene.share(scene.nina, scene.own);
    expect(body.trimEnd().split("\n\n").at(-1)).toBe(
      'data: {"type":"error","content":null,"done":true,"error":"Access denied to one or more documents"}',
    );
    await until("the model's call to end", async () => scene.model.dropped() > dropped);
    await until(
      "the analysis to end",
      async () => (await scene.analysis())!["state"] !== "running",
    );
    expect(await scene.analysis()).toMatchObject({ state: "cancelled", error: "dataverse.denied" });
  });

  it("more than ten streams of a person in a minute are refused, and another person still gets one", async () => {
    const send = (person: Person) =>
      scene.app.server.inject({
        ...{ method: "POST", url: "/api/ai/analysis/execute", headers: person.headers },
        payload: {},
      });
    scene.clock.skip(61_000);
    for (let count = 0; count < 10; count++) expect((await send(scene.nina)).statusCode).toBe(400);
    expect((await send(scene.nina)).statusCode).toBe(429);
    expect((await send(scene.omar)).statusCode).toBe(400);
    scene.clock.skip(61_000);
    expect((await send(scene.nina)).statusCode).toBe(400);
  });
});

describe("an analysis", () => {
  const terms = () => ({ documentIds: [scene.own], playbookId: TERMS });

  it("is streamed as metadata, chunks and done, and read with the caller's rights [AI-03] [AI-09] [X-12]", async () => {
    const answer = await scene.execute(scene.nina, terms());
    expect(answer.headers["content-type"]).toBe("text/event-stream");
    expect(answer.body).toMatch(/^data: \{[^\n]*\}\n\ndata: /);
    const events = answer.events();
    expect(shapeOf(events)).toBe("metadata chunk done");
    expect(events[0]).toMatchObject({ documentName: "lease.txt", done: false });
    expect(textOf(events)).toBe("The rent is 4,200 euros.");
    expect(events.at(-1)).toMatchObject({
      ...{ type: "done", done: true, tokenUsage: { input: 100, output: 20 } },
    });
    expect(scene.model.asked[0]!.messages[1]!.content).toContain("monthly rent");
    expect(JSON.stringify(scene.model.asked)).not.toContain(SECRET);
  });

  it("of the same content is not paid for twice, neither by the same person nor by another reader [JOB-14]", async () => {
    const idIn = (answer: Awaited<ReturnType<typeof scene.execute>>) =>
      answer.events().at(-1)!.analysisId;
    const first = idIn(await scene.execute(scene.nina, terms()));
    const again = await scene.execute(scene.priya, terms());
    expect(scene.model.asked).toHaveLength(1);
    expect(textOf(again.events())).toBe("The rent is 4,200 euros.");
    expect(again.events().at(-1)).toMatchObject({ tokenUsage: { input: 0, output: 0 } });
    expect(idIn(again)).not.toBe(first);
    await scene.execute(scene.nina, { ...terms(), playbookId: "obligations-and-dates" });
    expect(scene.model.asked).toHaveLength(2);
  });

  it("that two requests start at the same time is asked for once [JOB-14]", async () => {
    let finish = () => {};
    scene.model.answer = (response) => {
      sendPieces(response, ["The rent "], null);
      finish = () => sendMore(response, ["is 4,200 euros."], "stop");
    };
    const first = scene.execute(scene.nina, terms());
    await until("the model to be asked", async () => scene.model.asked.length === 1);
    const second = await scene.execute(scene.nina, terms());
    expect(second.events()).toMatchObject([{ type: "error", done: true }]);
    finish();
    expect((await first).events().at(-1)).toMatchObject({ type: "done" });
    expect(scene.model.asked).toHaveLength(1);
  });

  it("stops the model's work when the client goes away, and what it cost is recorded [AI-11]", async () => {
    scene.model.answer = (response) => sendPieces(response, ["The rent "], null);
    const gone = new AbortController();
    const response = await fetch(`${scene.app.url}/api/ai/analysis/execute`, {
      method: "POST",
      headers: { ...scene.nina.headers, "content-type": "application/json" },
      body: JSON.stringify(terms()),
      signal: gone.signal,
    });
    await response.body!.getReader().read();
    await until("the model to be asked", async () => scene.model.asked.length === 1);
    const before = scene.model.dropped();
    gone.abort();
    await until("the model's call to end", async () => scene.model.dropped() > before);
    await until(
      "it to be cancelled",
      async () => (await scene.analysis())?.["state"] === "cancelled",
    );
    const { rows } = await scene.app.database.query(
      "SELECT prompt_tokens > 20 AS paid FROM postroom.model_usage",
    );
    expect(rows).toEqual([{ paid: true }]);
  });

  it("that did not complete is written again under its id, and a completed one is only sent again", async () => {
    scene.model.answer = (response) => sendPieces(response, ["The rent"], "length");
    const failed = (await scene.execute(scene.nina, terms())).events();
    const url = `/api/ai/analysis/${failed[0]!.analysisId}`;
    expect(await scene.analysis()).toMatchObject({ state: "degraded", error: "model.bad-answer" });
    scene.model.answer = (response) => sendPieces(response, ["The rent is 4,200 euros."], "stop");
    for (const asked of [2, 2]) {
      const events = (await scene.post(scene.nina, `${url}/resume`)).events();
      expect(shapeOf(events)).toBe("metadata chunk done");
      expect(textOf(events)).toBe("The rent is 4,200 euros.");
      expect(events.at(-1)!.analysisId).toBe(failed[0]!.analysisId);
      expect(scene.model.asked).toHaveLength(asked);
    }
    expect(await scene.analysis()).toMatchObject({ state: "completed", error: null });
  });

  it("whose server died is taken over after two silent minutes, and the old run cannot write late", async () => {
    const { startAnalysis, endAnalysis, restartAnalysis } = await import(
      "../../src/analysis/analysis-table.ts"
    );
    const { database } = scene.app;
    const given = {
      ...{ id: scene.own, key: "k", tenantId: "t", personId: "p", documentId: scene.own },
      ...{ documentName: "n", playbookId: TERMS, playbookVersion: 1 },
    };
    const run = (await startAnalysis(database, given))!;
    expect(await startAnalysis(database, { ...given, id: scene.others })).toBeNull();
    expect(await restartAnalysis(database, given)).toBeNull();
    await database.query(
      "UPDATE postroom.analysis SET changed_at = changed_at - interval '121 seconds'",
    );
    expect(await restartAnalysis(database, given)).toEqual({ id: scene.own, attempt: 2 });
    const end = {
      ...{ state: "completed" as const, author: "a", content: "late", result: null, error: null },
      ...{ promptTokens: 0, completionTokens: 0 },
    };
    expect(await endAnalysis(database, run, end)).toBe(false);
    expect(await endAnalysis(database, { ...run, attempt: 2 }, end)).toBe(true);
  });

  it("belongs to its person and is hidden with the right [S45]", async () => {
    const events = (await scene.execute(scene.nina, terms())).events();
    const path = `/api/ai/analysis/${events.at(-1)!.analysisId}`;
    const get = (person: Person) => scene.app.server.inject({ url: path, headers: person.headers });
    expect((await get(scene.nina)).json()).toMatchObject({
      ...{ state: "completed", author: "test-model", content: "The rent is 4,200 euros." },
    });
    for (const verb of ["resume", "export", "save"])
      expect((await scene.post(scene.omar, `${path}/${verb}`)).status).toBe(404);
    expect((await get(scene.omar)).statusCode).toBe(404);
    scene.unshare(scene.nina, scene.own);
    expect((await get(scene.nina)).statusCode).toBe(403);
    for (const verb of ["resume", "export", "save"])
      expect((await scene.post(scene.nina, `${path}/${verb}`)).status).toBe(403);
    scene.share(scene.nina, scene.own);
  });

  it("answers further questions about itself, which are kept", async () => {
    const events = (await scene.execute(scene.nina, terms())).events();
    const path = `/api/ai/analysis/${events.at(-1)!.analysisId}`;
    scene.model.answer = (response) => sendPieces(response, ["Six months."], "stop");
    const answer = await scene.post(scene.nina, `${path}/continue`, { message: "What notice?" });
    expect(shapeOf(answer.events())).toBe("metadata chunk done");
    expect(scene.model.asked[1]!.messages[1]!.content).toMatch(/monthly rent[\s\S]*What notice\?/);
    const stored = await scene.app.server.inject({ url: path, headers: scene.nina.headers });
    expect(stored.json().turns).toEqual([{ question: "What notice?", answer: "Six months." }]);
    expect((await scene.post(scene.nina, `${path}/continue`, {})).status).toBe(400);
  });

  it("does not confirm a figure that only the question has [S62]", async () => {
    const events = (await scene.execute(scene.nina, terms())).events();
    const path = `/api/ai/analysis/${events.at(-1)!.analysisId}`;
    scene.model.answer = (response) => sendPieces(response, ["Yes, 8,750 euros."], "stop");
    const message = "Is the rent 8,750 euros?";
    const answer = await scene.post(scene.nina, `${path}/continue`, { message });
    expect(answer.events().at(-1)).toMatchObject({
      ...{ type: "error", done: true, error: expect.stringContaining("figure") },
    });
    const stored = await scene.app.server.inject({ url: path, headers: scene.nina.headers });
    expect(stored.json().turns).toEqual([]);
  });

  it("is exported as Markdown without a link or a picture that the document's name or text brings along [S62]", async () => {
    const id = await scene.aDocument("![pixel](www.evil.example).txt", LINKED, [scene.nina]);
    const text = PROFILE_ANSWER.summary;
    scene.model.answer = (response) =>
      sendJson(
        response,
        completion(
          JSON.stringify({ ...PROFILE_ANSWER, summary: "A lease.", tldr: text, parties: [PIXEL] }),
        ),
      );
    const events = (await scene.execute(scene.nina, { documentIds: [id] })).events();
    expect(events.at(-1)).toMatchObject({ type: "done" });
    const path = `/api/ai/analysis/${events.at(-1)!.analysisId}/export`;
    const { status, body } = await scene.post(scene.nina, path, { format: "md" });
    expect(status).toBe(200);
    expect(body).toContain("# Document Profile: (link removed)");
    expect(textOf(events)).toContain("Parties: ![pixel] (//evil.example/p.png)");
    expect(`${body}${textOf(events)}`).not.toContain("](");
  });

  it("is exported as Markdown and as a Word document that can be read, without links", async () => {
    scene.model.answer = (response) =>
      sendPieces(
        response,
        ["Rent: 4,200 euros & <b>more</b> ![x](//evil.example/a) ", "ok"],
        "stop",
      );
    const events = (await scene.execute(scene.nina, terms())).events();
    const path = `/api/ai/analysis/${events.at(-1)!.analysisId}/export`;
    const markdown = await scene.post(scene.nina, path, { format: "md" });
    expect(markdown.headers["content-type"]).toBe("text/markdown; charset=utf-8");
    expect(markdown.body).toContain("# Contract key terms: lease.txt");
    expect(markdown.body).toContain("Rent: 4,200 euros");
    expect(markdown.body).not.toMatch(/\]\(|<b/);
    const word = await scene.post(scene.nina, path, { format: "docx" });
    expect(word.headers["content-disposition"]).toBe('attachment; filename="analysis.docx"');
    const { value: text } = await mammoth.extractRawText({ buffer: word.bytes });
    expect(text).toContain("Rent: 4,200 euros & ‹b>more‹/b>");
    expect((await scene.post(scene.nina, path, { format: "exe" })).status).toBe(400);
  });

  it("is saved as a document of the caller once, however often it is saved", async () => {
    const events = (await scene.execute(scene.nina, terms())).events();
    const path = `/api/ai/analysis/${events.at(-1)!.analysisId}/save`;
    const first = await scene.post(scene.nina, path, { format: "docx" });
    expect(first.status).toBe(200);
    const { documentId, fileName } = first.json();
    expect(fileName).toBe("lease - Contract key terms.docx");
    expect((await scene.post(scene.nina, path, { format: "docx" })).json()).toEqual(first.json());
    const saved = scene.files().filter((file) => file.includes(fileName));
    expect(saved).toHaveLength(1);
    expect(scene.records().filter(({ id }) => id === documentId)).toHaveLength(1);
    expect(await scene.analysis()).toMatchObject({ saved_as: documentId });
  });

  it("in the background answers with a status address that works, and writes the profile to the record [JOB-14] [JOB-16] [JOB-17] [JOB-18]", async () => {
    const enqueue = (person: Person, documentId?: string) =>
      scene.post(person, "/api/analysis/enqueue", documentId === undefined ? {} : { documentId });
    expect((await enqueue(scene.nina, scene.others)).status).toBe(403);
    expect((await enqueue(scene.nina)).json()).toMatchObject({
      ...{ status: 400, detail: "No document identifier found in request" },
    });
    const answer = await enqueue(scene.nina, scene.own);
    expect(answer.status).toBe(202);
    const { jobId, statusUrl } = answer.json();
    expect(statusUrl).toBe(`/api/jobs/${jobId}/status`);
    expect((await enqueue(scene.nina, scene.own)).json()).toEqual(answer.json());
    const { rows: jobs } = await scene.app.database.query<{ key: string }>(
      "SELECT key FROM postroom.job WHERE id = $1",
      [jobId],
    );
    expect(jobs[0]!.key).toMatch(new RegExp(`^analysis-${scene.own}-document-profile\\.v\\d+\\.`));
    await scene.app.jobs.workUntilIdle();
    const status = async (person: Person, url: string) => {
      const given = await scene.app.server.inject({ url, headers: person.headers });
      return { ...given.json(), code: given.statusCode };
    };
    expect(await status(scene.nina, statusUrl)).toMatchObject({
      ...{ jobType: "ai-analyze", subjectId: scene.own, status: "Completed" },
    });
    expect(await status(scene.omar, statusUrl)).toMatchObject({ code: 404 });
    expect(scene.tenant.dataverse.admin.get("sprk_document", scene.own)!.values).toMatchObject({
      sprk_filesummarystatus: 100000002,
      sprk_filesummary: "The monthly rent of the Lyon office is 4,200 euros.",
      sprk_filetldr: "A lease for 4,200 euros a month.",
      sprk_filekeywords: "lease, rent",
      sprk_extractdocumenttype: "Contract",
      sprk_extractamounts: "4,200 euros",
      // The other party does not appear in the document.
      sprk_extractorganization: "Rhône Conseil SAS",
    });
    // Another reader gets a job of their own, which costs nothing.
    const another = (await enqueue(scene.priya, scene.own)).json();
    await scene.app.jobs.workUntilIdle();
    expect(await status(scene.priya, another["statusUrl"])).toMatchObject({ status: "Completed" });
    expect(scene.model.asked).toHaveLength(1);
    const own = await scene.app.server.inject({
      url: `/api/ai/analysis/${jobId}`,
      headers: scene.nina.headers,
    });
    expect(own.json()).toMatchObject({ state: "completed", playbookId: "document-profile" });
  });
});
