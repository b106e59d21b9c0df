import { Agent, get } from "node:http";
import type { Socket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { makeDocx, makeXlsx } from "../../tenant/content/files/office-files.ts";
import { type AnswerScene, anAnswerScene } from "./scene.ts";

let scene: AnswerScene;
let lease: string;
let leaseOfOmar: string;
let fees: string;
let german: string;

beforeAll(async () => {
  scene = await anAnswerScene();
  const { nina, omar, priya } = scene;
  const matter = await scene.aMatter({ sprk_name: "Lyon office" });
  lease = await scene.aDocument(
    "lease-lyon.docx",
    makeDocx({
      title: "Lease of the Lyon office",
      paragraphs: [
        "The monthly rent is 4,200 euros, payable in advance.",
        "Either party may give notice of termination six months before the end of a quarter.",
      ],
    }),
    [nina, priya],
    matter,
  );
  leaseOfOmar = await scene.aDocument(
    "lease-porto.txt",
    "Lease of the Porto warehouse. The monthly rent is 9,900 euros. Notice of termination: one year.",
    [omar],
  );
  fees = await scene.aDocument(
    "fees.xlsx",
    makeXlsx([
      { name: "Overview", rows: [["Advisers of the firm and their hourly rates for the year"]] },
      {
        name: "Rates",
        rows: [
          ["Vandermeulen", 310],
          ["Okonkwo", 275],
        ],
      },
    ]),
    [nina],
  );
  german = await scene.aDocument(
    "mietvertrag.txt",
    "Der Mietvertrag über die Geschäftsräume in Köln beginnt am 1. Juli. Die Kündigungsfrist beträgt sechs Monate zum Ende eines Quartals. Der Mieter hinterlegt eine Kaution.",
    [nina],
  );
  await scene.follow();
});

const idsOf = (answer: { results: readonly { documentId: string }[] }) =>
  answer.results.map(({ documentId }) => documentId);

describe("a search", () => {
  it("finds what was indexed, with the passage, its page and the words that match [RAG-01] [RAG-05] [RAG-06]", async () => {
    const answer = await scene.search(scene.nina, { q: "monthly rent in Lyon" });
    expect(answer.status).toBe(200);
    expect(answer.results[0]).toMatchObject({
      documentId: lease,
      name: "lease-lyon.docx",
      kind: "docx",
      parent: { type: "sprk_matter", name: "Lyon office" },
      link: "https://files.example/lease-lyon.docx",
    });
    const [passage] = answer.results[0]!.passages;
    expect(passage).toMatchObject({ page: 1, chunkId: `${lease}_0_v1` });
    const words = passage!.highlights.map(([from, to]) => passage!.text.slice(from, to));
    expect(words).toEqual(expect.arrayContaining(["rent", "monthly", "Lyon"]));
  });

  it("shows each person only what that person may read, in results, counts and facets [H-15] [AUTH-05]", async () => {
    const all = await scene.search(null, { q: "notice of termination" });
    expect(idsOf(all)).toEqual(expect.arrayContaining([lease, leaseOfOmar]));
    const { nina, omar, priya } = scene;
    const forNina = await scene.search(nina, { q: "notice of termination" });
    expect(idsOf(forNina)).toContain(lease);
    expect(JSON.stringify(forNina)).not.toMatch(/Porto|9,900/);
    expect(forNina.count).toEqual({ documents: forNina.results.length, isMore: false });
    const forOmar = await scene.search(omar, { q: "notice of termination" });
    expect(idsOf(forOmar)).toEqual([leaseOfOmar]);
    expect(forOmar.facets).toEqual({ kind: { txt: 1 }, parent: [] });
    expect(idsOf(await scene.search(priya, { q: "Okonkwo" }))).toEqual([]);
  });

  it("forgets a right that was taken away at the next question [H-15]", async () => {
    const { priya } = scene;
    expect(idsOf(await scene.search(priya, { q: "rent" }))).toEqual([lease]);
    scene.unshare(priya, lease);
    const answer = await scene.search(priya, { q: "rent" });
    expect(answer).toMatchObject({ results: [], count: { documents: 0, isMore: false } });
    scene.share(priya, lease);
    expect(idsOf(await scene.search(priya, { q: "rent" }))).toEqual([lease]);
  });

  it("gives nothing if Dataverse does not answer [AUTH-08] [S41]", async () => {
    const faults = [
      ...[500, 429, 403, 200].map((status) => ({ kind: "server-error", options: { status } })),
      ...["html", "bad-json", "cut-body"].map((kind) => ({ kind })),
    ];
    for (const fault of faults) {
      const { id } = scene.tenant.faults.arm({ ...fault, where: { part: "dataverse" } });
      const answer = await scene.search(scene.nina, { q: "rent" });
      expect([fault, answer.status]).toEqual([fault, 503]);
      expect(JSON.stringify(answer)).not.toContain("Lyon");
      scene.tenant.faults.disarm(id);
    }
  });

  it("knows the language of a document, and forgives typing errors", async () => {
    const { nina } = scene;
    for (const q of [
      "Kündigungsfrist",
      "Wann darf man den Mietvertrag kündigen?",
      "Mietvertag",
      "Kaution Mieter",
    ])
      expect(idsOf(await scene.search(nina, { q }))[0]).toBe(german);
    expect((await scene.search(nina, { q: "Kaution" })).results[0]!.language).toBe("german");
    const misspelt = await scene.search(nina, { q: "Rates of Vandermeulan" });
    expect(idsOf(misspelt)[0]).toBe(fees);
    expect(misspelt.missing).toEqual(["vandermeulan"]);
    expect((await scene.search(nina, { q: "Rates of Vandermeulen" })).missing).toEqual([]);
  });

  it("for a word that is in no document finds nothing, and says so", async () => {
    expect(await scene.search(scene.nina, { q: "xylophone" })).toMatchObject({
      status: 200,
      results: [],
    });
  });

  it("for a short word that is in no document finds no word that merely looks like it", async () => {
    expect((await scene.search(scene.nina, { q: "rent" })).results).not.toEqual([]);
    for (const q of ["vent", "rend", "rens"])
      expect((await scene.search(scene.nina, { q })).results).toEqual([]);
  });

  it("names the sheet on which the words stand", async () => {
    const { results } = await scene.search(scene.nina, { q: "Vandermeulen" });
    expect(results[0]!.passages[0]).toMatchObject({ page: 2, label: "Rates" });
  });

  it("can be narrowed by kind, parent and date", async () => {
    const { nina } = scene;
    const { results } = await scene.search(nina, {
      q: "rent Mieter Vandermeulen",
      kind: "txt,xlsx",
    });
    expect(new Set(results.map(({ kind }) => kind))).toEqual(new Set(["txt", "xlsx"]));
    const parent = (await scene.search(nina, { q: "rent" })).results[0]!.parent!;
    const inParent = await scene.search(nina, {
      q: "rent Mieter",
      parent: `sprk_matter:${parent.id}`,
    });
    expect(idsOf(inParent)).toEqual([lease]);
    expect(idsOf(await scene.search(nina, { q: "rent", to: "2001-01-01" }))).toEqual([]);
    expect((await scene.search(nina, { q: "rent", parent: "nonsense" })).status).toBe(400);
    expect((await scene.search(nina, { q: " " })).status).toBe(400);
  });

  it("fills its pages after trimming", async () => {
    const first = await scene.search(scene.nina, { q: "rent Mieter Vandermeulen", limit: 2 });
    expect(first.results).toHaveLength(2);
    expect(first.next).toBe(2);
    const second = await scene.search(scene.nina, {
      q: "rent Mieter Vandermeulen",
      limit: 2,
      cursor: first.next!,
    });
    expect(second.next).toBeNull();
    expect(new Set([...idsOf(first), ...idsOf(second)])).toEqual(new Set([lease, fees, german]));
  });

  it("leaves no listener behind on a connection that is used again", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<Socket>();
    const { server } = scene.app.server;
    server.on("connection", (socket) => sockets.add(socket));
    const listeners: number[] = [];
    for (let number = 0; number < 5; number++) {
      const url = `${scene.app.url}/api/search?q=rent`;
      await new Promise<void>((done, fail) => {
        get(url, { agent, headers: scene.nina.headers }, (answer) => {
          expect(answer.statusCode).toBe(200);
          answer.resume().on("end", done);
        }).on("error", fail);
      });
      listeners.push([...sockets].reduce((sum, each) => sum + each.listenerCount("close"), 0));
    }
    agent.destroy();
    expect(sockets.size).toBe(1);
    expect(listeners.at(-1)).toBe(listeners[1]);
  });

  it("needs a token, and reveals nothing to a stranger [SEC-03]", async () => {
    const answer = await scene.app.server.inject({ url: "/api/search?q=rent" });
    expect(answer.statusCode).toBe(401);
  });
});

