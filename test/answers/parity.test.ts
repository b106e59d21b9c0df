/** Generated questions by people whose rights change all the time: nothing of a document is shown to somebody who may not read it. */
import { beforeAll, expect, it } from "vitest";
import type { SearchAnswer } from "../../src/flows/specs/search.ts";
import { createEndpointEmbedder } from "../../src/models/endpoint-embedder.ts";
import { cutChunks } from "../../src/search/cut-chunks.ts";
import { embedChunks } from "../../src/search/embed-chunks.ts";
import { languageOf } from "../../src/search/language.ts";
import { writeIndex } from "../../src/search/write-index.ts";
import { VOCABULARIES } from "../../tenant/content/library/draw-values.ts";
import { type LibraryDocument, libraryDocument } from "../../tenant/content/library/library.ts";
import { createRandom } from "../../tenant/random.ts";
import { aPerson, type Person } from "../documents/scene.ts";
import { aModelEndpoint, type ModelEndpoint } from "./model-endpoint.ts";
import { type AnswerScene, anAnswerScene } from "./scene.ts";

const isLong = process.env["POSTROOM_LONG"] === "1";
const DOCUMENTS = isLong ? 500 : 80;
const QUESTIONS = isLong ? 2_000 : 160;
const MATTERS = 12;

interface Filed {
  readonly id: string;
  readonly mark: string;
  readonly content: string;
  readonly matterId: string;
  readonly source: LibraryDocument;
}

const random = createRandom("parity");
let scene: AnswerScene;
let model: ModelEndpoint;
let people: Person[];
const filed: Filed[] = [];
const byId = new Map<string, Filed>();
/** What Dataverse should say, by the id of the person. */
const may = new Map<string, Set<string>>();

beforeAll(async () => {
  model = await aModelEndpoint();
  scene = await anAnswerScene({ settings: model.settings, app: { roles: ["api"] } });
  people = [scene.nina, scene.omar, scene.priya, aPerson(scene.tenant, 4)];
  for (const { user } of people) {
    scene.tenant.dataverse.admin.setScope(user.id, "user");
    may.set(user.id, new Set());
  }
  const matters: string[] = [];
  for (let number = 0; number < MATTERS; number++)
    matters.push(await scene.aMatter({ sprk_name: `Matter ${number}` }));
  for (let number = 0; number < DOCUMENTS; number++)
    filed.push(await fileDocument(number, random.pick(matters)));
  for (const document of filed) {
    byId.set(document.id, document);
    for (const person of people) if (random.chance(0.4)) share(person, document);
  }
}, 600_000);

/** Straight into the index, with a mark of its own in every sentence group. */
async function fileDocument(number: number, matterId: string): Promise<Filed> {
  const source = libraryDocument("parity", number % 330);
  const mark = `zq${number}x`;
  const content = source.sections
    .slice(0, 10)
    .map(({ heading, text }) => `${heading}\n${text.slice(0, 700)} Ref ${mark}.`)
    .join("\n\n");
  const row = await scene.tenant.dataverse.admin.create("sprk_document", {
    sprk_documentname: mark,
    "sprk_Matter@odata.bind": `/sprk_matters(${matterId})`,
  });
  const chunks = cutChunks({
    pages: [{ number: 1, label: null, text: content, boxes: [] }],
    omitted: [],
  });
  const { MODEL_BASE_URL: baseUrl, MODEL_API_KEY: apiKey } = model.settings;
  const embedder = createEndpointEmbedder({
    ...{ kind: "openai", baseUrl: baseUrl!, apiKey: apiKey!, model: "words" },
  });
  const contents = chunks.map((chunk) => chunk.content);
  await writeIndex(scene.app.database, {
    facts: {
      ...{ documentId: row.id, tenantId: scene.tenant.tenantId, name: `${mark}.${source.kind}` },
      ...{ kind: source.kind, parentType: "sprk_matter", parentId: matterId, parentName: matterId },
      ...{ sender: null, mailbox: null, datedAt: null, driveId: null, itemId: null },
      webUrl: `https://files.example/${mark}`,
    },
    ...{ version: "1", sha256: mark, language: await languageOf(content), chunks, reason: null },
    embedded: await embedChunks(embedder, contents),
  });
  return { id: row.id, mark, content, matterId, source };
}