describe("the index", () => {
  it("does nothing for a version that it has, and reads a new one [RAG-04] [JOB-13]", async () => {
    const { database } = scene.app;
    const rows = async () =>
      (await database.query("SELECT id, no FROM postroom.chunk ORDER BY no")).rows;
    const before = await rows();
    await scene.follow();
    expect(await rows()).toEqual(before);

    const row = scene.tenant.dataverse.admin.get("sprk_document", fees)!;
    const item = scene.tenant.drives.admin.putFile(
      scene.containerId,
      "new/fees.xlsx",
      makeXlsx([{ name: "Rates", rows: [["Vandermeulen", 999]] }]),
    );
    await scene.tenant.dataverse.admin.update("sprk_document", row.id, {
      sprk_graphitemid: item.id,
    });
    await scene.follow();
    const after = await rows();
    expect(after.filter(({ id }) => String(id).startsWith(fees)).map(({ id }) => id)).toEqual([
      `${fees}_0_v2`,
    ]);
    const others = (list: typeof before) => list.filter(({ id }) => !String(id).startsWith(fees));
    expect(others(after)).toEqual(others(before));
    const jobs = await database.query<{ key: string }>(
      "SELECT key FROM postroom.job WHERE type = 'document-processing' AND subject_id = $1",
      [fees],
    );
    expect(jobs.rows.length).toBeGreaterThan(1);
    for (const { key } of jobs.rows) expect(key).toMatch(new RegExp(`^doc-${fees}-v\\d+$`));
  });

  it("holds the tenant with every chunk, and says on the record that it was indexed [RAG-02] [RAG-03]", async () => {
    const { rows } = await scene.app.database.query<{ tenant_id: string }>(
      "SELECT DISTINCT tenant_id FROM postroom.chunk",
    );
    expect(rows).toEqual([{ tenant_id: scene.tenant.tenantId }]);
    expect(scene.tenant.dataverse.admin.get("sprk_document", lease)!.values).toMatchObject({
      sprk_searchindexed: true,
      sprk_searchindexname: "postroom",
    });
  });

  it("loses a deleted document with all its words and with what was made of it [H-15]", async () => {
    const { database } = scene.app;
    const id = await scene.aDocument("secret.txt", "The zyxwvutsrq clause is confidential.", [
      scene.nina,
    ]);
    await scene.follow();
    expect(idsOf(await scene.search(scene.nina, { q: "zyxwvutsrq" }))).toEqual([id]);
    const stems = () => database.query("SELECT * FROM postroom.stem WHERE stem LIKE 'zyxw%'");
    expect((await stems()).rows).toHaveLength(1);
    await scene.app.server.inject({
      ...{ method: "POST", url: "/api/ai/analysis/execute", headers: scene.nina.headers },
      payload: { documentIds: [id] },
    });
    const analyses = () =>
      database.query("SELECT state FROM postroom.analysis WHERE document_id = $1", [id]);
    expect((await analyses()).rows).toEqual([{ state: "completed" }]);
    await scene.tenant.dataverse.admin.remove("sprk_document", id);
    expect(idsOf(await scene.search(scene.nina, { q: "zyxwvutsrq" }))).toEqual([]);
    await scene.follow();
    expect((await stems()).rows).toEqual([]);
    const left = await database.query("SELECT 1 FROM postroom.chunk WHERE document_id = $1", [id]);
    expect(left.rows).toEqual([]);
    expect((await analyses()).rows).toEqual([]);
  });

  it("follows an upload by itself [DOC-27]", async () => {
    const { json } = await scene.put("documents/minutes.txt", "The quorum was reached at noon.", {
      query: "?record=true",
    });
    await scene.app.jobs.workUntilIdle();
    expect(idsOf(await scene.search(scene.nina, { q: "quorum" }))).toEqual([json["documentId"]]);
  });
});