function share(person: Person, { id }: Filed): void {
  scene.share(person, id);
  may.get(person.user.id)!.add(id);
}

function unshare(person: Person, { id }: Filed): void {
  scene.unshare(person, id);
  may.get(person.user.id)!.delete(id);
}

const allowedTo = (person: Person) => may.get(person.user.id)!;

/** Two letters change places, as they do when somebody types fast. */
function misspell(text: string): string {
  const at = 1 + random.below(Math.max(1, text.length - 2));
  return text.slice(0, at) + (text[at + 1] ?? "") + (text[at] ?? "") + text.slice(at + 2);
}

function aQuestion(): string {
  const { mark, source } = random.pick(filed);
  const { near, far } =
    VOCABULARIES[source.language].topics[random.pick(source.sections).fact?.topic ?? "fee"];
  const fill = (text: string) =>
    text.replaceAll("{name}", source.parties.name).replace(/\{\w+\}/g, "");
  return random.pick([
    () => fill(random.pick(near)),
    () => misspell(fill(random.pick(near))),
    () => fill(far),
    () => source.parties.name,
    () => mark,
    () => random.pick(["notice", "Vertrag", "durée", "años", "the yearly fee", "Kaution zq"]),
  ])();
}

/** Words that are nowhere are repeated from the question, and are nothing else. */
function checkMissing(missing: readonly string[], question: string): void {
  for (const word of missing) expect(question.toLowerCase()).toContain(word);
}

/** Everything that is shown, but for the question itself, names only documents that the person may read. */
function checkShown(shown: object, allowed: ReadonlySet<string>): void {
  const marks = new Set(JSON.stringify(shown).match(/zq\d+x/g) ?? []);
  const own = new Set([...allowed].map((id) => byId.get(id)!.mark));
  expect([...marks].filter((mark) => !own.has(mark))).toEqual([]);
}

function checkResults(answer: SearchAnswer, allowed: ReadonlySet<string>): void {
  const { query, missing, ...shown } = answer;
  checkMissing(missing, query);
  checkShown(shown, allowed);
  for (const { documentId, passages } of answer.results) {
    expect(allowed.has(documentId)).toBe(true);
    for (const { text, chunkId } of passages) {
      expect(chunkId.startsWith(documentId)).toBe(true);
      expect(byId.get(documentId)!.content).toContain(text);
    }
  }
  const { count, facets } = answer;
  expect(count.documents).toBeLessThanOrEqual(allowed.size);
  if (allowed.size === 0) expect(count.isMore).toBe(false);
  expect(Object.values(facets.kind).reduce((sum, each) => sum + each, 0)).toBe(count.documents);
  for (const parent of facets.parent) {
    const own = [...allowed].filter((id) => byId.get(id)!.matterId === parent.id);
    expect(parent.documents).toBeLessThanOrEqual(own.length);
  }
}

async function allPages(person: Person | null, query: Record<string, string | number>) {
  const ids: string[] = [];
  let answer = await scene.search(person, { ...query, limit: 50 });
  for (;;) {
    expect(answer.status, JSON.stringify(query)).toBe(200);
    if (person !== null) checkResults(answer, allowedTo(person));
    ids.push(...answer.results.map(({ documentId }) => documentId));
    expect(answer.count.documents).toBeGreaterThanOrEqual(ids.length);
    if (answer.next === null) break;
    answer = await scene.search(person, { ...query, limit: 50, cursor: answer.next });
  }
  expect(ids).toHaveLength(answer.count.documents);
  expect(ids.length).toBeLessThanOrEqual(200);
  return { ids, isMore: answer.count.isMore };
}

/**
 * A person finds everything that the app finds, without what the person may not read. There may be more of it: a word
 * that stands only in documents of others is taken for a misspelt one.
 */
async function checkParity(person: Person, query: Record<string, string | number>): Promise<void> {
  const all = await allPages(null, query);
  const own = await allPages(person, query);
  const expected = all.ids.filter((id) => allowedTo(person).has(id));
  if (query["mode"] === "vector") expect(own.ids).toEqual(expected);
  // Of more than 200 candidates other ones may be left out.
  else if (!all.isMore && !own.isMore) expect(own.ids).toEqual(expect.arrayContaining(expected));
  if (own.ids.length > 0 && all.isMore) expect(own.isMore).toBe(true);
}