describe("a question", () => {
  it("is answered without a model by the best passages, with words that the document contains [RAG-06]", async () => {
    const answer = await scene.ask(scene.nina, "How much is the monthly rent in Lyon?");
    expect(answer).toMatchObject({ status: 200, kind: "quotes", degraded: null });
    expect(answer.citations[0]).toMatchObject({ documentId: lease, page: 1 });
    expect(answer.citations[0]!.words).toContain("monthly rent is 4,200 euros");
    expect(JSON.stringify(answer)).not.toContain("9,900");
  });

  it("without evidence says that there is none", async () => {
    expect(await scene.ask(scene.omar, "Who is Vandermeulen?")).toMatchObject({
      kind: "none",
      citations: [],
      answer: expect.stringContaining("no evidence"),
    });
  });
});

describe("a question without a model", () => {
  it("about a name is not answered with what is true of another name", async () => {
    const text = (name: string, sum: string) =>
      `${name} Ltd lodges a security deposit of ${sum} pounds with Northbank. It is released after a year.`;
    const own = await scene.aDocument("a.txt", text("Wolverbrook", "4,100"), [scene.nina]);
    await scene.aDocument("b.txt", text("Ottermere", "7,300"), [scene.nina]);
    await scene.follow();
    const answer = await scene.ask(scene.nina, "How high is the security deposit of Wolverbrook?");
    expect(answer.citations.map(({ documentId }) => documentId)).toEqual([own]);
    expect(answer.answer).not.toContain("7,300");
    const both = await scene.ask(scene.nina, "How high is the security deposit?");
    expect(both.citations).toHaveLength(2);
  });

  it("is found by what it asks about, not by the words that ask", async () => {
    const court = await scene.aDocument(
      "court.txt",
      "Les tribunaux de Rouen sont compétents pour tout litige avec la société Aubebourg.",
      [scene.nina],
    );
    const advisers = "Le directeur décide quels conseillers peuvent voir les chiffres. ";
    await scene.aDocument("advisers.txt", `${advisers}Quel chiffre, quelle somme, quand.`, [
      scene.nina,
    ]);
    await scene.follow();
    const question = "Quel tribunal, et pour quelle somme ? Quand et combien ?";
    expect((await scene.ask(scene.nina, question)).citations[0]).toMatchObject({
      documentId: court,
    });
  });
});

describe("an analysis without a model", () => {
  it("is an extract of the document's own sentences and figures, and says so", async () => {
    const text =
      "Lease agreement between Rhône Conseil SAS and the owner. The monthly rent is 4,200 euros from 2026-03-01.";
    const id = await scene.aDocument("extract.txt", text, [scene.nina]);
    const answer = await scene.app.server.inject({
      method: "POST",
      url: "/api/ai/analysis/execute",
      headers: scene.nina.headers,
      payload: { documentIds: [id] },
    });
    expect(answer.body).toContain("Extracted from the text without a model.");
    for (const found of ["4,200 euros", "2026-03-01", "Rhône Conseil SAS", "Contract"])
      expect(answer.body).toContain(found);
    expect(answer.body).toMatch(/"type":"done"[^\n]*\n\n$/);
  });
});