/** Names are completed only from documents that the person may read, and all of those. */
async function checkSuggestions(person: Person): Promise<void> {
  const { mark } = random.pick(filed);
  const typed = random.pick([mark.slice(0, 3), mark, mark.slice(1), "zq"]);
  const { statusCode, json } = await scene.app.server
    .inject({
      url: `/api/search/suggestions?limit=20&q=${typed}`,
      headers: person.headers,
    })
    .then((answer) => ({ statusCode: answer.statusCode, json: answer.json() as object }));
  expect(statusCode).toBe(200);
  const allowed = allowedTo(person);
  checkShown(json, allowed);
  const own = [...allowed].filter((id) => byId.get(id)!.mark === mark);
  if (typed === mark) expect(JSON.stringify(json).includes(mark)).toBe(own.length > 0);
}

async function checkAsk(person: Person, question: string): Promise<void> {
  model.prompts.length = 0;
  const allowed = allowedTo(person);
  const { question: _, missing, ...answer } = await scene.ask(person, question);
  expect(answer.status).toBe(200);
  checkMissing(missing, question);
  checkShown(answer, allowed);
  checkShown(
    model.prompts.map((prompt) => prompt.replace(question, "")),
    allowed,
  );
  for (const { documentId, words } of answer.citations) {
    expect(allowed.has(documentId)).toBe(true);
    expect(byId.get(documentId)!.content).toContain(words);
  }
}

it("of a document that a person may not read nothing is shown: no passage, citation, count, facet or suggestion [H-15] [AUTH-05] [S40]", async () => {
  let found = 0;
  for (let number = 0; number < QUESTIONS; number++) {
    const person = random.pick(people);
    const changed = random.pick(filed);
    if (random.chance(0.5)) share(random.pick(people), changed);
    else unshare(random.pick(people), changed);
    const q = aQuestion();
    const filter: Record<string, string> = random.chance(0.2)
      ? { kind: random.pick(filed).source.kind }
      : {};
    const mode = random.pick(["hybrid", "hybrid", "text", "vector"]);
    const query = { q, mode, ...filter };
    if (number % 5 === 0) await checkParity(person, query);
    else if (number % 5 === 1) await checkAsk(person, q);
    else if (number % 5 === 2) await checkSuggestions(person);
    else {
      const answer = await scene.search(person, query);
      expect(answer.status, q).toBe(200);
      checkResults(answer, allowedTo(person));
      found += answer.results.length;
    }
  }
  console.info(
    `${QUESTIONS} questions over ${DOCUMENTS} documents: ${found} results, all readable`,
  );
  // A search that finds nothing would keep every secret.
  expect(found).toBeGreaterThan(QUESTIONS / 2);
  // A test that is stopped would go on asking while the next one runs.
}, 3_600_000);

it("a right that was taken away is gone from the next answer, and one that was given is there [H-15]", async () => {
  for (let number = 0; number < (isLong ? 100 : 12); number++) {
    const person = random.pick(people);
    const document = random.pick(filed);
    const finds = async () => {
      const { results, count } = await scene.search(person, { q: document.mark, mode: "text" });
      expect(count.documents).toBe(results.length);
      return results.some(({ documentId }) => documentId === document.id);
    };
    share(person, document);
    expect(await finds()).toBe(true);
    unshare(person, document);
    expect(await finds()).toBe(false);
    await checkAsk(person, document.mark);
  }
}, 3_600_000);

it("somebody who may read nothing learns nothing, not even a number", async () => {
  const person = people[0]!;
  for (const document of filed) unshare(person, document);
  for (const q of ["the", "notice period", filed[0]!.mark, "Vertrag"]) {
    expect(await scene.search(person, { q })).toMatchObject({
      ...{ results: [], count: { documents: 0, isMore: false }, next: null },
      facets: { kind: {}, parent: [] },
    });
    expect(await scene.ask(person, q)).toMatchObject({ kind: "none", citations: [] });
  }
});
